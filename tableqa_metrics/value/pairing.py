"""The pairing of columns, rows and cells behind `tableqa_metrics.value.table`.

Its docstring defines what is paired; here is how, within bounds on time and memory.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

from ..table import PRF, Table
from .assignment import Gains, assign
from .cells import Text, Texts
from .layout import Place, Turned, Upright
from .names import equal_names, like_names, same_names


# Where there are more pairs of rows (or of columns) than this, only those are looked at
# whose names are the same, the first ones that keep to this bound. Rows that are equal
# cell by cell are paired before.
MAX_PAIRS: Final = 2**18

# Equally good pairings of rows differ by their names, such pairings of columns by the
# cells that they share, then by their order.
_BY_NAME: Final = 1e-9
_BY_SHARED_CELLS: Final = 1e-6
_BY_ORDER: Final = 1e-9


class PairedCells(NamedTuple):
    """Two cells that were compared; a tuple, which is made faster than other objects.

    Parameters
    ----------
    reference, prediction
        Where each stands: a line, of which the header is line 0, and a cell in it, as
        written.
    agreement
        How far the cells agree, from 0 to 1.
    earned
        The same times the agreement of the names of their row and column.
    """

    reference: Place
    prediction: Place
    agreement: float
    earned: float


@dataclass(frozen=True)
class TablePairing:
    """How two tables were compared.

    Parameters
    ----------
    transposed
        Whether the prediction was read with its lines as columns.
    columns, rows
        Pairs of a column (row) of the reference and one of the prediction as it was
        read, with the agreement of their names, from 0 to 1. The header is row 0, and
        is not among the rows; nor is the key column among the columns.
    key
        The predicted column of row names; `None` where the cells of a one-column table
        were compared, and where there is no such column.
    cells
        The cells of these rows and columns that both tables have.
    wanted, given
        How many cells of the reference and of the prediction count.
    """

    transposed: bool
    columns: tuple[tuple[int, int, float], ...]
    rows: tuple[tuple[int, int, float], ...]
    key: int | None
    cells: tuple[PairedCells, ...]
    wanted: int
    given: int

    @cached_property
    def score(self) -> PRF:
        """Precision, recall and F1, all 0 where nothing was earned."""
        total = sum(pair.earned for pair in self.cells)
        if not total:
            return PRF(0.0, 0.0, 0.0)
        f1 = 2 * total / (self.given + self.wanted)
        return PRF(total / self.given, total / self.wanted, f1)


def pair_tables(reference: Table, prediction: Table) -> TablePairing:
    """Pair the columns, rows and cells of two tables as `value_table_score` does.

    Examples
    --------
    >>> gold = Table(("entity", "opened"), (("Mill House", "2006"), ("Pier", "1987")))
    >>> pairing = pair_tables(gold, Table(("opened", "entity"), (("1988", "Pier"),)))
    >>> pairing.rows, pairing.columns, pairing.wanted, pairing.given
    (((2, 1, 1.0),), ((1, 0, 1.0),), 2, 1)
    >>> pairing.cells
    (PairedCells(reference=(2, 1), prediction=(1, 0), agreement=0.0, earned=0.0),)
    """
    texts = Texts()
    pairing = _best_pairing(reference, prediction, texts)
    if all(texts[cell].blank for row in reference.rows for cell in row):
        # of a table that says nothing, nothing can be right
        return replace(pairing, cells=())
    return pairing


def _best_pairing(reference: Table, prediction: Table, texts: Texts) -> TablePairing:
    gold = Upright([reference.header, *reference.rows], texts)
    lines = [prediction.header, *prediction.rows]
    upright = _Comparison(gold, Upright(lines, texts), texts)
    if upright.by_same_names.score.f1 == 1.0:
        return upright.by_same_names
    turned = _Comparison(gold, Turned(lines, texts), texts)
    if not turned.columns or upright.most > turned.most:
        return upright.pairing
    if turned.most > upright.most:
        return turned.pairing
    return max(upright.pairing, turned.pairing, key=lambda p: p.score.f1)


class _Comparison:
    """The reference and one reading of the prediction."""

    def __init__(self, gold: Upright, found: Upright, texts: Texts) -> None:
        self._gold, self._found, self._texts = gold, found, texts
        self._alone = gold.width == 1
        self.columns, self._key = self._pair_columns()
        wanted = [a for a, _, _ in self.columns]
        given = [b for _, b, _ in self.columns]
        self._golds = gold.named_rows(0 if self.columns else None, wanted)
        self._others = found.named_rows(self._key if self.columns else None, given)
        pairs = len(self._golds.names) * len(self._others.names)
        self._many = pairs > MAX_PAIRS
        self._compared = list(
            zip(self._golds.columns, self._others.columns, self.columns, strict=True)
        )

    @cached_property
    def most(self) -> float:
        """What names that agree could earn at most."""
        weights = sum(weight for _, _, weight in self.columns)
        return weights * sum(max(row.values(), default=0.0) for row in self._near)

    @cached_property
    def pairing(self) -> TablePairing:
        same = self.by_same_names
        fewer = min(len(self._golds.names), len(self._others.names))
        best = fewer * sum(weight for _, _, weight in self.columns)
        if self._many or sum(pair.earned for pair in same.cells) >= best:
            return same
        return self._pair(self._near)

    @cached_property
    def by_same_names(self) -> TablePairing:
        """The pairing of rows whose names are the same; equal rows come first."""
        golds, others = self._golds.names, self._others.names
        equal: defaultdict[tuple[Text | None, ...], list[int]] = defaultdict(list)
        for j, row in enumerate(zip(others, *self._others.columns, strict=True)):
            equal[row].append(j)
        near: list[dict[int, float]] = []
        for row in zip(golds, *self._golds.columns, strict=True):
            near.append({equal[row].pop(): 1.0} if equal.get(row) else {})
        taken = {j for row in near for j in row}
        left = [i for i, row in enumerate(near) if not row]
        free = [j for j in range(len(others)) if j not in taken]
        if left and free:
            most = max(1, MAX_PAIRS // len(left))
            names = [golds[i] for i in left], [others[j] for j in free]
            for i, same in zip(left, same_names(*names, most), strict=True):
                near[i] = {free[j]: agreement for j, agreement in same.items()}
        return self._pair(near)

    @cached_property
    def _near(self) -> Gains:
        """Which rows may be paired, with the agreement of their names."""
        golds, others = self._golds.names, self._others.names
        if self._many:
            return same_names(golds, others, max(1, MAX_PAIRS // len(golds)))
        if self._alone:
            return [dict.fromkeys(range(len(others)), 1.0) for _ in golds]
        return like_names(golds, others)

    def _pair(self, near: Gains) -> TablePairing:
        pairs = self._pair_rows(near)
        lines = self._golds.lines, self._others.lines
        cells = []
        for golds, others, (a, b, weight) in self._compared:
            agreement = self._agreement_below(a, b)
            for i, j in pairs:
                gold, other = golds[i], others[j]
                if gold is not None and other is not None:
                    agreed = agreement(gold, other)
                    place = self._found.place(lines[1][j], b)
                    earned = near[i][j] * weight * agreed
                    cells.append(PairedCells((lines[0][i], a), place, agreed, earned))
        return TablePairing(
            transposed=self._found.turned,
            columns=tuple(self.columns),
            rows=tuple((lines[0][i], lines[1][j], near[i][j]) for i, j in pairs),
            key=None if self._alone else self._key,
            cells=tuple(cells),
            wanted=self._gold.count(None if self._alone else 0),
            given=self._found.count(None if self._alone else self._key),
        )

    def _pair_rows(self, near: Gains) -> list[tuple[int, int]]:
        if all(len(row) < 2 for row in near):
            only = [(i, j) for i, row in enumerate(near) for j in row]
            if len({j for _, j in only}) == len(only):
                return only  # there is no choice
        gains = [{j: _BY_NAME * name for j, name in row.items()} for row in near]
        for golds, others, (a, b, weight) in self._compared:
            agreement = self._agreement_below(a, b)
            for gold, row, gained in zip(golds, near, gains, strict=True):
                if gold is None:
                    continue
                for j, likeness in row.items():
                    other = others[j]
                    if other is not None:
                        gained[j] += likeness * weight * agreement(gold, other)
        return [(i, j) for i, j in enumerate(assign(gains)) if j is not None]

    def _agreement_below(self, a: int, b: int) -> Callable[[Text, Text], float]:
        headers = self._gold.header, self._found.header
        # a ragged row may reach beyond the header
        if a < len(headers[0]) and b < len(headers[1]):
            pair = headers[0][a], headers[1][b]
            if pair[0].remark or pair[1].remark:
                return partial(self._texts.agreement_below, pair)
        return self._texts.agreement

    def _pair_columns(self) -> tuple[list[tuple[int, int, float]], int | None]:
        """Return the pairs of columns without the key, and the predicted key column."""
        golds, others = self._gold.header, self._found.header
        if equal := equal_names(golds, others):
            near = equal  # nothing else gains as much
        elif len(golds) * len(others) > MAX_PAIRS:
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
        self._prefer_shared_cells(gains)
        pairs = {i: j for i, j in enumerate(assign(gains)) if j is not None}
        key = pairs.pop(0, None)
        if key is None:
            key = self._guess_key(set(pairs.values()))
        if key is None:
            return [], None
        if self._alone:
            return [(0, key, 1.0)], key
        return [(i, j, near[i][j]) for i, j in pairs.items()], key

    def _guess_key(self, taken: set[int]) -> int | None:
        left = [j for j in range(len(self._found.header)) if j not in taken]
        if len(left) < 2:
            return left[0] if left else None
        wanted = {text.value for text in self._gold.column(0) if text is not None}
        counts = Counter(
            column
            for column, cell in self._found.cells()
            if column not in taken and self._texts[cell].value in wanted
        )
        return max(left, key=lambda j: (counts[j], -j))

    def _prefer_shared_cells(self, gains: Sequence[dict[int, float]]) -> None:
        """Where headers are equal, raise what columns gain by the cells they share."""
        header = self._gold.header, self._found.header
        if all(len({text.value for text in side}) == len(side) for side in header):
            return
        golds = [self._gold.column(i) for i in range(len(gains))]
        names = self._gold.column(0)
        keys = max(gains[0], key=gains[0].__getitem__, default=0) if gains else 0
        size = sum(map(len, gains)) * (len(names) + 1)
        if size > MAX_PAIRS:
            return
        others = self._found.column(keys)
        for i, row in enumerate(gains):
            wanted = Counter(_values(names, golds[i]))
            for j in row:
                shared = wanted & Counter(_values(others, self._found.column(j)))
                row[j] += _BY_SHARED_CELLS * shared.total() / (len(names) + 1)


def _values(
    names: Sequence[Text | None], cells: Sequence[Text | None]
) -> Iterator[object]:
    for name, cell in zip(names, cells, strict=True):
        yield name and name.value, cell and cell.value
