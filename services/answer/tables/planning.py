"""Maps a question to a function over the rows of a table, by what it names; None where that is not sure.

A word that the table says nothing of is told, so that the reader knows what was not asked of it. Pure functions.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.answer.tables.computing import EXTREMES, RowQuery
from services.answer.tables.mentions import ColumnMention
from services.answer.tables.reading import Reading
from services.answer.tables.rows import Table
from services.answer.tables.values import Column, Kind
from services.answer.tables.words import Word, keys_of

REVERSED: Final = {"latest": "lowest", "earliest": "highest"}
"""The extremes of an age that are those of a time: the oldest has the highest age."""
RANKS: Final = {"most": "highest", "fewest": "lowest", "highest": "highest", "lowest": "lowest"}
TIMES: Final = (Kind.DAYS, Kind.YEARS, Kind.CLOCK)
MOST_UNREAD: Final = 1
"""Words of a question that may say nothing of the table it is answered by (by hand)."""


def plan_rows(text: str, table: Table, language: str) -> RowQuery | None:
    """Return the function over the rows of a table that a question asks for."""
    reading = Reading(text, table, language)
    unread = reading.question.unread()
    is_known = len(unread) <= MOST_UNREAD and not any(map(_is_name, unread))
    return _Planner(reading).plan() if reading.is_sure and is_known else None


def _is_name(word: Word) -> bool:
    """Whether a word is a name, a code or, in German, a noun, which say what a question is about."""
    return any(map(str.isdigit, word.text)) or (word.text[0].isupper() and word.start > 0)


class _Planner:
    """Chooses the function, and what it is of."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        rows = set(range(len(reading.table.rows))).intersection(*(each.rows for each in reading.conditions))
        unread = [word.text for word in reading.question.unread()]
        self._plain = RowQuery("list", reading.table, sorted(rows), reading.keys, reading.conditions, unread=unread)
        conditioned = {condition.column for condition in reading.conditions}
        self._is_lookup = reading.keys[0] in conditioned and len(rows) < 2

    def plan(self) -> RowQuery | None:
        cues = {name for name in self._reading.cues if not self._is_of_condition(name)}
        ranks = [name for name in (*EXTREMES, "most", "fewest") if name in cues]
        fold = next((name for name in ("average", "total", "amount") if name in cues), "")
        if len(ranks) > 1 or not cues.isdisjoint(("uncomputed", "other")):
            return None
        if ranks and self._is_lookup:
            return self._listed()
        if ranks and ranks[0] in EXTREMES and not fold:
            return self._extreme(ranks[0])
        asked = next((name for name in ("count", fold, *ranks) if name in cues), "")
        return self._folded(asked, fold, RANKS.get("".join(ranks), "")) if asked else self._listed()

    def _is_of_condition(self, cue: str) -> bool:
        """Whether a phrase is of the name of a column of a condition: `last backed up before May`, `Last backup`."""
        start, end = self._reading.cues[cue]
        phrase = self._reading.question.text[start:end].lower()
        return any(phrase in condition.column.lower() for condition in self._plain.conditions)

    def _extreme(self, name: str, measured: Column | None = None) -> RowQuery | None:
        """The rows with the highest value of a column."""
        measured = measured or self._measured(name)
        if measured is None or (name in REVERSED and self._plain.unread) or self._is_ratio(measured):
            return None
        if name in REVERSED and measured.kind is Kind.NUMBER:
            name = REVERSED[name]
        reading = self._reading
        others = [mention.columns[0] for mention in reading.mentions if mention.is_named]
        reported = list(dict.fromkeys(other for other in others if other not in (measured.name, *reading.keys)))
        return replace(self._plain, function=name, measured=measured, reported=reported, limit=self._reading.limit)

    def _is_ratio(self, measured: Column) -> bool:
        """Whether another column stands after a phrase for groups: `the most books per visitor`."""
        after = self._reading.cues.get("each", (0, len(self._reading.question.text)))[1]
        named = [mention.columns for mention in self._reading.mentions if mention.start >= after]
        return bool(named) and measured.name not in named[0]

    def _folded(self, asked: str, fold: str, rank: str) -> RowQuery | None:
        """A count, sum or average of all rows, of each group, or of the group with the highest."""
        cues = self._reading.cues
        measured = self._measured(asked, is_next=not (fold or self._is_lookup))
        is_vague = bool(self._plain.unread) and not self._plain.conditions and not rank
        if is_vague or (measured is None and (fold == "average" or (fold and "count" not in cues))):
            return None
        function = "count" if measured is None else "average" if fold == "average" else "total"
        query = replace(self._plain, function=function, measured=measured, limit=self._reading.limit)
        if rank or "each" in cues:
            groups = self._group(cues["each"][1]) if "each" in cues else self._group(0, cues[asked][0])
            if groups and groups != query.keys[0]:
                return replace(query, groups=groups, ranked=rank)
            if rank or self._plain.unread:
                return self._extreme(rank, measured) if rank and measured and not fold else None
        if measured is not None and self._is_lookup:
            return replace(query, function="list", measured=None, reported=[measured.name])
        if measured is not None:
            return query
        return self._counted(query) if "count" in cues else None

    def _counted(self, query: RowQuery) -> RowQuery | None:
        """The number of rows, or of different cells."""
        reading, span = self._reading, self._reading.cues["count"]
        noun = next((mention for mention in reading.mentions if self._follows(span, mention)), None)
        is_known = noun is not None or reading.is_of_table or bool(reading.conditions)
        if self._is_lookup or not is_known:
            return None
        counted = [name for name in noun.columns if name != query.keys[0]] if noun and noun.is_named else []
        return replace(query, reported=counted)

    def _listed(self) -> RowQuery | None:
        """The cells that are asked for of the rows that meet the conditions; all words have to be read."""
        reading, asked = self._reading, self._asked()
        is_known = bool(asked) or not self._is_lookup
        is_one = len(asked) == 1 or "time" not in reading.cues
        is_sure = bool(reading.conditions) and not self._plain.unread
        return replace(self._plain, reported=asked) if is_sure and is_known and is_one else None

    def _asked(self) -> Sequence[str]:
        """The columns that are asked for: those that are named, else those that are told; for `when` those of times."""
        reading = self._reading
        sure = [m for m in reading.mentions if len(m.columns) == 1 and m.columns[0] != reading.keys[0]]
        asked = dict.fromkeys(m.columns[0] for m in sure if m.is_named) or dict.fromkeys(m.columns[0] for m in sure)
        if "time" not in reading.cues:
            return list(asked)
        times = [name for name, column in reading.columns.items() if column.kind in TIMES]
        plain = [name for name in times if len(keys_of(name, reading.question.language)) == 1 == len(times)]
        return [name for name in times if any(name in mention.columns for mention in sure)] or plain

    def _measured(self, asked: str, is_next: bool = False) -> Column | None:
        """The one column that a phrase is about: named right after it, told by it, or named or told nearest to it.

        A phrase that says nothing of what it is of, such as `highest`, may be of the only column. If `is_next`, what is
        named nearest has to be it, else the nearest that may be measured.
        """
        reading, span = self._reading, self._reading.cues[asked]
        near = sorted(
            (self._distance(span, mention), [name for name in mention.columns if self._fits(name, asked, mention)])
            for mention in reading.mentions
        )
        found = [names for _, names in near if names or is_next]
        is_general = reading.question.text[slice(*span)].lower() in reading.forms.general
        if not found and is_general and not self._plain.unread:
            kinds = TIMES if asked in REVERSED else (Kind.NUMBER,)
            found = [[name for name, column in reading.columns.items() if column.kind in kinds]]
        return reading.columns[found[0][0]] if found and len(found[0]) == 1 else None

    def _fits(self, name: str, asked: str, mention: ColumnMention) -> bool:
        """Whether a column may be measured: numbers, or times; an age is told by a phrase for times, not named."""
        kind = self._reading.columns[name].kind
        if asked in REVERSED:
            start, end = self._reading.cues[asked]
            return kind in TIMES or (kind is Kind.NUMBER and start <= mention.start < end)
        return name != self._plain.keys[0] and (kind is Kind.NUMBER or (kind is Kind.YEARS and asked in EXTREMES))

    def _distance(self, span: tuple[int, int], mention: ColumnMention) -> tuple[int, int]:
        """How far a word is from a phrase: right after it, within it, after it, before it."""
        if mention.is_named and self._follows(span, mention):
            return 0, 0
        if span[0] <= mention.start < span[1]:
            return 1, 0
        return (2, mention.start - span[1]) if mention.start >= span[1] else (3, span[0] - mention.end)

    def _follows(self, span: tuple[int, int], mention: ColumnMention) -> bool:
        """Whether no other word of content stands between a phrase and a name after it."""
        words = self._reading.question.words
        between = [word for word in words if span[1] <= word.start < mention.start and not word.is_stop]
        cues = self._reading.cues.values()
        return mention.start >= span[1] and all(any(s <= word.start < e for s, e in cues) for word in between)

    def _group(self, after: int, before: int | None = None) -> str:
        """The first column within a part of the question that divides the rows: it is no number."""
        named = [
            m.columns[0] for m in self._reading.mentions if after <= m.start and (before is None or m.start < before)
        ]
        return next((name for name in named if self._reading.columns[name].kind is not Kind.NUMBER), "")
