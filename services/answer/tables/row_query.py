"""A function over rows, as it is planned, computed and told; plain values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.answer.tables.conditions import Condition
from services.answer.tables.rows import Table
from services.answer.tables.values import Column

EXTREMES: Final = ("highest", "lowest", "latest", "earliest")


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
    also: "RowQuery | None" = None
    """Another function that may be meant."""
