"""Metrics for question answering over and with tables, free of any framework.

What is given to them in vain: a *reference* that is none (`None`, another type, a record
without what it needs) raises `ValueError` that shows it. A *prediction* that is none is a
wrong answer: it scores 0, with a reason where the score has one. What only reads a text
(`extract_*`, `find_*`, `parse_number`, `evaluate`) takes any text, and raises `TypeError`
for all else.

Every public name is listed in `_HOME` with the module that defines it, and is imported
when it is first used, so that `import tableqa_metrics` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final


if TYPE_CHECKING:
    from .arithmetic import evaluate
    from .cell_f1 import cell_score
    from .defects import Defect, affected, known_defects
    from .extraction.answers import extract_answer, find_answer
    from .extraction.answers.answer import Answer, FoundAnswer
    from .extraction.programs import FoundProgram, extract_program, find_program
    from .extraction.tables import FoundTable, extract_table, find_table
    from .finqa import (
        FinqaAccuracy,
        FinqaProgramScore,
        finqa_accuracy,
        finqa_answer_correct,
        finqa_program_score,
    )
    from .finqa.equality import finqa_program_equal
    from .finqa.execution import Execution, finqa_execute
    from .recipe import RecipeScore, recipe_score
    from .rms import rms_score
    from .table import PRF, Table
    from .tatllm import TatllmScore, finqa_gold, tatllm_score
    from .tatqa import TatqaScore, tatqa_score
    from .value import value_match
    from .value.table import value_table_score
    from .written.numbers import Number, parse_number

_HOME: Final[dict[str, str]] = {
    "cell_score": "cell_f1",
    "rms_score": "rms",
    "affected": "defects",
    "Answer": "extraction.answers.answer",
    "Defect": "defects",
    "evaluate": "arithmetic",
    "extract_answer": "extraction.answers",
    "Execution": "finqa.execution",
    "extract_program": "extraction.programs",
    "extract_table": "extraction.tables",
    "find_answer": "extraction.answers",
    "find_program": "extraction.programs",
    "find_table": "extraction.tables",
    "finqa_accuracy": "finqa",
    "finqa_answer_correct": "finqa",
    "finqa_execute": "finqa.execution",
    "finqa_gold": "tatllm",
    "finqa_program_equal": "finqa.equality",
    "finqa_program_score": "finqa",
    "FinqaAccuracy": "finqa",
    "FinqaProgramScore": "finqa",
    "FoundAnswer": "extraction.answers.answer",
    "FoundProgram": "extraction.programs",
    "FoundTable": "extraction.tables",
    "known_defects": "defects",
    "Number": "written.numbers",
    "parse_number": "written.numbers",
    "PRF": "table",
    "recipe_score": "recipe",
    "RecipeScore": "recipe",
    "Table": "table",
    "tatllm_score": "tatllm",
    "TatllmScore": "tatllm",
    "tatqa_score": "tatqa",
    "TatqaScore": "tatqa",
    "value_match": "value",
    "value_table_score": "value.table",
}

__all__ = [
    "PRF",
    "Answer",
    "Defect",
    "Execution",
    "FinqaAccuracy",
    "FinqaProgramScore",
    "FoundAnswer",
    "FoundProgram",
    "FoundTable",
    "Number",
    "RecipeScore",
    "Table",
    "TatllmScore",
    "TatqaScore",
    "affected",
    "cell_score",
    "evaluate",
    "extract_answer",
    "extract_program",
    "extract_table",
    "find_answer",
    "find_program",
    "find_table",
    "finqa_accuracy",
    "finqa_answer_correct",
    "finqa_execute",
    "finqa_gold",
    "finqa_program_equal",
    "finqa_program_score",
    "known_defects",
    "parse_number",
    "recipe_score",
    "rms_score",
    "tatllm_score",
    "tatqa_score",
    "value_match",
    "value_table_score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
