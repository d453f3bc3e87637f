"""Siblings of the public complaints (`bug_cases.json`): other values of the same families.

For each reference what people and models write that is its value, and what looks alike
and is not; each expected before it was run. Apart by " ¦ ", so that a family stays a few
lines.
"""

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import parse_number, value_match


# reference; the same; different
FAMILIES = {
    # B09 to B13
    "loss": (
        "-41260.35",
        (
            "(41,260.35) ¦ GBP(41,260.35) ¦ (GBP 41,260.35) ¦ GBP -41,260.35 ¦ £(41,260.35)"
            " ¦ -£41,260.35 ¦ −GBP 41,260.35 ¦ (41,260.35) GBP ¦ –41,260.35 ¦ 41,260.35-"
            " ¦ minus GBP 41,260.35 ¦ negative 41,260.35 ¦ \\(-41{,}260.35\\) ¦ **(41,260.35)**"
            " ¦ -(41,260.35) ¦ (−41,260.35) ¦ (41,260.35)* ¦ (41,260.35)[2]"
        ),
        "41,260.35 ¦ GBP 41,260.35 ¦ (41,26) ¦ [41,260.35] ¦ (€41,260.35)x ¦ -41,260.85",
    ),
    "loss of a scale": (
        "-$1.7 billion",
        (
            "($1.7 billion) ¦ $(1.7) billion ¦ -$1.7B ¦ (1.7) bn ¦ $-1.7bn ¦ ($1,700 million)"
            " ¦ −1,700,000,000 ¦ minus $1.7 billion ¦ US$(1.7)bn ¦ (1.7e9) ¦ -1.7×10⁹"
        ),
        "$1.7 billion ¦ ($1.7 million) ¦ -1.7 ¦ -€1.7 billion ¦ ($17 billion)",
    ),
    # B18
    "fraction": (
        "3.875",
        "3⅞ ¦ 3 7/8 ¦ 31/8 ¦ 3\\frac{7}{8} ¦ \\frac{31}{8} ¦ $3⅞ ¦ 3 ⅞ ¦ +3⅞ ¦ 3.8750",
        "-3⅞ ¦ 3-7/8 ¦ 37/8 ¦ 3⅛ ¦ 3⅞% ¦ 7/8",
    ),
    # B15, B17, B40
    "number": (
        "37",
        (
            "37.0 ¦ $37 ¦ 37 dollars ¦ thirty-seven ¦ Thirty seven. ¦ ~37 ¦ about 37 ¦ ≈ 37"
            " ¦ about thirty-seven ¦ thirty-seven (37) ¦ exactly 37 ¦ Precisely 37. ¦ 37!"
            ' ¦ [37] ¦ {37} ¦ "37" ¦ `37` ¦ 37† ¦ 37[1] ¦ 37 [2]. ¦ 37[a][b] ¦ 37[note 3]'
            " ¦ 37.[4] ¦ 37[^1] ¦ 3.7e1 ¦ 3.7×10^1 ¦ 74/2 ¦ ３７ ¦ ٣٧ ¦ 0037"
        ),
        (
            ">37 ¦ >=37 ¦ ≥ 37 ¦ <37 ¦ ≤37 ¦ over 37 ¦ more than 37 ¦ 37+ ¦ at least 37"
            " ¦ up to 37 ¦ less than 37 ¦ under 37 ¦ 37 or fewer ¦ 37 or more ¦ 37-40"
            " ¦ between 30 and 37 ¦ 30 to 37 ¦ 37 ± 2 ¦ ±37 ¦ not 37 ¦ isn't 37 ¦ ≠ 37"
            " ¦ no more than 37 ¦ almost 37 ¦ nearly 37 ¦ about thirty-eight ¦ exceeds 37"
            " ¦ above 37 ¦ below 37 ¦ not exactly 37 ¦ exactly not 37 ¦ 37 at most ¦ minus 37"
            " ¦ minus thirty-seven ¦ (37) ¦ 37- ¦ 37% ¦ 37k ¦ 37 million ¦ 37 km ¦ 37th"
            " ¦ 1/37 ¦ 37:1 ¦ 37/38 ¦ 370 ¦ 3.7 ¦ 137 ¦ 3,7 ¦ 37, 38 ¦ 37 and 37 ¦ 37 [km]"
            " ¦ thirty-seven (38) ¦ thirty-seven percent ¦  ¦ none ¦ -"
        ),
    ),
    "zero": (
        "0",
        "0.0 ¦ -0 ¦ (0) ¦ $0 ¦ 0% ¦ zero ¦ 0.00 ¦ −0.0 ¦ 0-",
        " ¦ - ¦ – ¦ — ¦ n/a ¦ none ¦ no ¦ nil return ¦ $- ¦ 1 ¦ nan",
    ),
    # B20 to B22
    "percent": (
        "14.1%",
        (
            "14.1 % ¦ 0.141 ¦ 14.1 percent ¦ 14.1 per cent ¦ 14.1pct ¦ 14.1 pp ¦ 1410 bps"
            " ¦ 14.1 percentage points ¦ 14.1 percentage pts ¦ 14.1\\% ¦ 14.10% ¦ ~14.1%"
        ),
        "14.1 ¦ -14.1% ¦ (14.1)% ¦ 14.2% ¦ 1.41% ¦ 0.0141 ¦ 141 bps ¦ 14.1‰ ¦ >14.1%",
    ),
    # B34 to B39
    "scale": (
        "$12.5 million",
        (
            "12,500,000 ¦ $12.5MM ¦ 12.5mn ¦ US$12.5m ¦ $12.5M ¦ 12.5 million dollars"
            " ¦ 12.5 millions of dollars ¦ 12.5 million US dollars ¦ $0.0125 billion"
            " ¦ $12,500 thousand ¦ 12.5 ($ in millions) ¦ 1.25 crore ¦ 125 lakh ¦ 1.25e7"
        ),
        (
            "12.5 ¦ $12.5 ¦ 12.5 m ¦ €12.5 million ¦ $12.5 billion ¦ $12.5k ¦ 125,000,000"
            " ¦ 12.5% ¦ $12.5 million per share ¦ over $12.5 million"
        ),
    ),
    # B30
    "list": (
        ["3", "5"],
        (
            "3, 5 ¦ 5, 3 ¦ 3 and 5 ¦ 3 & 5 ¦ 3; 5 ¦ both 3 and 5 ¦ 3 and 5, respectively"
            " ¦ 3 and 5 respectively. ¦ [3, 5] ¦ 3 | 5 ¦ three and five ¦ 3[1], 5[2]"
        ),
        "35 ¦ 3.5 ¦ 3,500 ¦ 3 ¦ 3, 5, 5 ¦ 3-5 ¦ 3 or 5 ¦ 3,5 ¦ -3, 5 ¦ 3 to 5",
    ),
    "years": (
        ["2019", "2018"],
        (
            "2018 and 2019 ¦ both 2018 and 2019 ¦ fiscal years 2018 and 2019 ¦ 2018,2019"
            " ¦ the years 2018 and 2019 ¦ 2019 & 2018 ¦ FY2018 and FY2019 ¦ years 2018, 2019"
        ),
        "2018-2019 ¦ 2018 to 2019 ¦ 2018 ¦ 2018 or 2019 ¦ 2017 and 2019 ¦ 2018/19",
    ),
    "words that begin with years": (
        ["Years Ahead", "Both Sides"],
        "Years Ahead and Both Sides ¦ Both Sides, Years Ahead",
        "Ahead and Sides",
    ),
    # a year, and what is made of years
    "year": (
        "2006",
        (
            "2006.0 ¦ FY2006 ¦ fiscal 2006 ¦ in 2006 ¦ 2006[3] ¦ 2006 AD ¦ AD 2006 ¦ 2006 CE"
            " ¦ May 2006 ¦ May '06 ¦ 5 May 2006 ¦ 2006-12 ¦ **2006**"
        ),
        (
            "2007 ¦ 2006.4 ¦ 2006-07 ¦ 2006–07 ¦ 2006/07 ¦ 2005-06 ¦ 2005–2006 ¦ before 2006"
            " ¦ 2006s ¦ 2006 BC ¦ 2006% ¦ -2006 ¦ 1906 ¦ 2006 or 2007"
        ),
    ),
    "season": (
        "2006–07",
        "2006-07 ¦ 2006/07 ¦ 2006-2007 ¦ 2006–2007 ¦ 2006/2007 ¦ 2006-07[1]",
        "2006 ¦ 2007 ¦ July 2006 ¦ 2007-08 ¦ 2006-08",
    ),
    "year of an era": ("476 AD", "AD 476 ¦ 476 CE ¦ 476", "477 AD ¦ 476 BC ¦ 475"),
    "year before it": ("44 BC", "44 BCE ¦ 44 B.C.", "44 ¦ 44 AD ¦ 45 BC"),
    "day": (
        "5 May 2006",
        (
            "May 5, 2006 ¦ 5. May 2006 ¦ 5 May '06 ¦ May 5, ’06 ¦ 5/May/2006 ¦ 2006-May-05"
            " ¦ 05.05.06 ¦ 05.05.2006 ¦ 05/05/06 ¦ May the 5th, 2006 ¦ 5 May 2006 AD"
            " ¦ Friday, 5 May 2006 ¦ 5 May 2006 (Friday) ¦ May 5, 2006, Friday"
            " ¦ 5 May 2006[1] ¦ 2006-05-05T12:30Z ¦ 2006, May 5 ¦ the 5th of May, 2006"
        ),
        (
            "6 May 2006 ¦ May 2006 ¦ 5 May ¦ 5 May 2007 ¦ before 5 May 2006 ¦ 5-6 May 2006"
            " ¦ by 5 May 2006 ¦ 5 May 2006 or 6 May 2006 ¦ not 5 May 2006 ¦ 5 May 1906"
        ),
    ),
    "month": (
        "May 2006",
        "2006 May ¦ 2006, May ¦ May '06 ¦ 2006-05 ¦ 05/2006 ¦ May, 2006 ¦ May 31, 2006",
        "2006 ¦ June 2006 ¦ May ¦ 2006 Q2 ¦ May 2007",
    ),
    # units
    "years of time": (
        "5 years",
        "five years ¦ 5 yrs ¦ 5-year ¦ five (5) years ¦ 5 year ¦ about 5 years",
        "5 ¦ 5 months ¦ 60 months ¦ 5-6 years ¦ 6-year ¦ over 5 years",
    ),
    "years that last": (
        "1990–present",
        "1990-present ¦ 1990 – present ¦ 1990 - Present ¦ 1990–Present.",
        "1990 ¦ present ¦ 1991-present ¦ 1990–2000",
    ),
    "a compound": (
        "3-bedroom house",
        "3 bedroom house ¦ 3–bedroom house ¦ 3-Bedroom House",
        "3 ¦ 3 bedrooms ¦ 4-bedroom house ¦ bedroom house",
    ),
    "rate": ("$5 per share", "$5.00/share ¦ $5/share ¦ 5 per share", "$5 ¦ 5 shares"),
    "cents": ("5 cents", "5¢ ¦ 5 ¢ ¦ 5 cent", "5 ¦ $5 ¦ 5% ¦ 6¢"),
    # ranges
    "range of percents": (
        "5%-10%",
        "5-10% ¦ 5–10% ¦ 5% to 10% ¦ 5 % – 10 %",
        "5% ¦ 10% ¦ 5-10 ¦ 5%-11% ¦ 5%, 10%",
    ),
    "range of days": (
        "January 1, 2019 to March 31, 2019",
        (
            "January 1, 2019 – March 31, 2019 ¦ January 1, 2019-March 31, 2019"
            " ¦ January 1, 2019 through March 31, 2019"
        ),
        "January 1, 2019 ¦ March 31, 2019 ¦ January 1, 2018 to March 31, 2019",
    ),
    "range of money": ("$5-$7", "$5-7 ¦ $5–7 ¦ $5 to $7", "$5 ¦ €5-7 ¦ $5-8 ¦ $57"),
    # B27
    "words": (
        "Research and development",
        (
            "research & development ¦ The research and development. ¦ **Research and"
            " Development** ¦ Research and development[1]"
        ),
        "research ¦ research or development ¦ not research and development",
    ),
}


def apart(texts):
    return [text.strip() for text in texts.split(" ¦ ")]


@pytest.mark.parametrize(
    ("reference", "prediction", "same"),
    [
        pytest.param(reference, text, is_same, id=f"{family}: {text}")
        for family, (reference, *sides) in FAMILIES.items()
        for is_same, texts in zip((True, False), sides, strict=True)
        for text in apart(texts)
    ],
)
def test_a_sibling(reference, prediction, same):
    assert value_match(reference, prediction) is same


@pytest.mark.parametrize(
    "scale", ["'000", "000s", "$000", "($000s)", "in $000", "£'000", "thousands", "K"]
)
def test_a_scale_field_of_zeros(scale):
    options = {"reference_scale": "thousand", "prediction_scale": scale}
    assert value_match(845, "845", **options)
    assert not value_match(845, "845000", **options)


values = st.sampled_from(
    ["37", "-3.5", "(1,234)", "$5 million", "14.1%", "5 May 2006", "2006", "480 km²"]
    + ["Oslo", "Class A", "1½", "five", "2006/07", "A+"]
)
references = st.lists(
    st.sampled_from(["[1]", " [23]", "[a]", "[note 4]", "[nb 1]", "[citation needed]"]),
    min_size=1,
    max_size=2,
).map("".join)


@given(values, references)
def test_what_points_to_a_source_is_no_part_of_a_value(value, source):
    assert value_match(value, value + source)
    assert value_match(value + source, value)


@pytest.mark.parametrize(
    "text", ["[5]", "$[5]", "-[5]", "[3] [5]", "length [m]", "x[k]"]
)
def test_brackets_that_hold_the_value_stay(text):
    assert not value_match("length", text)
    assert not value_match("x", text)
    number = parse_number(text)
    assert number is None or abs(number.value) == 5
