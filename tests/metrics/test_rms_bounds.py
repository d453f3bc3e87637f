"""`rms_score` on large and hostile tables: bounds on time and memory."""

from __future__ import annotations

import logging
import sys
import tracemalloc
from unittest.mock import patch

import pytest
from hypothesis import given
from reference.cost import growth
from reference.rms_tables import tables

from tableqa_metrics import PRF
from tableqa_metrics.rms import assignment, comparison, few, rms_score, search
from tableqa_metrics.rms.datapoints import datapoints, read, transposed_datapoints


GOLD = (
    "entity|composer|year\nHigh Anxiety|John Morris|1977\nSpaceballs|John Morris|1987\n"
)


def serialized(table: list[list[str]]) -> str:
    return "".join("|".join(row) + "\n" for row in table)


def test_twenty_thousand_rows_against_themselves():
    rows = [f"row {i}|{i}|{i % 7}" for i in range(1, 20_001)]
    gold = "entity|a|b\n" + "\n".join(rows)
    rows[777] = rows[777].replace("|", "|9", 1)
    score = rms_score(gold, "entity|a|b\n" + "\n".join(reversed(rows)))
    assert score == PRF(*(39_999 / 40_000,) * 3)


def columns_and_rows(size: int) -> str:
    return "|".join(map(str, range(size // 12))) + "\n" + "1\n" * (size // 6)


HOSTILE = {
    "pipes": lambda size: "|" * size,
    "rows of pipes": lambda size: ("|" * 99 + "\n") * (size // 100),
    "two rows of pipes": lambda size: "|" * (size // 2) + "\n" + "|" * (size // 2),
    "line breaks": lambda size: "\n" * size,
    "spaces": lambda size: "a|b\n" + " " * size,
    "one long cell": lambda size: "a|b\nx|" + "9" * size,
    "one long key": lambda size: "a|b\n" + "x" * size + "|1",
    "percent signs": lambda size: "a|b\nx|" + "%" * size,
    "equal rows": lambda size: "a|b\n" + "x|1\n" * (size // 4),
    "long header, many rows": lambda size: (
        "a|" + "h" * size + "\n" + "".join(f"{i}|1\n" for i in range(size // 8))
    ),
    "many columns, many rows": columns_and_rows,
    "distinct rows": lambda size: (
        "entity|year\n" + "".join(f"{i}|{i}\n" for i in range(size // 10))
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_grows_with_the_length_of_a_hostile_prediction(kind):
    def score(prediction: str) -> None:
        rms_score(GOLD, prediction)

    # Quadratic time would grow 256 times.
    assert growth(score, HOSTILE[kind], 10_000, 16) < 80


def test_a_matrix_that_is_too_large_is_never_built():
    rows = ["|".join(f"film {i} {j}" for j in range(12)) for i in range(60)]
    gold = "\n".join(rows)
    prediction = "entity|year\n" + "\n".join(f"row {i}|{i}" for i in range(20_000))
    height, width = (len(datapoints(read(t)).cells) for t in (gold, prediction))
    tracemalloc.start()
    try:
        with (
            patch.object(assignment, "DENSE_CELLS", 10**5),
            patch.object(comparison, "_MANY_PAIRS", 10**5),
        ):
            rms_score(gold, prediction)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < height * width * 8 / 2


@pytest.mark.parametrize("limit", ["MAX_PAIRS", "MAX_SIMILAR"])
def test_beyond_the_bounds_a_table_scores_zero_and_says_so(limit, caplog):
    with (
        patch.object(few, "FEW_PAIRS", 0),
        patch.multiple(comparison, _SOME_PAIRS=0, _MANY_PAIRS=0),
        patch.multiple(search, _CHUNK=3, **{limit: 3}),
        caplog.at_level(logging.WARNING),
    ):
        assert rms_score(GOLD, GOLD.replace("S", "X")) == PRF(0.0, 0.0, 0.0)
    assert "too large" in caplog.text


def test_a_bound_met_by_a_reading_that_cannot_win_does_not_matter(caplog):
    names = [f"{i:x}" for i in range(400)]
    # Transposed, it has 400 names times several rows.
    tail = "\n".join(names) + "\n" + "|".join(names)
    expected = rms_score(GOLD, GOLD + tail)
    # By its name, the package gives the function of the same name before Python 3.11.
    module = sys.modules["tableqa_metrics.rms.datapoints"]
    with patch.object(module, "MAX_KEY_BYTES", 60_000):
        assert rms_score(GOLD, GOLD + tail) == expected
        assert rms_score("no table", GOLD + tail) == PRF(0.0, 1.0, 0.0)
        assert not caplog.text
        assert rms_score(GOLD, "x|y\nz|1\n" + tail) == PRF(0.0, 0.0, 0.0)
    assert "too large" in caplog.text


@given(tables)
def test_repeated_names_leave_no_trace_in_a_transposed_table(table):
    text = serialized([["x", *row] for row in table])
    rows = read(text).rows
    width = max(map(len, rows), default=0)
    filled = [row + [""] * (width - len(row)) for row in rows]
    turned = [list(column) for column in zip(*filled, strict=True)]
    expected = datapoints(read(serialized(turned))) if turned else datapoints(read(""))
    assert transposed_datapoints(read(text)).cells == expected.cells
    # As if it were too large to be transposed line by line.
    module = sys.modules["tableqa_metrics.rms.datapoints"]
    with patch.multiple(module, MAX_KEY_BYTES=-1, _check=lambda size: None):
        found = transposed_datapoints(read(text))
    assert list(found.cells.items()) == list(expected.cells.items())
