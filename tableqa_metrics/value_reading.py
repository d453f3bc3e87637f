"""What an answer says, read by type: number, date, measure or text.

The reading side of `tableqa_metrics.value`, which says what is compared and how.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from .dates import CalendarDate, parse_date
from .numbers import Number, parse_number
from .plain_text import plain_text


Scalar = str | int | float

SCALES: Final[dict[str, float]] = {
    "": 1.0,
    "percent": 1e-2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
}

# The longest text that is taken apart as a number with a unit, or as an enumeration.
_LONGEST_MEASURE: Final = 80
_MEASURE = re.compile(
    r"(?P<number>[^A-Za-z°µμ'\"]*\d[^A-Za-z°µμ'\"]*?)\s?"
    r"(?P<unit>[A-Za-z°µμ'\"][^\d\s]{0,15}(?: ?[^\d\s]{1,15}){0,2}[23]?)"
)
_POWERS_OF_UNITS = str.maketrans("²³", "23")
# For texts whose runs of white space are single blanks, or costs would be quadratic.
_SEPARATOR = re.compile(r"[;\n#]")
COMMA_OR_AND = re.compile(r", (?:and )?| and ")
_ARTICLES: Final = frozenset(("a", "an", "the"))
_BOOLEANS: Final[dict[str, str]] = {"true": "yes", "false": "no"}
_YEAR = re.compile(r"\s*(?:1[5-9]|2[01])\d\d\s*")


@dataclass(frozen=True)
class Measure:
    """A number with a unit; the unit folded, and compared to the letter."""

    number: Number
    unit: str


@dataclass(frozen=True)
class Value:
    """One value as read: `kind` is what `content` is; `scale` is the scale field's."""

    content: Number | CalendarDate | Measure | str
    scale: str = ""
    bare_year: bool = False

    @property
    def kind(self) -> str:
        """`"number"`, `"date"`, `"measure"` or `"text"`."""
        return _KINDS.get(type(self.content), "text")


_KINDS: Final = {Number: "number", CalendarDate: "date", Measure: "measure"}


def read_value(text: Scalar, scale: str = "") -> Value | None:
    """Read one value; `None` for NaN, an infinity and an unknown scale of a number.

    Examples
    --------
    >>> read_value("$1.5 million").kind, read_value("2 March 2008").kind
    ('number', 'date')
    >>> read_value(">= 37").content
    '>=37'
    """
    if isinstance(text, bool):
        return Value("yes" if text else "no")
    if isinstance(text, (int, float)):
        number = _number_of(text)
        if number is None or scale not in SCALES:
            return None
        return Value(number, scale)
    number = parse_number(text)
    if number is not None:
        if scale not in SCALES:
            return None
        return Value(number, scale, bare_year=not scale and bool(_YEAR.fullmatch(text)))
    date = parse_date(text)
    if date is not None:
        return Value(date, scale)
    measure = _measure(text)
    return Value(fold_text(text) if measure is None else measure, scale)


def read_values(answer: object, scale: str = "") -> list[Value] | None:
    """Read an answer, one value or a list; `None` for what is no answer at all.

    A single text is split at `;`, `#` and line breaks, and at commas and "and" where
    every part is a number or a date.
    """
    texts = scalars(answer)
    if not texts:
        return None
    if len(texts) == 1 and isinstance(texts[0], str):
        texts = list(_split(texts[0]))
    values = [read_value(text, scale) for text in texts]
    found = [value for value in values if value is not None]
    return found if len(found) == len(values) else None


def fold_text(text: str) -> str:
    """Fold case, articles, punctuation and white space; keep what changes a value.

    Signs and comparisons, `%`, and the marks between two digits stay.

    Examples
    --------
    >>> fold_text("The  Robin-Hood: Men in Tights!")
    'robin hood men in tights'
    >>> fold_text("2019 – 2020") == fold_text("2019-2020") != fold_text("20192020")
    True
    """
    text = unicodedata.normalize("NFKC", plain_text(text)).casefold()
    text = _BETWEEN_DIGITS.sub("-", text.replace("'", "").replace("’", ""))
    text = _SIGN.sub(r"\1", "".join(map(_kept, text)))
    # A point or comma stays only between two digits, a hyphen only before one.
    words = _LONE_MARK.sub(" ", text).split()
    kept = [word for word in words if word not in _ARTICLES] or words
    return _BOOLEANS.get(kept[0], kept[0]) if len(kept) == 1 else " ".join(kept)


_BETWEEN_DIGITS = re.compile(r"(?<=\d)\s?[-\u2010-\u2015]\s?(?=\d)")
_SIGN = re.compile(r"([<>=≤≥±~+-])\s+(?=[$€£¥\d.])")
_LONE_MARK = re.compile(r"(?<!\d)[.,:/]|[.,:/](?!\d)|-(?![\d.$€£¥])|(?<=[^\W\d])-")


def _kept(character: str) -> str:
    if character in ".,:/-%":
        return character
    return " " if unicodedata.category(character)[0] == "P" else character


def scalars(answer: object) -> list[Scalar]:
    """Return the strings and numbers of an answer; none where it holds anything else."""
    if isinstance(answer, (str, int, float)):
        return [answer]
    if not isinstance(answer, Sequence) or isinstance(answer, (bytes, bytearray)):
        return []
    parts = [part for part in answer if isinstance(part, (str, int, float))]
    return parts if len(parts) == len(answer) else []


def _split(text: str) -> Sequence[str]:
    parts = parts_between(_SEPARATOR, text)
    if len(parts) != 1:
        return parts or (text,)
    if parse_number(text) is None and parse_date(text) is None:
        parts = parts_between(COMMA_OR_AND, " ".join(text.split()))
        if all(parse_number(part) or parse_date(part) for part in parts):
            return parts
    return (text,)


def parts_between(separator: re.Pattern[str], text: str) -> list[str]:
    """Split a text and leave out what is blank."""
    return [part.strip() for part in separator.split(text) if part.strip()]


def _number_of(value: float) -> Number | None:
    try:
        nearest = float(value)
    except OverflowError:  # an integer that no float holds
        return None
    if not math.isfinite(nearest):
        return None
    exponent = Decimal(repr(value)).as_tuple().exponent
    return Number(nearest, False, max(0, -int(exponent)))


def _measure(text: str) -> Measure | None:
    text = text.strip()
    if len(text) > _LONGEST_MEASURE or not (match := _MEASURE.fullmatch(text)):
        return None
    number = parse_number(match["number"])
    unit = match["unit"].translate(_POWERS_OF_UNITS).strip(" .").casefold()
    return None if number is None else Measure(number, unit)
