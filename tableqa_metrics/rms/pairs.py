"""Pairs of keys and what they cost, for TANQ's table metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist


# Half the size of numpy's own, which is half the time of whatever is fresh memory.
Int: Final = np.int32
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
# Of a type that the longest text decides.
Distances = NDArray[Any]
# Up to this length, rapidfuzz compares several texts at once.
TOGETHER: Final = 64


@dataclass(frozen=True)
class Pairs:
    """Pairs (row, column), each with a similarity or with what it is at most."""

    rows: Ints
    columns: Ints
    similarity: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, which: Any) -> Pairs:
        """Some of the pairs, by position or by a truth value each."""
        return Pairs(self.rows[which], self.columns[which], self.similarity[which])

    def best_total(self, weights: Floats | None = None) -> float:
        """The sum over the rows of the greatest similarity, each times its weight.

        No assignment has a greater sum.
        """
        if not len(self):
            return 0.0
        similarity = self.similarity if weights is None else self.similarity * weights
        first = self.rows.min()
        best = np.zeros(int(self.rows.max() - first) + 1)
        np.maximum.at(best, self.rows - first, similarity)
        return float(best.sum())


def joined(parts: Sequence[Pairs]) -> Pairs:
    """All pairs of several lists."""
    if len(parts) == 1:
        return parts[0]
    nowhere = np.empty(0, Int)
    return Pairs(
        np.concatenate([nowhere, *(pairs.rows for pairs in parts)]),
        np.concatenate([nowhere, *(pairs.columns for pairs in parts)]),
        np.concatenate([np.empty(0), *(pairs.similarity for pairs in parts)]),
    )


def text_lengths(texts: Sequence[str]) -> Ints:
    """How many characters each text has."""
    return np.fromiter(map(len, texts), Int, len(texts))


def apart(
    first: Sequence[str], second: Sequence[str], scorer: Any = Levenshtein.distance
) -> Ints:
    """How far apart texts are pair by pair, or how alike, by a scorer of rapidfuzz."""
    found: Ints = cpdist(first, second, scorer=scorer, dtype=Int)
    return found


def all_apart(
    rows: Sequence[str],
    columns: Sequence[str],
    dtype: Any = Int,
    scorer: Any = Levenshtein.distance,
) -> Distances:
    """How far apart each text is from each other one, or how alike.

    The type must hold the length of the longest text. It is a class, because rapidfuzz
    before 3.13 knows no other form of one.
    """
    found: Distances = cdist(rows, columns, scorer=scorer, dtype=dtype)
    return found


def costs(distance: Distances, longer: Distances, out: Floats | None = None) -> Floats:
    """`1 - similarity` of keys so far apart, of which the longer one is so long."""
    found: Floats = np.divide(distance, longer, out=out)
    unlike = found >= 0.5
    # Twice, since the released script takes the distance from 1, and that again from 1.
    np.subtract(1.0, found, out=found)
    np.subtract(1.0, found, out=found)
    return np.maximum(found, unlike, out=found)
