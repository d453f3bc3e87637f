"""`rms_score`: all the ways in which it compares keys and cells come to the same."""

from __future__ import annotations

import math
import sys
from contextlib import ExitStack, contextmanager
from string import digits as DIGITS
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from reference.rms_plain import agreement, rms_plain, similarity
from reference.rms_tables import (
    of_digits,
    of_letters,
    of_long_names,
    of_numbered_rows,
    pairs_of_texts,
    tables,
)
from scipy.optimize import linear_sum_assignment

from tableqa_metrics.rms import numbered, rms_score
from tableqa_metrics.rms.assignment import shortest_augmenting_paths
from tableqa_metrics.rms.cell_pairs import CellPairs
from tableqa_metrics.rms.cells import cell_similarity
from tableqa_metrics.rms.comparison import Comparison
from tableqa_metrics.rms.datapoints import datapoints, read, transposed_datapoints
from tableqa_metrics.rms.distances import (
    cost_matrix,
    distances_of_pairs,
    small_cost_matrix,
)
from tableqa_metrics.rms.few import nested
from tableqa_metrics.rms.named_keys import NamedKeys
from tableqa_metrics.rms.names import (
    cost_matrix as cost_matrix_by_names,
    most_by_long_names,
)
from tableqa_metrics.rms.numbered import cost_matrix as cost_matrix_by_numbers
from tableqa_metrics.rms.pairs import Pairs
from tableqa_metrics.rms.search import SimilarPairs


MANY = 10**9
# What is set so that tables of any size are compared as only those of one size are.
BY_ARRAYS = {"few.FEW_PAIRS": 0, "comparison.FEW_PAIRS": 0}
BY_MATRIX = BY_ARRAYS | {"comparison._SOME_PAIRS": 0}
BY_NAMES = BY_MATRIX | {"comparison._SHORT_KEYS": 0, "names._SAMPLE": 0}
BY_NUMBERS = BY_MATRIX | {
    "numbered._FEWEST_PAIRS": 0,
    "numbered._FEWER_NAMES": 0,
    "numbered._FEWER_TEXTS": 0,
    "numbered._FEWER_KINDS": 0,
    "numbered._ONE_BY_ONE": 0,
}
BY_SEARCH = BY_MATRIX | {"comparison._MANY_PAIRS": -1}
ONE_BY_ONE = [
    "comparison._ONE_BY_ONE",
    "comparison._ONE_BY_ONE_SHORT",
    "comparison._ONE_BY_ONE_NUMBERED",
]
# A search that ends after its first row.
GIVEN_UP = BY_NAMES | {
    **dict.fromkeys(ONE_BY_ONE, MANY),
    "search._FIRST_ROWS": 1,
    "search._FIRST_SHARE": MANY,
    "search._ENOUGH": MANY,
}
WAYS = {
    "as it is": {},
    "lists": {"few.FEW_PAIRS": MANY},
    "small matrix": BY_ARRAYS | {"comparison._SOME_PAIRS": MANY},
    "matrix": BY_MATRIX | {"comparison._SHORT_KEYS": MANY, "distances._CHUNK": 5},
    "matrix of long keys": BY_MATRIX
    | {"comparison._SHORT_KEYS": MANY, "distances._LONGEST": 0},
    "matrix of cut keys": BY_MATRIX
    | {"comparison._SHORT_KEYS": MANY, "distances._SHORTEST_PREFIX": 1},
    "names, unless alike": BY_NAMES | {"names._SAMPLE": 96},
    "names": BY_NAMES | {"names._FEW": MANY, "names._CHUNK": 9},
    "numbers": BY_NUMBERS,
    "numbers in blocks": BY_NUMBERS
    | {"numbered_blocks._CALL": -MANY, "numbered_blocks._KIND": 0},
    "numbers without shared ends": BY_NUMBERS
    | {
        "numbered_blocks._CALL": -MANY,
        "numbered_blocks._KIND": 0,
        "numbered_blocks._SMALL": 0,
    },
    "numbers in parts": BY_NUMBERS | {"numbered._CHUNK": 5},
    "long names": BY_NAMES | {"names._SHORT_NAMES": 0, "names._SHORT_KEYS": 0},
    "names in blocks": BY_NAMES | {"names._LIST_COST": MANY, "names._BLOCK_COST": 0},
    "long keys": BY_NAMES | {"comparison._LONG_KEYS": 0, "distances._SHORT": 0},
    "search": BY_SEARCH | {"search._LIST_COST": 1},
    "search in blocks": BY_SEARCH | {"search._LIST_COST": MANY},
    "search in parts": BY_SEARCH | {"search._CHUNK": 3, "search._MOST_LOSS": 9.0},
    "search without a matrix": BY_SEARCH | {"assignment.DENSE_CELLS": 0},
    "given up": GIVEN_UP,
    "by distance": GIVEN_UP | {"search._SURE": 0, "search._NEARLY_ALL": MANY},
    "one by one": BY_NAMES | dict.fromkeys(ONE_BY_ONE, 0),
    "all at once": BY_NAMES | dict.fromkeys(ONE_BY_ONE, MANY),
}


@contextmanager
def comparing(way: str):
    with ExitStack() as stack:
        for name, value in WAYS[way].items():
            module, attribute = name.split(".")
            target = sys.modules[f"tableqa_metrics.rms.{module}"]
            stack.enter_context(patch.object(target, attribute, value))
        yield


@pytest.mark.parametrize("way", WAYS)
@given(pair=pairs_of_texts)
def test_equals_the_slow_twin(way, pair):
    with comparing(way):
        score = rms_score(*pair)
    assert (score.precision, score.recall, score.f1) == rms_plain(*pair)


@given(st.text(st.characters(exclude_categories=())), st.text(st.characters()))
def test_any_text_is_a_table(reference, prediction):
    assert vars(rms_score(reference, prediction)) == dict(
        zip(
            ("precision", "recall", "f1"), rms_plain(reference, prediction), strict=True
        )
    )


def test_tables_of_ordinary_size_equal_the_slow_twin():
    rng = np.random.default_rng(7)
    words = ["river", "hood", "states", "john", "morris", "film", "lake", "&", "20th"]

    def text() -> str:
        return " ".join(rng.choice(words, rng.integers(1, 4)))

    for height, width in ((12, 6), (18, 9)):
        header = ["entity", *(text() + str(i) for i in range(width))]
        rows = [[text() for _ in header] for _ in range(height)]
        other = [[c if rng.random() < 0.7 else text() for c in row] for row in rows]
        table = "\n".join(map("|".join, [header, *rows]))
        upright = "\n".join(map("|".join, [header, *reversed(other)]))
        turned = "\n".join(map("|".join, zip(header, *other, strict=True)))
        unlike = "\n".join("|".join(text() for _ in header) for _ in rows)
        for prediction in (upright, turned, unlike):
            score = rms_score(table, prediction)
            expected = rms_plain(table, prediction)
            assert (score.precision, score.recall, score.f1) == expected


# The steps, each against its definition

keys = st.lists(st.text("ab ", max_size=9), min_size=1, max_size=12, unique=True)


def costs(rows, columns):
    return [[1 - similarity(a, b) if a or b else 1.0 for b in columns] for a in rows]


affixes = st.sampled_from(["", "row 1", "x" * 300])


@given(keys, keys, affixes, affixes)
def test_costs_of_keys(rows, columns, beginning, end):
    rows = [f"{beginning}{key}.{end}" for key in rows]
    columns = [
        f"{key}." if "bb" in key else f"{beginning}{key}.{end if 'ab' in key else ''}"
        for key in columns
    ]
    for make in (cost_matrix, small_cost_matrix):
        assert make(rows, columns).tolist() == costs(rows, columns)


@pytest.mark.parametrize("way", [way for way in WAYS if "names" in way])
@given(tables, tables)
def test_costs_by_names(way, gold, other):
    for turn in (datapoints, transposed_datapoints):
        sides = [turn(read("\n".join(map("|".join, t)))) for t in (gold, other)]
        # A title has no names.
        if all(side.cells and "title" not in side.cells for side in sides):
            with comparing(way):
                found = cost_matrix_by_names(*map(NamedKeys, sides))
            assert found.tolist() == costs(*(side.cells for side in sides))


@pytest.mark.parametrize("way", [way for way in WAYS if "numbers" in way])
@given(st.one_of(st.tuples(t, t) for t in (of_digits, of_numbered_rows)))
def test_costs_by_numbers(way, both):
    for turn in (datapoints, transposed_datapoints):
        sides = [turn(read(table)) for table in both]
        if all(side.cells for side in sides):
            with comparing(way):
                found = cost_matrix_by_numbers(*map(NamedKeys, sides))
            assert found.tolist() == costs(*(side.cells for side in sides))


def test_of_numbered_keys_one_pair_of_each_kind_is_compared():
    def table(name: str, rows: int) -> str:
        lines = [f"{name} {i}|{i}|1|{i % 7}|1" for i in range(10, rows)]
        return "\n".join(["show|year|part 1|part 2|country", *lines])

    gold, other = table("episode", 60), table("season 1 episode", 70)
    with patch.object(numbered, "distances_of_pairs", wraps=distances_of_pairs) as used:
        score = rms_score(gold, other)
    assert (score.precision, score.recall, score.f1) == rms_plain(gold, other)
    compared = sum(len(call.args[0]) for call in used.call_args_list)
    assert 0 < compared < 50 * 4 * 60 * 4 / 50


OTHER_NAMES = {
    "texts of their own": lambda i: f"{i:x}".translate(
        str.maketrans(DIGITS, "ghijklmnop")
    ),
    "too many digits": lambda i: f"1999-12-31 00:{i:02}",
    "too many kinds of pairs": lambda i: f"{i**5 % 10**6:06}",
    "many kinds of pairs": lambda i: f"{i**3 % 9973:04}",
}


@pytest.mark.parametrize("kind", OTHER_NAMES)
def test_other_keys_are_compared_otherwise(kind):
    lines = [f"{OTHER_NAMES[kind](i)}|1|{i}|0|0" for i in range(60)]
    table = "\n".join(["show|year|part 1|part 2|country", *lines])
    keys = NamedKeys(datapoints(read(table)))
    assert cost_matrix_by_numbers(keys, keys) is None


@given(st.one_of(st.tuples(t, t) for t in (of_letters, of_long_names)))
@example(("|a\n" + "a" * 20 + "|1", "|a\n" + "a" * 10 + "b" * 10 + "|1"))
def test_no_assignment_exceeds_what_long_names_allow(tables):
    for turn in (datapoints, transposed_datapoints):
        sides = [turn(read(table)) for table in tables]
        if all(side.cells for side in sides):
            best = sum(1 - min(row) for row in costs(*(side.cells for side in sides)))
            assert most_by_long_names(*map(NamedKeys, sides)) >= best - 1e-6


@pytest.mark.parametrize(
    "way",
    ["long keys", "search", "given up", "by distance", "one by one", "all at once"],
)
@given(pairs_of_texts)
def test_a_reading_can_reach_its_own_score(way, pair):
    gold, table = datapoints(read(pair[0])), read(pair[1])
    for turn in (datapoints, transposed_datapoints):
        sides = gold, turn(table)
        if all(side.cells for side in sides) and not nested(*(s.cells for s in sides)):
            with comparing(way):
                f1 = Comparison(*sides).scores[2]
                assert Comparison(*sides).can_reach(f1)


@pytest.mark.parametrize(
    "way", ["search", "search in parts", "given up", "by distance"]
)
@given(
    keys,
    keys,
    st.integers(1, 5),
    st.integers(1, 5),
    st.floats(0.0, 12.0),
    st.booleans(),
)
def test_a_search_finds_all_pairs_or_that_they_are_not_enough(
    way, rows, columns, m, n, need, may_give_up
):
    rows, columns = ([key + "." for key in side] for side in (rows, columns))
    expected = {
        (i, j): similarity(a, b)
        for i, a in enumerate(rows)
        for j, b in enumerate(columns)
        if similarity(a, b)
    }
    best = [
        max(expected.get((i, j), 0.0) for j in range(len(columns)))
        for i in range(len(rows))
    ]
    with comparing(way):
        found = SimilarPairs(
            rows, columns, m, n, need, 0.0 if may_give_up else math.inf
        )
    if found.best_total < need:
        assert sum(best) < need
        return
    if found.given_up:
        assert may_give_up and need
        return
    assert found.best_total >= sum(best) - 1e-9
    pairs = found.exact()
    measured = found.measured(found.candidates)
    for some in (pairs, measured):
        lists = (some.rows.tolist(), some.columns.tolist(), some.similarity.tolist())
        assert {(i, j): s for i, j, s in zip(*lists, strict=True)} == expected


cells = st.one_of(
    st.text("ab1.%-", max_size=4),
    st.sampled_from(
        ["nan", "inf", "-inf", "1e308", "-1e308", "0", "1.0", "1.05", "9%"]
    ),
)


@given(st.lists(cells, min_size=1, max_size=9), st.lists(cells, min_size=1, max_size=9))
def test_cells_compared_at_once(gold, other):
    pairs = CellPairs(gold, other)
    i, j = (k.ravel() for k in np.indices((len(gold), len(other))))
    one_by_one = [cell_similarity(gold[a], other[b]) for a, b in zip(i, j, strict=True)]
    assert pairs.similarities(i, j).tolist() == one_by_one
    assert one_by_one == [
        agreement(gold[a], other[b]) for a, b in zip(i, j, strict=True)
    ]
    # So few that they are not worth arrays.
    few = CellPairs(gold, other).similarities(i[: len(gold)], j[: len(gold)])
    assert few.tolist() == one_by_one[: len(gold)]
    may_be = pairs.may_be_alike(i, j)
    assert all(may_be[k] for k, value in enumerate(one_by_one) if value)


@given(st.data())
def test_paths_without_a_matrix_end_where_scipys_do(data):
    height = data.draw(st.integers(1, 7))
    width = data.draw(st.integers(height, 9))
    # Few different values, so that ties are everywhere.
    values = st.sampled_from([0.0, 0.0, 0.0, 0.6, 2 / 3, 0.7, 0.8, 1.0])
    row = st.lists(values, min_size=width, max_size=width)
    matrix = np.array(data.draw(st.lists(row, min_size=height, max_size=height)))
    rows, columns = np.nonzero(matrix)
    pairs = Pairs(rows, columns, matrix[rows, columns])
    expected = [
        (i, j, matrix[i, j])
        for i, j in zip(*linear_sum_assignment(1.0 - matrix), strict=True)
        if matrix[i, j]
    ]
    found = shortest_augmenting_paths(height, width, pairs)
    assert found == expected
