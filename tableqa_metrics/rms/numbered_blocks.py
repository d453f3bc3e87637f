"""Keys of two tables whose row names, or whose headers, are numbered: Q1 2018, Q2 2018.

Pairs of numbered names of one kind (see `digits`) are compared once, with all other names
of both tables, which makes one block of distances. No digit of the other names may be
equal to one of the numbered ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from os.path import commonprefix
from typing import Final, NamedTuple

import numpy as np

from .digits import Kinds
from .named_keys import NamedKeys
from .pairs import TOGETHER, Floats, all_apart, costs


# How many edit distances at once cost what a call for them costs besides, and what it
# costs to look at a kind.
_CALL: Final = 256
_KIND: Final = 200
# In blocks no larger than this, kinds are not worth a second look.
_SMALL: Final = 256
_DIGIT: Final = re.compile(r"[0-9]")


class _Ends(NamedTuple):
    """A pair of names without so many characters that both begin or end with."""

    texts: tuple[str, str]
    shared: int = 0


def block_costs(
    rows: NamedKeys, columns: NamedKeys, axis: int, kinds: Kinds
) -> Floats | None:
    """`1 - similarity` of every first name with every second one, as keys.

    Numbered are the first (axis 0) or the second names of both sides, and pairs of them
    have these kinds. `None` where this does not pay.
    """
    sides = rows, columns
    pairs = rows.count * columns.count
    longest = max(side.lengths.max() for side in sides)
    if longest > TOGETHER or _KIND * int(kinds.max()) > pairs:
        return None
    others = [side.names[1 - axis] for side in sides]
    block = math.prod(map(len, others))
    _, places = np.unique(kinds, return_index=True)
    of_kind = [
        _Ends((rows.names[axis][i], columns.names[axis][j]))
        for i, j in zip(*np.divmod(places, kinds.shape[1]), strict=True)
    ]
    if block > _SMALL:
        numbers, of_kind = _without_shared_ends(of_kind, axis)
        kinds = numbers[kinds]
    if 2 * len(of_kind) * (block + _CALL) > pairs:
        return None
    found = np.empty((len(of_kind), *map(len, others)))
    for k, (ends, _) in enumerate(of_kind):
        keys = (
            [name + end if axis else end + name for name in names]
            for names, end in zip(others, ends, strict=True)
        )
        found[k] = all_apart(*keys)
    lengths = [
        np.add.outer([len(ends.texts[k]) + ends.shared for ends in of_kind], rest)
        for k, rest in enumerate(side.name_lengths[1 - axis] for side in sides)
    ]
    longer = np.maximum(lengths[0][:, :, None], lengths[1][:, None, :])
    costs(found, longer, out=found)
    matrix = np.empty(rows.lengths.shape + columns.lengths.shape)
    # A name of the rows at a time, in memory that is small and fast.
    for k, of_row in enumerate(kinds):
        if axis:
            matrix[:, k] = found[of_row].transpose(1, 2, 0)
        else:
            matrix[k] = found[of_row].swapaxes(0, 1)
    return matrix.reshape(rows.lengths.size, -1)


def _without_shared_ends(
    pairs: Sequence[_Ends], axis: int
) -> tuple[Kinds, list[_Ends]]:
    """Number the pairs of names that are of one kind without what both have in common.

    That is what both begin with (axis 0) or end with, on which no distance of their keys
    depends. Also returns what is left of one pair of each number.
    """
    number: dict[tuple[str, int], int] = {}
    found: list[_Ends] = []
    numbers = []
    for (first, second), _ in pairs:
        if axis:
            alike = len(commonprefix([first[::-1], second[::-1]]))
            left = first[: len(first) - alike], second[: len(second) - alike]
        else:
            alike = len(commonprefix([first, second]))
            left = first[alike:], second[alike:]
        both = "\n".join(left)
        # Digits by the order in which they come.
        digits = enumerate(dict.fromkeys(_DIGIT.findall(both)))
        kind = both.translate({ord(digit): str(k) for k, digit in digits}), alike
        if kind not in number:
            number[kind] = len(found)
            found.append(_Ends(left, alike))
        numbers.append(number[kind])
    return np.array(numbers), found
