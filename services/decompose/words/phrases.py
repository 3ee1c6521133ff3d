"""Finds the noun phrases of a question, with their determiners, without a tagger.

They are what is left between function words, verbs and dates; where nouns have capitals, the first noun ends one.
"""

import re
from dataclasses import dataclass
from typing import Final

from libs.language.known import language_of
from libs.text.dates.document_dates import find_dates
from libs.text.names import find_names
from services.decompose.words.question_words import QuestionWords

_PHRASE: Final = re.compile("[nwNW][nw]*")
"""A phrase in the letters of `_kinds`."""
_PHRASE_WITH_CAPITALS: Final = re.compile("[nN]n*|(?:[wW]w*)?c|C")
"""The same where nouns have capitals."""


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


def find_phrases(text: str, language: str) -> tuple[Phrase, ...]:
    """Return the noun phrases of a text, in order."""
    question = QuestionWords(text, language)
    kinds = _kinds(question, language)
    pattern = _PHRASE_WITH_CAPITALS if language_of(language).capitalises_nouns else _PHRASE
    return tuple(_phrase(question, kinds, *run.span()) for run in pattern.finditer(kinds))


def _phrase(question: QuestionWords, kinds: str, first: int, end: int) -> Phrase:
    before = question.words[first - 1] if first else ""
    determiner = before if before in question.grammar.determiners else ""
    return Phrase(question.span(first, end - 1), kinds[end - 1] in "nN", determiner, first)


def _kinds(question: QuestionWords, language: str) -> str:
    """A letter for each token: `n` in a name, `c` a noun by its capital, `w` another word of a phrase, else `-`.

    It is a capital where something other than white space precedes.
    """
    known, text = language_of(language), question.text
    spans = [(name.start, name.end, "n") for name in find_names(text, language) if name.is_sure]
    spans += [(date.start, date.end, "-") for date in find_dates(text, language=language)]
    kind_at = {place: kind for start, end, kind in spans for place in range(start, end)}
    no_things = known.stop_words | question.grammar.prepositions | question.grammar.adverbs
    kinds, end = [], 0
    for index, token in enumerate(question.tokens):
        is_none = token.is_number or question.words[index] in no_things or question.is_verb(index)
        kind = "-" if is_none else "c" if token.is_capitalised and known.capitalises_nouns else "w"
        kind = kind_at.get(token.start, kind)
        adjoins = index > 0 and not text[end : token.start].strip()
        kinds.append(kind if adjoins else kind.upper())
        end = token.end
    return "".join(kinds)
