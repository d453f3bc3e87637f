r"""Value: typed equality of answers, as an analyst would judge it.

Our own corrected metric (`value_em`); no released scorer is reproduced here (see
`tableqa_metrics.tatqa` and `tableqa_metrics.finqa` for those). Both sides are read on
their own, and the reference is never looked at to find the answer in a prediction.

How a value is read (`value.reading`)
    *quantity*: a text that is one number (`tableqa_metrics.written.numbers`, also in
    English words), with sign, scale and `%` applied once, whether they stand in the
    text, in the scale field or in both; where the two contradict each other, the text
    counts, which is nearer. A scale field that names no scale ("year", "shares")
    multiplies nothing. The number may have a unit that is no scale (`480 km²`), which is
    compared by name, whatever its spelling (`value.units`); nothing is converted.
    What points to a source or a footnote behind a value (`37[1]`) is no part of it.
    *date*: a text that is one date (`tableqa_metrics.written.dates`), or a fiscal year.
    *text*: everything else; bounds (`>= 37`), ranges and negations are texts or have a
    unit ("37 or more"), so that none of them is the number.
How values are compared (`value.equality`)
    A number is right if it is no further from the reference than half a unit of the last
    digit that the reference is written with: 12.54 is 12.5, 12.5 is not 12.54. A half
    counts in either direction, since annotators rounded both ways. A float is written
    with the fewest digits that give it back. Signs count. An amount in another currency
    is wrong; one that names none may be in any. With a unit is never without.
    A reference written as a bare year (1500 to 2199, a text without a scale) is compared
    exactly: it equals the year, a date in it, and, since it may be an amount after all,
    that number in another notation (2,019), but never one that only rounds to it. Dates
    are equal as far as the reference goes: the reference "March 2008" equals "12 March
    2008", and not the other way round.
    Texts are equal after folding (`value.text`) case, articles, punctuation, white space
    and the accents of Latin letters; "true" and "false" are "yes" and "no", "5 to 7" is
    "5-7", "5-10%" is "5%-10%", and "2006-07" is the season 2006/07.
Lists
    are equal as multisets, in any order; a part of a list is not the list. Blank items
    are no items. Where one side is a single text, it may enumerate ("3, 5", "both a and
    b", "a / b"), and both sides are taken apart in the same way before they are compared
    (`value.enumeration`).
Percent
    22.12 %, 0.2212, and 22.12 with the scale percent are the same. A bare 22.12 is
    22.12 %, too, but only where the reference's scale field is percent.
FinQA (`precision="coarser"`)
    `exe_ans` carries digits that no annotator wrote: it is exact to five decimals, which
    JSON does not show where they are zeros. So a prediction is right within half a unit
    of its own last digit, which counts as no finer than the fifth decimal and as no
    coarser than the second significant digit: of 0.42889, 42.9 % and 0.43 are right, 0.4
    and 42.8 % are wrong.

Where `value_em` and the official `em` differ
    On 1,667 public Program-of-Thoughts outputs (TAT-QA dev) and 1,000 replies of
    TAT-LLM-7B (dev and test_gold, answers as extracted by its own scorer), 66 and 2 of
    the verdicts differ. What `value_em` says, why, how often on either, an example:

    says   cause        PoT  TAT-LLM  reference; prediction, its scale
    right  scale         21        1  $85.1 million; 85123, thousand
    right  enumeration   12        0  Greece and Turkey; [Greece, Turkey]
    right  precision     11        1  36%; 36.0336, percent
    right  zero           5        0  0 percent; 0.0, percent: taken for no answer
    right  brackets       4        0  (2,085), thousand; -2085, thousand: read as 2085
    right  unit           5        0  $8.6 million; 8605302, dollar
    right  mark           1        0  `70.07; 70.07
    right  wording        5        0  approximately USD500 million; $500 million
    right  date           1        0  27 May 2019; May 27, 2019
    wrong  sign           1        0  (1,212), million; $1,212 million

    All 68 were read by eye, with question and derivation, and `value_em` is right on
    each by its own rules. The last is a matter of taste: "Net cash used in" needs no
    minus. Two of the cause "scale" are references that call a ratio a percentage.
    Reading them changed the metric: a scale field that holds a unit used to make an
    answer wrong (144 right answers, most of them years), texts were not taken apart at
    "and" beside commas, and a half was rounded in one direction only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from ..shown import shown
from .enumeration import enumerated
from .equality import Precision, pair_values, same_multiset
from .reading import (
    SCALES,
    Scalar,
    ScaleField,
    Value,
    read_all,
    read_scale_field,
    read_value,
    scalars,
)


__all__ = ["AnswerPairing", "Precision", "pair_answers", "value_match"]


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
        digits that give it back. An empty text is a value: it is equal to a blank one
        and to no other.
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
        Where the reference is an empty list or no such value, or its scale or the
        precision is unknown.

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
    _check_precision(precision)
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
    _check_precision(precision)
    _read_reference(reference, reference_scale)
    wanted, given = scalars(reference), scalars(prediction)
    pairing = _paired(wanted, given, reference_scale, prediction_scale, precision)
    full = len(pairing.pairs) == len(wanted) == len(given)
    if full or (len(wanted) != 1 and len(given) != 1):
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


def _check_precision(precision: str) -> None:
    if precision not in get_args(Precision):
        raise ValueError(
            f"precision {shown(precision)} is none of {get_args(Precision)}"
        )


def _scale_of_reference(scale: str) -> ScaleField:
    if not isinstance(scale, str) or scale not in SCALES:
        raise ValueError(f"reference scale {shown(scale)} is none of {list(SCALES)}")
    return ScaleField(scale, SCALES[scale])


def _read_reference(reference: object, scale: str) -> list[Value]:
    golds = read_all(scalars(reference), _scale_of_reference(scale))
    if not golds:
        raise ValueError(
            f"reference {shown(reference)} is neither a string or finite number nor a "
            "list of these"
        )
    return golds
