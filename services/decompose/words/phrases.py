"""Finds the noun phrases of a question: names, dates and things, with their determiners, without a tagger.

The rules use names, function words and a list of verbs; they omit uncertain phrases rather than guess.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, Inflection, NounPhrases
from libs.text.dates.document_dates import find_dates
from libs.text.names import Name, find_names
from libs.text.tokens import Token, tokenize
from services.decompose.words.grammar import find_verbs


class PhraseKind(Enum):
    """The kind of phrase."""

    NUMBERED = "a name with a number"
    PLACE = "a place"
    NAME = "a name"
    DATE = "a date"
    THING = "a thing"

    @property
    def is_name(self) -> bool:
        """Whether it is a proper name of any kind."""
        return self is not PhraseKind.THING and self is not PhraseKind.DATE


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: `text == source[start:end]`, without its determiner."""

    text: str
    start: int
    end: int
    kind: PhraseKind
    determiner: str = ""
    """The determiner right before it, lower-cased."""
    tail: str = ""
    """The common noun that a name goes with: "mission" in "the Viking 1 mission"."""
    language: str = field(kw_only=True)

    @property
    def head(self) -> str:
        """The head noun: the last word, lower-cased."""
        return (self.tail or self.text).split()[-1].lower()

    @property
    def with_determiner(self) -> str:
        """The phrase for use in another sentence, with a determiner if it needs one."""
        grammar, words = Grammar.of(self.language), NounPhrases.of(self.language)
        if self.determiner in grammar.possessives:
            return words.owned.format(determiner=self.determiner, name=self.text)
        takes_article = self.determiner in grammar.articles | grammar.demonstratives
        of_tail = self.kind.is_name and bool(self.tail)  # "the Opportunity rover" is Opportunity
        needs_article = takes_article and not of_tail and self.kind is not PhraseKind.NUMBERED
        return words.definite.format(name=self.text) if needs_article else self.text


@lru_cache(maxsize=2048)  # taste
def find_phrases(text: str, language: str) -> tuple[Phrase, ...]:
    """Return the noun phrases of a text, in order; `language` is ISO 639-1."""
    return tuple(_PhraseReader(text, language).read())


class _PhraseReader:
    """Gathers the noun phrases of one text; positions are those of its tokens."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._tokens = tokenize(text)
        self._named = {first: (last, kind) for first, last, kind in _named(text, self._tokens, language)}
        inside = frozenset(at for first, (last, _) in self._named.items() for at in range(first, last + 1))
        self._verbs = find_verbs(self._tokens, inside, language)
        self._language = language
        self._grammar = Grammar.of(language)
        self._no_things = (
            language_of(language).stop_words,
            self._grammar.prepositions,
            self._grammar.adverbs,
            NounPhrases.of(language).substitutes,  # "the bigger one" names nothing
        )
        self._has_noun_capitals = language_of(language).capitalises_nouns

    def read(self) -> Iterator[Phrase]:
        """Yield the phrases."""
        index = 0
        while index < len(self._tokens):
            last, kind = self._named.get(index) or (self._end_of_thing(index), PhraseKind.THING)
            if last is None:
                index += 1
                continue
            tail_end = self._end_of_thing(last + 1) if kind.is_name and self._adjoins_next(last) else None
            yield self._phrase(index, last, tail_end, kind)
            index = (last if tail_end is None else tail_end) + 1

    def _end_of_thing(self, first: int) -> int | None:
        """The last token of the run of common words that begins at `first`; None if there is none.

        Where nouns are capitalised, it ends with the first of them.
        """
        last = None
        for index in range(first, len(self._tokens)):
            if self._breaks(index) or (index > first and not self._adjoins_next(index - 1)):
                break
            if last is not None and self._has_noun_capitals and not self._tokens[index].is_capitalised:
                break
            if not self._has_noun_capitals or self._tokens[index].is_capitalised:
                last = index
        return last

    def _breaks(self, index: int) -> bool:
        """Whether a token cannot belong to a run of common words."""
        word = self._tokens[index].text.lower().replace("’", "'")
        is_taken = index in self._named or index in self._verbs or self._tokens[index].is_number
        return is_taken or any(word in words for words in self._no_things)

    def _adjoins_next(self, index: int) -> bool:
        """Whether only spaces separate a token and the next one."""
        tokens = self._tokens
        return index + 1 < len(tokens) and not self._text[tokens[index].end : tokens[index + 1].start].strip(" ")

    def _phrase(self, first: int, last: int, tail_end: int | None, kind: PhraseKind) -> Phrase:
        text, tokens = self._text, self._tokens
        before = tokens[first - 1].text.lower() if first else ""
        start, end = tokens[first].start, tokens[last].end
        words = text[start:end]
        mark = next((mark for mark in Inflection.of(self._language).possessive_marks if words.endswith(mark)), "")
        words = words.removesuffix(mark)
        tail = "" if tail_end is None else text[tokens[last + 1].start : tokens[tail_end].end]
        determiner = before if before in self._grammar.determiners else ""
        return Phrase(words, start, start + len(words), kind, determiner, tail, language=self._language)


def _named(text: str, tokens: Sequence[Token], language: str) -> Iterator[tuple[int, int, PhraseKind]]:
    """Yield the first and last position of each name and date, and its kind."""
    dates = [(date.start, date.end, PhraseKind.DATE) for date in find_dates(text, language=language)]
    names = [(name.start, name.end, _kind(name)) for name in find_names(text, language) if name.is_sure]
    end = 0
    for start, stop, kind in sorted([*dates, *names], key=lambda span: span[:2]):
        first = bisect_right(tokens, start, key=lambda token: token.end)
        last = bisect_left(tokens, stop, key=lambda token: token.start) - 1
        if start >= end and first <= last:
            yield first, last, kind
        end = max(end, stop)


def _kind(name: Name) -> PhraseKind:
    if name.is_place:
        return PhraseKind.PLACE
    return PhraseKind.NUMBERED if name.is_numbered or not name.is_written else PhraseKind.NAME
