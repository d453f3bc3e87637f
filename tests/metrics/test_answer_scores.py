"""Every score of one answer: what each metric is given, and that no text breaks it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tableqa_metrics import find_answer, find_program
from tableqa_metrics.scoring.answer_scores import (
    answer_text,
    finqa_program_scores,
    finqa_scores,
    number_text,
    tat_scores,
)


GOLDS = (
    {"answer_type": "span", "answer": ["$1.5 million"], "scale": ""},
    {"answer_type": "multi-span", "answer": ["2018", "2019"], "scale": ""},
    {"answer_type": "arithmetic", "answer": -7.25, "scale": "percent"},
    {"answer_type": "arithmetic", "answer": 0, "scale": "million"},
    {"answer_type": "count", "answer": "3", "scale": ""},
)
RECORDS = tuple(
    {
        "id": "r",
        "table": [["", "2012", "2011"], ["net sales", "509.9", "493.0"]],
        "qa": {"program": program, "exe_ans": exe_ans},
    }
    for program, exe_ans in (
        ("subtract(509.9, 493.0), divide(#0, 493.0)", 0.03428),
        ("table_max(net sales, none)", 509.9),
        ("greater(509.9, 493.0)", "yes"),
    )
)
WORDS = ("no_answer", "off_format")
LINE = "The answer is: {} #### and its corresponding scale is: {}"

pieces = st.sampled_from(
    (
        *("The answer is: ", " #### and its corresponding scale is: ", "million", "%"),
        *(
            "12.5",
            "-",
            "(",
            ")",
            "#",
            ";",
            " and ",
            "\n",
            "| 4 | ",
            "<think>",
            "</think>",
        ),
        *("Program: ", "divide(", "table_max(net sales, none)", "#0", "493.0", ", "),
        *('{"answer": ', "[", "]", "}", "null", '"', "\\boxed{", "**", "yes", "\ud800"),
        *("9" * 5000, "inf", "nan", "\x00", "٣", "１２", "\u202e"),
    )
)
responses = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=12).map("".join))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=6,
)


def check(scores: dict[str, Any], keys: set[str]) -> None:
    assert scores.keys() == keys
    for key, value in scores.items():
        if key in WORDS:
            assert value is None or isinstance(value, str)
        else:
            assert value is None or (type(value) is float and 0 <= value <= 1)
    if scores["no_answer"] is not None:
        # The released scorer takes a list of blank texts for an answer with a scale.
        others = {
            key: v for key, v in scores.items() if key not in (*WORDS, "scale_acc")
        }
        assert set(others.values()) <= {0.0, None}


TAT_KEYS = {
    *("em", "f1", "em_gold_scale", "f1_gold_scale", "scale_acc", "value_em"),
    *("recipe_em", "recipe_f1", *WORDS),
}
FINQA_KEYS = {"exe_acc", "prog_acc", "value_em", "recipe_em", "recipe_f1", *WORDS}


def check_every_score(response: str) -> None:
    found, program = find_answer(response), find_program(response)
    for gold in GOLDS:
        scores = tat_scores(gold, found, prompted="answer_line")
        check(scores, TAT_KEYS)
        assert scores["em"] <= scores["f1"]
        assert scores["em_gold_scale"] <= scores["f1_gold_scale"]
    for record in RECORDS:
        plain = finqa_scores(record, found, program, prompted="plain_answer_line")
        check(plain, FINQA_KEYS)
        assert (plain["prog_acc"] is None) == (program.tokens is None)
        check(finqa_program_scores(record, program, prompted="marked"), FINQA_KEYS)


@given(responses)
def test_any_response_has_its_scores(response):
    check_every_score(response)


@given(values, st.sampled_from(("", "million", "percent", "lakh", "x")))
def test_any_json_answer_has_its_scores(answer, scale):
    check_every_score(json.dumps({"answer": answer, "scale": scale}))


@settings(max_examples=25)
@given(st.sampled_from(("12.5 ", "(", "#0, ", "add(1, ", "| 1 |\n", '{"answer": ')))
def test_a_long_response_has_its_scores(piece):
    check_every_score(piece * 2000)


@pytest.mark.parametrize("gold", GOLDS)
def test_the_reference_scores_full(gold):
    answer = gold["answer"]
    text = "#".join(answer) if isinstance(answer, list) else answer_text(answer)
    found = find_answer(LINE.format(text, gold["scale"] or "none"))
    scores = tat_scores(gold, found, prompted="answer_line")
    full = {key: None if key in WORDS else 1.0 for key in scores}
    assert scores == full


@pytest.mark.parametrize("record", RECORDS)
def test_the_reference_of_finqa_scores_full(record):
    qa = record["qa"]
    program = find_program(f"Program: {qa['program']}")
    full = {key: None if key in WORDS else 1.0 for key in FINQA_KEYS}
    assert finqa_program_scores(record, program, prompted="marked") == full
    response = f"The answer is: {answer_text(qa['exe_ans'])}"
    found, nothing = find_answer(response), find_program(response)
    scores = finqa_scores(record, found, nothing, prompted="plain_answer_line")
    assert scores == {**full, "prog_acc": None}


@pytest.mark.parametrize(
    ("response", "granted"),
    [
        # The reference has a scale: it replaces the stated one, wherever that stood.
        (LINE.format("-7.25", "none"), 1),
        (LINE.format("-7.25", "million"), 1),
        ("-7.25", 1),
        ("-7.25%", 1),
        ("Answer: -7.25 million", 1),
        ('{"answer": -7.25, "scale": "billion"}', 1),
        ("-0.0725", 0),
    ],
)
def test_the_scale_of_the_reference_is_granted(response, granted):
    scores = tat_scores(GOLDS[2], find_answer(response), prompted="answer_line")
    assert scores["em_gold_scale"] == scores["f1_gold_scale"] == granted


STEPS = """| step | output |
| 1 | Single span |
| 2 | - |
| 3 | N.A. |
| 4 | {} |
| 5 | {} |"""


@pytest.mark.parametrize(
    ("response", "em", "granted"),
    [
        # It has none: only a scale stated apart from the answer is taken away.
        ("$1.5 million", 1, 1),
        ("Answer: $1.5 million", 1, 1),
        (LINE.format("$1.5 million", "none"), 1, 1),
        (LINE.format("$1.5", "million"), 1, 0),
        ('{"answer": "$1.5 million", "scale": ""}', 1, 1),
        ('{"answer": "$1.5", "scale": "million"}', 1, 0),
        ("{'answer': '$1.5', 'scale': 'million'}", 1, 0),
        ('{"answer": "$1.5 million"}', 1, 1),
        ("Answer: $1.5\nScale: million", 1, 0),
        ("Scale: million\nAnswer: $1.5", 1, 0),
        ("Answer: $1.5, scale: million", 1, 0),
        ("Answer: $1.5 million\nScale: million", 1, 1),
        ("Answer (in millions): $1.5", 1, 0),
        ("$1.5\nScale: million", 1, 0),
        ("$1.5\nmillion", 1, 0),
        ("$1.5 #### million", 1, 0),
        ("<answer>$1.5</answer><scale>million</scale>", 1, 0),
        ("<answer>$1.5 million</answer>", 1, 1),
        (r"\boxed{$1.5}, scale: million", 1, 0),
        (r"\boxed{$1.5 million}", 1, 1),
        ("| answer | scale |\n|---|---|\n| $1.5 | million |", 1, 0),
        ("| answer | $1.5 million |\n| scale | million |", 1, 1),
        (STEPS.format("$1.5", "million"), 1, 0),
        (STEPS.format("$1.5 million", ""), 1, 1),
        ("$1.5", 0, 0),
    ],
)
def test_a_scale_in_the_text_of_the_answer_stays(response, em, granted):
    scores = tat_scores(GOLDS[0], find_answer(response), prompted="answer_line")
    assert (scores["em"], scores["em_gold_scale"]) == (em, granted)


@pytest.mark.parametrize(
    ("value", "text"),
    [(94.0, "94"), (0.01639, "0.01639"), (-0.0, "0"), (1e-7, "1e-07"), (1e16, "1e+16")],
)
def test_numbers_as_text(value, text):
    assert number_text(value) == text
    assert float(text) == value
