"""Cells that span columns and rows, as HTML, LaTeX and MediaWiki have them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from .pipe_blocks import FIRST_HEADER


# Bounds for hostile text: spans beyond these are not expanded.
MOST_SPAN: Final = 1_000
_MOST_REPEATED_CELLS: Final = 20_000


class SpanCell(NamedTuple):
    """A cell and how many columns and rows it takes."""

    text: str
    n_columns: int = 1
    n_rows: int = 1


_ONE_PLACE: Final = (1, 1)


def expand(rows: Sequence[Sequence[SpanCell]]) -> list[list[str]]:
    """Write each cell as often as it spans columns and rows, within bounds.

    A first row of one cell above wider ones is a title, and is left out: no form that
    the scorers read has a place for it.

    Examples
    --------
    >>> year = [SpanCell("entity"), SpanCell("year")]
    >>> expand([[SpanCell("Films", 2)], year, [SpanCell("Rent"), SpanCell("2005", 1, 2)]])
    [['entity', 'year'], ['Rent', '2005']]
    """
    if all(cell[1:] == _ONE_PLACE for row in rows for cell in row):
        return [[cell.text for cell in row] for row in without_title(rows)]
    expanded = []
    repeated = 0
    below: dict[int, tuple[int, str]] = {}  # column -> rows still to fill, with what
    for cells in without_title(rows):
        above, below = below, {}
        row: list[str] = []
        queue = deque(cells)
        while queue or len(row) in above:
            column = len(row)
            if column in above:
                n_columns = 1
                n_rows, text = above[column]
            else:
                text, n_columns, n_rows = queue.popleft()
                repeated += n_columns * n_rows - 1
                if repeated > _MOST_REPEATED_CELLS:
                    n_columns = n_rows = 1
            row.extend([text] * n_columns)
            if n_rows > 1:
                columns = range(column, column + n_columns)
                below.update(dict.fromkeys(columns, (n_rows - 1, text)))
        expanded.append(row)
    return expanded


def without_title(rows: Sequence[Sequence[SpanCell]]) -> Sequence[Sequence[SpanCell]]:
    """Leave out first rows of one cell that stand above wider ones."""
    first = next((i for i, row in enumerate(rows) if len(row) > 1), 0)
    titles = [cell for row in rows[:first] for cell in row]
    are_names = any(c.n_rows > 1 or c.text.casefold() == FIRST_HEADER for c in titles)
    return rows if are_names or len(rows) - first < 2 else rows[first:]
