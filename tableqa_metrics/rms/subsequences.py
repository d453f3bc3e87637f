"""Longest common subsequences of keys, which bound their similarity.

For TANQ's table metric; see `search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from .pairs import Distances, Ints, all_apart
from .representatives import Possible, Side


class Subsequences:
    """Longest common subsequences of some keys of the rows and some of the columns."""

    def __init__(
        self, rows: Side, columns: Side, a: Ints, b: Ints, possible: Possible | None
    ) -> None:
        self.a, self.b, self._possible = a, b, possible
        self._keys = rows.pick(a), columns.pick(b)
        lengths = rows.lengths[a], columns.lengths[b]
        longest = max(int(side.max()) for side in lengths)
        self._type: Any = np.min_scalar_type(longest).type
        self._halves = [(side // 2).astype(self._type) for side in lengths]
        # Half the size of doubles; what is compared with sums of them has a margin.
        self._floats = [side.astype(np.float32) for side in lengths]

    def of(self, part: slice) -> Distances:
        """Their lengths, of some of the rows."""
        rows, columns = self._keys
        return all_apart(rows[part], columns, self._type, LCSseq.similarity)

    def near(self, part: slice, common: Distances) -> NDArray[np.bool_]:
        """Whether they are longer than half of the longer key, where that is possible."""
        rows, columns = self._halves
        near: NDArray[np.bool_] = common > np.maximum.outer(rows[part], columns)
        if self._possible is not None:
            near &= self._possible(part)
        return near

    def share(self, part: slice, common: Distances) -> NDArray[Any]:
        """Which share of the longer key they are."""
        rows, columns = self._floats
        share: NDArray[Any] = common / np.maximum.outer(rows[part], columns)
        return share
