"""Tables written as XML: a list of elements of one name, each a row. Rule: `xml`.

The children of a row, or its attributes, are its cells, by their names; of two of one name
both values count. Two rows at least must follow each other, or one must have an `entity`.
Elements that HTML has are left to `html_tables`.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Final

from ...table import Table
from .cells import join_values
from .layout import Candidate, tidy
from .pipe_blocks import FIRST_HEADER


_TAG = re.compile(
    r"<(?P<close>/)?(?P<name>[A-Za-z_][\w.-]{0,60})(?P<rest>(?:\s[^<>]{0,1000})?)>"
)
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w.-]{0,60})\s?=\s?(?:\"([^\"]*)\"|'([^']*)')")
_HTML: Final = frozenset(
    (
        *(
            "a",
            "b",
            "br",
            "code",
            "div",
            "em",
            "hr",
            "i",
            "img",
            "li",
            "ol",
            "p",
            "pre",
        ),
        *("span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th"),
        *("thead", "tr", "u", "ul", "html", "body", "head", "caption", "small"),
    )
)
_LEAST_FILLED: Final = 0.6


@dataclass
class _Element:
    """An element that is open: its cells so far, and the rows in it by their name."""

    name: str
    start: int
    inside: int
    cells: dict[str, list[str]] = field(default_factory=dict)
    rows: list[_Row] = field(default_factory=list)


@dataclass
class _Row:
    name: str
    start: int
    end: int
    cells: dict[str, list[str]]


def read_xml(text: str) -> list[Candidate]:
    """Return the tables that are written as XML, in their order.

    Examples
    --------
    >>> row = "<film><entity>{}</entity><year>{}</year></film>"
    >>> text = "<films>" + row.format("Rent", 2005) + row.format("Annie", 1982) + "</films>"
    >>> read_xml(text)[0].table.rows
    (('Rent', '2005'), ('Annie', '1982'))
    """
    if "</" not in text and "/>" not in text:
        return []
    outermost = _Element("", 0, 0)
    stack = [outermost]
    found = []
    for tag in _TAG.finditer(text):
        name = tag["name"]
        if name.lower() in _HTML:
            continue
        if tag["rest"].rstrip().endswith("/"):
            cells = _attributes(tag["rest"])
            if cells:
                stack[-1].rows.append(_Row(name, tag.start(), tag.end(), cells))
        elif not tag["close"]:
            element = _Element(name, tag.start(), tag.end())
            element.cells.update(_attributes(tag["rest"]))
            stack.append(element)
        elif stack[-1].name == name:
            element = stack.pop()
            found += _close(text, element, stack[-1], tag)
    for element in stack:
        found += _tables(element, complete=element is outermost)
    return sorted(found, key=lambda candidate: candidate.start)


def _close(
    text: str, element: _Element, parent: _Element, tag: re.Match[str]
) -> list[Candidate]:
    """Make a closed element a cell or a row of its parent, or its rows a table."""
    if element.rows:
        return _tables(element, complete=True)
    if element.cells:
        row = _Row(element.name, element.start, tag.end(), element.cells)
        parent.rows.append(row)
        return []
    value = tidy(" ".join(html.unescape(text[element.inside : tag.start()]).split()))
    parent.cells.setdefault(element.name, []).append(value)
    return []


def _attributes(written: str) -> dict[str, list[str]]:
    return {
        match[1]: [tidy(html.unescape(match[2] or match[3] or ""))]
        for match in _ATTRIBUTE.finditer(written)
    }


def _tables(element: _Element, *, complete: bool) -> list[Candidate]:
    """Make a table of the rows of the name that most of an element's rows have."""
    if not element.rows:
        return []
    name = element.rows[-1].name
    rows = [row for row in element.rows if row.name == name]
    header = list(dict.fromkeys(key for row in rows for key in row.cells))
    is_first = header[0].casefold() == FIRST_HEADER
    filled = sum(len(row.cells) for row in rows)
    if len(header) < 2 or (len(rows) < 2 and not is_first):
        return []
    if filled < _LEAST_FILLED * len(rows) * len(header):
        return []
    body = tuple(
        tuple(join_values(row.cells.get(key, ())) for key in header) for row in rows
    )
    table = Table(tuple(header), body)
    return [Candidate(rows[0].start, rows[-1].end, table, "xml", complete)]
