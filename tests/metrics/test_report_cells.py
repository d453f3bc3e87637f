"""What the report says of each cell and value adds up to what the metrics say."""

import json

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import (
    Table,
    cell_score,
    rms_score,
    value_match,
    value_table_score,
)
from tableqa_metrics.report.answers import match_answers
from tableqa_metrics.report.cells import TableMatch
from tableqa_metrics.report.diagnosis import why_unequal
from tableqa_metrics.report.match_official import match_by_rms, match_by_text
from tableqa_metrics.report.match_value import match_by_value
from tableqa_metrics.table import parse_serialized, table_from_rows
from tableqa_metrics.value.reading import read_value


WORDS = ["", "n/a", "a", "b", "title", "entity", "High Anxiety", "High Anxieties"]
VALUES = ["1987", "1988", "-2", "2", "5", "5 million", "2006-05-05", "x, y", "y; x"]
cells = st.sampled_from(WORDS + VALUES)
tables = st.lists(st.lists(cells, max_size=4), min_size=1, max_size=5).map(
    table_from_rows
)


def check(match: TableMatch, f1: float) -> None:
    counted = [
        cell
        for side in (match.reference_cells, match.prediction_cells)
        for cell in side.values()
        if cell.counts
    ]
    if not counted:
        return
    assert match.f1 == pytest.approx(f1, abs=1e-12)
    assert sum(match.losses().values()) == pytest.approx(1 - f1, abs=1e-12)


def check_places(match: TableMatch) -> None:
    """Every mark is on a cell that there is, and partners know each other."""
    sides = (
        (match.reference, match.reference_cells, match.prediction_cells),
        (match.prediction, match.prediction_cells, match.reference_cells),
    )
    for grid, own, other in sides:
        for (i, j), cell in own.items():
            filled_up = match.transposed and j >= len(grid[i])
            assert i == -1 or filled_up or grid[i][j] is not None
            if cell.partner is not None:
                back = other[cell.partner]
                assert (back.partner, back.status) == ((i, j), cell.status)


@given(tables, tables)
def test_cells_by_value_add_up(gold, found):
    match = match_by_value(gold, found)
    check(match, value_table_score(gold, found).f1)
    check_places(match)


@given(tables, tables)
def test_datapoints_add_up(gold, found):
    texts = gold.serialize(), found.serialize()
    match = match_by_rms(*texts)
    check(match, rms_score(*texts).f1)
    check_places(match)


@given(tables, tables)
def test_cells_by_text_add_up(gold, found):
    check(match_by_text(gold, found), cell_score(gold, found).f1)


def test_real_pairs_add_up(reference):
    for pair in reference("tanq_pairs.jsonl")[::3]:
        match = match_by_rms(pair["target"], pair["prediction"])
        check(match, pair["official"]["f1"])
        check_places(match)
        gold, found = map(parse_serialized, (pair["target"], pair["prediction"]))
        check(match_by_value(gold, found), value_table_score(gold, found).f1)


GOLD = Table(
    ("entity", "opened", "area", "kind"),
    (
        ("Mill House", "2006", "-12", "mill"),
        ("Pier", "1987", "5 million", "pier, jetty"),
        ("Tower", "1950", "7", "tower"),
    ),
)


@pytest.mark.parametrize(
    ("rows", "place", "status"),
    [
        ([("Mill House", "2006", "-12", "mill")], (1, 1), "match"),
        ([("Mill House", "2007", "-12", "mill")], (1, 1), "wrong_value"),
        ([("Mill House", "2006", "12", "mill")], (1, 2), "wrong_sign"),
        ([("Pier", "1987", "5", "pier, jetty")], (2, 2), "wrong_scale"),
        ([("Pier", "1987", "5 million", "jetty")], (2, 3), "partial"),
        ([("Mill House", "1987", "-12", "mill")], (1, 1), "wrong_row"),
        ([("Mill Houses", "2006", "-12", "mill")], (1, 1), "other_name"),
        ([("Pier", "1987", "5 million", "pier, jetty")], (3, 1), "missing_row"),
        ([("Pier", "1987", "5 million")], (2, 3), "missing_cell"),
        ([("Pier", " ", "5 million", "pier, jetty")], (2, 1), "missing_cell"),
    ],
)
def test_what_became_of_a_wanted_cell(rows, place, status):
    match = match_by_value(GOLD, Table(GOLD.header, tuple(rows)))
    assert match.reference_cells[place].status == status


def test_what_is_not_wanted():
    found = Table(
        ("entity", "opened", "colour"),
        (*((r[0], r[1], "red") for r in GOLD.rows), ("Gate", "1900", "blue")),
    )
    marks = match_by_value(GOLD, found).prediction_cells
    assert marks[1, 2].status == "extra_column"
    assert marks[4, 0].status == marks[4, 1].status == "extra_row"
    assert not marks[4, 0].counts


def test_what_stands_where_nothing_is_wanted():
    blank = Table(GOLD.header, (("Pier", "", "5 million", "pier, jetty"),))
    rows = [("Pier", year, "5 million", "pier, jetty") for year in ("1987", "")]
    matches = [match_by_value(blank, Table(GOLD.header, (row,))) for row in rows]
    assert [m.prediction_cells[1, 1].status for m in matches] == ["extra_cell", "match"]
    assert matches[0].losses() == {"extra_cell": pytest.approx(1 / 3)}


def test_a_prediction_on_its_side():
    turned = table_from_rows(list(zip(GOLD.header, *GOLD.rows, strict=True)))
    match = match_by_value(GOLD, turned)
    assert match.transposed
    assert match.f1 == 1.0
    assert match.reference_cells[1, 2].partner == (2, 1)


@pytest.mark.parametrize(
    ("gold", "found", "why"),
    [
        ("-12.6", "12.6", "wrong_sign"),
        ("14.1%", "-14.1%", "wrong_sign"),
        ("12.6 million", "12.6", "wrong_scale"),
        ("12.6", "-12.6 thousand", "wrong_scale"),
        ("0.141", "14.1", "wrong_scale"),
        ("12.6", "13.6", "wrong_value"),
        ("2008", "-2008", "wrong_value"),
        ("0", "5", "wrong_value"),
        ("5", "0", "wrong_value"),
        ("5 km", "5000", "wrong_value"),
        ("red", "blue", "wrong_value"),
        ("2006-05-05", "2006-05-06", "wrong_value"),
        ("1e308", "1e300", "wrong_value"),
    ],
)
def test_why_values_differ(gold, found, why):
    assert why_unequal(read_value(gold), read_value(found)) == why


answers = st.lists(
    st.sampled_from(["2018", "-12.6", "12.6", "red", "blue"]), min_size=1
)


@given(answers, answers)
def test_a_match_is_a_match(gold, found):
    match = match_answers(gold, found)
    assert (match.outcome == "match") == value_match(gold, found)
    for i, value in enumerate(match.reference):
        if value.partner is not None:
            assert match.prediction[value.partner].partner == i


@pytest.mark.parametrize(
    ("gold", "found", "outcome"),
    [
        (["red", "blue"], ["red"], "missing_part"),
        (["red"], ["red", "blue"], "extra_part"),
        (["red", "blue"], ["green", "blue"], "wrong_value"),
        (-5, "5", "wrong_sign"),
        (["red", "blue"], None, "wrong_value"),
    ],
)
def test_how_answers_differ(gold, found, outcome):
    assert match_answers(gold, found).outcome == outcome


@given(st.text() | st.integers() | st.floats() | st.lists(st.text()) | st.none())
def test_any_prediction_can_be_shown(found):
    for value in match_answers(["5", "red"], found).prediction:
        assert isinstance(value.reading, str)
        json.dumps([value.text, value.reading])


def test_both_sides_are_read_with_their_scale():
    match = match_answers(
        12.6, "$12.6", reference_scale="million", prediction_scale="thousand"
    )
    assert match.reference[0].reading == "12,600,000 ±50,000"
    assert match.prediction[0].reading == "12,600 ±50"
    assert match.outcome == "wrong_scale"
