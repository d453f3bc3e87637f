"""Numbers that are written as English words."""

from __future__ import annotations

import re
from typing import Final


_BELOW_TWENTY: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen"),
)
_TENS: Final = (
    *("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)
_SMALL: Final[dict[str, int]] = {
    **{word: number for number, word in enumerate(_BELOW_TWENTY)},
    **{word: number for word, number in zip(_TENS, range(20, 100, 10), strict=True)},
}
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9}

_GAP = r"[\s-]{1,3}"
_BELOW_A_HUNDRED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:{_GAP}(?:{'|'.join(_BELOW_TWENTY[1:10])})(?![a-z]))?"
    rf"|{'|'.join(sorted(_BELOW_TWENTY, key=len, reverse=True))})"
)
_GROUP = (
    rf"{_BELOW_A_HUNDRED}"
    rf"(?:{_GAP}hundred(?:{_GAP}(?:and{_GAP})?{_BELOW_A_HUNDRED}(?![a-z]))?)?"
)
_SCALE = rf"{_GAP}(?:{'|'.join(_SCALES)})"
_ABOUT_WORDS: Final = (
    *("approximately", "about", "around", "roughly", "circa", "exactly", "precisely"),
)
_MINUS_WORDS: Final = ("minus", "negative")
# Most texts begin with none of these.
FIRST_WORDS: Final = frozenset((*_SMALL, *_ABOUT_WORDS, *_MINUS_WORDS))
_NUMBER = re.compile(
    rf"\s*(?:(?:{'|'.join(_ABOUT_WORDS)})\s)?"
    rf"(?P<minus>(?:{'|'.join(_MINUS_WORDS)})\s)?(?P<all>{_GROUP}(?P<more>(?:{_SCALE}{_GAP}(?:and{_GAP})?{_GROUP}(?![a-z]))*)"
    rf"(?P<last>{_SCALE})?)(?![\w'’-])"
    # a part of something larger: twenty fifth, five to seven, one in three
    r"(?!\s(?:and|or|to|of|in|out|hal[fv]|third|quarter"
    r"|(?:four|fif|six|seven|eigh|nin|ten|\w{1,9}dred|\w{1,9}and)th))",
    re.IGNORECASE,
)
_WORD = re.compile("[a-z]+")
_FIRST_WORD = re.compile(r"\s*([A-Za-z]+)")
# thirty (30) days
_AGAIN = re.compile(r"\s?\(([0-9,]{1,15})\)(?!\w)")
# No number in words is longer.
_LONGEST: Final = 200


def in_digits(text: str) -> str | None:
    """Write the number that a text begins with in digits; `None` where there is none.

    A scale word that ends the number stays: it says how precise the number is. "About"
    and its synonyms before it go, and so does the number itself behind it in brackets.

    Examples
    --------
    >>> in_digits("Twenty-five days"), in_digits("two hundred and six"), in_digits("Oslo")
    ('25 days', '206', None)
    >>> in_digits("five million"), in_digits("two thousand five hundred")
    ('5 million', '2500')
    >>> in_digits("about thirty (30) days"), in_digits("minus five")
    ('30 days', '-5')
    """
    first = _FIRST_WORD.match(text)
    if not first or first[1].lower() not in FIRST_WORDS:
        return None
    match = _NUMBER.match(text[:_LONGEST])
    if not match:
        return None
    end = match.end() if match["more"] or not match["last"] else match.start("last")
    total = group = 0
    for word in _WORD.findall(text[match.start("all") : end].lower()):
        if word in _SMALL:
            group += _SMALL[word]
        elif word == "hundred":
            group *= 100
        elif word in _SCALES:
            total, group = total + group * _SCALES[word], 0
    total += group
    again = _AGAIN.match(text, end)
    if again and again[1].replace(",", "") == str(total):
        end = again.end()
    return f"{'-' if match['minus'] else ''}{total}{text[end:]}"
