"""The list of known defects, each looked up in the released files."""

import json
import re

import pytest

from tableqa_metrics import evaluate, tatqa_score, value_match
from tableqa_metrics.defects import (
    BENCHMARKS,
    DEFECTS,
    KINDS,
    affected,
    known_defects,
)
from tableqa_metrics.written.numbers import split_scale


FILES = {
    ("tatqa", "dev"): "tatqa/tatqa_dataset_dev.json",
    ("tatqa", "test"): "tatqa/tatqa_dataset_test_gold.json",
    ("tatdqa", "dev"): "tatdqa/tatdqa_dataset_dev.json",
    ("tatdqa", "test"): "tatdqa/tatdqa_dataset_test.json",
    ("finqa", "dev"): "finqa/finqa_dev_assembled.json",
    ("finqa", "test"): "finqa/finqa_test_assembled.json",
}
# Reported publicly, on files that are not at hand: FinQA's train split, and benchmarks
# that this package does not run.
REPORTED_ONLY = [
    ("finqa", "ANSS/2008/page_89.pdf-1"),
    ("convfinqa", "Double_AOS/2004/page_11.pdf"),
    ("tablebench", ""),
]


@pytest.fixture(scope="module")
def items(shared):
    """Every item of the files at hand, by benchmark and split, then by id."""
    found = {}
    for key, name in FILES.items():
        rows = json.loads((shared / "data" / name).read_text(encoding="utf-8"))
        if key[0] == "finqa":
            found[key] = {row["id"]: row for row in rows if row.get("id")}
        else:
            questions = [(q, row) for row in rows for q in row["questions"]]
            found[key] = {q["uid"]: {**q, "context": row} for q, row in questions}
    return found


def quotient(question):
    """What the derivation of an answer computes."""
    return evaluate(re.sub(r"\$|(?<=\d),(?=\d{3})", "", question["derivation"]))


def is_ratio(question):
    ratio = quotient(question)
    return question["scale"] == "percent" and value_match(question["answer"], ratio)


def is_reversed(question):
    """The difference of a percentage, of which the year before was taken away."""
    (row,) = (
        row
        for row in question["context"]["table"]["table"]
        if row[0].startswith("ROFE")
    )
    return value_match(question["answer"], float(row[2]) - float(row[1]))


def is_zero(question):
    given = {"answer": 0, "text": "0"}
    scores = {
        k: tatqa_score(question, v, question["scale"]).em for k, v in given.items()
    }
    return question["answer"] == 0 and scores == {"answer": 0.0, "text": 1.0}


def is_scale_twice(question):
    """Both name a scale, and an answer that says it once is wrong to the scorer."""
    parts = [split_scale(text) for text in question["answer"]]
    once = [number for number, _ in parts]
    said = any(scale for _, scale in parts) and question["scale"]
    return bool(said) and not tatqa_score(question, once, question["scale"]).em


def is_stray(question):
    cleared = [text.replace("`", "") for text in question["answer"]]
    right = tatqa_score(question, cleared, question["scale"]).em
    return cleared != question["answer"] and not right


SHOWS = {
    "scale_twice": is_scale_twice,
    "stray_mark": is_stray,
    "scale_on_year": lambda q: (
        re.fullmatch("20[0-9]{2}", q["answer"][0]) and q["scale"]
    ),
    "blank_value": lambda q: "" in q["answer"] and len(q["answer"]) > 1,
    "zero_reference": is_zero,
}


@pytest.mark.parametrize(
    "defect", DEFECTS, ids=lambda d: f"{d.benchmark}-{d.kind}-{d.id[:24]}"
)
def test_a_defect_can_be_seen_in_its_file(defect, items):
    if (defect.benchmark, defect.id) in REPORTED_ONLY:
        assert "/issues/" in defect.link
        assert not any(
            defect.id in rows
            for key, rows in items.items()
            if key[0] == defect.benchmark
        )
        return
    item = items[defect.benchmark, defect.split][defect.id]
    if defect.benchmark == "finqa":
        assert item["qa"]["question"].endswith(
            "total number of shares purchased in november"
        )
        assert item["qa"]["program"] == "divide(3655945, 7673266)"
        assert item["table"][2][:2] == ["november 2018", "3655945"]
    elif defect.kind != "wrong_reference":
        assert SHOWS[defect.kind](item)
    elif defect.link.endswith("/issues/12"):
        # TAT-DQA has no table; its question and answer are TAT-QA's.
        twin = items["tatqa", "dev"]["c91ad938-6ad1-4481-8f6b-43ccd2f69926"]
        assert (item["question"], item["answer"]) == (twin["question"], twin["answer"])
        assert is_reversed(twin)
    else:
        assert is_ratio(item)


def test_one_of_the_ratios_is_right_in_tatdqa(items):
    question = items["tatqa", "dev"]["a1fb1d57-243c-49e0-84ee-43d969cd41b0"]["question"]
    (twin,) = (q for q in items["tatdqa", "dev"].values() if q["question"] == question)
    assert (twin["answer"], twin["scale"]) == (8.33, "percent")


@pytest.mark.parametrize("kind", SHOWS)
def test_the_list_of_a_kind_is_complete(kind, items):
    for (benchmark, split), questions in items.items():
        if benchmark == "finqa":
            continue
        lists = kind in ("scale_twice", "scale_on_year", "blank_value", "stray_mark")
        seen = {
            uid
            for uid, question in questions.items()
            if isinstance(question["answer"], list) == lists and SHOWS[kind](question)
        }
        listed = {
            d.id for d in known_defects(benchmark) if (d.split, d.kind) == (split, kind)
        }
        assert listed == seen


def test_what_is_said_of_two_scales_is_so(items):
    for defect in DEFECTS:
        if defect.kind != "scale_twice":
            continue
        question = items[defect.benchmark, defect.split][defect.id]
        words = [split_scale(text)[1] for text in question["answer"]]
        both = f"the text and the scale field both say {question['scale']}"
        each = f"the text says {words[0]}, the scale field {question['scale']}"
        assert defect.what == (both if {*words} == {question["scale"]} else each)


def test_entries_are_well_formed():
    for defect in DEFECTS:
        assert defect.benchmark in BENCHMARKS
        assert defect.kind in KINDS
        assert defect.link.startswith("https://github.com/")
        assert defect.what
    keys = [(d.benchmark, d.id, d.kind) for d in DEFECTS]
    assert len(set(keys)) == len(keys)


def test_affected_counts_each_item_once():
    zeros = [d.id for d in known_defects("tatqa") if d.kind == "zero_reference"]
    assert len(zeros) == 5 + 12
    assert affected("tatqa", [*zeros, *zeros, "another"]) == {"zero_reference": 17}
    reversed_ = "c91ad938-6ad1-4481-8f6b-43ccd2f69926"
    assert affected("tatqa", iter([zeros[0], reversed_])) == {
        "wrong_reference": 1,
        "zero_reference": 1,
    }
    assert affected("tatdqa", [reversed_]) == {}
    assert affected("tanq", ["384__wikidata_intersection__test"]) == {}
    assert affected("finqa", []) == {}


def test_an_unknown_benchmark_is_named():
    with pytest.raises(ValueError, match="tatqaa"):
        affected("tatqaa", [])
