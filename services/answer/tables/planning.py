"""Maps a question to a function over the rows of a table, by what it names; None where that is not sure.

Words that the table says nothing of are told, so that the reader knows what was not asked of it. Pure functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.language.known import language_of
from services.answer.tables.conditions import Condition
from services.answer.tables.mentions import ColumnMention, measured_by
from services.answer.tables.reading import Reading, read_question
from services.answer.tables.rows import Table
from services.answer.tables.values import Column, Kind

REVERSED: Final = {"latest": "lowest", "earliest": "highest"}
"""The extremes of an age that are those of a time: the oldest has the highest age."""
EXTREMES: Final = ("highest", "lowest", "latest", "earliest")
RANKS: Final = {"most": "highest", "fewest": "lowest"}


@dataclass(frozen=True, slots=True)
class RowQuery:
    """A function over the rows that meet all conditions."""

    function: str
    """`list`, `count`, `total`, `average`, or one of EXTREMES."""
    table: Table
    rows: Sequence[int]
    """Positions of the rows that meet the conditions."""
    key: str
    """The column that tells the rows apart."""
    conditions: Sequence[Condition] = ()
    measured: Column | None = None
    """What the function is of; None for rows."""
    reported: Sequence[str] = ()
    """Further columns that are asked for; of `count` the one whose different cells are counted."""
    groups: str = ""
    """The column whose equal cells make a group, of each of which the function is taken."""
    ranked: str = ""
    """`highest` or `lowest`: which groups are told; empty for all."""
    limit: int = 1
    """How many rows or groups an extreme is wanted of."""
    unread: Sequence[str] = ()
    """Words of the question that say nothing of this table."""


def plan_rows(text: str, table: Table, language: str) -> RowQuery | None:
    """Return the function over the rows of a table that a question asks for."""
    reading = read_question(text, table, language)
    if reading is None or _is_about_something_else(reading):
        return None
    rows = set(range(len(table.rows)))
    for condition in reading.conditions:
        rows &= condition.rows
    unread = [word.text for word in reading.question.unread()]
    plain = RowQuery("list", table, sorted(rows), reading.key, reading.conditions, unread=unread)
    return _Planner(reading, plain).plan()


def _is_about_something_else(reading: Reading) -> bool:
    """Whether a name or number of the question is not in the table."""
    nouns = language_of(reading.question.language).capitalises_nouns
    return any(
        any(map(str.isdigit, word.text)) or (word.text[0].isupper() and word.start > 0 and not nouns)
        for word in reading.question.unread()
    )


class _Planner:
    """Chooses the function, and what it is of."""

    def __init__(self, reading: Reading, plain: RowQuery) -> None:
        self._reading = reading
        self._plain = plain
        conditioned = {condition.column for condition in reading.conditions}
        self._free = [mention for mention in reading.mentions if mention.column not in conditioned]

    def plan(self) -> RowQuery | None:
        cues = self._reading.cues
        extremes = [name for name in EXTREMES if name in cues]
        if len(extremes) > 1 or "other" in cues:
            return None
        for fold in ("average", "total"):
            if fold in cues and (measured := self._measured(cues[fold], Kind.NUMBER)):
                return self._folded(fold, measured, extremes)
        if "average" in cues:
            return None
        if extremes:
            return self._extreme(extremes[0])
        if rank := next((name for name in RANKS if name in cues), None):
            return self._ranked(rank)
        return self._counted() if "count" in cues or "total" in cues else self._listed()

    def _folded(self, fold: str, measured: Column, extremes: Sequence[str]) -> RowQuery | None:
        cues = self._reading.cues
        rank = next((RANKS.get(name, name) for name in (*extremes, *RANKS) if name in cues), "")
        query = replace(self._plain, function=fold, measured=measured)
        if not rank and "each" not in cues:
            return query
        groups = self._group(measured.name)
        return replace(query, groups=groups, ranked=rank, limit=self._reading.limit) if groups else None

    def _extreme(self, name: str) -> RowQuery | None:
        span, question = self._reading.cues[name], self._reading.question
        if self._plain.unread and question.text[slice(*span)].lower() in self._reading.forms.ordinals:
            return None
        kind = Kind.DAYS if name in REVERSED else Kind.NUMBER
        measured = self._measured(span, kind)
        if measured is None and name in REVERSED:
            name, measured = REVERSED[name], self._by_quality(span, Kind.NUMBER)
        if measured is None:
            return None
        if any(condition.column == measured.name for condition in self._plain.conditions) and name in REVERSED:
            return self._listed()  # `last backed up before May` is a condition
        others = [m.column for m in self._free if m.column not in (measured.name, self._plain.key)]
        return replace(
            self._plain,
            function=name,
            measured=measured,
            reported=tuple(dict.fromkeys(others)),
            limit=self._reading.limit,
        )

    def _ranked(self, rank: str) -> RowQuery | None:
        """The row with most of a column, or the group with most rows or most of a column in sum."""
        span = self._reading.cues[rank]
        after = next((mention for mention in self._free if mention.start >= span[1]), None)
        measured = self._column(after, Kind.NUMBER) if after else None
        groups = self._group(measured.name if measured else "", before=span[0])
        if measured is not None and not groups:
            return replace(self._plain, function=RANKS[rank], measured=measured, limit=self._reading.limit)
        query = replace(self._plain, groups=groups, ranked=RANKS[rank], limit=self._reading.limit)
        if measured is not None:
            return replace(query, function="total", measured=measured)
        return replace(query, function="count") if groups else None

    def _counted(self) -> RowQuery | None:
        reading, query = self._reading, self._plain
        span = reading.cues.get("count") or reading.cues["total"]
        noun = next((mention for mention in self._free if self._follows(span, mention)), None)
        if "each" in reading.cues:
            groups = self._group("", after=reading.cues["each"][1])
            measured = self._column(noun, Kind.NUMBER) if noun else None
            query = replace(query, function="total" if measured else "count", measured=measured, groups=groups)
            return query if groups else None
        measured = self._column(noun, Kind.NUMBER) if noun else None
        if noun and measured is not None:
            if len(query.rows) == 1:
                return replace(query, reported=(noun.column,))
            return replace(query, function="total", measured=measured)
        if not self._counts_rows(span, noun):
            return None
        is_column = noun is not None and noun.column != query.key
        return replace(query, function="count", reported=(noun.column,) if noun and is_column else ())

    def _counts_rows(self, span: tuple[int, int], noun: ColumnMention | None) -> bool:
        """Whether the noun after a phrase is a column or in the title; or the only word that is not read."""
        reading = self._reading
        words = (word for word in reading.question.words if word.start >= span[1] and not word.is_stop)
        counted = next(words, None)
        if counted is None or counted.is_read:
            return noun is not None or reading.is_of_table or bool(reading.conditions)
        return bool(reading.conditions) and [counted.text] == self._plain.unread

    def _listed(self) -> RowQuery | None:
        """The cells that are asked for of the rows that meet the conditions; all words have to be read."""
        if not self._plain.conditions or self._plain.unread:
            return None
        asked = tuple(dict.fromkeys(m.column for m in self._free if m.column != self._plain.key))
        if not asked:  # `how heavy is …`
            question = self._reading.question
            by_quality = measured_by(question.text, list(self._reading.columns), question.language)
            conditioned = {condition.column for condition in self._plain.conditions}
            asked = tuple(by_quality) if len(by_quality) == 1 and conditioned.isdisjoint(by_quality) else ()
        is_lookup = any(condition.column == self._plain.key for condition in self._plain.conditions)
        return replace(self._plain, reported=asked) if asked or (self._reading.mentions and not is_lookup) else None

    def _measured(self, span: tuple[int, int], kind: Kind) -> Column | None:
        """The column that a phrase is about: named after it, meant by its adjective, named elsewhere, or alone."""
        fits = [mention for mention in self._free if self._column(mention, kind)]
        following = [mention for mention in fits if self._follows(span, mention)]
        near = following[:1] or sorted(fits, key=lambda m: (m.start < span[0], abs(m.start - span[0])))[:1]
        if following or not (by_quality := self._by_quality(span, kind)):
            alone = [
                column
                for column in self._reading.columns.values()
                if _is(column, kind) and column.name != self._plain.key
            ]
            return self._reading.columns[near[0].column] if near else alone[0] if len(alone) == 1 else None
        return by_quality

    def _by_quality(self, span: tuple[int, int], kind: Kind) -> Column | None:
        columns = [name for name, column in self._reading.columns.items() if _is(column, kind)]
        named = measured_by(self._reading.question.text[slice(*span)], columns, self._reading.question.language)
        return self._reading.columns[named[0]] if len(named) == 1 else None

    def _column(self, mention: ColumnMention | None, kind: Kind) -> Column | None:
        column = self._reading.columns[mention.column] if mention else None
        return column if column is not None and _is(column, kind) else None

    def _group(self, measured: str, before: int | None = None, after: int = 0) -> str:
        """The first column in the question that divides the rows: it is no number, and its cells repeat."""
        for mention in self._free:
            column = self._reading.columns[mention.column]
            is_there = mention.start >= after and (before is None or mention.start < before)
            cells = [row.text(column.name) for row in self._plain.table.rows]
            if is_there and column.name != measured and column.kind is not Kind.NUMBER and len(set(cells)) < len(cells):
                return column.name
        return ""

    def _follows(self, span: tuple[int, int], mention: ColumnMention) -> bool:
        """Whether no other word of content stands between a phrase and a name after it."""
        between = [w for w in self._reading.question.words if span[1] <= w.start < mention.start and not w.is_stop]
        cue_spans = self._reading.cues.values()
        return mention.start >= span[1] and all(any(s <= w.start < e for s, e in cue_spans) for w in between)


def _is(column: Column, kind: Kind) -> bool:
    if kind is Kind.DAYS:
        return any(days is not None for days in column.days)
    return column.kind is kind
