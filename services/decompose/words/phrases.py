"""Finds the noun phrases of a question, with their determiners, without a tagger.

They are what is left between function words, verbs and dates; where nouns have capitals, the first noun ends one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from libs.language.known import language_of
from libs.language.topics.grammar import NounPhrases
from libs.text.dates.document_dates import find_dates
from libs.text.names import find_names
from services.decompose.words.question_words import QuestionWords


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase, without its determiner."""

    text: str
    is_name: bool
    """Whether it ends with a proper name: `the engineer Hatherley`."""
    determiner: str
    """The determiner right before it, lower-cased."""
    first: int
    """The place of its first word."""

    @property
    def head(self) -> str:
        """The head noun: the last word, lower-cased."""
        return self.text.split()[-1].lower()


def find_named(text: str, language: str) -> tuple[str, ...]:
    """Return the names of a text, then its dates; `language` is ISO 639-1."""
    names = [name.text for name in find_names(text, language) if name.is_sure]
    return (*names, *(text[date.start : date.end] for date in find_dates(text, language=language)))


@lru_cache(maxsize=2048)  # taste
def find_phrases(text: str, language: str) -> tuple[Phrase, ...]:
    """Return the noun phrases of a text, in order."""
    return tuple(_PhraseReader(text, language).read())


class _PhraseReader:
    """Gathers the noun phrases of one text."""

    def __init__(self, text: str, language: str) -> None:
        self._question = QuestionWords(text, language)
        names = [(name.start, name.end) for name in find_names(text, language) if name.is_sure]
        self._names = self._tokens_within(names)
        self._dates = self._tokens_within([(date.start, date.end) for date in find_dates(text, language=language)])
        self._no_things = (
            language_of(language).stop_words,
            self._question.grammar.prepositions,
            self._question.grammar.adverbs,
            NounPhrases.of(language).substitutes,  # "the bigger one" names nothing
        )
        self._has_noun_capitals = language_of(language).capitalises_nouns

    def read(self) -> Iterator[Phrase]:
        """Yield the phrases."""
        first: int | None = None
        for index in range(len(self._question.tokens) + 1):
            if first is not None and not self._continues(index):
                if not self._has_noun_capitals or self._is_noun(index - 1):
                    yield self._phrase(first, index - 1)
                first = None
            if first is None and index < len(self._question.tokens) and self._belongs(index):
                first = index

    def _continues(self, index: int) -> bool:
        """Whether a token belongs to the same phrase as the one before it."""
        if not self._question.adjoins(index) or not self._belongs(index):
            return False
        is_apart = self._has_noun_capitals and (index in self._names or self._is_noun(index - 1))
        return not is_apart or {index - 1, index} <= self._names

    def _is_noun(self, index: int) -> bool:
        """Whether a token has a noun's capital, or belongs to a name."""
        return index in self._names or self._question.tokens[index].is_capitalised

    def _belongs(self, index: int) -> bool:
        """Whether a token may stand in a noun phrase."""
        if index in self._names or index in self._dates:
            return index not in self._dates
        word, is_number = self._question.words[index], self._question.tokens[index].is_number
        return not (is_number or any(word in words for words in self._no_things) or self._question.is_verb(index))

    def _phrase(self, first: int, last: int) -> Phrase:
        question = self._question
        before = question.words[first - 1] if first else ""
        determiner = before if before in question.grammar.determiners else ""
        return Phrase(question.span(first, last), last in self._names, determiner, first)

    def _tokens_within(self, spans: list[tuple[int, int]]) -> frozenset[int]:
        tokens = enumerate(self._question.tokens)
        return frozenset(at for at, token in tokens if any(start <= token.start < end for start, end in spans))
