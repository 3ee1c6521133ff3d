"""Finds the noun phrases of a question or answer without a tagger: names, years and things, with determiners.

The rules use names, function words and a list of verbs; they omit uncertain phrases rather than guess.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, Inflection, NounPhrases
from libs.text.dates.document_dates import find_dates
from libs.text.names import Name, find_names
from libs.text.tokens import Token, tokenize
from services.decompose.words.grammar import find_verbs, is_quality


class PhraseKind(Enum):
    """The kind of phrase; a fragment replaces a phrase of its own kind."""

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
    preposition: str = ""
    """The preposition before that, lower-cased."""
    tail: str = ""
    """The common noun that a name goes with: "mission" in "the Viking 1 mission"."""
    is_possessive: bool = False
    """Whether it is a possessor: "Curiosity" in "Curiosity's wheels"."""
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
        takes_article = self.determiner in grammar.articles or self.determiner in grammar.demonstratives
        of_tail = self.kind.is_name and bool(self.tail)  # "the Opportunity rover" is Opportunity
        needs_article = takes_article and not of_tail and self.kind is not PhraseKind.NUMBERED
        return words.definite.format(name=self.text) if needs_article else self.text


def find_phrases(text: str, language: str, known_names: frozenset[str] = frozenset()) -> tuple[Phrase, ...]:
    """Return the noun phrases of a text, in order.

    Args:
        text: the text.
        language: ISO 639-1.
        known_names: words that are names elsewhere in the conversation, so they also count at a sentence's start.
    """
    return _find(text, frozenset(name for name in known_names if name in text), language)


@lru_cache(maxsize=2048)  # taste
def _find(text: str, known_names: frozenset[str], language: str) -> tuple[Phrase, ...]:
    """Cached, because the texts of a conversation are read again at each new turn."""
    tokens = tokenize(text)
    named = tuple(_named(text, tokens, known_names, language))
    positions = frozenset(i for span in named for i in range(span.first, span.last + 1))
    return tuple(_PhraseReader(text, tokens, named, find_verbs(tokens, positions, language), language).read())


@dataclass(frozen=True, slots=True)
class _Named:
    """The positions of the tokens of a name or date."""

    first: int
    last: int
    kind: PhraseKind


def _named(text: str, tokens: Sequence[Token], known_names: frozenset[str], language: str) -> Iterator[_Named]:
    dates = [(date.start, date.end, PhraseKind.DATE) for date in find_dates(text, language=language)]
    names = [(n.start, n.end, _kind(n)) for n in find_names(text, language, known_names) if n.is_sure]
    end = 0
    for start, stop, kind in sorted([*dates, *names]):
        inside = [index for index, token in enumerate(tokens) if token.start < stop and start < token.end]
        if start >= end and inside:
            yield _Named(inside[0], inside[-1], kind)
        end = max(end, stop)


class _PhraseReader:
    """Gathers the noun phrases of one text."""

    def __init__(
        self, text: str, tokens: Sequence[Token], named: Sequence[_Named], verbs: frozenset[int], language: str
    ) -> None:
        self._text = text
        self._tokens = tokens
        self._starts = {span.first: span for span in named}
        self._verbs = verbs
        self._language = language
        self._grammar = Grammar.of(language)
        self._words = NounPhrases.of(language)
        self._has_noun_capitals = language_of(language).capitalises_nouns
        self._stop_words = language_of(language).stop_words
        self._marks = Inflection.of(language).possessive_marks

    def read(self) -> Iterator[Phrase]:
        index = 0
        while index < len(self._tokens):
            name = self._starts.get(index)
            last = name.last if name else self._end_of_thing(index)
            if last is None or (name is None and self._is_substitute(last)):  # "the bigger one" names nothing
                index = index + 1 if last is None else last + 1
                continue
            kind = name.kind if name else PhraseKind.THING
            tail_end = self._end_of_thing(last + 1) if kind.is_name and self._adjoins_next(last) else None
            yield self._phrase(index, last, tail_end, kind)
            index = (last if tail_end is None else tail_end) + 1

    def _end_of_thing(self, first: int) -> int | None:
        """The last token of the run of common words that begins at `first`; None if there is none.

        Where nouns are capitalised, it ends with the last of them.
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
        token = self._tokens[index]
        word = token.text.lower().replace("’", "'")
        if word in self._stop_words or index in self._starts or index in self._verbs or token.is_number:
            return True
        if word in self._grammar.prepositions or word in self._grammar.adverbs:
            return not self._is_noun(index) or self._is_degree(index)
        return self._is_degree(index)

    def _is_noun(self, index: int) -> bool:
        """Whether an adverb is used as a noun after `the` or a possessive: `the second well`, `your right`.

        An adjective may come between. After `a`, the word is mostly an adverb: `a well known firm`.
        """
        if self._tokens[index].text.lower() not in self._words.nouns_too:
            return False
        definite = self._words.definite_articles | self._grammar.possessives
        return any(token.text.lower() in definite for token in self._tokens[max(0, index - 2) : index])

    def _is_substitute(self, index: int) -> bool:
        return self._tokens[index].text.lower() in self._words.substitutes

    def _is_degree(self, index: int) -> bool:
        """Whether a token is a degree, such as "high" in "how high", and not a thing."""
        asks_degree = index > 0 and self._tokens[index - 1].text.lower() in self._words.degree_words
        return asks_degree and is_quality(self._tokens[index].text.lower(), self._language)

    def _adjoins_next(self, index: int) -> bool:
        """Whether only spaces separate a token and the next one."""
        tokens = self._tokens
        return index + 1 < len(tokens) and not self._text[tokens[index].end : tokens[index + 1].start].strip(" ")

    def _phrase(self, first: int, last: int, tail_end: int | None, kind: PhraseKind) -> Phrase:
        text, tokens = self._text, self._tokens
        before = [token.text.lower() for token in tokens[max(0, first - 2) : first]]
        determiner = before.pop() if before and before[-1] in self._grammar.determiners else ""
        preposition = before[-1] if before and before[-1] in self._grammar.prepositions else ""
        start, end = tokens[first].start, tokens[last].end
        words = text[start:end]
        if words.endswith(self._marks):
            words = next(words.removesuffix(mark) for mark in self._marks if words.endswith(mark))
        owns = len(words) < end - start or text.startswith(self._marks, end)
        tail = "" if tail_end is None else text[tokens[last + 1].start : tokens[tail_end].end]
        return Phrase(
            words, start, start + len(words), kind, determiner, preposition, tail, owns, language=self._language
        )


def _kind(name: Name) -> PhraseKind:
    if name.is_place:
        return PhraseKind.PLACE
    return PhraseKind.NUMBERED if name.is_numbered or not name.is_written else PhraseKind.NAME
