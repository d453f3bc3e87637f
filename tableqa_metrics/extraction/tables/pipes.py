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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from ...table import table_from_rows
from .cells import has_labels, plain_rows, split_row, without_labels
from .layout import Candidate
from .pipe_blocks import (
    FIRST_HEADER,
    LIST_ITEM,
    Row,
    is_delimiter,
    pipe_blocks,
)
from .plain_github import PlainTable, plain_github
from .running_text import reads_as_clauses, reads_as_code, reads_as_prose
from .tanq_lines import tanq_table


_MOST_HEADER_LINES: Final = 3
_ELLIPSES: Final = frozenset(("", "...", "…", "⋮"))
_DIGIT: Final = re.compile(r"\d")


def read_pipes(text: str) -> list[Candidate]:
    r"""Return the tables of lines with pipes, in their order.

    Examples
    --------
    >>> read_pipes("So:\n| entity | year |\n|---|---|\n| Rent | **2005** |\n")[0].table
    Table(header=('entity', 'year'), rows=(('Rent', '2005'),), title=None)
    """
    length = len(text.rstrip())
    if plain := plain_github(text):
        return [_read_plain(plain, at_end=plain.end >= length)]
    candidates = []
    for block in pipe_blocks(text):
        for rows in _tables(block):
            found = _read_table(text, rows, at_end=rows[-1].end >= length)
            if found is not None:
                candidates.append(found)
    return candidates


def _read_plain(plain: PlainTable, *, at_end: bool) -> Candidate:
    """Read a table whose lines are all whole, as `_read_table` does at greater cost."""
    header, _, *body = plain.lines
    cells = [line[1:-1].split("|") for line in (header, *body)]
    table = table_from_rows(_without_frame(plain_rows(cells)))
    complete = not (at_end and len(cells[-1]) < min(map(len, cells[:-1])))
    return Candidate(plain.start, plain.end, table, "github", complete)


def _tables(block: list[Row]) -> list[list[Row]]:
    """Divide a block where its header stands again, above another `---` row."""
    rows = block[:1]
    starts = [0]
    first = ""  # the first cell of the header
    for row in block[1:]:
        above = rows[-1]
        is_dashes = row.kind == "border" or is_delimiter(row.text)
        if is_dashes and above.kind == "cells" and first in ("", above.first_cell):
            row = replace(row, kind="border")
            if not first:
                first = above.first_cell
            elif len(rows) - 1 > starts[-1] + 1:
                starts.append(len(rows) - 1)
        rows.append(row)
    return [rows[i:j] for i, j in zip(starts, [*starts[1:], len(rows)], strict=True)]


@dataclass
class _Shape:
    """How the lines of a table are to be read."""

    header: list[Row]  # one line, or several in a drawn grid
    border: Row | None  # the line under the header
    body: list[Row]
    drawn: bool  # with borders that no Markdown table has
    listed: bool  # each line was an item of a list
    outer: bool  # outer pipes
    cut: bool  # a last line was left out, because it lacks its closing pipe

    @property
    def texts(self) -> list[str]:
        return [row.text for row in (*self.header, *self.body)]


def _shape(rows: list[Row], *, at_end: bool) -> _Shape:
    drawn = any(row.drawn for row in rows)
    has_top = rows[0].drawn
    while rows[0].kind == "border":
        rows = rows[1:]
    rows, listed = _without_list_marks(rows)
    first, under = _find_header(rows, has_top=has_top)
    lines = [row.text for row in rows[first:] if row.kind != "border"]
    opened = _most([line.startswith("|") for line in lines])
    is_closed = [line.endswith("|") for line in lines]
    cut = (
        at_end
        and len(lines) > 1
        and opened
        and _most(is_closed[:-1])
        and (lines[-1] == "|" or not is_closed[-1])
    )
    end = len(rows) - 1 if cut else len(rows)
    header_end = max(under, first + 1)
    return _Shape(
        header=rows[first:header_end],
        border=rows[under] if under else None,
        body=rows[header_end + (under > 0) : end],
        drawn=drawn,
        listed=listed,
        outer=opened or _most(is_closed),
        cut=cut,
    )


def _find_header(rows: list[Row], *, has_top: bool) -> tuple[int, int]:
    """Return where the header begins, and where the line under it stands (0: none)."""
    under = next((i for i, row in enumerate(rows) if row.kind == "border"), 0)
    if under <= 1 or (has_top and under <= _MOST_HEADER_LINES):
        return 0, under
    # As in GitHub's standard, the line above the dashes is the header, not an earlier
    # line with a pipe; but dashes above a total do not make one.
    fits = rows[under - 1].text.count("|") == rows[under].text.count("|")
    if fits and rows[0].first_cell != FIRST_HEADER:
        return under - 1, under
    return 0, 0


def _without_list_marks(rows: list[Row]) -> tuple[list[Row], bool]:
    """Take list marks away, where every line has one."""
    if not all(row.kind == "border" or LIST_ITEM.match(row.text) for row in rows):
        return rows, False
    texts = [LIST_ITEM.sub("", row.text, count=1) for row in rows]
    return [replace(r, text=t) for r, t in zip(rows, texts, strict=True)], True


def _most(has_pipe: Sequence[bool]) -> bool:
    """Whether the first line has a pipe there, and more than half of all have."""
    return has_pipe[0] and sum(has_pipe) * 2 > len(has_pipe)


def _read_table(text: str, rows: list[Row], *, at_end: bool) -> Candidate | None:
    shape = _shape(rows, at_end=at_end)
    header = _merge([_split(row.text, None, shape) for row in shape.header])
    width = len(header)
    body = _read_grid(shape, width) if shape.drawn else _read_body(shape, width)
    if not _is_table(shape, header, body):
        return None
    last = (shape.body or [shape.border or shape.header[-1]])[-1]
    start, end = shape.header[0].start, last.end
    rule = _rule(shape, width)
    if rule == "tanq_lines" and has_labels([header, *body]):
        rule = "pipe_lines"
    if rule == "tanq_lines":
        table, verbatim = tanq_table([header, *body]), text[start:end]
    else:
        cells = plain_rows((header, *body))
        cells = cells if shape.border else without_labels(cells)
        header, *body = _without_frame(cells)
        table, verbatim = table_from_rows((header, *body)), None
    is_first = header[0].strip().casefold() == FIRST_HEADER
    certain = rule != "tanq_lines" or is_first or width > 2 or len(body) > 1
    widths = [len(row) for row in (header, *body)]
    short = at_end and widths[-1] < min(widths[:-1], default=0)
    return Candidate(
        start,
        end,
        table,
        rule,
        complete=bool(body) and not (shape.cut or short),
        certain=certain or rows[0].in_fence,
        verbatim=verbatim,
    )


def _without_frame(rows: list[list[str]]) -> list[list[str]]:
    """Leave out what is no row: a title, a blank header, a blank column, an ellipsis.

    Markdown has no place for a title and no table without a header, so that a title may
    stand in the header, or nothing, above the row that names the columns.
    """
    first = next((i for i, row in enumerate(rows) if any(row)), 0)
    first += _is_title(rows[first : first + 3], rows[first + 2 :])
    header, *body = rows[first:]
    if header and not header[-1]:
        width = max(map(len, body), default=len(header))
        named = max((i for i, cell in enumerate(header, start=1) if cell), default=0)
        header = header[: max(width, named)]
    return [header, *(row for row in body if not _is_ellipsis(row))]


def _is_title(rows: list[list[str]], body: list[list[str]]) -> bool:
    """Whether of a header only the first cell says something, and the next row names."""
    if len(rows) < 3:
        return False
    title, header = rows[:2]
    if not title[0] or any(title[1:]) or len(title) != len(header):
        return False
    if header[0].casefold() == FIRST_HEADER:
        return title[0].casefold() != FIRST_HEADER
    names = len(header) > 2 and all(header) and not any(map(_DIGIT.search, header))
    return names and any(_DIGIT.search(cell) for row in body for cell in row)


def _is_ellipsis(row: list[str]) -> bool:
    """Whether a row only says that there are more."""
    return row[0] in _ELLIPSES and _ELLIPSES.issuperset(row) and any(row)


def _rule(shape: _Shape, width: int) -> str:
    if shape.drawn:
        return "grid"
    if shape.border is not None:
        border = shape.border.text
        fits = is_delimiter(border) and len(_split(border, None, shape)) == width
        return "github" if fits else "pipe_lines"
    lines = (*shape.header, *shape.body)
    as_written = all(row.as_written and row.kind != "border" for row in lines)
    has_escapes = any("\\|" in row.text for row in lines)
    is_other = shape.outer or shape.listed or has_escapes or not as_written
    return "pipe_lines" if is_other else "tanq_lines"


def _is_table(shape: _Shape, header: list[str], body: list[list[str]]) -> bool:
    """Whether lines with pipes are a table rather than text with pipes in it."""
    wide = len(header) > 1 or shape.outer
    if shape.border is not None:
        return wide and ("|" in shape.border.text or len(body) > 0)
    if not body or not (wide or header[0].casefold() == FIRST_HEADER):
        return False
    texts = shape.texts
    if reads_as_prose(texts) or reads_as_clauses(texts):
        return False
    return header[0].strip().casefold() == FIRST_HEADER or not reads_as_code(texts)


def _split(line: str, width: int | None, shape: _Shape) -> list[str]:
    return split_row(line, width, outer=shape.outer)


def _read_body(shape: _Shape, width: int) -> list[list[str]]:
    rows: list[list[str]] = []
    unclosed: str | None = None  # the line before, if its closing pipe is missing
    for row in shape.body:
        line = row.text
        if row.kind == "border":
            continue
        if shape.outer and unclosed is not None and not line.startswith("|"):
            cells = _split(f"{unclosed} {line}", None, shape)
            if len(cells) == width:  # a line break stood in a cell
                rows[-1] = cells
                unclosed = None
                continue
        rows.append(_split(line, width, shape))
        unclosed = None if line.endswith("|") or not line.startswith("|") else line
    return rows


def _read_grid(shape: _Shape, width: int) -> list[list[str]]:
    """Read the body of a drawn grid, where a row may run over several lines."""
    groups: list[list[list[str]]] = [[]]  # the lines between two borders each
    for row in shape.body:
        if row.kind != "border":
            groups[-1].append(_split(row.text, width, shape))
        elif groups[-1]:
            groups.append([])
    groups = [group for group in groups if group]
    is_ruled = shape.border is not None and re.search("[=═]", shape.border.text)
    one_row_each = bool(is_ruled) and len(groups) > 1
    rows: list[list[list[str]]] = []  # the lines of one row each
    for group in groups:
        for i, line in enumerate(group):
            if i > 0 and (one_row_each or not line[0].strip()):
                rows[-1].append(line)
            else:
                rows.append([line])
    return [_merge(lines) for lines in rows]


def _merge(lines: list[list[str]]) -> list[str]:
    """Join the lines of one row, cell by cell."""
    if len(lines) == 1:
        return lines[0]
    columns = zip_longest(*lines, fillvalue="")
    return [" ".join(filter(None, map(str.strip, column))) for column in columns]
