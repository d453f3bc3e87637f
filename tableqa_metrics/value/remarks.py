"""The remark in brackets that ends a name, and the unit that it may state.

"Posse (1975 film)" is Posse; "area (km²)" and "revenue ($ million)" say how the numbers
below them are to be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..written.money import currencies
from ..written.numbers import parse_number
from .units import fold_unit, is_unit


_OPENING: Final = {")": "(", "]": "["}
_LONGEST_UNIT: Final = 40
_IN = re.compile(r"\s*in\s", re.IGNORECASE)


@dataclass(frozen=True)
class Unit:
    """A unit of measure, or a scale with or without a currency.

    Parameters
    ----------
    suffix
        How a number is written that has it.
    name
        The unit of measure in one spelling; `""` for a scale.
    factor
        What a scale multiplies by, 1 for a unit of measure.
    currency
        The codes of the currencies that it may be; none where it names none.
    """

    suffix: str
    name: str
    factor: float = 1.0
    currency: frozenset[str] = frozenset()

    def excludes(self, other: Unit) -> bool:
        """Whether what is in one of two units cannot be what is in the other."""
        both = self.currency and other.currency
        return self.name != other.name or bool(
            both and self.currency.isdisjoint(other.currency)
        )


def split_remark(name: str) -> tuple[str, str] | None:
    """Take the remark off a name; `None` where there is none, or nothing else.

    Examples
    --------
    >>> split_remark("Posse (1975 film)"), split_remark("(1975)")
    (('Posse ', '1975 film'), None)
    """
    text = name.rstrip()
    opening = _OPENING.get(text[-1:])
    if opening is None or opening not in text:
        return None
    place = text.rindex(opening)
    return (text[:place], text[place + 1 : -1]) if text[:place].strip() else None


@lru_cache(maxsize=1024)
def stated_unit(remark: str) -> Unit | None:
    """Return the unit that a remark states; `None` where it is of another kind.

    Examples
    --------
    >>> stated_unit("in km²").name, stated_unit("sq km").name, stated_unit("1975 film")
    ('km2', 'km2', None)
    >>> stated_unit("$ million").factor
    1000000.0
    """
    if len(remark) > _LONGEST_UNIT:
        return None
    number = parse_number(f"1 ({remark})")
    if number is not None:
        return Unit(f" ({remark})", "", number.unit, currencies(remark))
    unit = _IN.sub("", remark, count=1)
    folded = fold_unit(unit)
    return Unit(f" {unit}", folded) if is_unit(folded) else None
