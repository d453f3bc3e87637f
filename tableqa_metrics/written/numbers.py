r"""Numbers as people and models write them, read as a whole or not at all.

`parse_number` answers one question: is this text, as a whole, one number? Text that
only contains one ("65 units", "over 37", "5-10") is none; finding a number in prose is
the business of `tableqa_metrics.extraction`. No released scorer is reproduced here.

What is decoration, and read
    thousands separators (comma, blank, apostrophe; Indian groups `12,34,567`), currency
    signs, codes and words on either side, accounting brackets, every kind of minus and
    dash directly before the number, "minus" and "negative", `%`, `percent`,
    `percentage points`, `pp`, `bps`, fractions (`1½`, `1 1/2`, `3/2`), exponents (`1e6`,
    `1.5×10^6`), scale words and letters, also in brackets (`5 ($ in millions)`), "about"
    and its synonyms, quotes, Markdown and LaTeX marks, closing punctuation, the star of
    a footnote, what points to a source (`37[1]`), digits of any script.
What is none
    bounds (`>=37`, "at least 37", `37+`), ranges (`5-10`, `2019–2020`), lists (`3, 5`),
    a comma that neither groups nor separates (`12,34`), `2018/19`, `03/2018`, NaN,
    infinities, and a number too large for a float.
Where two readings exist
    negativity is said once, however often it is marked: `-(640)`, `(-640)` and `--640`
    are -640. A touching trailing minus (`5-`, from ledgers) negates, but not after a
    bare year (`2019-` is an open range), and a hyphen does not (`5-percent`, `5-dollar`).
    A comma is a decimal mark only after groups that a point, a blank or an apostrophe
    separates (`1.234,5`, `1 234,5`); `1.234` is 1.234. `k m mm b T` and the like must
    touch the number, because `5 m` is a length; `bn mn tn` and, in capitals, `M MM B`
    may stand apart, and so may all of them where a currency is named. A lower-case `t`
    is a ton. `hundred`, `thousand` and `lakh` may stand before a larger word; no other
    scale is applied to a scale. A fraction is no date: `3/2` is 1.5.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from .number_form import YEAR, NumberForm, take_apart
from .plain_text import MAYBE_DIGIT


_POWER_OF_UNIT: Final[dict[str, int]] = {"": 0, "percent": -2, "mille": -3, "bps": -4}
# TAT-QA's own vocabulary of scales; other powers of ten stay in the text.
_SCALE_OF_POWER: Final[dict[int, str]] = {3: "thousand", 6: "million", 9: "billion"}
_FRACTION_DECIMALS: Final = 4

_DIGITS = (
    # 1,234,567.8 in groups of three, or of two before the last three
    r"[1-9]\d{0,2}(?P<group>[, '’‘ʼ´`_])\d{3}(?:(?P=group)\d{3})*(?:\.\d+)?"
    r"|[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?"
    r"|\d+(?:\.\d*)?|\.\d+"
)
_DIGITS_WITH_DECIMAL_COMMA = (
    r"[1-9]\d{0,2}(?:\.\d{3}){2,}|[1-9]\d{0,2}(?:\.\d{3})+,\d+"
    r"|[1-9]\d{0,2}(?:[ '’]\d{3})+,(?:\d{1,2}|\d{4,})"
)
_TEN_TO = r"10\s?(?:\^|\*\*)\s?[({]?(?P<%s>[+-]?\d{1,4})[)}]?"
_PLAIN = re.compile(
    rf"(?:(?P<comma>{_DIGITS_WITH_DECIMAL_COMMA})|(?P<point>{_DIGITS}))"
    rf"(?:[eE](?P<e>[+-]?\d{{1,4}})|\s?[×✕✖xX*·⋅∙]\s?{_TEN_TO % 'times'})?"
    rf"|{_TEN_TO % 'ten'}"
)
# Most texts are no number, and most numbers are plain: both are told at a glance.
_AT_A_GLANCE = re.compile(
    r"(-?)([1-9][0-9]{0,2}(?:,[0-9]{3}){1,5}|[0-9]{1,15})(?:\.([0-9]{1,15}))?(%?)"
)
# The same in brackets, with a currency sign.
_AMOUNT_AT_A_GLANCE = re.compile(
    r"([-(]?)[$€£]? ?([1-9][0-9]{0,2}(?:,[0-9]{3}){1,5}|[0-9]{1,15})"
    r"(?:\.([0-9]{1,15}))?(%?)(\)?)"
)
_FRACTION = re.compile(
    r"(?:(?P<whole>\d{1,3}(?:,\d{3}){1,2}|\d{1,9})\s)?\s?(?P<top>\d{1,9})\s?/\s?(?P<bottom>\d{1,9})"
)


@dataclass(frozen=True)
class Number:
    """A number, and how it was written.

    Parameters
    ----------
    value
        The quantity, with sign, scale words and `%` applied: `14.1 %` is 0.141, `$2
        million` is 2e6. Always finite.
    percent
        Whether it was written as a percentage (`%`, percent, percentage points) or in
        basis points.
    decimals
        How many decimals the written digits have, before scale, exponent and `%`: 1 for
        `12.5 million`, for `14.1 %` and for `1.5e6`. A fraction has as many as its
        decimal form, at most 4: 1 for `1½`, 4 for `1/3`.
    unit
        What one of the written digits' units is worth: 1e6 for `12.5 million`, 0.01 for
        `14.1 %`; so the number is written to within `unit * 10**-decimals / 2`. Not
        part of equality.
    """

    value: float
    percent: bool
    decimals: int
    unit: float = field(default=1.0, compare=False)


def parse_number(text: str) -> Number | None:
    """Read a text that is, as a whole, one number.

    Returns
    -------
    Number or None
        `None` for the empty text, for text that is not one number (see the module's
        docstring), and for what no float holds. No text raises; the cost is linear in
        the white space around it and bounded beyond that.

    Raises
    ------
    TypeError
        If it is no text.

    Examples
    --------
    >>> parse_number("GBP (41,260.35)").value
    -41260.35
    >>> parse_number("14.1%")
    Number(value=0.141, percent=True, decimals=1, unit=0.01)
    >>> parse_number("$2 million").value
    2000000.0
    >>> parse_number("at least 37") is None
    True
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    if match := _AT_A_GLANCE.fullmatch(text):
        return _plain_number(*match.groups(default=""))
    match = _AMOUNT_AT_A_GLANCE.fullmatch(text)
    if match and (match[1] == "(") == (match[5] == ")"):
        sign, whole, rest, percent, _ = match.groups(default="")
        return _plain_number("-" if sign else "", whole, rest, percent)
    if not MAYBE_DIGIT.search(text):
        return None
    form = take_apart(text)
    return None if form is None else _number(form)


def split_scale(text: str) -> tuple[str, str]:
    """Move the scale of a written number out of its text.

    Returns
    -------
    tuple of str
        The number as written (sign, brackets and leading currency kept) without its
        scale and without marks around it, and the scale in TAT-QA's vocabulary: `""`,
        `"thousand"`, `"million"`, `"billion"` or `"percent"`. A scale that vocabulary
        lacks (trillion, crore, basis points) stays in the text. Text that is not one
        number is returned as it is, with the scale `""`.

    Examples
    --------
    >>> split_scale("$12.5 million")
    ('$12.5', 'million')
    >>> split_scale("1.2bn")
    ('1.2', 'billion')
    >>> split_scale("14.1%")
    ('14.1', 'percent')
    >>> split_scale("Operating activities")
    ('Operating activities', '')
    """
    if match := _AT_A_GLANCE.fullmatch(text):
        return text.removesuffix("%"), "percent" if match[4] else ""
    form = take_apart(text)
    if form is None or _number(form) is None:
        return text, ""
    if form.unit == "percent":
        return form.text, "percent"
    if not form.unit and form.power in _SCALE_OF_POWER:
        return form.text, _SCALE_OF_POWER[form.power]
    return form.scaled_text, ""


def _plain_number(minus: str, whole: str, rest: str, percent: str) -> Number:
    value = float(f"{minus}{whole.replace(',', '')}.{rest or 0}e{-2 * len(percent)}")
    # Zero has no sign.
    return Number(value or 0.0, bool(percent), len(rest), 0.01 if percent else 1.0)


def _number(form: NumberForm) -> Number | None:
    power = form.power + _POWER_OF_UNIT[form.unit]
    if match := _FRACTION.fullmatch(form.core):
        if not int(match["bottom"]) or _is_date(match):
            return None
        exact = Fraction(int(match["top"]), int(match["bottom"]))
        exact += int((match["whole"] or "0").replace(",", ""))
        decimals = _decimals(exact)
        value = float(exact * Fraction(10) ** power)
    elif match := _PLAIN.fullmatch(form.core):
        digits = match["point"] or match["comma"] or "1"
        point = "." if match["point"] else ","
        digits = "".join(c for c in digits if c.isdigit() or c == point)
        whole, _, rest = digits.partition(point)
        decimals = len(rest)
        power += int(match["e"] or match["times"] or match["ten"] or 0)
        value = float(f"{whole or 0}.{rest or 0}e{power}")
    else:
        return None
    unit = float(f"1e{power}")
    if math.isinf(value) or not 0 < unit < math.inf:
        return None
    if form.negative and value:
        value = -value
    return Number(value, form.unit in ("percent", "bps"), decimals, unit)


def _is_date(fraction: re.Match[str]) -> bool:
    """Whether it is a financial year, 2018/19, or the month of a year, 03/2018."""
    top, bottom = fraction["top"], fraction["bottom"]
    if fraction["whole"]:
        return False
    month = len(top) <= 2 and 1 <= int(top) <= 12
    return bool(YEAR.fullmatch(top) or (month and YEAR.fullmatch(bottom)))


def _decimals(exact: Fraction) -> int:
    """Count the decimals of a fraction's decimal form, at most `_FRACTION_DECIMALS`."""
    for decimals in range(_FRACTION_DECIMALS):
        if (exact * 10**decimals).denominator == 1:
            return decimals
    return _FRACTION_DECIMALS
