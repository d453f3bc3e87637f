r"""Value: typed equality of answers, as an analyst would judge it.

Our own corrected metric; no released scorer is reproduced here (see `tableqa_metrics.
tatqa` and `tableqa_metrics.finqa` for those). Both sides are read on their own, and the
reference is never looked at to find the answer in a prediction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import Repr
from typing import Final

from .value_equality import Precision, pair_values, same_multiset
from .value_reading import (
    SCALES,
    Scalar,
    ScaleField,
    Value,
    enumerated,
    read_all,
    read_scale_field,
    read_value,
    scalars,
)


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
        What each number is to be multiplied by, unless its text says so already: `""`,
        `"thousand"`, `"million"`, `"billion"` or `"percent"`. A predicted scale may be
        written in other ways ("Millions", "bn", "%"); one that is none ("year",
        "shares") multiplies nothing.
    precision
        `"reference"`, or `"coarser"` for FinQA (see `Precision`).

    Returns
    -------
    bool
        The cost is linear in the length of the texts, and at most quadratic in the
        number of the reference's values.

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
    golds = _read_reference(reference, reference_scale)
    wanted, given = scalars(reference), scalars(prediction)
    scale = read_scale_field(prediction_scale)
    if len(golds) == len(given):
        found = read_all(given, scale)
        if found and same_multiset(golds, found, precision):
            return True
    if len(wanted) != 1 and len(given) != 1:
        return False
    # One text may enumerate what the other side lists or enumerates in another order.
    wanted, given = enumerated(wanted), enumerated(given)
    if len(wanted) != len(given) or len(wanted) == 1:
        return False
    listed = read_all(wanted, _scale_of_reference(reference_scale))
    found = read_all(given, scale)
    return bool(listed and found and same_multiset(listed, found, precision))


@dataclass(frozen=True)
class AnswerPairing:
    """Two answers value by value, as `value_match` compares them.

    Parameters
    ----------
    wanted, given
        What was read on either side: the items of a list, or the parts of a text.
    reference, prediction
        The same as values; `None` is no value.
    pairs
        Places of equal values, each in one pair at most. All values of both sides are
        in a pair where `value_match` is true.
    """

    wanted: tuple[Scalar, ...]
    given: tuple[Scalar, ...]
    reference: tuple[Value | None, ...]
    prediction: tuple[Value | None, ...]
    pairs: tuple[tuple[int, int], ...]


def pair_answers(
    reference: Scalar | Sequence[Scalar],
    prediction: object,
    *,
    reference_scale: str = "",
    prediction_scale: str | None = "",
    precision: Precision = "reference",
) -> AnswerPairing:
    """Pair the values of two answers, for those who want to see more than a verdict.

    It takes what `value_match` takes, and raises what that raises.

    Examples
    --------
    >>> pair_answers(["Oslo", "2019"], "2019, Bergen").pairs
    ((1, 0),)
    """
    _read_reference(reference, reference_scale)
    wanted, given = scalars(reference), scalars(prediction)
    pairing = _paired(wanted, given, reference_scale, prediction_scale, precision)
    if len(wanted) != 1 and len(given) != 1:
        return pairing
    wanted, given = enumerated(wanted), enumerated(given)
    listed = _paired(wanted, given, reference_scale, prediction_scale, precision)
    return listed if len(listed.pairs) > len(pairing.pairs) else pairing


def _paired(
    wanted: Sequence[Scalar],
    given: Sequence[Scalar],
    reference_scale: str,
    prediction_scale: str | None,
    precision: Precision,
) -> AnswerPairing:
    scale = _scale_of_reference(reference_scale)
    golds = [read_value(item, scale) for item in wanted]
    scale = read_scale_field(prediction_scale)
    found = [read_value(item, scale) for item in given]
    pairs = pair_values(golds, found, precision)
    return AnswerPairing(
        tuple(wanted), tuple(given), tuple(golds), tuple(found), tuple(pairs)
    )


def _scale_of_reference(scale: str) -> ScaleField:
    if not isinstance(scale, str) or scale not in SCALES:
        raise ValueError(f"reference scale {_show(scale)} is none of {list(SCALES)}")
    return ScaleField(scale, SCALES[scale])


def _read_reference(reference: object, scale: str) -> list[Value]:
    golds = read_all(scalars(reference), _scale_of_reference(scale))
    if not golds:
        raise ValueError(
            f"reference {_show(reference)} is neither a string or finite number nor a "
            "list of these"
        )
    return golds


_REPR: Final = Repr()
_REPR.maxstring = _REPR.maxother = 200


def _show(value: object) -> str:
    try:
        return _REPR.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return f"a {type(value).__name__} that is too long to show"
