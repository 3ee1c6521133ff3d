"""Computes a function over rows, exactly, in decimal numbers, or what is told of a row that a question names. Pure."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, TypeVar

from libs.language.topics.tables import cell_words
from services.answer.tables.conditions import Condition
from services.answer.tables.reading import Reading
from services.answer.tables.rows import Table
from services.answer.tables.values import Column

EXTREMES: Final = ("highest", "lowest", "latest", "earliest")
_T = TypeVar("_T")
UNTOLD: Final = "?"


@dataclass(frozen=True, slots=True)
class RowQuery:
    """A function over the rows that meet all conditions, as a question asks for it."""

    function: str
    """`list`, `count`, `total`, `average`, `share` of all rows, `difference` of two, `plural` (what several rows have),
    all of one `row`, or one of EXTREMES."""
    table: Table
    rows: Sequence[int]
    keys: Sequence[str]
    """The columns that tell the rows apart."""
    conditions: Sequence[Condition] = ()
    measured: Column | None = None
    reported: Sequence[str] = ()
    """Further columns that are asked for; of `count` the one whose different cells are counted."""
    groups: str = ""
    """The column whose equal cells make a group, of each of which the function is taken."""
    ranked: str = ""
    """`highest` or `lowest`: which groups are told; empty for all."""
    limit: int = 1
    """How many rows or groups an extreme is wanted of."""
    place: int = 1
    """Which place in the order an extreme is of: 2 for `second oldest`."""
    verdict: str = ""  # `yes` or `no`, if a question asks whether something is so
    is_doubted: bool = False
    """Whether something else may have been asked."""
    unread: Sequence[str] = ()
    """Words of the question that say nothing of this table."""

    @property
    def doubts(self) -> int:
        """How much is not sure: words that are not read, and whether something else may have been asked."""
        return len(self.unread) + self.is_doubted

    def value(self, row: int) -> Decimal | None:
        """The number of a row that is measured: of a time its first day, or its last for the latest."""
        bounds = self.measured.values[row] if self.measured is not None else None
        return bounds[self.function == "latest"] if bounds is not None else None


@dataclass(frozen=True, slots=True)
class RowResult:
    """What a function over rows gives."""

    values: Sequence[str]
    """In words; several of a list, and of rows or groups that are equal or asked for together."""
    rows: Sequence[int]
    skipped: int = 0
    """How many rows have no value for it."""


def compute(query: RowQuery) -> RowResult | None:
    """Return the result of a function; None if no row has a value for it."""
    rows = [row for row in query.rows if query.measured is None or query.value(row) is not None]
    if query.function in ("list", "row"):
        return RowResult(list(dict.fromkeys(_told(query, row) for row in rows)), rows)
    skipped = len(query.rows) - len(rows)
    if not rows and query.function != "count":
        return None
    if query.groups and query.function != "difference":
        names, rows = _groups(query, rows)
        return RowResult(names, rows, skipped)
    if query.function in EXTREMES:
        best = _extreme_rows(query, rows)
        return RowResult([_told(query, row) for row in best], best, skipped)
    if query.function == "share":
        share = round(Decimal(100 * len(rows)) / len(query.table.rows), 1).normalize()
        return RowResult([f"{share:f} % ({len(rows)} / {len(query.table.rows)})"], rows)
    return RowResult([_in_words(query, rows)], rows, skipped)


def _extreme_rows(query: RowQuery, rows: Sequence[int]) -> list[int]:
    """The rows of the highest or lowest values, or of one place in their order."""
    is_upward = query.function in ("highest", "latest")
    best = _best(rows, lambda row: query.value(row) or Decimal(), is_upward, max(query.limit, query.place))
    return [row for row in best if query.place == 1 or query.value(row) == query.value(best[-1])]


def _groups(query: RowQuery, rows: Sequence[int]) -> tuple[Sequence[str], list[int]]:
    """The names and values of the groups that are told, and their rows."""
    groups: dict[str, list[int]] = {}
    for row in rows:
        if name := query.table.rows[row].text(query.groups):
            groups.setdefault(name, []).append(row)
    if query.function == "plural":
        several = {name: members for name, members in groups.items() if len(members) > 1}
        told = [f"{name} ({', '.join(_told(query, row) for row in members)})" for name, members in several.items()]
        return told, [row for members in several.values() for row in members]
    names: Sequence[str] = list(groups)
    if query.ranked and groups:
        names = _best(names, lambda name: _amount(query, groups[name]), query.ranked == "highest", query.limit)
    told = [f"{name} ({_in_words(query, groups[name])})" for name in names]
    return told, [row for name in names for row in groups[name]]


def _best(items: Sequence[_T], value: Callable[[_T], Decimal], upward: bool, limit: int) -> list[_T]:
    """The items of the highest or lowest values, also those equal to the last of them, best first."""
    ordered = sorted(items, key=value, reverse=upward)
    last = value(ordered[min(limit, len(ordered)) - 1])
    return [item for item in ordered if value(item) == last or (value(item) > last) == upward]


def _amount(query: RowQuery, rows: Sequence[int]) -> Decimal:
    if query.function == "count":
        column = query.reported[0] if query.reported and not query.groups else ""
        return Decimal(len({cell for row in rows if (cell := query.table.rows[row].text(column))} if column else rows))
    values = [value for row in rows if (value := query.value(row)) is not None]
    if query.function == "difference":
        values = values or [*map(Decimal, Counter(query.table.rows[row].text(query.groups) for row in rows).values())]
        return max(values) - min(values)
    return sum(values, Decimal()) / (len(values) if query.function == "average" else 1)


def _in_words(query: RowQuery, rows: Sequence[int]) -> str:
    amount = _amount(query, rows)
    return str(amount) if query.measured is None else _written(amount, query.measured)


def _told(query: RowQuery, row: int) -> str:
    """What is told of a row: the cell that tells it apart, and those that are asked for in brackets."""
    if query.function == "row":
        return ", ".join(f"{name}: {cell}" for name in query.reported if (cell := query.table.rows[row].text(name)))
    asked = [*([query.measured.name] if query.measured else []), *query.reported]
    is_named = query.measured is not None or not query.reported or len(query.rows) > 1
    keys = query.keys if is_named else asked[:1]
    shown = [
        [query.table.rows[row].text(name) or "–" for name in names]
        for names in (keys, (name for name in dict.fromkeys(asked) if name not in keys))
    ]
    first, others = ", ".join(shown[0]), "; ".join(shown[1])
    return f"{first} ({others})" if others else first


def _written(value: Decimal, column: Column) -> str:
    """A number as the cells of its column are written, with at most two more decimals."""
    exponents = [bounds[0].as_tuple().exponent for bounds in column.values if bounds is not None]
    decimals = max((-exponent for exponent in exponents if isinstance(exponent, int)), default=0)
    whole, _, fraction = f"{round(value, max(decimals, 0) + 2):,f}".partition(".")
    fraction = fraction[: max(decimals, 0)] + fraction[max(decimals, 0) :].rstrip("0")
    before, after = column.affix
    return f"{before}{whole.replace(',', column.thousands)}{column.mark if fraction else ''}{fraction}{after}"


def checked(plain: RowQuery, label: Sequence[str]) -> RowQuery | None:
    """What a named row has where a question says that it has something: `Is the barrow in good condition?`."""
    named = [each for each in plain.conditions if each.column in label]
    others = list(dict.fromkeys(each.column for each in plain.conditions if each not in named))
    rows = sorted(frozenset.intersection(*(each.rows for each in named))) if named else []
    return replace(plain, rows=rows, conditions=named, reported=others) if rows and others else None


def whole_row(plain: RowQuery) -> RowQuery | None:
    """All that the table says of a named row of which it is not read what is asked."""
    told = [name for name in plain.table.columns if all(name != each.column for each in plain.conditions)]
    return replace(plain, function="row", reported=told) if len(plain.rows) == 1 else None


def difference(plain: RowQuery, measured: Column | None) -> RowQuery | None:
    """The difference of a column between two things that are named, or of how many rows each has."""
    names = [measured.name] if measured else []
    for column in (each.column for each in plain.conditions):
        things = {tuple(map(plain.table.rows[row].text, (column, *names))): row for row in plain.rows}
        if len(things) == 2:
            rows = sorted(things.values()) if measured else plain.rows
            return replace(plain, function="difference", measured=measured, rows=rows, groups=column)
    return None


def verdict_of(query: RowQuery, reading: Reading) -> str:
    """`yes` or `no` to a question whether something is so of a row, or UNTOLD; empty for any other question."""
    if query.function != "list" or len(query.rows) != 1 or {*query.reported} <= {*reading.label}:
        return ""
    if len(query.conditions) < len(reading.conditions):
        return "yes" if all(each.rows.issuperset(query.rows) for each in reading.conditions) else "no"
    cell = reading.table.rows[query.rows[0]].text(query.reported[0]).lower() if len(query.reported) == 1 else ""
    return next((answer for answer in ("yes", "no") if cell in cell_words(answer)), UNTOLD)
