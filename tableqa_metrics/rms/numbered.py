"""What all pairs of keys cost where names differ by numbers: episode 1, episode 2.

Of all pairs of keys that are the same but for their digits, and in which the same digits
are equal, one is compared (see `digits`), and the others are as far apart. Where names are
numbered that leaves one pair in a hundred. Where only row names are (or only headers),
pairs of them are told apart first, and those of one kind make a block of distances with
all headers (see `numbered_blocks`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .datapoints import Datapoints
from .digits import (
    MOST_BITS,
    Digits,
    Kinds,
    equal,
    kinds_of,
    numbered,
    pairs_of_texts,
    read,
)
from .distances import distances_of_pairs
from .named_keys import NamedKeys
from .numbered_blocks import block_costs
from .pairs import Floats, costs, text_lengths


_DIGIT: Final = re.compile(r"[0-9]")
# From so many pairs of keys on this pays, if so many times fewer are the pairs of names,
# the pairs of texts without digits, and the numbers of kinds.
_FEWEST_PAIRS: Final = 2**15
_FEWER_NAMES: Final = 8
_FEWER_TEXTS: Final = 8
_FEWER_KINDS: Final = 4
# How many edit distances at once cost what one costs by itself.
_ONE_BY_ONE: Final = 24
# Pairs that are looked at in one go, in memory that is small and fast.
_CHUNK: Final = 2**16


def may_pay(rows: Datapoints, columns: Datapoints) -> bool:
    """Whether names are numbered and pairs are many, at a glance."""
    return len(rows.cells) * len(columns.cells) >= _FEWEST_PAIRS and all(
        _DIGIT.search(" ".join(side.first)) or _DIGIT.search(" ".join(side.second))
        for side in (rows, columns)
    )


def cost_matrix(rows: NamedKeys, columns: NamedKeys) -> Floats | None:
    """`1 - similarity` of all keys of two tables, `None` where few are numbered."""
    sides = rows, columns
    pairs = rows.count * columns.count
    most = max(len(x) * len(y) for x in rows.names for y in columns.names)
    if _FEWER_NAMES * most > pairs:
        return None
    names = [[read(names) for names in side.names] for side in sides]
    if _FEWER_TEXTS * math.prod(n.different for side in names for n in side) > pairs:
        return None
    for axis in (0, 1):
        if not any(side[1 - axis].most for side in names):
            kinds_along = kinds_of(names[0][axis], names[1][axis])
            matrix = _in_blocks(rows, columns, axis, kinds_along)
            if matrix is not None:
                return matrix
    kinds = _kinds(names, pairs)
    if kinds is None:
        return None
    # Where no digits of first names may be equal to those of second ones.
    if not kinds[1].any() and not kinds[2].any():
        axis = int(kinds[0].size < kinds[3].size)
        matrix = _in_blocks(rows, columns, axis, kinds[3 * axis])
        if matrix is not None:
            return matrix
        if _ONE_BY_ONE * _number(kinds) > pairs:
            return None
    code = _of_points(_codes(kinds), sides)
    return _looked_up(code, list(rows.points.cells), list(columns.points.cells))


def _in_blocks(
    rows: NamedKeys, columns: NamedKeys, axis: int, kinds: Kinds | None
) -> Floats | None:
    matrix = None if kinds is None else block_costs(rows, columns, axis, kinds)
    return None if matrix is None else _of_points(matrix, (rows, columns))


def _kinds(names: Sequence[Sequence[Digits]], pairs: int) -> list[Kinds] | None:
    """Numbers for pairs of names, so that keys of the same four are equally far apart.

    First and second names of the rows, each with those of the columns.
    """
    if math.prod(max(n.most for n in side) for side in names) > MOST_BITS:
        return None
    # Only what stands in the same place has texts to compare.
    both = list(product(*names))
    tables: dict[int, Kinds] = {}
    # Few names soonest show that kinds are many.
    for k in sorted(range(4), key=lambda k: math.prod(len(n.texts) for n in both[k])):
        texts = pairs_of_texts(*both[k]) if k in {0, 3} else None
        tables[k] = numbered(equal(*both[k]), texts)
        if _FEWER_KINDS * _number(tables.values()) > pairs:
            return None
    return [tables[k] for k in range(4)]


def _number(kinds: Iterable[Kinds]) -> int:
    """How many kinds of pairs of keys there are at most."""
    return math.prod(int(table.max()) + 1 for table in kinds)


def _codes(kinds: Sequence[Kinds]) -> Kinds:
    """A number for each pair of keys: those of one number are equally far apart."""
    sizes = [int(table.max()) + 1 for table in kinds]
    of_x = kinds[0][:, :, None] * sizes[1] + kinds[1][:, None, :]
    of_y = kinds[2][:, :, None] * sizes[3] + kinds[3][:, None, :]
    of_x *= sizes[2] * sizes[3]
    kind = np.min_scalar_type(math.prod(sizes))
    code: Kinds = of_x.astype(kind)[:, None] + of_y.astype(kind)
    return code.reshape(of_x.shape[0] * of_y.shape[0], -1)


def _of_points(table: NDArray[Any], sides: tuple[NamedKeys, NamedKeys]) -> NDArray[Any]:
    """A table of every first name with every second name as one of datapoints."""
    for axis, side in enumerate(sides):
        places = side.places.ravel()
        if not np.array_equal(places, np.arange(side.count)):
            grid = np.empty(side.count, np.intp)
            present = np.flatnonzero(places >= 0)
            grid[places[present]] = present
            table = table.take(grid, axis)
    return table


def _looked_up(
    code: Kinds, rows: Sequence[str], columns: Sequence[str]
) -> Floats | None:
    """The costs by kind of pair, for which one pair of each kind is compared."""
    flat = code.ravel()
    parts = [slice(k, k + _CHUNK) for k in range(0, len(flat), _CHUNK)]
    # The place of a pair of each kind.
    place = np.full(int(flat.max()) + 1, -1)
    for part in parts:
        # Of this type and with one axis, which is twice as fast.
        kinds = flat[part].astype(np.intp)
        place[kinds] = np.arange(part.start, part.start + len(kinds))
    kinds = np.flatnonzero(place >= 0)
    if len(kinds) * _ONE_BY_ONE > len(flat):
        return None
    i, j = np.divmod(place[kinds], len(columns))
    longer = np.maximum(text_lengths(rows)[i], text_lengths(columns)[j])
    texts = [rows[k] for k in i.tolist()], [columns[k] for k in j.tolist()]
    table = np.ones(len(place))
    table[kinds] = costs(distances_of_pairs(*texts, longer), longer)
    matrix = np.empty(len(flat))
    for part in parts:
        np.take(table, flat[part], out=matrix[part], mode="clip")
    return matrix.reshape(code.shape)
