"""Metrics for question answering over and with tables, free of any framework.

Every public name is listed in `_HOME` with the module that defines it, and is imported
when it is first used, so that `import tableqa_metrics` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final


if TYPE_CHECKING:
    from .extraction.answer import Answer, FoundAnswer
    from .extraction.answers import extract_answer, find_answer
    from .extraction.tables import FoundTable, extract_table, find_table
    from .numbers import Number, parse_number
    from .table import PRF, Table
    from .value import value_match
    from .value_table import value_table_score

_HOME: Final[dict[str, str]] = {
    "Answer": "extraction.answer",
    "FoundAnswer": "extraction.answer",
    "extract_answer": "extraction.answers",
    "find_answer": "extraction.answers",
    "find_table": "extraction.tables",
    "extract_table": "extraction.tables",
    "FoundTable": "extraction.tables",
    "Number": "numbers",
    "PRF": "table",
    "Table": "table",
    "parse_number": "numbers",
    "value_match": "value",
    "value_table_score": "value_table",
}

__all__ = [
    "PRF",
    "Answer",
    "FoundAnswer",
    "FoundTable",
    "Number",
    "Table",
    "extract_answer",
    "extract_table",
    "find_answer",
    "find_table",
    "parse_number",
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
