"""Finds what a question names of a table: cells by their words, and columns by the words of their names.

Words agree in any case, with or without hyphens, by their stems: `ST 144` is `ST-144`. A word may also have the root of
a column's name (`own`, `Owner`), begin a compound with it, or tell of it: `heavy` and `Weight`. Pure but for
the marks on the question's words.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.language.known import language_of
from libs.language.topics.tables import TableQuestions
from services.answer.lexicon.related_words import has_related
from services.answer.tables.rows import Table
from services.answer.tables.values import Column
from services.answer.tables.words import Question, Word, key_of, keys_of

_NUMBERED: Final = re.compile(r"(?<=[^\W\d])(?=\d)")
"""In `elo98`."""
MOST_PARTED: Final = 4
"""Words of a cell of which a question may name a part: a longer one is prose (taste)."""


@dataclass(frozen=True, slots=True)
class CellMention:
    """Words of the question that are, or are in, cells."""

    cells: Mapping[str, Mapping[int, str]]
    """The cells that have them, by column and row."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ColumnMention:
    """Words of the question that name a column, or tell of one."""

    columns: tuple[str, ...]
    """Several if it is not sure which is meant: those that are large for `largest`."""
    start: int
    end: int
    is_named: bool = True
    """Whether the words have the root of the name."""


def cell_mentions(question: Question, table: Table, columns: Sequence[str], whole: bool) -> Iterator[CellMention]:
    """Yield the cells that unread words name, the longest first; the words are marked as read.

    Args:
        question: the question.
        table: the table.
        columns: the columns to search.
        whole: whether the words are a whole cell, else a part of one.
    """
    phrases = question.runs()
    found: dict[str, dict[str, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    for number, row in enumerate(table.rows):
        for column in columns:
            text = row.text(column)
            for key in _keys(text, question.language, whole) & phrases.keys():
                found[key][column][number] = text
    for key, start, end in question.take_runs(phrases, found):
        yield CellMention(found[key], start, end)


def _keys(text: str, language: str, whole: bool) -> set[str]:
    keys = keys_of(text, language)
    if whole or len(keys) > MOST_PARTED:
        return {"".join(keys)}
    return {"".join(keys[start:end]) for start in range(len(keys)) for end in range(start + 1, len(keys) + 1)}


def column_mentions(question: Question, columns: Mapping[str, Column], subject: Set[str]) -> list[ColumnMention]:
    """Return the columns that unread words name or any words tell of; the words are marked as read.

    A word that fits several columns is that of the one of which the question has most words.

    Args:
        question: the question.
        columns: the columns of the table.
        subject: the keys of words for the rows, which name no column of several words.
    """
    names = {name: frozenset(_content(name, question.language)) for name in columns}
    single = {name: keys for name, keys in names.items() if len(keys) == 1}
    named = {
        word.start: fits
        for word in question.unread()
        if (fits := _named(word.key, single if word.key in subject else names, question.language))
    }
    told = {word.start: _told(word, columns, question.language) for word in question.words if word.start not in named}
    fitting = {**told, **named}
    stop_words = {word.key for word in question.words if word.is_stop}
    shares = {}
    for name in columns:  # `open until` is not `open from`
        keys = keys_of(name, question.language)
        share = sum(name in fits for fits in fitting.values()) + len(stop_words.intersection(keys))
        shares[name] = share / (1 + 0.01 * len(keys))
    mentions = []
    for word in question.words:
        best = max((shares[name] for name in fitting[word.start]), default=0.0)
        chosen = tuple(name for name in fitting[word.start] if shares[name] == best)
        if len(chosen) == 1 or (chosen and word.start not in named):
            word.is_read = True
            mentions.append(ColumnMention(chosen, word.start, word.end, word.start in named))
    return mentions


def _content(name: str, language: str) -> Iterator[str]:
    stop_words = {key_of(word, language) for word in language_of(language).stop_words}
    keys = keys_of(_NUMBERED.sub(" ", name), language)
    return (key for key in keys if key not in stop_words or len(keys) == 1)


def _named(key: str, names: Mapping[str, frozenset[str]], language: str) -> Sequence[str]:
    """The columns whose names have a word best: itself, or one of its root."""
    return [name for name, keys in names.items() if key in keys] or [
        name for name, keys in names.items() if any(_is_of_root(key, other, language) for other in keys)
    ]


def _told(word: Word, columns: Mapping[str, Column], language: str) -> Sequence[str]:
    """The columns of which a word tells: by its meaning."""
    keys = {name: frozenset(keys_of(name, language)) for name in columns}
    stems = _told_stems(language).get(word.text.lower(), frozenset())
    told = [name for name in columns if any(key.endswith(tuple(stems)) for key in keys[name])]
    if told or word.is_read or word.is_stop:
        return told
    return [name for name in columns if _is_related(word.key, keys[name], language)]


@lru_cache(maxsize=64)  # taste
def _told_stems(language: str) -> Mapping[str, frozenset[str]]:
    """The keys of words of names of columns by the words that tell of them."""
    stems: dict[str, frozenset[str]] = {}
    for words, names in TableQuestions.of(language).telling.items():
        keys = frozenset(key_of(name, language) for name in names)
        stems |= {word: stems.get(word, frozenset()) | keys for word in words.split()}
    return stems


def _is_related(key: str, keys: frozenset[str], language: str) -> bool:
    fillers = {key_of(word, language) for word in TableQuestions.of(language).fillers}
    return key.isalpha() and key not in fillers and has_related(key, keys, language)


def _is_of_root(key: str, other: str, language: str) -> bool:
    """Whether one key is the other with an ending, or begins a longer compound, or a key ends the other."""
    short, long = sorted((key, other), key=len)
    rest = long.removeprefix(short)
    if rest == long or not short.isalpha() or len(short) < 3:  # by hand, as the 5
        return other.endswith(key) and len(key) >= 5
    endings = TableQuestions.of(language).endings
    return rest in endings or (rest[:1] == short[-1] and rest[1:] in endings) or len(short) >= 5
