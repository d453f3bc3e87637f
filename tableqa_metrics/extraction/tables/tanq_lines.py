r"""A response that is nothing but a table in TANQ's own form.

TANQ's form has one row a line, a bare pipe between two cells and nothing else. Where a
whole text is of that form it is passed on as it was written, so that its official score
is that of the released scorer: rows of one cell, blank lines and a first line
`title|…` included. A header alone counts only if its first cell is `entity`, as every
header in TANQ begins. Lines without any pipe are a table of one column below a lone
`entity`; elsewhere they are rows of one cell.

Where such lines stand among other text, `pipes.py` finds them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...table import Table
from .cells import has_labels, plain_rows
from .layout import Candidate, Line, read_lines
from .pipe_blocks import (
    ANNOUNCED,
    AROUND_A_ROW,
    FIRST_HEADER,
    LIST_ITEM,
    begins_note,
    is_border,
    is_delimiter,
    is_note,
    is_wrapped,
)
from .plain_github import plain_github
from .running_text import is_clause, reads_as_clauses, reads_as_code, reads_as_prose


def read_tanq(text: str) -> list[Candidate]:
    r"""Return the table that the whole text is in TANQ's form, if it is.

    Examples
    --------
    >>> found = read_tanq("\nentity|year\nHigh Anxiety|1977\nSpac")[0]
    >>> found.table.rows, found.verbatim
    ((('High Anxiety', '1977'),), 'entity|year\nHigh Anxiety|1977\nSpac')
    >>> read_tanq("Either a|b or c.")
    []
    """
    lines = _lines_of_form(text)
    if not lines:
        return []
    rows = [line.text.split("|") for line in lines if line.text.strip()]
    has_pipes = any(len(row) > 1 for row in rows)
    # A last line without a pipe was cut off in its first cell, or is no row.
    while has_pipes and len(rows) > 1 and len(rows[-1]) == 1:
        rows.pop()
    table = tanq_table(rows)
    start, end = lines[0].start, lines[-1].end
    is_first = _first_cell(lines[0].text) == FIRST_HEADER
    certain = is_first or len(rows[0]) > 2 or len(rows) > 2
    return [
        Candidate(
            start,
            end,
            table,
            "tanq_lines",
            complete=bool(table.rows),
            certain=certain,
            verbatim=text[start:end],
        )
    ]


def tanq_table(rows: Sequence[Sequence[str]]) -> Table:
    """Build a table from rows in TANQ's form; a first row `title|…` may be its title.

    TANQ's scorer always takes it so; here it does not where the next row has two cells
    as well, since then it is the header.
    """
    header, *body = map(tuple, plain_rows(rows))
    if body and len(header) == 2 != len(body[0]) and header[0].casefold() == "title":
        return Table(body[0], tuple(body[1:]), header[1])
    return Table(header, tuple(body))


def _lines_of_form(text: str) -> Sequence[Line]:
    """Return the lines of the table, or none if any line is of another form."""
    if "|" not in text and FIRST_HEADER not in text.casefold():
        return []
    if plain_github(text):
        return []
    lines = _trim(read_lines(text))
    texts = [line.text.strip() for line in lines]
    if not texts or any(line.is_fence or not line.as_written for line in lines):
        return []
    body = 2 if _first_cell(texts[0]) == "title" and len(texts) > 1 else 1
    if is_delimiter(texts[min(body, len(texts) - 1)]):
        return []
    header = texts[body - 1]
    wide = [text for text in texts if "|" in text]
    single = [text for text in texts if text and "|" not in text]
    is_first = _first_cell(header) == FIRST_HEADER
    if is_first:
        fits = len(texts) > 1 or bool(wide)
    else:
        fits = "|" in header and len(wide) > max(len(single), 1)
    if not fits or ANNOUNCED.match(texts[0]) or reads_as_prose(texts):
        return []
    said = [text for text in texts if text]
    if not is_first and (reads_as_clauses(said) or reads_as_code(said)):
        return []
    if any(map(is_border, texts)) or any("\\|" in text for text in wide):
        return []
    if not all(map(is_note, single)):
        return []
    if wide and all(map(LIST_ITEM.match, wide)):
        return []
    if any(is_wrapped(text, mark) for text in wide for mark in AROUND_A_ROW):
        return []
    apart = "" in texts and len(wide) == 2 and header.count("|") == 1
    if apart and not is_first:
        return []  # two sentences with a pipe each
    for pipe_at in (str.startswith, str.endswith):
        n_outer = sum(pipe_at(text, "|") for text in wide)
        if pipe_at(header, "|") and n_outer * 2 > len(wide):
            return []
    if has_labels([text.split("|") for text in wide]):
        return []
    return [] if _has_second_table(texts, header, body) else lines


def _trim(lines: Sequence[Line]) -> Sequence[Line]:
    """Leave out blank lines around the table, and text below it."""
    blank = [not line.text.strip() for line in lines]
    start, end = 0, len(lines)
    while start < end and blank[start]:
        start += 1
    while start < end and (
        blank[end - 1] or (blank[end - 2] and "|" not in lines[end - 1].text)
    ):
        end -= 1
    return lines[start:end]


def _first_cell(text: str) -> str:
    return text.partition("|")[0].strip().casefold()


def _has_second_table(texts: list[str], header: str, body: int) -> bool:
    """Whether the header, or TANQ's first header, stands again further down.

    Rows after a blank line that are of another width are a second table, too, and a
    remark there is no row.
    """
    width = header.count("|")
    has_clauses = "" in texts and any(map(is_clause, texts[:-1]))
    for i in range(body, len(texts)):
        text = texts[i]
        if text and (text == header or _first_cell(text) == FIRST_HEADER):
            return True
        after_blank = not texts[i - 1]
        if after_blank and (text.count("|") not in (0, width) or begins_note(text)):
            return True
        if after_blank and not has_clauses and is_clause(text):
            return True
    return False
