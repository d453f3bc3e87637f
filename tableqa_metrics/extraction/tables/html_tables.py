"""HTML tables, read by lxml, which also reads what is not well-formed.

Rule: `html`. Cells that span columns or rows are repeated in each place. Line breaks,
list items and paragraphs divide the values of a cell. A caption is not read, nor is a
title in a first row of one cell: in the text that TANQ's scorer reads, a title counts as
a wrong cell. Of nested tables the outer one
counts, unless it only holds the inner one in its place. A table that is never closed was
cut off: its last row counts only if it is closed.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ...table import table_from_rows
from .cells import join_values
from .layout import Candidate, tidy
from .spans import MOST_SPAN, SpanCell, expand


if TYPE_CHECKING:
    from lxml.etree import HTMLParser, _Element

_TABLE_TAG = re.compile(r"<(/?)table\b[^<>]{0,2000}>", re.IGNORECASE)
_ROW_TAG = re.compile(r"<(/?)tr\b", re.IGNORECASE)
_CELL_TAG = re.compile(r"<t[dh]\b", re.IGNORECASE)
# lxml accepts only what XML 1.0 allows.
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# A table of rows and cells and nothing else: each closed, without spans or references.
_BLANK = r"[ \t\r\n]*"
_ATTRIBUTES = r"(?: (?:align|border|class|id|scope|style)=\"[\w #%:;.,()-]*\")*"
_TEXT = r"[^<>&\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]*"
_ROWS = (
    rf"(?:<tr{_ATTRIBUTES}>{_BLANK}"
    rf"(?:<t(?:d{_ATTRIBUTES}>{_TEXT}</td|h{_ATTRIBUTES}>{_TEXT}</th)>{_BLANK})+"
    rf"</tr>{_BLANK})+"
)
_PLAIN = re.compile(
    rf"<table{_ATTRIBUTES}>{_BLANK}(?:<thead>{_BLANK}{_ROWS}</thead>{_BLANK})?"
    rf"(?:<tbody>{_BLANK}{_ROWS}</tbody>{_BLANK}|{_ROWS})?</table>",
    re.ASCII,
)
_PLAIN_CELL = re.compile(r"<t[dh]\b[^>]*>([^<]*)")
_DIVIDERS: Final = frozenset(
    ("br", "div", "li", "ol", "p", "table", "td", "th", "tr", "ul")
)
_UNSEEN: Final = frozenset(("script", "style", "template"))
_DIGITS = re.compile(r"\s*([0-9]{1,4})\s*")
_FOOTNOTE = re.compile(r"\[[^\]]{1,10}\]")

# Bound for hostile text: tables beyond these are not read.
_MOST_TABLES: Final = 64


def read_html(text: str) -> list[Candidate]:
    """Return the HTML tables of a text, nested ones left out, in their order.

    Examples
    --------
    >>> html = "<table><tr><th>entity<th>year<tr><td>High Anxiety<td>1977</table>"
    >>> read_html(html)[0].table.rows
    (('High Anxiety', '1977'),)
    """
    if "<" not in text:
        return []
    spans = [span for span in _spans(text) if _CELL_TAG.search(text, *span[:2])]
    if len(spans) > _MOST_TABLES:
        spans = [spans[0], *spans[1 - _MOST_TABLES :]]
    found = []
    for start, end, closed in spans:
        html = text[start:end]
        rows = _read_plain(html) or _read(html, closed=closed)
        if rows:
            table = table_from_rows(rows)
            complete = closed and bool(table.rows)
            found.append(Candidate(start, end, table, "html", complete))
    return found


def _spans(text: str) -> list[tuple[int, int, bool]]:
    """Find where the outermost tables stand, and whether each is closed."""
    opened: list[int] = []
    closed: list[tuple[int, int]] = []
    for tag in _TABLE_TAG.finditer(text):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            start = opened.pop()
            while closed and closed[-1][0] > start:
                closed.pop()
            closed.append((start, tag.end()))
    spans = [(start, end, True) for start, end in closed]
    if not opened:
        return spans
    starts = sorted([*opened, *(start for start, _ in closed), len(text)])
    following = dict(pairwise(starts))
    spans += [(start, following[start], False) for start in opened]
    return sorted(spans)


def _read_plain(html: str) -> list[list[str]]:
    """Read a table that lxml would read in one way only, at a quarter of the cost."""
    if not _PLAIN.fullmatch(html):
        return []
    rows = [
        [" ".join(text.split()) for text in _PLAIN_CELL.findall(row)]
        for row in html.split("<tr")[1:]
    ]
    if not html.isascii():
        rows = [list(map(tidy, row)) for row in rows]
    # What stands above in one cell may be a title.
    is_wide = rows and len(rows[0]) > 1
    return rows if is_wide else expand([list(map(SpanCell, row)) for row in rows])


def _read(html: str, *, closed: bool) -> list[list[str]]:
    from lxml import etree

    unfinished_tag = html.rfind("<")
    if not closed and ">" not in html[unfinished_tag:]:
        html = html[:unfinished_tag]
    try:
        root = etree.fromstring(_NOT_XML.sub(" ", html), parser=_parser())
    except (etree.LxmlError, ValueError):
        return []
    table = None if root is None else root.find(".//table")
    if table is None:
        return []
    cells = _cells(table)
    for inner in table.findall(".//table"):
        if all(len(row) <= 1 for row in cells):
            cells = _cells(inner)
    rows = expand(_spanned(cells))
    if not closed and rows and not _ends_with_whole_row(html, rows):
        rows.pop()
    return rows


@cache
def _parser() -> HTMLParser:
    from lxml import etree

    return etree.HTMLParser(recover=True, remove_comments=True, remove_pis=True)


def _ends_with_whole_row(html: str, rows: list[list[str]]) -> bool:
    tags = [tag[1] for tag in _ROW_TAG.finditer(html)]
    if "/" in tags:
        return tags[-1] == "/" and not _CELL_TAG.search(html, html.rfind("</"))
    return len(rows[-1]) >= len(rows[0])


def _cells(table: _Element) -> list[list[_Element]]:
    """Return the cells of a table by row, without those of tables inside its cells."""
    rows: list[list[_Element]] = []
    stack = [*reversed(table)]
    while stack:
        element = stack.pop()
        if element.tag in ("td", "th"):
            if not rows:
                rows.append([])
            rows[-1].append(element)
        elif element.tag not in ("table", "caption"):
            if element.tag == "tr":
                rows.append([])
            stack.extend(reversed(element))
    return [row for row in rows if row]


def _spanned(rows: list[list[_Element]]) -> list[list[SpanCell]]:
    return [
        [
            SpanCell(_cell_text(cell), _span(cell, "colspan"), _span(cell, "rowspan"))
            for cell in row
        ]
        for row in rows
    ]


def _span(cell: _Element, name: str) -> int:
    written = cell.get(name)
    digits = _DIGITS.fullmatch(written) if written else None
    return min(max(int(digits[1]), 1), MOST_SPAN) if digits else 1


def _cell_text(cell: _Element) -> str:
    if len(cell) == 0:
        return tidy(" ".join((cell.text or "").split()))
    from lxml import etree

    values: list[list[str]] = [[]]
    hidden = 0
    for event, element in etree.iterwalk(cell, events=("start", "end")):
        tag = element.tag
        if element is not cell and tag in _DIVIDERS:
            values.append([])
        if event == "start":
            hidden += _is_hidden(element)
            text = element.text
        else:
            hidden -= _is_hidden(element)
            text = None if element is cell else element.tail
        if text and not hidden:
            values[-1].append(text)
    texts = [tidy(" ".join("".join(value).split())) for value in values]
    texts = [text for text in texts if text]
    return join_values(texts) if len(texts) > 1 else "".join(texts)


def _is_hidden(element: _Element) -> bool:
    """Whether a reader does not see an element, or only a footnote's mark."""
    if element.tag == "sup" and len(element) == 0:
        return _FOOTNOTE.fullmatch((element.text or "").strip()) is not None
    return element.tag in _UNSEEN
