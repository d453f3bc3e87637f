"""`rms_score`: equal to the released TANQ scorer, on any two strings."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st
from reference.rms_tables import WORDS, pairs_of_texts

from tableqa_metrics import PRF
from tableqa_metrics.rms import cells as rms_cells, rms_score
from tableqa_metrics.rms.datapoints import datapoints, read


GOLD = (
    "entity|composer|year\nHigh Anxiety|John Morris|1977\nSpaceballs|John Morris|1987\n"
)


def scores(score: PRF) -> tuple[float, float, float]:
    assert {type(value) for value in vars(score).values()} == {float}
    return score.precision, score.recall, score.f1


# The released scorer's own answers


def official(score) -> tuple[float, float, float]:
    return float(score["precision"]), float(score["recall"]), float(score["f1"])


def test_random_pairs_score_as_released(reference):
    pairs = reference("tanq_pairs.jsonl")
    assert len(pairs) == 1218
    for pair in pairs:
        score = rms_score(pair["target"], pair["prediction"])
        assert scores(score) == official(pair["official"]), pair["id"]


def test_rewritten_golds_score_as_released(reference):
    for name, variation in reference("tanq_variations.json").items():
        for case in variation["per_example"]:
            score = rms_score(case["target"], case["prediction"])
            assert scores(score) == official(case), (name, case["init_qid"])


def test_official_samples_score_as_released(shared: Path, reference):
    expected = reference("tanq_official_samples.json")
    lines = (shared / "data/tanq/test_input.jsonl").read_text("utf-8").splitlines()
    found = {}
    for record in map(json.loads, lines):
        score = rms_score(record["answer_table"], record["prediction_table"])
        found[record["init_qid"]] = scores(score)
    assert found == {k: official(v) for k, v in expected["per_example"].items()}
    for i, name in enumerate(("precision", "recall", "f1")):
        mean = 100 * sum(score[i] for score in found.values()) / len(found)
        aggregate = expected["aggregate"][f"table_datapoints_{name}"]
        assert mean == pytest.approx(aggregate, abs=1e-12)


def test_odd_inputs_score_as_released(reference):
    checked = 0
    for case in reference("quirks_tanq.json"):
        if "target" in case["inputs"]:
            expected = case["official"]
            crashed = "exception" in expected
            score = rms_score(case["inputs"]["target"], case["inputs"]["prediction"])
            assert scores(score) == ((0, 0, 0) if crashed else official(expected)), case
            checked += 1
    assert checked == 50


def raw(text: str) -> str:
    """A table as stored, from what the released functions are given."""
    return text.replace(" | ", "|")


def parsed(text: str) -> dict[str, object]:
    table = read(raw(text))
    headers, *rows = table.rows or [[]]
    return {"title": table.title, "headers": headers, "rows": rows}


STEPS = {
    "_to_float": rms_cells.number,
    "anls_metric": rms_cells.anls,
    "_parse_table": parsed,
    "_get_table_datapoints": lambda text: datapoints(read(raw(text))).cells,
    "_get_datapoint_metric": lambda gold, predicted: (
        rms_cells.anls(gold[0], predicted[0])
        * rms_cells.cell_similarity(gold[1], predicted[1])
    ),
}


def test_steps_are_as_released(reference):
    checked = set()
    for case in reference("quirks_tanq.json"):
        function = case["inputs"].get("function")
        if function in STEPS:
            found = STEPS[function](*case["inputs"]["args"])
            if isinstance(found, float) and not math.isfinite(found):
                found = str(found)
            assert found == case["official"], case["name"]
            checked.add(function)
    # The relative distance is not a step of its own here; the cases with numbers above
    # go through it.
    assert checked == set(STEPS)


def test_relative_error():
    assert rms_cells.cell_similarity("10", "10.9") == 1 - 0.09000000000000004
    assert rms_cells.cell_similarity("100", "110") == 0.0
    assert rms_cells.cell_similarity("nan", "nan") == 0.0
    assert rms_cells.cell_similarity("NaN", "NaN") == 0.0
    assert rms_cells.cell_similarity("1e999", "1e999") == 0.0
    assert rms_cells.cell_similarity("9" * 400, "9" * 400) == 0.0
    assert rms_cells.cell_similarity("nine", "nine") == 1.0
    assert rms_cells.cell_similarity("0", "0") == 1.0
    assert rms_cells.cell_similarity("0", "0.0") == 0.0
    assert rms_cells.cell_similarity("1_000", "1000") == 1.0
    assert rms_cells.cell_similarity("٣", "3") == 1.0


# What has no score


@pytest.mark.parametrize("prediction", [None, 5, ["a|b"], b"a|b"])
def test_a_prediction_that_is_no_text_scores_zero(prediction):
    assert rms_score(GOLD, prediction) == PRF(0.0, 0.0, 0.0)


@pytest.mark.parametrize("reference", [None, 5, ["a|b"]])
def test_a_reference_that_is_no_text_is_shown(reference):
    with pytest.raises(ValueError, match=r"None|5|\['a\|b'\]"):
        rms_score(reference, GOLD)


# Properties of the metric

names = st.lists(
    st.text("abcdefgh0123", min_size=1, max_size=4),
    min_size=2,
    max_size=5,
    unique=True,
)


@st.composite
def full_tables(draw) -> list[list[str]]:
    """Rectangular, with names that no two rows or columns share, and finite cells."""
    header, row_names = draw(names), draw(names)
    cell = st.sampled_from([*WORDS, "0", "12.5", "3%", "", "é"])
    body = [[draw(cell) for _ in header] for _ in row_names]
    return [["entity", *header]] + [
        [name, *row] for name, row in zip(row_names, body, strict=True)
    ]


def serialized(table: list[list[str]]) -> str:
    return "".join("|".join(row) + "\n" for row in table)


@given(pairs_of_texts)
def test_scores_are_in_range(pair):
    score = scores(rms_score(*pair))
    assert all(0.0 <= value <= 1.0 for value in score)
    assert (score[2] == 0.0) == (score[0] * score[1] == 0.0)


@given(full_tables())
def test_a_table_scores_full_against_itself(table):
    assert scores(rms_score(serialized(table), serialized(table))) == (1.0, 1.0, 1.0)


@given(full_tables(), st.data())
def test_order_of_rows_and_of_columns_after_the_first_does_not_matter(table, data):
    rows = data.draw(st.permutations(range(1, len(table))))
    columns = data.draw(st.permutations(range(1, len(table[0]))))
    mixed = [[table[i][j] for j in (0, *columns)] for i in (0, *rows)]
    assert scores(rms_score(serialized(table), serialized(mixed))) == (1.0, 1.0, 1.0)


@given(full_tables(), full_tables())
def test_a_prediction_may_be_transposed(gold, table):
    turned = serialized([list(column) for column in zip(*table, strict=True)])
    as_it_is = rms_score(serialized(gold), serialized(table))
    assert rms_score(serialized(gold), turned).f1 == as_it_is.f1


@given(full_tables(), st.integers(0))
def test_a_wrong_number_costs_its_datapoint(table, where):
    i, j = 1 + where % (len(table) - 1), 1 + where % (len(table[0]) - 1)
    cells = (len(table) - 1) * (len(table[0]) - 1)
    gold = [[*row] for row in table]
    gold[i][j], table[i][j] = "100", "250"
    score = rms_score(serialized(gold), serialized(table))
    assert score.precision == score.recall == (cells - 1) / cells


@given(full_tables())
def test_rows_left_out_cost_recall_alone(table):
    assume(len(table) > 2)
    score = rms_score(serialized(table), serialized(table[:-1]))
    assert score.precision == 1.0
    assert score.recall == (len(table) - 2) / (len(table) - 1)


def test_no_heavy_import_before_a_score():
    code = (
        "import sys, tableqa_metrics.rms\n"
        "print({'numpy', 'scipy', 'pandas'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "set()"
