"""The pairing of two sides that gains most, from the pairs that gain anything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence


# For each row what it gains with which columns; pairs that are not there gain nothing.
Gains = Sequence[dict[int, float]]


def assign(gains: Gains) -> list[int | None]:
    """Give each row a column of its own, or none, so that all gain most together.

    The cost is that of an optimal assignment for each set of rows and columns that hang
    together by pairs, and linear where all rows are best off with different columns.

    Examples
    --------
    >>> assign([{0: 1.0, 1: 0.9}, {0: 0.8}, {}])
    [1, 0, None]
    """
    best = [max(row, key=row.__getitem__) if row else None for row in gains]
    taken = [column for column in best if column is not None]
    if len(set(taken)) == len(taken):
        return best
    assigned: list[int | None] = [None] * len(gains)
    for rows, columns in _components(gains):
        if len(columns) == 1:
            (column,) = columns
            gained = {row: gains[row][column] for row in rows}
            assigned[max(gained, key=gained.__getitem__)] = column
        else:
            for row, column in _assign_all(gains, rows, columns):
                assigned[row] = column
    return assigned


def _components(gains: Gains) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the rows and columns that pairs connect."""
    rows_of: defaultdict[int, list[int]] = defaultdict(list)
    for row, gained in enumerate(gains):
        for column in gained:
            rows_of[column].append(row)
    seen_rows: set[int] = set()
    seen_columns: set[int] = set()
    for start, gained in enumerate(gains):
        if start in seen_rows or not gained:
            continue
        seen_rows.add(start)
        rows, columns = [start], []
        for row in rows:  # grows while it is walked
            for column in gains[row]:
                if column not in seen_columns:
                    seen_columns.add(column)
                    columns.append(column)
                    fresh = [r for r in rows_of[column] if r not in seen_rows]
                    seen_rows.update(fresh)
                    rows += fresh
        yield rows, columns


def _assign_all(
    gains: Gains, rows: list[int], columns: list[int]
) -> Iterator[tuple[int, int]]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    place = {column: j for j, column in enumerate(columns)}
    matrix = np.zeros((len(rows), len(columns)))
    for i, row in enumerate(rows):
        for column, gain in gains[row].items():
            matrix[i, place[column]] = gain
    for i, j in zip(*linear_sum_assignment(matrix, maximize=True), strict=True):
        if columns[j] in gains[rows[i]]:
            yield rows[i], columns[j]
