"""Texts that enumerate several values, taken apart; for `tableqa_metrics.value`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..written.dates import parse_date
from ..written.numbers import parse_number
from .reading import Scalar, may_be_typed


_DIGIT = re.compile("[0-9]")
_DAY_AND_YEAR = re.compile(r"\b([A-Za-z]{3,9}\.? [0-9]{1,2}), (?=[0-9]{4}\b)")
_SEPARATOR = re.compile(r"[;#|\n\r]|,(?!\d)|(?<=\s)/(?=\s)")
_AND = re.compile(rf"{_SEPARATOR.pattern}|(?<=\s)(?:and|&)(?=\s)", re.IGNORECASE)
# Commas that neither group nor make a decimal: 1,2,3 and 2018,2019.
_TIGHT = re.compile(
    r"\s*(?:[0-9]{1,2}(?:,[0-9]{1,2}){2,}|(?:1[5-9]|20)[0-9]{2}(?:,(?:1[5-9]|20)[0-9]{2})+)\s*"
)
_BRACKETS: Final = (("[", "]"), ("{", "}"), ("(", ")"))
# "both 2018 and 2019", "fiscal years 2018 and 2019", "3 and 5, respectively"
_INTRODUCTION = re.compile(
    r"(?:both\s(?=[^,;]{1,80}\s(?:and|&)\s)|(?:the\s)?(?:fiscal\s|financial\s|calendar\s)?years\s(?:of\s)?(?=[12]\d{3}\b))",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r",?\srespectively[.,]?$", re.IGNORECASE)
_OXFORD = re.compile(r"(?:and|&)\s", re.IGNORECASE)
_BULLET = re.compile(r"(?:[-*•–]|[0-9]{1,2}[.)])\s+(?=\S)")


def parts_of(text: str, *, at_and: bool = False) -> list[str]:
    """Take an enumeration apart; a number or a date is no enumeration.

    It is parted at semicolons, `#`, `|`, line breaks, a slash between blanks, and commas
    that no digit follows; with `at_and` also at "and" and "&", else only after such a
    comma. Blank parts, brackets around the whole, bullets before each line, and the words
    around an enumeration ("both", "fiscal years", "respectively") are left out.

    Examples
    --------
    >>> parts_of("June 30, 2019, 1,234 and 5"), parts_of("a, b and c", at_and=True)
    (['June 30 2019', '1,234 and 5'], ['a', 'b', 'c'])
    """
    if _TIGHT.fullmatch(text):
        return text.strip().split(",")
    separator = _AND if at_and else _SEPARATOR
    if not separator.search(text) or _is_one(text):
        return [text]
    text = _RESPECTIVELY.sub("", _without(_INTRODUCTION, text.strip()), count=1)
    for opening, closing in _BRACKETS:
        if text[:1] == opening and text.find(closing) == len(text) - 1:
            text = text[1:-1]
    lines = text.splitlines()
    if len(lines) > 1 and all(map(_BULLET.match, lines)):
        text = "\n".join(_BULLET.sub("", line, count=1) for line in lines)
    if _DIGIT.search(text):
        text = _DAY_AND_YEAR.sub(r"\1 ", text)
    stripped = (_without(_OXFORD, part.strip()) for part in separator.split(text))
    return [part for part in stripped if part] or [text]


def enumerated(items: Sequence[Scalar]) -> list[Scalar]:
    """Take apart the texts among some items; see `parts_of`."""
    found: list[Scalar] = []
    for item in items:
        found += parts_of(item, at_and=True) if isinstance(item, str) else [item]
    return found


def _without(beginning: re.Pattern[str], text: str) -> str:
    match = beginning.match(text)
    return text[match.end() :] if match else text


def _is_one(text: str) -> bool:
    if not may_be_typed(text):
        return False
    return parse_number(text) is not None or parse_date(text) is not None
