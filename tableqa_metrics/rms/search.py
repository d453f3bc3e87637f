"""Which keys of two tables are similar, for TANQ's table metric.

The similarity of two keys is their ANLS: `1 - d / m` where the edit distance `d` is less
than half the length `m` of the longer one, else 0. Only a few pairs pass that half, so
these are found first, and everything after works on them alone:

1.  An alignment with `d` edits leaves at least `m - d` characters matched in order, so
    a pair passes only if its longest common subsequence is longer than `m / 2`. That
    costs a third of an edit distance and is computed for all pairs at once. It also
    bounds the similarity, and so what a whole table can score.
2.  The edit distance itself is computed for the pairs that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist

from .datapoints import TooLarge
from .pairs import Int, Ints, Pairs, apart, joined, text_lengths


# The released script holds every pair in a Python list of floats: this many in more than
# 32 GiB.
MAX_PAIRS: Final = 2**30
# Pairs that may be similar, in about 2 GiB.
MAX_SIMILAR: Final = 2**25
# Keys up to this long are compared in less time than it takes to leave some out.
_SHORT_KEYS: Final = 16
# Pairs that are looked at in one go.
_CHUNK: Final = 2**22
# How many edit distances in a block cost what one costs in a list of pairs.
_LIST_COST: Final = 8
# Each block is a call of its own.
_MOST_BLOCKS: Final = 400
# What a row of a wrong reading loses of the similarity it could have: seldom more than
# the first, mostly more than the second.
_MOST_LOSS: Final = 0.9
_SOME_LOSS: Final = 0.3


class SimilarPairs:
    """The pairs of two lists of keys whose similarity is not 0.

    Parameters
    ----------
    rows, columns
        The keys to pair; none is empty.
    row_period, column_period
        The length of a row of each table: keys at positions that differ by a multiple
        of it mostly share a column header. It steers only the order of work.
    needed
        A sum of similarities. Once no assignment can have that much, the search ends
        early, and `best_total` is less.

    Attributes
    ----------
    best_total
        No assignment has a greater sum of similarities.
    candidates
        The pairs that may be similar, with what their similarity is at most.

    Raises
    ------
    TooLarge
        Where there are more than `MAX_PAIRS` pairs to look at, or more than
        `MAX_SIMILAR` that may be similar.

    Notes
    -----
    Time grows with the product of the numbers of characters of both lists over the
    width of a machine word; memory with the number of pairs that may be similar.
    """

    def __init__(
        self,
        rows: Sequence[str],
        columns: Sequence[str],
        row_period: int = 1,
        column_period: int = 1,
        needed: float = 0.0,
    ) -> None:
        self._rows, self._columns = (
            _Side(rows, row_period),
            _Side(columns, column_period),
        )
        self.best_total = 0.0
        self.candidates = self._search(needed)

    def exact(self) -> Pairs:
        """Every similar pair with its similarity.

        Two tables with the same header are alike in whole blocks of keys, where
        computing all distances at once is cheaper than computing most one by one.
        """
        rows, columns = self._rows, self._columns
        blocks = rows.period * columns.period
        area = (len(rows.lengths) // rows.period + 1) * (
            len(columns.lengths) // columns.period + 1
        )
        found = []
        left = self.candidates
        if blocks <= _MOST_BLOCKS and area <= _CHUNK:
            block = left.rows % Int(rows.period) * Int(columns.period)
            block += left.columns % Int(columns.period)
            dense = np.bincount(block, minlength=blocks) * _LIST_COST > area
            found += [
                self._block(*divmod(k, columns.period))
                for k in np.flatnonzero(dense).tolist()
            ]
            left = left.part(~dense[block])
        for start in range(0, max(1, len(left)), _CHUNK):
            found.append(self.measured(left.part(slice(start, start + _CHUNK))))
        return joined(found)

    def measured(self, pairs: Pairs) -> Pairs:
        """Those of some pairs that are similar, with their similarity."""
        i, j = pairs.rows, pairs.columns
        distance = apart(self._rows.pick(i), self._columns.pick(j))
        longer = self._longer(i, j)
        near = np.flatnonzero(2 * distance < longer)
        return Pairs(i[near], j[near], 1.0 - distance[near] / longer[near])

    def _block(self, first: int, second: int) -> Pairs:
        """The similar pairs of all keys of one header with all of another."""
        rows = slice(first, None, self._rows.period)
        columns = slice(second, None, self._columns.period)
        distance = cdist(
            self._rows.texts[rows].tolist(),
            self._columns.texts[columns].tolist(),
            scorer=Levenshtein.distance,
            dtype=Int,
        )
        longer = np.maximum.outer(
            self._rows.lengths[rows], self._columns.lengths[columns]
        )
        near = np.flatnonzero(2 * distance < longer).astype(Int)
        i, j = np.divmod(near, Int(distance.shape[1]))
        return Pairs(
            i * Int(self._rows.period) + Int(first),
            j * Int(self._columns.period) + Int(second),
            1.0 - distance.ravel()[near] / longer.ravel()[near],
        )

    def _search(self, needed: float) -> Pairs:
        rows, columns = self._rows, self._columns
        # The shorter key of a similar pair is longer than half the other one, so that
        # keys far from every length of the other side need no look.
        a, b = rows.near(columns), columns.near(rows)
        if needed <= 0.0 and len(a) * len(b) > MAX_PAIRS:
            raise TooLarge(f"{len(a)} times {len(b)} keys")
        # Long keys are seldom like many: they soonest show what is lost.
        a = a[rows.lengths[a].argsort(kind="stable")[::-1]]
        possible = None
        lengths = rows.lengths[a], columns.lengths[b]
        if len(a) and len(b) and max(map(np.max, lengths)) > _SHORT_KEYS:
            b, possible = self._possible(a, b)
        if not len(a) or not len(b):
            return joined([])
        row_keys, column_keys = rows.pick(a), columns.pick(b)
        half_a, half_b = rows.lengths[a] // 2, columns.lengths[b] // 2
        longest = 2 * max(half_a.max(), half_b.max()) + 1
        # The class, because rapidfuzz before 3.13 knows no other form of a type.
        dtype: Any = np.min_scalar_type(longest).type
        half_a, half_b = half_a.astype(dtype), half_b.astype(dtype)
        step = max(1, _CHUNK // len(b))
        found, total, stop, left = [], 0, 0, float(len(a))
        loss = _MOST_LOSS
        while stop < len(a):
            start, end, commons = stop, min(stop + step, len(a)), []
            while stop < end:
                part = slice(stop, end)
                if needed > 0.0:
                    # So many rows may show that the others are of no use.
                    gap = self.best_total + left - needed
                    part = slice(stop, min(end, stop + int(gap / loss) + 1))
                stop = part.stop
                if stop * len(b) > MAX_PAIRS + _CHUNK:
                    raise TooLarge(f"{len(a)} times {len(b)} keys")
                common = cdist(
                    row_keys[part], column_keys, scorer=LCSseq.similarity, dtype=dtype
                )
                commons.append(common)
                if needed > 0.0:
                    best = common.max(axis=1)
                    most = best / rows.lengths[a[part]]
                    most[best <= half_a[part]] = 0.0
                    left += float(most.sum()) - len(most)
                    if self.best_total + left < needed:
                        self.best_total += left
                        return joined([])
                    loss = max(_SOME_LOSS, _MOST_LOSS * (1.0 - float(most.mean())))
            part = slice(start, end)
            common = np.concatenate(commons) if len(commons) > 1 else commons[0]
            near = common > np.maximum.outer(half_a[part], half_b)
            if possible is not None:
                near &= possible[part]
            flat = np.flatnonzero(near)
            total += len(flat)
            if total > MAX_SIMILAR:
                raise TooLarge(f"more than {MAX_SIMILAR} pairs of similar keys")
            i, j = np.divmod(flat.astype(Int), Int(len(b)))
            i, j = a[part][i], b[j]
            found.append(Pairs(i, j, common.ravel()[flat] / self._longer(i, j)))
            self.best_total += found[-1].best_total()
            left = float(len(a) - stop)
            if self.best_total + left < needed:
                self.best_total += left
                return joined([])
        return joined(found)

    def _possible(self, a: Ints, b: Ints) -> tuple[Ints, NDArray[np.bool_] | None]:
        """The columns that may be similar to any row, and which pairs may be.

        That is found out where most names of the columns' table are alike. Keys that
        differ in such a name alone are represented by one of them: a key is as far from
        each as it is from that one, less what lies between the two.
        """
        texts, period = self._columns.texts, self._columns.period
        lengths = self._rows.lengths[a][:, None], self._columns.lengths[b]
        if len(a) * len(b) > _CHUNK:
            return b, None
        place = np.arange(len(texts), dtype=Int)
        if period * period < len(texts):
            group = place % period
            one = self._usual(place[::period]) + place[:period]
        else:
            group = place // period
            one = group[::period] * period + self._usual(place[:period])
        one = np.minimum(one, Int(len(texts) - 1))
        sample = place[:: max(1, len(place) // 16)]
        unlike = np.sort(self._apart(sample, one[group[sample]]))[len(sample) // 2]
        usual = np.sort(self._columns.lengths)[len(texts) // 2]
        if 4 * len(one) > len(texts) or 4 * unlike > usual:
            return b, None
        scorer = Levenshtein.distance
        far = 2 * cdist(
            self._rows.pick(a), texts[one].tolist(), scorer=scorer, dtype=Int
        )
        apart, group = 2 * self._apart(b, one[group[b]]), group[b]
        kept = ((far - lengths[0]).min(axis=0)[group] < apart) | (
            far.min(axis=0)[group] < apart + lengths[1]
        )
        distance = far[:, group[kept]] - apart[kept]
        return b[kept], distance < np.maximum(lengths[0], lengths[1][kept])

    def _usual(self, some: Ints) -> int:
        """Which of some keys of the columns is nearest to the others, as a few show it."""
        few = some[len(some) // 10 :: max(1, len(some) // 5)]
        texts = self._columns.pick(few)
        apart = cdist(texts, texts, scorer=Levenshtein.distance, dtype=Int)
        return int(few[apart.sum(axis=1).argmin()])

    def _apart(self, first: Ints, second: Ints) -> Ints:
        """The distances of keys of the columns, pair by pair."""
        return apart(self._columns.pick(first), self._columns.pick(second))

    def _longer(self, i: Ints, j: Ints) -> Ints:
        longer: Ints = np.maximum(self._rows.lengths[i], self._columns.lengths[j])
        return longer


class _Side:
    """The keys of one table and their lengths."""

    def __init__(self, keys: Sequence[str], period: int) -> None:
        self.texts = np.empty(len(keys), dtype=object)
        self.texts[:] = keys
        self.period = period
        self.lengths = text_lengths(keys)

    def near(self, other: _Side) -> Ints:
        """Which keys are of a length that one of the other side could be similar to."""
        near = (self.lengths < 2 * other.lengths.max()) & (
            2 * self.lengths > other.lengths.min()
        )
        return np.flatnonzero(near).astype(Int)

    def pick(self, positions: Ints) -> list[str]:
        picked: list[str] = self.texts[positions].tolist()
        return picked
