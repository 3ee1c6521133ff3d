"""Finds what a question names of a table: cells by their words, and columns by the words of their names.

Words agree in any case, with or without hyphens, by their stems: `ST 144` is `ST-144`. A word may also be related to a
column's name, or of its root: `own`, `Owner`. Pure but for the marks on the question's words.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.language.known import language_of
from libs.language.topics.tables import TableQuestions
from services.answer.lexicon.related_words import has_related
from services.answer.tables.rows import Table
from services.answer.tables.words import Question, Word, key_of, keys_of

MOST_WORDS: Final = 8
"""Words of a cell that a question names (taste)."""
MOST_PARTED: Final = 4
"""Words of a cell of which a question may name a part: a longer one is prose (taste)."""


@dataclass(frozen=True, slots=True)
class CellMention:
    """Words of the question that are, or are in, cells of a column."""

    column: str
    value: str
    """One of the cells, or the words if several cells contain them."""
    rows: frozenset[int]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ColumnMention:
    """Words of the question that name a column."""

    column: str
    start: int
    end: int


def cell_mentions(question: Question, table: Table, columns: Sequence[str], whole: bool) -> Iterator[CellMention]:
    """Yield the cells that the unread words name, the longest first, one for each column that has them.

    Args:
        question: the question; the words of cells are marked as read.
        table: the table.
        columns: the columns to search.
        whole: whether the words are a whole cell, else a part of one.
    """
    phrases = dict(_phrases(question))
    found: dict[str, dict[str, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    for number, row in enumerate(table.rows):
        for column in columns:
            text = row.text(column)
            for key in _keys(text, question.language, whole) & phrases.keys() if text else ():
                found[key][column][number] = text
    for key in sorted(found, key=lambda key: -len(phrases[key])):
        words = phrases[key]
        if any(word.is_read for word in words):
            continue
        start, end = words[0].start, words[-1].end
        question.take(start, end)
        for column, texts in found[key].items():
            values = set(texts.values())
            value = values.pop() if len(values) == 1 else question.text[start:end]
            yield CellMention(column, value, frozenset(texts), start, end)


def _phrases(question: Question) -> Iterator[tuple[str, Sequence[Word]]]:
    """The keys of the runs of unread words that may be a cell."""
    words = question.words
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + MOST_WORDS) + 1):
            run = words[start:end]
            if any(word.is_read for word in run):
                break
            if not run[0].is_stop and not run[-1].is_stop:
                yield "".join(word.key for word in run), run


def _keys(text: str, language: str, whole: bool) -> set[str]:
    keys = keys_of(text, language)
    if whole or len(keys) > MOST_PARTED:
        return {"".join(keys)}
    return {"".join(keys[start:end]) for start in range(len(keys)) for end in range(start + 1, len(keys) + 1)}


def name_mentions(question: Question, columns: Sequence[str]) -> list[ColumnMention]:
    """Return the columns whose names of several words stand in the question, in which other words would be misread."""
    names = {"".join(keys): column for column in columns if len(keys := keys_of(column, question.language)) > 1}
    mentions = []
    for key, words in sorted(_phrases(question), key=lambda item: -len(item[1])):
        if key in names and not any(word.is_read for word in words):
            question.take(words[0].start, words[-1].end)
            mentions.append(ColumnMention(names[key], words[0].start, words[-1].end))
    return mentions


def column_mentions(question: Question, columns: Sequence[str]) -> list[ColumnMention]:
    """Return the columns that the unread words name, in the order of the question; the words are marked as read.

    A word that fits several names is that of the column of which the question has most words; of none if several do.
    """
    names = {column: frozenset(_content(column, question.language)) for column in columns}
    fits = {word.start: _fitting(word.key, names, question.language) for word in question.unread()}
    shares = {
        column: sum(column in fitting for fitting in fits.values()) / (1 + 0.01 * len(names[column]))
        for column in columns
    }
    mentions = []
    for word in question.unread():
        best = max((shares[column] for column in fits[word.start]), default=0.0)
        chosen = [column for column in fits[word.start] if shares[column] == best]
        if len(chosen) == 1:
            word.is_read = True
            mentions.append(ColumnMention(chosen[0], word.start, word.end))
    return mentions


def named_by(words: Sequence[str], columns: Sequence[str], language: str) -> list[str]:
    """Return the columns whose names have one of the words."""
    keys = {key_of(word, language) for word in words}
    return [column for column in columns if not keys.isdisjoint(keys_of(column, language))]


def measured_by(phrase: str, columns: Sequence[str], language: str) -> list[str]:
    """Return the columns that an adjective of a phrase measures: the weight of `heavier than`."""
    said = set(phrase.lower().split())
    qualities = TableQuestions.of(language).qualities.items()
    return named_by(
        [word for forms, words in qualities if said & set(forms.split()) for word in words], columns, language
    )


def _content(name: str, language: str) -> Iterator[str]:
    stop_words = {key_of(word, language) for word in language_of(language).stop_words}
    keys = keys_of(name, language)
    return (key for key in keys if key not in stop_words or len(keys) == 1)


def _fitting(key: str, names: Mapping[str, frozenset[str]], language: str) -> Sequence[str]:
    """The columns whose names have a word best: itself, one of its root, or a related one."""
    return (
        [column for column, keys in names.items() if key in keys]
        or [column for column, keys in names.items() if any(_is_of_root(key, other, language) for other in keys)]
        or [column for column, keys in names.items() if _is_related(key, keys, language)]
    )


def _is_related(key: str, keys: frozenset[str], language: str) -> bool:
    fillers = {key_of(word, language) for word in TableQuestions.of(language).fillers}
    return key.isalpha() and key not in fillers and has_related(key, keys, language)


def _is_of_root(key: str, other: str, language: str) -> bool:
    """Whether one key is the other with an ending, or begins a longer compound."""
    short, long = sorted((key, other), key=len)
    rest = long.removeprefix(short)
    if rest == long or not short.isalpha() or len(short) < 3:  # by hand, as the 5
        return False
    endings = TableQuestions.of(language).endings
    return rest in endings or (rest[:1] == short[-1] and rest[1:] in endings) or len(short) >= 5
