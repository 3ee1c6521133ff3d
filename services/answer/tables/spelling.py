"""Spells a question with the words of a table: misspelt words, compounds, and words that deny another. Pure."""

import re
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from libs.language.known import language_of
from libs.language.topics.tables import TableQuestions
from libs.language.turns.wordings import WORD
from libs.text.numbers.words import number_words
from services.answer.tables.rows import Table
from services.answer.tables.words import key_of, keys_of

SHORTEST_PART: Final = 4
"""Letters of a part of a compound (by hand)."""
SHORTEST_MISSPELT: Final = 5
"""Letters of the stem of a word whose spelling is corrected, and how like the right one is (by hand)."""
ALIKE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Spelling:
    """A question in known words."""

    text: str
    is_corrected: bool
    """Whether a misspelt word is read as a known one."""


def spelt(text: str, table: Table, subject: Set[str], language: str) -> Spelling:
    """Return a question in the words of a table and of its language.

    Args:
        text: the question.
        table: the table.
        subject: the keys of words for the rows.
        language: the language of the question.
    """
    forms = TableQuestions.of(language)
    vocabulary = subject | _vocabulary(table, forms, language)
    corrected = _corrected(text, vocabulary, language)
    names = {key for name in table.columns for key in keys_of(name, language)}
    opposites = {word: other for word, other in forms.opposites.items() if key_of(other, language) in names}
    return Spelling(_parted(corrected, vocabulary, forms.negations, opposites, language), corrected != text)


def _vocabulary(table: Table, forms: TableQuestions, language: str) -> Set[str]:
    tables = (forms.functions, forms.ordinals, forms.comparisons, forms.trailing)
    lists = (*(words for each in tables for words in each.values()), forms.fillers, forms.negations, forms.degrees)
    cells = {cell.text for row in table.rows for cell in row.cells.values()}
    told = (word for parts in forms.concepts.values() for words in parts.values() for word in words)
    texts = (*table.columns, *cells, *told, *(phrase for phrases in lists for phrase in phrases))
    return {key for text in texts for key in keys_of(text, language)}


def _corrected(text: str, vocabulary: Set[str], language: str) -> str:
    """The text with the keys of known words for unknown long ones that are spelt much alike and begin alike."""
    known = language_of(language).stop_words | number_words(language)

    def right(match: "re.Match[str]") -> str:
        key = key_of(match[0], language)
        if len(key) < SHORTEST_MISSPELT or not key.isalpha() or key in vocabulary or match[0].lower() in known:
            return match[0]
        near = [word for word in vocabulary if word[0] == key[0] and abs(len(word) - len(key)) < 2]
        return next(iter(get_close_matches(key, sorted(near), 1, ALIKE)), match[0])

    words: str = WORD.sub(right, text)
    return words


def _parted(
    text: str, vocabulary: Set[str], beginnings: Collection[str], opposites: Mapping[str, str], language: str
) -> str:
    """The text with compounds of two known words parted, or of a beginning and one: `Gesamtbetrag`, `unpaid`.

    Args:
        text: the text.
        vocabulary: the keys of known words.
        beginnings: beginnings that deny the rest.
        opposites: the words that a word denies: `failed` is not `passed`.
        language: the language.
    """

    def parts(match: "re.Match[str]") -> str:
        word, lower = match[0], match[0].lower()
        if lower in opposites or key_of(word, language) in vocabulary:
            return " ".join((*list(beginnings)[:1], opposites[lower])) if lower in opposites else word
        for place in range(2, len(word) - SHORTEST_PART + 1):
            for first in (word[:place].removesuffix("s"), word[:place]):
                is_known = len(first) >= SHORTEST_PART and key_of(first, language) in vocabulary
                if (is_known or first.lower() in beginnings) and key_of(word[place:], language) in vocabulary:
                    return f"{first} {word[place:]}"
        return word

    words: str = WORD.sub(parts, text)
    return words
