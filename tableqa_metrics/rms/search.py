"""Which keys of two tables are similar, for TANQ's table metric.

The similarity of two keys is their ANLS: `1 - d / m` where the edit distance `d` is less
than half the length `m` of the longer one, else 0. Only a few pairs pass that half, so
these are found first, and everything after works on them alone:

1.  An alignment with `d` edits leaves at least `m - d` characters matched in order, so
    a pair passes only if its longest common subsequence is longer than `m / 2`. That
    costs a third of an edit distance and is computed for all pairs at once. It also
    bounds the similarity, and so what a whole table can score. Where that seems not to
    be close enough, and most pairs to pass, edit distances are computed in their place,
    for as many keys as it takes.
2.  The edit distance itself is computed for the pairs that are left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from .datapoints import TooLarge
from .distances import cost_matrix
from .pairs import Distances, Floats, Int, Ints, Pairs, all_apart, apart, joined
from .representatives import Side, possible_pairs
from .subsequences import Subsequences


# The released script holds every pair in a Python list of floats: this many in more than
# 32 GiB.
MAX_PAIRS: Final = 2**30
# Pairs that may be similar, in about 2 GiB.
MAX_SIMILAR: Final = 2**25
# Keys up to this long are compared in less time than it takes to leave some out.
_SHORT_KEYS: Final = 16
# Pairs that are looked at in one go, and in memory that is small and fast.
_CHUNK: Final = 2**22
_SOME_PAIRS: Final = 2**16
# How many edit distances in a block cost what one costs in a list of pairs.
_LIST_COST: Final = 8
# Each block is a call of its own.
_MOST_BLOCKS: Final = 400
# What a row of a wrong reading loses of the similarity it could have: seldom more than
# the first, mostly more than the second.
_MOST_LOSS: Final = 0.9
_SOME_LOSS: Final = 0.3
# One in so many rows, but no fewer than so many, show what all of them lose: enough, if
# that is so many times what is needed.
_FIRST_SHARE: Final = 10
_FIRST_ROWS: Final = 16
_ENOUGH: Final = 1.05
# So many rows show what edit distances make them lose: enough, if that is so many times
# what is needed. Those of nearly all rows would take longer than all subsequences.
_SAMPLE: Final = 8
_SURE: Final = 1.05
_NEARLY_ALL: Final = 0.85


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
    too_many
        A share of all pairs. If so many may be similar, and an assignment may have
        `needed`, the search is given up.

    Attributes
    ----------
    best_total
        No assignment has a greater sum of similarities.
    candidates
        The pairs that may be similar, with what their similarity is at most.
    given_up
        Whether there are too many; `candidates` are none then.

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
        too_many: float = math.inf,
    ) -> None:
        self._rows, self._columns = Side(rows, row_period), Side(columns, column_period)
        self.best_total = 0.0
        self.given_up = False
        self.candidates = self._search(needed, too_many)

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
        distance = all_apart(
            self._rows.texts[rows].tolist(), self._columns.texts[columns].tolist()
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

    def _search(self, needed: float, too_many: float) -> Pairs:
        rows, columns = self._rows, self._columns
        # The shorter key of a similar pair is longer than half the other one, so that
        # keys far from every length of the other side need no look.
        a, b = rows.near(columns), columns.near(rows)
        if needed <= 0.0 and len(a) * len(b) > MAX_PAIRS:
            raise TooLarge(f"{len(a)} times {len(b)} keys")
        # Long keys are seldom like many: they soonest show what is lost.
        a = a[rows.lengths[a].argsort(kind="stable")[::-1]]
        first = max(_FIRST_ROWS, len(a) // _FIRST_SHARE)
        if needed > 0.0 and len(a) >= 2 * first:
            # Before them, some of all lengths.
            some = np.linspace(0, len(a) - 1, first).astype(Int)
            a = np.concatenate([a[some], np.delete(a, some)])
        possible = None
        lengths = rows.lengths[a], columns.lengths[b]
        if len(a) and len(b) and max(map(np.max, lengths)) > _SHORT_KEYS:
            b, possible = possible_pairs(rows, columns, a, b)
        if not len(a) or not len(b):
            return joined([])
        subsequences = Subsequences(rows, columns, a, b, possible)
        step = max(1, _CHUNK // len(b))
        self.best_total, sure = float(len(a)), 0.0
        commons: list[Distances] = []
        if needed > 0.0:
            commons = self._watched(subsequences, first, step, needed, too_many)
            if self.given_up or self.best_total < needed:
                return joined([])
        found, total = [], 0
        for start in range(0, len(a), step):
            part = slice(start, min(start + step, len(a)))
            if part.stop * len(b) > MAX_PAIRS + _CHUNK:
                raise TooLarge(f"{len(a)} times {len(b)} keys")
            others = slice(start + sum(map(len, commons)), part.stop)
            if others.start < others.stop:
                commons.append(subsequences.of(others))
            common = np.concatenate(commons) if len(commons) > 1 else commons[0]
            commons = []
            flat = np.flatnonzero(subsequences.near(part, common))
            total += len(flat)
            if total > MAX_SIMILAR:
                raise TooLarge(f"more than {MAX_SIMILAR} pairs of similar keys")
            i, j = np.divmod(flat.astype(Int), Int(len(b)))
            i, j = a[part][i], b[j]
            found.append(Pairs(i, j, common.ravel()[flat] / self._longer(i, j)))
            sure += found[-1].best_total()
            self.best_total = sure + len(a) - part.stop
            if self.best_total < needed:
                return joined([])
        return joined(found)

    def _watched(
        self, of: Subsequences, first: int, end: int, needed: float, too_many: float
    ) -> list[Distances]:
        """Of some rows, as long as they may show that the others are of no use.

        That may end the search: `best_total` is less than needed then, or it is given up.
        """
        count = len(of.a)
        end, first = min(end, count), min(end, first, count)
        most_rows = max(1, _SOME_PAIRS // len(of.b))
        commons: list[Distances] = []
        stop, loss = 0, _MOST_LOSS
        while stop < end:
            few = stop + min(int((self.best_total - needed) / loss) + 1, most_rows)
            part = slice(stop, min(few, first if stop < first else end))
            stop = part.stop
            commons.append(of.of(part))
            share = of.share(part, commons[-1])
            most = share.max(axis=1)
            most[most <= 0.5] = 0.0
            self.best_total -= len(most) - float(most.sum(dtype=float))
            gap = self.best_total - needed
            if gap < 0.0:
                break
            loss = max(_SOME_LOSS, _MOST_LOSS * (1.0 - float(most.mean())))
            lost = (count - self.best_total) / stop
            if stop == first and lost * (count - stop) < _ENOUGH * gap:
                near = np.count_nonzero(of.near(part, commons[-1]))
                if near > too_many * len(most) * len(self._columns.texts):
                    self.best_total -= self._lost_by_distance(of.a[stop:], of.b, gap)
                    self.given_up = self.best_total >= needed
                break
        return commons

    def _lost_by_distance(self, a: Ints, b: Ints, gap: float) -> float:
        """How much less than 1 each some rows have, 0 if that seems to be within the gap."""
        if gap > _NEARLY_ALL * len(a):
            return 0.0
        columns = self._columns.pick(b)

        def lost(rows: Ints) -> Floats:
            least: Floats = cost_matrix(self._rows.pick(rows), columns).min(axis=1)
            return least

        # The shortest first, which take least.
        a = a[::-1]
        mean = float(lost(a[:: max(1, len(a) // _SAMPLE)]).mean())
        if mean * len(a) < _SURE * gap:
            return 0.0
        total, stop, mean = 0.0, 0, 1.0
        while stop < len(a) and total <= gap:
            part = slice(stop, stop + int((gap - total) / mean) + 1)
            found = lost(a[part])
            total += float(found.sum())
            stop, mean = part.stop, max(_SOME_LOSS, float(found.mean()))
        return total

    def _longer(self, i: Ints, j: Ints) -> Ints:
        longer: Ints = np.maximum(self._rows.lengths[i], self._columns.lengths[j])
        return longer
