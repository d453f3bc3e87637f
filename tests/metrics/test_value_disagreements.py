"""Where `value_em` and the official `em` differ on real model outputs, by cause.

The docstring of `tableqa_metrics.value` shows the same table. Every one of these 68
answers was read by eye, with its question and the derivation of the reference.
"""

import json
import re
from collections import Counter

import pytest

import tableqa_metrics.value
from tableqa_metrics import parse_number, tatqa_score, value_match
from tableqa_metrics.value.reading import SCALES
from tableqa_metrics.written.dates import parse_date
from tableqa_metrics.written.numbers import split_scale


# What `value_em` says, the cause, and how often: Program-of-Thoughts, TAT-LLM.
CLASSES = {
    (True, "scale"): (21, 1),
    (True, "enumeration"): (12, 0),
    (True, "precision"): (11, 1),
    (True, "zero"): (5, 0),
    (True, "brackets"): (4, 0),
    (True, "unit"): (5, 0),
    (True, "mark"): (1, 0),
    (True, "wording"): (5, 0),
    (True, "date"): (1, 0),
    (False, "sign"): (1, 0),
}


def cause(gold, prediction, scale, value):
    """Name what the released scorer made a difference of, or overlooked."""
    answers = gold["answer"] if isinstance(gold["answer"], list) else [gold["answer"]]
    given = prediction if isinstance(prediction, list) else [prediction]
    if not value and tatqa_score(gold, prediction, scale).em:
        positive = [str(answer).strip("()") for answer in answers]
        same = value_match(
            positive, given, reference_scale=gold["scale"], prediction_scale=scale
        )
        return "sign" if same else None
    if prediction == 0:
        return "zero"  # as an int or float it counts as no answer
    if len(answers) != len(given):
        return "enumeration"  # a list against a sentence that lists the same
    if any(str(answer) != str(answer).strip("`") for answer in answers):
        return "mark"  # a stray one in the reference
    if scale not in SCALES:
        return "unit"  # the scale field holds a unit or a currency
    if any(parse_date(str(a)) and not parse_number(str(a)) for a in answers):
        return "date"
    written = [split_scale(str(answer)) for answer in answers]
    said = [split_scale(str(answer)) for answer in given]
    if {w for _, w in written} | {gold["scale"]} != {w for _, w in said} | {scale}:
        return "scale"  # another scale, or one that is stated twice
    digits = [[places(text) for text, _ in side] for side in (written, said)]
    if -1 not in digits[0] and digits[0] < digits[1]:
        return "precision"  # more digits than the reference is written with
    if any("(" in text for text, _ in written):
        return "brackets"
    if any(re.search("[A-Za-z]|[0-9],[0-9]", text) for text, _ in written):
        return "wording"
    return None


def places(text):
    number = parse_number(text)
    return -1 if number is None else number.decimals


@pytest.fixture(scope="module")
def real_answers(shared):
    """Pairs of a source and what its model answered: question, prediction, scale."""
    questions = {}
    for split in ("dev", "test_gold"):
        path = shared / "data" / "tatqa" / f"tatqa_dataset_{split}.json"
        for context in json.loads(path.read_text(encoding="utf-8")):
            questions |= {
                question["uid"]: question for question in context["questions"]
            }
    path = shared / "data" / "pot" / "tatqa_dev_program_of_thoughts.jsonl"
    answers = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        # Rows without a question of the public file carry their own reference.
        gold = questions.get(row["question_id"], row)
        answers.append(("pot", gold, row["pred_answer"], row["pred_scale"]))
    path = shared / "reference" / "tatllm_real_7b_by_tatqa_scorer.json"
    for row in json.loads(path.read_text(encoding="utf-8"))["per_example"]:
        answers.append(
            ("tatllm", questions[row["uid"]], row["pred"], row["pred_scale"])
        )
    return answers


def test_each_disagreement_has_a_named_cause(real_answers):
    found = {"pot": Counter(), "tatllm": Counter()}
    for source, gold, prediction, scale in real_answers:
        official = tatqa_score(gold, prediction, scale).em
        value = value_match(
            gold["answer"],
            prediction,
            reference_scale=gold["scale"],
            prediction_scale=scale,
        )
        if official != value:
            why = cause(gold, prediction, scale, value)
            assert why, (gold["answer"], gold["scale"], prediction, scale)
            found[source][value, why] += 1
    assert Counter(source for source, *_ in real_answers) == {
        "pot": 1667,
        "tatllm": 1000,
    }
    assert {
        key: (found["pot"][key], found["tatllm"][key])
        for key in found["pot"] | found["tatllm"]
    } == CLASSES


def test_the_docstring_has_the_same_table():
    rows = re.findall(
        r"^    (right|wrong) +(\w+) +(\d+) +(\d+) ",
        tableqa_metrics.value.__doc__,
        re.MULTILINE,
    )
    assert {
        (verdict == "right", name): (int(a), int(b)) for verdict, name, a, b in rows
    } == CLASSES
