"""What all pairs of two lists of keys cost, for TANQ's table metric.

Edit distances of many pairs of short texts are computed several at a time, each in a
tenth of what it costs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from os.path import commonprefix
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from .pairs import (
    TOGETHER,
    Distances,
    Floats,
    Int,
    Ints,
    all_apart,
    apart,
    costs,
    text_lengths,
)


# Costs that are made from distances in one go, in memory that is small and fast.
_CHUNK: Final = 2**16
# Up to this length, pairs of a length and a distance fit into two bytes.
_LONGEST: Final = 255
# Up to this length, several texts are compared at once.
_SHORT: Final = TOGETHER
# A shorter beginning is not worth a distinction.
_SHORTEST_PREFIX: Final = 3


def small_cost_matrix(rows: Sequence[str], columns: Sequence[str]) -> Floats:
    """`1 - similarity` of every pair, of which there are a few thousand."""
    distance = all_apart(rows, columns, np.float64)
    longer = np.maximum.outer(text_lengths(rows), text_lengths(columns))
    return costs(distance, longer, out=distance)


def cost_matrix(rows: Sequence[str], columns: Sequence[str]) -> Floats:
    """`1 - similarity` of every pair."""
    lengths = text_lengths(rows), text_lengths(columns)
    longest = int(max(length.max() for length in lengths))
    distance = distances(rows, columns, np.min_scalar_type(longest).type)
    matrix = np.empty(distance.shape)
    step = max(1, _CHUNK // len(columns))
    parts = [slice(start, start + step) for start in range(0, len(rows), step)]
    if longest > _LONGEST:
        for part in parts:
            longer = np.maximum.outer(lengths[0][part], lengths[1])
            matrix[part] = costs(distance[part], longer)
        return matrix
    # Every cost there may be is computed once, and looked up by length and distance.
    size = longest + 1
    table = costs(np.arange(size), np.maximum(np.arange(size), 1)[:, None]).ravel()
    starts = [(length * size).astype(np.uint16) for length in lengths]
    for part in parts:
        place = np.maximum.outer(starts[0][part], starts[1])
        place += distance[part]
        np.take(table, place, out=matrix[part], mode="clip")
    return matrix


def distances_of_pairs(
    rows: Sequence[str], columns: Sequence[str], longer: Ints
) -> Ints:
    """Edit distances pair by pair, or `longer` for pairs that are not similar."""
    if len(longer) and longer.max() > _SHORT:
        # Long texts: a longest common subsequence costs a third, and leaves out most.
        common = apart(rows, columns, LCSseq.similarity)
        near = np.flatnonzero(2 * common > longer)
        distance = longer.astype(Int)
        texts = [[side[k] for k in near.tolist()] for side in (rows, columns)]
        distance[near] = apart(*texts)
        return distance
    return apart(rows, columns)


def distances(rows: Sequence[str], columns: Sequence[str], dtype: Any) -> Distances:
    """Edit distances of all pairs; what most texts begin or end with is left out.

    The type must hold the length of the longest text.
    """

    whole = partial(all_apart, dtype=dtype)

    def without_ends(rows: Sequence[str], columns: Sequence[str]) -> Distances:
        suffix = shared_prefix(*(_reversed(_few(side)) for side in (rows, columns)))
        if not suffix:
            return whole(rows, columns)
        return _without(suffix, _reversed(rows), _reversed(columns), dtype, whole)

    prefix = shared_prefix(rows, columns)
    if not prefix:
        return without_ends(rows, columns)
    return _without(prefix, rows, columns, dtype, without_ends)


def shared_prefix(*lists: Sequence[str]) -> str:
    """What most texts of each list begin with, as far as a few of them show it."""
    ends: list[str] = []
    for texts in lists:
        some = sorted(_few(texts))
        ends += some[len(some) // 6], some[-1 - len(some) // 6]
    prefix = commonprefix(ends)
    return prefix if len(prefix) >= _SHORTEST_PREFIX else ""


def _few(texts: Sequence[str]) -> Sequence[str]:
    return texts[:: max(1, len(texts) // 12)]


def _reversed(texts: Sequence[str]) -> list[str]:
    return [text[::-1] for text in texts]


def _without(
    prefix: str,
    rows: Sequence[str],
    columns: Sequence[str],
    dtype: Any,
    matrix: Callable[[Sequence[str], Sequence[str]], Distances],
) -> Distances:
    """The distances that a function finds, of texts that mostly begin with a prefix."""
    cut_rows, other_rows, has = _parted(rows, prefix)
    cut_columns, other_columns, columns_have = _parted(columns, prefix)
    alike = np.empty((len(cut_rows), len(columns)), dtype)
    alike[:, columns_have] = matrix(cut_rows, cut_columns)
    if other_columns:
        texts = [prefix + text for text in cut_rows]
        alike[:, ~columns_have] = matrix(texts, other_columns)
    if not other_rows:
        return alike
    distance = np.empty((len(rows), len(columns)), dtype)
    distance[has], distance[~has] = alike, matrix(other_rows, columns)
    return distance


def _parted(
    texts: Sequence[str], prefix: str
) -> tuple[list[str], list[str], NDArray[np.bool_]]:
    """What follows the prefix, the texts without it, and which have it."""
    has = [text.startswith(prefix) for text in texts]
    rest = [t[len(prefix) :] for t, yes in zip(texts, has, strict=True) if yes]
    others = [t for t, yes in zip(texts, has, strict=True) if not yes]
    return rest, others, np.array(has)
