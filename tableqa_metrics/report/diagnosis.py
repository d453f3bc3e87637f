"""Why two values that were read differ: by their sign, by a power of ten, or by more."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..value.equality import Precision, same_value
from ..value.reading import Quantity, Value
from .cells import WRONG_SCALE, WRONG_SIGN, WRONG_VALUE


# Powers of ten by which answers are mistaken: percent, and the steps between the scales.
_POWERS: Final = (2, -2, 3, -3, 6, -6, 9, -9)


def why_unequal(
    reference: Value | None,
    prediction: Value | None,
    precision: Precision = "reference",
) -> str:
    """Say why a value is not the reference: `wrong_sign`, `wrong_scale`, `wrong_value`.

    Examples
    --------
    >>> from tableqa_metrics.value.reading import read_value
    >>> why_unequal(read_value("-12.6"), read_value("12.6"))
    'wrong_sign'
    >>> why_unequal(read_value("12.6 million"), read_value("12.6"))
    'wrong_scale'
    >>> why_unequal(read_value("12.6"), read_value("13"))
    'wrong_value'
    """
    if not (isinstance(reference, Quantity) and isinstance(prediction, Quantity)):
        return WRONG_VALUE
    if reference.year or prediction.year or not reference.value:
        return WRONG_VALUE
    if _equal(reference, prediction, -1.0, precision):
        return WRONG_SIGN
    factors = (sign * 10.0**power for power in _POWERS for sign in (1.0, -1.0))
    if any(_equal(reference, prediction, factor, precision) for factor in factors):
        return WRONG_SCALE
    return WRONG_VALUE


def _equal(
    reference: Quantity, prediction: Quantity, factor: float, precision: Precision
) -> bool:
    # Not plain: the scale of the reference is not granted to it once more.
    scaled = replace(
        prediction,
        value=prediction.value * factor,
        step=prediction.step * abs(factor),
        plain=False,
    )
    return same_value(reference, scaled, precision)
