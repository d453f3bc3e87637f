"""The scale where a response states it in a field of its own, or behind `####`."""

from __future__ import annotations

import re
from collections import deque
from typing import Final

from ...written.plain_text import holds_any


_SCALE = re.compile(
    r"(?<![a-z])(?:(?P<thousand>thousand)|(?P<million>million|mn)|(?P<billion>billion|bn)"
    r"|(?P<percent>per\s?cent|percentage|pct)|(?P<hundred>hundred)|(?P<trillion>trillion)"
    r"|(?P<lakh>lakh)|(?P<crore>crore))s?(?![a-z])|(?P<sign>\\?%)",
    re.IGNORECASE,
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
        `"percent"`), or another scale word that was named (`"hundred"`, `"trillion"`,
        `"lakh"`, `"crore"`), which no reference has. "none", "N.A.", units, currencies
        and empty text are `""`.

    Examples
    --------
    >>> read_scale("Millions."), read_scale("%"), read_scale("None")
    ('million', 'percent', '')
    """
    match = _SCALE.search(text[:_LONGEST])
    if not match:
        return ""
    return "percent" if match["sign"] else str(match.lastgroup)


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
    return read_scale(line) if _WORD.fullmatch(line) else None


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
