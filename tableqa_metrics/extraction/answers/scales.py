"""The scale where a response states it in a field of its own, or behind `####`."""

from __future__ import annotations

import re
from collections import deque
from math import log10
from typing import Final

from ...written.numbers import parse_number
from ...written.plain_text import holds_any


# A scale word that stands before another one, or a number, multiplies it.
_BEFORE: Final = {
    "ten": 1,
    "10": 1,
    "hundred": 2,
    "100": 2,
    "thousand": 3,
    "thousands of": 3,
    "1000": 3,
    "lakh": 5,
}
_SCALE = re.compile(
    rf"(?:(?<![\w.,])(?P<before>{'|'.join(sorted(_BEFORE, key=len, reverse=True))})[\s-])?"
    r"(?<![a-z])(?:(?P<thousand>thousand)|(?P<million>million|ml?n|mio)"
    r"|(?P<billion>billion|bl?n)"
    r"|(?P<percent>per\s?cent|percentage|pct)|(?P<hundred>hundred)|(?P<trillion>trillion)"
    r"|(?P<lakh>lakh)|(?P<crore>crore))s?(?![a-z])|(?P<sign>\\?%)"
    r"|(?P<basis>\bbps?\b|\bbasis\spoints?\b)|\b10\s?\^\s?\{?(?P<power>[1-9]|1[0-5])\b",
    re.IGNORECASE,
)
_POWERS: Final = {
    "hundred": 2,
    "thousand": 3,
    "lakh": 5,
    "million": 6,
    "crore": 7,
    "billion": 9,
    "trillion": 12,
}
_WORDS: Final = {power: word for word, power in _POWERS.items()}
# "$000", "(000s)", "'000": thousands, as a table's heading has them.
_ZEROS = re.compile(
    r"[(\[]?(?:in\s)?(?:US|U\.S\.|[A-Z]{1,3})?\s?[$€£]?\s?['’`]?(?:1,?)?000"
    r"(?:['’]?s)?[)\]]?",
    re.IGNORECASE,
)
_NONE: Final = ("none", "n/a", "n.a", "null", "no scale", "unit", "units")
_AROUND: Final = "*_`\"'“”()[]<>.,;: \t\r"
_IN = re.compile(r"(?:in|of)\s", re.IGNORECASE)
_CODED = re.compile(
    r"(?:[A-Z]{3})(?=(?:[kKmMbBT]|mm|mn|bn)$)|(?<=^[kKmMB])(?=[A-Z]{3}$)"
)
# A scale is named in a word or two; what is longer is no scale.
_LONGEST: Final = 60
_HASHES = re.compile(r"(?<!#)#{2,9}(?!#)")
_LEAD: Final = "and its corresponding scale is:"
_PHRASE = re.compile(
    r"(?:and\s{1,5})?(?:(?:its|the|a)\s{1,5})?(?:corresponding\s{1,5})?(?:scale|unit)s?\b"
    r"[*_]{0,3}\s{0,5}(?:is\b)?\s{0,3}[:：=]?(?P<scale>[^\n]*)",
    re.IGNORECASE,
)
_FIELD = (
    r"(?:(?:the|its)\s{1,3})?(?:corresponding\s{1,3})?(?:scale|units?)[*_`\"']{0,3}\s{0,3}"
    r"(?:[:：=]|is\b)(?P<scale>[^\n]{0,80})"
)
_BESIDE = re.compile(
    rf"(?:^[^\w\n]{{0,6}}|[,;|(\[.–—-][ \t]{{0,3}}[*_]{{0,3}}){_FIELD}",
    re.IGNORECASE | re.MULTILINE,
)
_ABOVE = re.compile(rf"(?:^|\n)[^\w\n]{{0,6}}{_FIELD}\n[^\w\n]{{0,6}}$", re.IGNORECASE)
_LOOK_AROUND: Final = 150
_WORD = re.compile(
    r"[*_`\"'\[<(]{0,3}(?:in\s)?(?:none|null|no\sscale|n/?a\.?|thousands?|millions?"
    r"|billions?|per\s?cent(?:age)?|\\?%|mn|bn)[*_`\"'\]>).,;}$\s]{0,6}",
    re.IGNORECASE,
)


def read_scale(text: str) -> str:
    r"""Read the scale that a response names.

    Returns
    -------
    str
        A word of TAT-QA's vocabulary (`""`, `"thousand"`, `"million"`, `"billion"`,
        `"percent"`), or another scale that was named (`"hundred"`, `"trillion"`,
        `"lakh"`, `"crore"`, `"10^4"`, `"basis points"`), which no reference has. "none",
        "N.A.", units, currencies and empty text are `""`. A letter ("M", "$k") is a
        scale only where it is all that the text names.

    Examples
    --------
    >>> read_scale("Millions."), read_scale("%"), read_scale("None")
    ('million', 'percent', '')
    >>> read_scale("$M"), read_scale("thousand million"), read_scale("ten thousand")
    ('million', 'billion', '10^4')
    """
    if (known := text.strip()) in _POWERS:
        return known
    text = text[:_LONGEST]
    match = _SCALE.search(text)
    if not match:
        return _letters(text)
    if match["sign"]:
        return "percent"
    if match["basis"]:
        return "basis points"
    if match["power"]:
        return _word(int(match["power"]))
    word = next(name for name in (*_POWERS, "percent") if match[name])
    before = (match["before"] or "").lower()
    if not before or word == "percent":
        return word
    return _word(_BEFORE[before] + _POWERS[word])


def _word(power: int) -> str:
    """Name a power of ten; words that hold another scale are no name for theirs."""
    return _WORDS.get(power, f"10^{power}")


def _letters(text: str) -> str:
    """Read a text that is a scale's letter or zeros, with or without a currency."""
    text = text.strip(_AROUND)
    if not text or text.lower() in _NONE:
        return ""
    if _ZEROS.fullmatch(text):
        return "thousand"
    if any(map(str.isdigit, text)):
        return ""
    if start := _IN.match(text):
        text = text[start.end() :]
    text = _CODED.sub(lambda code: f"{code[0]} ", text)
    number = parse_number(f"1 {text}") or parse_number(f"1{text}")
    if number is None or number.unit <= 1:
        return ""
    return _word(round(log10(number.unit)))


def stated_scale(text: str) -> str | None:
    """Read what stands behind the `####` of an answer line, if it states a scale.

    That is the line's own words, or a scale alone.

    Examples
    --------
    >>> stated_scale("and its corresponding scale is: million"), stated_scale("million")
    ('million', 'million')
    >>> stated_scale("none"), stated_scale("13") is None
    ('', True)
    """
    line = text.lstrip().partition("\n")[0][: 2 * _LONGEST]
    if phrase := _PHRASE.match(line):
        return read_scale(phrase["scale"])
    if _WORD.fullmatch(line):
        return read_scale(line)
    return _whole(line) or None


def is_no_scale(text: str) -> bool:
    """Whether a text says that there is no scale: "none", "null", "n/a"."""
    return text.strip().strip(".").lower() in _NONE


def _whole(text: str) -> str:
    """Read a text that is nothing but a scale, in words or letters, and a currency."""
    text = text.strip()
    if not text or len(text) > _LONGEST or any(map(str.isdigit, text)):
        return ""
    return (
        read_scale(text) if parse_number(f"1 {text.strip(_AROUND)}") else _letters(text)
    )


def is_scale(text: str) -> bool:
    """Whether a text is nothing but a scale: "million", "(%)"."""
    return _WORD.fullmatch(text) is not None and bool(read_scale(text))


def scale_field(text: str) -> tuple[int, str] | None:
    """Find the first "Scale: …" or "The scale is …": where it begins, and the scale.

    Examples
    --------
    >>> scale_field("12.5, scale: million"), scale_field("12.5") is None
    ((4, 'million'), True)
    """
    if text.isascii() and not holds_any(text, ("scale", "unit")):
        return None
    field = _BESIDE.search(text)
    return (field.start(), read_scale(field["scale"])) if field else None


def scale_beside(text: str, start: int, end: int) -> str:
    """Return the scale of a field of its own, a little below or right above a place."""
    if field := scale_field(text[end : end + _LOOK_AROUND]):
        return field[1]
    above = _ABOVE.search(text[max(0, start - _LOOK_AROUND) : start])
    return read_scale(above["scale"]) if above else ""


def split_stated(text: str) -> tuple[str, str] | None:
    """Split an answer's text where it states a scale behind `####`.

    Where the response was cut off in the words that lead to the scale, it has none.

    Examples
    --------
    >>> split_stated("12.5 #### million"), split_stated("12.5 #### and its corr")
    (('12.5 ', 'million'), ('12.5 ', ''))
    >>> split_stated("12 #### 13") is None
    True
    """
    for hashes in deque(_HASHES.finditer(text), maxlen=1):
        rest = text[hashes.end() :]
        scale = stated_scale(rest)
        if scale is None and _LEAD.startswith(rest.strip().lower()):
            scale = ""
        return None if scale is None else (text[: hashes.start()], scale)
    return None
