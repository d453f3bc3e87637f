r"""What a reader sees in a cell of a Markdown table.

CommonMark (markdown-it-py) decides, with two exceptions that data cells need: a mark
between two letters or digits is literal (`M*A*S*H`, `5*10*3`), and a line break tag
separates two values, as ", " does in TANQ's gold tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from .layout import is_visible, tidy


if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# A longer text is not a cell; it is left as written, so that hostile text stays cheap.
_LONGEST_CELL: Final = 1_000

_MARKED = re.compile(
    r"\*(?=\S)|(?<=\S)\*|`|~~|\](?=[(\[])|\[\^"
    r"|(?<![^\W_])_(?=\S)|(?<=\S)_(?![^\W_])"
    r"|<(?=[a-zA-Z/!])|\\(?=[!-/:-@\[-`{-~])|&(?=#?\w{1,31};)"
)
# What a marked cell has, or one that is not tidy: a cheaper look tells most apart.
_MARK_CHARS: Final = ("*", "_", "`", "~", "<", "\\", "&", "]")
_WRAPPED = re.compile(r"(\*{1,3}|_{1,3}|`)(?=[^\s*_`])([^*_`~\[\]<\\&]*)(?<=\S)\1")
# A link whose target stands below the table.
_REFERENCE = re.compile(
    r"\[(?=[^\[\]]{0,99}[^\W\d])([^\[\]]{1,300})\]\[[^\[\]^]{0,30}\]"
)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,20}\]")
_BREAK = re.compile(
    r"<br\s{0,8}/?>|</?(?:ul|ol|li|p|div)(?:\s[^<>]{0,200})?>", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|li|mark|nobr|ol|p|q|s|small|span"
    r"|strong|sub|sup|u|ul|wbr)(?:\s[^<>]*)?/?>|<!--.*-->",
    re.IGNORECASE | re.DOTALL,
)
_BULLET = re.compile(r"\A[-*•·‣]\s+")


def split_row(line: str, width: int | None, *, outer: bool) -> list[str]:
    r"""Split a row at its pipes; an escaped pipe is part of a cell.

    Where the row then has another number of cells than the header (`width`), it is read
    once more with its outer pipes taken off, or with the pipes in code spans kept in;
    that reading counts only if it fits.

    Examples
    --------
    >>> split_row(r"| Rule 4 | p \| q |", 2, outer=True)
    [' Rule 4 ', ' p | q ']
    >>> split_row("| `p|q` | 4 |", 2, outer=True)
    [' `p|q` ', ' 4 ']
    """
    cells = _split(line)
    trimmed = _without_outer(cells, line) if outer else cells
    if width is not None and len(trimmed) != width:
        if not outer and len(inner := _without_outer(cells, line)) == width:
            trimmed = inner
        elif "`" in line:
            spans = _split(_hide_pipes_in_code(line))
            spans = _without_outer(spans, line) if outer else spans
            if len(spans) == width:
                trimmed = [cell.replace(_HIDDEN, "|") for cell in spans]
    if "\\" not in line:
        return trimmed
    return [cell.replace("\\|", "|") for cell in trimmed]


_HIDDEN: Final = "\ue000"  # stands for a pipe in a code span while the row is split
_PIPE = re.compile(r"(?<!\\)\|")
_CODE_SPAN = re.compile(r"`[^`]+`")


def _split(line: str) -> list[str]:
    if "\\" not in line:
        return line.split("|")
    return _PIPE.split(line)


def _without_outer(cells: Sequence[str], line: str) -> list[str]:
    first = 1 if len(cells) > 1 and line.startswith("|") else 0
    last = -1 if len(cells) - first > 1 and not cells[-1].strip() else None
    return list(cells[first:last])


def _hide_pipes_in_code(line: str) -> str:
    return _CODE_SPAN.sub(lambda span: span[0].replace("|", _HIDDEN), line)


def plain(cell: str) -> str:
    """Return the text of a Markdown cell, as a reader would see it.

    Examples
    --------
    >>> plain("**61** [km](https://example.org)")
    '61 km'
    >>> plain("M*A*S*H"), plain("snake_case_name"), plain("Dutch<br>Welsh")
    ('M*A*S*H', 'snake_case_name', 'Dutch, Welsh')
    """
    cell = tidy(cell)
    if len(cell) > _LONGEST_CELL or not _is_marked(cell):
        return cell
    wrapped = _WRAPPED.fullmatch(cell)
    if wrapped is not None:
        return wrapped[2].strip()
    cell = _FOOTNOTE.sub("", _REFERENCE.sub(r"\1", cell))
    values = [_inline(part) for part in _BREAK.split(cell)]
    return join_values(values) if len(values) > 1 else values[0]


def plain_rows(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the text of all cells of a Markdown table, as `plain` does.

    Examples
    --------
    >>> plain_rows([[" a ", "*b*"], [" c ", "d"]])
    [['a', 'b'], ['c', 'd']]
    """
    rows = list(rows)
    wholes = ["".join(row) for row in rows]
    if _is_plain("".join(wholes)):
        return [list(map(str.strip, row)) for row in rows]
    return [
        list(map(str.strip if _is_plain(whole) else plain, row))
        for row, whole in zip(rows, wholes, strict=True)
    ]


def _is_plain(text: str) -> bool:
    """Whether nothing in a text may need more than to be stripped."""
    return not _has_mark(text) and (text.isascii() or is_visible(text))


def _is_marked(cell: str) -> bool:
    return _has_mark(cell) and _MARKED.search(cell) is not None


def _has_mark(text: str) -> bool:
    return any(map(text.__contains__, _MARK_CHARS))


def has_labels(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each cell begins with the label of its column: "entity: Rent|year: 2005".

    Examples
    --------
    >>> has_labels([["entity: Rent", "year: 2005"], ["entity: Annie", "year: 1982"]])
    True
    """
    if len(rows) < 2:
        return False
    labels = [cell.strip().partition(": ")[0] + ": " for cell in rows[0]]
    width = len(labels)
    if len(set(labels)) < width or width < 2:
        return False
    return all(
        len(row) == width and all(map(str.startswith, map(str.strip, row), labels))
        for row in rows
    )


def without_labels(rows: list[list[str]]) -> list[list[str]]:
    """Make a header of the labels, where each cell has the one of its column."""
    if not has_labels(rows):
        return rows
    labels = [cell.partition(": ")[0] for cell in rows[0]]
    return [labels, *([cell.partition(": ")[2] for cell in row] for row in rows)]


def join_values(values: Iterable[str]) -> str:
    """Write several values of one cell as TANQ does: "a, b".

    Examples
    --------
    >>> join_values(["- Dutch,", "- Welsh", " "])
    'Dutch, Welsh'
    """
    stripped = (_BULLET.sub("", value.strip()).rstrip(",;").strip() for value in values)
    return ", ".join(value for value in stripped if value)


_OPEN: Final = ("em_open", "strong_open", "s_open")
_CLOSE: Final = ("em_close", "strong_close", "s_close")


def _inline(cell: str) -> str:
    cell = cell.strip()
    if not _is_marked(cell):
        return cell
    pieces: list[str] = []
    opened: list[int] = []
    pairs: list[tuple[int, int, str]] = []
    for token in _markdown().parseInline(cell)[0].children or ():
        if token.type == "html_inline":
            pieces.append("" if _TAG.fullmatch(token.content) else token.content)
        elif token.type in _OPEN:
            opened.append(len(pieces))
            pieces.append("")
        elif token.type in _CLOSE:
            pairs.append((opened.pop(), len(pieces), token.markup))
            pieces.append("")
        else:
            pieces.append(token.content)
    for start, end, mark in pairs:
        before = "".join(pieces[:start])[-1:].isalnum()
        after = "".join(pieces[end + 1 :])[:1].isalnum()
        if (before and after) or (mark == "*" and (before or after)):
            pieces[start] = pieces[end] = mark
    return tidy("".join(pieces))


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")
