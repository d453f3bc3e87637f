"""Which columns of two tables are paired, and which predicted one holds the row names.

For `tableqa_metrics.value.pairing`; the docstring of `tableqa_metrics.value.table` defines
it. Columns are paired by their headers, and where these are equal by what they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from .assignment import assign
from .cells import Texts
from .layout import Column, Upright
from .names import (
    MAX_PAIRS,
    differ,
    equal_names,
    like_names,
    same_names,
    same_whole,
)


# A column of the reference, one of the prediction, and how far their headers agree.
PairedColumns = list[tuple[int, int, float]]

# Equally good pairings differ by the headers that are the same with their remark, then by
# the cells that columns share, then by their order.
_BY_WHOLE_HEADER: Final = 1e-5
_BY_SHARED_CELLS: Final = 1e-8
_BY_ORDER: Final = 1e-11


def pair_columns(
    gold: Upright, found: Upright, texts: Texts
) -> tuple[PairedColumns, int | None]:
    """Return the pairs of columns without the key, and the predicted key column.

    Of a reference of one column, that one is paired, since it has no key.
    """
    pairs, key = _pairs_with_key(gold, found, texts)
    if key is None:
        return [], None
    return ([(0, key, 1.0)] if gold.width == 1 else pairs), key


def _pairs_with_key(
    gold: Upright, found: Upright, texts: Texts
) -> tuple[PairedColumns, int | None]:
    golds, others = gold.header, found.header
    if equal := equal_names(golds, others):
        # nothing else gains as much
        return [(i, j, 1.0) for i, j in enumerate(equal) if i], equal[0]
    if len(golds) * len(others) > MAX_PAIRS:
        most = max(1, MAX_PAIRS // len(golds))
        near = same_names(golds, others, most, scales=True)
    else:
        near = like_names(golds, others, scales=True)
    gains = [
        {
            j: likeness + _BY_ORDER * (1 - abs(i - j) / (len(golds) + len(others)))
            for j, likeness in row.items()
        }
        for i, row in enumerate(near)
    ]
    only = [j for row in gains if len(row) == 1 for j in row]
    if len(set(only)) < sum(map(len, gains)):  # else there is no choice
        _prefer_whole_headers(gains, gold, found)
        _prefer_shared_cells(gains, gold, found, texts)
    pairs = {i: j for i, j in enumerate(assign(gains)) if j is not None}
    key = pairs.pop(0, None)
    if key is None:
        key = _guess_key(set(pairs.values()), gold, found, texts)
    return [(i, j, near[i][j]) for i, j in pairs.items()], key


def _guess_key(
    taken: set[int], gold: Upright, found: Upright, texts: Texts
) -> int | None:
    left = [j for j in range(len(found.header)) if j not in taken]
    if len(left) < 2:
        return left[0] if left else None
    wanted = {texts[name].value for name in gold.column(0) if name is not None}
    counts = Counter(
        column
        for column, cell in found.cells()
        if column not in taken and texts[cell].value in wanted
    )
    return max(left, key=lambda j: (counts[j], -j))


def _prefer_whole_headers(
    gains: Sequence[dict[int, float]], gold: Upright, found: Upright
) -> None:
    """Raise what headers gain that are the same with their remarks."""
    for header, row in zip(gold.header, gains, strict=True):
        for j in row:
            if same_whole(header, found.header[j]):
                row[j] += _BY_WHOLE_HEADER


def _prefer_shared_cells(
    gains: Sequence[dict[int, float]], gold: Upright, found: Upright, texts: Texts
) -> None:
    """Where headers are equal, raise what columns gain by the cells they share."""
    if differ(gold.header) and differ(found.header):
        return
    names = gold.column(0)
    keys = max(gains[0], key=gains[0].__getitem__, default=0) if gains else 0
    if sum(map(len, gains)) * (len(names) + 1) > MAX_PAIRS:
        return
    others = found.column(keys)
    for i, row in enumerate(gains):
        wanted = Counter(_values(names, gold.column(i), texts))
        for j in row:
            shared = wanted & Counter(_values(others, found.column(j), texts))
            row[j] += _BY_SHARED_CELLS * shared.total() / (len(names) + 1)


def _values(names: Column, cells: Column, texts: Texts) -> Iterator[object]:
    for name, cell in zip(names, cells, strict=True):
        yield (
            name if name is None else texts[name].value,
            cell if cell is None else texts[cell].value,
        )
