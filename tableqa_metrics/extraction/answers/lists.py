r"""The values of an answer's text that has several, as a list of texts.

Each function returns the values, or an empty list where the text is none of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from ...written.dates import parse_date
from ...written.number_form import YEAR
from ...written.numbers import parse_number
from ..marks import close_gap, strip_marks


# What is longer is no list of numbers, and is not tried as one.
_LONGEST_LIST: Final = 2000
# More values are no answer; such a text is left as it is.
MOST_VALUES: Final = 1000
_MOST_WORDS_OF_AN_ITEM: Final = 8
BULLET: Final = re.compile(r"(?:[-*•‣·]|\d{1,2}[.)])\s+(?P<item>\S.*)")
# Marks that may be something else (a minus, a name's initial, a word) in a lone line.
_ITEM = re.compile(
    r"(?:(?P<mark>[-–*+•‣·◦▪●○➤✓])|\(?(?P<label>\d{1,2}|[A-Za-z]|[ivx]{1,4})[.)])"
    r"\s+(?P<item>\S.*)"
)
_FIRST_LABELS: Final = ("1", "a", "A", "i")
_NEXT_LABEL: Final = dict(
    (
        *zip("abcdefgh", "bcdefghi", strict=True),
        *zip("ABCDEFGH", "BCDEFGHI", strict=True),
    )
)
_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_NUMBERED = re.compile(r"(?:^|(?<=\s))(?P<label>\d{1,2})[.)]\s+(?=[^\W\d]|[*_`\"'“])")
MAYBE_DIGIT: Final = re.compile(r"[0-9]|[^\x00-\x7f]")
_HARD_SEPARATOR = re.compile(r"[#;]")
_SOFT_SEPARATOR = re.compile(r",\s+(?:(?:and|&)\s+)?|\s+(?:and|&|\|)\s+")
_MARKED = (
    r"(?:'[^'\n]*'|\"[^\"\n]*\"|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|`[^`\n]+`|\*\*[^*\n]+\*\*"
    r"|\\text(?:bf)?\{[^{}\n]*\})"
)
_MARKED_LIST = re.compile(
    rf"(?P<bracket>\[\s*)?{_MARKED}"
    rf"(?:(?:\s*[,;]\s*(?:(?:and|&)\s+)?|\s+(?:and|&)\s+){_MARKED})*(?(bracket)\s*\])\.?"
)
_MARKED_ITEM = re.compile(_MARKED)
_FIRST_MARKS: Final = frozenset("['\"“‘«`*\\")
_LINK = re.compile(r"\b(?:is|are|was|were)\b|[:=]", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[({]([^(){}]*)[)}]")
_YEAR = rf"(?:fiscal\s|FY\s?|the\s)?(?:year\s)?{YEAR.pattern}"
_YEAR_BEFORE = re.compile(
    rf"(?:in\s|for\s)?{_YEAR}\s?(?:[:=–-]|was|is)\s(?P<number>\S.*)", re.IGNORECASE
)
_YEAR_BEHIND = re.compile(
    rf"(?P<number>\S.*?)\s?(?:\((?:in\s)?{_YEAR}\)|\s(?:in|for|during)\s{_YEAR})",
    re.IGNORECASE,
)
_YEAR_ASIDE = re.compile(rf"(?P<year>{_YEAR})\s?\([^()\n]{{1,60}}\)")
_RESPECTIVELY = re.compile(r",?\srespectively\W*$", re.IGNORECASE)


def is_known(text: str) -> bool:
    """Whether a text is one number or one date."""
    return bool(parse_number(close_gap(text)) or parse_date(text))


def bullets(lines: Sequence[str]) -> list[str]:
    """Return the items that lines begin with, each behind a bullet or a label.

    Numbers may start anywhere; letters and Roman numerals count up from the first.

    Examples
    --------
    >>> bullets(["- Audit Fees", "- Tax Fees", "Both are listed."])
    ['Audit Fees', 'Tax Fees']
    >>> bullets(["a) Audit Fees", "b) Tax Fees"]), bullets(["A. Schulman, Inc."])
    (['Audit Fees', 'Tax Fees'], [])
    """
    items: list[str] = []
    label = None
    for line in lines:
        match = _ITEM.fullmatch(line)
        if match is None or not _follows(label, match):
            break
        label = match["label"] or match["mark"]
        items.append(strip_marks(match["item"]))
    return items if len(items) > 1 else []


def _follows(label: str | None, match: re.Match[str]) -> bool:
    """Whether a line's label may stand below another one."""
    own = match["label"]
    if own is None:
        return label is None or not label.isalnum()
    if own.isdigit() and not match[0].startswith("("):  # (19) may be a number
        return label is None or label.isdigit()
    if label is None:
        return own in _FIRST_LABELS
    if own.isdigit() or label.isdigit():
        return own.isdigit() and label.isdigit() and int(own) == int(label) + 1
    if label in _ROMAN[:-1] and own == _ROMAN[_ROMAN.index(label) + 1]:
        return True
    return own == _NEXT_LABEL.get(label)


def inline_bullets(lines: Sequence[str]) -> list[str]:
    """Return the items of a list that begins behind "Answer:" on the same line.

    There "1." and "- 5" may be the answer itself, so that the next line, or a "2." on
    the same line, must go on with the list.

    Examples
    --------
    >>> inline_bullets(["1. Audit Fees", "2. Tax Fees"])
    ['Audit Fees', 'Tax Fees']
    >>> inline_bullets(["1. Audit Fees 2. Tax Fees"]), inline_bullets(["- 5", "- 6"])
    (['Audit Fees', 'Tax Fees'], [])
    """
    first = _ITEM.fullmatch(lines[0])
    if first is None:
        return []
    if first["label"] == "1" and (parts := _numbered(lines[0])):
        return parts
    if first["label"] not in (None, *_FIRST_LABELS):
        return []
    items = bullets(lines)
    is_number = first["mark"] in ("-", "–", "+") and any(map(parse_number, items))
    return [] if is_number else items


def _numbered(line: str) -> list[str]:
    """Split "1. … 2. …" where each item is short."""
    marks = list(_NUMBERED.finditer(line[:_LONGEST_LIST]))
    labels = [mark["label"] for mark in marks]
    if len(marks) < 2 or labels != [str(n + 1) for n in range(len(marks))]:
        return []
    ends = [mark.start() for mark in marks[1:]]
    parts = [
        line[mark.end() : end].strip(" ,;")
        for mark, end in zip(marks, [*ends, len(line)], strict=True)
    ]
    longest = max(len(part.split()) for part in parts)
    return list(map(strip_marks, parts)) if longest <= _MOST_WORDS_OF_AN_ITEM else []


def marked_list(text: str) -> list[str]:
    """Read items that are each quoted, bold, or in code: as Python writes a list.

    Examples
    --------
    >>> marked_list("['a', 'b']"), marked_list('"a", "b" and "c"')
    (['a', 'b'], ['a', 'b', 'c'])
    """
    match = _MARKED_LIST.fullmatch(text) if text[:1] in _FIRST_MARKS else None
    items = _MARKED_ITEM.findall(text) if match else []
    if len(items) < 2 and not (match and match["bracket"]):
        return []
    return [strip_marks(item) for item in items if len(item) > 2]


def hard_parts(text: str) -> list[str]:
    """Split a text at `#` and `;`."""
    if "#" not in text and ";" not in text:
        return []
    parts = _HARD_SEPARATOR.split(text, MOST_VALUES)
    if len(parts) > MOST_VALUES:
        return []
    parts = [part for part in map(strip_marks, parts) if part]
    if len(parts) > 2:
        parts[-1] = parts[-1].removeprefix("and ")
    first = _ITEM.fullmatch(parts[0]) if parts else None
    items = bullets(parts) if first and first["label"] in _FIRST_LABELS else []
    return items if len(items) == len(parts) else parts  # (1) Audit Fees; (2) Tax Fees


def split_at_hash(text: str) -> tuple[str, ...]:
    """Split an answer at `#`, which no gold answer of the TAT family holds."""
    return tuple(part for part in map(str.strip, text.split("#")) if part)


def number_list(text: str) -> list[str]:
    """Split a text of several numbers and dates; what is none has no parts.

    Examples
    --------
    >>> number_list("December 31, 2018 and 2019"), number_list("research and sales")
    (['December 31, 2018', '2019'], [])
    """
    if len(text) > _LONGEST_LIST:
        return []
    text = _without_respectively(text.rstrip(".")).removeprefix("both ")
    if match := _IN_BRACKETS.fullmatch(text):
        text = match[1]
    written = _SOFT_SEPARATOR.split(text)
    if len(written) < 2:
        return []
    # each number and each date has a digit, most sentences begin with none
    if not MAYBE_DIGIT.search(written[0]) and not parse_date(", ".join(written[:2])):
        return []
    parts: list[str] = []
    for part in written:
        if parts and parse_date(f"{parts[-1]}, {part}"):
            parts[-1] += f", {part}"  # December 31, 2019 is one date
        else:
            parts.append(strip_marks(part))
    if len(parts) < 2:
        return []
    return parts if all(map(is_known, parts)) else by_year(parts)


def by_year(parts: Sequence[str]) -> list[str]:
    """Return the numbers of parts that each are one and its year, or the years.

    A number in brackets behind a year is the detail: 2019 ($5 million) is 2019.

    Examples
    --------
    >>> by_year(["2019: $5 million", "$4 million in 2018"])
    ['$5 million', '$4 million']
    """
    parts = [part.replace("**", "").replace("__", "") for part in parts]
    matches = list(takewhile(bool, map(_YEAR_ASIDE.fullmatch, parts)))
    if len(matches) == len(parts) > 1:
        return [match["year"] for match in matches if match]
    matches = list(takewhile(bool, map(_of_a_year, parts)))
    numbers = [match["number"].strip() for match in matches if match]
    is_list = len(numbers) == len(parts) and all(map(parse_number, numbers))
    return numbers if is_list else []


def _of_a_year(part: str) -> re.Match[str] | None:
    if match := _YEAR_BEFORE.fullmatch(part):
        return match
    is_at_end = part[-1:].isdigit() or part.endswith(")")
    return _YEAR_BEHIND.fullmatch(part) if is_at_end else None


def _without_respectively(text: str) -> str:
    return _RESPECTIVELY.sub("", text) if "pect" in text.lower() else text


def linked_list(text: str) -> list[str]:
    """Split the numbers and dates that a sentence ends in.

    Examples
    --------
    >>> linked_list("The years are 2018 and 2019.")
    ['2018', '2019']
    """
    text = _without_respectively(text[-_LONGEST_LIST:])
    if not _SOFT_SEPARATOR.search(text):
        return []
    _, *linked = _LINK.split(text)
    return number_list(linked[-1].strip()) if linked else []
