r"""Digits, signs and marks of any script, of typography and of LaTeX, in ASCII.

Nothing here decides whether a text is a number; it only takes the alphabet out of the
question before `tableqa_metrics.written.numbers` and `tableqa_metrics.written.dates` read it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from .money import CURRENCY_SIGNS


_TO_ASCII: Final[dict[int, str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},  # full-width
    **dict.fromkeys(map(ord, "\u2212\u2010\u2011\u207b\u02d7\u2796\ufe63"), "-"),
    **dict.fromkeys(map(ord, "\u2044\u2215"), "/"),
    **dict.fromkeys(map(ord, "٪﹪"), "%"),
    **dict(zip(map(ord, "﹩￡￥￦٫٬"), "$£¥₩.,", strict=True)),
}
# A dash is a minus only where it touches what it negates, and nothing stands before it.
_DASH_AS_MINUS = re.compile(
    rf"(?<![\w)])[\u2012-\u2015](?=(?:[A-Za-z]{{1,3}}\.?\s?)?[\d.({CURRENCY_SIGNS}])"
)
_POWER = re.compile(r"(?<![\d.,])10([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")

# A look before all reading: ASCII digits, and what `plain_text` may write in them. That is
# no Latin, Greek or Cyrillic letter, and no dash or quotation mark.
MAYBE_DIGIT: Final = re.compile("[0-9]|[^\x00-\x7f\u00c0-\u052f\u2010-\u2027]")

_LATEX_ARGUMENT = re.compile(
    r"\\(?:text|textbf|textrm|mathrm|mathbf|mbox)\s?\{([^{}]{0,500})\}"
)
_LATEX_FRACTION = re.compile(
    r"\\[dt]?frac\s?(?:\{(\d{1,9})\}\s?\{(\d{1,9})\}|(\d)(\d)(?!\d))"
)
# What points to a footnote or a source behind a value: [1], [a][b], [note 2]; but not
# the number in "$[5]" or "[3] [5]", nor the unit in "length [m]".
_REFERENCES = re.compile(
    r"(?:(?<=[\w%)*°.,\"'”’])|(?<=\w[+-]))"
    r"(?:\s?\[(?:\^?[1-9]\d{0,2}|(?-i:[a-e])|(?:note|nb|n|fn|ref)\.?\s?\d{1,2}"
    r"|citation needed)\]){1,9}(?=[.,;:!?]?$)",
    re.IGNORECASE,
)
_LONGEST_REFERENCES: Final = 80
_LATEX_MARK = re.compile(
    r"\\(?:(?P<escaped>[$%&#_])|(?P<thin>[,!])|(?P<blank>[;: ])"
    r"|(?P<times>times|cdot)(?![A-Za-z])|(?P<about>approx|sim)(?![A-Za-z])"
    r"|(?P<size>left|right)(?=[()]))"
)
_MARK_OF_GROUP: Final = {
    "thin": "",
    "blank": " ",
    "times": "×",
    "about": "≈",
    "size": "",
}


def plain_text(text: str) -> str:
    r"""Write digits, minus signs, blanks, fractions and LaTeX marks in ASCII.

    Runs of white space become one blank, at the ends none; what has no ASCII form stays
    as it is. Linear in the length of the text.

    Examples
    --------
    >>> plain_text("−1½\\,\\%")
    '-1 1/2%'
    """
    if not text.isascii():
        text = _POWER.sub(lambda m: "10^" + m[1].translate(_SUPERSCRIPT), text)
        text = text.translate(_TO_ASCII)
        text = text.translate({ord(c): _ascii(c) for c in set(text) if not c.isascii()})
        text = _DASH_AS_MINUS.sub("-", text)
    return " ".join(unescape_latex(text).split())


def without_references(text: str) -> str:
    """Leave out what points to a footnote or a source at the end of a text.

    Examples
    --------
    >>> without_references("37 [1][note 2]"), without_references("[37]")
    ('37', '[37]')
    """
    if "]" not in text[-2:]:
        return text
    match = _REFERENCES.search(text, max(0, len(text) - _LONGEST_REFERENCES))
    return text[: match.start()] + text[match.end() :] if match else text


def holds_any(text: str, words: Iterable[str]) -> bool:
    """Whether a text holds one of some lower-case words, in any case.

    A cheap look before an expensive pattern.

    Examples
    --------
    >>> holds_any("The ANSWER", ("answer", "result"))
    True
    """
    return any(map(text.lower().__contains__, words))


def unescape_latex(text: str) -> str:
    r"""Replace LaTeX's text commands, escapes and blanks by what they print.

    Examples
    --------
    >>> unescape_latex(r"\$46{,}500\text{ million}")
    '$46,500 million'
    """
    if "\\" in text or "{,}" in text:
        text = _LATEX_FRACTION.sub(r" \1\3/\2\4", _LATEX_ARGUMENT.sub(r"\1", text))
        text = _LATEX_MARK.sub(_latex_mark, text).replace("{,}", ",")
    return text


def _ascii(character: str) -> str:
    if character.isspace():
        return " "
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    if unicodedata.category(character) == "Cf":  # joiners, direction marks
        return ""
    kind, _, codes = unicodedata.decomposition(character).partition(" ")
    if kind == "<fraction>":
        form = "".join(chr(int(code, 16)) for code in codes.split())
        return " " + form.replace("\u2044", "/")
    return character


def _latex_mark(match: re.Match[str]) -> str:
    escaped: str | None = match["escaped"]
    return escaped or _MARK_OF_GROUP[str(match.lastgroup)]
