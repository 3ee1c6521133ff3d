"""Spells a question with the words of a table: misspelt words, compounds, and words that deny another. Pure."""

from collections.abc import Set
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
    """Return a question in the words of a table and of its language; the subject has the keys of words for rows."""
    vocabulary = subject | _vocabulary(table, language)
    names = {key for name in table.columns for key in keys_of(name, language)}
    corrected = WORD.sub(lambda word: _corrected(word[0], vocabulary, language), text)
    parted = WORD.sub(lambda word: _parted(word[0], vocabulary, names, language), corrected)
    return Spelling(parted, corrected != text)


def _vocabulary(table: Table, language: str) -> Set[str]:
    forms = TableQuestions.of(language)
    lists = (forms.functions, forms.ordinals, forms.comparisons, forms.trailing, *forms.concepts.values())
    phrases = (phrase for each in lists for phrases in each.values() for phrase in phrases)
    cells = {cell.text for row in table.rows for cell in row.cells.values()}
    texts = (*table.columns, *cells, *phrases, *forms.fillers, *forms.negations, *forms.degrees)
    return {key for text in texts for key in keys_of(text, language)}


def _corrected(word: str, vocabulary: Set[str], language: str) -> str:
    """The key of a known word for an unknown long one that is spelt much alike and begins alike, else the word."""
    key, known = key_of(word, language), language_of(language).stop_words | number_words(language)
    if len(key) < SHORTEST_MISSPELT or not key.isalpha() or key in vocabulary or word.lower() in known:
        return word
    near = [other for other in vocabulary if other[0] == key[0] and abs(len(other) - len(key)) < 2]
    return next(iter(get_close_matches(key, sorted(near), 1, ALIKE)), word)


def _parted(word: str, vocabulary: Set[str], names: Set[str], language: str) -> str:
    """A compound of two known words in parts, or of a negation and one: `Gesamtbetrag`, `unpaid`; else the word.

    What denies the name of a column is such a compound too: `failed` is not `passed`.
    """
    forms = TableQuestions.of(language)
    opposite = forms.opposites.get(word.lower(), "")
    if opposite and key_of(opposite, language) in names:
        return f"{forms.negations[0]} {opposite}"
    if key_of(word, language) in vocabulary:
        return word
    for place in range(2, len(word) - SHORTEST_PART + 1):
        for first in (word[:place].removesuffix("s"), word[:place]):
            is_known = len(first) >= SHORTEST_PART and key_of(first, language) in vocabulary
            if (is_known or first.lower() in forms.negations) and key_of(word[place:], language) in vocabulary:
                return f"{first} {word[place:]}"
    return word
