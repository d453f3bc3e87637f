"""What an answer says, read by type: quantity, date or text.

The reading side of `tableqa_metrics.value` and `tableqa_metrics.value.table`; the first
says what counts as what. Nothing here sees both sides of a comparison.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from ..extraction.answers.scales import read_scale
from ..written.dates import (
    CalendarDate,
    is_date_at_a_glance,
    parse_date,
    parse_named_year,
)
from ..written.first_words import BEFORE_ANYTHING
from ..written.money import currencies
from ..written.number_words import in_digits
from ..written.numbers import Number, parse_number
from ..written.plain_text import MAYBE_DIGIT, without_references
from .glance import is_mixed
from .text import fold_text
from .units import fold_unit


Scalar = str | int | float

SCALES: Final[dict[str, float]] = {
    "": 1.0,
    "percent": 1e-2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
}
# What a response may name in its scale field beyond TAT-QA's vocabulary.
_OTHER_SCALES: Final[dict[str, float]] = {
    "hundred": 1e2,
    "lakh": 1e5,
    "crore": 1e7,
    "trillion": 1e12,
}

# More digits than a float holds are for `parse_number`.
_MOST_DIGITS: Final = 15
_FIRST_WORD = re.compile("[A-Za-z]+")
# A text of more words is prose, whatever numbers it holds.
_MOST_WORDS: Final = 12
# The longest text that is taken apart as a number with a unit.
_LONGEST_MEASURE: Final = 80
_WORDS_OF_A_NUMBER: Final = 3
_MEASURE = re.compile(
    r"(?P<number>\S*?\d)(?P<unit>(?:[^\W\d_]|[°¢]|/(?=[^\W\d_]))[^\s\d]{0,14}[23]?)"
)
# "5-year" is "5 year"; "1990-present" stays.
_HYPHENED = re.compile(
    r"(?!(?:1[5-9]|2[01])\d\d[-‐‑–])(?P<number>\S{0,20}?\d)[-‐‑–](?=[^\W\d_])"
)
_UNIT = re.compile(r"(?:[^\W\d_]|[°¢'\"/])(?:\D{0,40}[^\d\s])?[23]?")
# Markdown and quotes around a number with a unit.
_MARKS: Final = '*_`"“”‘’«»[]{} '
# Half of a pair of quotes.
_STRAY: Final = ' `"“”'
# "$000s" as a scale
_THOUSANDS = re.compile(r"\(?(?:in )?[$€£]?\s?['’]?000(?:['’]?s)?\)?")
_YEAR = re.compile(r"\s*(?:1[5-9]|2[01])[0-9]{2}\s*")
_DECADE = re.compile(r"\s*(?:the\s)?((?:1[5-9]|20)[0-9]0)['’]?s\s*", re.IGNORECASE)
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it is compared.

    Parameters
    ----------
    value
        With sign, scale and `%` applied, wherever they stood. Finite.
    unit
        A unit that is no scale, folded; `""` for none. Compared to the letter.
    year
        Whether it was written as a bare year, which is no quantity but a name.
    step
        What one unit of the last written digit is worth.
    currency
        The codes of the currencies that it may be in; none where it names none.
    scale
        The scale field that it was read with, as written.
    plain
        Whether its own text gives neither a scale nor `%`, nor a currency.
    """

    value: float
    unit: str = ""
    year: bool = False
    step: float = field(default=1.0, compare=False)
    currency: frozenset[str] = field(default=frozenset(), compare=False)
    scale: str = field(default="", compare=False)
    plain: bool = field(default=True, compare=False)


Value = Quantity | CalendarDate | str


@dataclass(frozen=True, slots=True)
class ScaleField:
    """A scale that stands in a field of its own, and what it multiplies by."""

    text: str
    factor: float


NO_SCALE: Final = ScaleField("", 1.0)


def read_scale_field(scale: object) -> ScaleField:
    """Read the scale field of a response; what is no scale there multiplies nothing.

    Examples
    --------
    >>> [read_scale_field(s).factor for s in ("million", "Millions", "k", "year", None)]
    [1000000.0, 1000000.0, 1000.0, 1.0, 1.0]
    """
    if not isinstance(scale, str) or not scale.strip():
        return NO_SCALE
    text = scale.strip()
    if text in SCALES:
        return ScaleField(text, SCALES[text])
    number = None
    if _THOUSANDS.fullmatch(text):
        text = "thousand"
    if not any(character.isdigit() for character in text):
        number = parse_number(f"1 {text}") or parse_number(f"1{text}")
    if number is not None and number.unit > 0 and number.value > 0:
        return ScaleField("percent" if number.percent else text, number.unit)
    word = read_scale(text)
    factor = SCALES.get(word) or _OTHER_SCALES.get(word) or 1.0
    if word.startswith("10^"):
        factor = 10.0 ** int(word[3:])
    return ScaleField(word or text, factor)


def read_value(item: Scalar, scale: ScaleField = NO_SCALE) -> Value | None:
    """Read one value; `None` for NaN, an infinity, and what no float holds.

    Examples
    --------
    >>> read_value("$1.5 million").value, read_value("480 km²").unit
    (1500000.0, 'km2')
    >>> read_value("2 March 2008")
    CalendarDate(year=2008, month=3, day=2)
    >>> read_value(">= 37")
    '>=37'
    """
    if isinstance(item, bool):
        return "yes" if item else "no"
    if not isinstance(item, str):
        number = _number_of(item)
        return None if number is None else _quantity(number, scale)
    if item.isdigit() and item.isascii() and len(item) <= _MOST_DIGITS:
        year = not scale.text and _YEAR.fullmatch(item) is not None
        value = float(item) * scale.factor
        return Quantity(value, "", year, scale.factor, scale=scale.text)
    if "]" in item[-2:]:
        item = without_references(item)
    if _begins_like_a_text(item):
        return fold_text(item)
    text = in_digits(item.strip(_MARKS)) or item
    if not may_be_typed(text):
        return fold_text(item)
    if not is_mixed(text):
        if number := _number_in(text):
            year = not scale.text and _YEAR.fullmatch(text) is not None
            return _quantity(number, scale, text, year=year)
        if date := parse_date(text) or parse_named_year(text):
            return _date(date)
    if decade := _DECADE.fullmatch(text):
        return f"{decade[1]}s"
    return _measure(text, scale) or fold_text(item)


def _number_in(text: str) -> Number | None:
    if _ISO_DATE.fullmatch(text) or is_date_at_a_glance(text):
        return None
    number = parse_number(text)
    if number is None and (bare := text.strip(_STRAY)) != text:
        number = parse_number(bare)
    return number


def scalars(answer: object) -> list[Scalar]:
    """Return the strings and numbers of an answer; none where it holds anything else.

    A blank string in a list is no value, unless there is nothing but these.
    """
    if isinstance(answer, (str, int, float)):
        return [answer]
    if not isinstance(answer, Sequence) or isinstance(answer, (bytes, bytearray)):
        return []
    parts = [part for part in answer if isinstance(part, (str, int, float))]
    if len(parts) != len(answer):
        return []
    return [p for p in parts if not isinstance(p, str) or p.strip()] or parts[:1]


def read_all(items: Sequence[Scalar], scale: ScaleField) -> list[Value] | None:
    """Read values; `None` where one of them is none."""
    values = [read_value(item, scale) for item in items]
    found = [value for value in values if value is not None]
    return found if len(found) == len(values) else None


def _begins_like_a_text(item: str) -> bool:
    """Whether the first word alone tells that this is no number and no date."""
    word = _FIRST_WORD.match(item)
    if word is None or word[0].lower() in BEFORE_ANYTHING:
        return False
    # other marks may join the word to what follows
    return item.isascii() and "\\" not in item


def may_be_typed(text: str) -> bool:
    """Whether a text may be a number or a date: at a glance, most are not."""
    return MAYBE_DIGIT.search(text) is not None and len(text.split()) <= _MOST_WORDS


def _date(date: CalendarDate) -> CalendarDate | Quantity:
    if date.month is None and date.year is not None:
        return Quantity(float(date.year), year=True)
    return date


def _quantity(
    number: Number,
    scale: ScaleField,
    text: str = "",
    unit: str = "",
    *,
    year: bool = False,
) -> Quantity | None:
    plain = number.unit == 1.0 and not number.percent
    factor = scale.factor if plain else 1.0
    value = number.value * factor
    if math.isinf(value):
        return None
    currency = currencies(text)
    step = number.unit * 10.0**-number.decimals * factor
    plain = plain and not currency
    return Quantity(value, unit, year, step, currency, scale.text, plain)


def _number_of(value: float) -> Number | None:
    try:
        nearest = float(value)
    except OverflowError:  # an integer that no float holds
        return None
    if not math.isfinite(nearest):
        return None
    if isinstance(value, int):
        return Number(nearest, False, 0)
    exponent = Decimal(repr(value)).as_tuple().exponent
    return Number(nearest, False, max(0, -int(exponent)))


def _measure(text: str, scale: ScaleField) -> Quantity | None:
    """Read a number and a unit: a few words of number, then no digit any more."""
    text = text.strip().strip(_MARKS)
    if len(text) > _LONGEST_MEASURE:
        return None
    if match := _HYPHENED.match(text):
        text = f"{match['number']} {text[match.end() :]}"
    if match := _MEASURE.fullmatch(text):
        return _with_unit(match["number"], match["unit"], scale)
    words = text.split()
    for count in range(min(_WORDS_OF_A_NUMBER, len(words) - 1), 0, -1):
        unit = " ".join(words[count:])
        if _UNIT.fullmatch(unit):
            number = " ".join(words[:count])
            if found := _with_unit(number, unit, scale):
                return found
    return None


def _with_unit(text: str, unit: str, scale: ScaleField) -> Quantity | None:
    number = parse_number(text)
    if number is None or not (folded := fold_unit(unit)):
        return None
    return _quantity(number, scale, text, folded)
