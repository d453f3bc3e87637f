"""Paired comparisons, against scipy and against a bootstrap written out."""

import itertools
import math
import random
import statistics

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.compare import compare, mcnemar


RANDOM = random.Random(7)
FIRST = [RANDOM.random() for _ in range(200)]
SECOND = [min(1.0, max(0.0, a + RANDOM.gauss(0.03, 0.2))) for a in FIRST]
MARKS = [[float(RANDOM.random() < p) for _ in range(300)] for p in (0.55, 0.65)]


def written_out(first, second, resamples=4000):
    """Draw the questions one by one."""
    draw = random.Random(3)
    gaps = [b - a for a, b in zip(first, second, strict=True)]
    return [statistics.fmean(draw.choices(gaps, k=len(gaps))) for _ in range(resamples)]


@pytest.mark.parametrize(("first", "second"), [(FIRST, SECOND), MARKS])
def test_the_interval_is_that_of_a_bootstrap_written_out(first, second):
    found = compare(first, second)
    drawn = sorted(written_out(first, second))
    spread = statistics.stdev(drawn)
    for end, share in zip(found.ci95, (0.025, 0.975), strict=True):
        assert end == pytest.approx(drawn[int(share * len(drawn))], abs=spread / 5)


def test_the_p_value_is_that_of_a_bootstrap_written_out():
    found = compare(FIRST, SECOND)
    drawn = written_out(FIRST, SECOND)
    centre = statistics.fmean(drawn)
    beyond = sum(abs(d - centre) >= abs(found.difference) for d in drawn)
    assert found.test == "bootstrap"
    assert found.p == pytest.approx(beyond / len(drawn), abs=0.02)
    assert 0 < found.p < 0.2


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(first_only, second_only):
    from scipy.stats import binomtest

    n = first_only + second_only
    wanted = binomtest(first_only, n).pvalue if n else 1.0
    assert mcnemar(first_only, second_only) == pytest.approx(wanted, rel=1e-9)


def test_mcnemar_takes_many_questions():
    from scipy.stats import binomtest

    wanted = binomtest(30_000, 61_000).pvalue
    assert mcnemar(30_000, 31_000) == pytest.approx(wanted, rel=1e-6)


def test_marks_are_compared_exactly():
    found = compare(*MARKS)
    first, second = MARKS
    only = [
        sum(a > b for a, b in zip(x, y, strict=True))
        for x, y in (
            (first, second),
            (second, first),
        )
    ]
    assert found.test == "mcnemar"
    assert found.p == mcnemar(*only)
    hundred = compare(*([100 * mark for mark in marks] for marks in MARKS), upper=100.0)
    assert (hundred.test, hundred.p) == ("mcnemar", found.p)
    assert hundred.difference == pytest.approx(100 * found.difference)


def test_swapping_the_systems_turns_the_sign():
    for first, second in ((FIRST, SECOND), MARKS):
        one, other = compare(first, second), compare(second, first)
        assert one.difference == pytest.approx(-other.difference)
        assert one.p == pytest.approx(other.p, abs=0.02)
        assert one.needed == other.needed


def test_the_same_call_gives_the_same_result():
    assert compare(FIRST, SECOND) == compare(FIRST, SECOND)
    assert compare(FIRST, SECOND) != compare(FIRST, SECOND, seed=5)


def test_equal_systems_do_not_differ():
    for scores in (FIRST, MARKS[0]):
        found = compare(scores, scores)
        assert found.difference == 0
        assert found.ci95 == (0, 0)
        assert found.p == 1
        assert found.needed is None


def test_only_questions_that_both_have_are_compared():
    first = [*FIRST, None, 1.0, None]
    second = [*SECOND, 1.0, None, None]
    assert compare(first, second) == compare(FIRST, SECOND)
    assert compare([None, 1.0], [1.0, None]) is None
    assert compare([], []) is None
    with pytest.raises(ValueError, match="shorter|longer"):
        compare([1.0], [])


def test_one_question_shows_nothing():
    found = compare([0.25], [0.75])
    assert found.ci95 is None
    assert found.p == 1
    assert found.needed is None


@given(
    st.lists(
        st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 2 / 3, 1.0])] * 2), max_size=9
    ),
    st.integers(1, 200),
)
def test_few_differences_are_tested_by_all_ways_to_swap(pairs, equal):
    first = [0.5] * equal + [a for a, _ in pairs]
    second = [0.5] * equal + [b for _, b in pairs]
    found = compare(first, second, resamples=10)
    gaps = [b - a for a, b in pairs]
    swapped = [
        abs(math.fsum(g * s for g, s in zip(gaps, signs, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(gaps))
    ]
    far = sum(each >= swapped[0] - 1e-9 for each in swapped)
    assert found.test == "permutation"
    assert found.p == far / len(swapped)


@pytest.mark.parametrize("few", [*range(1, 10), 20])
def test_the_exact_tests_agree_where_both_fit(few):
    """Scores of which one is no mark are not tested by McNemar; the gaps are the same."""
    first, second = [0.0] * few + [0.5], [1.0] * few + [0.5]
    found, marks = compare(first, second), compare(first[:few], second[:few])
    assert (found.test, marks.test) == ("permutation", "mcnemar")
    assert found.p == pytest.approx(marks.p, rel=1e-12)
    assert marks.p == pytest.approx(2 / 2**few)


def test_fewer_questions_than_can_be_significant_are_never_enough():
    found = compare([0.0] * 3, [1.0] * 3)
    assert found.ci95 is None
    assert found.p == pytest.approx(0.25)
    assert found.needed == 6
    assert mcnemar(0, 5) > 0.05 > mcnemar(0, 6)


def test_so_many_questions_do_show_the_difference():
    """At `needed` questions, about four of five samples are significant."""
    found = compare(FIRST, SECOND)
    gaps = [b - a for a, b in zip(FIRST, SECOND, strict=True)]
    draw = random.Random(11)
    significant = 0
    for _ in range(400):
        sample = draw.choices(gaps, k=found.needed)
        error = statistics.stdev(sample) / found.needed**0.5
        significant += abs(statistics.fmean(sample)) > 1.96 * error
    assert significant / 400 == pytest.approx(0.8, abs=0.07)


def test_both_ways_to_draw_find_the_same_interval(monkeypatch):
    """Values drawn as often as they occur, and questions drawn one by one."""
    random_ = random.Random(5)
    first = [0.0] * 400
    second = [random_.choice([-0.25, 0.0, 0.125, 0.5]) for _ in first]
    found = []
    for cost in (0, 10**9):
        monkeypatch.setattr("tableqa_metrics.compare._COST_OF_A_VALUE", cost)
        found.append(compare(first, second))
    one, other = found
    assert one.ci95 != other.ci95
    assert one.ci95 == pytest.approx(other.ci95, abs=0.003)
    assert one.p == pytest.approx(other.p, abs=0.01)
