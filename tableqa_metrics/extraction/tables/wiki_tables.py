r"""MediaWiki's tables, `{| … |}`. Rule: `wiki`.

A row begins at `|-`, a header cell at `!`, another cell at `|`; `!!` and `||` divide the
cells of one line. Captions and attributes are left out, links and quotes for bold type are
read as what a reader sees. A table that is never ended was cut off; its last row counts
only if it is as wide as the first.
"""

from __future__ import annotations

import re
from typing import Final

from ...table import table_from_rows
from .cells import plain
from .layout import Candidate, read_lines
from .spans import MOST_SPAN, SpanCell, expand


_BEGIN: Final = "{|"
_ATTRIBUTES = re.compile(
    r"\s*(?:[\w-]{1,30}\s?=\s?(?:\"[^\"|]{0,200}\"|'[^'|]{0,200}'|[^\s\"'|]{1,60})"
    r"(?:\s+|(?=\|)))+\|(?!\|)"
)
_SPAN = re.compile(r"\b(?P<of>col|row)span\s?=\s?[\"']?(?P<n>\d{1,4})", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:[^\[\]|\n]{0,300}\|)?([^\[\]|\n]{0,300})\]\]")
_OUTER_LINK = re.compile(r"\[https?://[^\s\[\]]{1,500}\s([^\[\]\n]{1,300})\]")
_REFERENCE = re.compile(r"<ref\b[^<>]{0,200}(?:/>|>[^<]{0,500}</ref>)", re.IGNORECASE)
_QUOTES = re.compile(r"'{2,5}")


def read_wiki(text: str) -> list[Candidate]:
    """Return the MediaWiki tables of a text, in their order.

    Examples
    --------
    >>> wiki = "{| class=x\\n! entity !! year\\n|-\\n| [[Rent (film)|Rent]] || 2005\\n|}"
    >>> read_wiki(wiki)[0].table.rows
    (('Rent', '2005'),)
    """
    if "{" not in text or _BEGIN not in text:
        return []
    found = []
    start = -1
    rows: list[list[str]] = []
    lines = read_lines(text)
    for line in lines:
        stripped = line.text.strip()
        if stripped.startswith(_BEGIN):
            if start >= 0:
                found += _candidate(start, line.start, rows, closed=False)
            start, rows = line.start, []
        elif start < 0:
            continue
        elif stripped.startswith("|}") or line.is_fence:
            found += _candidate(start, line.end, rows, closed=not line.is_fence)
            start = -1
        else:
            _add(rows, stripped)
    if start >= 0:
        found += _candidate(start, lines[-1].end, rows, closed=False)
    return found


def _add(rows: list[list[str]], line: str) -> None:
    """Add a line's cells to the last row, or begin a row."""
    if line.startswith("|-"):
        rows.append([])
    elif line.startswith("|+") or not line:
        return
    elif line[0] in "!|":
        if not rows:
            rows.append([])
        cells = re.split(r"\|\||!!" if line[0] == "!" else r"\|\|", line[1:])
        rows[-1].extend(cells)
    elif rows and rows[-1]:  # a line break in a cell
        first, *cells = line.split("||")
        rows[-1][-1] += "\n" + first
        rows[-1].extend(cells)


def _candidate(
    start: int, end: int, rows: list[list[str]], *, closed: bool
) -> list[Candidate]:
    rows = [row for row in rows if row]
    if not closed and rows and len(rows[-1]) > len(rows[0]) and not rows[-1][-1]:
        rows[-1].pop()  # half of the mark that ends the table
    if not closed and len(rows) > 1 and len(rows[-1]) < len(rows[0]):
        rows.pop()
    if not rows:
        return []
    table = table_from_rows(expand([list(map(_cell, row)) for row in rows]))
    complete = closed and bool(table.rows)
    return [Candidate(start, end, table, "wiki", complete)]


def _cell(written: str) -> SpanCell:
    spans = {"col": 1, "row": 1}
    if attributes := _ATTRIBUTES.match(written):
        for span in _SPAN.finditer(attributes[0]):
            spans[span["of"].lower()] = min(max(int(span["n"]), 1), MOST_SPAN)
        written = written[attributes.end() :]
    written = _LINK.sub(r"\1", _OUTER_LINK.sub(r"\1", _REFERENCE.sub("", written)))
    lines = [line.lstrip("* ") for line in _QUOTES.sub("", written).split("\n")]
    text = plain("<br>".join(line for line in lines if line.strip()))
    return SpanCell(text, spans["col"], spans["row"])
