"""What all pairs of keys cost, found from the names of rows and columns.

A key is a row name, a space and a column name, so that a table of 100 rows and 10 columns
has 900 keys of only 109 names. What is known of the names bounds the edit distance `d` of
two keys `x y` and `x' y'`:

1.  `d` is at least the difference of `d(x, x')` and `d(y, y')`. Where one of these is 0,
    what both keys begin or end with is the same, and `d` is the other.
2.  `d` is at least `d(x, x')` less the difference of the lengths of `y` and `y'`, because
    no more of `y` and `y'` can make up for `x` and `x'`; and the other way round.
3.  An alignment cuts the first key somewhere, to put `x'` beside what is left of the cut
    and `y'` beside the rest. Where the cut is between the characters `a` and `b`, `d` is
    at least `d(key[:b], x') + d(key[a:], y') - (b - a)`, since a distance changes by one
    at most with each character. Four such intervals are enough.

That leaves less than a hundredth of the pairs of two ordinary tables to be compared
themselves. Bounds are arrays of small integers with an axis for each of the four lists of
names, the shorter one of either table first, and are made for some rows at a time, in
memory that is small and fast.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from rapidfuzz.distance import Levenshtein

from . import distances
from .named_keys import NamedKeys
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


# Up to this long, several names are compared at once.
_SHORT_NAMES: Final = TOGETHER
# The sum of two of such a length fits into a byte.
_SHORT_KEYS: Final = 63
# Long names that so many times their distance is shorter than are looked at again.
_ALIKE: Final = 3
# Bounds that are made in one go.
_CHUNK: Final = 2**16
# One in so many pairs may be similar before their distances are bounded more closely.
_FEW: Final = 20
# If one in so many pairs is similar, comparing all costs less; so many pairs show it,
# taken in such steps.
_MANY_SIMILAR: Final = 30
_SAMPLE: Final = 96
_STEPS: Final = 7919, 7907, 6841, 5737
# How many edit distances in a block cost what one costs in a list of pairs, and how many
# of a list the call for a block costs besides.
_LIST_COST: Final = 10
_BLOCK_COST: Final = 100


def cost_matrix(rows: NamedKeys, columns: NamedKeys) -> Floats:
    """`1 - similarity` of all keys of two tables."""
    longest = max(rows.lengths.max(), columns.lengths.max())
    if longest <= _SHORT_KEYS and _share_similar(rows, columns) * _MANY_SIMILAR > 1.0:
        # Comparing all keys costs less than comparing so many.
        return distances.cost_matrix(
            list(rows.points.cells), list(columns.points.cells)
        )
    return _Costs(rows, columns).matrix


def most_by_long_names(rows: NamedKeys, columns: NamedKeys) -> float:
    """A sum of similarities that no assignment of keys exceeds.

    What a key has besides its major name, of which its table has more, makes up for its
    own length at most. That decides where major names are long; only keys whose major
    names are alike are compared themselves, and none if these are many.
    """
    sides = rows, columns
    names = [side.names[side.major] for side in sides]
    apart = all_apart(*names)[:, None, :]
    # By major name, then by minor name; of the columns the longest key counts.
    lengths, others = (side.by_major(side.lengths).T for side in sides)
    rest = [side.name_lengths[1 - side.major] for side in sides]
    longer = np.maximum(lengths[:, :, None], others.max(axis=1))
    lower = apart - rest[0][:, None] - rest[1].max()
    most = np.where(2 * lower < longer, 1.0 - lower / longer, 0.0)
    alike = np.nonzero(_ALIKE * apart[:, 0] < longer[:, 0])
    if len(alike[0]) > sum(map(len, names)):
        return math.inf
    most[alike[0], :, alike[1]] = 0.0
    best = most.max(axis=2)
    texts, other_texts = (side.by_major(side.texts).T for side in sides)
    scorer = Levenshtein.normalized_similarity
    for i, j in zip(*(places.tolist() for places in alike), strict=True):
        similar = all_apart(
            texts[i].tolist(), other_texts[j].tolist(), np.float32, scorer
        )
        np.maximum(best[i], similar.max(axis=1), out=best[i])
    return float(best.sum())


def _share_similar(rows: NamedKeys, columns: NamedKeys) -> float:
    """Which share of the keys without a name in common is similar, as a few show it."""
    names = [*rows.names, *columns.names]
    # Steps by primes, so that any names may come together.
    picked = (
        [n[k * step % len(n)] for n, step in zip(names, _STEPS, strict=True)]
        for k in range(_SAMPLE)
    )
    keys = [
        (x + y, left + right)
        for x, y, left, right in picked
        if x != left and y != right
    ]
    if not keys:
        return 0.0
    some, others = zip(*keys, strict=True)
    longer = np.maximum(text_lengths(some), text_lengths(others))
    return float(np.mean(2 * apart(some, others) < longer))


class _Costs:
    """The making of a matrix of costs."""

    def __init__(self, rows: NamedKeys, columns: NamedKeys) -> None:
        self._rows, self._columns = rows, columns
        longest = max(rows.lengths.max(), columns.lengths.max())
        self._type: Any = np.int8 if longest <= _SHORT_KEYS else np.int16
        self._axes = 1 - rows.major, 3 - columns.major, rows.major, 2 + columns.major
        sizes = rows.lengths.shape + columns.lengths.shape
        self._shape = tuple(sizes[axis] for axis in self._axes)
        # What belongs to no datapoint goes into one row or column more.
        absent = [int(keys.places.min() < 0) for keys in (rows, columns)]
        self._matrix = np.ones((rows.count + absent[0], columns.count + absent[1]))
        self._apart = [*map(self._distances, rows.names, columns.names)]
        self._measure(np.concatenate([*map(self._near, self._chunks())]))
        self._write_equal()
        self.matrix = self._matrix[: rows.count, : columns.count]

    def _chunks(self) -> Iterator[slice]:
        fewer, others, more, width = self._shape
        step = max(1, _CHUNK // (fewer * others * width))
        for start in range(0, more, step):
            yield slice(start, min(start + step, more))

    def _near(self, chunk: slice) -> Ints:
        """Pairs of keys that may be similar and have no name in common."""

        def part(table: Distances) -> Distances:
            return table[:, :, chunk] if table.shape[2] > 1 else table

        halves, names, shifts, equal = (map(part, tables) for tables in self._bounds)
        half = np.maximum(*halves)
        first, second = names
        lower = np.subtract(first, second)
        np.abs(lower, out=lower)
        other = np.empty_like(lower)
        for name, shift in zip((first, second), shifts, strict=True):
            np.subtract(name, shift, out=other)
            np.maximum(lower, other, out=lower)
        for far in equal:
            np.maximum(lower, far, out=lower)
        near = lower < half
        if self._short and np.count_nonzero(near) * _FEW > near.size:
            least = np.full_like(lower, np.iinfo(self._type).max)
            for left, right in self._cuts:
                np.add(part(left), part(right), out=other)
                np.minimum(least, other, out=least)
            np.maximum(lower, least, out=lower)
            np.less(lower, half, out=near)
        # From places in the chunk to places among all pairs.
        _, _, more, width = self._shape
        block, place = np.divmod(
            np.flatnonzero(near).astype(Int), Int(near.shape[2] * width)
        )
        all_places: Ints = block * Int(more * width) + place + Int(chunk.start * width)
        return all_places

    @cached_property
    def _bounds(self) -> tuple[tuple[Distances, Distances], ...]:
        """What may be similar at most, and the distances of names and what bounds them."""
        rows, columns, spread = self._rows, self._columns, self._spread
        halves = (
            spread((rows.lengths + 1) // 2, 0, 1),
            spread((columns.lengths + 1) // 2, 2, 3),
        )
        names = spread(self._apart[0], 0, 2), spread(self._apart[1], 1, 3)
        first, second = (
            np.abs(np.subtract.outer(a, b))
            for a, b in zip(rows.name_lengths, columns.name_lengths, strict=True)
        )
        shifts = spread(second, 1, 3), spread(first, 0, 2)
        # Keys with a name in common are left to `_write_equal`.
        most = self._type(np.iinfo(self._type).max)
        return halves, names, shifts, ((names[0] == 0) * most, (names[1] == 0) * most)

    @cached_property
    def _short(self) -> bool:
        names = (*self._rows.name_lengths, *self._columns.name_lengths)
        return bool(max(lengths.max() for lengths in names) <= _SHORT_NAMES)

    @cached_property
    def _cuts(self) -> list[tuple[Distances, Distances]]:
        """Distances of what is left and right of a cut, less the width of its interval."""
        (x, y), (left, right) = self._rows.names, self._columns.names
        whole, spread, apart = self._rows.keys, self._spread, self._distances
        x_length, y_length = self._rows.name_lengths
        x_half, y_half = x_length // 2, y_length // 2

        def of_keys(keys: list[str], names: list[str], width: Ints) -> Distances:
            # In this order more of them are compared at once.
            distances: Distances = apart(keys, names).reshape(len(x), len(y), -1)
            distances -= width[..., None].astype(distances.dtype)
            return distances

        x_begin = [name[: len(name) // 2] for name in x]
        y_end = [name[len(name) // 2 :] for name in y]
        tails = [name[len(name) // 2 :] + other for name in x for other in y]
        heads = [other + name[: len(name) // 2] for other in x for name in y]
        first, second = self._bounds[1]
        return [
            (
                spread(apart(x_begin, left), 0, 2),
                spread(of_keys(whole, right, x_half[:, None]), 0, 1, 3),
            ),
            (
                first,
                spread(of_keys(tails, right, (x_length - x_half)[:, None]), 0, 1, 3),
            ),
            (
                spread(of_keys(heads, left, y_half), 0, 1, 2),
                second,
            ),
            (
                spread(of_keys(whole, left, y_length - y_half), 0, 1, 2),
                spread(apart(y_end, right), 1, 3),
            ),
        ]

    def _measure(self, near: Ints) -> None:
        """Compare keys: in blocks of those with the same minor names, or one by one."""
        sides = self._rows, self._columns
        texts, lengths, places = (
            [side.by_major(table) for side, table in zip(sides, tables, strict=True)]
            for tables in (
                [side.texts for side in sides],
                [side.lengths for side in sides],
                [side.places for side in sides],
            )
        )
        _, others, more, width = self._shape
        # Long keys are compared one by one in a block, too.
        if len(near) > _BLOCK_COST and self._type is np.int8:
            block = near // Int(more * width)
            dense = np.bincount(block) > more * width / _LIST_COST + _BLOCK_COST
            for k in np.flatnonzero(dense).tolist():
                a, b = divmod(k, others)
                keys = texts[0][a].tolist(), texts[1][b].tolist()
                distance = distances.distances(*keys, self._type)
                longer = np.maximum.outer(lengths[0][a], lengths[1][b])
                cells = np.ix_(places[0][a], places[1][b])
                self._matrix[cells] = costs(distance, longer)
            near = near[~dense[block]]
        a, b, i, j = np.unravel_index(near, self._shape)
        pairs = texts[0][a, i].tolist(), texts[1][b, j].tolist()
        longer = np.maximum(lengths[0][a, i], lengths[1][b, j])
        distance = distances.distances_of_pairs(*pairs, longer)
        self._matrix[places[0][a, i], places[1][b, j]] = costs(distance, longer)

    def _write_equal(self) -> None:
        """Keys with a name in common, which are as far apart as their other names."""
        rows, columns = self._rows, self._columns
        for same, other in ((0, 1), (1, 0)):
            i, j = np.nonzero(self._apart[same] == 0)
            longer = rows.name_lengths[same][i][:, None, None] + np.maximum.outer(
                rows.name_lengths[other], columns.name_lengths[other]
            )
            cells = (
                rows.places.swapaxes(0, same)[i][:, :, None],
                columns.places.swapaxes(0, same)[j][:, None, :],
            )
            self._matrix[cells] = costs(self._apart[other], longer)

    def _spread(self, table: Distances, *axes: int) -> Distances:
        """A table of some axes (0, 1: the rows' names, 2, 3: the columns') as one of all."""
        shape = [1, 1, 1, 1]
        for axis, size in zip(axes, table.shape, strict=True):
            shape[axis] = size
        spread = table.astype(self._type, copy=False).reshape(shape)
        return np.ascontiguousarray(spread.transpose(self._axes))

    def _distances(self, rows: Sequence[str], columns: Sequence[str]) -> Distances:
        return all_apart(rows, columns, self._type)
