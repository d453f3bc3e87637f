"""`cell_score`: the evaluation card's set overlap of body cells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import PRF, Table
from tableqa_metrics.cell_f1 import cell_score
from tableqa_metrics.table import parse_serialized


GOLD = Table(("entity", "year"), (("High Anxiety", "1977"), ("Spaceballs", "1987")))
ZERO = PRF(0.0, 0.0, 0.0)
FULL = PRF(1.0, 1.0, 1.0)


@pytest.fixture(scope="module")
def official_tables(shared: Path) -> list[tuple[Table, Table]]:
    lines = (shared / "data/tanq/test_input.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return [
        (parse_serialized(r["answer_table"]), parse_serialized(r["prediction_table"]))
        for r in records
    ]


def test_mean_over_the_official_samples(official_tables):
    scores = [100 * cell_score(*pair).f1 for pair in official_tables]
    assert len(scores) == 10
    assert round(sum(scores) / 10, 2) == 17.44


def test_mean_over_the_official_samples_if_headers_counted(official_tables):
    pairs = [
        [Table((), (table.header, *table.rows)) for table in pair]
        for pair in official_tables
    ]
    assert round(sum(100 * cell_score(*pair).f1 for pair in pairs) / 10, 2) == 32.79


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        (GOLD, FULL),
        # The header is not counted, right or wrong.
        (Table(("x", "y"), GOLD.rows), FULL),
        (Table(("High Anxiety",), ()), ZERO),
        # Order and place do not matter, nor how often a cell is written.
        (Table((), (("1987", "1977", "Spaceballs", "High Anxiety"),)), FULL),
        (Table((), (*GOLD.rows, *GOLD.rows)), FULL),
        # Stripped, else literal.
        (Table((), ((" Spaceballs\t", "1987\u00a0"),)), PRF(1.0, 0.5, 2 / 3)),
        (Table((), (("spaceballs", "1987.0"),)), ZERO),
        (Table((), (("Spaceballs", "x", "y", "z"),)), PRF(0.25, 0.25, 0.25)),
        # Ragged rows as they are; an empty cell is a cell.
        (Table((), (("Spaceballs",), ("1987", "1977", "High Anxiety"))), FULL),
        (Table((), (*GOLD.rows, ("",))), PRF(0.8, 1.0, 8 / 9)),
        # No table, and a table with nothing in it.
        (None, ZERO),
        (Table((), ()), ZERO),
    ],
)
def test_against_a_gold_table(prediction, expected):
    assert cell_score(GOLD, prediction) == expected


def test_a_reference_without_cells():
    empty = Table(("entity",), ())
    assert cell_score(empty, Table((), ())) == FULL
    assert cell_score(empty, GOLD) == ZERO
    assert cell_score(empty, None) == ZERO


cells = st.sampled_from(["a", " a", "A", "b", "", "1", "1.0", "\ud800"])
tables = st.lists(st.lists(cells, max_size=4), max_size=4).map(
    lambda rows: Table(("x",), tuple(map(tuple, rows)))
)


@given(tables, tables)
def test_range_and_symmetry(one, other):
    score, swapped = cell_score(one, other), cell_score(other, one)
    assert {type(value) for value in vars(score).values()} == {float}
    assert all(0.0 <= value <= 1.0 for value in vars(score).values())
    assert score == PRF(swapped.recall, swapped.precision, swapped.f1)
    assert (score == FULL) == (set_of(one) == set_of(other))


def set_of(table: Table) -> set[str]:
    return {cell.strip() for row in table.rows for cell in row}


@given(tables, tables, st.data())
def test_order_does_not_matter(reference, prediction, data):
    rows = [tuple(data.draw(st.permutations(row))) for row in prediction.rows]
    mixed = Table(("y",), tuple(data.draw(st.permutations(rows))))
    assert cell_score(reference, mixed) == cell_score(reference, prediction)


@given(tables, tables)
def test_a_wrong_cell_never_raises_precision(reference, prediction):
    longer = Table((), (*prediction.rows, ("in no table",)))
    before, after = cell_score(reference, prediction), cell_score(reference, longer)
    assert after.precision <= before.precision
    assert after.recall <= before.recall
