r"""Value: typed equality of answers, as an analyst would judge it.

Our own corrected metric; no released scorer is reproduced here (see `tableqa_metrics.
tatqa` and `tableqa_metrics.finqa` for those). Both sides are read on their own, and the
reference is never looked at to find the answer in a prediction.

How a value is read
    *number*: a text that is one number (`tableqa_metrics.numbers`), with sign, scale and
    `%` applied once, whether they stand in the text, in the scale field or in both;
    where text and field contradict each other, the text, which is nearer, counts.
    *date*: a text that is one date (`tableqa_metrics.dates`).
    *measure*: a number and a unit that is none of the scales (`480 km²`).
    *text*: everything else, bounds (`>= 37`), ranges and negations among it. Texts are
    equal after folding case, articles, punctuation and white space.
How values are compared
    Numbers are equal where the prediction, rounded to the precision in which the
    reference is written, is the reference. Half is accepted rounded up and to even. A
    year is no quantity: a reference written as a bare year equals that year alone.
    Dates are equal as far as the reference goes: a reference "March 2008" equals
    "12 March 2008", and not the other way round. A number with a unit never equals one
    without. Lists are equal as multisets; a part of a list is not the list.
Percent
    22.12 %, 0.2212, and 22.12 with the scale percent are the same. A bare 22.12 is 22.12
    %, too, but only where the reference's scale is percent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import Final, Literal

from .dates import CalendarDate
from .numbers import Number
from .value_reading import (
    COMMA_OR_AND,
    SCALES,
    Measure,
    Scalar,
    Value,
    parts_between,
    read_value,
    read_values,
    scalars,
)


# "reference": as precise as the reference is written. "coarser": as precise as the
# coarser of the two, but to two significant digits at least (FinQA, whose `exe_ans`
# carries digits that no annotator wrote).
Precision = Literal["reference", "coarser"]

# Two floats that differ by less, relatively, are one number computed in two ways.
_ROUNDING_NOISE: Final = 1e-9
_SIGNIFICANT_DIGITS: Final = 2
# Floats span 1e-324 to 1e308, so that this many digits hold any of them exactly enough.
_DECIMAL: Final = Context(prec=700)


def value_match(
    reference: Scalar | Sequence[Scalar],
    prediction: object,
    *,
    reference_scale: str = "",
    prediction_scale: str | None = "",
    precision: Precision = "reference",
) -> bool:
    """Say whether a prediction has the value of the reference.

    Parameters
    ----------
    reference
        A string, a number, or a list of these. A float counts as written in the fewest
        digits that give it back.
    prediction
        The same; any other object, `None` included, matches nothing.
    reference_scale, prediction_scale
        `""`, `"thousand"`, `"million"`, `"billion"` or `"percent"`: what each number is
        to be multiplied by, unless its text says so already. A predicted scale that is
        none of these matches no number.
    precision
        `"reference"`, or `"coarser"` for FinQA (see `Precision`).

    Raises
    ------
    ValueError
        Where the reference is empty or no such value, or its scale is unknown.

    Examples
    --------
    >>> value_match(-2310.5, "(2,310.5)")
    True
    >>> value_match(1.2345, "1234.5", reference_scale="billion", prediction_scale="million")
    True
    >>> value_match("2008", "2010")
    False
    >>> value_match(["3", "5"], "5 and 3")
    True
    >>> value_match(0.42889, "42.9%", precision="coarser")
    True
    """
    if reference_scale not in SCALES:
        raise ValueError(
            f"reference scale {reference_scale!r} is none of {list(SCALES)}"
        )
    golds = read_values(reference, reference_scale)
    if golds is None:
        raise ValueError(
            f"reference {reference!r} is neither a string or finite number nor a list "
            "of these"
        )
    found = read_values(prediction, prediction_scale or "")
    if found is None:
        return False
    if len(golds) == len(found):
        return _same_multiset(golds, found, precision)
    # One text may enumerate what the other side lists.
    if len(found) == 1 and isinstance(found[0].content, str):
        found = _enumerated(str(scalars(prediction)[0]), prediction_scale or "")
    elif len(golds) == 1 and isinstance(golds[0].content, str):
        golds = _enumerated(str(scalars(reference)[0]), reference_scale)
    return len(golds) == len(found) and _same_multiset(golds, found, precision)


def same_value(
    reference: Value, prediction: Value, precision: Precision = "reference"
) -> bool:
    """Say whether two values that were read are equal; the reference comes first.

    Examples
    --------
    >>> same_value(read_value("12.5"), read_value("12.54"))
    True
    """
    gold, found = reference.content, prediction.content
    if isinstance(gold, Number) and isinstance(found, Number):
        if reference.bare_year:
            return found.value == gold.value and not found.percent
        return any(
            _agree(*_scaled(gold, reference.scale), *candidate, precision)
            for candidate in _candidates(found, prediction.scale, reference.scale)
        )
    if isinstance(gold, Measure) and isinstance(found, Measure):
        numbers = (Value(gold.number), Value(found.number))
        return gold.unit == found.unit and same_value(*numbers, precision)
    if reference.bare_year and isinstance(found, CalendarDate):
        return isinstance(gold, Number) and found.year == gold.value
    if isinstance(gold, CalendarDate) and isinstance(found, CalendarDate):
        return _same_date(gold, found)
    return type(gold) is type(found) and gold == found


def _enumerated(text: str, scale: str) -> list[Value]:
    parts = parts_between(COMMA_OR_AND, " ".join(text.split()))
    values = [read_value(part, scale) for part in parts]
    return [value for value in values if value is not None]


def _same_multiset(
    golds: Sequence[Value], found: Sequence[Value], precision: Precision
) -> bool:
    """Pair off the values: texts by counting, the rest by a matching of pairs."""
    if len(golds) == 1:
        return same_value(golds[0], found[0], precision)
    texts = Counter(v.content for v in golds if isinstance(v.content, str))
    if texts != Counter(v.content for v in found if isinstance(v.content, str)):
        return False
    golds = [value for value in golds if not isinstance(value.content, str)]
    found = [value for value in found if not isinstance(value.content, str)]
    equal = [[same_value(g, f, precision) for f in found] for g in golds]
    if not all(map(any, equal)):
        return False
    if all(sum(row) == 1 for row in equal):
        return all(map(any, zip(*equal, strict=True)))
    # Rounding makes equality intransitive, so that the first fit may be the wrong one.
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    return bool((maximum_bipartite_matching(csr_matrix(equal)) >= 0).all())


def _scaled(number: Number, scale: str) -> tuple[Decimal, Decimal]:
    """Return the value with its scale applied once, and one unit of its last digit."""
    plain = number.unit == 1.0 and not number.percent
    factor = Decimal(repr(SCALES[scale])) if plain else Decimal(1)
    step = Decimal(repr(number.unit)).scaleb(-number.decimals, _DECIMAL)
    value = _DECIMAL.multiply(Decimal(repr(number.value)), factor)
    return value, _DECIMAL.multiply(step, factor)


def _candidates(
    number: Number, scale: str, reference_scale: str
) -> list[tuple[Decimal, Decimal]]:
    found = [_scaled(number, scale)]
    if reference_scale == "percent" and not scale and number.unit == 1.0:
        found.append(_scaled(number, "percent"))
    return found


def _agree(
    gold: Decimal, gold_step: Decimal, found: Decimal, step: Decimal, how: Precision
) -> bool:
    if abs(gold - found) <= abs(gold) * Decimal(_ROUNDING_NOISE):
        return True
    if how == "coarser":
        two_digits = Decimal(1).scaleb(
            gold.adjusted() - _SIGNIFICANT_DIGITS + 1, _DECIMAL
        )
        step = max(gold_step, step)
        step = min(step, max(gold_step, two_digits)) if gold else step
        return _rounded(gold, step) & _rounded(found, step) != set()
    return not {gold}.isdisjoint(_rounded(found, gold_step))


def _rounded(value: Decimal, step: Decimal) -> set[Decimal]:
    steps = _DECIMAL.divide(value, step)
    if abs(steps) > Decimal(10) ** 30:  # rounding changes no digit that was written
        return {value}
    return {
        _DECIMAL.multiply(steps.quantize(Decimal(1), how, _DECIMAL), step)
        for how in (ROUND_HALF_EVEN, ROUND_HALF_UP)
    }


def _same_date(gold: CalendarDate, found: CalendarDate) -> bool:
    return all(
        wanted is None or wanted == got
        for wanted, got in (
            (gold.year, found.year),
            (gold.month, found.month),
            (gold.day, found.day),
        )
    )
