"""The optimal assignment of keys, for TANQ's table metric.

Which of several equally good assignments is taken decides the score, because the cells
are compared after their keys are paired. The answer must therefore be scipy's answer on
the same matrix of floats, not just an optimal one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from .pairs import Floats, Int, Pairs


# A matrix of this many floats (256 MiB) is handed to scipy; a larger one is never built.
DENSE_CELLS: Final = 2**25


def assign(height: int, width: int, pairs: Pairs) -> Pairs:
    """Assign rows to columns as scipy does where a pair costs `1 - similarity`.

    There are at least as many columns as rows. Pairs of similarity 0 are left out.
    """
    if not len(pairs):
        return pairs
    if height * width > DENSE_CELLS:
        found = shortest_augmenting_paths(height, width, pairs)
        rows, columns, similarity = zip(*found, strict=True) if found else ((), (), ())
        return Pairs(
            np.array(rows, Int), np.array(columns, Int), np.array(similarity, float)
        )
    cost = np.ones((height, width))
    cost.ravel()[pairs.rows * width + pairs.columns] = 1.0 - pairs.similarity
    return assign_matrix(cost)


def assign_matrix(cost: Floats) -> Pairs:
    """Assign by a matrix of costs, none of which is between one half and 1.

    Pairs of similarity 0 are left out: they add nothing to a score.
    """
    rows, columns = linear_sum_assignment(cost)
    # Exact, because a similarity of at least one half was taken from 1.
    similarity = 1.0 - cost[rows, columns]
    near = np.flatnonzero(similarity)
    return Pairs(rows[near], columns[near], similarity[near])


def few_pairs(cost: Floats) -> Pairs | None:
    """The pairs that cost less than 1, if they are fewer than the rows."""
    if np.count_nonzero(cost[: len(cost) // 8] < 1.0) > len(cost):
        return None
    near = cost < 1.0
    if np.count_nonzero(near) > len(cost):
        return None
    flat = np.flatnonzero(near)
    rows, columns = np.divmod(flat, near.shape[1])
    return Pairs(rows, columns, 1.0 - cost.ravel()[flat])


def only_ones(pairs: Pairs, some: NDArray[np.bool_]) -> bool:
    """Whether some of the pairs are the only ones of their rows and of their columns."""
    return all(
        bool((np.bincount(keys)[keys[some]] == 1).all())
        for keys in (pairs.rows, pairs.columns)
        if len(keys)
    )


def shortest_augmenting_paths(
    height: int, width: int, pairs: Pairs
) -> list[tuple[int, int, float]]:
    """Assign as `linear_sum_assignment` does, without its matrix.

    The same shortest augmenting paths (Crouse 2016, doi:10.1109/TAES.2016.140952), with
    the same order of columns, the same preference among equal costs and the same
    floating-point operations in the same order as in scipy 1.17, so that ties and
    roundings fall as they do there. A step takes several passes over the columns
    instead of one; memory grows with the columns and the pairs.

    Parameters
    ----------
    height, width
        The numbers of rows and columns; `height <= width`.
    pairs
        The pairs that cost `1 - similarity`; all others cost 1.
    """
    order = np.argsort(pairs.rows, kind="stable")
    starts = np.searchsorted(pairs.rows[order], np.arange(height + 1)).tolist()
    entries = [order[a:b] for a, b in pairwise(starts)]
    u, v = np.zeros(height), np.zeros(width)
    column_of, row_of = np.full(height, -1), np.full(width, -1)
    came_from = np.full(width, -1)
    for row in range(height):
        remaining = np.arange(width - 1, -1, -1)
        shortest = np.full(width, np.inf)
        visited_rows, visited_columns = [row], []
        i, reached = row, 0.0
        while True:
            cost = np.ones(width)
            cost[pairs.columns[entries[i]]] = 1.0 - pairs.similarity[entries[i]]
            through = reached + cost[remaining] - u[i] - v[remaining]
            closer = np.flatnonzero(through < shortest[remaining])
            came_from[remaining[closer]] = i
            shortest[remaining[closer]] = through[closer]
            lengths = shortest[remaining]
            reached = float(lengths.min())
            nearest = np.flatnonzero(lengths == reached)
            free = nearest[row_of[remaining[nearest]] == -1]
            index = int(free[-1] if len(free) else nearest[0])
            column = int(remaining[index])
            visited_columns.append(column)
            if len(free):
                break
            i = int(row_of[column])
            visited_rows.append(i)
            remaining[index] = remaining[-1]
            remaining = remaining[:-1]
        u[row] += reached
        for i in visited_rows[1:]:
            u[i] += reached - shortest[column_of[i]]
        v[visited_columns] -= reached - shortest[visited_columns]
        i = -1
        while i != row:
            i = int(came_from[column])
            row_of[column] = i
            column_of[i], column = column, int(column_of[i])
    found = []
    for i, column in enumerate(column_of.tolist()):
        for similarity in pairs.similarity[
            entries[i][pairs.columns[entries[i]] == column]
        ].tolist():
            found.append((i, column, similarity))
    return found
