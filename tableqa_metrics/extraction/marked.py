r"""Answers that a response marks: `\boxed{}`, `<answer>`, "Answer:" lines, bold.

Each rule returns the rightmost answer of its kind and where it starts, in time linear
in the response.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ..response import after_refusal, is_refusal
from ..written.number_form import YEAR
from ..written.numbers import parse_number
from ..written.plain_text import holds_any
from .answer import Answer, Candidate
from .changes import with_sign
from .marks import closing_brace
from .prose import is_subject
from .reading import Reading, read_answer, read_lines, read_list
from .scales import read_scale


# Of marks that come in numbers only the last are looked at.
_MOST_MARKS: Final = 64
# How much behind a marker is looked at.
_LONGEST_BLOCK: Final = 20_000
# A pipe that closes a line and opens none is the rest of a table's row.
_LONE_PIPE: Final = re.compile(r"^([^|\n]+)\|[ \t]*$", re.MULTILINE)

_BOX = re.compile(r"\\(?:boxed|fbox)\s?(?=\{)")
_BETWEEN_BOXES = re.compile(r"[\s,;$]{0,8}(?:and|&)?[\s$]{0,4}")
_TAG = re.compile(
    r"<(?P<close>/?)(?:(?:final[_-]?)?answer|final)>|\[(?P<shut>/?)(?:final[_ ])?answer\]"
    r"|<\|(?:begin|(?P<end>end))_of_box\|>",
    re.IGNORECASE,
)
_BOLD = re.compile(
    r"\*\*(?=\S)(?P<stars>[^*\n]{1,500})\*\*|(?<!\w)__(?=\S)(?P<lines>[^_\n]{1,500})__"
    r"|<(?P<tag>b|strong)>(?P<html>[^<\n]{1,500})</(?P=tag)>",
    re.IGNORECASE,
)
# The unit of a marked number may stand behind the mark: \boxed{14.1}\%, **48** million.
_UNIT_BEHIND = re.compile(
    r"\s?\$?\s?(?:\\?%|(?:\\,)?\\text\{\s?[A-Za-z]{1,20}\s?\}|(?i:hundred|thousand"
    r"|million|billion|trillion|percent(?:age points?)?|per cent|bps|basis points?)s?\b"
    r"|\s\((?:in\s)?(?:thousand|million|billion)s?(?:\sof\s[A-Za-z. ]{2,20})?\))"
)
_OTHER_LANGUAGES: Final = (
    r"答案\s?(?:是|为|[:：])|答え\s?(?:は|[:：])|정답\s?(?:은|[:：])|الإجابة\s?[:：]"
    r"|\b(?:respuesta|réponse|risposta|resposta|antwort|ответ)"
    r"(?:\s(?:finale?|es|est|è|é|lautet|ist)){0,2}\s?[:：]"
)
_MARKER = re.compile(
    r"(?P<line>\bthe\s{1,3}answer\s{1,3}is\s{0,3}[:：])"
    r"|\b(?:the|my|our)\s{1,3}(?:final|correct|right|short)\s{1,3}answer\s{1,3}"
    r"(?:is|are|was|would\sbe)\b(?:\s{0,3}[:：])?"
    r"|\bthe\s{1,3}answer\s{1,3}(?:is|was|would\sbe)(?:\s{0,3}[:：]|\b(?!\s{1,3}(?:based"
    r"|found|derived|given|computed|calculated|obtained|not)\b))"
    r"|\b(?:answers?|ans|result|correction)\b[*_`]{0,3}\s{0,3}[:：]"
    r"|^\s{0,3}(?:A[:：]|ans\.|[*_]{0,2}(?:final\s{1,3})?answer\s[-–—→]\s)"
    rf"|{_OTHER_LANGUAGES}"
    r"|^#{1,6}\s{1,3}[*_]{0,2}(?:final\s{1,3})?answer[*_]{0,2}[ \t]{0,9}$"
    r"|^\s{0,3}(?:\*\*|__)(?:final\s{1,3})?answer(?:\*\*|__)[ \t]{0,9}$",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r"[ \t]{0,9}(?:[-*•‣·]|\d{1,2}[.)])[ \t]{1,4}")
# What one of these must contain.
_MARKER_WORDS: Final = (
    *("answer", "ans", "result", "correction", "a:", "a："),
    *(
        "答案",
        "答え",
        "정답",
        "الإجابة",
        "respuesta",
        "réponse",
        "risposta",
        "resposta",
    ),
    *("antwort", "ответ"),
)
_LONGEST_MARKER: Final = 200
_SCALE_PART = re.compile(
    r"(?:^[^\w\n]{0,6}|[,;|(]\s{0,3}[*_]{0,3})(?:scale|units?)[*_]{0,3}\s{0,3}[:：]"
    r"(?P<scale>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_REST_OF_MARKER = re.compile(r"\s{0,3}[*_`}]{1,3}(?=\s|$)|\s{0,3}[:：]")


def boxed(text: str) -> Candidate | None:
    r"""Find the last `\boxed{}`, with its unit behind it, or the last row of several.

    Examples
    --------
    >>> boxed(r"The change is \\boxed{14.1}\\%").answer.values
    ('14.1',)
    """
    boxes: list[tuple[int, int, int]] = []
    for match in deque(_BOX.finditer(text), maxlen=_MOST_MARKS):
        end = closing_brace(text, match.end())
        if end >= 0:
            boxes.append((match.start(), match.end() + 1, end))
    if not boxes:
        return None
    row = [boxes.pop()]
    while boxes and _BETWEEN_BOXES.fullmatch(text, boxes[-1][2] + 1, row[0][0]):
        row.insert(0, boxes.pop())
    contents = [text[start:end] for _, start, end in row]
    contents[-1] = _with_unit(contents[-1], text, row[-1][2] + 1)
    if len(row) == 1:
        contents = [with_sign(contents[0], text, row[0][0], row[0][2] + 1)]
    return _candidate(row[0][0], read_lines("#".join(contents)), "boxed")


def answer_tag(text: str) -> Candidate | None:
    """Find the last `<answer>`; one that is not closed reaches to the end."""
    start, end = -1, -1
    for tag in _TAG.finditer(text):
        if not (tag["close"] or tag["shut"] or tag["end"]):
            start, end, after = tag.end(), -1, len(text)
        elif start >= 0 and end < 0:
            end, after = tag.start(), tag.end()
    if start < 0:
        return None
    content = text[start:end] if end >= 0 else text[start:]
    return _candidate(start, read_lines(_with_unit(content, text, after)), "answer_tag")


def answer_marker(text: str) -> Candidate | None:
    """Find the last "Answer:", "The final answer is" or heading with text behind it.

    The answer is the rest of the line, or the next line, or the bullets that follow.
    "Scale: …" or "Unit: …" behind it gives the scale, unless the answer's text does.
    """
    if not holds_any(text, _MARKER_WORDS):
        return None
    size = len(text.rstrip())
    for match in reversed(deque(_MARKER.finditer(text, 0, size), maxlen=_MOST_MARKS)):
        start = match.end()
        if rest := _REST_OF_MARKER.match(text, start):
            start = rest.end()
        block = _LONE_PIPE.sub(r"\1", text[start : start + _LONGEST_BLOCK])
        stated = _SCALE_PART.search(block)
        reading = read_lines(block[: stated.start()] if stated else block, first=True)
        if reading is None:
            continue
        if stated and not reading.scale:
            reading = replace(reading, scale=read_scale(stated["scale"]))
        rule = "plain_answer_line" if match["line"] else "answer_marker"
        return _candidate(match.start(), reading, rule)
    return None


def ends_in_marker(line: str) -> bool:
    """Whether a line announces an answer and says no more."""
    start = max(0, len(line) - _LONGEST_MARKER)
    for match in deque(_MARKER.finditer(line, start), maxlen=1):
        return not any(map(str.isalnum, line[match.end() :]))
    return False


def bold(text: str) -> Candidate | None:
    """Find the last bold number or, if there is none, bold text or a bold year.

    Labels ("**Step 1:**", "**Revenue**: 5"), bold headings and what a number is said
    of ("The **average** is 5") are no answers. Bullets that are bold are a list.
    """
    fallback = None
    size = len(text.rstrip())
    matches = deque(_BOLD.finditer(text), maxlen=_MOST_MARKS)
    if items := _bold_bullets(text, matches, size):
        return items
    for match in reversed(matches):
        content = _bold_text(match)
        is_label = content.endswith((":", "：")) or text.startswith(
            (":", "："), match.end()
        )
        is_heading = match.end() < size and text.startswith("\n", match.end())
        if is_label:
            continue
        content = _with_unit(content, text, match.end())
        content = with_sign(content, text, match.start(), match.end())
        found = _candidate(match.start(), reading := read_answer(content), "bold")
        if found is None or found.answer is None or reading is None:
            continue
        if reading.kind != "text" and not YEAR.fullmatch(reading.values[0]):
            return found
        if not (is_heading or is_subject(text, match.end())):
            fallback = fallback or found
    return fallback


def _bold_text(match: re.Match[str]) -> str:
    return str(match["stars"] or match["lines"] or match["html"]).strip()


def _bold_bullets(
    text: str, matches: Iterable[re.Match[str]], size: int
) -> Candidate | None:
    """Read a text that ends in several bullets, each bold as a whole, as their list."""
    items: list[str] = []
    end = size
    for match in reversed(list(matches)):
        start = text.rfind("\n", 0, match.start()) + 1
        if text[match.end() : end].strip(" \t\n.,;") or not _BULLET.fullmatch(
            text, start, match.start()
        ):
            break
        items.append(_bold_text(match))
        end = start
    if len(items) < 2:
        return None
    reading = read_list([f"- {item}" for item in reversed(items)])
    return _candidate(end, reading, "bold")


def _candidate(start: int, reading: Reading | None, rule: str) -> Candidate | None:
    if reading is None:
        return None
    value = reading.values[0]
    if is_refusal(value) or (reading.kind == "text" and after_refusal(value) == ""):
        return Candidate(start, None)
    return Candidate(start, Answer(reading.values, reading.scale, rule))


def _with_unit(content: str, text: str, end: int) -> str:
    """Add to a number the unit that stands behind its mark."""
    unit = _UNIT_BEHIND.match(text, end)
    if unit and parse_number(content):
        whole = f"{content} {unit[0].strip().lstrip('$')}"
        if parse_number(whole):
            return whole
    return content
