"""Tables in TANQ's form and as GitHub tables."""

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import Table, rms_score
from tableqa_metrics.table import parse_serialized


CELL = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="|"), min_size=1
)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (Table((), ()), ""),
        (Table(("a",), ()), "a\n"),
        (Table(("a", "b"), (("1",), ("1", "2", "3"))), "a|b\n1\n1|2|3\n"),
        (Table(("a", "b"), (("x|y", "p\nq\r\nr"),)), "a|b\nx y|p q r\n"),
        (Table(("a", "b"), (("", ""),)), "a|b\n|\n"),
        (Table(("a", "b"), (), title="t|u"), "title|t u\na|b\n"),
    ],
)
def test_serialize_pads_nothing(table, text):
    assert table.serialize() == text


@pytest.mark.parametrize("name", ["title", "Title", "TITLE"])
def test_a_first_column_called_title_is_no_title(name):
    table = Table((name, "year"), (("Rent", "2005"),))
    assert rms_score("Title |year\nRent|2005\n", table.serialize()).f1 == 1.0
    assert parse_serialized(table.serialize()) == table


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.tuples(*[CELL] * n), min_size=1, max_size=5)
    )
)
def test_a_table_survives_tanqs_form(rows):
    table = Table(rows[0], tuple(rows[1:]))
    assert parse_serialized(table.serialize()) == table


@pytest.mark.parametrize(
    ("rows", "ragged"),
    [((("1", "2"),), False), ((("1",),), True), ((("1", "2", "3"),), True)],
)
def test_ragged(rows, ragged):
    assert Table(("a", "b"), rows).ragged is ragged


@pytest.mark.parametrize("header", [["a", "b"], ("a", "b")])
@pytest.mark.parametrize("rows", [[["1", "2"], ["3"]], (("1", "2"), ["3"])])
def test_lists_become_tuples(header, rows):
    table = Table(header, rows)
    assert table == Table(("a", "b"), (("1", "2"), ("3",)))
    assert hash(table) == hash(Table(("a", "b"), (("1", "2"), ("3",))))
    assert table.header == ("a", "b")
    assert table.rows == (("1", "2"), ("3",))


def test_markdown_is_rectangular_and_escaped():
    table = Table(("a", "p | q"), (("1",), ("x\ny", "2", "3")))
    assert table.to_markdown().splitlines() == [
        r"| a | p \| q |  |",
        "| --- | --- | --- |",
        "| 1 |  |  |",
        "| x y | 2 | 3 |",
    ]
    assert Table((), ()).to_markdown() == ""
