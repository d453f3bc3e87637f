"""Which of the tables of a response is its answer.

The last complete one, since models correct themselves; but

- one after the last announcement ("Answer:", "Final table") comes before earlier ones;
- a form that is a table for certain before one that might be prose;
- one whose first header is `entity`, which the prompts ask for, before others: below an
  answer stand legends and sources, above it tables of facts;
- none counts behind a heading such as "Sources:" or "Legend";
- a table that was cut off only where no complete one has as many rows, and a last table
  that only repeats the start of an earlier one counts as cut off.

Tables are never joined: of one table for each entity or group, the last alone counts, since
nothing tells them from a draft and its correction.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from typing import Final

from ...written.plain_text import holds_any
from .layout import Candidate
from .pipe_blocks import FIRST_HEADER


_ANNOUNCEMENT = re.compile(
    r"^[ \t>#*_-]{0,12}(?:(?:so|thus|therefore|hence)\b,?[ \t]*)?"
    r"(?:(?:here|this|the|my|is|are|corrected|complete|full)\b[ \t]*){0,4}"
    r"(?:answers?|final[ \t]{1,4}(?:answer|table|result|output|version))\b[^|\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ANNOUNCED: Final = ("answer", "final")  # what one must contain
_ASIDE = re.compile(
    r"[\s>#*_-]{0,12}(?:(?:the|my|list|table|of|key|and)\s){0,3}(?:sources?|references?"
    r"|citations?|evidence|legend|notes?|abbreviations?|explanations?|reasoning|justifications?"
    r"|verification|confidence|provenance)[*_]{0,3}\s{0,3}(?:\([^()\n]{0,30}\))?[:：]?[*_\s]{0,5}",
    re.IGNORECASE,
)
_LOOK_BACK: Final = 200


def choose(text: str, candidates: list[Candidate]) -> Candidate | None:
    """Return the answer among tables in the order of the text, if there is any."""
    if not candidates:
        return None
    if len(candidates) == 1:
        return candidates[0]
    candidates = _flag_repetition(text, candidates)
    candidates = [c for c in candidates if not _is_aside(text, c)] or candidates
    since = announced(text, candidates[-1].start)
    last = [c for c in candidates if c.start >= since]
    pool = _preferred(last) or _preferred(candidates)
    if not pool:
        return max(candidates, key=lambda c: (c.certain, bool(c.table.rows), c.start))
    answer = pool[-1]
    unfinished = candidates[-1]
    has_more = len(unfinished.table.rows) > len(answer.table.rows)
    if has_more and unfinished.certain and not unfinished.complete:
        return unfinished
    return answer


def _preferred(candidates: list[Candidate]) -> list[Candidate]:
    complete = [c for c in candidates if c.complete]
    certain = [c for c in complete if c.certain] or complete
    return [c for c in certain if _first_header(c) == FIRST_HEADER] or certain


def _first_header(candidate: Candidate) -> str:
    return next(iter(candidate.table.header), "").casefold()


def _flag_repetition(text: str, candidates: list[Candidate]) -> list[Candidate]:
    """Mark a last table as cut off that only repeats the start of an earlier one."""
    *earlier, last = candidates
    rows = last.table.rows
    if text[last.end :].strip():
        return candidates
    for candidate in earlier:
        known = candidate.table
        longer = candidate.complete and len(known.rows) > len(rows)
        if longer and (known.header, known.rows[: len(rows)]) == (
            last.table.header,
            rows,
        ):
            return [*earlier, replace(last, complete=False)]
    return candidates


def announced(text: str, end: int) -> int:
    """Return where the last announcement of an answer stands, or 0."""
    if not holds_any(text, _ANNOUNCED):
        return 0
    last = deque(_ANNOUNCEMENT.finditer(text, 0, end), maxlen=1)
    return last[0].start() if last else 0


def _is_aside(text: str, candidate: Candidate) -> bool:
    """Whether a heading says that a table is no answer: "Sources:"."""
    above = text[max(0, candidate.start - _LOOK_BACK) : candidate.start].rstrip()
    return _ASIDE.fullmatch(above.rpartition("\n")[2]) is not None
