"""`recipe_score`: the evaluation card's formula, on strings."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from reference.cost import growth

from tableqa_metrics import RecipeScore, recipe_score


@pytest.mark.parametrize(
    ("reference", "prediction", "em", "f1"),
    [
        ("12.5 million", "12.5 million", 1, 1),
        (" 12.5 million\n", "12.5 million", 1, 1),
        ("", "", 1, 1),
        ("", "  ", 1, 1),
        ("", "x", 0, 0),
        ("x", "", 0, 0),
        ("June 30", "june 30", 0, 0.5),
        ("a b c", "c b a", 0, 1),
        ("a a b", "a b", 0, 1),
        ("a b", "c d", 0, 0),
        ("12.5 million", "12.5 million dollars", 0, 0.8),
        ("12.5 million", "13.5 million", 0, 0),
        ("12.5 million", "million", 0, 0),
        ("no number here", "5 number here", 0, 0),
        ("1,000 shares", "1000 shares", 0, 0.5),
        ("5 shares", "-5 shares", 0, 0),
        ("5.0 shares", "5 shares", 0, 0.5),
        ("2018-2019 x", "2018 x", 0, 0.5),
        ("in 2018 and 5", "in 2018 and 7", 0, 0.75),
        ("$5 x", "5 x", 0, 0.5),
        (".5 x", "0.5 x", 0, 0.5),
    ],
)
def test_known_values(reference, prediction, em, f1):
    score = recipe_score(reference, prediction)
    assert (score.em, score.f1) == (em, pytest.approx(f1, abs=1e-12))
    assert type(score.em) is type(score.f1) is float


def test_formula_of_the_card_would_exceed_one():
    tokens = {"a", "b"}
    assert 2 * len(tokens & tokens) / len(tokens | tokens) == 2
    assert recipe_score("a b", "b a") == RecipeScore(0.0, 1.0)


TEXTS = st.text() | st.lists(
    st.sampled_from(["5", "-5", "1,000", "1000", "a", "b", ".", "x"])
).map(" ".join)


@given(TEXTS, TEXTS)
def test_range_symmetry_and_order(one, other):
    score = recipe_score(one, other)
    assert 0 <= score.em <= score.f1 <= 1
    assert score == recipe_score(other, one)
    assert recipe_score(one, one) == RecipeScore(1.0, 1.0)


@pytest.mark.parametrize(
    "unit", ["1", "1,", "1,111", "-", ".", "(-", "a ", " ", "\ud800"]
)
def test_time_grows_no_faster_than_the_text(unit):
    def score(text: str) -> None:
        recipe_score(text, text + "x")

    # Quadratic time would grow 64 times.
    assert growth(score, lambda size: unit * size, 10_000, 8) < 32
