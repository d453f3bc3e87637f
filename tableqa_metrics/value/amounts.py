"""Numbers below a header that states their unit, read without the patterns of reading.

"3,058" below "Revenue ($ million)" says what "3,058 ($ million)" says. A header is read
once, as "1 ($ million)" is, and its numbers are put in place of the 1.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final

from ..written.money import currencies
from ..written.numbers import parse_number
from .enumeration import parts_of
from .glance import is_mixed
from .reading import Quantity, read_value
from .remarks import Unit


# Of digits that a float holds, and none that reading takes for more than a number.
_NUMBER = re.compile(
    r"([-(]?)([$€£]?) ?([1-9][0-9]{0,2}(?:,[0-9]{3}){1,3}|[0-9]{1,12})"
    r"(?:\.([0-9]{1,6}))?(\)?)"
)
_IN_ASCII: Final = str.maketrans("²³", "23")
_LEAST_POWER: Final = -4
_LARGEST_POWER: Final = 12


def amount(number: str, unit: Unit) -> Quantity | None:
    """Return what a number and the unit's suffix say; `None` where reading has to tell.

    Examples
    --------
    >>> from tableqa_metrics.value.remarks import stated_unit
    >>> amount("3,058", stated_unit("$ million")).value
    3058000000.0
    >>> amount("3,058 (1)", stated_unit("$ million")) is None
    True
    """
    match = _NUMBER.fullmatch(number)
    known = _one(unit.suffix) if match else None
    if match is None or known is None:
        return None
    sign, money, whole, rest, bracket = match.groups(default="")
    one, power = known
    if (sign == "(") != (bracket == ")"):
        return None
    value = float(f"{whole.replace(',', '')}.{rest}e{power}")
    if sign:
        value = -value or 0.0  # zero has no sign
    currency = currencies(money) if money else one.currency
    step = one.step * 10.0 ** -len(rest)
    return Quantity(value, one.unit, False, step, currency, "", one.plain and not money)


@lru_cache(maxsize=1024)
def _one(suffix: str) -> tuple[Quantity, int] | None:
    """Read the unit behind the number 1; also return the power of ten that it stands for."""
    text = f"1{suffix}"
    if parts_of(text, at_and=True) != [text]:
        return None
    # neither a number nor a date may come of another number than 1
    if parse_number(text) is None and not is_mixed(text.translate(_IN_ASCII)):
        return None
    one = read_value(text)
    if not isinstance(one, Quantity) or one.year or one.value != one.step:
        return None
    power = round(math.log10(one.step))
    if not _LEAST_POWER <= power <= _LARGEST_POWER or float(f"1e{power}") != one.step:
        return None
    return one, power
