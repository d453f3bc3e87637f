"""A number that is written in two ways, or behind the calculation that it comes from."""

from __future__ import annotations

import re
from math import isclose
from typing import Final

from ...written.numbers import parse_number, split_scale
from ...written.plain_text import holds_any
from .lists import MAYBE_DIGIT


_TWICE = re.compile(
    r"(?P<first>(?:[^()\n,;#]|,(?=\d)){0,60}?[^()\s,;:#])\s{0,2}"
    r"(?:,?\sor\s|,?\si\.e\.,?\s|[=≈]\s?|\()"
    r"(?P<second>[^()\n]{1,60}?)\)?\.?"
)
_LONGEST_TWICE: Final = 150
_LONGEST_FIRST: Final = 61
_EQUALS = re.compile(r"[=≈]")
_ARITHMETIC = re.compile(
    r"(?:[\d\s.,$€£%()\[\]{}+*/^·×÷−–-]|thousand|million|billion|percent|x(?=\s?[\d($]))*"
)
_OPERATION = re.compile(r"[\d)\]%]\s?[+*/^·×÷−–x-]\s?[\d(\[$€£]", re.IGNORECASE)
_BETWEEN_TWICE: Final = ("or", "i.e.", "=", "≈", "(")


def said_twice(text: str) -> str | None:
    """Of a number that is written in two ways, return the one to read.

    Examples
    --------
    >>> said_twice("0.125 or 12.5%"), said_twice("7/3 = 2.33"), said_twice("5 or 6")
    ('12.5%', '2.33', None)
    """
    if (
        len(text) > _LONGEST_TWICE
        or not MAYBE_DIGIT.search(text, 0, _LONGEST_FIRST)
        or not holds_any(text, _BETWEEN_TWICE)
    ):
        return None
    match = _TWICE.fullmatch(text)
    if not match:
        return None
    first, second = match["first"], match["second"]
    if not _are_close(first, second):
        return None
    between = text[match.end("first") : match.start("second")]
    return _clearer(first, second, result=between.strip() in ("=", "≈"))


def _are_close(first: str, second: str) -> bool:
    one, other = parse_number(first), parse_number(second)
    return bool(one and other and isclose(one.value, other.value, rel_tol=0.005))


def _clearer(first: str, second: str, *, result: bool) -> str:
    """Of a number's two forms, return the one that is no fraction, or has a scale.

    `result` says whether the second follows from the first, as 2.33 does in "2.333 ≈ 2.33".
    """
    if ("/" in first) != ("/" in second):
        return second if "/" in first else first
    scales = split_scale(first)[1], split_scale(second)[1]
    if bool(scales[0]) == bool(scales[1]):
        return second if result else first
    return first if scales[0] else second


def result_of(text: str) -> str | None:
    """Return what a calculation without words comes to.

    Examples
    --------
    >>> result_of("1,000 - 200 = 800").strip(), result_of("2019 = 5")
    ('800', None)
    """
    if len(text) > _LONGEST_TWICE or not ("=" in text or "≈" in text):
        return None
    *before, last = _EQUALS.split(text)
    if (
        not before
        or not parse_number(last)
        or not all(map(_ARITHMETIC.fullmatch, before))
    ):
        return None
    if not (before[0].strip() and _OPERATION.search(before[0])):
        return None
    if _are_close(before[-1], last):
        return _clearer(before[-1], last, result=True)
    return last
