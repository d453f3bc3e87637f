"""What all readers of tables share: candidates, and the lines of a response.

A reader takes a text and returns the tables of its own form, each as a `Candidate` with
its place in the text. It never raises, and its time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from ...response import INVISIBLE
from ...table import Table


@dataclass(frozen=True)
class Candidate:
    """A table that a reader found in `text[start:end]`.

    Parameters
    ----------
    start, end
        Where it stands.
    table
        What was read.
    rule
        The name of the form.
    complete
        Whether nothing says that it was cut off.
    certain
        Whether the form alone says that it is a table. A comma-separated block might be
        prose; such a candidate loses to a certain one.
    verbatim
        The text as written, where that already is TANQ's form.
    """

    start: int
    end: int
    table: Table
    rule: str
    complete: bool = True
    certain: bool = True
    verbatim: str | None = None


class Line(NamedTuple):
    """A line without its line end, what is invisible, and marks of quotation before it."""

    start: int  # offsets of the whole line, its line end included
    end: int
    text: str
    as_written: bool  # whether `text` is the whole line
    is_fence: bool  # whether the line opens or closes a fence
    fence: str | None  # None outside of fences, else the fence's language, or ""

    @property
    def is_code(self) -> bool:
        """Whether the line is program code, where no pipe or comma makes a table."""
        return self.fence is not None and self.fence in _CODE


_CODE: Final = frozenset(
    (
        "bash",
        "c",
        "c++",
        "cpp",
        "csharp",
        "go",
        "java",
        "javascript",
        "js",
        "jsx",
        "kotlin",
        "php",
        "python",
        "python3",
        "py",
        "r",
        "ruby",
        "rust",
        "sh",
        "shell",
        "sparql",
        "sql",
        "swift",
        "ts",
        "typescript",
        "zsh",
    )
)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*")
_QUOTE = re.compile(r"(?:[ \t]{0,8}>(?=[\s>|]|$))+ ?")
# Of a longer text the lines are not kept, so that memory stays small.
LONGEST_KEPT: Final = 20_000
_LINE_ENDS: Final = "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def read_lines(text: str) -> Sequence[Line]:
    """Split a text into lines; a fence that is never closed reaches to the end."""
    return _kept_lines(text) if len(text) <= LONGEST_KEPT else _lines(text)


# The readers look at one text after the other, which most of them leave as it is.
@lru_cache(maxsize=2)
def _kept_lines(text: str) -> tuple[Line, ...]:
    return tuple(_lines(text))


def _lines(text: str) -> list[Line]:
    if ">" not in text and "```" not in text and "~~~" not in text and text.isascii():
        return _plain_lines(text)
    lines: list[Line] = []
    start = 0
    mark = ""
    language: str | None = None
    for raw in text.splitlines(keepends=True):
        end = start + len(raw)
        content = raw.rstrip(_LINE_ENDS)
        visible = content if content.isascii() else content.strip(INVISIBLE)
        hidden = len(content) != len(visible)
        content = visible
        quote = _QUOTE.match(content) if ">" in content else None
        if quote is not None:
            content = content[quote.end() :]
        fence = None
        if "```" in content or "~~~" in content:
            fence = _FENCE.fullmatch(content)
        if fence is not None and language is not None and mark != fence[1][0]:
            fence = None  # the other kind of fence is content here
        if fence is not None:
            closes = language is not None and not fence[2]
            mark, language = fence[1][0], None if closes else fence[2].lower()
        as_written = quote is None and not hidden
        lines.append(Line(start, end, content, as_written, fence is not None, language))
        start = end
    return lines


def _plain_lines(text: str) -> list[Line]:
    lines = []
    start = 0
    for raw in text.splitlines(keepends=True):
        end = start + len(raw)
        line = Line(start, end, raw.rstrip(_LINE_ENDS), True, False, None)
        lines.append(line)
        start = end
    return lines


def tidy(cell: str) -> str:
    """Strip a cell; no-break spaces become spaces and what has no width goes.

    Examples
    --------
    >>> tidy(" 2\u00a0310 ")
    '2 310'
    """
    return cell.strip() if cell.isascii() else cell.translate(_INVISIBLE).strip()


def is_visible(text: str) -> bool:
    """Whether `tidy` would only strip a text: no special blank is in it."""
    return not any(map(text.__contains__, _UNTIDY))


_NO_BREAK: Final = "\xa0\u2007\u202f"
_UNTIDY: Final = (*_NO_BREAK, *INVISIBLE)
_INVISIBLE = str.maketrans(
    {**dict.fromkeys(_NO_BREAK, " "), **dict.fromkeys(INVISIBLE)}
)
