"""Typed equality: each family of written values, by example and by property."""

import math
import string
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import value_match
from tableqa_metrics.value_reading import SCALES, read_value
from tableqa_metrics.value_text import fold_text


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
    (12, "", "12", None, True),
]


@pytest.mark.parametrize(("reference", "prediction"), SAME)
def test_same(reference, prediction):
    assert value_match(reference, prediction) is True


@pytest.mark.parametrize(("reference", "prediction"), DIFFERENT)
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


@given(st.lists(st.one_of(numbers, st.text(min_size=1)), min_size=1), st.randoms())
def test_lists_are_multisets(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    assert value_match(values, shuffled)
    if len(values) > 2:
        assert not value_match(values, shuffled[:-1])


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


def test_a_huge_number_is_compared():
    assert value_match(1e308, "1e308")
    assert not value_match(1e308, "9" * 400)
    assert math.isfinite(read_value("1e308").value)
