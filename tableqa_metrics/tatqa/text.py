"""How the released TAT-QA scorers read an answer: as numbers, and as plain words.

The two editions that `Edition` tells apart are those of `tatqa`, which says where they
come from. Each function here is one step of the released scripts, and gives what that
step gives on any text, in time linear in its length.
"""

from __future__ import annotations

import math
import re
import string
from dataclasses import dataclass
from typing import Any, Final


# What the released scripts raise on answers that they cannot handle: mixed types that do
# not sort, a scale that is not a string, integers beyond Python's limits, deep nesting.
CRASHES: Final = (
    AttributeError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class Edition:
    """What differs between the two released editions of the scorer.

    Parameters
    ----------
    name
        The value of `variant` that chooses it.
    source
        Repository and commit.
    fold_case
        Values are lower-cased, and sorted as lower-cased text. Otherwise they are
        sorted as they are, which fails on values of mixed types.
    bracketed
        What makes a number negative.
    percent_rescue
        A single number without a scale may also match unscaled and unrounded, so that
        0.2342 equals 23.42 percent.
    falsy_is_empty
        0, `False`, `[]` and `{}` count as no answer, as `None` and "" do.
    scale_needs_answer
        The scale score counts only where there is an answer.
    lenient
        A missing `answer_type` or `scale` is read as "", and values that cannot be
        written as an answer string give an empty one.
    """

    name: str
    source: str
    fold_case: bool
    bracketed: re.Pattern[str]
    percent_rescue: bool
    falsy_is_empty: bool
    scale_needs_answer: bool
    lenient: bool


TATQA: Final = Edition(
    name="tatqa",
    source="NExTplusplus/TAT-QA@870accc41953dcde885aabeb963d94aabdc0fbc3",
    fold_case=False,
    bracketed=re.compile(r"\([\d.\s]+\)"),
    percent_rescue=True,
    falsy_is_empty=True,
    scale_needs_answer=True,
    lenient=False,
)
TATLLM: Final = Edition(
    name="tatllm",
    source="fengbinzhu/TAT-LLM@4d3fd213049ab87ecc6e725bc4a2cfd2421ba6fc",
    fold_case=True,
    bracketed=re.compile(r"\([\d.\s%]+\)"),
    percent_rescue=False,
    falsy_is_empty=False,
    scale_needs_answer=False,
    lenient=True,
)
EDITIONS: Final = {edition.name: edition for edition in (TATQA, TATLLM)}


def answer_string(answers: list[Any], scale: Any, edition: Edition) -> str:
    """Write all values of an answer as the one string that is compared.

    A number becomes its value, rounded to two decimals and then scaled; where it is
    written with a `%`, that is its scale. Any other text gets the scale's word.
    """
    try:
        if edition.fold_case:
            texts = sorted(str(answer).lower() for answer in answers)
        else:
            texts = [str(answer) for answer in sorted(answers)]
        return " ".join(_scaled(text, scale, edition) for text in texts)
    except CRASHES:
        if edition.lenient:
            return ""
        raise


def _scaled(text: str, scale: Any, edition: Edition) -> str:
    number = _value(text, edition)
    if number is None:
        return f"{text} {scale}" if scale else text
    if "%" not in text:
        number = round(number, 2) * scale_factor(scale)
    return f"{number:.4f}"


def unscaled_string(text: str, edition: Edition) -> str | None:
    """Write a number that has neither a scale nor a `%` with four decimals."""
    number = None if "%" in text else _value(text, edition)
    return None if number is None else f"{number:.4f}"


def _value(text: str, edition: Edition) -> int | float | None:
    if _PLAIN_NUMBER.fullmatch(text):
        return round(_read(text), 4)
    return to_number(text, edition) if is_number(text) else None


_FACTORS: Final = (
    ("hundred", 100),
    ("thousand", 1000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
    ("percent", 0.01),
)
_NOT_IN_NUMBERS: Final = str.maketrans("", "", "'\"\\$€£¥%(),[]")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_NUMBER: Final = re.compile(r"([+-]?\d+(?:\.\d+)?)|[+-]?\.\d+")
# Most numbers have nothing to interpret; what follows reads them without detours.
_PLAIN_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_INFINITIES: Final = ("inf", "infinity")
_ARTICLE: Final = re.compile(r"\b(?:a|an|the)\b")
# The released patterns begin with a run of digits and are quadratic where nothing
# follows it; its last character decides just as well.
_SCALE_WORD: Final = re.compile(r"[\d.]\s?([a-zA-Z]+)")
_PERCENT: Final = re.compile(r"[\d.\s]%")


def scale_factor(text: str) -> int | float:
    """Return the factor of the smallest scale word that a text holds, else 1.

    A percent counts only where there is no other scale word.
    """
    text = text.lower()
    for word, factor in _FACTORS:
        if word in text:
            return factor
    return 1


def is_number(text: str) -> bool:
    """Tell whether a text is a number, alone or before a word that scales it.

    The number is whatever `float` reads, once currency signs, quotes, brackets, commas
    and percent signs are gone; NaN is none.
    """
    words = text.translate(_NOT_IN_NUMBERS).split(None, 2)
    if not words:
        return False
    try:
        value = float(words[0])
    except ValueError:
        return False
    return not math.isnan(value) and (len(words) == 1 or scale_factor(words[1]) != 1)


def all_numbers(text: str) -> list[int | float]:
    """Return the numbers in a text, without those that begin with a decimal point.

    Signs count, brackets and percent signs do not.

    Raises
    ------
    ValueError
        If an integer has more digits than Python reads (4,300, unless set otherwise).
    """
    return [
        _read(match[1])
        for match in _NUMBER.finditer(text.translate(_NOT_IN_NUMBERS))
        if match[1]
    ]


def to_number(text: str, edition: Edition = TATQA) -> int | float | None:
    """Return the first number in a text, with its scale word, brackets and `%` applied.

    `None` where there is none, or where it begins with a decimal point. An integer stays
    one, unless there is a `%` or a "percent".

    Raises
    ------
    ValueError, OverflowError
        If an integer has too many digits for Python to read, or to scale.
    """
    found = _NUMBER.search(text.translate(_NOT_IN_NUMBERS))
    if found is None or not found[1]:
        return None
    word = _SCALE_WORD.search(text)
    number = _read(found[1]) * (scale_factor(word[1]) if word else 1)
    if "(" in text and edition.bracketed.search(text):
        number *= -1
    if "%" in text and _PERCENT.search(text.strip()):
        number *= 0.01
    return round(number, 4)


def _read(digits: str) -> int | float:
    return float(digits) if "." in digits else int(digits)


def normalize_tatqa(text: str, edition: Edition = TATQA) -> str:
    """Lower-case a text; drop punctuation, articles and extra space; rewrite numbers.

    Examples
    --------
    >>> normalize_tatqa("The rate of (5.0) to 6%")
    'rate of -5.0 to 0.06'
    """
    tokens = []
    for token in text.lower().split(" "):
        # The only number of letters alone is infinity.
        if token.isalpha() and token not in _INFINITIES:
            tokens.append(token)
            continue
        if _PLAIN_NUMBER.fullmatch(token):
            tokens.append(str(round(_read(token), 4)))
            continue
        numeric = is_number(token)
        if not numeric:
            # Bare punctuation may hide a number: 12-31 is 1231.
            bare = token.translate(_PUNCTUATION)
            numeric = bare != token and is_number(bare)
            token = bare
        tokens.append(str(to_number(token, edition)) if numeric else token)
    return " ".join(_ARTICLE.sub(" ", " ".join(tokens)).split())
