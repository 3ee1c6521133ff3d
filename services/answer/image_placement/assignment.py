"""The best pairing of rows with columns: each at most once, the sum of the values as great as can be.

Kuhn's Hungarian method in the form of shortest augmenting paths (Jonker and Volgenant, 1987), in O(rows² · columns).
"""

from collections.abc import Sequence
from math import inf


def assign(values: Sequence[Sequence[float]]) -> list[int | None]:
    """Pair rows with columns.

    Args:
        values: what each pair is worth, rows of equal length, finite; a pair worth 0 or less is not made.

    Returns:
        For each row its column, or None. No other pairing is worth more.

    Raises:
        ValueError: the rows differ in length.
    """
    if len({len(row) for row in values}) > 1:
        raise ValueError("rows must be of equal length")
    width = len(values[0]) if values else 0
    # So many columns beside the real ones that every row may stay alone, at no cost.
    costs = [[-max(value, 0.0) for value in row] + [0.0] * len(values) for row in values]
    columns = _cheapest(costs)
    return [column if column < width and values[row][column] > 0 else None for row, column in enumerate(columns)]


def _cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row in the cheapest pairing of all rows; there are at least as many columns as rows."""
    width = len(costs[0]) if costs else 0
    of_row, of_column = [0.0] * len(costs), [0.0] * width
    owner: list[int | None] = [None] * width
    for row in range(len(costs)):
        _augment(row, costs, of_row, of_column, owner)
    columns = [0] * len(costs)
    for column, owned_by in enumerate(owner):
        if owned_by is not None:
            columns[owned_by] = column
    return columns


def _augment(
    start: int, costs: Sequence[Sequence[float]], of_row: list[float], of_column: list[float], owner: list[int | None]
) -> None:
    """Find a row its column along the shortest path of exchanges; keeps the dual prices feasible."""
    width = len(owner)
    distance, before, done = [inf] * width, [-1] * width, [False] * width
    row, reached, last = start, 0.0, -1
    while True:
        for column in range(width):
            step = reached + costs[row][column] - of_row[row] - of_column[column]
            if not done[column] and step < distance[column]:
                distance[column], before[column] = step, last
        last = min((column for column in range(width) if not done[column]), key=distance.__getitem__)
        done[last], reached = True, distance[last]
        taken_by = owner[last]
        if taken_by is None:
            break
        row = taken_by
    _raise_prices(start, reached, distance, done, of_row, of_column, owner)
    while last >= 0:
        previous = before[last]
        owner[last] = owner[previous] if previous >= 0 else start
        last = previous


def _raise_prices(
    start: int,
    reached: float,
    distance: Sequence[float],
    done: Sequence[bool],
    of_row: list[float],
    of_column: list[float],
    owner: Sequence[int | None],
) -> None:
    """The path's columns get as much cheaper as they were nearer than its end; their rows pay it."""
    of_row[start] += reached
    for column, visited in enumerate(done):
        row = owner[column]
        if visited and row is not None:
            of_row[row] += reached - distance[column]
            of_column[column] -= reached - distance[column]
