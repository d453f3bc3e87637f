"""Spellings of units, and the units that names state in brackets."""

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.value.remarks import split_remark, stated_unit
from tableqa_metrics.value.units import fold_unit, is_unit


SPELLINGS = {
    "km2": [
        "km²",
        "km2",
        "km^2",
        "sq km",
        "sq. km",
        "sqkm",
        "square kilometres",
        "KM²",
    ],
    "m3": ["m³", "m^3", "cu m", "cubic metres", "cubic meter"],
    "ft2": ["ft²", "sq ft", "sq. ft.", "square feet", "square foot"],
    "km per h": ["km/h", "kph", "kmh", "kilometers per hour", "km per hour"],
    "kg per m2": ["kg/m²", "kilograms per square metre"],
    "min": ["min", "mins", "minutes", "Minute"],
    "year": ["year", "years", "yrs", "yr."],
    "lb": ["lb", "lbs", "pounds"],
    "°c": ["°C", "degrees Celsius", "° C", "celsius"],
    "per share": ["per share", "/share", "per Share"],
    "employee": ["employees", "Employee"],
}


@pytest.mark.parametrize(
    ("unit", "text"), [(u, text) for u, texts in SPELLINGS.items() for text in texts]
)
def test_spellings_of_one_unit(unit, text):
    assert fold_unit(text) == unit


def test_other_units_stay_other():
    texts = [
        "m",
        "mm",
        "km",
        "km2",
        "mi",
        "min",
        "month",
        "mw",
        "g",
        "kg",
        "t",
        "s",
        "°",
    ]
    assert len({fold_unit(text) for text in texts}) == len(texts)
    assert not any(map(is_unit, ["", "film", "mw", "employee"]))
    assert all(map(is_unit, ["km", "km2", "km per h", "°c"]))


words = st.sampled_from(
    [
        "km",
        "square",
        "sq",
        "cubic",
        "degrees",
        "celsius",
        "c",
        "per",
        "/",
        "^2",
        "m",
        "ft",
    ]
)


@given(
    st.lists(st.one_of(words, st.text("bcxé. ", max_size=4)), unique=True).map(" ".join)
)
def test_folding_twice_is_folding_once(text):
    folded = fold_unit(text)
    assert fold_unit(folded) == folded


@pytest.mark.parametrize(
    ("remark", "name", "factor", "currency"),
    [
        ("km²", "km2", 1.0, set()),
        ("in km", "km", 1.0, set()),
        ("$ million", "", 1e6, {"USD", "CAD"}),
        ("in millions of euros", "", 1e6, {"EUR"}),
        ("US$ in thousands", "", 1e3, {"USD"}),
        ("'000", "", 1e3, set()),
        ("%", "", 0.01, set()),
        ("bps", "", 1e-4, set()),
        ("GBP", "", 1.0, {"GBP"}),
        ("£m", "", 1e6, {"GBP"}),
        ("m", "m", 1.0, set()),
    ],
)
def test_units_of_names(remark, name, factor, currency):
    unit = stated_unit(remark)
    assert (unit.name, unit.factor) == (name, factor)
    assert currency <= unit.currency if currency else not unit.currency


@pytest.mark.parametrize(
    "remark", ["1975 film", "film", "", "MW", "see note 1", "5", "x" * 99]
)
def test_remarks_that_state_no_unit(remark):
    assert stated_unit(remark) is None


@pytest.mark.parametrize(
    ("one", "other", "excludes"),
    [
        ("km", "kilometres", False),
        ("km", "mi", True),
        ("km", "km²", True),
        ("$", "USD", False),
        ("$m", "million", False),
        ("$m", "€m", True),
        ("$m", "$ thousand", False),
        ("%", "km", True),
    ],
)
def test_units_exclude_each_other(one, other, excludes):
    assert stated_unit(one).excludes(stated_unit(other)) is excludes
    assert stated_unit(other).excludes(stated_unit(one)) is excludes


@given(st.text(max_size=60))
def test_any_remark_is_answered(text):
    parted = split_remark(f"name ({text})")
    assert parted is not None
    stated_unit(parted[1])
    stated_unit(text)
