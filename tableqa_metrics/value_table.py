"""Value F1: a predicted table against the gold one, cell by cell and by type.

Our own corrected metric for TANQ; the released one is `tableqa_metrics.rms`, whose
weaknesses (its module docstring lists them) this one does not share.

Definition
    Columns are paired by header and rows by the cell in the key column, which is the
    reference's first; both pairings are the ones that give the most. Every cell outside
    the key column counts once, in precision where it was predicted and in recall where
    it was wanted. A pair of cells earns the agreement of the cells times that of their
    row names and headers. The prediction is also read transposed, and the better F1
    counts. A table of one column has no key: its cells are compared themselves.
Agreement of names and headers
    1 where they have the same value (`tableqa_metrics.value`); for two texts otherwise
    one minus their edit distance relative to the longer, 0 from one half on, as in the
    official metric; 0 where either is a number or a date, so that 2008 is not 2010.
Agreement of cells
    1 where they have the same value; else both are read as sets of values between
    commas, semicolons and line breaks, and the F1 of the sets is the agreement. There
    is no credit for a text, number or date that is nearly right.
Empty tables
    A cell that both sides leave blank agrees. A table without any cell to compare
    scores 0, whatever the other is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from .table import PRF, Table
from .value_reading import Value, fold_text, parts_between, read_value


if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

# From this edit distance on, relative to the longer text, two names are unlike.
NAME_THETA: Final = 0.5
# Where there are more pairs of rows (or of columns) than this, only predicted rows whose
# name has the folded text of a wanted one are looked at, the first ones that keep to
# this bound. 2**20 floats are 8 MiB.
MAX_PAIRS: Final = 2**20

_BETWEEN_VALUES = re.compile(r"[;\n]|,(?!\d)")
_BLANKS: Final = frozenset(("", "n a", "n/a", "na"))

Row = tuple[str | None, ...]  # None: no such cell


def value_table_score(reference: Table, prediction: Table | None) -> PRF:
    """Score a predicted table by the values in its cells.

    Parameters
    ----------
    reference, prediction
        Tables; ragged rows count with the cells that they have. `None`, where a
        response held no table, scores 0.

    Returns
    -------
    PRF
        In [0, 1]; all 0 where either table has no cell to compare. The cost grows with
        the pairs of rows, at most `MAX_PAIRS`, times the columns of the reference.

    Examples
    --------
    >>> gold = Table(("entity", "opened"), (("Mill House", "5 May 2006"), ("Pier", "1987")))
    >>> guess = Table(("opened", "entity"), (("1988", "Pier"), ("2006-05-05", "mill house")))
    >>> value_table_score(gold, guess)
    PRF(precision=0.5, recall=0.5, f1=0.5)
    """
    if prediction is None:
        return PRF(0.0, 0.0, 0.0)
    cells = _Cells()
    gold = [reference.header, *reference.rows]
    found: list[Row] = [prediction.header, *prediction.rows]
    turned: list[Row] = list(zip_longest(*found))
    best = _score(gold, found, cells)
    if best.f1 < 1.0 and turned:
        best = max(best, _score(gold, turned, cells), key=lambda score: score.f1)
    return best


@dataclass
class _Cells:
    """Cells as read, each text once."""

    def __post_init__(self) -> None:
        self._folded: dict[str, str] = {}
        self._typed: dict[str, Value | None] = {}
        self._sets: dict[str, list[Value]] = {}
        self._agreement: dict[tuple[str, str], float] = {}

    def folded(self, text: str) -> str:
        if text not in self._folded:
            self._folded[text] = fold_text(text.replace("_", " "))
        return self._folded[text]

    def typed(self, text: str) -> Value | None:
        """Return what a text says where that is a number, date or measure."""
        if text not in self._typed:
            value = read_value(text)
            typed = value is not None and value.kind != "text"
            self._typed[text] = value if typed else None
        return self._typed[text]

    def agreement(self, gold: str, found: str) -> float:
        """Return how far two cells agree, from 0 to 1; not symmetric for numbers."""
        if gold == found:
            return 1.0
        if (gold, found) not in self._agreement:
            self._agreement[gold, found] = self._agree(gold, found)
        return self._agreement[gold, found]

    def _agree(self, gold: str, found: str) -> float:
        from .value import same_value

        wanted, got = self.typed(gold), self.typed(found)
        if wanted is not None and got is not None:
            return float(same_value(wanted, got))
        a, b = self.folded(gold), self.folded(found)
        if a == b or (a in _BLANKS and b in _BLANKS):
            return 1.0
        golds, predictions = self._values(gold), self._values(found)
        if len(golds) == len(predictions) == 1:
            return 0.0
        shared = 0
        rest = list(predictions)
        for value in golds:
            match = next((v for v in rest if same_value(value, v)), None)
            if match is not None:
                rest.remove(match)
                shared += 1
        return 2 * shared / max(1, len(golds) + len(predictions))

    def _values(self, text: str) -> list[Value]:
        if text not in self._sets:
            whole = self.typed(text)
            parts = (
                [text] if whole is not None else parts_between(_BETWEEN_VALUES, text)
            )
            values = dict.fromkeys(filter(None, map(read_value, parts)))
            self._sets[text] = list(values)
        return self._sets[text]


def _score(gold: Sequence[Row], found: Sequence[Row], cells: _Cells) -> PRF:
    if not gold or not found:
        return PRF(0.0, 0.0, 0.0)
    alone = max(map(len, gold)) == 1
    columns = _pair(_names(gold[0]), _names(found[0]), cells)
    key = next((j for i, j, _ in columns if i == 0), None)
    if key is None:
        # Headers may call the key anything; its place is the first that is left.
        taken = {j for _, j, _ in columns}
        key = next((j for j in range(len(found[0])) if j not in taken), None)
        if key is not None and alone:
            columns = [(0, key, 1.0)]
    if not alone:
        columns = [pair for pair in columns if pair[0] != 0]
    wanted = _count(gold[1:], None if alone else 0)
    given = _count(found[1:], None if alone else key)
    if not wanted or not given or not columns or key is None:
        return PRF(0.0, 0.0, 0.0)
    total = _total(gold[1:], found[1:], columns, None if alone else key, cells)
    if not total:
        return PRF(0.0, 0.0, 0.0)
    precision, recall = total / given, total / wanted
    return PRF(precision, recall, 2 * total / (given + wanted))


def _count(rows: Sequence[Row], key: int | None) -> int:
    return sum(
        cell is not None for row in rows for j, cell in enumerate(row) if j != key
    )


def _names(row: Row) -> list[str]:
    return [cell or "" for cell in row]


def _total(
    gold: Sequence[Row],
    found: Sequence[Row],
    columns: Sequence[tuple[int, int, float]],
    key: int | None,
    cells: _Cells,
) -> float:
    """Return the most that all cells can earn with each row used once."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    places = columns[0] if key is None else (0, key)
    names = _column(gold, places[0]), _column(found, places[1])
    kept = _kept(*names, cells)
    found = [found[j] for j in kept]
    if key is None:
        near = np.ones((len(gold), len(found)))
    else:
        near = _likeness(names[0], [names[1][j] for j in kept], cells)
    earned = np.zeros(near.shape)
    for i, j in zip(*(part.tolist() for part in near.nonzero()), strict=True):
        earned[i, j] = near[i, j] * sum(
            weight * _agreement_at(gold[i], found[j], a, b, cells)
            for a, b, weight in columns
        )
    rows, others = linear_sum_assignment(earned, maximize=True)
    return float(earned[rows, others].sum())


def _agreement_at(gold: Row, found: Row, a: int, b: int, cells: _Cells) -> float:
    wanted = gold[a] if a < len(gold) else None
    got = found[b] if b < len(found) else None
    return 0.0 if wanted is None or got is None else cells.agreement(wanted, got)


def _column(rows: Sequence[Row], column: int) -> list[str]:
    return [(row[column] or "") if column < len(row) else "" for row in rows]


def _pair(
    gold: Sequence[str], found: Sequence[str], cells: _Cells
) -> list[tuple[int, int, float]]:
    """Pair headers so that they agree most; equal headers in the order of columns."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    kept = np.array(_kept(gold, found, cells), dtype=int)
    likeness = _likeness(gold, [found[j] for j in kept], cells)
    apart = np.abs(np.subtract.outer(np.arange(len(gold)), kept))
    rows, columns = linear_sum_assignment(likeness - apart * 1e-9, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [
        (i, int(kept[j]), float(likeness[i, j])) for i, j in pairs if likeness[i, j]
    ]


def _kept(gold: Sequence[str], found: Sequence[str], cells: _Cells) -> list[int]:
    """Return which of the predicted names are compared; all of them up to `MAX_PAIRS`."""
    if len(gold) * len(found) <= MAX_PAIRS:
        return list(range(len(found)))
    wanted = set(map(cells.folded, gold))
    kept = [j for j, name in enumerate(found) if cells.folded(name) in wanted]
    return kept[: max(1, MAX_PAIRS // len(gold))]


def _likeness(gold: Sequence[str], found: Sequence[str], cells: _Cells) -> Floats:
    """Return how far names agree, a matrix of [0, 1]: gold by row, found by column."""
    import numpy as np
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    a, b = list(map(cells.folded, gold)), list(map(cells.folded, found))
    likeness: Floats = cdist(
        a,
        b,
        scorer=Levenshtein.normalized_similarity,
        score_cutoff=NAME_THETA,
        dtype=np.float64,
    )
    likeness[likeness <= NAME_THETA] = 0.0
    wanted = [cells.typed(name) for name in gold]
    got = [cells.typed(name) for name in found]
    from .value import same_value

    for i, value in enumerate(wanted):
        if value is not None:
            likeness[i] = [v is not None and same_value(value, v) for v in got]
    typed = [j for j, value in enumerate(got) if value is not None]
    untyped = [i for i, value in enumerate(wanted) if value is None]
    likeness[np.ix_(untyped, typed)] = 0.0
    return likeness
