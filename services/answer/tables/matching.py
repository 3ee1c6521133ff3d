"""Scores how well the words of a question fit the columns of a table, and finds the cells that they name.

Words agree by their stems, with or without hyphens: `ST 144` is `ST-144`. A word fits a column best if it is in its
name, then if it has the root of one (`own`, `Owner`), if both belong to one concept (`heavy`, `Weight`), or if they are
related. Pure but for the marks on the question's words.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from libs.language.known import language_of
from libs.language.topics.tables import TableQuestions, concept_words
from libs.text.numbers.units import dimension_of
from services.answer.lexicon.related_words import has_related
from services.answer.tables.rows import Table
from services.answer.tables.values import TIMES, Column, Kind
from services.answer.tables.words import Question, Word, keys_of, keys_of_words

EXACT: Final = 1.0
"""How well a word fits that is in a name; like the scores below by hand, only their order matters much."""
ROOT: Final = 0.9
TOLD: Final = 0.7
MEASURED: Final = 0.6
RELATED: Final = 0.5
_LISTED: Final = re.compile(r"[,;/&] ?")
MOST_PARTED: Final = 4  # words of a cell of which a question may name a part: a longer one is prose (taste)


@dataclass(frozen=True, slots=True)
class CellMention:
    """Words of the question that are, or are in, cells."""

    cells: Mapping[str, Mapping[int, str]]
    """The cells that have them, by column and row."""
    start: int
    end: int
    is_most: bool = True
    """Whether they are most of each cell."""


@dataclass(frozen=True, slots=True)
class ColumnMention:
    """Words of the question that fit columns."""

    columns: tuple[str, ...]
    """Several that they fit alike: those that are large for `largest`."""
    start: int
    end: int
    score: float = EXACT

    @property
    def is_named(self) -> bool:
        """Whether the words have the root of the name."""
        return self.score >= ROOT


def cell_mentions(question: Question, table: Table, columns: Sequence[str], whole: bool) -> Iterator[CellMention]:
    """Yield the cells of columns of which unread words are the whole, else a part; the words are marked as read."""
    phrases = question.runs(whole)
    found: dict[str, dict[str, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    for number, row in enumerate(table.rows):
        for column in columns:
            text = row.text(column)
            for key in _keys(text, question.language, whole) & phrases.keys():
                found[key][column][number] = text
    for key, start, end in question.take_runs(phrases, found):
        texts = {text for rows in found[key].values() for text in rows.values()}
        yield CellMention(found[key], start, end, all(_is_most(key, text, question.language) for text in texts))


def _is_most(key: str, text: str, language: str) -> bool:
    """Whether words are at least half of a cell."""
    return len("".join(keys_of(text, language))) <= 2 * len(key)


def _keys(text: str, language: str, whole: bool) -> set[str]:
    keys = keys_of(text, language)
    if whole or len(keys) > MOST_PARTED:
        return {"".join(keys_of(part, language)) for part in (text, *_LISTED.split(text))}
    parts = {"".join(keys[start:end]) for start in range(len(keys)) for end in range(start + 1, len(keys) + 1)}
    return {part for part in parts if len(part) > 2 or not part.isdigit()}  # `5 March` is not a part of `Kiln Street 5`


class ColumnFit:
    """How well words fit the columns of a table."""

    def __init__(self, columns: Mapping[str, Column], language: str) -> None:
        self._language = language
        self._fillers = keys_of_words(TableQuestions.of(language).fillers, language)
        self._names = {name: frozenset(_content(name, language)) for name in columns}
        self.concepts = {name: dict(_concepts_of(column, language)) for name, column in columns.items()}
        """How well the words of each concept fit each column."""

    def mentions(self, question: Question, subject: Set[str]) -> list[ColumnMention]:
        """Return the columns that unread words name or any words tell of; the words are marked as read.

        Of several that a word fits alike, those are meant of which the question has most words: `open until` is not
        `open from`. The keys in the subject are of words for the rows, which name no column of several words.
        """
        keys = {word.key for word in question.words}
        scores = {word.start: self._scores(word, subject, keys) for word in question.words}
        shares = {name: _share(keys, keys_of(name, self._language)) for name in self._names}
        mentions = []
        for word in question.words:
            best = max(scores[word.start].values(), default=0.0)
            fits = [name for name, score in scores[word.start].items() if score == best]
            most = max((shares[name] for name in fits), default=0.0)
            if chosen := tuple(name for name in fits if shares[name] == most):
                word.is_read = True
                mentions.append(ColumnMention(chosen, word.start, word.end, best))
        return mentions

    def is_turned(self, phrase: str, column: Column, is_of_times: bool) -> bool:
        """Whether the first of a column has most of what a phrase tells of: `oldest` of `Built`."""
        if is_of_times:
            return column.kind is Kind.NUMBER
        names = (concept_words("times")[concept] for concept in concepts_of(phrase.lower(), self._language))
        return column.kind in TIMES and any(_has_word(column.name, each, self._language) for each in names)

    def _scores(self, word: Word, subject: Set[str], asked: Set[str]) -> Mapping[str, float]:
        is_vague = word.key in subject or word.key.isdigit() or word.key in self._fillers
        concepts = concepts_of(word.text.lower(), self._language)
        scores: dict[str, float] = {}
        for name, keys in self._names.items():
            is_open = not (word.is_read or word.is_stop) and (not is_vague or len(keys) == 1 or len(keys & asked) > 1)
            named = self._likeness(word.key, keys) if is_open else 0.0
            told = (score for concept, score in self.concepts[name].items() if concept in concepts)
            score = max(named, *told, 0.0)
            scores |= {name: score} if score else {}
        return scores

    def _likeness(self, key: str, keys: frozenset[str]) -> float:
        if key in keys:
            return EXACT
        if any(_is_of_root(key, other, self._language) for other in keys):
            return ROOT
        is_content = key.isalpha() and key not in self._fillers
        return RELATED if is_content and has_related(key, keys, self._language) else 0.0


def without(mentions: Sequence[ColumnMention], columns: Set[str]) -> list[ColumnMention]:
    """The mentions without some columns."""
    left = ((mention, tuple(name for name in mention.columns if name not in columns)) for mention in mentions)
    return [replace(mention, columns=names) for mention, names in left if names]


def _share(asked: Set[str], keys: Sequence[str]) -> float:
    """How many words of a name are asked for; of as many, the shorter name has more."""
    return len(asked & {*keys}) / (1 + 0.1 * len(keys))


def concepts_of(word: str, language: str) -> frozenset[str]:
    """The concepts of which a lower-cased word or phrase tells."""
    return _telling(language).get(word, frozenset())


def _concepts_of(column: Column, language: str) -> Iterator[tuple[str, float]]:
    """The concepts of a column, by its name or its unit, and how well their words fit it."""
    measures = {column.unit, dimension_of(column.unit) or ""} - {""} if column.kind is Kind.NUMBER else set()
    times, units = concept_words("times"), concept_words("units")
    for concept, names in concept_words("names").items():
        is_time = column.kind in TIMES and _has_word(column.name, times[concept], language)
        if is_time or _has_word(column.name, names, language):
            yield concept, TOLD
        elif measures & units[concept]:
            yield concept, MEASURED


def _has_word(name: str, words: frozenset[str], language: str) -> bool:
    return not keys_of_words(words, language).isdisjoint(keys_of(name, language))


@lru_cache(maxsize=64)  # taste
def _telling(language: str) -> Mapping[str, frozenset[str]]:
    told: dict[str, frozenset[str]] = {}
    for concept, parts in TableQuestions.of(language).concepts.items():
        words = [word for part in ("most", "least", "tell") for word in parts.get(part, ())]
        for word in words:
            told[word] = told.get(word, frozenset()) | {concept}
    return told


def _content(name: str, language: str) -> Iterator[str]:
    """The keys of the content words of a name, without what each of is told: `Price per pack`."""
    for each in TableQuestions.of(language).functions["each"]:
        name = name.partition(f" {each} ")[0]
    keys, little = keys_of(name, language), keys_of_words(language_of(language).stop_words, language)
    return (key for key in keys if key not in little or len(keys) == 1)


def _is_of_root(key: str, other: str, language: str) -> bool:
    """Whether one key is the other with an ending, or begins a longer compound (three and four letters, by hand)."""
    short, long = sorted((key, other), key=len)
    rest = long.removeprefix(short)
    is_word = short.isalpha() and len(short) >= 3
    return is_word and rest != long and (rest in TableQuestions.of(language).endings or len(short) >= 4)
