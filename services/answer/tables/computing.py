"""Computes a function over rows: its value in words, and the rows that show it. Exact, in decimal numbers. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from services.answer.tables.row_query import EXTREMES, RowQuery
from services.answer.tables.values import Column

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class RowResult:
    """What a function over rows gives."""

    values: Sequence[str]
    """In words; several of a list, and of rows or groups that are equal or asked for together."""
    rows: Sequence[int]
    """The rows that it is computed from, those that show it best first."""
    skipped: int = 0
    """How many rows have no value for it."""


def compute(query: RowQuery) -> RowResult | None:
    """Return the result of a function; None if no row has a value for it."""
    if query.groups:
        return _by_groups(query)
    if query.function == "list":
        return RowResult(list(dict.fromkeys(_told(query, row) for row in query.rows)), query.rows)
    if query.function == "count":
        return RowResult([str(_count(query, query.rows))], query.rows)
    rows = [row for row in query.rows if _value(query, row) is not None]
    if not rows:
        return None
    if query.function in EXTREMES:
        best = _best(rows, lambda row: _value(query, row) or Decimal(), _is_upward(query.function), query.limit)
        return RowResult([_told(query, row) for row in best], best, len(query.rows) - len(rows))
    return RowResult([_fold(query, rows)], rows, len(query.rows) - len(rows))


def _by_groups(query: RowQuery) -> RowResult | None:
    groups: dict[str, list[int]] = {}
    for row in query.rows:
        if (cell := query.table.rows[row].text(query.groups)) and (
            query.measured is None or _value(query, row) is not None
        ):
            groups.setdefault(cell, []).append(row)
    if not groups:
        return None
    names: Sequence[str] = list(groups)
    if query.ranked:
        names = _best(names, lambda name: _amount(query, groups[name]), query.ranked == "highest", query.limit)
    values = [f"{name} ({_fold(query, groups[name])})" for name in names]
    return RowResult(values, [row for name in names for row in groups[name]])


def _best(items: Sequence[_T], value: Callable[[_T], Decimal], upward: bool, limit: int) -> list[_T]:
    """The items of the highest or lowest values, also those equal to the last of them, best first."""
    ordered = sorted(items, key=value, reverse=upward)
    last = value(ordered[min(limit, len(ordered)) - 1])
    return [item for item in ordered if value(item) == last or (value(item) > last) == upward]


def _is_upward(extreme: str) -> bool:
    return extreme in ("highest", "latest")


def _value(query: RowQuery, row: int) -> Decimal | None:
    """The value of a row as a number: of days the last or first one, as a count of days."""
    column = query.measured
    if column is None:
        return None
    if query.function in ("latest", "earliest"):
        days = column.days[row] if column.days else None
        return Decimal(days[query.function == "latest"].toordinal()) if days else None
    return column.numbers[row]


def _amount(query: RowQuery, rows: Sequence[int]) -> Decimal:
    if query.function == "count":
        return Decimal(_count(query, rows))
    values = [value for row in rows if (value := _value(query, row)) is not None]
    total = sum(values, Decimal())
    return total / len(values) if query.function == "average" else total


def _count(query: RowQuery, rows: Sequence[int]) -> int:
    column = query.reported[0] if query.reported and not query.groups else ""
    return len({cell for row in rows if (cell := query.table.rows[row].text(column))}) if column else len(rows)


def _fold(query: RowQuery, rows: Sequence[int]) -> str:
    amount = _amount(query, rows)
    return str(amount) if query.measured is None else written(amount, query.measured)


def _told(query: RowQuery, row: int) -> str:
    """What is told of a row: the cell that tells it apart, and those that are asked for in brackets."""
    asked = [*([query.measured.name] if query.measured else []), *query.reported]
    is_named = query.measured is not None or not query.reported or len(query.rows) > 1
    names = dict.fromkeys([query.key, *asked] if is_named else asked)
    first, *others = (text for name in names if (text := query.table.rows[row].text(name) or "–"))
    return f"{first} ({'; '.join(others)})" if others else first


def written(value: Decimal, column: Column) -> str:
    """A number as the cells of its column are written, with at most two more decimals."""
    exponents = [number.as_tuple().exponent for number in column.numbers if number is not None]
    decimals = max((-exponent for exponent in exponents if isinstance(exponent, int)), default=0)
    digits = f"{round(value, max(decimals, 0) + 2):,f}"
    whole, _, fraction = digits.partition(".")
    fraction = fraction[:decimals] + fraction[decimals:].rstrip("0") if decimals > 0 else fraction.rstrip("0")
    whole = whole.replace(",", column.thousands)
    before, after = column.affix
    return f"{before}{whole}{column.mark if fraction else ''}{fraction}{after}"
