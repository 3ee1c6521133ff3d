"""Finds the nouns and names of a text with their determiners, and the classes (gender, number) that these tell.

A noun's classes are those that all its determiners in the conversation have in common: `der Linie` is masculine,
feminine or plural, `die Linie` feminine or plural.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.language.topics.names import NameForms
from libs.text.sentences import split_sentences
from libs.text.tokens import Token, tokenize

Classes = frozenset[str]
PLURAL: Final = "p"
"""The class of several, of any gender."""
_LEFT = 3
"""How many words before a noun may hold its determiner (taste)."""
_MIN_SUFFIX = 4
"""Letters that a noun shares with the end of a compound of the same gender (taste)."""
_JOINT = regex.compile(r"[\s\"“”„«»‚‘’–-]{1,3}")
"""Between the words of one name: `»Wilhelmine« 1897` (length: taste)."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun or name: `text == source[start:end]`, without its determiner."""

    text: str
    head: str
    """Its last noun, lower-cased."""
    start: int
    end: int
    phrase_start: int
    """Where its preposition or determiner begins."""
    determiner: str = ""
    preposition: str = ""
    """The preposition, also if contracted with the determiner (`im`)."""
    classes: Classes = frozenset()
    """Empty if unknown."""
    is_person: bool = False
    is_attribute: bool = False
    """Whether it depends on the noun before it: `der Wilhelmine` in `die Expedition der Wilhelmine`."""

    @property
    def is_number(self) -> bool:
        """Whether it is only digits, such as a year."""
        return self.text.isdecimal()


@dataclass(frozen=True, slots=True)
class MentionReader:
    """Finds mentions in the texts of one language."""

    language: str

    def read(self, text: str) -> tuple[Mention, ...]:
        """The mentions of a text, in order."""
        tokens = tokenize(text)
        starts = {sentence.start for sentence in split_sentences(text, self.language)}
        return tuple(self._mentions(text, tokens, frozenset(starts)))

    def _mentions(self, text: str, tokens: Sequence[Token], starts: frozenset[int]) -> Iterator[Mention]:
        index = 0
        while index < len(tokens):
            last = self._last_of_name(text, tokens, index, starts)
            if last is None:
                index += 1
                continue
            yield self._mention(text, tokens, index, last)
            index = last + 1

    def _last_of_name(self, text: str, tokens: Sequence[Token], first: int, starts: frozenset[int]) -> int | None:
        """The index of the last word of the name or noun that begins at `first`; None if none begins there."""
        if not self._is_nominal(tokens[first]):
            return None
        last = first
        while last + 1 < len(tokens) and self._continues(text, tokens, last):
            last += 1
        opens_sentence = tokens[first].start in starts and not tokens[first].is_number
        return None if opens_sentence and last == first else last

    def _is_nominal(self, token: Token) -> bool:
        if token.is_number:
            return len(token.text) == 4  # a year
        return token.is_capitalised and not self._is_function_word(token.text)

    def _is_function_word(self, word: str) -> bool:
        words, lower = Agreement.of(self.language), word.lower()
        stop_words = language_of(self.language).stop_words
        return lower in stop_words or lower in words.prepositions or words.finite_verb.fullmatch(word) is not None

    def _continues(self, text: str, tokens: Sequence[Token], index: int) -> bool:
        following = tokens[index + 1]
        gap = text[tokens[index].end : following.start]
        is_title = tokens[index].text.lower() in NameForms.of(self.language).titles
        adjoins = _JOINT.fullmatch(gap) is not None or (is_title and gap in (". ", "."))
        is_part = following.is_number or (following.is_capitalised and not self._is_function_word(following.text))
        return adjoins and is_part and "\n" not in gap

    def _mention(self, text: str, tokens: Sequence[Token], first: int, last: int) -> Mention:
        words = Agreement.of(self.language)
        nouns = [token for token in tokens[first : last + 1] if not token.is_number] or [tokens[first]]
        head, at = nouns[-1].text.lower(), self._determiner_before(tokens, first)
        determiner = tokens[at].text.lower() if at is not None else ""
        before = first if at is None else at
        contracted = determiner in words.prepositions
        has_preposition = contracted or (before > 0 and tokens[before - 1].text.lower() in words.prepositions)
        start_token = before if contracted or not has_preposition else before - 1
        is_person = not determiner and (len(nouns) > 1 or nouns[0].text.lower() in NameForms.of(self.language).titles)
        return Mention(
            text[tokens[first].start : tokens[last].end],
            head,
            tokens[first].start,
            tokens[last].end,
            tokens[start_token].start,
            determiner,
            tokens[start_token].text.lower() if has_preposition else "",
            self._classes(head, determiner) if not is_person else words.person_classes,
            is_person,
            self._is_attribute(tokens, start_token, determiner, has_preposition),
        )

    def _determiner_before(self, tokens: Sequence[Token], first: int) -> int | None:
        """The index of the determiner; only adjectives in lower case may be between."""
        determiners = Agreement.of(self.language).determiners
        for index in range(first - 1, max(-1, first - 1 - _LEFT), -1):
            word = tokens[index].text
            if word.lower() in determiners:
                return index
            if not word.islower() or self._is_function_word(word):
                return None
        return None

    def _is_attribute(self, tokens: Sequence[Token], start: int, determiner: str, has_preposition: bool) -> bool:
        """Whether a genitive or a preposition follows a noun directly."""
        may_depend = has_preposition or determiner in Agreement.of(self.language).genitive_determiners
        return may_depend and start > 0 and self._is_nominal(tokens[start - 1])

    def _classes(self, head: str, determiner: str) -> Classes:
        words = Agreement.of(self.language)
        by_determiner = frozenset(words.determiners.get(determiner, ()))
        ending = max(
            (e for e in words.noun_endings if head.endswith(e) and len(head) > len(e) + 1), key=len, default=""
        )
        by_ending = frozenset(words.noun_endings.get(ending, ()))
        return _common(by_determiner, by_ending)


def classes_of_nouns(mentions: Iterable[Mention]) -> Mapping[str, Classes]:
    """The classes of each noun, by its head, that its mentions have in common."""
    classes: dict[str, Classes] = {}
    for mention in mentions:
        if mention.classes:
            classes[mention.head] = _common(classes.get(mention.head, frozenset()), mention.classes)
    return classes


def classes_of(mention: Mention, nouns: Mapping[str, Classes]) -> Classes:
    """A mention's classes with what other mentions of its noun, or of the last part of the compound, tell."""
    classes = _common(mention.classes, nouns.get(mention.head, frozenset()))
    for noun, others in nouns.items():
        if len(noun) >= _MIN_SUFFIX and noun != mention.head and mention.head.endswith(noun):
            classes = _common(classes, others)
    return classes


def _common(first: Classes, second: Classes) -> Classes:
    """What two sets have in common; an empty one tells nothing, and of a contradiction the first counts."""
    return (first & second) or first or second
