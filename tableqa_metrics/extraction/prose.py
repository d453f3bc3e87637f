"""Numbers in running text: where they stand, and which of them is the answer.

Used where the text of an answer is a sentence, and where nothing marks an answer. A number starts and ends
with a digit, a currency sign, a percent sign or a scale, and never inside a word, so
`48,` is 48 and neither `10-K` nor `FY2019` holds one. A bound or a range is taken
whole (`>= 37`, `5-10`), because its digits alone are not what was said.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..number_form import CURRENCY_CODES, YEAR
from ..plain_text import CURRENCY_SIGNS


# Of a long text only the last numbers matter.
_MOST_TOKENS: Final = 64

_MONEY = rf"(?:[A-Z]{{0,3}}[{CURRENCY_SIGNS}]|{CURRENCY_CODES}|Rs\.?)"
_BOUND = (
    r"(?:[<>≤≥]=?|(?i:(?:no )?(?:more|less|fewer|greater|higher|lower) than|over|under"
    r"|above|below|at least|at most|up to|nearly|almost))"
)
_BOUND_BEHIND = (
    r"(?:\+(?!\s?[\d(])|(?i:\s(?:or|and)\s(?:more|less|fewer|greater|higher|lower|above"
    r"|below|over|under))\b)"
)
_SIGN = r"(?:[-−–—]|(?i:negative\s))"
_DIGITS = (
    r"(?:\d{1,3}\s\d{1,2}/\d{1,2}"
    r"|\d+(?:(?:\{,\}|[.,/:'’\xa0\u2009\u202f–—-])\d+)*(?:\s?[½⅓⅔¼¾])?|\.\d+|[½⅓⅔¼¾])"
    r"(?:[eE][+-]?\d{1,3}(?!\w))?"
)
_SCALE = (
    r"(?:\s?(?:\\?%|‰)|\s?-?(?i:hundred|thousand|million|billion|trillion|crore|lakh"
    r"|mn|mln|bn|tn|percent(?:age points?)?|per cent|pct|pp|bps|basis points?)s?(?!\w)"
    r"|(?:[kKbBT]|[mM]{1,2})(?!\w))"
)
_TOKEN = re.compile(
    rf"(?<![\w.,\\])(?:{_BOUND}\s?)?(?<![\w.,])"
    rf"(?:[-−]\s?(?=\\?[{CURRENCY_SIGNS}])|{_SIGN})?(?:\\?{_MONEY}\s?)?(?P<open>\()?"
    rf"{_SIGN}?(?:(?<=\()\\?{_MONEY}\s?)?{_DIGITS}{_SCALE}?(?(open)\s?\){_SCALE}?)"
    rf"{_BOUND_BEHIND}?(?!\w|-[A-Za-z])"
)
_LINK = re.compile(
    r"(?:\b(?:is|was|are|were|be|equals?|equal to|(?:comes?|came|amounts?|amounted) to"
    r"|totals?|totall?ed)\b|[=≈→:]|\\approx)\s{0,3}"
    r"(?:(?:about|around|only|just|now|a|an|[a-z]{2,12}ly)\s)?[\[*_`\"'“(\\]{0,4}$",
    re.IGNORECASE,
)
# Marks that close around a number, and a comma that no further number follows.
_CLOSING = r"(?:\\[)\]]|[\])*_`\"'”$]){0,4}\s{0,3}"
_COMMA = r",(?!\s{0,3}(?:and\s)?\\?[$€£]?\d)"
_CLAUSE = re.compile(
    rf"{_CLOSING}(?:$|[.;!?](?!\d)|{_COMMA}|\(|\b(?:in|for|as|at|during|per|which|because"
    r"|since|after|when|versus|compared|higher|lower|based|due|so)\b)"
)
_MARKS = re.compile(r"(?:\\\(|[$\[*_`\"'“]){0,4}")
_REMARK = re.compile(
    rf"{_CLOSING}(?:[.;!?](?!\d)|{_COMMA}|\("
    r"|\b(?:(?P<when>in|during)|which|because|since|as)\b)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_MONTH_BEHIND = re.compile(rf"\s{_MONTH}", re.IGNORECASE)
_LABEL = re.compile(
    rf"(?:\b{_MONTH}\.?\s|\b(?:step|notes?|item|level|table|row|column|figure|page"
    r"|section|part|option|question|example|form|rule|line|no\.)\s{0,2}|#\s?)$",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"(?P<word>yes|no|true|false)(?=\s{0,3}[,.;:!–—-]|\s{0,3}$)", re.IGNORECASE
)
_LAST_YES_NO = re.compile(r"\b(?P<word>yes|no|true|false)[\W_]{0,8}$", re.IGNORECASE)


@dataclass(frozen=True)
class Token:
    """A number in running text, with its bound, and where it stands."""

    start: int
    end: int
    text: str


def tokens(text: str) -> Iterator[Token]:
    """Yield the last numbers of a text, the rightmost first."""
    found = deque(_TOKEN.finditer(text), maxlen=_MOST_TOKENS)
    for match in reversed(found):
        yield Token(match.start(), match.end(), match[0])


def linked_number(text: str) -> str | None:
    """Return the last number that the text says something *is*.

    It follows a linking verb, `=` or `:`, and ends a sentence or a clause. There (48) is
    a number in accounting brackets.

    Examples
    --------
    >>> linked_number("The total is 48, as the note shows.")
    '48'
    >>> linked_number("net = $90,000 - $43,500 = $46,500.")
    '$46,500'
    >>> linked_number("The amortization period is 13.0 years.") is None
    True
    """
    for token in tokens(text):
        before = text[max(0, token.start - 60) : token.start]
        link = _LINK.search(before)
        # a colon links a label to its value, not the words of an aside
        is_aside = link and link[0].startswith(":") and "(" in before
        if link and not is_aside and _CLAUSE.match(text, token.end):
            return token.text
    return None


def leading_number(text: str) -> str | None:
    """Return the number that a text begins with, if a sentence or clause ends there.

    Examples
    --------
    >>> leading_number("$46,500. This is the net amount.")
    '$46,500'
    >>> leading_number("2.5 years") is None
    True
    """
    match = _TOKEN.match(text)
    if match is None and (marks := _MARKS.match(text)):
        match = _TOKEN.match(text, marks.end())
    remark = _REMARK.match(text, match.end()) if match else None
    if match is None or remark is None:
        return None
    if remark["when"] and last_number(text) != match[0]:
        return None  # $5 in 2018 and $6 in 2019
    return match[0]


def last_number(text: str) -> str | None:
    """Return the last number of a text that is no label, no year and no day of a month.

    Here (48) is an aside.

    Examples
    --------
    >>> last_number("The company sold 65 units by May 31, 2019, see note 7.")
    '65'
    >>> last_number("Founded in 1987.") is None
    True
    """
    for token in tokens(text):
        before = text[max(0, token.start - 12) : token.start]
        is_label = _LABEL.search(before) or _MONTH_BEHIND.match(text, token.end)
        number = token.text
        if number.startswith("(") and number.endswith(")"):
            number = number[1:-1].strip()
        if not is_label and not YEAR.fullmatch(number):
            return number
    return None


def leading_yes_no(text: str) -> str | None:
    """Return "yes", "no", "true" or "false" where that is how the text begins.

    Examples
    --------
    >>> leading_yes_no("Yes, it rose.")
    'Yes'
    >>> leading_yes_no("No significant amounts were reclassified.") is None
    True
    """
    match = _YES_NO.match(text)
    return match["word"] if match else None


def closing_yes_no(text: str) -> str | None:
    """Return "yes", "no", "true" or "false" where that is the last word of a text."""
    match = _LAST_YES_NO.search(text, max(0, len(text) - 20))
    return match["word"] if match else None
