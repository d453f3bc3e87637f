"""Typed equality: each family of written values, by example and by property."""

import math
import re
import string
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given, strategies as st
from reference.cost import growth

from tableqa_metrics import value_match
from tableqa_metrics.value import pair_answers
from tableqa_metrics.value.reading import SCALES, read_value
from tableqa_metrics.value.text import fold_text


SAME = [
    # reference, prediction, options
    (-2310.5, "(2,310.5)"),
    (-41260.35, "GBP (41,260.35)"),
    (-8.2, "($8.20)"),
    (-640, "-(640)"),
    (-7.25, "−7.25"),
    (-7.25, "–7.25"),
    (1.5, "1½"),
    (1.5, "1 1/2"),
    (1.5, "3/2"),
    (2_000_000, "$2 million"),
    (12_500_000, "$12.5MM"),
    (-1.7e9, "-$1.7B"),
    (1234567, "12,34,567"),
    (0.0025, "25 bps"),
    ("8", "8.0"),
    ("0.1", "0.10"),
    ("$12.8 million", "12,800,000"),
    ("3,500", "3500"),
    ("2008", "2008"),
    ("2008", "March 2008"),
    ("March 2008", "12 March 2008"),
    ("12 March 2008", "2008-03-12"),
    ("480 km²", "480.0 km2"),
    (">= 37", ">=37"),
    ("2019–2020", "2019 - 2020"),
    ("yes", "Yes."),
    ("no", False),
    ("The Robin Hood", "robin hood"),
    (["3", "5"], "3, 5"),
    (["3", "5"], "5 and 3"),
    (["3", "5"], ["5.0", 3]),
    (["Oslo", "Bergen"], "Bergen, Oslo"),
    ("Oslo and Bergen", ["Bergen", "Oslo"]),
    (["Oslo"], "Oslo"),
    (["1 May 2019", "2 May 2019"], "May 2, 2019; May 1, 2019"),
    (10**30, "1e30"),
]
FORMS = [
    # signs and currencies
    (-1234, "(USD 1,234)"),
    (-1234, "USD(1,234)"),
    (-1234, "$(1,234)"),
    (-5, "(-$5)"),
    (-5e6, "(5) million"),
    (-5.2e6, "($5.2 million)"),
    (-0.052, "(5.2 %)"),
    (-5, "－5"),
    (1234.56, "1.234,56 €"),
    ("S$5", "5 dollars"),
    ("US$5", "USD 5"),
    ("¥5", "5 yen"),
    # scales and percent
    (5e6, "5 mn"),
    (5e12, "5 trillion"),
    (2e9, "2,000 million"),
    (1.2e7, "1.2 crore"),
    (0.0025, "0.25 percentage points"),
    (0.12, "12 per cent"),
    (2000, "2×10^3"),
    # decoration, scripts, words
    (5, "~5"),
    (5e6, "about $5 million"),
    (5, "**5**"),
    (5, "$5$"),
    (37, "[37]."),
    (12, "１２"),
    (34, "٣٤"),
    (1000, "1\u202f000"),
    ("3", "three"),
    ("Twelve", "12"),
    # dates
    ("5 May 2006", "May 5th, 2006"),
    ("5 May 2006", "2006/05/05"),
    ("5 May 2006", "05.05.2006"),
    ("5 May 2006", "Fri, 5 May 2006"),
    ("5 May 2006", "the 5th of May, 2006"),
    ("5 May 2006", "2006-05-05T00:00:00Z"),
    ("December 31, 2019", "31/12/2019"),
    ("May 2006", "2006-05"),
    ("2006", "in 2006"),
    ("During 2019", "2019"),
    # units
    ("5 million users", "5,000,000 users"),
    ("120 minutes", "120 minute"),
    ("$5 per share", "5 per share"),
    ("480km²", "480 km2"),
    # lists
    (["3", "5"], "3 & 5"),
    (["3", "5"], "3; 5"),
    (["3", "5"], "3\n5"),
    (["3", "5"], "- 3\n- 5"),
    (["3", "5"], "1. 3\n2. 5"),
    (["3", "5"], "[3, 5]"),
    (["3", "5", ""], ["5", "3"]),
    (["$3,500", "$4,200"], "$3,500 and $4,200"),
    (["June 30, 2019", "June 30, 2018"], "June 30, 2019 and June 30, 2018"),
    (["a", "net b, c, and d"], "a, net b, c, and d"),
    ("Greece and Turkey", "Turkey, Greece"),
    # texts
    ("U.S. dollars", "US dollars"),
    ("long-term debt", "Long term debt"),
    ("Company’s", "Company's"),
    ("≥ 37", ">=37"),
    ("—", "—"),
    ("São Paulo", "Sao Paulo"),
    ("Łódź", "Lodz"),
    ("Straße", "STRASSE"),
    ("Ｏｓｌｏ\u200f", "Os\u00adlo"),
    ("R&D", "R and D"),
    ("Johnson & Johnson", "Johnson and Johnson"),
    ("BBB +", "BBB+"),
    ("The Beatles", "Beatles, The"),
    # ranges
    ("1-3 years", "1 to 3 years"),
    ("1.74%-1.94%", "1.74 % – 1.94 %"),
    ("1.74%-1.94%", "1.74% to 1.94%"),
    ("$5-$7", "$5 to $7"),
    ("2018/2019", "2018/19"),
    ("2018-2019", "2018–19"),
    # years
    ("2019", "FY2019"),
    ("2019", "the fiscal year 2019"),
    ("Fiscal year 2018", "2018"),
    ("FY19", "fiscal 2019"),
    ("2019", "2,019"),
    ("1980s", "the 1980's"),
    # numbers in words
    ("25 days", "twenty-five days"),
    ("three years", "3 years"),
    (120, "one hundred and twenty"),
    ("5 million", "Five million"),
    (2500, "two thousand five hundred"),
    ("5%", "five percent"),
    # spellings of units
    ("480 km²", "480 sq. km"),
    ("480 km²", "480 km^2"),
    ("480 km", "480 kilometres"),
    ("150,000 square feet", "150,000 sq ft"),
    ("20 °C", "20 degrees Celsius"),
    ("100 km/h", "100 kilometers per hour"),
    ("2.5 years", "2.5 yrs"),
    ("£5 million", "5 million pounds"),
    ("5 pounds", "£5"),
    ("80 billion New Taiwan dollars", "NT$80 billion"),
    ("`70.07", "70.07"),
    # more lists
    (["3", "5"], "{3, 5}"),
    (["3", "5"], "(3, 5)"),
    (["3", "5"], "3 | 5"),
    (["-3", "5"], "(3), 5"),
    (["a", "b"], "a / b"),
    (["1", "2", "3"], "3,1,2"),
    (["2019", "2018"], "2018,2019"),
]
OTHER_FORMS = [
    ("5", "5 m"),
    (5, "5+"),
    (5, "5 or more"),
    (5, "no more than 5"),
    (5, "5 to 10"),
    (5, "5,5"),
    (1000, "1,,000"),
    (1.2, "1.2.3"),
    (5, "9**9**9"),
    (0, "-"),
    (0, "nan"),
    (0, "inf"),
    ("—", ""),
    ("2019", "2019/20"),
    ("2019", "2019s"),
    ("2008", "2,008.4"),
    ("2008", "2008%"),
    ("5 May 2006", "May 2006"),
    ("5 May 2006", "5 May 2007"),
    ("2006", "May 2007"),
    ("$5", "€5"),
    ("US$5", "A$5"),
    ("5 kg", "5 km"),
    (5, "5%"),
    (5, "5k"),
    (["3", "5"], "3,5"),
    (["a", "b"], "a"),
    ("12,345,678,901", "12,345,678,902"),
    ("Oslo", "not Oslo"),
    ("A-", "A"),
    ("BBB-", "BBB"),
    ("C#", "C"),
    ("Class A", "Class"),
    ("Type A/B", "Type B"),
    ("5-7", "5, 7"),
    ("2018/19", "2018"),
    ("2018-20", "2018-2019"),
    ("1980s", "1980"),
    ("2019", "before 2019"),
    ("2019", "early 2019"),
    ("2019", "2018-2019"),
    ("2019", "2,019.4"),
    (3, "one in three"),
    (5, "five to seven"),
    (-5, "5-percent"),
    ("5 kg", "5 lb"),
    ("5 km", "5 km²"),
    ("€5", "5 pounds"),
    ("5", "5 pounds"),
    ("1.85 m", "1.85 million"),
    (["3,500", "4,200"], "3,500,4,200"),
    (["3", "5"], "3 or 5"),
    (["2019", "2018", "2017"], "2017 to 2019"),
]
DIFFERENT = [
    ("8", "The margin is 48"),
    ("-8", "8"),
    ("2.75", "32.75"),
    ("37", ">=37"),
    ("37", "<37"),
    ("37", "at least 37"),
    ("37", "not 37"),
    ("37", "30-37"),
    (5.0, "5000"),
    (-5.0, "5"),
    (0.0, ""),
    (100, 105.2),
    ("2008", "2010"),
    ("2008", "2008.3"),
    ("March 2008", "2008"),
    ("12 March 2008", "12 April 2008"),
    ("12.5", "12.56"),
    ("12.5", "125"),
    ("10-20", "1020"),
    (5, "5 km"),
    ("5 km", "5 kg"),
    ("5 km", "5"),
    (["3", "5"], "3"),
    (["3", "5"], "3, 5, 5"),
    (["3", "5"], "35"),
    (["3", "5"], "3,500"),
    (["3", "3"], ["3", "5"]),
    ("35", ["3", "5"]),
    (0.2212, 22.12),
    ("22.12%", "22.12"),
    (7, None),
    (7, {"answer": 7}),
    (7, float("nan")),
    (7, [[7]]),
    ("yes", "no"),
    ("yes", "yes, but not much"),
]
SCALED = [
    # reference, its scale, prediction, its scale, equal
    (22.12, "percent", "22.12", "percent", True),
    (22.12, "percent", "22.12%", "", True),
    (22.12, "percent", "22.12%", "percent", True),
    (22.12, "percent", "0.2212", "", True),
    (22.12, "percent", "22.12", "", True),
    (22.12, "percent", "0.2212", "percent", False),
    (22.12, "percent", "22.12", "million", False),
    (0.2212, "", "22.12", "percent", True),
    (0.2212, "", "22.12", "", False),
    (7, "percent", "7%", "", True),
    (845, "million", "$845 million", "million", True),
    (845, "million", "$845 million", "", True),
    (845, "million", "845", "", False),
    (845, "million", "845", "thousand", False),
    (845, "million", "845,000", "thousand", True),
    (1.2345, "billion", "1234.5", "million", True),
    ("$845 million", "million", "845", "million", True),
    ("$12.8 million", "", "12.8", "million", True),
    (-1647, "thousand", "(1,647)", "thousand", True),
    (["3", "5"], "million", ["5", "3"], "million", True),
    (["3", "5"], "million", ["5", "3"], "thousand", False),
    ("Operating costs", "million", "operating costs", "", True),
    (12, "thousand", "12", "bananas", False),
    (12, "", "12", "bananas", True),
    ("2008", "", "2008", "year", True),
    ("2008", "", "2008", "thousand", False),
    (12, "million", "12", "Millions", True),
    (12, "million", "12", "mn", True),
    (12, "million", "12", "in millions of dollars", True),
    (12, "percent", "12", "%", True),
    (12, "percent", "12", "dollars", False),
    (12, "percent", "$12", "", False),
    ("5 million users", "", "5 users", "million", True),
    (12, "", "12", None, True),
]


@pytest.mark.parametrize(("reference", "prediction"), SAME + FORMS)
def test_same(reference, prediction):
    assert value_match(reference, prediction) is True


@pytest.mark.parametrize(("reference", "prediction"), DIFFERENT + OTHER_FORMS)
def test_different(reference, prediction):
    assert value_match(reference, prediction) is False


@pytest.mark.parametrize(
    ("reference", "reference_scale", "prediction", "prediction_scale", "same"), SCALED
)
def test_scale_is_applied_once(
    reference, reference_scale, prediction, prediction_scale, same
):
    assert same is value_match(
        reference,
        prediction,
        reference_scale=reference_scale,
        prediction_scale=prediction_scale,
    )


@pytest.mark.parametrize(
    ("exe_ans", "prediction", "same"),
    [
        (0.42889, "42.9%", True),
        (0.42889, "0.43", True),
        (0.42889, "0.4", False),
        (0.42889, "42.8%", False),
        (0.42889, "42.889%", True),
        (0.42889, "-42.9%", False),
        (0.42889, "42.9", False),
        (94.0, "94", True),
        (94.0, "$94.0", True),
        (94.0, "94.4", False),
        (5829.0, "5.8 thousand", True),
        (5829.0, "6 thousand", False),
        (-0.00213, "-0.21%", True),
        (0.0, "0", True),
        (0.0, "0.3", False),
        (0.0, "0.04", False),
        (0.0, "4%", False),
        (0.1, "14%", False),
        (0.1, "10.4%", False),
        (0.1, "0.1", True),
        (0.42889, "0.428886123456", True),
        (94.0, "94.04", False),
        ("94.0", "94", True),
        (1_040_000.0, "$1.0 million", True),
        ("yes", "yes", True),
    ],
)
def test_finqa_compares_at_the_coarser_precision(exe_ans, prediction, same):
    assert same is value_match(exe_ans, prediction, precision="coarser")


@pytest.mark.parametrize(
    "reference", [None, [], {}, [None], float("nan"), float("inf"), [[1]], b"7"]
)
def test_a_malformed_reference_is_shown(reference):
    with pytest.raises(ValueError, match="reference"):
        value_match(reference, "7")


@pytest.mark.parametrize("reference", ["", " ", [""]])
def test_an_empty_text_equals_a_blank_one_alone(reference):
    for blank in ("", "\n", [""], ["", " "]):
        assert value_match(reference, blank)
    for other in ("0", "-", "none", "the", None, [], {}):
        assert not value_match(reference, other)


def test_an_unknown_scale_of_the_reference_is_shown():
    with pytest.raises(ValueError, match="dozen"):
        value_match(7, "7", reference_scale="dozen")


numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(numbers)
def test_a_number_equals_itself_however_it_is_written(x):
    assert value_match(x, x)
    assert value_match(x, repr(x))
    assert value_match(repr(x), repr(x))
    assert x == 0 or not value_match(x, -x)


@given(
    st.decimals(-(10**6), 10**6, places=4),
    st.integers(0, 3),
)
def test_a_rounded_reference_equals_the_exact_prediction(exact, places):
    rounded = round(exact, places)
    assert value_match(str(rounded), str(exact)) or _bare_year(str(rounded))
    step = Decimal(1).scaleb(-places)
    wrong = rounded + 2 * step
    if exact.quantize(step, ROUND_HALF_EVEN) != wrong:
        assert not value_match(str(wrong), str(exact))


def _bare_year(text: str) -> bool:
    value = read_value(text)
    return value is not None and value.year


@given(
    st.one_of(st.floats(1e-6, 1e6), st.floats(-1e6, -1e-6)),
    st.sampled_from(list(SCALES)),
)
def test_a_scale_may_stand_in_either_place(x, scale):
    in_field = {"prediction_scale": scale, "reference_scale": scale}
    assert value_match(x, x, **in_field)
    if scale and "e" not in repr(x):
        word = f"{x!r} {scale}"
        assert value_match(x, word, reference_scale=scale)
        assert value_match(x, word, reference_scale=scale, prediction_scale=scale)
        assert value_match(word, x, prediction_scale=scale)


@given(
    st.lists(st.one_of(numbers, st.text().filter(str.strip)), min_size=1), st.randoms()
)
def test_lists_are_multisets(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    assert value_match(values, shuffled)
    if len(values) > 2:
        assert not value_match(values, shuffled[:-1])


@pytest.mark.parametrize(
    ("reference", "half", "beyond"),
    [
        ("0.29", 0.285, 0.2849),
        ("0.29", 0.295, 0.2951),
        ("2.49", 2.485, 2.4849),
        ("-12.5", -12.45, -12.449),
        ("6 thousand", 6500, 6501),
    ],
)
def test_a_half_counts_in_either_direction(reference, half, beyond):
    assert value_match(reference, half)
    assert not value_match(reference, beyond)


@given(st.integers(-(10**9), 10**9), st.integers(0, 4), st.integers(-(10**13), 10**13))
def test_a_number_is_right_within_half_a_unit_of_its_last_digit(digits, places, other):
    gold = Decimal(digits).scaleb(-places)
    found = Decimal(other).scaleb(-8)
    if digits == 0 or abs(gold) * 2 < 10**4:  # no bare year
        near = abs(gold - found) * 2 <= Decimal(1).scaleb(-places)
        text = f"{gold:f}"
        if not re.fullmatch("(1[5-9]|2[01])[0-9]{2}", text):
            assert value_match(text, f"{found:f}") == near


@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans()))
def test_any_prediction_is_answered(prediction):
    for reference in ("7", -0.5, "Oslo", "March 2008", ["3", "Oslo"], ""):
        assert value_match(reference, prediction) in (True, False)


@given(st.text(alphabet=string.ascii_letters + string.digits + " ").filter(str.strip))
def test_case_space_and_closing_punctuation_fold_away(text):
    assert fold_text(text) == fold_text(f"  {text.upper()} .".replace(" ", "  "))


def test_articles_fold_away_unless_they_are_all():
    assert fold_text("The Hague") == fold_text("a hague") == "hague"
    assert fold_text("A") == "a"


@given(st.text())
def test_a_text_equals_itself(text):
    assert value_match(text, text)


def test_the_values_of_two_answers_are_paired():
    pairing = pair_answers(["Oslo", 2.5, "2019"], "2019, oslo, 2.51 and x")
    assert pairing.given == ("2019", "oslo", "2.51", "x")
    assert sorted(pairing.pairs) == [(0, 1), (1, 2), (2, 0)]
    assert pair_answers("5", "5").pairs == ((0, 0),)
    assert pair_answers("5", None).pairs == ()
    with pytest.raises(ValueError, match="reference"):
        pair_answers(None, "5")


@given(
    st.lists(st.sampled_from(["3", "3.04", "a", "b"]), min_size=1, max_size=4),
    st.lists(st.sampled_from(["3", "3.0", "3.2", "a", "c"]), min_size=1, max_size=4),
)
def test_a_match_is_a_pairing_of_all(reference, prediction):
    pairs = pair_answers(reference, prediction).pairs
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    full = len(pairs) == len(reference) == len(prediction)
    if len(reference) > 1 and len(prediction) > 1:
        assert value_match(reference, prediction) == full


HOSTILE = {
    **{
        name: text.__mul__
        for name, text in {
            "numbers": "1, ",
            "digits": "7",
            "brackets": "([",
            "pipes": "|",
            "letters": "a, ",
            "thoughts": "<think>",
            "lines": "\n",
            "blanks": " ",
            "hashes": "#",
            "ands": "1 and ",
            "fractions": "½",
            "surrogates": "\ud800",
            "dates": "May 1, 2019, ",
            "powers": "9**",
            "latex": "\\text{",
            "nul": "\0",
        }.items()
    },
    "many numbers": lambda n: ", ".join(map(str, range(n // 4))),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_cost_grows_with_the_length(kind):
    def match(text):
        for gold in (["3", "5"], -0.5, "Oslo", "March 2008", text):
            value_match(gold, text, prediction_scale=text)

    assert growth(match, HOSTILE[kind], 2_000, 8) < 32


def test_an_integer_of_any_size_is_answered():
    assert not value_match(5, 10**5000)
    with pytest.raises(ValueError, match="too long to show"):
        value_match(10**5000, "5")


def test_a_huge_number_is_compared():
    assert value_match(1e308, "1e308")
    assert not value_match(1e308, "9" * 400)
    assert math.isfinite(read_value("1e308").value)
