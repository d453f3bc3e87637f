"""`tatqa_score`: equal to both released editions of the TAT-QA scorer."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from reference.cost import growth
from reference.tatqa_plain import plain_score

from tableqa_metrics import TatqaScore, tatqa_score
from tableqa_metrics.tatqa import _compare
from tableqa_metrics.tatqa.text import (
    EDITIONS,
    answer_string,
    is_number,
    normalize_tatqa,
    scale_factor,
    to_number,
)


VARIANTS = sorted(EDITIONS)
# Released exceptions that the reference causes, not the prediction.
BROKEN_REFERENCES = {"count_gold_float_string", "span_gold_not_list"}


def parts(score: TatqaScore) -> tuple[float, float, float]:
    values = score.em, score.f1, score.scale_match
    assert {type(value) for value in values} == {float}
    return values


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def questions(path: Path) -> list[dict[str, Any]]:
    contexts = json.loads(path.read_text(encoding="utf-8"))
    return [question for context in contexts for question in context["questions"]]


@pytest.fixture(scope="module")
def dev_questions(shared: Path) -> list[dict[str, Any]]:
    return questions(shared / "data" / "tatqa" / "tatqa_dataset_dev.json")


@pytest.fixture(scope="module")
def test_gold_questions(shared: Path) -> list[dict[str, Any]]:
    return questions(shared / "data" / "tatqa" / "tatqa_dataset_test_gold.json")


# The released scorers' own answers


def from_json(value: Any) -> Any:
    """Undo the reference files' spelling of Python values that JSON has none for."""
    if isinstance(value, dict) and set(value) == {"python_float"}:
        return float(value["python_float"])
    if isinstance(value, dict) and set(value) == {"python_tuple"}:
        return tuple(value["python_tuple"])
    return value


@pytest.mark.parametrize("variant", VARIANTS)
def test_odd_inputs_score_as_released(reference, variant):
    cases = [
        case
        for case in reference(f"quirks_{variant}.json")
        if "prediction" in case["inputs"]
    ]
    assert len(cases) > 80
    for case in cases:
        gold, scale = case["inputs"]["gold"], case["inputs"]["pred_scale"]
        prediction = from_json(case["inputs"]["prediction"])
        if case["name"] in BROKEN_REFERENCES:
            with pytest.raises(ValueError, match="malformed reference"):
                tatqa_score(gold, prediction, scale, variant=variant)
            continue
        score = tatqa_score(gold, prediction, scale, variant=variant)
        if "exception" in case["official"]:
            assert parts(score) == (0, 0, 0), case["name"]
            assert score.reason == "malformed", case["name"]
            continue
        official = [case["official"][key] for key in ("em", "f1", "scale")]
        assert list(parts(score)) == official, case["name"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_single_steps_give_what_released_ones_give(reference, variant):
    edition = EDITIONS[variant]
    steps = {
        "is_number": is_number,
        "to_number": lambda text: to_number(text, edition),
        "normalize_answer": lambda text: normalize_tatqa(text, edition),
        "get_answer_str": lambda answers, scale: [
            answer_string(answers, scale, edition)
        ],
        "scale_to_num": scale_factor,
    }
    tried = defaultdict(int)
    for case in reference(f"quirks_{variant}.json"):
        name = case["inputs"].get("function")
        if name not in steps:
            continue
        tried[name] += 1
        value = steps[name](*case["inputs"]["args"])
        assert value == case["official"], case["name"]
        assert type(value) is type(case["official"]), case["name"]
    assert set(tried) == set(steps)


def test_sample_predictions_on_dev_score_as_released(shared, reference, dev_questions):
    official = reference("tatqa_dev_sample_prediction.json")
    path = shared / "data" / "tatqa" / "sample_prediction.json"
    predictions = json.loads(path.read_text(encoding="utf-8"))
    groups = defaultdict(list)
    for question in dev_questions:
        answer, scale = predictions.get(question["uid"], (None, None))
        score = tatqa_score(question, answer, scale)
        expected = official["per_example"][question["uid"]]
        assert (score.em, score.f1) == (expected["em"], expected["f1"])
        groups[question["answer_from"], question["answer_type"]].append(score)
    scores = [score for group in groups.values() for score in group]
    total = official["aggregate"]
    assert len(scores) == total["n"] == 1668
    assert mean([s.em for s in scores]) == pytest.approx(total["em"], abs=1e-12)
    assert mean([s.f1 for s in scores]) == pytest.approx(total["f1"], abs=1e-12)
    right = [s.scale_match for s in scores]
    assert mean(right) == pytest.approx(total["scale"], abs=1e-12)
    for source, row in official["pivot"]["count"].items():
        for kind, count in row.items():
            group = groups[source, kind]
            assert len(group) == count
            for key in ("em", "f1"):
                value = mean([getattr(s, key) for s in group]) if group else 0.0
                released = official["pivot"][key][source][kind]
                assert value == pytest.approx(released, abs=1e-12)


def test_program_of_thoughts_outputs_score_as_released(shared, reference):
    # Its released evaluator hands `pred_answer` and `pred_scale` on as they are.
    (file,) = reference("tatqa_dev_pot.json").values()
    official = file["official_tatqa(first number)"]
    path = shared / "data" / "pot" / "tatqa_dev_program_of_thoughts.jsonl"
    groups = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        score = tatqa_score(row, row["pred_answer"], row["pred_scale"])
        expected = official["per_example"][row["question_id"]]
        assert (score.em, score.f1) == (expected["em"], expected["f1"])
        groups[row["answer_type"]].append(score)
    scores = [score for group in groups.values() for score in group]
    assert len(scores) == official["n"] == 1667
    right = [s.scale_match for s in scores]
    assert mean(right) == pytest.approx(official["scale"], abs=1e-12)
    assert sum(s.reason == "empty" for s in scores) == official["missing"]
    for kind, expected in official["by_type"].items():
        assert len(groups[kind]) == expected["n"]
        for key in ("em", "f1"):
            value = mean([getattr(s, key) for s in groups[kind]])
            assert value == pytest.approx(expected[key], abs=1e-12)


@pytest.mark.parametrize("split", ["dev", "test_gold"])
def test_references_score_themselves_as_released(reference, request, split):
    official = reference(f"tatqa_{split}_selfscore.json")
    scores = {
        question["uid"]: tatqa_score(question, question["answer"], question["scale"])
        for question in request.getfixturevalue(f"{split}_questions")
    }
    imperfect = {uid for uid, score in scores.items() if parts(score) != (1, 1, 1)}
    assert imperfect == set(official["per_example_imperfect"])
    assert {parts(scores[uid]) for uid in imperfect} == {(0, 0, 0)}
    em = mean([score.em for score in scores.values()])
    assert em == pytest.approx(official["aggregate"]["em"], abs=1e-12)


def test_extracted_tatllm_answers_score_as_released(shared, reference):
    official = reference("tatllm_real_7b_by_tatqa_scorer.json")
    path = shared / "data" / "tatllm" / "tatqa_responses_tat_llm_7b_fft.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    gold = {row["uid"]: row["gold"] for row in rows}
    scores = []
    for row in official["per_example"]:
        score = tatqa_score(gold[row["uid"]], row["pred"], row["pred_scale"])
        assert (score.em, score.f1) == (row["em"], row["f1"]), row["uid"]
        scores.append(score)
    assert mean([s.em for s in scores]) == official["ours"]["em"] == 0.775
    assert mean([s.scale_match for s in scores]) == official["ours"]["scale_em"]


# Agreement with the plain twin

PIECES = st.sampled_from(
    [
        *("0", "1", "23", "4.5", "0.0149", "1,234", ".5", "-", "+", "(", "5)", ")"),
        *("$", "€", "%", "percent", "Million", "millions", "hundred", "m", "1e3"),
        *(" ", "  ", "\n", "\xa0", "a", "an", "the", "The", "inf", "-inf", "nan"),
        *("1_000", "２０", "٣", "½", "−", "’", ".", ",", "#", "/", "12-31", "U.S."),
        *("[", "'", '"', "\\", "x", "Y", "June 30", "2019", "1" * 320, "0.005"),
        *("ß", "İ", "Σ", "\x85", "\u200f", "\ud800", "\x00", "None", "1" * 4400),
    ]
)
TEXTS = st.lists(PIECES, max_size=5).map("".join) | st.text(max_size=6)
NUMBERS = (
    st.integers(-1000, 1000)
    | st.floats(-1e6, 1e6)
    | st.floats()
    | st.sampled_from([0, 10**25, 10**400, 0.0044, 2.675])
)
VALUES = st.recursive(
    TEXTS | NUMBERS | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=2)
    ),
    max_leaves=5,
)
GOOD_SCALES = st.sampled_from(["", "thousand", "million", "billion", "percent"])
SCALES = (
    GOOD_SCALES
    | st.sampled_from([None, "Million", "percentage", "none", 5, 0, [], ["x"]])
    | TEXTS
)


@st.composite
def golds(draw) -> dict[str, Any]:
    kind = draw(st.sampled_from(["span", "multi-span", "arithmetic", "count", "date"]))
    if kind in ("span", "multi-span"):
        answer = draw(st.lists(TEXTS, max_size=3))
    elif kind == "count":
        answer = draw(st.integers(0, 9) | st.integers(0, 9).map(str))
    else:
        answer = draw(st.floats(-1e6, 1e6) | st.integers(-999, 999) | TEXTS)
    scale = draw(GOOD_SCALES)
    return {"uid": "u-1", "answer_type": kind, "answer": answer, "scale": scale}


@st.composite
def scored(draw) -> tuple[dict[str, Any], Any, Any]:
    """A question, and a prediction that is odd, right, or nearly right."""
    gold = draw(golds())
    answer = gold["answer"]
    spans = answer if isinstance(answer, list) else [answer]
    near = st.permutations(spans).map(
        lambda order: [f"{span}{end}" for span, end in zip(order, ends, strict=False)]
    )
    ends = draw(st.lists(st.sampled_from(["", "%", ".0", " million"]), min_size=3))
    prediction = draw(VALUES | st.just(answer) | near)
    return gold, prediction, draw(st.just(gold["scale"]) | SCALES)


SPAN = {"uid": "u-1", "answer_type": "span", "answer": ["2019"], "scale": ""}


@pytest.mark.parametrize("variant", VARIANTS)
@given(scored())
@example((SPAN, [1, "x"], ""))
@example((SPAN, 10**5000, ""))
@example(({**SPAN, "answer": ["x"]}, "1" * 4400, ""))
@example(({**SPAN, "answer": ["x"]}, f"x {'1' * 400}%", ""))
def test_equals_plain_twin(variant, case):
    gold, prediction, scale = case
    try:
        score = tatqa_score(gold, prediction, scale, variant=variant)
    except ValueError as error:
        assert "malformed reference" in str(error)
        with pytest.raises((ValueError, OverflowError)):
            plain_score(gold, "x", "", variant=variant)
        return
    try:
        expected = plain_score(gold, prediction, scale, variant=variant)
    except (AttributeError, OverflowError, TypeError, ValueError):
        assert (*parts(score), score.reason) == (0, 0, 0, "malformed")
    else:
        assert parts(score) == expected
    assert 0 <= score.em <= score.f1 <= 1
    assert score.scale_match in (0, 1)


@pytest.mark.parametrize("variant", VARIANTS)
@given(golds())
def test_reference_scores_itself(variant, gold):
    try:
        score = tatqa_score(gold, gold["answer"], gold["scale"], variant=variant)
    except ValueError:
        return  # numbers of thousands of digits
    empty = gold["answer"] in ("", []) if variant == "tatllm" else not gold["answer"]
    if empty and not (variant == "tatllm" and gold["answer"] == []):
        assert score.em == 0
    else:
        assert parts(score) == (1, 1, 1)


@given(st.sets(st.integers(0, 400)), st.sets(st.integers(0, 400)))
@example(set(range(3)), set(range(2, 199)))
def test_f1_is_rounded_as_numpy_rounds(wanted, given_):
    shared = len(wanted & given_)
    precision = shared / len(given_) if given_ else 1.0
    recall = shared / len(wanted) if wanted else 1.0
    total = precision + recall
    f1 = np.float64(2 * precision * recall / total if total else 0.0)
    spans = [
        " ".join(f"t{token}" for token in sorted(side)) for side in (wanted, given_)
    ]
    assert _compare(*spans)[1] == float(round(f1, 2))


# Predictions and references that no scorer should meet


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": "x"}, "span answer 'x' is not a list"),
        ({"answer": None}, "answer is None"),
        ({"answer_type": "count", "answer": "five"}, "'five'"),
        ({"answer_type": "count", "answer": "5.0"}, "'5.0'"),
        ({"answer_type": "count", "answer": math.inf}, "inf"),
        ({"answer_type": "count", "answer": []}, r"\[\]"),
        ({"scale": "hundred"}, "'hundred'"),
        ({"scale": None}, "None"),
        ({"scale": ["million"]}, "million"),
        ({"answer": [f"x {'1' * 400}%"]}, "too large"),
    ],
)
@pytest.mark.parametrize("prediction", ["x", None])
def test_broken_reference_is_shown_with_its_uid(variant, change, message, prediction):
    with pytest.raises(ValueError, match=message) as caught:
        tatqa_score({**SPAN, **change}, prediction, "", variant=variant)
    assert "u-1" in str(caught.value)


@pytest.mark.parametrize("key", ["answer", "answer_type", "scale"])
def test_missing_key_is_named_with_uid(key):
    gold = {k: v for k, v in SPAN.items() if k != key}
    with pytest.raises(ValueError, match=f"u-1.*{key}"):
        tatqa_score(gold, "x", "")


def test_reference_without_any_label_is_an_error():
    with pytest.raises(ValueError, match="u-1.*answer"):
        tatqa_score({"uid": "u-1", "order": 1, "question": "?"}, None, None)
    with pytest.raises(ValueError, match="2019"):
        tatqa_score(["2019"], "2019", "")


def test_mixed_types_in_a_reference_are_an_error_where_they_cannot_be_sorted():
    gold = {**SPAN, "answer_type": "multi-span", "answer": [1, "x"]}
    with pytest.raises(ValueError, match="u-1"):
        tatqa_score(gold, "x", "")
    assert tatqa_score(gold, ["x", 1], "", variant="tatllm").em == 1


def test_tatllm_edition_needs_neither_scale_nor_type():
    assert parts(tatqa_score({"answer": "x"}, "x", "", variant="tatllm")) == (1, 1, 0)


def test_unknown_variant_is_an_error():
    with pytest.raises(ValueError, match="'drop'"):
        tatqa_score(SPAN, "x", "", variant="drop")


def test_reason_tells_empty_from_malformed():
    nested: list[Any] = []
    for _ in range(10_000):
        nested = [nested]
    assert tatqa_score(SPAN, "", "").reason == "empty"
    assert tatqa_score(SPAN, [], "").reason == "empty"
    for malformed in ([None, "x"], [1, "x"], [{}, {}], nested):
        assert tatqa_score(SPAN, malformed, "").reason == "malformed"
    assert tatqa_score(SPAN, "2019", None).reason == "malformed"
    assert tatqa_score(SPAN, "2018", "").reason is None
    assert tatqa_score(SPAN, "", "") == TatqaScore(0.0, 0.0, 0.0)


# Time


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1 ",
        "(",
        "(1",
        ")",
        "%",
        ".",
        "-",
        "5%",
        "a ",
        "é ",
        "\n",
        " ",
        ",",
        "1.",
        "x1",
    ],
)
def test_time_grows_no_faster_than_the_prediction(variant, unit):
    def score(text: str) -> None:
        tatqa_score(SPAN, text, "million", variant=variant)
        tatqa_score(SPAN, f"5{text}x", "", variant=variant)

    # Quadratic time would grow 64 times.
    assert growth(score, lambda size: unit * (size // len(unit)), 20_000, 8) < 32
