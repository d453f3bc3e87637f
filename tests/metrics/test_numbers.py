"""`parse_number` and `split_scale`: one family of written numbers a table."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given, settings, strategies as st
from reference.cost import growth

from tableqa_metrics.written.numbers import Number, parse_number, split_scale


FAMILIES: dict[str, dict[str, float]] = {
    "separators": {
        "1,234,567.8": 1234567.8,
        "3,500": 3500,
        "12,34,567": 1234567,
        "1,23,45,678.9": 12345678.9,
        "1 234 567": 1234567,
        "1\u00a0234\u202f567": 1234567,
        "12\u2009345.6": 12345.6,
        "1'234'567.5": 1234567.5,
        "1’234": 1234,
        "1.234,5": 1234.5,
        "1.234.567": 1234567,
        "1.234.567,89": 1234567.89,
        "1 234,56": 1234.56,
        "1.234": 1.234,
        ".5": 0.5,
        "007": 7,
        "1,00,00,000.5": 10000000.5,
        "1'234,56": 1234.56,
        "1ʼ234ʼ567": 1234567,
        "1`234": 1234,
        "1,\u200b234": 1234,
        "12.345,67": 12345.67,
    },
    "currency": {
        "$31.00": 31,
        "€ 5": 5,
        "£1,234.5": 1234.5,
        "¥100": 100,
        "₹12,34,567": 1234567,
        "US$ 5": 5,
        "US$5.25": 5.25,
        "A$5": 5,
        "S$215": 215,
        "USD 5": 5,
        "usd 5": 5,
        "RMB77": 77,
        "5 USD": 5,
        "5€": 5,
        "5 dollars": 5,
        "Rs. 500": 500,
        "Rs 500": 500,
        "Rs. 5,000/-": 5000,
        "CHF 5.-": 5,
        "SFr. 5": 5,
        "R$ 5": 5,
        "$US5": 5,
        "U.S. $5": 5,
        "CN¥5": 5,
        "CZK 5": 5,
        "kr 5": 5,
        "5 kr.": 5,
        "5 zł": 5,
        "5 円": 5,
        "5 pounds sterling": 5,
        "5 New Taiwan dollars": 5,
        "5 Swiss francs": 5,
        "5 (USD)": 5,
        "5-dollar": 5,
    },
    "negative": {
        "-7.25": -7.25,
        "−7.25": -7.25,
        "–7.25": -7.25,
        "—7.25": -7.25,
        "- 5": -5,
        "GBP (41,260.35)": -41260.35,
        "($8.20)": -8.2,
        "$(12)": -12,
        "(12)": -12,
        "( 2,310.5 )": -2310.5,
        "(265 )": -265,
        "$ (3.5)": -3.5,
        "-(640)": -640,
        "(-640)": -640,
        "−(640)": -640,
        "--640": -640,
        "-$640": -640,
        "$-640": -640,
        "-US$640": -640,
        "–US$640": -640,
        "–USD 640": -640,
        "—Rs. 640": -640,
        "5-": -5,
        "1,234.50-": -1234.5,
        "minus 5": -5,
        "negative $5.2 million": -5.2e6,
        "-0": 0,
        "+5": 5,
        "⁻5": -5,
        "$(5) million": -5e6,
        "(5) (in millions)": -5e6,
        "((5))": -5,
    },
    "units": {
        "14.1%": 0.141,
        "14.1 %": 0.141,
        "14.1\\%": 0.141,
        "14.1 percent": 0.141,
        "14.1 per cent": 0.141,
        "14.1 pct.": 0.141,
        "(14.1%)": -0.141,
        "(14.1)%": -0.141,
        "-14.1%": -0.141,
        "5 percentage points": 0.05,
        "1 percentage point": 0.01,
        "5 pp": 0.05,
        "50 bps": 0.005,
        "50bp": 0.005,
        "5 basis points": 0.0005,
        "5‰": 0.005,
        "2½%": 0.025,
        "5 ppts": 0.05,
        "5-percent": 0.05,
        "5 percentage-points": 0.05,
        "(5)%": -0.05,
        "5 (%)": 0.05,
        "5 (bps)": 0.0005,
        "5‱": 0.0005,
        "5 per mille": 0.005,
    },
    "fractions": {
        "1½": 1.5,
        "½": 0.5,
        "-½": -0.5,
        "1 1/2": 1.5,
        "3/2": 1.5,
        "1⁄4": 0.25,
        "\\frac{3}{2}": 1.5,
        "½ million": 5e5,
        "\\frac32": 1.5,
        "1,234 1/2": 1234.5,
        "13/2000": 0.0065,
    },
    "exponents": {
        "1e6": 1e6,
        "1.5E-3": 1.5e-3,
        "1.5×10^6": 1.5e6,
        "1.5 x 10^6": 1.5e6,
        "1.5×10⁶": 1.5e6,
        "1.5×10⁻³": 1.5e-3,
        "1.5 \\times 10^{6}": 1.5e6,
        "1.5 ⋅ 10^6": 1.5e6,
        "1.5X10^6": 1.5e6,
        "10^6": 1e6,
    },
    "scale words": {
        "2 hundred": 2e2,
        "$2 thousand": 2e3,
        "2 thousands": 2e3,
        "$2 million": 2e6,
        "2 millions": 2e6,
        "$2 billion": 2e9,
        "$2 trillion": 2e12,
        "2 lakh": 2e5,
        "₹2 crore": 2e7,
        "2 lakh crore": 2e12,
        "2 hundred million": 2e8,
        "2 MILLION": 2e6,
        "2million": 2e6,
        "$2-million": 2e6,
        "($12 million)": -12e6,
        "($12) million": -12e6,
        "5 million dollars": 5e6,
        "1,234.5 (in thousands)": 1234500,
        "$5 (millions)": 5e6,
        "5 in millions": 5e6,
        "5 million USD": 5e6,
        "5 ($ million)": 5e6,
        "5 (US$ in millions)": 5e6,
        "5 (in millions of dollars)": 5e6,
        "5 in billions of euros": 5e9,
        "5 ($m)": 5e6,
        "$5 ('000)": 5e3,
        "5 (in 000s)": 5e3,
        "5 million-dollar": 5e6,
    },
    "scale letters": {
        "$12.5MM": 12.5e6,
        "12.5mm": 12.5e6,
        "€84.2M": 84.2e6,
        "84.2m": 84.2e6,
        "-$1.7B": -1.7e9,
        "1.7b": 1.7e9,
        "$(1.7)B": -1.7e9,
        "$3.1k": 3100,
        "3.1K": 3100,
        "1.2bn": 1.2e9,
        "1.2 bn": 1.2e9,
        "1.2mn": 1.2e6,
        "1.2T": 1.2e12,
        "1.2tn": 1.2e12,
        "£5 m": 5e6,
        "5 MM": 5e6,
        "5 M": 5e6,
        "5 B": 5e9,
        "5M€": 5e6,
        "5 k€": 5e3,
        "5 m USD": 5e6,
        "$5 mil": 5e6,
        "₹5 cr.": 5e7,
    },
    "marks around": {
        "37!": 37,
        "[37].": 37,
        "37?": 37,
        "$31.00.": 31,
        "3.5.": 3.5,
        "[3.5]": 3.5,
        "$3.5.": 3.5,
        "48,": 48,
        "**61**": 61,
        "61*": 61,
        "61†": 61,
        "-**61**": -61,
        "‹61›": 61,
        "`61`": 61,
        "'61'": 61,
        "“61”": 61,
        "$37$": 37,
        "\\(37\\)": 37,
        "\\$46{,}500": 46500,
        "\\text{5 million}": 5e6,
        "5\\text{ million}": 5e6,
        "about 37": 37,
        "approximately 14.1%": 0.141,
        "~37": 37,
        "\u200f37\u200e": 37,
        "\t 37 \n": 37,
    },
    "other digits": {"５０％": 0.5, "３．５": 3.5, "－７": -7, "٣٫٥": 3.5, "१२": 12},
}

NONE = {
    "not numbers": ["", " ", "-", "()", "$", "%", "nan", "inf", "∞", "yes", "A5", "."],
    "lists": ["3, 5", "3 and 5", "3; 5", "3#5", "2019 2020", "3,5"],
    "neither": ["12,34", "1,2345", "0,123", "1,234.567.8", "1.2.3", "5%%", "+-5"],
    "bounds": [">=37", "<37", "≥ 37", "over 37", "at least 37", "37+", "up to 37"],
    "ranges": ["5-10", "2019–2020", "2019-", "2019–", "— 5", "5 to 10", "±5"],
    "years": ["2018/19", "2018/2019", "3/2018", "03/2018"],
    "units": [
        "65 units",
        "5 m",
        "5 mm",
        "5 km",
        "5t",
        "3x",
        "5 b",
        "5 k",
        "5 K",
        "5 T",
        "1.85 (m)",
        "5 (km)",
        "5 mil",
        "5 cr",
        "5 won",
        "5 pounds",
        "try 5",
        "25 days",
        "AU 18c",
    ],
    "scale twice": ["5 million million", "$5M million", "5k million", "5 million %"]
    + ["5 million ($ million)", "5% (in thousands)"],
    "no float": ["1e400", "9" * 400, "9" * 5000, "1e-9999", "9**9**9", "3/0"],
}


@pytest.mark.parametrize(
    ("text", "value"),
    [pair for family in FAMILIES.values() for pair in family.items()],
)
def test_value(text, value):
    number = parse_number(text)
    assert number is not None
    assert number.value == value
    assert type(number.value) is float


@pytest.mark.parametrize("text", [text for texts in NONE.values() for text in texts])
def test_none(text):
    assert parse_number(text) is None
    assert split_scale(text) == (text, "")


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1,234.50", Number(1234.5, False, 2), 1),
        ("14.1%", Number(0.141, True, 1), 0.01),
        ("50 bps", Number(0.005, True, 0), 1e-4),
        ("$12.5 million", Number(12.5e6, False, 1), 1e6),
        ("1.50e6", Number(1.5e6, False, 2), 1e6),
        ("1½", Number(1.5, False, 1), 1),
        ("¼", Number(0.25, False, 2), 1),
        ("1/3", Number(1 / 3, False, 4), 1),
        ("1.234,50", Number(1234.5, False, 2), 1),
    ],
)
def test_precision_is_that_of_the_written_digits(text, number, unit):
    assert parse_number(text) == number
    assert parse_number(text).unit == unit


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("$12.5 million", ("$12.5", "million")),
        ("1.2bn", ("1.2", "billion")),
        ("14.1%", ("14.1", "percent")),
        ("14.1 percentage points", ("14.1", "percent")),
        ("(14.1%)", ("(14.1)", "percent")),
        ("(66)%", ("(66)", "percent")),
        ("($12 thousand)", ("($12)", "thousand")),
        ("-$3.1k", ("-$3.1", "thousand")),
        ("5 million dollars", ("5", "million")),
        ("$31.00.", ("$31.00", "")),
        ("**61**", ("61", "")),
        ("$1,234.5 (in millions)", ("$1,234.5", "million")),
        ("14.1 (%)", ("14.1", "percent")),
        ("−298", ("-298", "")),
        ("1.2 trillion", ("1.2 trillion", "")),
        ("5 crore.", ("5 crore", "")),
        ("50 bps", ("50 bps", "")),
        ("2 hundred million", ("2 hundred million", "")),
        ("Net sales of $5 million", ("Net sales of $5 million", "")),
    ],
)
def test_split_scale(text, split):
    assert split_scale(text) == split


def test_public_complaints(reference):
    cases = {case["id"]: case["input"] for case in reference("bug_cases.json")}
    expected = {
        "B10": -41260.35,
        "B11": -8.2,
        "B12": -640,
        "B37": 2000000,
        "B38": 12500000,
    }
    for case, value in expected.items():
        assert parse_number(cases[case]["prediction"]).value == value
    assert [parse_number(p).value for p in cases["B13"]["predictions"]] == [-7.25] * 3
    assert [parse_number(p).value for p in cases["B18"]["predictions"]] == [1.5] * 3
    assert [parse_number(p).value for p in cases["B19"]["predictions"]] == [3.5] * 3
    assert [parse_number(p) for p in cases["B17"]["predictions"]] == [None] * 2
    assert [parse_number(p).value for p in cases["B39"]["predictions"]] == [
        84200000.0,
        -1700000000.0,
        3100.0,
    ]
    assert parse_number(cases["B15"]["cases"][0]["prediction"]) is None
    assert parse_number(cases["B30"]["prediction"]) is None


# What each part of a written number contributes, said once more and independently.
SIGNS = {"": 1, "-": -1, "−": -1, "–": -1, "+": 1}
MONEY = ["", "$", "€", "US$", "USD ", "Rs. "]
SCALES = (
    {"": 0, "k": 3, "M": 6, "MM": 6, "mn": 6, "B": 9, "bn": 9, "T": 12}
    | {" thousand": 3, " million": 6, " billion": 9, " trillion": 12, " crore": 7}
    | {" MM": 6, " B": 9, " (in thousands)": 3, " ($ million)": 6}
    | {"%": -2, " percent": -2, "-percent": -2, " ppts": -2, " bps": -4}
)


@given(
    digits=st.integers(0, 10**12),
    decimals=st.integers(0, 4),
    sign=st.sampled_from(list(SIGNS)),
    brackets=st.booleans(),
    money=st.sampled_from(MONEY),
    scale=st.sampled_from(list(SCALES)),
    grouped=st.booleans(),
    inside=st.booleans(),
)
def test_equals_the_sum_of_its_parts(
    digits, decimals, sign, brackets, money, scale, grouped, inside
):
    written = Decimal(digits).scaleb(-decimals)
    core = f"{written:,.{decimals}f}" if grouped else f"{written:.{decimals}f}"
    value = Fraction(digits, 10**decimals) * Fraction(10) ** SCALES[scale]
    if brackets and sign != "+":
        content = f"{money}{core}{scale if inside else ''}"
        text = f"{sign}({content}){'' if inside else scale}"
        value = -value
    else:
        text = f"{sign}{money}{core}{scale}"
        value *= SIGNS[sign]
    number = parse_number(text)
    assert number is not None, text
    assert number.value == float(value), text
    assert number.decimals == decimals
    assert number.percent == (SCALES[scale] < 0)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_reads_every_float_as_json_writes_it(value):
    text = json.dumps(value)
    number = parse_number(text)
    if number is None:  # only what is smaller than any unit
        assert abs(value) < 1e-290
    else:
        assert number.value == value


NUMBERISH = st.text(
    st.sampled_from(list("0123456789.,-+−–()[]{}$€%‰½⁶/^*_~ \u00a0'eExkKmMbBT\\#;:!")),
    max_size=25,
)


@settings(max_examples=500)
@given(st.one_of(st.text(), NUMBERISH))
def test_never_raises_and_is_finite(text):
    number = parse_number(text)
    if number is not None:
        assert math.isfinite(number.value)
        assert number.decimals >= 0
    rest, scale = split_scale(text)
    assert scale in ("", "thousand", "million", "billion", "percent")
    if number is not None:
        moved = parse_number(f"{rest} {scale}")
        assert moved is not None
        assert math.isclose(moved.value, number.value, rel_tol=1e-15)


@pytest.mark.parametrize(
    "piece", ["9", "(", "-", "$", "*", " ", "1,", "½", "\\text{", "."]
)
def test_cost_does_not_outgrow_the_text(piece):
    def parse(text):
        for _ in range(5):
            parse_number(text)
            parse_number(f"5{text}")

    # Quadratic time would grow 64 times.
    assert growth(parse, lambda count: piece * count, 100_000, 8) < 32


@pytest.mark.parametrize(
    "text", ["\ud800", "5\ud800", "\x00", "5\x00", "\u202e5%", "5̸"]
)
def test_broken_text(text):
    number = parse_number(text)
    assert number is None or number.value in (5.0, 0.05)


@given(st.from_regex(r"-?[0-9]{1,3}(,[0-9]{3}){0,6}(\.[0-9]{1,16})?%?", fullmatch=True))
def test_a_plain_number_is_read_the_same_at_a_glance(text):
    # A blank at the end takes it the long way.
    glance, long_way = parse_number(text), parse_number(text + " ")
    assert glance == long_way
    assert glance is None or glance.unit == long_way.unit
    if glance:
        assert split_scale(text) == split_scale(text + " ")


@given(
    st.from_regex(
        r"[-(]?[$€£]? ?[0-9]{1,3}(,[0-9]{3}){0,6}(\.[0-9]{1,16})?%?\)?", fullmatch=True
    )
)
@example("($0)")
@example("(2019)")
@example("-$ 1,234.5%")
def test_an_amount_is_read_the_same_at_a_glance(text):
    glance, long_way = parse_number(text), parse_number(text + " ")
    assert glance == long_way
    if glance:
        assert glance.unit == long_way.unit
        assert math.copysign(1, glance.value) == math.copysign(1, long_way.value)
