"""What all pairs of keys cost where names differ by numbers: episode 1, episode 2.

An edit distance depends on nothing but which characters of two texts are equal. So of all
pairs of keys that are the same but for their digits, and in which the same digits are
equal, one is compared, and the others are as far apart. Where names are numbered that
leaves one pair in a hundred. Where only row names are (or only headers), pairs of them are
told apart first: those of one kind, with all headers, make one block of distances.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .datapoints import Datapoints
from .distances import distances_of_pairs
from .named_keys import NamedKeys
from .pairs import TOGETHER, Floats, all_apart, costs, text_lengths


_DIGITS: Final = str.maketrans("123456789", "000000000")
_DIGIT: Final = re.compile(r"[0-9]")
_NO_DIGITS: Final = re.compile(r"[^0-9\n]+")
# From so many pairs of keys on this pays, if so many times fewer are the pairs of names,
# the pairs of texts without digits, and the numbers of kinds.
_FEWEST_PAIRS: Final = 2**15
_FEWER_NAMES: Final = 8
_FEWER_TEXTS: Final = 8
_FEWER_KINDS: Final = 4
# How many edit distances at once cost what one costs by itself, and what a call for them
# costs besides.
_ONE_BY_ONE: Final = 24
_CALL: Final = 256
# Which of so many pairs of digits are equal fits into an integer.
_MOST_BITS: Final = 40
# Pairs that are looked at in one go, in memory that is small and fast.
_CHUNK: Final = 2**16


# Numbers of kinds, which bound their type.
_Kinds = NDArray[Any]


class _Names(NamedTuple):
    """Which text without digits each name is, of so many, and a row of its digits."""

    texts: NDArray[np.intp]
    different: int
    digits: NDArray[np.uint32]


def cost_matrix(rows: NamedKeys, columns: NamedKeys) -> Floats | None:
    """`1 - similarity` of all keys of two tables, `None` where few are numbered."""
    sides = rows, columns
    pairs = rows.count * columns.count
    most = max(len(x) * len(y) for x in rows.names for y in columns.names)
    if _FEWER_NAMES * most > pairs:
        return None
    names = [[_read(names) for names in side.names] for side in sides]
    if _FEWER_TEXTS * math.prod(n.different for side in names for n in side) > pairs:
        return None
    kinds = _kinds(names, pairs)
    if kinds is None:
        return None
    # Where no digits of first names may be equal to those of second ones.
    if not kinds[1].any() and not kinds[2].any():
        matrix = _block_costs(rows, columns, kinds)
        if matrix is not None:
            return _of_points(matrix, sides)
        if _ONE_BY_ONE * _number(kinds) > pairs:
            return None
    code = _of_points(_codes(kinds), sides)
    return _looked_up(code, list(rows.points.cells), list(columns.points.cells))


def may_pay(rows: Datapoints, columns: Datapoints) -> bool:
    """Whether names are numbered and pairs are many, at a glance."""
    return len(rows.cells) * len(columns.cells) >= _FEWEST_PAIRS and all(
        _DIGIT.search(" ".join(side.first)) or _DIGIT.search(" ".join(side.second))
        for side in (rows, columns)
    )


def _read(names: Sequence[str]) -> _Names:
    # A name is a part of a line.
    joined = "\n".join(names)
    place: dict[str, int] = {}
    texts = [
        place.setdefault(text, len(place))
        for text in joined.translate(_DIGITS).split("\n")
    ]
    digits = _NO_DIGITS.sub("", joined).split("\n")
    most = max(map(len, digits))
    table = np.array(digits, f"U{max(1, most)}").view(np.uint32)
    return _Names(np.array(texts), len(place), table.reshape(len(names), -1)[:, :most])


def _kinds(names: Sequence[Sequence[_Names]], pairs: int) -> list[_Kinds] | None:
    """Numbers for pairs of names, so that keys of the same four are equally far apart.

    First and second names of the rows, each with those of the columns.
    """
    widths = [max(n.digits.shape[1] for n in side) for side in names]
    if math.prod(widths) > _MOST_BITS:
        return None
    # Only what stands in the same place has texts to compare.
    both = list(product(*names))
    tables: dict[int, _Kinds] = {}
    # Few names soonest show that kinds are many.
    for k in sorted(range(4), key=lambda k: math.prod(len(n.texts) for n in both[k])):
        texts = _texts(*both[k]) if k in {0, 3} else None
        tables[k] = _numbered(_equal(*both[k]), texts)
        if _FEWER_KINDS * _number(tables.values()) > pairs:
            return None
    return [tables[k] for k in range(4)]


def _number(kinds: Iterable[_Kinds]) -> int:
    """How many kinds of pairs of keys there are at most."""
    return math.prod(int(table.max()) + 1 for table in kinds)


def _codes(kinds: Sequence[_Kinds]) -> _Kinds:
    """A number for each pair of keys: those of one number are equally far apart."""
    sizes = [int(table.max()) + 1 for table in kinds]
    of_x = kinds[0][:, :, None] * sizes[1] + kinds[1][:, None, :]
    of_y = kinds[2][:, :, None] * sizes[3] + kinds[3][:, None, :]
    of_x *= sizes[2] * sizes[3]
    kind = np.min_scalar_type(math.prod(sizes))
    code: _Kinds = of_x.astype(kind)[:, None] + of_y.astype(kind)
    return code.reshape(of_x.shape[0] * of_y.shape[0], -1)


def _block_costs(
    rows: NamedKeys, columns: NamedKeys, kinds: Sequence[_Kinds]
) -> Floats | None:
    """The costs of keys, those of the same two numbered names computed at once.

    All other names are paired with each other; `None` where it does not pay.
    """
    axis = int(kinds[0].size < kinds[3].size)
    numbered, others = kinds[3 * axis], kinds[3 - 3 * axis]
    longest = max(rows.lengths.max(), columns.lengths.max())
    total = int(numbered.max()) + 1
    distances = total * (others.size + _CALL)
    if longest > TOGETHER or 2 * distances > rows.count * columns.count:
        return None
    _, places = np.unique(numbered, return_index=True)
    i, j = np.divmod(places, numbered.shape[1])
    texts, lengths = (
        [table.swapaxes(0, axis)[k] for table, k in zip(tables, (i, j), strict=True)]
        for tables in ((rows.texts, columns.texts), (rows.lengths, columns.lengths))
    )
    found = np.empty((total, *others.shape))
    for k, (some, other) in enumerate(zip(*texts, strict=True)):
        found[k] = all_apart(some.tolist(), other.tolist())
    longer = np.maximum(lengths[0][:, :, None], lengths[1][:, None, :])
    costs(found, longer, out=found)
    # A name of the rows at a time, in memory that is small and fast.
    matrix = np.empty(rows.lengths.shape + columns.lengths.shape)
    for k, kind in enumerate(numbered):
        block = found[kind]
        if axis:
            matrix[:, k] = block.transpose(1, 2, 0)
        else:
            matrix[k] = block.swapaxes(0, 1)
    return matrix.reshape(len(rows.keys), -1)


def _texts(first: _Names, second: _Names) -> _Kinds:
    pairs: _Kinds = np.add.outer(first.texts * second.different, second.texts)
    return pairs


def _equal(first: _Names, second: _Names) -> _Kinds:
    """A bit for each digit of the first and each of the second, 1 if they are equal."""
    bits = np.zeros((len(first.digits), len(second.digits)), np.int64)
    for digits in first.digits.T:
        # Where there is no digit, one side has a 0 and the other a 1.
        for others in np.maximum(second.digits.T, 1):
            bits *= 2
            bits += np.equal.outer(digits, others)
    return bits


def _numbered(bits: _Kinds, texts: _Kinds | None = None) -> _Kinds:
    """The different values by number."""
    if texts is not None:
        bits = bits * (int(texts.max()) + 1) + texts
    number: _Kinds
    if bits.max() >= _CHUNK:
        _, number = np.unique(bits, return_inverse=True)
        return number.reshape(bits.shape)
    seen = np.zeros(int(bits.max()) + 1, np.bool_)
    seen[bits.ravel()] = True
    number = np.cumsum(seen) - 1
    return number[bits]


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
    code: _Kinds, rows: Sequence[str], columns: Sequence[str]
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
