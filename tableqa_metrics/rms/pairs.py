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
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist, cpdist

from .datapoints import TooLarge


# Half the size of numpy's own, which is half the time of whatever is fresh memory.
Int: Final = np.int32
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

# The released script holds every pair in a Python list of floats: this many in more than
# 32 GiB.
MAX_PAIRS: Final = 2**30
# Pairs that may be similar, in about 2 GiB.
MAX_SIMILAR: Final = 2**25
# Pairs that are looked at in one go.
_CHUNK: Final = 2**22
# How many edit distances in a block cost what one costs in a list of pairs.
_LIST_COST: Final = 8
# Each block is a call of its own.
_MOST_BLOCKS: Final = 400


@dataclass(frozen=True)
class Pairs:
    """Pairs (row, column), each with a similarity."""

    rows: Ints
    columns: Ints
    similarity: Floats

    def best_total(self, weights: Sequence[float] | None = None) -> float:
        """The sum over the rows of the greatest similarity, each times its weight.

        No assignment has a greater sum.
        """
        similarity = self.similarity if weights is None else self.similarity * weights
        if not len(self.rows):
            return 0.0
        first = self.rows.min()
        best = np.zeros(int(self.rows.max() - first) + 1)
        np.maximum.at(best, self.rows - first, similarity)
        return float(best.sum())


def cost_matrix(rows: Sequence[str], columns: Sequence[str]) -> Floats:
    """`1 - similarity` of every pair, without looking for the similar ones first."""
    distance = cdist(rows, columns, scorer=Levenshtein.distance, dtype=np.float64)
    distance /= np.maximum.outer(_lengths(rows), _lengths(columns))
    cost: Floats = np.where(distance < 0.5, 1.0 - (1.0 - distance), 1.0)
    return cost


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
        self._i, self._j = self._candidates(needed)

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
        i, j = self._i, self._j
        if blocks <= _MOST_BLOCKS and area <= _CHUNK:
            block = i % Int(rows.period) * Int(columns.period) + j % Int(columns.period)
            dense = np.bincount(block, minlength=blocks) * _LIST_COST > area
            found += [
                self._block(*divmod(k, columns.period))
                for k in np.flatnonzero(dense).tolist()
            ]
            rest = np.flatnonzero(~dense[block])
            i, j = i[rest], j[rest]
        for start in range(0, max(1, len(i)), _CHUNK):
            part = slice(start, start + _CHUNK)
            found.append(self._listed(i[part], j[part]))
        return Pairs(
            np.concatenate([pairs.rows for pairs in found]),
            np.concatenate([pairs.columns for pairs in found]),
            np.concatenate([pairs.similarity for pairs in found]),
        )

    def _listed(self, i: Ints, j: Ints) -> Pairs:
        """The similar ones of some pairs."""
        distance = cpdist(
            self._rows.pick(i),
            self._columns.pick(j),
            scorer=Levenshtein.distance,
            dtype=Int,
        )
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

    def _candidates(self, needed: float) -> tuple[Ints, Ints]:
        rows, columns = self._rows, self._columns
        # The shorter key of a similar pair is longer than half the other one, so that
        # keys far from every length of the other side need no look.
        a, b = rows.near(columns), columns.near(rows)
        if needed <= 0.0 and len(a) * len(b) > MAX_PAIRS:
            raise TooLarge(f"{len(a)} times {len(b)} keys")
        found = []
        if len(a) and len(b):
            row_keys, column_keys = rows.pick(a), columns.pick(b)
            half_a, half_b = rows.lengths[a] // 2, columns.lengths[b] // 2
            longest = 2 * max(half_a.max(), half_b.max()) + 1
            # The class, because rapidfuzz before 3.13 knows no other form of a type.
            dtype: Any = np.min_scalar_type(longest).type
            half_a, half_b = half_a.astype(dtype), half_b.astype(dtype)
            step = max(1, _CHUNK // len(b))
            total = 0
            for start in range(0, len(a), step):
                part = slice(start, start + step)
                if part.stop * len(b) > MAX_PAIRS + _CHUNK:
                    raise TooLarge(f"{len(a)} times {len(b)} keys")
                common = cdist(
                    row_keys[part], column_keys, scorer=LCSseq.similarity, dtype=dtype
                )
                flat = np.flatnonzero(common > np.maximum.outer(half_a[part], half_b))
                total += len(flat)
                if total > MAX_SIMILAR:
                    raise TooLarge(f"more than {MAX_SIMILAR} pairs of similar keys")
                i, j = np.divmod(flat.astype(Int), Int(len(b)))
                i, j = a[part][i], b[j]
                found.append((i, j))
                share = common.ravel()[flat] / self._longer(i, j)
                self.best_total += Pairs(i, j, share).best_total()
                left = max(0, len(a) - part.stop)
                if self.best_total + left < needed:
                    self.best_total += left
                    break
        if len(found) == 1:
            return found[0]
        found.append((np.empty(0, dtype=Int),) * 2)
        i, j = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return i, j

    def _longer(self, i: Ints, j: Ints) -> Ints:
        longer: Ints = np.maximum(self._rows.lengths[i], self._columns.lengths[j])
        return longer


class _Side:
    """The keys of one table and their lengths."""

    def __init__(self, keys: Sequence[str], period: int) -> None:
        self.texts = np.empty(len(keys), dtype=object)
        self.texts[:] = keys
        self.period = period
        self.lengths = _lengths(keys)

    def near(self, other: _Side) -> Ints:
        """Which keys are of a length that one of the other side could be similar to."""
        near = (self.lengths < 2 * other.lengths.max()) & (
            2 * self.lengths > other.lengths.min()
        )
        return np.flatnonzero(near).astype(Int)

    def pick(self, positions: Ints) -> list[str]:
        picked: list[str] = self.texts[positions].tolist()
        return picked


def _lengths(texts: Sequence[str]) -> Ints:
    return np.fromiter(map(len, texts), Int, len(texts))
