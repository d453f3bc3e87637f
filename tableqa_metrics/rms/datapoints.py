"""How TANQ's table metric reads a table: lines of cells, and datapoints from them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Final


# Keys of all datapoints together, each with what Python needs to hold it.
MAX_KEY_BYTES: Final = 2**29
_DATAPOINT_BYTES: Final = 200

_TITLE: Final = "title |"


class TooLarge(Exception):
    """What the released script would build does not fit into any usual memory."""


@dataclass(frozen=True)
class Lines:
    """A table as the released script reads it: the first row is the header."""

    title: str | None
    rows: list[list[str]]


@dataclass(frozen=True)
class Datapoints:
    """Cells by key, `"row name column name"`, and how many keys a row has."""

    cells: dict[str, str]
    period: int


def read(text: str) -> Lines:
    """Read a table of any text: there is no text that is none.

    Examples
    --------
    >>> read("Entity| Year \\nHigh Anxiety|1977")
    Lines(title=None, rows=[['entity', 'year'], ['high anxiety', '1977']])
    """
    # The released script writes spaces around each pipe before it reads the table. That
    # shows only in the title, which is not split into cells.
    lines = text.replace("|", " | ").lower().splitlines()
    title = None
    if lines and lines[0].startswith(_TITLE):
        title = lines[0][len(_TITLE) :].strip()
        del lines[0]
    return Lines(title, [[cell.strip() for cell in s.split("|")] for s in lines])


def datapoints(table: Lines) -> Datapoints:
    """The datapoints of a table: of equal keys the place of the first, the last cell.

    Raises
    ------
    TooLarge
        If the keys would take more than `MAX_KEY_BYTES`.
    """
    cells = {} if table.title is None else {"title": table.title}
    if not table.rows:
        return Datapoints(cells, 1)
    names = table.rows[0][1:]
    lengths = list(accumulate(map(len, names), initial=0))
    size = 0
    for row in table.rows[1:]:
        width = min(len(row) - 1, len(names))
        size += width * (len(row[0]) + _DATAPOINT_BYTES) + lengths[width]
    _check(size)
    for row in table.rows[1:]:
        row_name = row[0]
        for name, cell in zip(names, row[1:]):  # noqa: B905 - what is left over is lost
            cells[f"{row_name} {name}"] = cell
    return Datapoints(cells, max(1, len(names)))


def transposed_datapoints(table: Lines) -> Datapoints:
    """The datapoints of the table transposed, short rows filled with empty cells.

    Raises
    ------
    TooLarge
        If the keys would take more than `MAX_KEY_BYTES`.
    """
    cells = {} if table.title is None else {"title": table.title}
    if len(table.rows) < 2:
        return Datapoints(cells, 1)
    row_names, names = _transposed_names(table)
    # A name between its first and its last occurrence leaves no trace: its keys are
    # there already, and their cells are written over.
    upper, lower = _first_and_last(row_names), _first_and_last(names)
    size = len(upper) * len(lower) * _DATAPOINT_BYTES
    size += len(lower) * sum(len(row_names[j]) for j in upper)
    size += len(upper) * sum(len(names[i]) for i in lower)
    _check(size)
    for j in upper:
        row_name = row_names[j]
        for i in lower:
            row = table.rows[i]
            cells[f"{row_name} {names[i]}"] = row[j] if j < len(row) else ""
    return Datapoints(cells, max(1, len(lower)))


def fewest_transposed(table: Lines) -> int:
    """How many datapoints the table transposed has at least."""
    row_names, names = _transposed_names(table)
    return max(len(set(row_names[1:])), len(set(names[1:])))


def _transposed_names(table: Lines) -> tuple[list[str], list[str]]:
    first = table.rows[0]
    width = max(map(len, table.rows))
    return first + [""] * (width - len(first)), [row[0] for row in table.rows]


def _first_and_last(names: list[str]) -> list[int]:
    """The positions from 1 on where a name stands for the first or the last time."""
    last = {name: i for i, name in enumerate(names) if i}
    if len(last) == len(names) - 1:
        return list(range(1, len(names)))
    first = {names[i]: i for i in range(len(names) - 1, 0, -1)}
    return sorted({*first.values(), *last.values()})


def _check(size: int) -> None:
    if size > MAX_KEY_BYTES:
        raise TooLarge(f"keys of {size} bytes")
