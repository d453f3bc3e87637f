"""Texts without what does not change their meaning: case, articles, punctuation, space."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ..written.plain_text import plain_text


_ARTICLES: Final = frozenset(("a", "an", "the"))
_BOOLEANS: Final[dict[str, str]] = {"true": "yes", "false": "no"}
# Marks that may change a value, if digits are about.
_MARKS: Final = ".,:/-"
_DIGIT = re.compile(r"\d")
_COMPARISONS = str.maketrans({"≤": "<=", "≥": ">=", "’": None, "'": None, "`": " "})
_ACRONYM = re.compile(r"\b(?:[a-z]\.){2,}")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)\s?[-\u2010-\u2015]\s?(?=\d)")
_SIGN = re.compile(r"([<>=±~+-])\s+(?=[$€£¥\d.])")
_LONE_MARK = re.compile(r"(?<!\d)[.,:/]|[.,:/](?!\d)|-(?![\d.$€£¥])|(?<=[^\W\d])-")
_PUNCTUATION: Final = [
    c for c in map(chr, range(128)) if unicodedata.category(c)[0] == "P" and c != "%"
]
_NO_PUNCTUATION = str.maketrans(dict.fromkeys(_PUNCTUATION, " "))
_ONLY_MARKS = str.maketrans({c: " " for c in _PUNCTUATION if c not in _MARKS})


def fold_text(text: str) -> str:
    """Fold case, articles, punctuation and white space; keep what changes a value.

    Signs and comparisons, `%`, and the marks between two digits stay; and so does a
    text that is nothing but punctuation. "true" and "false" are "yes" and "no".

    Examples
    --------
    >>> fold_text("The  Robin-Hood: Men in Tights!")
    'robin hood men in tights'
    >>> fold_text("2019 – 2020") == fold_text("2019-2020") != fold_text("20192020")
    True
    """
    plain = plain_text(text)
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain)
    folded = plain.casefold().translate(_COMPARISONS)
    if "." in folded:
        folded = _ACRONYM.sub(lambda match: match[0].replace(".", ""), folded)
    numeric = _DIGIT.search(folded) is not None
    if numeric:
        folded = _BETWEEN_DIGITS.sub("-", folded)
    folded = folded.translate(_ONLY_MARKS if numeric else _NO_PUNCTUATION)
    if not folded.isascii():
        others = (c for c in set(folded) if not c.isascii())
        marks = (c for c in others if unicodedata.category(c)[0] == "P")
        folded = folded.translate(dict.fromkeys(map(ord, marks), " "))
    if numeric:
        # A point or comma stays only between two digits, a hyphen only before one.
        folded = _LONE_MARK.sub(" ", _SIGN.sub(r"\1", folded))
    words = folded.split()
    kept = [word for word in words if word not in _ARTICLES] or words
    if len(kept) == 1:
        return _BOOLEANS.get(kept[0], kept[0])
    return " ".join(kept) or plain.casefold()
