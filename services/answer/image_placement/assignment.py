"""Optimal assignment of rows to columns: each at most once, with the greatest sum of values.

Kuhn's Hungarian method in the form of shortest augmenting paths (Jonker and Volgenant, 1987).
It takes O(rows² · (rows + columns)). Pure functions.
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
    """The column of each row in the cheapest pairing of all rows; there are at least as many columns as rows.

    Each row joins along the shortest augmenting path; the dual prices of rows and columns stay feasible.
    """
    width = len(costs[0]) if costs else 0
    row_prices, column_prices = [0.0] * len(costs), [0.0] * width
    owners: list[int | None] = [None] * width
    for start in range(len(costs)):
        distance, previous, visited = [inf] * width, [-1] * width, [False] * width
        row: int | None = start
        path_length, last = 0.0, -1
        while row is not None:
            for column in range(width):
                step = path_length + costs[row][column] - row_prices[row] - column_prices[column]
                if not visited[column] and step < distance[column]:
                    distance[column], previous[column] = step, last
            last = min((column for column in range(width) if not visited[column]), key=distance.__getitem__)
            visited[last], path_length, row = True, distance[last], owners[last]
        row_prices[start] += path_length
        for column, owner in enumerate(owners):
            if visited[column] and owner is not None:
                row_prices[owner] += path_length - distance[column]
                column_prices[column] -= path_length - distance[column]
        while last >= 0:
            before = previous[last]
            owners[last] = owners[before] if before >= 0 else start
            last = before
    return [owners.index(row) for row in range(len(costs))]
