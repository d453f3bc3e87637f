"""The step tables of TAT-LLM (arXiv:2401.13223).

A table `| step | output |`. For TAT-QA and TAT-DQA its rows are 1 question type (Single
span, Multiple spans, Count, Arithmetic), 2 evidence, 3 equation or N.A., 4 answer, 5
scale; for FinQA 1 evidence, 2 equation, 3 answer. As the paper has it, an external
executor computes what the equation says, since the model's own result in the answer row
is often off; spans and counts are taken from the answer row.

Where the scale is percent, an equation may give the ratio or a hundred times it. The
model's own result decides: of the two, the nearer one is the answer. (The released
scorer decides by looking at the reference.)
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from typing import Final

from ...arithmetic import evaluate
from ...written.numbers import parse_number, split_scale
from ...written.plain_text import plain_text
from ..marks import strip_layout
from .answer import Answer, Candidate
from .forms import is_placeholder
from .lists import split_at_hash
from .reading import answer as answer_of, read_answer
from .scales import read_scale
from .stated import read_stated


_RULE: Final = "step_table"
_ROW = re.compile(
    r"^[ \t]{0,9}\|[ \t*`]{0,9}(?:step[ \t]{0,3})?(?P<step>[1-5]|step)[.:*` \t]{0,9}\|"
    r"(?P<output>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
# The last table counts; it has at most a heading and five rows.
_MOST_ROWS: Final = 6
_TYPES: Final = ("single span", "multiple spans", "count", "arithmetic")
_PERCENT = re.compile(r"(?<![\d.])(\d{1,15}(?:\.\d{1,15})?)\s?%")
_BRACKETS: Final = str.maketrans("[]{}", "()()", ",$€£¥&")
_DECIMALS: Final = 10


def step_table(text: str) -> Candidate | None:
    """Read the last step table of a text, if it got as far as an answer.

    Examples
    --------
    >>> table = '''| step | output |
    ... | 1 | Arithmetic |
    ... | 2 | 1164#1609 |
    ... | 3 | (1609 - 1164) / 1164 |
    ... | 4 | 38.4 |
    ... | 5 | percent |'''
    >>> step_table(table).answer
    Answer(values=('38.2302405498',), scale='percent', rule='step_table', raw=None)
    """
    if "|" not in text:
        return None
    rows: dict[str, str] = {}
    start = 0
    for match in deque(_ROW.finditer(text), maxlen=_MOST_ROWS):
        step = match["step"].lower()
        if step in ("1", "step") and not (step == "1" and list(rows) == ["step"]):
            rows, start = {}, match.start()
        rows[step] = _cell(match["output"])
    kind = rows.get("1", "").lower().strip(". ")
    if kind in _TYPES:
        answer = _tat_answer(kind, rows)
    elif rows.get("step", "").lower() == "output" and "4" not in rows:
        answer = _finqa_answer(rows)
    else:
        return None
    return None if answer is None else Candidate(start, answer)


def _tat_answer(kind: str, rows: dict[str, str]) -> Answer | None:
    written = rows.get("4", "")
    scale = read_scale(rows.get("5", ""))
    if kind == "arithmetic":
        return _computed(rows.get("3", ""), written, scale)
    reading = read_stated(split_at_hash(written), scale)
    return answer_of(replace(reading, scale_apart=True), _RULE) if reading else None


def _finqa_answer(rows: dict[str, str]) -> Answer | None:
    written = rows.get("3", "")
    if written.lower() in ("yes", "no", "true", "false"):
        return Answer((written,), "", _RULE)
    return _computed(rows.get("2", ""), written, "")


def _computed(equation: str, written: str, scale: str) -> Answer | None:
    number, written_scale = split_scale(written)
    result = _evaluate(equation)
    apart = bool(scale)
    if result is None:
        if is_placeholder(written):
            return None
        reading = read_stated([written], scale) if scale else read_answer(written)
        return answer_of(reading, _RULE) if reading else None
    scale = scale or written_scale
    if scale == "percent" and (own := parse_number(number)):
        ratio = float(result)
        if abs(100 * ratio - own.value) < abs(ratio - own.value):
            # 100 * 0.07 is 7.000000000000001, which the text below does not show
            result = 100 * ratio
    return Answer((_write(result),), scale, _RULE, scale_apart=apart)


def _evaluate(equation: str) -> int | float | None:
    """Evaluate the first part of an equation that is arithmetic; 5% is 0.05 there."""
    equation = plain_text(equation).translate(_BRACKETS)
    for part in _PERCENT.sub(r"(\1/100)", equation).replace("%", "").split("="):
        result = evaluate(part)
        if result is not None:
            return result
    return None


def _write(value: float) -> str:
    """Write a number without an exponent, which the released scorers do not read."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _cell(output: str) -> str:
    """Return a row's second cell; a pipe inside it is its own, the last one the row's."""
    return strip_layout(output.strip().removesuffix("|"))
