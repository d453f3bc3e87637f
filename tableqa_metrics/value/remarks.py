"""The remark that ends a name, and the unit that it may state.

"Posse (1975 film)" is Posse; "area (km²)" and "revenue ($ million)" say how the numbers
below them are to be read. A unit may also stand without brackets: "area, km²", "area in
km²", "share %", "area_km2".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from ..written.money import currencies
from ..written.numbers import parse_number
from .units import fold_unit, is_unit


_OPENING: Final = {")": "(", "]": "["}
_LONGEST_UNIT: Final = 40
_LONGEST_NAME: Final = 100
_MAYBE_UNIT = re.compile(r"[,_%]|\sin\s", re.IGNORECASE)
_IN = re.compile(r"\s*in\s", re.IGNORECASE)
# What may stand before a unit without brackets.
_BEFORE_A_UNIT = re.compile(r",\s?|\s(?=in\s)|\s?(?=%$)|_(?:in_)?", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_MOST_PLACES: Final = 8
# What a name may end in without being measured in it: "birth_year".
_NAMES_THEMSELVES: Final = frozenset(
    ("year", "month", "week", "point", "point2", "x", "in")
)


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
    >>> split_remark("area in km²"), split_remark("born in Oslo")
    (('area', 'in km²'), None)
    """
    text = name.rstrip()
    opening = _OPENING.get(text[-1:])
    if opening is None or opening not in text:
        return _split_unit(text)
    place = text.rindex(opening)
    return (text[:place], text[place + 1 : -1]) if text[:place].strip() else None


def _split_unit(text: str) -> tuple[str, str] | None:
    """Take a unit without brackets off a name."""
    if len(text) > _LONGEST_NAME or not _MAYBE_UNIT.search(text):
        return None
    for place in islice(_BEFORE_A_UNIT.finditer(text), _MOST_PLACES):
        name, remark = text[: place.start()], text[place.end() :]
        remark = remark.replace("_", " ")
        unit = stated_unit(remark) if _LETTER.search(name) else None
        # the M of "Smith, M" is an initial
        if unit and (len(unit.name) != 1 or remark == remark.lower()):
            return None if unit.name in _NAMES_THEMSELVES else (name, remark)
    return None


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
    remark = remark.replace(", ", " ")
    number = parse_number(f"1 ({remark})")
    if number is not None:
        return Unit(f" ({remark})", "", number.unit, currencies(remark))
    unit = _IN.sub("", remark, count=1)
    folded = fold_unit(unit)
    return Unit(f" {unit}", folded) if is_unit(folded) else None
