"""Dates as people and models write them, read as a whole or not at all.

Months are English. Of `05/06/2019` the first part is the month, as in the filings that
TAT-QA and FinQA are made of, unless it cannot be one; `2019/06/05`, `2019-06-05` and
`5.6.2019` are read in their own usual order. Times of day, weekdays, a leading "on",
"in", "during", "as of" or "the", ordinal endings and an era (AD, CE) are left out. A
bare number is a year only if it has four digits; a year of two digits is one in
`12/31/19`, `31.12.19`, `31-Dec-19`, `Dec '19` and `FY19`, and from 69 on in the 1900s,
as in POSIX. Months alone, quarters, seasons and ranges are no dates; nor is `2006-07`,
which names a season or a financial year more often than a month.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from .plain_text import plain_text


# The longest form is about "Wednesday, the 30th of September 2020, 23:59:59.999999Z".
_LONGEST: Final = 80

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_MONTH_OF: Final[dict[str, int]] = {
    **{name: number for number, name in enumerate(_MONTHS, 1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, 1)},
    "sept": 9,
}
_DAY_NAME = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_DAYS: Final = (
    *("mon", "tue", "tues", "wed", "wednes", "thu", "thur", "thurs", "fri", "sat"),
    *("satur", "sun"),
)
_WEEKDAY = rf"(?:{_DAY_NAME}\.?,? )?"
_LEAD = r"(?:(?:on|in|during|as of|as at|dated)(?: the)? |the )?"
_M = r"(?P<month>[a-z]{3,9})\.?"
_D = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_Y = r"(?P<year>\d{4})"
_YY = r"(?P<short>\d\d)"
# '19 in a date that has words
_Y_OR_YY = rf"(?:{_Y}|'{_YY})"
_ERA = r"(?: (?:ad|ce|a\.d|c\.e)\.?)?"
_TIME = (
    r"(?:(?:,? (?:at )?|t)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m)?"
    r"(?: ?(?:z|utc|[+-]\d\d:?\d\d))?)?"
)
_TAIL = rf"{_ERA}{_TIME}(?:,? \(?{_DAY_NAME})?"
_N = r"\d{1,2}"
_GAP = "(?: ?, ?|[ -])"
_FORMS: Final = tuple(
    re.compile(rf"{_WEEKDAY}{_LEAD}{form}{_TAIL}")
    for form in (
        rf"{_M}[ -](?:the )?{_D}{_GAP}{_Y_OR_YY}",
        rf"{_D}\.?[ /-](?:of )?{_M}(?:{_GAP}|/){_Y_OR_YY}",
        rf"{_Y}[ ,-]{{1,2}}{_M}[ -]{_D}",
        rf"{_M}(?:{_GAP}| of ){_Y_OR_YY}",
        rf"{_Y},? {_M}",
        rf"{_M} {_D}",
        rf"{_D} (?:of )?{_M}",
        rf"{_D}[ -]{_M}[ -]{_YY}",
        rf"\+?{_Y}(?P<mark>[-/.])(?P<month>{_N})(?P=mark)(?P<day>{_N})",
        rf"{_Y}-(?P<month>\d\d)",
        rf"(?P<month>{_N})/{_Y}",
        rf"(?P<first>{_N})(?P<mark>[/-])(?P<second>{_N})(?P=mark){_Y}",
        rf"(?P<first>{_N})/(?P<second>{_N})/{_YY}",
        rf"(?P<day>{_N})\.(?P<month>{_N})\.{_Y}",
        rf"(?P<day>\d\d)\.(?P<month>\d\d)\.{_YY}",
        r"(?P<year>1\d{3}|2[01]\d\d)",
    )
)
# A month's name is in each of the first ones.
_NUMERIC_FORMS: Final = _FORMS[8:]
_NAMED_YEAR = re.compile(
    rf"{_LEAD}(?:(?:(?:fiscal|financial|calendar)(?: year)? |year |[fc]y ?)"
    rf"(?P<year>1\d{{3}}|2[01]\d\d)|fy ?'?{_YY})"
)
_YEAR_IN_AN_ERA = re.compile(r"(?:ad )?(?P<year>[1-9]\d{0,3})(?: (?:ad|ce|a\.d|c\.e))?")
# The dates that most texts with the name of a month are; no number is written so.
_MONTH_NAMES = "|".join(_MONTH_OF)
_AT_A_GLANCE = re.compile(
    rf"[0-9]{{1,2}} (?:{_MONTH_NAMES}) [0-9]{{4}}"
    rf"|(?:{_MONTH_NAMES}) [0-9]{{1,2}}, [0-9]{{4}}",
    re.IGNORECASE | re.ASCII,
)
_MARKS: Final = str.maketrans(
    dict.fromkeys("\u2012\u2013\u2014\u2015", "-") | dict.fromkeys("\u2018\u2019", "'")
)
_TWO_YEARS = re.compile(r"(\d{4})-(\d\d)")
# What the first word of a date may be; most texts begin with another one.
_WORD = re.compile("[a-z]+")
_NAMES: Final = (*_MONTH_OF, *_DAYS, *(f"{day}day" for day in _DAYS))
_LEADS: Final = ("on", "in", "during", "as", "dated", "the", "ad")
WORDS_AFTER: Final = (
    *(*_NAMES, "of", "st", "nd", "rd", "th", "at", "am", "pm", "ad", "ce", "utc"),
    *("a", "c", "t", "z"),
)
_FIRST_WORDS: Final = frozenset((*_LEADS, *WORDS_AFTER))
# What a date or a year that is called one may begin with.
WORDS_BEFORE: Final = (
    *(*_NAMES, *_LEADS, "fiscal", "financial", "calendar", "year", "fy", "cy"),
)
_ERAS: Final = (" ad", " ce", " a.d", " c.e")
_FIRST_OF_THE_1900S: Final = 69


@dataclass(frozen=True)
class CalendarDate:
    """A day, a month, a year, or a day of every year; `None` is what was not written."""

    year: int | None
    month: int | None = None
    day: int | None = None


def parse_date(text: str) -> CalendarDate | None:
    """Read a text that is, as a whole, one date.

    Returns
    -------
    CalendarDate or None
        As precise as the text. `None` for all else, the empty text and days that no
        calendar has included. Never raises.

    Examples
    --------
    >>> parse_date("31st of December 2019")
    CalendarDate(year=2019, month=12, day=31)
    >>> parse_date("Dec 2019")
    CalendarDate(year=2019, month=12, day=None)
    >>> parse_date("31 December 2019 and 2018") is None
    True
    """
    text = text.strip()
    if not 4 <= len(text) <= _LONGEST:
        return None
    written = _written(text)
    word = _WORD.search(written)
    if word and word[0] not in _FIRST_WORDS:
        return None
    years = _TWO_YEARS.fullmatch(written)
    if years and (int(years[1]) + 1) % 100 == int(years[2]):
        return None
    for form in _FORMS if word else _NUMERIC_FORMS:
        if (match := form.fullmatch(written)) and (found := _date(match.groupdict())):
            return found
    return None


def is_date_at_a_glance(text: str) -> bool:
    """Whether a text is written like a day with the name of its month, and so no number.

    Examples
    --------
    >>> is_date_at_a_glance("31 December 2019"), is_date_at_a_glance("December 2019")
    (True, False)
    """
    return _AT_A_GLANCE.fullmatch(text) is not None


def parse_named_year(text: str) -> CalendarDate | None:
    """Read a text that is, as a whole, a year that is called one, or a fiscal year.

    A fiscal year is the year that it is named after. A year of the common era (AD, CE)
    may have fewer than four digits.

    Examples
    --------
    >>> parse_named_year("fiscal year 2019"), parse_named_year("2019")
    (CalendarDate(year=2019, month=None, day=None), None)
    """
    if len(text) > _LONGEST:
        return None
    written = _written(text)
    match = _NAMED_YEAR.fullmatch(written)
    if match is None and written.startswith("ad ") != written.endswith(_ERAS):
        match = _YEAR_IN_AN_ERA.fullmatch(written)
    return _date(match.groupdict()) if match else None


def _written(text: str) -> str:
    return plain_text(text).lower().strip("*_`\"'[]().,;:!? ").translate(_MARKS)


def _date(parts: dict[str, str | None]) -> CalendarDate | None:
    year = int(parts.get("year") or 0)
    if short := parts.get("short"):
        year = int(short) + (1900 if int(short) >= _FIRST_OF_THE_1900S else 2000)
    month = _month(parts.get("month"))
    day = int(parts.get("day") or 0)
    if (first := parts.get("first")) and (second := parts.get("second")):
        month, day = int(first), int(second)
        if month > 12:
            month, day = day, month
        if not (month and day):
            return None
    if month is None:
        return None
    try:
        # 2000 had a 29 February; a missing part is checked as a first
        date(year or 2000, month or 1, day or 1)
    except ValueError:
        return None
    return CalendarDate(year or None, month or None, day or None)


def _month(written: str | None) -> int | None:
    """Return the month's number, 0 where none was written, `None` for no month."""
    if written is None:
        return 0
    return int(written) if written.isdigit() else _MONTH_OF.get(written)
