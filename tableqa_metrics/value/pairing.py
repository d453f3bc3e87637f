"""The pairing of columns, rows and cells behind `tableqa_metrics.value.table`.

Its docstring defines what is paired; here is how the prediction is read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from ..table import PRF, Table
from .cells import Texts, is_blank
from .comparison import Comparison, PairedRows, score_of
from .layout import Place, Turned, Upright


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

    @property
    def score(self) -> PRF:
        """Precision, recall and F1, all 0 where nothing was earned."""
        return score_of([pair.earned for pair in self.cells], self.wanted, self.given)


def score_tables(reference: Table, prediction: Table) -> PRF:
    """Return the score of `pair_tables`, without telling which cells were compared."""
    best = _best_pairing(reference, prediction)
    return PRF(0.0, 0.0, 0.0) if _says_nothing(reference) else best.score


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
    pairing = _with_places(_best_pairing(reference, prediction))
    return replace(pairing, cells=()) if _says_nothing(reference) else pairing


def _says_nothing(reference: Table) -> bool:
    """Whether all cells are blank; of such a table nothing can be right."""
    return all(is_blank(cell) for row in reference.rows for cell in row)


def _best_pairing(reference: Table, prediction: Table) -> PairedRows:
    texts = Texts()
    gold = Upright([reference.header, *reference.rows], texts)
    lines = [prediction.header, *prediction.rows]
    upright = Comparison(gold, Upright(lines, texts), texts)
    if upright.by_same_names.score.f1 == 1.0:
        return upright.by_same_names
    turned = Comparison(gold, Turned(lines, texts), texts)
    if not turned.columns or upright.most > turned.most:
        return upright.best
    if turned.most > upright.most:
        return turned.best
    return max(upright.best, turned.best, key=lambda paired: paired.score.f1)


def _with_places(paired: PairedRows) -> TablePairing:
    comparison = paired.comparison
    lines = comparison.golds.lines, comparison.others.lines
    rows = [(lines[0][i], lines[1][j], paired.near[i][j]) for i, j in paired.pairs]
    cells = tuple(
        PairedCells(
            (i, a), comparison.found.place(j, b), agreed, likeness * weight * agreed
        )
        for column, (a, b, weight) in paired.by_column()
        for (i, j, likeness), agreed in zip(rows, column, strict=True)
        if agreed is not None
    )
    wanted, given = comparison.counts
    return TablePairing(
        transposed=comparison.found.turned,
        columns=tuple(comparison.columns),
        rows=tuple(rows),
        key=None if comparison.alone else comparison.key,
        cells=cells,
        wanted=wanted,
        given=given,
    )
