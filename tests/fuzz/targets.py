"""Every public function as a function of one hostile text, with what must hold of it.

`TARGETS` maps a name to a function that takes any `str`, gives it to the library as a
response or an answer and checks the result: no exception, the exact types that the
docstrings name, scores in range, no NaN, and nothing of numpy. References are small and
sound, since a broken one is to raise. A target returns what it got, so that two calls
can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tableqa_metrics import (
    PRF,
    Answer,
    FoundAnswer,
    FoundTable,
    Number,
    RecipeScore,
    Table,
    TatllmScore,
    TatqaScore,
    cell_score,
    evaluate,
    extract_answer,
    extract_program,
    extract_table,
    find_answer,
    find_program,
    find_table,
    finqa_accuracy,
    finqa_answer_correct,
    finqa_execute,
    finqa_program_equal,
    finqa_program_score,
    parse_number,
    recipe_score,
    rms_score,
    tatllm_score,
    tatqa_score,
    value_match,
    value_table_score,
)
from tableqa_metrics.response import after_refusal, missing_reason, visible_text
from tableqa_metrics.scoring.answer_scores import (
    finqa_program_scores,
    finqa_scores,
    tat_scores,
)
from tableqa_metrics.scoring.table_scores import tanq_scores
from tableqa_metrics.scoring.tatllm_scores import tatllm_scores
from tableqa_metrics.table import parse_serialized
from tableqa_metrics.written.dates import CalendarDate, parse_date
from tableqa_metrics.written.numbers import split_scale


REASONS = ("empty", "unfinished_thought", "refusal", "nothing_found")
TABLE = "entity|year|share\nHigh Anxiety|1977|12.5 %\nRent|2005|3,500\n"
ARITHMETIC = {
    "uid": "q1",
    "answer_type": "arithmetic",
    "answer": 22.12,
    "scale": "percent",
}
SPANS = {
    "uid": "q2",
    "answer_type": "multi-span",
    "answer": ["Audit Fees", "$ 1,234"],
    "scale": "thousand",
}
COUNT = {"uid": "q3", "answer_type": "count", "answer": "2", "scale": ""}
QUESTIONS = (ARITHMETIC, SPANS, COUNT)
ROWS = [["", "2019", "2018"], ["revenue", "5829", "5735"], ["cost", "$ 12.5", "14 %"]]
FINQA = {
    "id": "f1",
    "table": ROWS,
    "qa": {
        "program": "subtract(5829, 5735), divide(#0, 5735)",
        "exe_ans": 0.01639,
        "answer": "1.6%",
    },
}


def same(first: Any, second: Any) -> Any:
    """Check that two runs on one text gave the same; return it."""
    assert repr(first) == repr(second)  # FinQA's own NaN is not equal to itself
    return first


def check_plain(value: Any) -> None:
    """Check that a result is of Python's own types, finite, and whole."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            assert type(key) is str
            check_plain(item)
    elif value is not None:
        assert type(value) in (str, bool, int, float), type(value)
        assert type(value) is not float or math.isfinite(value)


def check_scores(scores: Mapping[str, Any], upper: float, words: set[str]) -> None:
    """Check a task's metrics: numbers from 0 to `upper`, words where words belong."""
    check_plain(scores)
    for key, value in scores.items():
        if key in words:
            assert value is None or type(value) is str
        elif value is not None:
            assert type(value) is float
            assert 0 <= value <= (1 if key == "off_format" else upper), (key, value)


def check_prf(score: PRF) -> PRF:
    assert type(score) is PRF
    for value in (score.precision, score.recall, score.f1):
        assert type(value) is float
        assert 0 <= value <= 1
    return score


def answers(text: str) -> Any:
    found = same(find_answer(text), find_answer(text))
    assert type(found) is FoundAnswer
    assert found.answer == extract_answer(text)
    assert (found.answer is None) == (found.reason in REASONS)
    if found.answer is not None:
        answer = found.answer
        assert found.reason is None
        assert type(answer) is Answer
        assert all(type(value) is str for value in answer.values)
        assert type(answer.scale) is str and answer.rule
    check_scores(
        tat_scores(ARITHMETIC, found, prompted="answer_line"),
        1,
        {"no_answer", "off_format"},
    )
    return found


def prompted_answers(text: str) -> Any:
    found = find_answer(text, thinking=True)
    assert (found.answer is None) == (found.reason in REASONS)
    return found


def tables(text: str) -> Any:
    found = same(find_table(text), find_table(text))
    assert type(found) is FoundTable
    assert found.table == extract_table(text)
    assert (found.table is None) == (found.reason in REASONS)
    if found.table is not None:
        assert type(found.table) is Table
        assert found.table.header
        assert found.reason is None and found.rule
        for row in (found.table.header, *found.table.rows):
            assert type(row) is tuple
            assert all(type(cell) is str for cell in row)
        assert type(found.table.serialize()) is type(found.table.to_markdown()) is str
    else:
        assert (found.text, found.rule) == ("", None)
    return found


def scored_tables(text: str) -> Any:
    scores = tanq_scores(TABLE, find_table(text), question_type="simple")
    check_scores(scores, 100, {"no_table", "off_format"})
    return scores


def programs(text: str) -> Any:
    found = same(find_program(text), find_program(text))
    assert found.tokens == extract_program(text)
    assert (found.tokens is None) == (found.reason in REASONS)
    if found.tokens is not None:
        assert all(type(token) is str for token in found.tokens)
    check_scores(
        finqa_program_scores(FINQA, found, prompted="marked"),
        1,
        {"no_answer", "off_format"},
    )
    return found


def finqa_responses(text: str) -> Any:
    scores = finqa_scores(
        FINQA, find_answer(text), find_program(text), prompted="answer_line"
    )
    check_scores(scores, 1, {"no_answer", "off_format"})
    return scores


def finqa_programs(text: str) -> Any:
    execution = same(finqa_execute(text, ROWS), finqa_execute(text, ROWS))
    assert type(execution.valid) is bool
    assert type(execution.value) in (float, str)
    tokens = [*text[:20_000].split(","), "EOF"]
    finqa_execute(tokens, ROWS)
    for program in (text, tokens):
        score = finqa_program_score(FINQA, program)
        assert {score.exe_acc, score.prog_acc} <= {0.0, 1.0}
    accuracy = finqa_accuracy([FINQA], [{"id": "f1", "predicted": tokens}])
    assert accuracy.count == 1
    return execution


def finqa_equality(text: str) -> Any:
    reference = FINQA["qa"]["program"]
    equal = finqa_program_equal(reference, text)
    assert type(equal) is bool
    return equal


def finqa_answers(text: str) -> Any:
    verdicts = [finqa_answer_correct(gold, text) for gold in (0.01639, "yes")]
    assert all(type(verdict) is bool for verdict in verdicts)
    return verdicts


def numbers(text: str) -> Any:
    number = same(parse_number(text), parse_number(text))
    if number is not None:
        assert type(number) is Number
        assert type(number.value) is float and math.isfinite(number.value)
        assert type(number.decimals) is int
    value, scale = split_scale(text)
    assert type(value) is type(scale) is str
    return number


def dates(text: str) -> Any:
    date = parse_date(text)
    assert date is None or type(date) is CalendarDate
    return date


def arithmetic(text: str) -> Any:
    value = evaluate(text)
    check_plain(value)
    assert value is None or type(value) in (int, float)
    return value


def thoughts(text: str) -> Any:
    visible = visible_text(text)
    assert visible.text in text
    assert (visible.text == "") == (visible.reason in ("empty", "unfinished_thought"))
    rest = after_refusal(text)
    assert rest is None or rest in text
    assert missing_reason(text) in REASONS
    return visible, visible_text(text, thinking=True), rest


def recipes(text: str) -> Any:
    scores = [recipe_score("12.5 million", text), recipe_score(text, "12.5 million")]
    assert recipe_score(text, text) == RecipeScore(1.0, 1.0)
    for score in scores:
        assert 0 <= score.em <= score.f1 <= 1
    return scores


def official_tables(text: str) -> Any:
    return check_prf(rms_score(TABLE, text))


def value_tables(text: str) -> Any:
    reference, prediction = parse_serialized(TABLE), parse_serialized(text)
    check_prf(cell_score(reference, prediction))
    return check_prf(value_table_score(reference, prediction))


def values(text: str) -> Any:
    verdicts = [
        value_match(22.12, text, prediction_scale="percent"),
        value_match(22.12, "22.12", prediction_scale=text),
        value_match("12 March 2008", [text]),
        value_match(["3", "5"], text),
        value_match(["3", "5"], [text, "5"]),
        value_match("yes", {"answer": text}),
    ]
    assert all(type(verdict) is bool for verdict in verdicts)
    return verdicts


def official_answers(text: str) -> Any:
    scores = [
        tatqa_score(ARITHMETIC, text, "percent"),
        tatqa_score(ARITHMETIC, "22.12", text),
        tatqa_score(SPANS, [text, "$ 1,234"], "thousand"),
        tatqa_score(SPANS, [text, 5], ""),
        tatqa_score(COUNT, {"answer": text}, "", variant="tatllm"),
        tatqa_score(SPANS, [text], text, variant="tatllm"),
    ]
    for score in scores:
        assert type(score) is TatqaScore
        for value in (score.em, score.f1, score.scale_match):
            assert type(value) is float and 0 <= value <= 1
    return scores


def tatllm_responses(text: str) -> Any:
    scores = [tatllm_score(question, text, dataset="tatqa") for question in QUESTIONS]
    scores.append(tatllm_score(ARITHMETIC, text, dataset="finqa"))
    for score in scores:
        assert type(score) is TatllmScore
        for value in (score.em, score.f1, score.scale_match):
            assert type(value) is float and 0 <= value <= 1
    check_scores(
        tatllm_scores(
            ARITHMETIC,
            text,
            find_answer(text),
            dataset="tatqa",
            prompted="answer_line",
        ),
        1,
        {"no_answer", "off_format"},
    )
    return scores


TARGETS: dict[str, Callable[[str], Any]] = {
    "visible_text": thoughts,
    "find_answer": answers,
    "find_answer, thinking": prompted_answers,
    "find_table": tables,
    "tanq_scores": scored_tables,
    "find_program": programs,
    "finqa_scores": finqa_responses,
    "finqa_execute": finqa_programs,
    "finqa_program_equal": finqa_equality,
    "finqa_answer_correct": finqa_answers,
    "parse_number": numbers,
    "parse_date": dates,
    "evaluate": arithmetic,
    "recipe_score": recipes,
    "rms_score": official_tables,
    "value_table_score": value_tables,
    "value_match": values,
    "tatqa_score": official_answers,
    "tatllm_score": tatllm_responses,
}
