"""How the values of an answer were read, and which of them agree (`value`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from ..value import pair_answers
from ..value.equality import Precision
from ..value.reading import Quantity, Scalar, Value
from ..written.dates import CalendarDate
from ..written.numbers import parse_number
from .cells import MATCH, WRONG_VALUE
from .diagnosis import why_unequal


MISSING_PART: Final = "missing_part"  # a list lacks some of the values
EXTRA_PART: Final = "extra_part"  # a list holds more than the values

_SIGNIFICANT: Final = 12


@dataclass(frozen=True)
class ReadValue:
    """One value of an answer.

    Parameters
    ----------
    text
        As written.
    reading
        What it was read as, in words.
    partner
        Which value of the other side it agrees with, or `None`.
    """

    text: str
    reading: str
    partner: int | None = None


@dataclass(frozen=True)
class AnswerMatch:
    """Both sides of an answer, value by value, and how they differ.

    `outcome` is `match`, or why not: `wrong_sign`, `wrong_scale`, `wrong_value`,
    `missing_part` or `extra_part`.
    """

    reference: tuple[ReadValue, ...]
    prediction: tuple[ReadValue, ...]
    outcome: str


def match_answers(
    reference: Scalar | list[Scalar],
    prediction: object,
    *,
    reference_scale: str = "",
    prediction_scale: str | None = "",
    precision: Precision = "reference",
) -> AnswerMatch:
    """Say of each value of two answers what `value_match` made of it.

    Raises
    ------
    ValueError
        As `value_match`.

    Examples
    --------
    >>> match = match_answers(["2018", "-12.6"], "(12.6) and 2018")
    >>> [value.reading for value in match.prediction]
    ['-12.6 ±0.05', 'year 2018']
    >>> match.outcome, match.prediction[0].partner
    ('match', 1)
    """
    pairing = pair_answers(
        reference,
        prediction,
        reference_scale=reference_scale,
        prediction_scale=prediction_scale,
        precision=precision,
    )
    partners, back = dict(pairing.pairs), {j: i for i, j in pairing.pairs}
    golds, found = pairing.reference, pairing.prediction
    if len(partners) == len(golds) == len(found):
        outcome = MATCH
    elif partners and len(partners) == len(found):
        outcome = MISSING_PART
    elif partners and len(partners) == len(golds):
        outcome = EXTRA_PART
    elif len(golds) == len(found) == 1:
        outcome = why_unequal(golds[0], found[0], precision)
    else:
        outcome = WRONG_VALUE
    return AnswerMatch(
        _read(pairing.wanted, golds, partners),
        _read(pairing.given, found, back),
        outcome,
    )


def describe(item: Scalar, value: Value | None) -> str:
    """Say what an item of an answer was read as.

    A number is followed by half a unit of its last written digit.

    Examples
    --------
    >>> from tableqa_metrics.value.reading import read_scale_field, read_value
    >>> describe("12.6", read_value("12.6", read_scale_field("million")))
    '12,600,000 ±50,000'
    >>> [describe(text, read_value(text)) for text in ("14.1%", "480 km²", "2008")]
    ['0.141 ±0.0005 (percent)', '480 km2', 'year 2008']
    >>> [describe(text, read_value(text)) for text in ("March 2008", "The  Pier")]
    ['date 2008-03', 'text "pier"']
    """
    if value is None:
        return "no value"
    if isinstance(value, CalendarDate):
        return "date " + _iso(value)
    if not isinstance(value, Quantity):
        return f'text "{value}"'
    if value.year:
        return f"year {value.value:.0f}"
    number = parse_number(item) if isinstance(item, str) else None
    percent = value.scale == "percent" or (number is not None and number.percent)
    parts = [_digits(value.value)]
    if value.step != 1.0:
        parts.append(f"±{_digits(value.step / 2)}")
    if value.unit:
        parts.append(value.unit)
    if percent:
        parts.append("(percent)")
    return " ".join(parts)


def _read(
    items: tuple[Scalar, ...],
    values: tuple[Value | None, ...],
    partners: dict[int, int],
) -> tuple[ReadValue, ...]:
    return tuple(
        ReadValue(_text(item), describe(item, value), partners.get(i))
        for i, (item, value) in enumerate(zip(items, values, strict=True))
    )


def _text(item: Scalar) -> str:
    if isinstance(item, str):
        return item
    try:
        return json.dumps(item)
    except ValueError:  # an integer of more digits than Python writes
        return "a number too long to show"


def _digits(value: float) -> str:
    """Write a number with groups of three, without the noise of its last bits."""
    short = float(f"{value:.{_SIGNIFICANT}g}")
    if short and not 1e-6 <= abs(short) < 1e15:
        return f"{short:g}"
    return f"{short:,.12f}".rstrip("0").rstrip(".")


def _iso(date: CalendarDate) -> str:
    year = "????" if date.year is None else f"{date.year:04}"
    parts = [year, *(f"{p:02}" for p in (date.month, date.day) if p is not None)]
    return "-".join(parts)
