"""How the questions of each benchmark are divided, to see where points are lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ..defects import KINDS, kinds_of
from ..files.records import FINQA, QUESTION_TYPES, TANQ, TATDQA, TATQA
from ..finqa.program import step_texts, tokenize_program
from ..table import parse_serialized


UNKNOWN: Final = "unknown"
NO_DEFECT: Final = "no known defect"

# Of a question, for each breakdown: the groups that it is in, each named by its labels.
Groups = tuple[tuple[tuple[str, ...], ...], ...]


@dataclass(frozen=True)
class Breakdown:
    """A way to divide the questions.

    `columns` name the labels of a group. `groups` come first, in this order, and even
    if empty where the breakdown is a `grid`; others follow by name.
    """

    name: str
    columns: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...] = ()
    grid: bool = False


_TYPES: Final = ("span", "multi-span", "count", "arithmetic")
_SOURCES: Final = ("table", "table-text", "text")
_SCALES: Final = ("none", "thousand", "million", "billion", "percent")
SIZES: Final = ((10, "1-10"), (25, "11-25"), (50, "26-50"), (100, "51-100"))
LARGEST: Final = "101 or more"
STEPS: Final = ("1", "2", "3 or more")  # as the table of FinQA's paper has it
_EVIDENCE: Final = ("table", "text", "table-text", UNKNOWN)


def _each(labels: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((label,) for label in labels)


_BY_SCALE: Final = Breakdown("scale", ("scale",), _each(_SCALES))
# Scores without the items that are known to be wrong stand in the first group.
_BY_DEFECT: Final = Breakdown(
    "known_defect", ("known_defect",), _each([NO_DEFECT, *KINDS])
)
BREAKDOWNS: Final[Mapping[str, tuple[Breakdown, ...]]] = {
    TANQ: (
        Breakdown("question_type", ("question_type",), _each(QUESTION_TYPES)),
        Breakdown("skill", ("skill",)),
        Breakdown(
            "table_size",
            ("cells",),
            _each([*(label for _, label in SIZES), LARGEST]),
        ),
        _BY_DEFECT,
    ),
    TATQA: (
        Breakdown(
            "answer_type_by_source",
            ("answer_type", "source"),
            tuple((kind, source) for kind in _TYPES for source in _SOURCES),
            grid=True,
        ),
        _BY_SCALE,
        _BY_DEFECT,
    ),
    TATDQA: (
        Breakdown("answer_type", ("answer_type",), _each(_TYPES)),
        _BY_SCALE,
        _BY_DEFECT,
    ),
    FINQA: (
        Breakdown("steps", ("steps",), _each(STEPS)),
        Breakdown("evidence", ("evidence",), _each(_EVIDENCE)),
        _BY_DEFECT,
    ),
}


def size_label(table: str) -> str:
    """Return the group of a gold table in TANQ's form, by the cells of its body."""
    cells = sum(map(len, parse_serialized(table).rows))
    return next((label for most, label in SIZES if cells <= most), LARGEST)


def steps_label(program: str) -> str:
    """Return the group of a gold program of FinQA, by its steps."""
    steps = len(step_texts(tokenize_program(program)) or ())
    return STEPS[min(max(steps, 1), len(STEPS)) - 1]


def defect_labels(benchmark: str, name: str) -> tuple[str, ...]:
    """Return the kinds of known defect that a question has, or `NO_DEFECT` alone."""
    return kinds_of(benchmark, name) or (NO_DEFECT,)
