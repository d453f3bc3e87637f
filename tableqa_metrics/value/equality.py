"""When two values that were read are equal, and how lists of them are paired off.

`tableqa_metrics.value` defines it; here it is computed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, Literal

from ..written.dates import CalendarDate
from .assignment import assign
from .reading import Quantity, Value
from .units import POUND


# "reference": as precise as the reference is written. "coarser": as precise as the
# coarser of the two, but to two significant digits at least (FinQA).
Precision = Literal["reference", "coarser"]

# Two floats that differ by less, relatively, are one number computed in two ways.
_NOISE: Final = 1e-14
# A half that was computed may lie a little off; so may the halves that it is taken from.
_HALF: Final = 0.5 * (1 + 1e-9)
_SIGNIFICANT_DIGITS: Final = 2
# FinQA's `exe_ans` has five decimals (`round(…, 5)` in its script); JSON drops zeros.
_EXE_ANS_STEP: Final = 1e-5


def same_value(
    reference: Value, prediction: Value, precision: Precision = "reference"
) -> bool:
    """Say whether two values that were read are equal; the reference comes first.

    Examples
    --------
    >>> from tableqa_metrics.value.reading import read_value
    >>> same_value(read_value("12.5"), read_value("12.54"))
    True
    """
    if isinstance(reference, Quantity):
        if isinstance(prediction, Quantity):
            return _same_quantity(reference, prediction, precision)
        if isinstance(prediction, CalendarDate):
            return reference.year and prediction.year == reference.value
        return False
    if isinstance(reference, CalendarDate):
        return isinstance(prediction, CalendarDate) and _covers(reference, prediction)
    return reference == prediction


def pair_values(
    golds: Sequence[Value | None],
    found: Sequence[Value | None],
    precision: Precision = "reference",
) -> list[tuple[int, int]]:
    """Pair off as many equal values as there are, each used once; return their places.

    Examples
    --------
    >>> pair_values(["dutch", "frisian"], ["frisian", "welsh", "english"])
    [(1, 0)]
    """
    places: defaultdict[str, list[int]] = defaultdict(list)
    for j, value in reversed(list(enumerate(found))):
        if isinstance(value, str):
            places[value].append(j)
    pairs = []
    others = []
    for i, gold in enumerate(golds):
        if not isinstance(gold, str):
            others.append(i)
        elif places.get(gold):
            pairs.append((i, places[gold].pop()))
    if not others:
        return pairs
    columns = [j for j, value in enumerate(found) if not isinstance(value, str)]
    equal = [
        [j for j in columns if _are_same(golds[i], found[j], precision)] for i in others
    ]
    flat = [j for row in equal for j in row]
    if len(set(flat)) == len(flat) and all(len(row) <= 1 for row in equal):
        return pairs + [
            (i, row[0]) for i, row in zip(others, equal, strict=True) if row
        ]
    # Rounding makes equality intransitive, so that the first fit may be the wrong one.
    matched = assign([dict.fromkeys(row, 1.0) for row in equal])
    return pairs + [
        (i, j) for i, j in zip(others, matched, strict=True) if j is not None
    ]


def same_multiset(
    golds: Sequence[Value], found: Sequence[Value], precision: Precision
) -> bool:
    """Say whether two lists of one length have the same values, in whatever order."""
    if len(golds) == 1:
        return same_value(golds[0], found[0], precision)
    a, b = sorted(golds, key=_order), sorted(found, key=_order)
    pairs = zip(a, b, strict=True)
    if all(same_value(gold, value, precision) for gold, value in pairs):
        return True
    texts = Counter(value for value in golds if isinstance(value, str))
    if texts != Counter(value for value in found if isinstance(value, str)):
        return False
    return len(pair_values(golds, found, precision)) == len(golds)


def _order(value: Value) -> tuple[str, float, str]:
    """Put values that may be equal in the same order on both sides."""
    if isinstance(value, Quantity):
        return "", value.value, value.unit
    if isinstance(value, CalendarDate):
        day = (value.year or 0) * 400 + (value.month or 0) * 32 + (value.day or 0)
        return "date", day, ""
    return "text", 0.0, value


def _same_quantity(gold: Quantity, found: Quantity, precision: Precision) -> bool:
    if gold.unit != found.unit and not _is_sterling(gold, found):
        return False
    if gold.year:
        return gold.value == found.value
    if gold.currency and found.currency and gold.currency.isdisjoint(found.currency):
        return False
    if _agree(gold, found.value, found.step, precision):
        return True
    bare = found.plain and not found.scale
    return (
        gold.scale == "percent"
        and bare
        and _agree(gold, found.value * 1e-2, found.step * 1e-2, precision)
    )


def _is_sterling(gold: Quantity, found: Quantity) -> bool:
    """Whether the pounds of one of two amounts are the other's, £5 and 5 pounds."""
    if {gold.unit, found.unit} != {"", POUND}:
        return False
    return "GBP" in (found.currency if gold.unit else gold.currency)


def _agree(gold: Quantity, found: float, step: float, precision: Precision) -> bool:
    apart = abs(gold.value - found)
    noise = abs(gold.value) * _NOISE
    if apart <= noise:
        return True
    written = gold.step
    if precision == "coarser":
        if gold.plain:
            written = min(written, _EXE_ANS_STEP)
        largest = max(abs(gold.value), abs(found))
        digits = math.floor(math.log10(largest)) - _SIGNIFICANT_DIGITS + 1
        written = min(max(written, step), 10.0**digits)
    return apart <= written * _HALF + noise


def _covers(gold: CalendarDate, found: CalendarDate) -> bool:
    """Say whether a date is the wanted one as far as that goes."""
    return (
        gold.year in (None, found.year)
        and gold.month in (None, found.month)
        and gold.day in (None, found.day)
    )


def _are_same(gold: Value | None, found: Value | None, precision: Precision) -> bool:
    return gold is not None and found is not None and same_value(gold, found, precision)
