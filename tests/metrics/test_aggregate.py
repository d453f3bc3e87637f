"""Means, standard errors and intervals, against the harness and against scipy."""

import math

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.aggregate import Estimate, estimate, mean, mean_of_present, wilson


scores = st.lists(st.floats(0, 1), min_size=2, max_size=40)
marks = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=60)


@given(scores)
def test_mean_and_error_are_those_of_the_harness_to_the_last_bit(values):
    from lm_eval.api.metrics import mean as harness_mean, mean_stderr

    found = estimate(values)
    assert found.value == mean(values) == harness_mean(values)
    assert found.stderr == mean_stderr(values)
    assert found.n == len(values)


@given(scores)
def test_the_interval_holds_the_mean_and_keeps_to_the_range(values):
    for upper in (1.0, 100.0):
        found = estimate([upper * value for value in values], upper=upper)
        if found.ci95 is None:
            assert len(set(values)) == 1
            continue
        low, high = found.ci95
        assert 0 <= low <= high <= upper
        assert low <= found.value * (1 + 1e-12) and found.value <= high * (1 + 1e-12)


@given(marks)
def test_marks_get_the_interval_of_wilson(values):
    from scipy.stats import binomtest

    found = estimate(values)
    right = binomtest(int(sum(values)), len(values))
    interval = right.proportion_ci(method="wilson")
    assert found.ci95 == pytest.approx((interval.low, interval.high), abs=1e-12)
    hundred = estimate([100 * value for value in values], upper=100.0)
    assert hundred.ci95 == pytest.approx([100 * end for end in found.ci95])


def test_other_scores_get_about_two_errors_each_way():
    values = [0.2, 0.4, 0.5, 0.7]
    found = estimate(values)
    reach = 1.959963984540054 * found.stderr
    assert found.ci95 == pytest.approx((found.value - reach, found.value + reach))


def test_the_interval_of_many_marks_is_that_of_the_normal_distribution():
    values = [1.0] * 6000 + [0.0] * 4000
    low, high = estimate(values).ci95
    reach = 1.96 * math.sqrt(0.24 / 10_000)
    assert (low, high) == pytest.approx((0.6 - reach, 0.6 + reach), abs=1e-4)


@pytest.mark.parametrize("mark", [0.0, 1.0])
def test_few_marks_that_agree_are_no_certainty(mark):
    found = estimate([mark] * 16)
    assert found.value == mark
    assert found.stderr == 0
    assert found.ci95[1] - found.ci95[0] > 0.15


@pytest.mark.parametrize("n", [2, 3, 50])
def test_scores_that_are_all_equal_tell_nothing_of_how_they_spread(n):
    found = estimate([0.25] * n)
    assert (found.value, found.stderr, found.ci95, found.n) == (0.25, 0, None, n)
    assert estimate([0.25] * n + [0.5]).ci95 is not None


def test_of_nothing_there_is_nothing():
    nothing = Estimate(None, None, None, 0)
    assert estimate([]) == estimate([], partial=True) == nothing
    assert mean([]) is mean_of_present([None, None]) is mean_of_present([]) is None
    with pytest.raises(ValueError, match="no cases"):
        wilson(0.5, 0)


def test_of_one_score_there_is_no_error():
    assert estimate([0.25]) == Estimate(0.25, None, None, 1)
    one = estimate([1.0])
    assert one.stderr is None
    assert one.ci95[0] < 0.3 and one.ci95[1] == 1


def test_a_metric_that_does_not_always_apply_is_averaged_as_the_tasks_do():
    values = [0.1] * 10
    assert (
        estimate(values, partial=True).value == mean_of_present([None, *values]) == 0.1
    )
    assert estimate(values).value == sum(values) / 10 != 0.1


@given(scores)
def test_figures_are_plain_floats(values):
    found = estimate(values)
    for value in (found.value, found.stderr, *(found.ci95 or ())):
        assert type(value) is float
