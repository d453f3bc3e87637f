"""A table read with its lines as rows or as columns, for `tableqa_metrics.value.pairing`.

Row 0 is the header; what is returned of the rows below it begins with row 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .cells import Texts


Row = tuple[str, ...]
Place = tuple[int, int]
Column = Sequence[str | None]


class NamedRows(NamedTuple):
    """Rows by their names (in a table of one column their cells), with some columns."""

    lines: Sequence[int]
    names: Sequence[str]
    columns: list[Column]


class Upright:
    """A table whose first line is the header."""

    turned = False

    def __init__(self, lines: Sequence[Row], texts: Texts) -> None:
        self._rows = lines[1:]
        widths = set(map(len, lines))
        self.width = max(widths)
        self.header = [texts[cell] for cell in lines[0]]
        # of a table whose lines have all one length
        full = len(widths) == 1 and self.width and self._rows
        self._columns = list(zip(*self._rows, strict=True)) if full else None

    def column(self, place: int) -> Column:
        """Return the cells of a column below its header; `None` where a row has none."""
        if self._columns is not None:
            return self._columns[place]
        return [row[place] if place < len(row) else None for row in self._rows]

    def named_rows(self, key: int | None, places: Sequence[int]) -> NamedRows:
        """Return the rows that have a cell in the key column; none without a key."""
        column = [] if key is None else self.column(key)
        columns = [self.column(place) for place in places]
        names = [name for name in column if name is not None]
        if len(names) == len(column):
            return NamedRows(range(1, len(names) + 1), names, columns)
        lines = [i for i, name in enumerate(column) if name is not None]
        columns = [[column[i] for i in lines] for column in columns]
        return NamedRows([i + 1 for i in lines], names, columns)

    def cells(self) -> Iterator[tuple[int, str]]:
        """Yield each cell below the header with its column."""
        for row in self._rows:
            yield from enumerate(row)

    def count(self, key: int | None) -> int:
        """Count the cells below the header and outside the key column."""
        names = sum(key is not None and key < len(row) for row in self._rows)
        return sum(map(len, self._rows)) - names

    def place(self, row: int, column: int) -> Place:
        """Return where a cell stands, as written."""
        return row, column


class Turned(Upright):
    """A table whose lines are columns, each with its header in front.

    Nothing is transposed: one long line among many short ones would fill the memory.
    """

    turned = True

    def __init__(self, lines: Sequence[Row], texts: Texts) -> None:
        self._lines = lines
        self._height = max(map(len, lines))
        self.header = [texts[line[0] if line else ""] for line in lines]

    def column(self, place: int) -> Column:
        cells = self._lines[place][1:]
        return [*cells, *[None] * (self._height - 1 - len(cells))]

    def cells(self) -> Iterator[tuple[int, str]]:
        for column, line in enumerate(self._lines):
            for cell in line[1:]:
                yield column, cell

    def count(self, key: int | None) -> int:
        columns = enumerate(self._lines)
        return sum(len(line) - 1 for j, line in columns if line and j != key)

    def place(self, row: int, column: int) -> Place:
        return column, row
