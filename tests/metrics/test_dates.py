"""`parse_date`: a date as a whole, as precise as it was written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.written.dates import CalendarDate, parse_date


DAY = CalendarDate(2019, 12, 31)
MONTH = CalendarDate(2019, 12)

WRITTEN = {
    "December 31, 2019": DAY,
    "December 31 2019": DAY,
    "Dec. 31, 2019.": DAY,
    "31 December 2019": DAY,
    "31st of December, 2019": DAY,
    "the 31st of December 2019": DAY,
    "Tuesday, December 31, 2019": DAY,
    "On December 31, 2019": DAY,
    "31-Dec-2019": DAY,
    "2019-12-31": DAY,
    "2019/12/31": DAY,
    "２０１９-12-31": DAY,
    "2019-12-31T10:00:00+01:00": DAY,
    "December 31, 2019 at 10:00 pm": DAY,
    "+2019-12-31T00:00:00Z": DAY,
    "12/31/2019": DAY,
    "31/12/2019": DAY,
    "31.12.2019": DAY,
    "2019, December 31": DAY,
    "**December 31, 2019**": DAY,
    "December 2019": MONTH,
    "Dec 2019": MONTH,
    "2019-12": MONTH,
    "2019": CalendarDate(2019),
    "+2019-00-00T00:00:00Z": CalendarDate(2019),
    "05/06/2019": CalendarDate(2019, 5, 6),
    "5.6.2019": CalendarDate(2019, 6, 5),
    "May 31": CalendarDate(None, 5, 31),
    "31st May": CalendarDate(None, 5, 31),
    "February 29": CalendarDate(None, 2, 29),
}


@pytest.mark.parametrize(("text", "expected"), WRITTEN.items())
def test_written_dates(text, expected):
    assert parse_date(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "48", "March", "2019 and 2018", "2018-2019", "December 31, 2019 or 2018"),
        *("February 30, 2019", "31 April", "2019-13-01", "13/13/2019", "00/00/2019"),
        *("$2019", "2,019", "Q4 2019", "FY19", "12/31/19", "Decembre 31, 2019", "3999"),
        *("\ud800", "9" * 5000, "December 31, 2019\x00"),
    ],
)
def test_no_dates(text):
    assert parse_date(text) is None


@given(
    st.dates(date(1000, 1, 1), date(2199, 12, 31)),
    st.sampled_from(
        ["%B {d}, %Y", "{d} %b %Y", "%Y-%m-%d", "%A, {d} %B %Y", "%m/%d/%Y"]
    ),
)
def test_reads_every_day(day, form):
    text = day.strftime(form.format(d=day.day))
    assert parse_date(text) == CalendarDate(day.year, day.month, day.day)


@given(st.one_of(st.text(), st.text("0123456789-/., JanuaryDecFebt:hZ+", max_size=30)))
def test_never_raises(text):
    found = parse_date(text)
    if found is not None:
        date(found.year or 2000, found.month or 1, found.day or 1)
