"""Value metrics: what is found out without much reading is what reading finds."""

from __future__ import annotations

import math
import re
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from hypothesis import example, given, settings, strategies as st
from rapidfuzz.distance import Levenshtein

from tableqa_metrics.table import Table
from tableqa_metrics.value import (
    cells as value_cells,
    columns,
    comparison,
    reading,
    text as value_text,
    units,
)
from tableqa_metrics.value.amounts import amount
from tableqa_metrics.value.cells import Text, Texts
from tableqa_metrics.value.enumeration import parts_of
from tableqa_metrics.value.glance import UNSURE, glance, is_mixed, words_of
from tableqa_metrics.value.names import NAME_THETA, _similar
from tableqa_metrics.value.pairing import pair_tables, score_tables
from tableqa_metrics.value.reading import Quantity, ScaleField, read_value
from tableqa_metrics.value.remarks import stated_unit
from tableqa_metrics.value.text import fold_text
from tableqa_metrics.value.units import fold_unit
from tableqa_metrics.written import dates, numbers as written_numbers
from tableqa_metrics.written.first_words import AFTER_DIGITS, BEFORE_ANYTHING
from tableqa_metrics.written.numbers import parse_number
from tableqa_metrics.written.plain_text import MAYBE_DIGIT, plain_text


NOTHING = re.compile("(?!)")


@contextmanager
def without_shortcuts():
    """Read each text in all ways that there are."""
    with ExitStack() as stack:
        for module, name, value in (
            (value_text, "_WORDS", NOTHING),
            (value_text, "_WORDS_AND_DIGITS", NOTHING),
            (reading, "_MOST_DIGITS", -1),
            (reading, "_begins_like_a_text", lambda text: False),
            (reading, "is_mixed", lambda text: False),
            (reading, "MAYBE_DIGIT", re.compile("")),
            (written_numbers, "MAYBE_DIGIT", re.compile("")),
            (dates, "_NUMERIC_FORMS", dates._FORMS),
            (reading, "is_date_at_a_glance", lambda text: False),
            (written_numbers, "_AMOUNT_AT_A_GLANCE", NOTHING),
            (value_cells, "words_of", lambda text: None),
            (value_cells, "glance", lambda text: UNSURE),
            (value_cells, "is_bare_number", lambda text: False),
            (value_cells, "amount", lambda number, unit: None),
            (units, "_LONGEST_KEPT", -1),
        ):
            stack.enter_context(patch.object(module, name, value))
        yield


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


# What texts are made of that come near to being numbers, dates, or plain words.
near_words = st.sampled_from(
    [
        *sorted(BEFORE_ANYTHING | AFTER_DIGITS),
        *("Company", "Oslo", "film", "x", "X", "s", "km", "acres", "years", "both"),
        *(
            "respectively",
            "na",
            "none",
            "unknown",
            "no",
            "in",
            "to",
            "through",
            "season",
        ),
        *("New Zealand dollars", "pounds sterling", "percentage points", "U.S."),
        *("in millions of dollars", "basis points", "per cent", "FY19", "FY2019"),
    ]
)
numbers = st.sampled_from(
    [
        *("1957", "19", "5", "3", "2", "007", "12", "1,234", "1.5", "1e5", "5e-3"),
        *("2019-03-05", "1957-02-30", "0000-01-05", "1957-12-31", "2006-07", "1990s"),
        *("999999999999", "1234567890123", "999999999999999", "5 to 7", "2018/19"),
    ]
)
other_marks = st.sampled_from(
    [
        *(
            "$",
            "%",
            "½",
            "é",
            "Müller",
            "São",
            "\u200b",
            "'",
            "*",
            "(",
            ")",
            "[1]",
            "(km)",
            "km²",
            "\\",
        )
    ]
    + [*("{,}", "\\text{S}", "10^6", "&", ";", "#", "+", "\t", "\n", "–", "~", ">=")]
)
gaps = st.sampled_from(["", "", " ", " ", " ", ", ", ",", "-", ".", "/", "  "])
pieces = st.one_of(
    near_words,
    near_words.map(str.title),
    near_words.map(str.upper),
    numbers,
    st.text("abexzABCEX", min_size=1, max_size=3),
    st.integers(0, 2100).map(str),
    other_marks,
)
texts = st.lists(st.tuples(pieces, gaps), min_size=1, max_size=4).map(
    lambda parts: "".join(piece + gap for piece, gap in parts)
)


@st.composite
def texts_with_a_letter_too_many(draw):
    text = draw(texts)
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.sampled_from("xe1 s.-k,a")) + text[at:]


near_texts = texts | texts_with_a_letter_too_many()


def written(value):
    """All of a value that was read, also what equality leaves out."""
    return (
        repr(value)
        if not isinstance(value, Quantity)
        else tuple(getattr(value, name) for name in Quantity.__slots__)
    )


@settings(max_examples=300)
@given(near_texts)
@example("5  to 7")
@example("15  through  7")
def test_texts_fold_without_shortcuts_alike(text):
    with without_shortcuts():
        expected = fold_text(text)
    assert fold_text(text) == expected


@given(st.lists(words, max_size=8).map("".join))
def test_words_fold_as_any_text(text):
    with without_shortcuts():
        expected = fold_text(text)
    assert fold_text(text) == expected


@settings(max_examples=500)
@given(near_texts, st.sampled_from([("", 1.0), ("million", 1e6), ("percent", 0.01)]))
@example("999999999999999", ("", 1.0))
@example("99999999999999999", ("", 1.0))
@example("Appro\\text{x} 5", ("", 1.0))
@example("EU\u200bR 5", ("", 1.0))
@example("1990s", ("", 1.0))
def test_values_are_read_without_shortcuts_alike(text, scale):
    with without_shortcuts():
        expected = read_value(text, ScaleField(*scale))
    assert written(read_value(text, ScaleField(*scale))) == written(expected)


@settings(max_examples=300)
@given(near_texts)
@example("Franz Sato, anne Bauer")
@example("area in km")
@example("Apollo 5 to 7")
def test_what_is_known_of_words_is_what_reading_finds(text):
    names = ("value", "folded", "single", "values", "atoms", "number", "digits")
    names += ("bare", "unit", "remark", "plain")
    with without_shortcuts():
        plain = Text(text)
        expected = [written(getattr(plain, name)) for name in names]
    quick = Text(text)
    assert [written(getattr(quick, name)) for name in names] == expected


@st.composite
def cells_that_are_alike(draw):
    gold = draw(near_texts)
    changes = [gold.upper(), gold.replace(" ", ", "), gold.replace(", ", " and ")]
    changes += [gold[:4], f"{gold}, {draw(near_texts)}", draw(near_texts)]
    at = draw(st.integers(0, len(gold)))
    return gold, draw(st.sampled_from([*changes, gold[:at] + "x" + gold[at:]]))


@settings(max_examples=500)
@given(cells_that_are_alike(), st.booleans())
@example(("1957", "1957-03-12"), False)
@example(("0000-01-05", "2019-01-05"), False)
@example(("0957", "0957-03-12"), False)
@example(("999999999999999", "999999999999998"), False)
@example(("x b, c", "x, b c"), False)
@example(("007", "7"), False)
@example(("5 and 5", "5"), False)
@example(("years 2018 and 2018", "2018"), False)
@example(("Apollo 11", "Apollo-11"), False)
@example(("Apollo 11", "Apollo-11"), True)
@example(("Apollo 5 to 7", "Apollo 5-7"), False)
@example(("unknown", "not available"), False)
def test_cells_agree_at_a_glance_as_they_do_when_read(pair, swapped):
    gold, other = pair[::-1] if swapped else pair
    with without_shortcuts():
        expected = Texts().agreement(gold, other)
    assert Texts().agreement(gold, other) == expected


# What units and scales are made of, and what comes near.
of_units = st.sampled_from(
    [
        *(
            "km",
            "sq",
            "km²",
            "m2",
            "M",
            "m",
            "bc",
            "pounds",
            "yr",
            "min",
            "s",
            "°",
            "C",
        ),
        *(
            "million",
            "thousands",
            "000",
            "'000",
            "000s",
            "hundred",
            "mn",
            "K",
            "bn",
            "cr",
        ),
        *(
            "%",
            "percent",
            "bps",
            "‰",
            "pp",
            "$",
            "US$",
            "€",
            "£",
            "USD",
            "dollars",
            "Rs",
        ),
        *(
            "in",
            "of",
            "per",
            "and",
            "two",
            "dozen",
            "1",
            "-",
            "1975",
            "May",
            "e",
            "x",
            "(",
        ),
    ]
)
remarks = st.tuples(
    st.lists(of_units, min_size=1, max_size=3),
    st.sampled_from([" ", "", "/", "-", ", "]),
).map(lambda parts: parts[1].join(parts[0]))
plain_numbers = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "", "-", "(", "0"]),
    st.sampled_from(["", "", "$", "£", " ", "$ "]),
    st.integers(0, 2200) | st.integers(0, 10**13).map("{:,}".format) | st.integers(0),
    st.just("") | st.integers(0, 9999999).map(".{}".format),
    st.sampled_from(["", "", ")", "%"]),
)


@settings(max_examples=500)
@given(plain_numbers, remarks)
@example("-0", "$ million")
@example("2019", "bc")
@example("3,058", "$ in millions")
@example("12", "km/h")
@example("5", "M")
def test_a_number_in_the_unit_of_its_header_is_what_reading_finds(number, remark):
    unit = stated_unit(remark)
    found = amount(number, unit) if unit else None
    if unit and found:
        text = number + unit.suffix
        expected = read_value(text)
        assert written(found) == written(expected)
        signs = [math.copysign(1.0, value.value) for value in (found, expected)]
        assert signs[0] == signs[1]  # of zeros, too
        assert parts_of(text) == parts_of(text, at_and=True) == [text]


def test_most_numbers_in_the_unit_of_their_header_need_no_reading():
    for remark in (
        "$ million",
        "in thousands",
        "%",
        "km²",
        "US$",
        "kg",
        "sq mi",
        "'000",
    ):
        for number in ("1", "-1,234.50", "2019", "0", "(5)", "$5", "9" * 12):
            assert amount(number, stated_unit(remark)) is not None, (number, remark)
    for number in ("1.", "1e5", "(5", "5$", "5%", "1,23", "9" * 13, "5 ", ""):
        assert amount(number, stated_unit("$ million")) is None, number


@given(
    st.sampled_from(sorted(dates._MONTH_OF)),
    st.sampled_from([str.title, str.upper, str.lower]),
    st.integers(0, 99),
    st.integers(0, 9999).map("{:04}".format),
)
def test_a_date_at_a_glance_is_no_number(month, case, day, year):
    for text in (f"{day} {case(month)} {year}", f"{case(month)} {day}, {year}"):
        assert dates.is_date_at_a_glance(text)
        assert parse_number(text) is None


def below_as_defined(headers, cell, other):
    """`Texts.agreement_below` as the docstring of `value.table` has it, at its length."""
    texts = Texts()
    (wanted, given) = units_of = [header.unit for header in headers]
    gold, found = texts[cell], texts[other]
    golds, founds = (
        text.text + unit.suffix if unit and text.plain else text.text
        for text, unit in zip((gold, found), units_of, strict=True)
    )
    if not (wanted and given and wanted.factor != given.factor):
        may_mean = gold.may_be_in(given) and found.may_be_in(wanted)
        if gold.plain and found.plain and may_mean:
            pairs = (cell, other), (golds, other), (cell, founds)
            return max(texts.agreement(*pair) for pair in pairs)
    pairs = [(golds, founds)]
    measures = [
        text.value.unit if isinstance(text.value, Quantity) else ""
        for text in (gold, found)
    ]
    if measures[1] and not wanted and headers[0].remark == measures[1] and gold.plain:
        pairs.append((f"{cell} {measures[1]}", other))
    elif measures[0] and not given and headers[1].remark == measures[0] and found.plain:
        pairs.append((cell, f"{other} {measures[0]}"))
    return max(texts.agreement(*pair) for pair in pairs)


cells_below = (
    near_texts | plain_numbers | st.builds("{} {}".format, plain_numbers, remarks)
)


@settings(max_examples=800)
@given(
    st.tuples(remarks, remarks) | remarks.map(lambda remark: (remark, remark)),
    st.tuples(cells_below, cells_below) | cells_below.map(lambda cell: (cell, cell)),
)
@example(("$ million", "$ thousand"), ("5", "5"))
@example(("$ million", "$ million"), ("5", "Franz Sato, Anne Bauer"))
@example(("km", "km"), ("1957", "1957-03-12"))
@example(("pounds", "$"), ("5", "£5"))
@example(("days", "x"), ("5", "5 days"))
@example(("x", "days"), ("5 days", "5"))
@example(("$ million", "$ million"), ("5", "5,000,000"))
@example(("€", "$"), ("5", "$5"))
def test_cells_below_units_agree_as_they_do_when_read(stated, pair):
    headers = [f"size ({remark})" for remark in stated]
    with without_shortcuts():
        expected = below_as_defined(list(map(Text, headers)), *pair)
    assert Texts().agreement_below(tuple(map(Text, headers)), *pair) == expected


def test_most_cells_are_told_apart_at_a_glance():
    seen = {
        "Franz Sato, Anne Bauer": ("franz sato", "anne bauer"),
        "Apollo 11": ("apollo 11",),
        "1957": "number",
        "1957-05-31": "date",
        "480 acres": "mixed",
        "Apollo-11": "mixed",
    }
    assert {text: glance(text) for text in seen} == seen
    unsure = [
        "5 million",
        "June 30",
        "$5",
        "The Bridge",
        "a,b",
        "",
        "5 km²",
        "São Paulo",
        "c. 1957",
    ]
    assert {glance(text) for text in unsure} == {UNSURE}
    assert is_mixed("19x57")
    assert words_of("Mirror and Moon") is None


@given(st.text("abcdefghikmqrstuxSQ", min_size=1) | near_words)
@example("sqkm")
@example("squares")
def test_a_unit_of_one_word_is_folded_as_any_unit(unit):
    # a blank keeps it from the short way
    assert fold_unit(unit) == fold_unit(" " + unit)


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
    with patch.object(columns, "equal_names", lambda golds, others: None):
        expected = pair_tables(*tables)
    assert pair_tables(*tables) == expected


@given(tables_of_like_names())
def test_rows_without_a_choice_are_paired_as_rows_with_one(tables):
    with patch.object(comparison, "_without_choice", lambda near: False):
        expected = pair_tables(*tables)
    assert pair_tables(*tables) == expected


@given(tables_of_like_names())
def test_cells_written_alike_agree_as_if_they_were_compared(tables):
    expected = pair_tables(*tables)
    with patch.object(comparison, "_written_alike", lambda wanted, given: False):
        assert pair_tables(*tables) == expected


def test_cells_that_neither_table_has_earn_nothing():
    ragged = Table(("key", "a", "b"), (("x", "1", "2"), ("y", "1")))
    assert len(pair_tables(ragged, ragged).cells) == 3
    assert score_tables(ragged, ragged).f1 == 1.0


def test_what_is_written_alike_below_other_scales_is_not_equal():
    gold = Table(("key", "sales ($ million)"), (("x", "5"),))
    found = Table(("key", "sales ($ thousand)"), (("x", "5"),))
    assert score_tables(gold, found).f1 == 0.0


@given(tables_of_like_names())
def test_the_score_alone_is_that_of_the_pairing(tables):
    assert score_tables(*tables) == pair_tables(*tables).score


def test_a_name_that_stands_twice_takes_one_that_is_like_it():
    gold = Table(("key", "sales", "sales"), (("a", "1", "2"),))
    found = Table(("key", "sales", "salex"), (("a", "1", "2"),))
    pairs = pair_tables(gold, found).columns
    assert [(i, j) for i, j, _ in pairs] == [(1, 1), (2, 2)]


@given(*[st.lists(st.text("ab ", max_size=8), max_size=4)] * 2)
@example(["", "a"], ["", "aa"])
@example(["abab"], ["ab", "aba"])
def test_names_that_are_too_long_or_short_are_unlike(golds, others):
    expected = [
        (i, j, similarity)
        for i, gold in enumerate(golds)
        for j, other in enumerate(others)
        if (similarity := Levenshtein.normalized_similarity(gold, other)) > NAME_THETA
    ]
    assert list(_similar(golds, others)) == expected


def test_characters_that_are_no_digits_are_written_in_none():
    characters = [c for c in map(chr, range(0x110000)) if not MAYBE_DIGIT.search(c)]
    written = plain_text("1".join(characters))
    assert len(characters) > 1000
    assert re.sub("[^0-9]", "", written) == "1" * (len(characters) - 1)
    assert not re.search(r"\d", plain_text("".join(characters)))
