"""Changes said in words: "decreased by 5%" is -5%.

What a text says of a number decides its sign where the number has none of its own: "a
decrease of 5", "fell by 5", "was down 5", "5% lower", "a 5% decrease". A name for what is
measured decides nothing ("the decrease was 5"), nor does "an increase or decrease of 5".
Of the golds of TAT-QA and FinQA that are changes, those that fell are negative, but for
about one in twenty, whose question asks for the size of a decrease; extraction does not
see the question.
"""

from __future__ import annotations

import re
from typing import Final

from ...written.numbers import parse_number
from ...written.plain_text import holds_any


_FALL: Final = (
    r"(?:decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|drop(?:s|ped)?|reduction|reduced"
    r"|fell|fallen|fall|shrank|shrunk)"
)
_RISE: Final = (
    r"(?:increas(?:e[sd]?|ing)|rise|rose|risen|grew|grown|growth|gain(?:ed)?)"
)
CHANGE: Final = rf"(?:{_FALL}|{_RISE})"
ABOUT: Final = (
    r"(?:(?:about|around|only|just|now|roughly|some|an?|therefore|thus|hence|then"
    r"|[a-z]{2,12}ly)\s|[~≈]\s?)?"
)
_MARKS: Final = r"[\[*_`\"'“(\\$]{0,4}"
_FALL_BEFORE = re.compile(
    rf"\b(?:{_FALL}\s(?:of|by)|(?:decreased|declined|dropped|fell|shrank)"
    rf"|(?:is|was|were|are)\sdown(?:\sby)?)\s{{1,3}}{ABOUT}{_MARKS}(?:boxed\{{)?$"
    rf"|^down\s(?:by\s)?{ABOUT}{_MARKS}$",
    re.IGNORECASE,
)
_OR = re.compile(r"(?:increase|rise|growth|gain)\W{0,3}(?:or\W{1,3})?$", re.IGNORECASE)
_FALL_BEHIND = re.compile(
    r"[\])*_`\"'”$}]{0,4}(?:[\s-]percentage[\s-]points?)?(?:,?\s\(?(?:an?\s)?(?:decrease|decline|drop|reduction|fall)\b"
    r"|\slower\b)",
    re.IGNORECASE,
)
_LOOK_BACK: Final = 60
# What each word for a change contains.
_CHANGE_STEMS: Final = (
    *("creas", "declin", "drop", "reduc", "fell", "fall", "shr", "down"),
    *("ris", "rose", "grew", "grow", "gain"),
)


def may_tell_change(text: str) -> bool:
    """Take a cheap look for a word that says that something rose or fell."""
    return not text.isascii() or holds_any(text, _CHANGE_STEMS)


def with_sign(number: str, text: str, start: int, end: int) -> str:
    """Return a number of a text with the minus that the words around it give it.

    Examples
    --------
    >>> text = "Sales fell by 5%, after an increase of 2%."
    >>> with_sign("5%", text, 14, 16), with_sign("2%", text, 39, 41)
    ('-5%', '2%')
    """
    before = text[max(0, start - _LOOK_BACK) : start]
    fall = _FALL_BEFORE.search(before) if may_tell_change(before) else None
    if fall:
        is_fall = _OR.search(before[: fall.start()]) is None
    else:
        is_fall = _FALL_BEHIND.match(text, end) is not None
    if not is_fall:
        return number
    value = parse_number(number)
    return f"-{number}" if value and value.value > 0 else number
