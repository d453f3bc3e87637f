r"""Answers that a response marks as such: `\boxed{}`, `<answer>`, bold.

Each rule returns the rightmost answer of its kind and where it starts, in time linear
in the response.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import Final

from ...written.number_form import YEAR
from ...written.numbers import parse_number
from ..marks import close_gap, closing_brace, strip_marks
from .answer import Candidate
from .changes import with_sign
from .prose import is_subject
from .reading import candidate, read_answer, read_lines, read_list
from .scales import is_scale, read_scale, scale_beside


# Of marks that come in numbers only the last are looked at.
_MOST_MARKS: Final = 64

_BOX = re.compile(r"\\(?:boxed|fbox)\s?(?=\{)")
_BETWEEN_BOXES = re.compile(r"[\s,;$]{0,8}(?:and|&)?[\s$]{0,4}")
_TAG = re.compile(
    r"<(?P<close>/?)(?:(?:final[_-]?)?answer|final)(?:\s[^<>\n]{0,200})?>|\[(?P<shut>/?)(?:final[_ ])?answer\]"
    r"|<\|(?:begin|(?P<end>end))_of_box\|>",
    re.IGNORECASE,
)
_SCALE_TAG = re.compile(
    r"<(?:scale|units?)>\s{0,9}(?P<scale>[^<\n]{0,40})", re.IGNORECASE
)
_BOLD = re.compile(
    r"\*\*(?=\S)(?P<stars>[^*\n]{1,500})\*\*|(?<!\w)__(?=\S)(?P<lines>[^_\n]{1,500})__"
    r"|<(?P<tag>b|strong)>(?P<html>[^<\n]{1,500})</(?P=tag)>",
    re.IGNORECASE,
)
_BOLD_MARKS: Final = ("**", "__", "<")
# The unit of a marked number may stand behind the mark: \boxed{14.1}\%, **48** million.
_UNIT_BEHIND = re.compile(
    r"\s?(?:\$\$?|\\[)\]]|\*\*|[_`])?\s?(?:\\[,;: ]|~)?\s?(?P<unit>\\?%"
    r"|\\(?:text|mathrm|textbf)\s?\{[ (]{0,2}(?:in\s)?[A-Za-z$ .]{1,30}\)?\s?\}"
    r"|(?i:hundred|thousand|million|billion|trillion|percent(?:age points?)?|per cent|bps"
    r"|basis points?)s?\b(?i:\s(?:US\s)?(?:dollars|euros|pounds)\b)?"
    r"|\(?in\s[$€£]?\s?(?:thousand|million|billion)s?\b(?:\sof\s[A-Za-z. ]{2,20})?\)?"
    r"|\((?:thousand|million|billion)s?\))"
)
_BETWEEN_BOLD = re.compile(
    r"(?:\s?(?:thousand|million|billion|%)s?)?(?:,\s{1,3}(?:and\s)?|\s(?:and|&)\s)"
)
_SPAN = re.compile(r"\b(?:between|from)\s$", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]{0,9}(?:[-*•‣·]|\d{1,2}[.)])[ \t]{1,4}")


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
    if len(row) > 1 and is_scale(strip_marks(contents[-1])):
        unit = strip_marks(contents.pop())
        contents[-1] = f"{strip_marks(contents[-1])} {unit}"
    contents[-1] = _with_unit(contents[-1], text, row[-1][2] + 1)
    if len(row) == 1:
        contents = [with_sign(contents[0], text, row[0][0], row[0][2] + 1)]
    reading = read_lines("#".join(contents))
    if reading and not reading.scale:
        scale = scale_beside(text, row[0][0], row[-1][2] + 1)
        reading = reading.with_scale(scale)
    return candidate(row[0][0], reading, "boxed")


def answer_tag(text: str) -> Candidate | None:
    """Find the last `<answer>`; one that is not closed reaches to the end.

    A `<scale>` beside it gives the scale, unless the answer's text does.
    """
    if "<" not in text and "[" not in text:
        return None
    start, end = -1, -1
    for tag in _TAG.finditer(text):
        if not (tag["close"] or tag["shut"] or tag["end"]):
            start, end, after = tag.end(), -1, len(text)
        elif start >= 0 and end < 0:
            end, after = tag.start(), tag.end()
    if start < 0:
        return None
    content = text[start:end] if end >= 0 else text[start:]
    reading = read_lines(_with_unit(content, text, after))
    if reading and not reading.scale:
        scale = scale_beside(text, start, after)
        for tag in deque(_SCALE_TAG.finditer(text), maxlen=1):
            scale = read_scale(tag["scale"])
        reading = reading.with_scale(scale)
    return candidate(start, reading, "answer_tag")


def bold(text: str) -> Candidate | None:
    """Find the last bold number or, if there is none, bold text or a bold year.

    Labels ("**Step 1:**", "**Revenue**: 5"), bold headings and what a number is said
    of ("The **average** is 5") are no answers. Bullets that are bold are a list.
    """
    if not any(map(text.__contains__, _BOLD_MARKS)):
        return None
    fallback = None
    size = len(text.rstrip())
    matches = list(deque(_BOLD.finditer(text), maxlen=_MOST_MARKS))
    if items := _bold_bullets(text, matches, size) or _bold_row(text, matches):
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
        found = candidate(match.start(), reading := read_answer(content), "bold")
        if found is None or found.answer is None or reading is None:
            continue
        if reading.kind != "text" and not YEAR.fullmatch(reading.values[0]):
            return found
        if not (is_heading or is_subject(text, match.end())):
            fallback = fallback or found
    return fallback


def _bold_row(text: str, matches: Sequence[re.Match[str]]) -> Candidate | None:
    """Read the last bold texts as a list where only "and" or a comma parts them.

    Texts that are no numbers, and years, must end the response; years are no answer
    beside another number.
    """
    row: list[re.Match[str]] = []
    for match in reversed(matches):
        if row and not _BETWEEN_BOLD.fullmatch(text, match.end(), row[0].start()):
            break
        row.insert(0, match)
    items = [_with_unit(_bold_text(match), text, match.end()) for match in row]
    if len(items) < 2:
        return None
    years = sum(YEAR.fullmatch(item) is not None for item in items)
    before = text[max(0, row[0].start() - 12) : row[0].start()]
    others = map(_bold_text, matches[: -len(row)])
    if years and (
        years < len(items) or _SPAN.search(before) or any(map(parse_number, others))
    ):
        return None
    reading = read_list([f"- {item}" for item in items])
    if (
        reading
        and (years or reading.kind == "text")
        and text[row[-1].end() :].strip(" .\n")
    ):
        return None
    return candidate(row[0].start(), reading, "bold")


def _bold_text(match: re.Match[str]) -> str:
    return str(match["stars"] or match["lines"] or match["html"]).strip()


def _bold_bullets(
    text: str, matches: Sequence[re.Match[str]], size: int
) -> Candidate | None:
    """Read a text that ends in several bullets, each bold as a whole, as their list."""
    items: list[str] = []
    end = size
    for match in reversed(matches):
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
    return candidate(end, reading, "bold")


def _with_unit(content: str, text: str, end: int) -> str:
    """Add to a number the unit that stands behind its mark."""
    behind = _UNIT_BEHIND.match(text, end)
    if behind and parse_number(content):
        whole = close_gap(strip_marks(f"{content} {behind['unit']}"))
        if parse_number(whole):
            return whole
    return content
