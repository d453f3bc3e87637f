"""The scale where a response states it in a field of its own."""

from __future__ import annotations

import re
from typing import Final


_SCALE = re.compile(
    r"(?<![a-z])(?:(?P<thousand>thousand)|(?P<million>million|mn)|(?P<billion>billion|bn)"
    r"|(?P<percent>per\s?cent|percentage|pct)|(?P<hundred>hundred)|(?P<trillion>trillion)"
    r"|(?P<lakh>lakh)|(?P<crore>crore))s?(?![a-z])|(?P<sign>\\?%)",
    re.IGNORECASE,
)
# A scale is named in a word or two; what is longer is no scale.
_LONGEST: Final = 60


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
