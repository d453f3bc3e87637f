"""The answer line that the prompts of TAT-LLM and of our tasks ask for.

`The answer is: X #### and its corresponding scale is: Y`, values joined with `#`; also
where the words around X are left out, as a model does that goes on behind "Answer:" (`X
#### Y`). `tableqa_metrics.extraction.answers.stated` says how X is read beside Y. `;`,
which is in long gold spans, separates short values only. The form itself, with X and Y
in their places, is no answer.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Final

from ...response import NOTHING_FOUND
from ...written.plain_text import holds_any
from ..marks import strip_layout, strip_marks, strip_placeholder
from .answer import Candidate, declines
from .lists import bullets, is_known, marked_list, number_list, split_at_hash
from .reading import answer as answer_of, content_lines
from .scales import read_scale, stated_scale
from .stated import MOST_WORDS, PLAIN, read_stated


_ANSWER = re.compile(
    r"\bthe\s{1,5}(?:final\s)?answer\s{1,5}is\s{0,5}[:：]?", re.IGNORECASE
)
_LABEL = re.compile(r"\banswer[*_]{0,3}\s{0,3}[:：][*_]{0,3}", re.IGNORECASE)
_SCALE = re.compile(
    # few places in a text are such that one begins there
    r"(?:(?=[#\n])|(?<!\w)(?=[aitw]))"
    r"(?:(?:(?<!#)#{1,9}[ \t]{0,9})?\n?(?:\b(?:and|with)\s{1,5})?\b(?:its|the|a)\s{1,5}"
    r"(?:corresponding\s{1,5})?scale\s{1,5}(?:is|of)\b\s{0,5}[:：]?(?P<scale>[^\n]*)"
    r"|(?<!#)(?P<hashes>#{2,9})(?!#)(?=(?P<rest>[^\n]{1,120})))",
    re.IGNORECASE,
)
# An answer's text before `####` that another rule reads: a box, a tag, JSON, a table.
_FRAMED = re.compile(r"\\boxed|<\w|[{|]")
_LONGEST_LINE: Final = 2000
_MOST_STATEMENTS: Final = 16


def answer_line(text: str) -> Candidate | None:
    """Find the last answer line that states a scale.

    Examples
    --------
    >>> line = "The answer is: 12#13 #### and its corresponding scale is: million"
    >>> answer_line(line).answer
    Answer(values=('12', '13'), scale='million', rule='answer_line', raw=None)
    """
    if not holds_any(text, ("scale", "##")):
        return None
    for match in reversed(deque(_SCALE.finditer(text), maxlen=_MOST_STATEMENTS)):
        rest = match["rest"]
        scale = read_scale(match["scale"]) if rest is None else stated_scale(rest)
        place = None if scale is None else _place(text, match)
        if scale is None or place is None:
            continue
        start, end = place
        written = text[end : match.start()]
        written = (written if end > start else written.lstrip("*_> ")).strip()
        values = (written,) if PLAIN.fullmatch(written) else _values(written)
        reading = read_stated(values, scale)
        if reading is None:
            return Candidate(start, None, NOTHING_FOUND)  # left blank
        if declines(reading.values[0]):
            return Candidate(start, None)
        return Candidate(start, answer_of(reading, "answer_line"))
    return None


def _place(text: str, statement: re.Match[str]) -> tuple[int, int] | None:
    """Return where the words before X start and end, if there is an X.

    Without such words X is what stands in the line of the `####`, or above it.
    """
    at = statement.start()
    hashes = statement[0].lstrip().startswith("#")
    end = len(text[:at].rstrip())
    line = text.rfind("\n", 0, end) + 1
    below = text.count("\n", end, at)
    for answer in deque(_ANSWER.finditer(text, 0, at), maxlen=1):
        is_near = not hashes or below or answer.start() >= line
        if is_near or bullets(content_lines(text[answer.end() : at])):
            return answer.span()
    is_heading = below and (below > 1 or not statement[0].lstrip().startswith("####"))
    if not hashes or is_heading or end - line > _LONGEST_LINE:
        return None
    for label in deque(_LABEL.finditer(text, line, at), maxlen=1):
        return label.span()
    return None if end == line or _FRAMED.search(text, line, end) else (line, line)


def _values(text: str) -> tuple[str, ...]:
    lines = content_lines(text)
    if len(lines) > 1:
        return tuple(bullets(lines)) or _values(lines[0])
    text = strip_layout(text).rstrip("#").strip()
    if items := marked_list(text):
        return tuple(items)
    text = strip_placeholder(text)
    if "#" in text:
        return tuple(map(strip_marks, split_at_hash(text)))
    if is_known(text):
        return (text.rstrip(".,;:!?"),)
    parts = [part for part in map(str.strip, text.split(";")) if part]
    if all(len(part.split()) <= MOST_WORDS for part in parts):
        return tuple(number_list(text) or parts)
    return (text,)
