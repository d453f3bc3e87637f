"""`tatllm_score`: equal to the TAT-LLM repository's script, eval aside."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from reference.cost import growth

from tableqa_metrics import TatllmScore, finqa_gold, tatllm_score, tatqa_score
from tableqa_metrics.tatllm import clean_equation, equation_value, numbers_match
from tableqa_metrics.tatqa.text import all_numbers


ARITHMETIC = {"uid": "u-1", "answer_type": "arithmetic", "answer": 8, "scale": ""}


def steps(equation: str, *, kind: str = "Arithmetic", answer: str = "8") -> str:
    return (
        f"| step | output |\n| 1 | {kind} |\n| 2 | a#b |\n| 3 | {equation} |\n"
        f"| 4 | {answer} |\n| 5 | none |\n\n"
        f"The answer is: {answer} #### and its corresponding scale is: none"
    )


def check(score: TatllmScore, official: dict[str, Any], name: str) -> None:
    """Compare with the script's answer, types included."""
    if "crash" in official:
        assert score == TatllmScore(0.0, 0.0, 0.0, None, ""), name
        assert score.reason == "malformed", name
        return
    expected = [official[key] for key in ("em", "f1", "scale_em")]
    assert [score.em, score.f1, score.scale_match] == expected, name
    assert repr(score.prediction) == repr(official["pred"]), name
    assert score.scale == official["pred_scale"], name
    assert {type(v) for v in (score.em, score.f1, score.scale_match)} == {float}


# The released script's own answers


def test_real_responses_score_as_released(shared, reference):
    official = reference("tatllm_real_7b_tatqa_1000.json")
    path = shared / "data" / "tatllm" / "tatqa_responses_tat_llm_7b_fft.json"
    rows = {row["uid"]: row for row in json.loads(path.read_text(encoding="utf-8"))}
    scores = []
    for row in official["per_example"]:
        gold, response = rows[row["uid"]]["gold"], rows[row["uid"]]["response"]
        score = tatllm_score(gold, response, dataset="tatqa")
        check(score, row, row["uid"])
        scores.append(score)
    total = official["aggregate"]
    assert len(scores) == total["n"] == 1000
    assert math.fsum(s.em for s in scores) / 1000 == total["em"] == 0.779
    assert math.fsum(s.f1 for s in scores) / 1000 == total["f1"]
    assert math.fsum(s.scale_match for s in scores) / 1000 == total["scale"]


def test_written_responses_score_as_released(reference):
    cases = reference("tatllm_synthetic_responses.json")
    assert len(cases) == 88
    for case in cases:
        if case["name"] == "dqa_literal_dataset_arg_tatdqa":
            continue  # see test_tatdqa_is_read_like_tatqa
        score = tatllm_score(
            case["gold"], case["response"], dataset=case["dataset_arg"]
        )
        check(score, case["official"], case["name"])
        if case["dataset"] == "tatdqa":
            assert score == tatllm_score(
                case["gold"], case["response"], dataset="tatdqa"
            )


def test_odd_responses_score_as_released(reference):
    cases = [
        case for case in reference("quirks_tatllm.json") if "response" in case["inputs"]
    ]
    assert len(cases) > 30
    for case in cases:
        if case["name"] == "parse_equation_caret":
            continue  # see test_exclusive_or_is_not_computed
        gold, response = case["inputs"]["gold"], case["inputs"]["response"]
        score = tatllm_score(gold, response, dataset=case["inputs"]["dataset"])
        check(score, case["official"], case["name"])


def test_single_steps_give_what_released_ones_give(reference):
    functions = {
        "measure_match": numbers_match,
        "clean_equation": clean_equation,
        "extract_all_nums_from_str": all_numbers,
    }
    tried = set()
    for case in reference("quirks_tatllm.json"):
        name = case["inputs"].get("function")
        if name in functions:
            tried.add(name)
            value = functions[name](*case["inputs"]["args"])
            assert repr(value) == repr(case["official"]), case["name"]
    assert tried == set(functions)


def test_empty_list_of_responses_is_no_answer(reference):
    # The script scores it with the answer to the question before, or stops.
    cases = [
        case["inputs"]
        for case in reference("quirks_tatllm.json")
        if case["inputs"].get("function") == "evaluate_json"
    ]
    assert cases
    for case in cases:
        question = case["gold"][-1]["questions"][0]
        responses = case["predictions"][question["uid"]]
        score = tatllm_score(question, responses, dataset="tatqa")
        assert (score, score.reason) == (TatllmScore(0, 0, 0, None, ""), "empty")


def test_own_finqa_responses_all_score(shared):
    data = shared / "data"
    path = data / "finqa" / "finqa_dev_assembled.json"
    records = json.loads(path.read_text(encoding="utf-8"))
    exe_ans = {record["id"]: record["qa"].get("exe_ans") for record in records}
    path = data / "tatllm" / "sft_end_to_end_finqa_dataset_dev.json"
    prompts = json.loads(path.read_text(encoding="utf-8"))
    assert len(prompts) == 848
    for prompt in prompts:
        gold = finqa_gold(exe_ans[prompt["id"]], uid=prompt["id"])
        score = tatllm_score(gold, prompt["resp"], dataset="finqa")
        assert (score.em, score.f1, score.scale_match) == (1, 1, 1), prompt["id"]


# Deviations from the script, as the module lists them


def test_exclusive_or_is_not_computed():
    # 2 ^ 3 is 1 to Python; here the answer line is read instead.
    score = tatllm_score(ARITHMETIC, steps("2^3"), dataset="tatqa")
    assert (score.em, score.prediction) == (1.0, [8])
    # Of floats Python has none either, so that the script reads the answer line too.
    assert equation_value("2.0^3") is None


@pytest.mark.parametrize(
    "equation", ["5 << 1", "~5", "[7, 8][1]", "(5 > 3) + 1", "2**1024", "1 == ()"]
)
def test_other_accidents_are_not_computed(equation):
    assert equation_value(equation) is None
    assert eval(equation) is not None


def test_deeper_parentheses_than_python_allows():
    equation = "(" * 300 + "8" + ")" * 300
    with pytest.raises(SyntaxError):
        eval(equation)
    assert equation_value(equation) == "8"


def test_tatdqa_is_read_like_tatqa(reference):
    (case,) = [
        case
        for case in reference("tatllm_synthetic_responses.json")
        if case["name"] == "dqa_literal_dataset_arg_tatdqa"
    ]
    score = tatllm_score(case["gold"], case["response"], dataset="tatdqa")
    assert score == tatllm_score(case["gold"], case["response"], dataset="tatqa")
    # The parser alone finds no scale when it is called with "tatdqa".
    assert (case["official"]["em"], score.em, score.scale) == (0.0, 1.0, "thousand")


def test_count_where_spans_are_wanted_scores_zero():
    gold = {**ARITHMETIC, "answer_type": "multi-span", "answer": ["a", "b"]}
    score = tatllm_score(gold, steps("N.A.", kind="Count"), dataset="tatqa")
    assert score == TatllmScore(0.0, 0.0, 0.0, None, "")
    assert score.reason == "malformed"


# What the script's peculiarities are


@pytest.mark.parametrize(
    ("equation", "value"),
    [
        ("(2,807 / 2,790 - 1) * 100", "0.6093"),
        ("12 million - 3 million", "9"),
        ("$ 5 + 5%", "10"),
        ("1e3", "13"),
        ("7 / 2", "3.5"),
        ("6 / 2", "3.0"),
        ("2.5 * 1.00005", "2.5001"),
        ("1 / 3000000", "0.0"),
        ("1 / 30000", "0.0"),
        ("1.0 * 10000000000000000000000", "1e+22"),
        ("33555#64839", "33555"),
        ("286.61 > 198.09", "1"),
        ("1 < 2 == 3", "0"),
        ("2 + 3 = 5", None),
        ("n.a.", None),
        ("", None),
        ("#", None),
        ("5 × 3", None),
        ("5 − 3", None),
        ("007", None),
        ("1 000", None),
        ("5 / 0", None),
        ("5 3", None),
        ("5 > ", None),
        ("5\xa0+ 3", None),
    ],
)
def test_equations(equation, value):
    assert equation_value(equation) == value


@pytest.mark.parametrize(
    ("answer", "response", "em"),
    [
        (0.61, "-61.2", 1),
        (0.61, "roughly 61 in 2019", 1),
        (0.61, "62", 0),
        (101, "101.9", 1),
        (101, "102.5", 0),
        (8, "7.99", 1),
        (8, "7.9", 0),
        (8, "in 2018, 800 of 2019", 1),
        ("True", "untrue", 1),
        ("False", "no", 0),
    ],
)
def test_reference_decides_what_counts(answer, response, em):
    gold = {**ARITHMETIC, "answer": answer}
    score = tatllm_score(gold, f"The answer is: {response}", dataset="tatqa")
    assert score.em == em


def test_first_matching_response_of_several_counts():
    responses = ["The answer is: 5", "The answer is: 8", "The answer is: 800"]
    score = tatllm_score(ARITHMETIC, responses, dataset="tatqa")
    assert (score.em, score.prediction) == (1.0, [8])
    score = tatllm_score(ARITHMETIC, ["8", "5"], dataset="tatqa")
    assert score.em == 1.0
    score = tatllm_score(ARITHMETIC, ["4", "5"], dataset="tatqa")
    assert score.prediction == [5]


def test_missing_response_is_no_answer():
    score = tatllm_score(ARITHMETIC, None, dataset="finqa")
    assert (score, score.reason) == (TatllmScore(0, 0, 0, None, ""), "empty")
    # The script reads an empty response like any other.
    assert tatllm_score(ARITHMETIC, "", dataset="tatqa").scale_match == 1.0


def test_own_truth_rows_of_finqa():
    response = "| 1 | 5#3 |\n| 2 | 5 > 3 |\n| 3 | yes |\nThe answer is: yes"
    assert tatllm_score(finqa_gold("yes"), response, dataset="finqa").em == 1
    assert tatllm_score(finqa_gold("no"), response, dataset="finqa").em == 0
    assert (
        tatllm_score(finqa_gold("yes"), "The answer is: yes", dataset="finqa").em == 0
    )


# References


@pytest.mark.parametrize("exe_ans", [None, "n/a", True, "94", [1], math.nan, -math.inf])
def test_finqa_gold_needs_a_number_or_a_truth(exe_ans):
    with pytest.raises(ValueError, match="ETR/2016/page_23.pdf-2"):
        finqa_gold(exe_ans, uid="ETR/2016/page_23.pdf-2")


def test_finqa_gold():
    assert finqa_gold(94.0, uid="x") == {
        "uid": "x",
        "answer": 94.0,
        "answer_type": "arithmetic",
        "scale": "",
    }
    assert finqa_gold("no")["answer"] == "False"


@pytest.mark.parametrize(
    "change",
    [
        {"answer": None},
        {"scale": "hundred"},
        {"answer_type": "span"},
        {"answer_type": "count", "answer": "five"},
        {"answer": "1" * 4400},
    ],
)
@pytest.mark.parametrize("response", ["The answer is: 8", None])
def test_broken_reference_is_shown_with_its_uid(change, response):
    with pytest.raises(ValueError, match="u-1"):
        tatllm_score({**ARITHMETIC, **change}, response, dataset="tatqa")


def test_unknown_dataset_is_an_error():
    with pytest.raises(ValueError, match="'wikitq'"):
        tatllm_score(ARITHMETIC, "8", dataset="wikitq")


# Any response

PIECES = st.sampled_from(
    [
        *("|", " | ", "\n", "1", "2", "3", "arithmetic", "count", "single span"),
        *("Multiple spans", "the answer is:", "####", "#", "and its corresponding"),
        *(" scale is: ", "million", "none", "8", "8.0", "800", "-8", "(", ")", "+"),
        *("/", "*", "**", "^", ">", "%", "1,000", "true", "yes", "9**9**9", "</s>"),
        *("1" * 4400, "２０", "\ud800", "\x00", "\r", "İ", "<think>", "inf", "nan"),
    ]
)
GOLDS = st.sampled_from(
    [
        ARITHMETIC,
        {**ARITHMETIC, "answer": "True"},
        {**ARITHMETIC, "answer": 0.61, "scale": "percent"},
        {**ARITHMETIC, "answer_type": "count", "answer": "2"},
        {**ARITHMETIC, "answer_type": "span", "answer": ["June 30"]},
        {**ARITHMETIC, "answer_type": "multi-span", "answer": ["a", "b"]},
        {"answer": "x"},
    ]
)


@given(
    GOLDS,
    st.lists(PIECES).map("".join) | st.text(),
    st.sampled_from(["tatqa", "finqa"]),
)
@example(ARITHMETIC, steps("9**9**9"), "tatqa")
@example(ARITHMETIC, f"The answer is: {'1' * 4400}", "tatqa")
def test_no_response_raises(gold, response, dataset):
    score = tatllm_score(gold, response, dataset=dataset)
    assert 0 <= score.em <= score.f1 <= 1
    assert score.scale_match in (0, 1)
    if score.reason is None:
        again = tatqa_score(gold, score.prediction, score.scale, variant="tatllm")
        assert (again.em, again.f1) == (score.em, score.f1)


@pytest.mark.parametrize("dataset", ["tatqa", "finqa"])
@pytest.mark.parametrize(
    "unit",
    [
        *(
            "|",
            "\n",
            "|\n",
            "| 1 | 1 |\n",
            "1",
            "1 ",
            "(",
            "#",
            "-",
            ">",
            "the answer is:",
        ),
        *("####", " ", "<think>", "a"),
    ],
)
def test_time_grows_no_faster_than_the_response(dataset, unit):
    def score(text: str) -> None:
        tatllm_score(ARITHMETIC, text, dataset=dataset)
        tatllm_score(ARITHMETIC, steps(text), dataset=dataset)

    # Quadratic time would grow 64 times.
    assert growth(score, lambda size: unit * (size // len(unit)), 20_000, 8) < 32
