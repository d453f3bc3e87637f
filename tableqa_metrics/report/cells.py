"""What a metric made of each cell of two tables.

The scores are those of `tableqa_metrics.value.table`, `rms` and `cell_f1`. Here the
pairing that such a score comes from is written down cell by cell, so that it can be
shown. What the cells earned adds up to the F1 of the metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


Grid = tuple[tuple[str, ...], ...]
Place = tuple[int, int]  # row and column in a grid, whose row 0 is the header

# What became of a cell.
MATCH: Final = "match"
PARTIAL: Final = "partial"  # paired, and worth something between 0 and 1
OTHER_NAME: Final = "other_name"  # right, under a row or column name that differs
WRONG_VALUE: Final = "wrong_value"
WRONG_SIGN: Final = "wrong_sign"
WRONG_SCALE: Final = "wrong_scale"
WRONG_ROW: Final = "wrong_row"  # the value that another row of the reference has there
MISSING_ROW: Final = "missing_row"
MISSING_COLUMN: Final = "missing_column"
MISSING_CELL: Final = "missing_cell"
EXTRA_ROW: Final = "extra_row"
EXTRA_COLUMN: Final = "extra_column"
EXTRA_CELL: Final = "extra_cell"
UNCOUNTED: Final = "uncounted"


@dataclass(frozen=True)
class Cell:
    """What a metric made of one cell.

    Parameters
    ----------
    status
        One of the constants of this module.
    partner
        Where the cell that it was paired with stands on the other side, or `None`.
    earned
        What the cell earned, from 0 to 1.
    counts
        Whether it is one of the cells whose earnings are added up; a row name is not.
    """

    status: str
    partner: Place | None = None
    earned: float = 0.0
    counts: bool = True


NOT_COUNTED: Final = Cell(UNCOUNTED, counts=False)


@dataclass(frozen=True)
class TableMatch:
    """Two tables as a metric read them, and what it made of each of their cells.

    Parameters
    ----------
    reference, prediction
        The cells as text, ragged as they are, the header first.
    reference_cells, prediction_cells
        By place; a place that is not there is of a cell that does not count.
    transposed
        Whether the prediction earned more with its rows read as columns.
    """

    reference: Grid
    prediction: Grid
    reference_cells: Mapping[Place, Cell]
    prediction_cells: Mapping[Place, Cell]
    transposed: bool = False

    @property
    def f1(self) -> float:
        """The F1 that the cells add up to, in [0, 1]."""
        cells = self._counted()
        return sum(cell.earned for cell in cells) / len(cells) if cells else 0.0

    def losses(self) -> dict[str, float]:
        """Return what was lost, by status; the parts add up to 1 - F1."""
        cells = self._counted()
        lost: dict[str, float] = {}
        for cell in cells:
            if cell.earned < 1.0:
                part = (1.0 - cell.earned) / len(cells)
                lost[cell.status] = lost.get(cell.status, 0.0) + part
        return lost

    def _counted(self) -> list[Cell]:
        sides = (self.reference_cells, self.prediction_cells)
        return [cell for side in sides for cell in side.values() if cell.counts]
