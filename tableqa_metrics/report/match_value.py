"""What the value metric made of each cell of two tables (`value.pairing`)."""

from __future__ import annotations

from collections import defaultdict

from ..table import Table
from ..value.cells import Texts
from ..value.pairing import PairedCells, TablePairing, pair_tables
from .cells import (
    EXTRA_CELL,
    EXTRA_COLUMN,
    EXTRA_ROW,
    MATCH,
    MISSING_CELL,
    MISSING_COLUMN,
    MISSING_ROW,
    NOT_COUNTED,
    OTHER_NAME,
    PARTIAL,
    WRONG_ROW,
    Cell,
    Grid,
    Place,
    TableMatch,
)
from .diagnosis import why_unequal


def match_by_value(reference: Table, prediction: Table) -> TableMatch:
    """Say of each cell of two tables what `value_table_score` made of it.

    Examples
    --------
    >>> gold = Table(("entity", "opened"), (("Mill House", "5 May 2006"), ("Pier", "1987")))
    >>> guess = Table(("opened", "entity"), (("1988", "Pier"), ("2006-05-05", "mill house")))
    >>> match = match_by_value(gold, guess)
    >>> match.f1
    0.5
    >>> match.reference_cells[1, 1]
    Cell(status='match', partner=(2, 0), earned=1.0, counts=True)
    """
    pairing = pair_tables(reference, prediction)
    gold: Grid = (reference.header, *reference.rows)
    found: Grid = (prediction.header, *prediction.rows)
    return _Marking(gold, found, pairing).match()


class _Marking:
    """Goes from the rows, columns and cells that were paired to a mark on every cell.

    A place is (row, column) as the prediction was read; `_written` turns it back where
    that was with its lines as columns.
    """

    def __init__(self, gold: Grid, found: Grid, pairing: TablePairing) -> None:
        self._gold, self._found, self._pairing = gold, found, pairing
        self._golds: dict[Place, Cell] = {}
        self._founds: dict[Place, Cell] = {}
        self._texts = Texts()

    def match(self) -> TableMatch:
        self._mark_absent()
        self._mark_names()
        self._mark_cells()
        return TableMatch(
            self._gold,
            self._found,
            self._golds,
            self._founds,
            self._pairing.transposed,
        )

    def _mark_absent(self) -> None:
        """Mark every cell as if it had no partner; what has one is marked over."""
        pairing = self._pairing
        rows = {i for i, _, _ in pairing.rows}
        columns = {a for a, _, _ in pairing.columns}
        named = pairing.key is not None
        for i, row in enumerate(self._gold):
            for a in range(len(row)):
                counts = i > 0 and (a > 0 or not named)
                status = MISSING_ROW if i and i not in rows else MISSING_COLUMN
                if i in rows and a in columns:
                    status = MISSING_CELL
                self._golds[i, a] = Cell(status, counts=counts)
        rows = {j for _, j, _ in pairing.rows}
        columns = {b for _, b, _ in pairing.columns}
        for place in _places(self._found):
            j, b = self._written(place)
            counts = j > 0 and b != pairing.key
            status = EXTRA_ROW if j and j not in rows else EXTRA_COLUMN
            if j in rows and b in columns:
                status = EXTRA_CELL
            self._founds[place] = Cell(status, counts=counts)

    def _mark_names(self) -> None:
        pairing = self._pairing
        for a, b, likeness in pairing.columns:
            self._mark_name((0, a), (0, b), likeness)
        if pairing.key is None:
            return
        for i, j, likeness in pairing.rows:
            self._mark_name((i, 0), (j, pairing.key), likeness)
        # Headers may call the row names anything.
        for side, place in (
            (self._golds, (0, 0)),
            (self._founds, self._written((0, pairing.key))),
        ):
            if place in side:
                side[place] = NOT_COUNTED

    def _mark_name(self, gold: Place, read: Place, likeness: float) -> None:
        found = self._written(read)
        if gold in self._golds and found in self._founds:
            status = MATCH if likeness == 1.0 else OTHER_NAME
            self._golds[gold] = Cell(status, found, likeness, counts=False)
            self._founds[found] = Cell(status, gold, likeness, counts=False)

    def _mark_cells(self) -> None:
        below: defaultdict[int, list[int]] = defaultdict(list)
        for i, row in enumerate(self._gold[1:], 1):
            for a in range(len(row)):
                below[a].append(i)
        for pair in self._pairing.cells:
            (i, a), place = pair.reference, pair.prediction
            status = self._status(pair, below[a])
            self._golds[i, a] = Cell(status, place, pair.earned)
            self._founds[place] = Cell(status, (i, a), pair.earned)

    def _status(self, pair: PairedCells, rows: list[int]) -> str:
        if pair.agreement == 1.0:
            return MATCH if pair.earned == 1.0 else OTHER_NAME
        if pair.agreement:
            return PARTIAL
        (i, a), (j, b) = pair.reference, pair.prediction
        if not self._found[j][b].strip():
            return MISSING_CELL
        if not self._gold[i][a].strip():
            return EXTRA_CELL
        texts, gold, found = self._texts, self._gold[i][a], self._found[j][b]
        others = (self._gold[k][a] for k in rows if k != i)
        if any(texts.agreement(other, found) == 1.0 for other in others):
            return WRONG_ROW
        return why_unequal(texts[gold].value, texts[found].value)

    def _written(self, place: Place) -> Place:
        return place[::-1] if self._pairing.transposed else place


def _places(grid: Grid) -> list[Place]:
    return [(j, b) for j, row in enumerate(grid) for b in range(len(row))]
