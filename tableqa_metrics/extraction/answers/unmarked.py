"""Answers that nothing marks: a response that is the answer, or prose with a number.

A response of one line is the answer, unless it is a sentence with a number in it; then
the number is. Of several lines, the last is the answer if it is a number, a date or a
list of them, else the first, else the last number of the text, years and labels such
as "Step 2" apart, or the date that it ends in. Several lines of a few words each are a value each. A response that
begins by declining to answer has none, nor has one that ends in a question, in a row of
a table, or in "Answer:". A program in a fence is not read, let alone run.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ...response import after_refusal
from ..tables.layout import read_lines
from .answer import Candidate
from .forms import is_placeholder
from .markers import ends_in_marker
from .prose import closing_date, closing_yes_no, last_number
from .reading import (
    Reading,
    answer,
    content_lines,
    read_answer,
    read_list,
    read_short_lines,
)
from .scales import is_scale, read_scale, scale_field


# Longer sentences are answers in words: explanations, definitions, enumerations.
_MOST_WORDS_AROUND_A_NUMBER: Final = 25
_POSTSCRIPT = re.compile(
    r"[*_(\[]{0,4}(?:(?:please\s)?note\b|disclaimer\b|confidence\b|sources?[:：]"
    r"|(?:please\s)?let me know\b|(?:i\s)?hope (?:this|that)\b|(?:please\s)?feel free\b"
    r"|if you (?:have|need|would|want)\b|would you like\b|do you (?:have|need|want)\b)",
    re.IGNORECASE,
)
# A program that computes its answer, and what no line of a program is.
_ASSIGNED = re.compile(r"^[ \t]{0,20}(?:ans|answer|result)\s?=\s?[^=\s]", re.MULTILINE)
_PROSE = re.compile(
    r"(?!\s*(?:[A-Za-z_][\w.]*(?:\[[^\]\n]{0,80}\])?\s?(?:,\s?\w+\s?){0,5}[-+*/]?=(?!=)"
    r"(?![^\n]*\s=\s)|#|(?:print|def|for|if|elif|else|while|return|import|from|with|try"
    r"|except)\b|[\])}]))"
)
_SENTENCE = re.compile(r"[^\w\s]{0,3}[A-Z]|\.\.\.")


def unmarked(text: str) -> Candidate | None:
    """Read a response without any mark.

    Examples
    --------
    >>> unmarked("The company sold 65 units, overall.").answer.values
    ('65',)
    >>> unmarked("2.5 years").answer.values
    ('2.5 years',)
    """
    text = _without_code(text)
    rest = after_refusal(text)
    lines = content_lines(text if rest is None else rest)
    while len(lines) > 1 and _POSTSCRIPT.match(lines[-1]):
        lines.pop()
    if not lines or _is_unfinished(lines[-1]):
        return None
    if len(lines) == 2 and (reading := _with_scale(*lines)):
        pass
    elif len(lines) > 1:
        reading = _several_lines(lines)
    elif rest is None:
        reading = _one_line(lines[0])
    else:
        reading = read_answer(lines[0])
    if reading is None or (rest is not None and reading.kind == "text"):
        return None
    if reading.kind == "text" and is_placeholder(text.strip()):
        return None
    rule = "last_number" if reading.kind == "prose" else "bare"
    return Candidate(0, answer(reading, rule))


def _without_code(text: str) -> str:
    """Leave out fences, and what is a program: its numbers are no answer."""
    is_assigned = "=" in text and _ASSIGNED.search(text)
    if is_assigned and not any(map(_PROSE.match, filter(str.strip, text.splitlines()))):
        return ""
    if "```" not in text and "~~~" not in text:
        return text
    lines = (line for line in read_lines(text) if not (line.is_fence or line.is_code))
    return "".join(text[line.start : line.end] for line in lines)


def _is_unfinished(line: str) -> bool:
    """Whether a response ends in a table row or where its answer should follow."""
    return line.startswith("|") or ends_in_marker(line)


def _with_scale(line: str, below: str) -> Reading | None:
    """Read a number whose scale stands on the line below it."""
    field = scale_field(below)
    if not is_scale(below) and not (field and field[0] == 0):
        return None
    reading = read_answer(line)
    if (
        reading is None
        or reading.kind == "text"
        or not (field or reading.kind == "value")
    ):
        return None
    return reading.with_scale(field[1] if field else read_scale(below))


def _one_line(line: str) -> Reading | None:
    reading = read_answer(line)
    if reading is None or reading.kind != "text" or len(reading.values) > 1:
        return reading
    if line.endswith("?"):
        return None  # the question, once more
    is_sentence = _SENTENCE.match(line) and line.endswith((".", "!"))
    if is_sentence and len(line.split()) <= _MOST_WORDS_AROUND_A_NUMBER:
        return _from_prose(line) or reading
    return reading


def _several_lines(lines: list[str]) -> Reading | None:
    if reading := read_list(lines) or _list_with_a_remark(lines):
        return reading
    last = read_answer(lines[-1])
    if last and last.kind == "value":
        return last
    first = read_answer(lines[0], prose=False)
    if first and first.kind == "value":
        return first
    if last and last.kind == "prose":
        return last
    if reading := _from_prose("\n".join(lines)):
        return reading
    return read_short_lines(lines)


def _list_with_a_remark(lines: list[str]) -> Reading | None:
    """Read an announced list of bullets that a last line without a number closes."""
    *body, remark = lines
    if not body[0].endswith((":", "：")) or any(map(str.isdigit, remark)):
        return None
    return read_list(body)


def _from_prose(text: str) -> Reading | None:
    """Take the yes or no that ends a text, or its last number, or the date it ends in."""
    found = closing_yes_no(text) or last_number(text) or closing_date(text)
    reading = read_answer(found) if found else None
    return reading and replace(reading, kind="prose")
