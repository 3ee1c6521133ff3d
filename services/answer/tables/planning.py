"""Maps a question to a function over the rows of a table, by what it names; None where that is not sure.

A word that the table says nothing of is told, and so is a doubt, so that the reader knows what was not asked. Pure.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from libs.language.known import language_of
from services.answer.tables.computing import UNTOLD, RowQuery, checked, difference, verdict_of, whole_row
from services.answer.tables.matching import MEASURED, TOLD, ColumnMention
from services.answer.tables.reading import RANKS, Reading
from services.answer.tables.rows import Table
from services.answer.tables.values import TIMES, Column, Kind, product_among
from services.answer.tables.words import keys_of

COUNTED: Final = ("most", "fewest")
OF_TIMES: Final = ("latest", "earliest")
FOLDS: Final = ("average", "total", "amount")
OF_PRODUCTS: Final = ("total", "amount", "highest", "lowest")
UPWARD: Final = ("highest", "latest", "most")
FIRST: Final = (Decimal(1), Decimal(1))
MOST_UNREAD: Final = 2  # words of a question that may say nothing of the table it is answered by (by hand)


def plan_rows(text: str, table: Table, language: str) -> RowQuery | None:
    """Return the function over the rows of a table that a question asks for."""
    reading = Reading(text, table, language)
    unread = reading.question.unread()
    query = _Planner(reading).plan() if reading.is_sure and len(unread) <= MOST_UNREAD else None
    are_nouns = query is not None and query.function != "list" and language_of(language).capitalises_nouns
    # A name or a code says what a question is about; a capital may also begin the question, or a noun.
    codes = any(any(map(str.isdigit, word.text)) for word in unread)
    names = any(word.text[0].isupper() and word.start > 0 for word in unread)
    return None if codes or (names and not are_nouns) else query


class _Planner:
    """Chooses the function, and what it is of."""

    def __init__(self, reading: Reading) -> None:
        self._reading, self._text, self._label = reading, reading.question.text, reading.label
        rows = set(range(len(reading.table.rows))).intersection(*(each.rows for each in reading.conditions))
        self._cues = reading.cues
        self._asks_whether = any(word.text.lower() in reading.forms.whether for word in reading.question.words[:1])
        self._places = [int(name) for name in self._cues if name.isdigit()]
        self._fold = next((name for name in FOLDS if name in self._cues), "")
        self._is_doubted = not all(each.is_clear for each in reading.conditions)
        unread = [word.text for word in reading.question.unread()]
        self._plain = RowQuery("list", reading.table, sorted(rows), reading.label, reading.conditions, unread=unread)

    def plan(self) -> RowQuery | None:
        query = self._planned()
        if query is None:
            return None
        verdict = verdict_of(query, self._reading) if self._asks_whether else ""
        is_doubted = self._is_doubted or query.function == "row" or verdict == UNTOLD
        return replace(query, is_doubted=is_doubted, verdict="" if verdict == UNTOLD else verdict)

    def _planned(self) -> RowQuery | None:
        rank = next((name for name in RANKS if name in self._cues), "")
        special = {
            "share": self._share,
            "difference": self._difference,
            "more": self._difference,
            "plural": self._plural,
        }
        if planned := next((special[name] for name in special if name in self._cues), None):
            return planned()
        if self._is_unclear(rank):
            return self._difference()
        if (ranking := self._ranking(rank)) is not None:
            return self._extreme("highest" if rank == "latest" else "lowest", ranking)
        if rank and (len(self._plain.rows) > 1 or not self._reading.is_lookup):
            return self._ranked(rank)
        return self._folded() if {"count", *FOLDS} & self._cues.keys() else self._listed()

    def _is_unclear(self, rank: str) -> bool:
        """Whether there are two ranks, or something is asked that is not computed of one row or all."""
        places = [span for name, span in self._cues.items() if name.isdigit()]
        is_beside = not rank or all(0 <= self._cues[rank][0] - end <= 1 for _, end in places)
        is_single = len(places) < 2 and sum(name in self._cues for name in RANKS) < 2
        return not (is_beside and is_single) or not self._cues.keys().isdisjoint(("uncomputed", "other"))

    def _share(self) -> RowQuery | None:
        is_known = len(self._plain.conditions) == 1 and not (self._reading.is_lookup or self._plain.unread)
        return replace(self._plain, function="share") if is_known else None

    def _difference(self) -> RowQuery | None:
        """The difference of a column between two things that are named, or of how many rows each has."""
        cue = next((name for name in ("difference", "more", "amount", "count") if name in self._cues), "")
        measured = self._measured(cue, is_next=cue == "more") if cue else None
        is_known = measured is not None or (cue == "more" and len(self._plain.rows) > 2)
        return difference(self._plain, measured) if is_known else None

    def _plural(self) -> RowQuery | None:
        groups = self._dividing([*self._reading.focus, *(name for m in self._reading.mentions for name in m.columns)])
        return replace(self._plain, function="plural", groups=groups) if groups and "count" not in self._cues else None

    def _ranking(self, rank: str) -> Column | None:
        """The column of places, if a question asks for one of them: `third`, `last`, `won`."""
        reading = self._reading
        columns = (column for name, column in reading.columns.items() if "rank" in reading.fit.concepts[name])
        is_place = rank in OF_TIMES if rank else bool(self._places) or "won" in self._cues
        return next((c for c in columns if FIRST in c.values), None) if is_place else None

    def _ranked(self, rank: str) -> RowQuery | None:
        measured, fold, groups = self._measured(rank), self._fold, self._groups()
        phrase = self._text[slice(*self._cues[rank])]
        is_turned = measured is not None and self._reading.fit.is_turned(phrase, measured, rank in OF_TIMES)
        function = "highest" if (rank in UPWARD) != is_turned else "lowest"
        query = replace(self._plain, measured=measured, groups=groups, ranked=function, limit=self._reading.limit)
        if measured is None:
            return replace(query, function="count") if rank in COUNTED and groups else None
        if fold:
            return replace(query, function="average" if fold == "average" else "total") if groups else None
        return self._extreme(function, measured)

    def _extreme(self, function: str, measured: Column) -> RowQuery | None:
        """The rows with the highest or lowest value of a column; None for `the most books per visitor`."""
        reading, after = self._reading, self._cues.get("each", (0, len(self._text)))[1]
        divisor = next((mention.columns for mention in reading.mentions if mention.start >= after), ())
        if divisor and measured.name not in divisor:
            return None
        told = (m.columns[0] for m in reading.mentions if m.is_named or (m.score == TOLD and len(m.columns) == 1))
        reported = list(dict.fromkeys(told))
        name = {"highest": "latest", "lowest": "earliest"}[function] if measured.kind in TIMES else function
        query = replace(self._plain, function=name, measured=measured, reported=reported, limit=reading.limit)
        return replace(query, place=self._places[0] if self._places else 1)

    def _folded(self) -> RowQuery | None:
        fold = self._fold
        asked = "count" if "count" in self._cues else fold
        groups = self._groups()
        measured = self._measured(asked, is_next=not fold) if fold or not groups else None
        is_vague = bool(self._plain.unread) and not (self._plain.conditions or measured)
        is_counted = asked == "count" and fold != "average"
        if is_vague or (measured is None and not is_counted):
            return None
        if measured is not None and self._reading.is_lookup and len(self._plain.rows) == 1:
            return replace(self._plain, reported=[measured.name])
        function = "count" if measured is None else "average" if fold == "average" else "total"
        query = replace(self._plain, function=function, measured=measured, groups=groups)
        return query if measured is not None or groups else self._counted(query)

    def _counted(self, query: RowQuery) -> RowQuery | None:
        reading = self._reading
        if reading.is_lookup and any(reading.table.tells_apart([each.column]) for each in reading.conditions):
            return None
        noun = next((mention for mention in reading.mentions if self._follows(self._cues["count"], mention)), None)
        is_counted = noun is not None and (noun.is_named or "distinct" in self._cues)
        counted = self._dividing(noun.columns) if noun is not None and is_counted else ""
        return replace(query, reported=[counted] if counted else [])

    def _listed(self) -> RowQuery | None:
        """The cells that are asked for of the rows that meet the conditions, or those that a named row may have."""
        reading, asked = self._reading, self._asked()
        if not reading.conditions:
            return None
        if self._asks_whether and len(reading.conditions) > 1 and {*asked} <= {*self._label}:
            asked = []
        if reading.is_lookup and not asked:
            if not self._plain.unread and len(reading.conditions) > 1:
                return checked(self._plain, self._label)
            return None if self._is_doubted or "time" in self._cues else whole_row(self._plain)
        self._is_doubted |= not self._plain.rows or ("time" in self._cues and len(asked) > 1)
        focus = [name for name in reading.focus if name not in self._label]
        if focus and len(self._plain.rows) > 1:
            return replace(self._plain, keys=focus, reported=[name for name in asked if name not in focus])
        return replace(self._plain, reported=asked)

    def _asked(self) -> Sequence[str]:
        """The columns that are asked for: those that are named, else those that are told; for `when` those of times."""
        reading = self._reading
        label = () if reading.is_lookup or not reading.table.tells_apart(self._label[:1]) else self._label
        kinds = TIMES if "time" in self._cues else tuple(Kind)
        found = [
            (mention.is_named, [name for name in mention.columns if reading.columns[name].kind in kinds])
            for mention in reading.mentions
            if mention.columns[0] not in label
        ]
        is_open = reading.is_lookup or not any(mention.columns[0] in label for mention in reading.mentions)
        asked = [names for is_named, names in found if is_named and names] or [
            names for _, names in found if len(names) == 1 or (names and is_open)
        ]
        self._is_doubted |= any(len(names) > 1 for names in asked)
        if "time" in self._cues and not asked:
            times = [name for name, column in reading.columns.items() if column.kind in kinds]
            keys = {word.key for word in reading.question.words}
            return [name for name in times if keys.intersection(keys_of(name, reading.question.language))] or times
        focus = [name for name in reading.focus[:1] if name not in self._label and "time" not in self._cues]
        return list(dict.fromkeys([*focus, *(names[0] for names in asked)]))

    def _measured(self, cue: str, is_next: bool = False) -> Column | None:
        """The column that a phrase is about: named right after it, told by it, or named or told nearest to it.

        If `is_next`, what is named nearest has to be it, else the nearest that may be measured. Without one, the only
        column of its kind is meant; of several that fit alike, the first, which is doubted.
        """
        reading, span = self._reading, self._cues[cue]
        near = sorted(
            (self._distance(cue, m), [name for name in m.columns if self._fits(name, cue, m)], m.is_named)
            for m in reading.mentions
        )
        found = [(names, is_named) for _, names, is_named in near if names or is_next]
        is_general = self._text[slice(*span)].lower() in reading.forms.functions[cue]
        if not found and is_general and not is_next and cue not in COUNTED:
            kinds = TIMES if cue in OF_TIMES else (Kind.NUMBER,)
            found = [([name for name, column in reading.columns.items() if column.kind in kinds], False)]
        names, is_named = found[0] if found else ([], False)
        is_sum = cue in OF_PRODUCTS and not (is_named or (cue == "amount" and reading.is_lookup))
        if is_sum and (product := product_among(reading.columns, names)):
            names = [product]
        self._is_doubted |= len(names) > 1
        return reading.columns[names[0]] if names else None

    def _fits(self, name: str, cue: str, mention: ColumnMention) -> bool:
        """Whether a column may be measured: numbers, or times of which something is the first or last."""
        kind, (start, end) = self._reading.columns[name].kind, self._cues[cue]
        is_told = start <= mention.start < end
        if cue == "count" and mention.score == MEASURED and not self._follows((start, end), mention):
            return False
        if cue in OF_TIMES:
            return kind in TIMES or (kind is Kind.NUMBER and is_told and "age" in self._reading.fit.concepts[name])
        return kind is Kind.NUMBER or (kind in TIMES and is_told)

    def _distance(self, cue: str, mention: ColumnMention) -> tuple[bool, int, int]:
        """How far a word is from a phrase: within it or after it, before it; a name is nearest to `how much`."""
        (start, end), is_told = self._cues[cue], cue == "amount" and not mention.is_named
        return (is_told, 0, mention.start - end) if mention.start >= start else (is_told, 1, start - mention.end)

    def _follows(self, span: tuple[int, int], mention: ColumnMention) -> bool:
        """Whether no other word of content stands between a phrase and a name after it."""
        words = [word for word in self._reading.question.words if span[1] <= word.start < mention.start]
        cues = self._cues.values()
        return mention.start >= span[1] and all(w.is_stop or any(s <= w.start < e for s, e in cues) for w in words)

    def _groups(self) -> str:
        """The column whose cells divide the rows: one after `each`, else one that is asked for."""
        start = self._cues.get("each", (0, 0))[1]
        after = [name for m in self._reading.mentions if m.start >= start for name in m.columns]
        return self._dividing(after if start else () if "amount" in self._cues else self._reading.focus)

    def _dividing(self, names: Sequence[str]) -> str:
        """The first of the columns whose cells divide the rows: several have the same."""
        rows = self._reading.table.rows
        return next((name for name in names if len({row.text(name) for row in rows}) < len(rows)), "")
