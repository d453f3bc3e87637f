"""What holds for every metric: one registry, one property each.

A metric that breaks a property does so because its released scorer does; each such case
is listed with the metric, and a test shows that the list is no longer than it must be.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

from tableqa_metrics import (
    Table,
    cell_score,
    finqa_answer_correct,
    finqa_program_score,
    recipe_score,
    rms_score,
    tatllm_score,
    tatqa_score,
    value_match,
    value_table_score,
)
from tableqa_metrics.table import table_from_rows


# --- answers

words = st.text("abcdé ,.-'$%()0123456789", min_size=1, max_size=12)
amounts = st.one_of(
    st.integers(-10_000, 10_000), st.decimals(-1000, 1000, places=2).map(float)
)
scales = st.sampled_from(["", "thousand", "million", "billion", "percent"])
questions = st.one_of(
    st.builds(
        lambda answer, scale: {
            "answer_type": "span" if len(answer) == 1 else "multi-span",
            "answer": answer,
            "scale": scale,
        },
        st.lists(words, min_size=1, max_size=4),
        scales,
    ),
    st.builds(
        lambda answer, scale: {
            "answer_type": "arithmetic",
            "answer": answer,
            "scale": scale,
        },
        amounts,
        scales,
    ),
    st.builds(
        lambda answer: {"answer_type": "count", "answer": str(answer), "scale": ""},
        st.integers(0, 30),
    ),
)
anything = st.one_of(
    st.none(),
    words,
    st.text(),
    amounts,
    st.floats(),
    st.booleans(),
    st.lists(st.one_of(words, amounts), max_size=4),
    st.dictionaries(words, amounts, max_size=2),
)


@dataclass(frozen=True)
class AnswerMetric:
    """A metric of answers: how it scores, a reference's own answer, its known zeros.

    `score` returns exact match and F1 of a question, a prediction and its scale.
    """

    score: Callable[[dict, Any, str], tuple[float, float]]
    own: Callable[[dict], Any]
    zero: Callable[[dict], bool] = lambda question: False


def tatqa(variant):
    def score(question, prediction, scale):
        found = tatqa_score(question, prediction, scale, variant=variant)
        return found.em, found.f1

    return score


def tatllm(question, prediction, scale):
    line = f"The answer is: {prediction} #### and its corresponding scale is: {scale}"
    found = tatllm_score(question, line, dataset="tatqa")
    return found.em, found.f1


def value(question, prediction, scale):
    found = value_match(
        question["answer"],
        prediction,
        reference_scale=question["scale"],
        prediction_scale=scale,
    )
    return float(found), float(found)


def recipe(question, prediction, scale):
    found = recipe_score(str(question["answer"]), str(prediction))
    return found.em, found.f1


def as_line(question):
    """The answer as the data set's own replies write it."""
    answer = question["answer"]
    return "#".join(answer) if isinstance(answer, list) else answer


def is_zero(question):
    """A number 0 counts as no answer (`if not prediction`)."""
    return question["answer_type"] == "arithmetic" and question["answer"] == 0


def is_no_line(question):
    """What the reply's own form cannot carry: `#`, and spans that are read as numbers."""
    answer = question["answer"]
    return isinstance(answer, list) and (
        len(answer) > 1 or answer[0] != answer[0].strip() or not answer[0].isalpha()
    )


ANSWERS = {
    "tatqa": AnswerMetric(tatqa("tatqa"), lambda q: q["answer"], is_zero),
    "tatqa, edition of TAT-LLM": AnswerMetric(tatqa("tatllm"), lambda q: q["answer"]),
    "tatllm": AnswerMetric(tatllm, as_line, is_no_line),
    "value": AnswerMetric(value, lambda q: q["answer"]),
    "recipe": AnswerMetric(recipe, lambda q: q["answer"]),
}
answer_metrics = pytest.mark.parametrize("metric", ANSWERS.values(), ids=list(ANSWERS))


@answer_metrics
@given(questions, anything, scales)
def test_scores_are_in_range_and_em_is_at_most_f1(metric, question, prediction, scale):
    em, f1 = metric.score(question, prediction, scale)
    assert em in (0.0, 1.0)
    assert 0.0 <= em <= f1 <= 1.0
    assert type(em) is type(f1) is float


@answer_metrics
@given(questions)
def test_a_reference_scores_full_against_itself(metric, question):
    assume(not metric.zero(question))
    own = metric.own(question)
    assert metric.score(question, own, question["scale"]) == (1.0, 1.0)


def test_the_released_zero_is_one():
    question = {"answer_type": "arithmetic", "answer": 0, "scale": "percent"}
    assert ANSWERS["tatqa"].score(question, 0, "percent") == (0.0, 0.0)
    assert ANSWERS["tatqa"].score(question, "0", "percent") == (1.0, 1.0)
    for name in ("tatqa, edition of TAT-LLM", "value", "tatllm"):
        assert ANSWERS[name].score(question, 0, "percent") == (1.0, 1.0)


# The others compare the text as a whole.
@pytest.mark.parametrize("metric", ["tatqa", "tatqa, edition of TAT-LLM", "value"])
@given(
    st.lists(words, min_size=2, max_size=4, unique=True),
    st.randoms(use_true_random=False),
)
def test_values_may_be_listed_in_any_order(metric, answers, rng):
    metric = ANSWERS[metric]
    question = {"answer_type": "multi-span", "answer": answers, "scale": ""}
    shuffled = rng.sample(answers, len(answers))
    assert metric.score(question, shuffled, "") == (1.0, 1.0)


# --- where official and value are both certain


two_places = st.decimals(1, 9999, places=2)


@given(
    two_places.flatmap(
        lambda gold: st.tuples(
            st.just(str(gold)),
            st.one_of(
                st.sampled_from([gold, gold + Decimal("0.01"), -gold]), two_places
            ).map(str),
        )
    ),
    scales,
)
def test_official_and_value_agree_on_numbers_of_two_places(pair, scale):
    gold, found = pair
    question = {"answer_type": "arithmetic", "answer": float(gold), "scale": scale}
    official = tatqa_score(question, found, scale).em
    # The reference as written: a float has lost the zeros at its end.
    typed = value_match(gold, found, reference_scale=scale, prediction_scale=scale)
    assert official == typed == (gold == found)


@given(
    st.lists(
        st.sampled_from(["red", "green", "blue", "black"]), min_size=1, max_size=3
    ),
    st.lists(
        st.sampled_from(["red", "green", "blue", "black"]), min_size=1, max_size=3
    ),
)
def test_official_and_value_agree_on_words(gold, found):
    question = {"answer_type": "multi-span", "answer": gold, "scale": ""}
    official = tatqa_score(question, found, "").em
    assert official == value_match(gold, found) == (sorted(gold) == sorted(found))


@given(
    st.floats(-1e6, 1e6).map(lambda x: round(x, 5)),
    st.one_of(amounts, st.floats(-9, 9)),
)
def test_what_execution_accuracy_accepts_has_the_value(exe_ans, other):
    for answer in (repr(exe_ans), repr(round(other, 5))):
        if finqa_answer_correct(exe_ans, answer):
            assert value_match(exe_ans, answer, precision="coarser")


@given(st.one_of(st.floats(-1e6, 1e6).map(lambda x: round(x, 5)), st.just("yes")))
def test_an_execution_result_is_right_against_itself(exe_ans):
    assert finqa_answer_correct(exe_ans, str(exe_ans))
    assert finqa_answer_correct(str(exe_ans), str(exe_ans))
    assert value_match(exe_ans, str(exe_ans), precision="coarser")


@given(st.integers(1, 999), st.integers(1, 999))
def test_a_program_scores_full_against_itself(a, b):
    program = f"divide({a}, {b})"
    qa = {"program": program, "exe_ans": round(a / b, 5)}
    score = finqa_program_score({"table": [], "qa": qa}, program)
    assert (score.exe_acc, score.prog_acc) == (1.0, 1.0)


# --- tables

cells = st.sampled_from(
    [
        *("1977", "0", "0.0", "12 km", "nan", "", "a, b", "Hummie Mann", "comedy", "x"),
        *("5 May 2006", "(300)", "$2 million", "12%", "5–7", "São Paulo", "three"),
    ]
)


def names(kind, count):
    return [f"{kind}{'qwrtzp'[i] * 4}" for i in range(count)]


@st.composite
def rectangles(draw, texts=cells):
    """A table of distinct row names and headers."""
    width, height = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    rows = [
        [name, *draw(st.lists(texts, min_size=width - 1, max_size=width - 1))]
        for name in names("row", height)
    ]
    return table_from_rows([["entity", *names("col", width - 1)], *rows])


@st.composite
def changed(draw, table):
    """The table with rows and columns left out, and cells replaced."""
    columns = draw(
        st.lists(st.sampled_from(range(1, len(table.header))), min_size=1, unique=True)
    )
    rows = draw(st.lists(st.sampled_from(table.rows), min_size=1, unique=True))
    lines = [[row[0], *(row[j] for j in columns)] for row in (table.header, *rows)]
    return table_from_rows(
        [lines[0]]
        + [
            [name, *(draw(st.sampled_from([c, "other"])) for c in row)]
            for name, *row in lines[1:]
        ]
    )


def rms(reference, prediction):
    return rms_score(reference.serialize(), prediction.serialize())


@dataclass(frozen=True)
class TableMetric:
    """A metric of tables; `zero` tells cells that do not agree with themselves."""

    score: Callable[[Table, Table], Any]
    zero: Callable[[str], bool] = lambda cell: False
    moves_key: bool = True  # the key column may stand anywhere


def is_nan(cell):
    """What Python reads as NaN or an infinity has no relative error."""
    try:
        return not math.isfinite(float(cell))
    except ValueError:
        return False


TABLES = {
    "cells": TableMetric(cell_score),
    "rms": TableMetric(rms, is_nan, moves_key=False),
    "value": TableMetric(value_table_score),
}
table_metrics = pytest.mark.parametrize("metric", TABLES.values(), ids=list(TABLES))


def parts(score):
    return score.precision, score.recall, score.f1


@table_metrics
@given(
    st.lists(st.lists(cells, max_size=3), max_size=4),
    st.lists(st.lists(cells, max_size=3), max_size=4),
)
def test_table_scores_are_in_range(metric, gold, found):
    score = metric.score(table_from_rows(gold), table_from_rows(found))
    for part in parts(score):
        assert type(part) is float
        assert 0.0 <= part <= 1.0
    low, high = sorted((score.precision, score.recall))
    assert low - 1e-12 <= score.f1 <= high + 1e-12 or score.f1 == 0.0


@table_metrics
@given(rectangles())
def test_a_table_scores_full_against_itself(metric, table):
    score = metric.score(table, table)
    wrong = sum(metric.zero(cell) for row in table.rows for cell in row[1:])
    counted = sum(len(row) - 1 for row in table.rows)
    share = 1 - wrong / counted
    assert parts(score) == pytest.approx((share, share, share), abs=1e-12)


@table_metrics
@given(rectangles(), st.data())
def test_order_of_rows_and_columns_does_not_matter(metric, table, data):
    prediction = data.draw(changed(table))
    width = len(prediction.header)
    columns = data.draw(st.permutations(range(0 if metric.moves_key else 1, width)))
    if not metric.moves_key:
        columns = [0, *columns]
    rows = data.draw(st.permutations(prediction.rows))
    moved = table_from_rows(
        [[r[j] for j in columns] for r in (prediction.header, *rows)]
    )
    expected = metric.score(table, prediction)
    assert parts(metric.score(table, moved)) == pytest.approx(
        parts(expected), abs=1e-12
    )


@table_metrics
@settings(max_examples=200)
@given(rectangles(), st.data())
def test_a_wrong_cell_never_raises_precision(metric, table, data):
    prediction = data.draw(changed(table))
    lines = [list(row) for row in (prediction.header, *prediction.rows)]
    if data.draw(st.booleans()):
        lines.append(["§§§§§§", *["wrong value"] * (len(lines[0]) - 1)])
    else:
        lines = [[*lines[0], "§§§§§§"], *([*row, "wrong value"] for row in lines[1:])]
    worse = metric.score(table, table_from_rows(lines))
    before = metric.score(table, prediction)
    assert worse.precision <= before.precision + 1e-12
    assert worse.recall <= before.recall + 1e-12


@given(rectangles(st.sampled_from(["Hummie Mann", "comedy", "1977"])))
def test_official_and_value_agree_on_right_and_on_unrelated_tables(table):
    assert rms(table, table) == value_table_score(table, table)
    other = Table(
        ("entity", *["§" * 9] * (len(table.header) - 1)),
        tuple(("§" * 9, *["§" * 30] * (len(row) - 1)) for row in table.rows),
    )
    assert rms(table, other) == value_table_score(table, other)
