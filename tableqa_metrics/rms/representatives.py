"""Which keys may be similar where many differ little, for TANQ's table metric.

Where most names of a table are alike (column 1, column 2), one key represents those that
differ in such a name alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .pairs import Int, Ints, all_apart, apart, text_lengths


# More pairs are not looked at, all at once.
_MANY_PAIRS: Final = 2**22


# Which pairs of some of the rows may be similar.
Possible = Callable[[slice], NDArray[np.bool_]]


class Side:
    """The keys of one table and their lengths."""

    def __init__(self, keys: Sequence[str], period: int) -> None:
        self.texts = np.empty(len(keys), dtype=object)
        self.texts[:] = keys
        self.period = period
        self.lengths = text_lengths(keys)

    def near(self, other: Side) -> Ints:
        """Which keys are of a length that one of the other side could be similar to."""
        near = (self.lengths < 2 * other.lengths.max()) & (
            2 * self.lengths > other.lengths.min()
        )
        return np.flatnonzero(near).astype(Int)

    def pick(self, positions: Ints) -> list[str]:
        picked: list[str] = self.texts[positions].tolist()
        return picked


def possible_pairs(
    rows: Side, columns: Side, a: Ints, b: Ints
) -> tuple[Ints, Possible | None]:
    """The columns that may be similar to any row, and which pairs of some rows may be.

    That is found out where most names of the columns' table are alike. Keys that
    differ in such a name alone are represented by one of them: a key is as far from
    each as it is from that one, less what lies between the two.
    """
    texts, period = columns.texts, columns.period
    lengths = rows.lengths[a][:, None], columns.lengths[b]
    if len(a) * len(b) > _MANY_PAIRS:
        return b, None
    place = np.arange(len(texts), dtype=Int)
    if period * period < len(texts):
        group = place % period
        one = _usual(columns, place[::period]) + place[:period]
    else:
        group = place // period
        one = group[::period] * period + _usual(columns, place[:period])
    one = np.minimum(one, Int(len(texts) - 1))
    sample = place[:: max(1, len(place) // 16)]
    unlike = np.sort(_apart(columns, sample, one[group[sample]]))[len(sample) // 2]
    usual = np.sort(columns.lengths)[len(texts) // 2]
    if 4 * len(one) > len(texts) or 4 * unlike > usual:
        return b, None
    far = 2 * all_apart(rows.pick(a), texts[one].tolist())
    between, group = 2 * _apart(columns, b, one[group[b]]), group[b]
    kept = ((far - lengths[0]).min(axis=0)[group] < between) | (
        far.min(axis=0)[group] < between + lengths[1]
    )
    group, between, others = group[kept], between[kept], lengths[1][kept]

    def possible(part: slice) -> NDArray[np.bool_]:
        distance = far[part][:, group] - between
        near: NDArray[np.bool_] = distance < np.maximum(lengths[0][part], others)
        return near

    return b[kept], possible


def _usual(columns: Side, some: Ints) -> int:
    """Which of some keys of the columns is nearest to the others, as a few show it."""
    few = some[len(some) // 10 :: max(1, len(some) // 5)]
    texts = columns.pick(few)
    between = all_apart(texts, texts)
    return int(few[between.sum(axis=1).argmin()])


def _apart(columns: Side, first: Ints, second: Ints) -> Ints:
    """The distances of keys of the columns, pair by pair."""
    return apart(columns.pick(first), columns.pick(second))
