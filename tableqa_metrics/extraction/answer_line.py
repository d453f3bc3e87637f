"""The answer line that the prompts of TAT-LLM and of our tasks ask for.

`The answer is: X #### and its corresponding scale is: Y`, values joined with `#`. Since
the scale has its own field, X is kept as it is but for marks around it: a scale word in
it stays, also where Y repeats it. Three gold answers of TAT-QA's development and test
sets carry their scale twice, and a blind rule that read "$15.5 million" with the scale
million once would lose them; the official scorer multiplies twice, `value_match` once.
For the same reason `;`, which is in long gold spans, separates short values only.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Final

from ..response import NOTHING_FOUND
from ..written.dates import parse_date
from ..written.numbers import parse_number
from ..written.plain_text import holds_any
from .answer import Answer, Candidate
from .marks import strip_layout, strip_placeholder
from .reading import number_list, split_at_hash
from .scales import read_scale


_ANSWER = re.compile(
    r"\bthe\s{1,5}(?:final\s)?answer\s{1,5}is\s{0,5}[:：]?", re.IGNORECASE
)
_SCALE = re.compile(
    r"(?:(?<!#)#{1,9}[ \t]{0,9})?\n?(?:\band\s{1,5})?\b(?:its|the)\s{1,5}"
    r"(?:corresponding\s{1,5})?scale\s{1,5}is\s{0,5}[:：]?(?P<scale>[^\n]*)",
    re.IGNORECASE,
)
# Each gold span with a semicolon has a longer part than this.
_MOST_WORDS: Final = 8


def answer_line(text: str) -> Candidate | None:
    """Find the last answer line that states a scale.

    Examples
    --------
    >>> line = "The answer is: 12#13 #### and its corresponding scale is: million"
    >>> answer_line(line).answer
    Answer(values=('12', '13'), scale='million', rule='answer_line', raw=None)
    """
    if not holds_any(text, ("scale",)):
        return None
    for scale in deque(_SCALE.finditer(text), maxlen=1):
        for start in deque(_ANSWER.finditer(text, 0, scale.start()), maxlen=1):
            values = _values(text[start.end() : scale.start()])
            if values:
                answer = Answer(values, read_scale(scale["scale"]), "answer_line")
                return Candidate(start.start(), answer)
            return Candidate(start.start(), None, NOTHING_FOUND)  # left blank
    return None


def _values(text: str) -> tuple[str, ...]:
    text = strip_placeholder(strip_layout(text).rstrip("#"))
    if "#" in text:
        return split_at_hash(text)
    if parse_number(text) or parse_date(text):
        return (text.rstrip(".,;:!?"),)
    parts = [part for part in map(str.strip, text.split(";")) if part]
    if all(len(part.split()) <= _MOST_WORDS for part in parts):
        return tuple(number_list(text) or parts)
    return (text,)
