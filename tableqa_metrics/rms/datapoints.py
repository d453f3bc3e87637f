"""How TANQ's table metric reads a table: lines of cells, and datapoints from them."""

from __future__ import annotations

from itertools import accumulate, zip_longest
from typing import Final, NamedTuple


# Keys of all datapoints together, each with what Python needs to hold it.
MAX_KEY_BYTES: Final = 2**29
_DATAPOINT_BYTES: Final = 200

_TITLE: Final = "title"


class TooLarge(Exception):
    """What the released script would build does not fit into any usual memory."""


class Lines(NamedTuple):
    """A table as the released script reads it: the first row is the header.

    `size` is the number of characters that all cells together have at most.
    """

    title: str | None
    rows: list[list[str]]
    size: int


class Datapoints(NamedTuple):
    """Cells by key, `"row name column name"`, and how many keys a row has.

    `first` and `second` are the row names and the column names, in order.
    """

    cells: dict[str, str]
    period: int
    first: list[str]
    second: list[str]


NO_DATAPOINTS: Final = Datapoints({}, 1, [], [])


def read(text: str) -> Lines:
    """Read a table of any text: there is no text that is none.

    Examples
    --------
    >>> read("Entity| Year \\nHigh Anxiety|1977").rows
    [['entity', 'year'], ['high anxiety', '1977']]
    """
    lines = text.lower().splitlines()
    title = None
    # The released script writes spaces around each pipe before it reads the table. That
    # shows only in the title, which is not split into cells.
    if lines and lines[0].startswith(_TITLE):
        first = lines[0].replace("|", " | ")
        if first.startswith(f"{_TITLE} |"):
            title = first[len(_TITLE) + 2 :].strip()
            del lines[0]
    rows = [list(map(str.strip, line.split("|"))) for line in lines]
    return Lines(title, rows, len(text))


def datapoints(table: Lines) -> Datapoints:
    """The datapoints of a table: of equal keys the place of the first, the last cell.

    Raises
    ------
    TooLarge
        If the keys would take more than `MAX_KEY_BYTES`.
    """
    cells = {} if table.title is None else {"title": table.title}
    if not table.rows:
        return Datapoints(cells, 1, [], [])
    (_, *names), *rows = table.rows
    if len(rows) * len(names) * (table.size + _DATAPOINT_BYTES) > MAX_KEY_BYTES:
        _check(_upright_size(rows, names))
    for row_name, *row in rows:
        for name, cell in zip(names, row):  # noqa: B905 - what is left over is lost
            cells[f"{row_name} {name}"] = cell
    return Datapoints(cells, max(1, len(names)), [row[0] for row in rows], names)


def transposed_datapoints(table: Lines) -> Datapoints:
    """The datapoints of the table transposed, short rows filled with empty cells.

    Raises
    ------
    TooLarge
        If the keys would take more than `MAX_KEY_BYTES`.
    """
    cells = {} if table.title is None else {"title": table.title}
    if len(table.rows) < 2:
        return Datapoints(cells, 1, [], [])
    height, width = len(table.rows), max(map(len, table.rows))
    if height * width * (table.size + _DATAPOINT_BYTES) <= MAX_KEY_BYTES:
        (_, *second), *columns = zip_longest(*table.rows, fillvalue="")
        for row_name, *column in columns:
            for name, cell in zip(second, column, strict=True):
                cells[f"{row_name} {name}"] = cell
        return Datapoints(cells, height - 1, [column[0] for column in columns], second)
    row_names, names = _transposed_names(table)
    # A name between its first and its last occurrence leaves no trace: its keys are
    # there already, and their cells are written over.
    upper, lower = _first_and_last(row_names), _first_and_last(names)
    size = len(upper) * len(lower) * _DATAPOINT_BYTES
    size += len(lower) * sum(len(row_names[j]) for j in upper)
    size += len(upper) * sum(len(names[i]) for i in lower)
    _check(size)
    first, second = [row_names[j] for j in upper], [names[i] for i in lower]
    rows = [table.rows[i] for i in lower]
    for j, row_name in zip(upper, first, strict=True):
        for name, row in zip(second, rows, strict=True):
            cells[f"{row_name} {name}"] = row[j] if j < len(row) else ""
    return Datapoints(cells, max(1, len(lower)), first, second)


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


def _upright_size(rows: list[list[str]], names: list[str]) -> int:
    lengths = list(accumulate(map(len, names), initial=0))
    size = 0
    for row in rows:
        width = min(len(row) - 1, len(names))
        size += width * (len(row[0]) + _DATAPOINT_BYTES) + lengths[width]
    return size


def _check(size: int) -> None:
    if size > MAX_KEY_BYTES:
        raise TooLarge(f"keys of {size} bytes")
