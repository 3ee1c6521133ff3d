"""Maps a question to a function over the rows of a table, by what it names; None where that is not sure.

Words that the table says nothing of are told, so that the reader knows what was not asked of it. Pure functions.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from libs.text.numbers.units import unit_named
from services.answer.tables.mentions import ColumnMention, measured_by
from services.answer.tables.reading import Reading, read_question
from services.answer.tables.row_query import EXTREMES, RowQuery
from services.answer.tables.rows import Table
from services.answer.tables.values import Column, Kind, unit_of_column

REVERSED: Final = {"latest": "lowest", "earliest": "highest"}
"""The extremes of an age that are those of a time: the oldest has the highest age."""
MOST_UNREAD: Final = 1
"""Words of a question that may say nothing of the table it is answered by (by hand)."""
RANKS: Final = {"most": "highest", "fewest": "lowest"}


def plan_rows(text: str, table: Table, language: str) -> RowQuery | None:
    """Return the function over the rows of a table that a question asks for."""
    reading = read_question(text, table, language)
    if reading is None or reading.is_about_something_else:
        return None
    rows = set(range(len(reading.table.rows)))
    for condition in reading.conditions:
        rows &= condition.rows
    conditioned = [condition.column for condition in reading.conditions]
    words = (word.text for word in reading.question.unread())
    unread = [word for word in words if not measured_by(word, conditioned, language)]
    plain = RowQuery("list", reading.table, sorted(rows), reading.key, reading.conditions, unread=unread)
    query = _Planner(reading, plain).plan()
    if query is None:
        return None
    unread = [word for word in query.unread if not _tells_measure(word, query.measured, language)]
    return replace(query, unread=unread) if len(unread) <= MOST_UNREAD else None


def _tells_measure(word: str, column: Column | None, language: str) -> bool:
    """Whether a word only says of which column a function is: `earns`, `kilos`."""
    if column is None:
        return False
    unit = unit_named(word, language)
    return bool(measured_by(word, [column.name], language)) or (
        unit is not None and unit == unit_of_column(column, language)
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
            if fold in cues and (measured := self._measured(cues.get("count", cues[fold]), Kind.NUMBER)):
                return self._folded(fold, measured, extremes)
        if extremes:
            return self._extreme(extremes[0])
        if rank := next((name for name in RANKS if name in cues), None):
            return self._ranked(rank)
        if "count" in cues:
            return self._counted()
        return self._listed() if cues.keys().isdisjoint(("average", "total")) else None

    def _folded(self, fold: str, measured: Column, extremes: Sequence[str]) -> RowQuery | None:
        cues = self._reading.cues
        rank = next((RANKS.get(name, name) for name in (*extremes, *RANKS) if name in cues), "")
        query = replace(self._plain, function=fold, measured=measured)
        groups = self._group(measured.name)
        is_each_row = "each" in cues and any(mention.column == query.key for mention in self._free)
        if not rank and ("each" not in cues or (is_each_row and not groups)):
            return query
        return replace(query, groups=groups, ranked=rank, limit=self._reading.limit) if groups else None

    def _extreme(self, name: str) -> RowQuery | None:
        span, question = self._reading.cues[name], self._reading.question
        if self._plain.unread and question.text[slice(*span)].lower() in self._reading.forms.ordinals:
            return None
        measured = self._aged(span) if name in REVERSED else None
        if measured is not None:
            name = REVERSED[name]
        else:
            measured = self._measured(span, Kind.DAYS if name in REVERSED else Kind.NUMBER)
        if measured is None:
            return None
        is_condition = any(condition.column == measured.name for condition in self._plain.conditions)
        if is_condition and question.text[slice(*span)].lower() in measured.name.lower():
            return self._listed()  # `last backed up before May`: Last backup
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
        span, words = self._reading.cues[rank], self._reading.question.words
        after = next((mention for mention in self._free if mention.start >= span[1]), None)
        noun = next((word.text for word in words if word.start >= span[1] and not word.is_stop), "")
        is_unknown = [noun] == self._plain.unread and self._group("", before=span[0]) != ""
        is_counted = is_unknown or (after is not None and self._column(after, Kind.NUMBER) is None)
        measured = None if is_counted else self._measured(span, Kind.NUMBER)
        groups = self._group(measured.name if measured else "", before=span[0])
        query = replace(self._plain, groups=groups, ranked=RANKS[rank], limit=self._reading.limit)
        if measured is not None:
            in_sum = replace(query, function="total", measured=measured) if groups else None
            return replace(query, function=RANKS[rank], measured=measured, groups="", ranked="", also=in_sum)
        return replace(query, function="count") if groups and (is_counted or self._reading.is_of_table) else None

    def _counted(self) -> RowQuery | None:
        reading, query = self._reading, self._plain
        span = reading.cues["count"]
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
        if not self._plain.conditions or self._plain.unread not in ([], self._asked_noun()):
            return None
        asked = tuple(dict.fromkeys(m.column for m in self._free if m.column != self._plain.key))
        if not asked:  # `how heavy is …`
            question = self._reading.question
            by_quality = measured_by(question.text, list(self._reading.columns), question.language)
            conditioned = {condition.column for condition in self._plain.conditions}
            asked = tuple(by_quality) if len(by_quality) == 1 and conditioned.isdisjoint(by_quality) else ()
        is_lookup = any(condition.column == self._plain.key for condition in self._plain.conditions)
        is_of_rows = bool(self._reading.mentions) or self._reading.is_of_table or bool(self._plain.unread)
        return replace(self._plain, reported=asked) if asked or (is_of_rows and not is_lookup) else None

    def _asked_noun(self) -> list[str]:
        """The word after `which` or `all`, which names the rows even where the table does not."""
        determiners = self._reading.forms.determiners
        pairs = pairwise(word.text for word in self._reading.question.words)
        return [word for before, word in pairs if before.lower() in determiners and word.lower() not in determiners][:1]

    def _measured(self, span: tuple[int, int], kind: Kind) -> Column | None:
        """The one column that a phrase is about.

        It is named right after it, meant by its adjective, named elsewhere, meant by another word (`costs`), of a unit
        that is named, or the only one of its kind.
        """
        fits = [mention.column for mention in self._free if self._column(mention, kind)]
        following = [m.column for m in self._free if m.column in fits and self._follows(span, m)]
        text, language = self._reading.question.text, self._reading.question.language
        columns = [
            name for name, column in self._reading.columns.items() if _is(column, kind) and name != self._plain.key
        ]
        candidates = (
            following[:1],
            measured_by(text[slice(*span)], columns, language),
            self._nearest(span, fits),
            measured_by(text, columns, language),
            self._of_unit(columns),
        )
        names = next((names for names in candidates if names), [])
        if not names:
            names = [name for name in columns if kind is Kind.DAYS or not self._reading.columns[name].days]
            self._unsure(text[slice(*span)])
        return self._reading.columns[names[0]] if len(names) == 1 else None

    def _unsure(self, phrase: str) -> None:
        """Tell a phrase as one of which the table says nothing, unless it is of any number or time, as `highest`."""
        if phrase.lower() not in self._reading.forms.general:
            self._plain = replace(self._plain, unread=[*self._plain.unread, phrase])

    def _aged(self, span: tuple[int, int]) -> Column | None:
        """The column of numbers that an adjective of time measures: the age of `oldest`."""
        question = self._reading.question
        names = measured_by(question.text[slice(*span)], list(self._reading.columns), question.language)
        columns = [self._reading.columns[name] for name in names]
        return next((column for column in columns if column.kind is Kind.NUMBER), None)

    def _nearest(self, span: tuple[int, int], columns: Sequence[str]) -> list[str]:
        """The column that is named next after a phrase, else before it."""
        named = [mention for mention in self._free if mention.column in columns]
        return [m.column for m in sorted(named, key=lambda m: (m.start < span[0], abs(m.start - span[0])))][:1]

    def _of_unit(self, columns: Sequence[str]) -> list[str]:
        """The columns of a unit that the question names: `how many kilos …`."""
        question = self._reading.question
        units = {unit_named(word.text, question.language) for word in question.words if not word.is_stop} - {None}
        return [name for name in columns if unit_of_column(self._reading.columns[name], question.language) in units]

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
