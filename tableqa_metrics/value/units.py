"""Units of measure under one spelling each; nothing is converted.

Only spellings that name one unit wherever they stand: `min` is minutes, but `M`, `C` and
`t` stay what they are. `5 pounds` are `5 lb`, and are compared with `£5` elsewhere
(`value.equality`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .text import fold_text


POUND: Final = "lb"
_SPELLINGS: Final = (
    ("km", "kilometer kilometers kilometre kilometres kms"),
    ("m", "meter meters metre metres"),
    ("cm", "centimeter centimeters centimetre centimetres cms"),
    ("mm", "millimeter millimeters millimetre millimetres"),
    ("mi", "mile miles"),
    ("ft", "foot feet"),
    ("in", "inch inches"),
    ("yd", "yard yards yds"),
    ("kg", "kilogram kilograms kilogramme kilogrammes kilo kilos kgs"),
    ("g", "gram grams gramme grammes"),
    (POUND, "pound pounds lbs"),
    ("oz", "ounce ounces"),
    ("ha", "hectare hectares"),
    ("l", "liter liters litre litres"),
    ("h", "hour hours hr hrs"),
    ("min", "minute minutes mins"),
    ("s", "second seconds sec secs"),
    ("month", "months mo mos"),
    ("week", "weeks wk wks"),
    ("year", "years yr yrs"),
    ("point", "points pt pts"),
    ("°", "degree degrees deg"),
    ("°c", "celsius centigrade"),
    ("°f", "fahrenheit"),
    ("p", "pence"),
    ("x", "times"),
    ("cent", "cents ¢"),
    ("bc", "bce"),
    ("square", "sq"),
    ("cubic", "cu"),
    ("mi per h", "mph"),
    ("km per h", "kph kmh"),
)
_UNIT_OF: Final = {
    word: unit for unit, words in _SPELLINGS for word in (unit, *words.split())
}
# Of a longer text the unit is not kept, so that memory stays small.
_LONGEST_KEPT: Final = 40
_POWERS: Final = {"square": "2", "cubic": "3"}
_CARET = re.compile(r"\^|\*\*")
_SQUARE = re.compile(r"^sq(?=(?:k?m|ft|mi)s?$)")


def fold_unit(unit: str) -> str:
    """Fold a unit as text, and write what is spelt in several ways in one.

    Examples
    --------
    >>> fold_unit("square kilometres"), fold_unit("km²"), fold_unit("km^2")
    ('km2', 'km2', 'km2')
    >>> fold_unit("per share"), fold_unit("/share"), fold_unit("days")
    ('per share', 'per share', 'day')
    """
    return _kept(unit) if len(unit) <= _LONGEST_KEPT else _folded(unit)


def _folded(unit: str) -> str:
    if unit.isascii() and unit.isalpha() and unit[:2].lower() != "sq":
        word = fold_text(unit)
        spelt = _UNIT_OF.get(word) or _singular(word)
        return spelt if spelt not in _POWERS else word
    folded = fold_text(_CARET.sub("", unit.replace("/", " per ")))
    words: list[str] = []
    power = ""
    for word in _SQUARE.sub("square ", folded).split():
        spelt = _UNIT_OF.get(word) or _singular(word)
        if spelt in _POWERS:
            power = _POWERS[spelt]
        elif words[-1:] == ["°"] and spelt.removeprefix("°") in ("c", "f"):
            words[-1] = "°" + spelt.removeprefix("°")
        else:
            words.append(spelt + power)
            power = ""
    return " ".join(words) or folded


# The headers and cells of a table share few units.
_kept = lru_cache(maxsize=1024)(_folded)


def is_unit(folded: str) -> bool:
    """Whether what `fold_unit` returned is made of units that it knows.

    Examples
    --------
    >>> is_unit("km2"), is_unit("kg per m2"), is_unit("film")
    (True, True, False)
    """
    words = folded.split()
    return bool(words) and all(
        word == "per" or word.rstrip("23") in _UNIT_OF for word in words
    )


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 and word[-2:] != "ss" else word
