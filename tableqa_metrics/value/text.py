"""Texts without what does not change their meaning.

That is case, articles, punctuation, white space, the accents of Latin letters, and the
ways to write a range.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ..written.plain_text import plain_text


# Before a word; "A/B" and "Class A" have none.
_ARTICLE = re.compile(r"(?<![\w./-])(?:an?|the)\s+(?=[\"“‘«(\[]?\w)")
_BOOLEANS: Final[dict[str, str]] = {"true": "yes", "false": "no"}
# Marks that may change a value, if digits are about.
_MARKS: Final = ".,:/-"
_DIGIT = re.compile(r"\d")
_COMPARISONS = str.maketrans(
    {"≤": "<=", "≥": ">=", "’": None, "'": None, "`": " ", "&": " and "}
)
_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
# Latin letters that have no accent to take off.
_LETTERS = str.maketrans(
    dict(zip("øØłŁđĐħĦıðÐ", "oOlLdDhHidD", strict=True))
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "Th"}
)
_WORDS = re.compile(r"[A-Za-z][A-Za-z ,]*")
_WORDS_AND_DIGITS = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ]*")
_ACRONYM = re.compile(r"\b(?:[a-z]\.){2,}")
_PERCENT = re.compile(r"(?<=\d)\s%")
# A look at once, before the patterns of ranges and seasons.
_MAYBE_RANGE = re.compile(r"[\d%](?:\s?[-/\u2010-\u2015]|\s(?:to|through)\s)")
_RANGE = re.compile(
    r"(?<=[\d%])(?:\s?[-\u2010-\u2015]\s?|\s(?:to|through)\s)"
    r"(?=[$€£¥]?\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s\d)"
)
# 5-10%, $5-7: what stands at one end holds for both.
_PERCENT_OF_BOTH = re.compile(r"(?<![\w.,%$€£¥-])(\d[\d.,]{0,15})-(?=\d[\d.,]{0,15}%)")
_SIGN_OF_BOTH = re.compile(r"(?<!\w)([$€£¥])(\d[\d.,]{0,15})-(?=\d)")
# 2018/19, 2018-2019
_SEASON = re.compile(r"(?<![\d/.-])((?:1[5-9]|20)\d\d)[/-]((?:\d\d)?\d\d)(?![\d/.-])")
# Grades and names that end in a mark: AA-, C#.
_GRADE = re.compile(r"(?<!\w)(a{1,3}|b{1,3}|c{1,3}|d)(?:\s?(?P<plus>\+)|-)(?![\w+-])")
_SHARP = re.compile(r"(?<=[a-z])#(?!\w)")
_SIGN = re.compile(r"([<>=±~+-])\s+(?=[$€£¥\d.])")
_LONE_MARK = re.compile(r"(?<!\d)[.,:/]|[.,:/](?!\d)|-(?![\d.$€£¥])|(?<=[^\W\d])-")
_PUNCTUATION: Final = [
    c for c in map(chr, range(128)) if unicodedata.category(c)[0] == "P" and c != "%"
]
_NO_PUNCTUATION = str.maketrans(dict.fromkeys(_PUNCTUATION, " "))
_ONLY_MARKS = str.maketrans({c: " " for c in _PUNCTUATION if c not in _MARKS})


def fold_text(text: str) -> str:
    """Fold what does not change a value; keep what does.

    Signs and comparisons, `%`, the marks between two digits and the ends of `AA-` and
    `C#` stay; and so does a text that is nothing but punctuation. "true" and "false" are
    "yes" and "no", "&" is "and".

    Examples
    --------
    >>> fold_text("The  Robin-Hood: Men in Tights!")
    'robin hood men in tights'
    >>> fold_text("2019 – 2020") == fold_text("2019 to 2020") == fold_text("2019/20")
    True
    >>> fold_text("São Paulo"), fold_text("Class A")
    ('sao paulo', 'class a')
    """
    if (
        _WORDS.fullmatch(text)
        or _WORDS_AND_DIGITS.fullmatch(text)
        and not _maybe_range(text)
    ):
        plain, folded = text, _of_words(text)
    else:
        plain = _without_accents(plain_text(text))
        folded = _of_any(plain)
    words = folded.split()
    if len(words) > 1 and words[-1] == "the":  # Beatles, The
        words.pop()
    if len(words) == 1:
        return _BOOLEANS.get(words[0], words[0])
    return " ".join(words) or plain.casefold()


def _of_words(text: str) -> str:
    """What `_of_any` comes to where there are only letters and blanks.

    There may be commas, too, where there is no digit, and digits that are no range.
    """
    return _without_articles(" ".join(text.split()).lower()).replace(",", " ")


def _maybe_range(words: str) -> bool:
    words = words.lower()
    return " to " in words or " through " in words


def _without_articles(folded: str) -> str:
    # most texts hold none, which is seen much faster than by the pattern
    if "a " in folded or "an " in folded or "the " in folded:
        return _ARTICLE.sub("", folded)
    return folded


def _without_accents(plain: str) -> str:
    if plain.isascii():
        return plain
    plain = unicodedata.normalize("NFKD", plain)
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", plain)).translate(_LETTERS)


def _of_any(plain: str) -> str:
    folded = plain.casefold().translate(_COMPARISONS)
    if "+" in folded or "-" in folded:
        folded = _GRADE.sub(_grade, folded)
    if "#" in folded:
        folded = _SHARP.sub("♯", folded)
    folded = _without_articles(folded)
    if "." in folded:
        folded = _ACRONYM.sub(lambda match: match[0].replace(".", ""), folded)
    numeric = _DIGIT.search(folded) is not None
    if numeric:
        folded = _PERCENT.sub("%", folded)
        if _MAYBE_RANGE.search(folded):
            folded = _PERCENT_OF_BOTH.sub(r"\1%-", _RANGE.sub("-", folded))
            folded = _SEASON.sub(_season, _SIGN_OF_BOTH.sub(r"\1\2-\1", folded))
    folded = folded.translate(_ONLY_MARKS if numeric else _NO_PUNCTUATION)
    if not folded.isascii():
        others = (c for c in set(folded) if not c.isascii())
        marks = (c for c in others if unicodedata.category(c)[0] == "P")
        folded = folded.translate(dict.fromkeys(map(ord, marks), " "))
    if numeric and not folded.replace(" ", "").isalnum():
        # A point or comma stays only between two digits, a hyphen only before one.
        folded = _LONE_MARK.sub(" ", _SIGN.sub(r"\1", folded))
    return folded


def _grade(match: re.Match[str]) -> str:
    # A sign of minus is no punctuation.
    return match[1] + (match["plus"] or "\u2212")


def _season(match: re.Match[str]) -> str:
    """Write two years in a row in one way, whatever stands between them."""
    first, second = int(match[1]), int(match[2])
    following = first + 1 if len(match[2]) == 4 else (first + 1) % 100
    return f"{first}-{first + 1}" if second == following else match[0]
