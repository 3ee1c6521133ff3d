"""Optimal assignment of rows to columns: each at most once, with the greatest sum of values.

Kuhn's Hungarian method in the form of shortest augmenting paths (Jonker and Volgenant, 1987), in O(rows² · columns).
"""

from collections.abc import Sequence
from math import inf


def assign(values: Sequence[Sequence[float]]) -> list[int | None]:
    """Pair rows with columns.

    Args:
        values: the value of each pair, in rows of equal length, finite; pairs with a value of 0 or less are not made.

    Returns:
        The column of each row, or None. No other pairing has a greater sum.

    Raises:
        ValueError: the rows differ in length.
    """
    if len({len(row) for row in values}) > 1:
        raise ValueError("rows must be of equal length")
    width = len(values[0]) if values else 0
    # One extra column per row, so that every row can stay unpaired at no cost.
    costs = [[-max(value, 0.0) for value in row] + [0.0] * len(values) for row in values]
    columns = _cheapest(costs)
    return [column if column < width and values[row][column] > 0 else None for row, column in enumerate(columns)]


def _cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row in the cheapest pairing of all rows; there are at least as many columns as rows."""
    width = len(costs[0]) if costs else 0
    row_prices, column_prices = [0.0] * len(costs), [0.0] * width
    owner: list[int | None] = [None] * width
    for row in range(len(costs)):
        _augment(row, costs, row_prices, column_prices, owner)
    columns = [0] * len(costs)
    for column, owned_by in enumerate(owner):
        if owned_by is not None:
            columns[owned_by] = column
    return columns


def _augment(
    start: int,
    costs: Sequence[Sequence[float]],
    row_prices: list[float],
    column_prices: list[float],
    owner: list[int | None],
) -> None:
    """Assign a row to a column along the shortest augmenting path; the dual prices stay feasible."""
    width = len(owner)
    distance, previous_columns, visited = [inf] * width, [-1] * width, [False] * width
    row, path_length, last = start, 0.0, -1
    while True:
        for column in range(width):
            step = path_length + costs[row][column] - row_prices[row] - column_prices[column]
            if not visited[column] and step < distance[column]:
                distance[column], previous_columns[column] = step, last
        last = min((column for column in range(width) if not visited[column]), key=distance.__getitem__)
        visited[last], path_length = True, distance[last]
        owner_row = owner[last]
        if owner_row is None:
            break
        row = owner_row
    _raise_prices(start, path_length, distance, visited, row_prices, column_prices, owner)
    while last >= 0:
        previous_column = previous_columns[last]
        owner[last] = owner[previous_column] if previous_column >= 0 else start
        last = previous_column


def _raise_prices(
    start: int,
    path_length: float,
    distance: Sequence[float],
    visited: Sequence[bool],
    row_prices: list[float],
    column_prices: list[float],
    owner: Sequence[int | None],
) -> None:
    """Lower the price of each visited column by its distance to the path's end, and raise its row's price as much."""
    row_prices[start] += path_length
    for column, is_visited in enumerate(visited):
        row = owner[column]
        if is_visited and row is not None:
            row_prices[row] += path_length - distance[column]
            column_prices[column] -= path_length - distance[column]
