"""GitHub tables that need no second look, as most are: each line between two pipes.

`plain_github` recognises them at a fraction of the cost of the blocks that `pipe_blocks`
makes of any lines with pipes; both find the same table in them. A text has such a table if
all its pipes stand in one run of lines, dashes stand alone below the first of these and
nowhere else, and neither escapes nor code ask where a cell ends.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .layout import LONGEST_KEPT
from .pipe_blocks import BARS, BORDERS


_DELIMITER = re.compile(r"\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+")
# A line that might be another border, or dashes alone: it has no letter and no digit.
_NO_WORD = re.compile(r"\n\|[^\w\n]*(?:\n|\Z)")
_WORD = re.compile(r"\w")
# What makes rows of other lines.
_DRAWN = re.compile(rf"[+{BARS}{BORDERS}]")
# Fences that are none of program code.
_FENCES: Final = ("\n```\n", "\n```markdown\n", "\n```md\n", "\n```text\n")
_LONGEST_FENCE: Final = 20


class PlainTable(NamedTuple):
    """Where a table stands in a text, and its lines without their line ends."""

    start: int
    end: int
    lines: list[str]


def plain_github(text: str) -> PlainTable | None:
    r"""Return the table of a text, if it has one that needs no second look.

    Examples
    --------
    >>> plain_github("So:\n| entity | year |\n|---|---|\n| Rent | 2005 |\n").start
    4
    >>> plain_github("entity|year\nRent|2005\n") is None
    True
    """
    return _kept(text) if len(text) <= LONGEST_KEPT else _plain(text)


# Two readers ask.
@lru_cache(maxsize=1)
def _kept(text: str) -> PlainTable | None:
    return _plain(text)


def _plain(text: str) -> PlainTable | None:
    first = text.find("|")
    if first < 0 or (first and text[first - 1] != "\n"):
        return None
    last = text.rfind("|") + 1
    if text[last : last + 1] not in ("", "\n"):
        return None
    block = text[first:last]
    n_ends = block.count("\n")
    if n_ends < 2 or block.count("|\n|") != n_ends or "\\" in block or "`" in block:
        return None
    lines = block.splitlines()
    header, border = lines[:2]
    if len(lines) != n_ends + 1 or header.count("|") != border.count("|"):
        return None
    rest = len(header) + 1 + len(border)  # where the line end behind the dashes stands
    if (
        not _DELIMITER.fullmatch(border)
        or "--" in header
        or block.find("--", rest) >= 0
        or not _WORD.search(header)
        or _NO_WORD.search(block, rest)
        or _is_disturbed(text[:first], text[last:])
    ):
        return None
    return PlainTable(first, last + (last < len(text)), lines)


def _is_disturbed(above: str, below: str) -> bool:
    """Whether the text around may hold other rows, or make the lines program code."""
    if _DRAWN.search(above) or _DRAWN.search(below):
        return True
    if "```" not in above and "~~~" not in above:
        return False
    is_one = above.count("```") == 1 and "~~~" not in above
    return not (is_one and f"\n{above[-_LONGEST_FENCE:]}".endswith(_FENCES))
