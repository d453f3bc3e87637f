"""`parse_date`: a date as a whole, as precise as it was written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.written.dates import CalendarDate, parse_date, parse_named_year


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
    "December 31,2019": DAY,
    "December-31-2019": DAY,
    "31–Dec–2019": DAY,
    "as of December 31, 2019": DAY,
    "dated 31 December 2019": DAY,
    "12/31/19": DAY,
    "31/12/19": DAY,
    "31-Dec-19": DAY,
    "12/31/69": CalendarDate(1969, 12, 31),
    "12/2019": MONTH,
    "December of 2019": MONTH,
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
        *("$2019", "2,019", "Q4 2019", "'19", "12-31-19", "Decembre 31, 2019", "3999"),
        *("Mar-08", "13/2008", "12/31", "2019-20", "20191231"),
        *("May 12-14, 2019", "year ended 2019", "before 2019", "early 2019", "1980s"),
        *("\ud800", "9" * 5000, "December 31, 2019\x00"),
    ],
)
def test_no_dates(text):
    assert parse_date(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("the year 2019", "in the year 2019", "fiscal 2019", "the fiscal year 2019"),
        *("Financial year 2019.", "FY2019", "FY 2019", "FY19", "FY'19", "CY 2019"),
    ],
)
def test_a_year_that_is_called_one(text):
    assert parse_named_year(text) == CalendarDate(2019)
    # to extraction it is text
    assert parse_date(text) is None


@pytest.mark.parametrize(
    "text",
    ["2019", "year 19", "FY2019-2020", "fiscal years 2019", "fiscal 2019 and 2018", ""],
)
def test_no_year_that_is_called_one(text):
    assert parse_named_year(text) is None


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
