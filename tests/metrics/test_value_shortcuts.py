"""Value metrics: what is found out without much reading is what reading finds."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, strategies as st

from tableqa_metrics.table import Table
from tableqa_metrics.value import pairing, text as value_text
from tableqa_metrics.value.cells import Text
from tableqa_metrics.value.enumeration import parts_of
from tableqa_metrics.value.reading import read_value
from tableqa_metrics.value.text import fold_text


words = st.sampled_from(
    [
        "the",
        "The",
        "a",
        "an",
        "A",
        "True",
        "false",
        "Beatles",
        "b",
        "and",
        ",",
        " ",
        "  ",
    ]
)
marks = st.sampled_from(
    ["&", "; ", "/", "5", "1,234", "2019", "June 30", ".", "-", "é"]
)


@given(st.lists(words, max_size=8).map("".join))
def test_words_fold_as_any_text(text):
    with patch.object(value_text, "_WORDS", value_text.re.compile("(?!)")):
        expected = fold_text(text)
    assert fold_text(text) == expected


@given(st.lists(words | marks, max_size=6).map("".join))
def test_parts_of_a_cell_are_read_as_each_alone(text):
    for found, at_and in ((Text(text).values, False), (Text(text).atoms, True)):
        parts = map(read_value, parts_of(text, at_and=at_and))
        assert found == list(dict.fromkeys(v for v in parts if v is not None))


names = st.sampled_from(
    [
        "",
        "a",
        "A",
        "the a",
        "aa",
        "a (b)",
        "a (km)",
        "2008",
        "2008.0",
        "sales 2008",
        "5 km",
    ]
)
cells = st.sampled_from(
    ["1957", "1957.0", "19x57", "Oslo", "oslo", "a, b", "b and a", ""]
)


@st.composite
def tables_of_like_names(draw):
    header = draw(st.lists(names, min_size=1, max_size=4))
    rows = [
        (draw(names), *(draw(cells) for _ in header[1:]))
        for _ in range(draw(st.integers(1, 4)))
    ]
    others = draw(st.permutations(header) | st.lists(names, min_size=1, max_size=4))
    given_rows = draw(
        st.permutations(rows)
        | st.lists(st.lists(names | cells, max_size=4).map(tuple), max_size=4)
    )
    return Table(tuple(header), tuple(rows)), Table(tuple(others), tuple(given_rows))


@given(tables_of_like_names())
def test_names_written_alike_are_paired_as_a_look_at_all_names_pairs_them(tables):
    with patch.object(pairing, "equal_names", lambda golds, others: None):
        expected = pairing.pair_tables(*tables)
    assert pairing.pair_tables(*tables) == expected


def test_a_name_that_stands_twice_takes_one_that_is_like_it():
    gold = Table(("key", "sales", "sales"), (("a", "1", "2"),))
    found = Table(("key", "sales", "salex"), (("a", "1", "2"),))
    columns = pairing.pair_tables(gold, found).columns
    assert [(i, j) for i, j, _ in columns] == [(1, 1), (2, 2)]
