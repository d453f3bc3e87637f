"""Value metrics: what is found out without much reading is what reading finds."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, strategies as st

from tableqa_metrics.value import text as value_text
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
