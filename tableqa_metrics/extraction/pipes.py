"""Tables of lines with pipes: GitHub's, TANQ's own, grids with borders, and relatives.

Rules: `github` (header, then a `---` row of the same width; outer pipes or not),
`tanq_lines` (bare pipes between cells, no `---` row), `grid` (borders of `+---+` or box
characters, and psql's `---+---`), `pipe_lines` (whatever else has a pipe per cell: outer
pipes without a `---` row, or a `---` row of another width).

GitHub's standard pads and cuts rows to the header's width; here every row stays as it
was written, since a metric must see what a model left out. A last line without its
closing pipe, where the other rows have one, was cut off in a cell and is left out.
Without outer pipes nothing marks the end of a row, so there the last row stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from ..table import table_from_rows
from .cells import plain, split_row
from .layout import Candidate
from .pipe_blocks import (
    FIRST_HEADER,
    LIST_ITEM,
    Row,
    is_delimiter,
    pipe_blocks,
    reads_as_prose,
)
from .tanq_lines import tanq_table


_MOST_HEADER_LINES: Final = 3


def read_pipes(text: str) -> list[Candidate]:
    """Return the tables of lines with pipes, in their order.

    Examples
    --------
    >>> read_pipes("So:\n| entity | year |\n|---|---|\n| Rent | **2005** |\n")[0].table
    Table(header=('entity', 'year'), rows=(('Rent', '2005'),), title=None)
    """
    length = len(text.rstrip())
    candidates = []
    for block in pipe_blocks(text):
        for rows in _tables(block):
            found = _read_table(text, rows, at_end=rows[-1].end >= length)
            if found is not None:
                candidates.append(found)
    return candidates


def _tables(block: list[Row]) -> list[list[Row]]:
    """Divide a block where its header stands again, above another `---` row."""
    borders = [i for i, row in enumerate(block) if row.kind == "border"]
    starts = [0]
    for border in borders[1:]:
        header, first = block[border - 1], block[max(borders[0] - 1, 0)]
        repeated = header.kind == "cells" and header.first_cell == first.first_cell
        if repeated and border - 1 > starts[-1] and not header.drawn:
            starts.append(border - 1)
    return [block[i:j] for i, j in zip(starts, [*starts[1:], len(block)], strict=True)]


@dataclass
class _Shape:
    """How the lines of a table are to be read."""

    header: list[Row]  # one line, or several in a drawn grid
    border: Row | None  # the line under the header
    body: list[Row]
    outer: bool  # outer pipes
    complete: bool


def _shape(rows: list[Row], *, at_end: bool) -> _Shape:
    top = next(i for i, row in enumerate(rows) if row.kind == "cells")
    has_top = top > 0 and rows[0].drawn
    rows = rows[top:] if rows[0].kind == "border" else rows
    under = next((i for i, row in enumerate(rows) if row.kind == "border"), 0)
    if under != 1 and len(rows) > 1 and is_delimiter(rows[1].text):
        under = 1
    first = 0
    if under > 1 and not (has_top and under <= _MOST_HEADER_LINES):
        # As in GitHub's standard, the line above the dashes is the header, not an
        # earlier line with a pipe; but dashes above a total do not make one.
        fits = rows[under - 1].text.count("|") == rows[under].text.count("|")
        first = under - 1 if fits and rows[0].first_cell != FIRST_HEADER else 0
        under = under if first else 0
    lines = [row for row in rows[first:] if row.kind != "border"]
    opened = _most(lines, lambda text: text.startswith("|"))
    closed = _most(lines, lambda text: text.endswith("|"))
    end = len(rows)
    whole = lines[-1].text.endswith("|") and lines[-1].text != "|"
    cut = at_end and len(lines) > 1 and not whole
    cut = cut and opened and _most(lines[:-1], lambda text: text.endswith("|"))
    if cut:
        end = rows.index(lines[-1])
    header_end = max(under, first + 1)
    return _Shape(
        header=rows[first:header_end],
        border=rows[under] if under else None,
        body=rows[header_end + (under > 0) : end],
        outer=opened or closed,
        complete=not cut,
    )


def _most(lines: list[Row], has_pipe: Callable[[str], bool]) -> bool:
    count = sum(has_pipe(line.text) for line in lines)
    return has_pipe(lines[0].text) and count * 2 > len(lines)


def _read_table(text: str, rows: list[Row], *, at_end: bool) -> Candidate | None:
    rows, itemised = _without_items(rows)
    shape = _shape(rows, at_end=at_end)
    lines = [split_row(row.text, None, outer=shape.outer) for row in shape.header]
    header = _merge(lines)
    width = len(header)
    drawn = any(row.drawn for row in rows)
    body = _read_body(shape, width) if drawn else _read_lines(shape.body, width, shape)
    if not _is_table(shape, header, body):
        return None
    last = (shape.body or [shape.border or shape.header[-1]])[-1]
    start, end = shape.header[0].start, last.end
    rule = _rule(shape, width, drawn=drawn, itemised=itemised)
    if rule == "tanq_lines":
        table = tanq_table([header, *body])
        verbatim = text[start:end]
    else:
        table = table_from_rows([list(map(plain, row)) for row in (header, *body)])
        verbatim = None
    certain = (
        rule != "tanq_lines"
        or rows[0].in_fence
        or len(table.rows) > 1
        or width > 2
        or header[0].casefold() == FIRST_HEADER
    )
    short = (
        at_end and bool(body) and len(body[-1]) < min(map(len, [header, *body[:-1]]))
    )
    complete = shape.complete and bool(body) and not short
    return Candidate(start, end, table, rule, complete, certain, verbatim)


def _without_items(rows: list[Row]) -> tuple[list[Row], bool]:
    """Take list marks away, where every line has one."""
    if not all(row.kind == "border" or LIST_ITEM.match(row.text) for row in rows):
        return rows, False
    texts = [LIST_ITEM.sub("", row.text, count=1) for row in rows]
    return [replace(r, text=t) for r, t in zip(rows, texts, strict=True)], True


def _rule(shape: _Shape, width: int, *, drawn: bool, itemised: bool) -> str:
    if drawn:
        return "grid"
    if shape.border is not None:
        border = shape.border.text
        if is_delimiter(border) and len(split_row(border, None, outer=True)) == width:
            return "github"
        return "pipe_lines"
    lines = (*shape.header, *shape.body)
    as_written = all(
        row.as_written and row.kind != "border" and "\\|" not in row.text
        for row in lines
    )
    return (
        "tanq_lines" if as_written and not (shape.outer or itemised) else "pipe_lines"
    )


def _is_table(shape: _Shape, header: list[str], body: list[list[str]]) -> bool:
    """Whether lines with pipes are a table rather than text with pipes in it."""
    wide = len(header) > 1 or shape.outer
    if shape.border is not None:
        return wide and ("|" in shape.border.text or len(body) > 0)
    if not body or not (wide or header[0].casefold() == FIRST_HEADER):
        return False
    return not reads_as_prose([row.text for row in (*shape.header, *shape.body)])


def _read_lines(rows: list[Row], width: int, shape: _Shape) -> list[list[str]]:
    return [
        split_row(row.text, width, outer=shape.outer)
        for row in rows
        if row.kind != "border"
    ]


def _read_body(shape: _Shape, width: int) -> list[list[str]]:
    """Read the body of a drawn grid, where a row may run over several lines."""
    groups: list[list[list[str]]] = [[]]
    for row in shape.body:
        if row.kind != "border":
            groups[-1].append(split_row(row.text, width, outer=shape.outer))
        elif groups[-1]:
            groups.append([])
    groups = [group for group in groups if group]
    ruled = shape.border is not None and re.search("[=═]", shape.border.text)
    one_row_each = bool(ruled) and len(groups) > 1
    body: list[list[str]] = []
    for group in groups:
        for i, line in enumerate(group):
            if i > 0 and (one_row_each or not line[0].strip()):
                body[-1] = _merge([body[-1], line])
            else:
                body.append(line)
    return body


def _merge(lines: list[list[str]]) -> list[str]:
    """Join the lines of one row, cell by cell."""
    if len(lines) == 1:
        return lines[0]
    columns = zip_longest(*lines, fillvalue="")
    return [" ".join(filter(None, map(str.strip, column))) for column in columns]
