"""What was found in a response and given to the metrics."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..extraction.answers import find_answer
from ..extraction.programs import FoundProgram, find_program
from ..extraction.tables import find_table
from ..files.records import FINQA, TANQ
from ..finqa.execution import finqa_execute
from ..response import UNFINISHED_THOUGHT
from ..scoring.answer_scores import given
from ..table import Table, parse_serialized
from .questions import Question
from .runs import Sample


# Scores that hold the reason why there is nothing to score.
REASONS = ("no_answer", "no_table")
_PROGRAM = "program"  # what `off_format` says where a program was scored


@dataclass(frozen=True)
class Scored:
    """What was scored.

    Parameters
    ----------
    text
        As a reader is shown it; of a table, what the official metric reads.
    value, scale
        An answer: a string, a number or a list, or what a program comes to; and the
        scale that was found with it. `None` where there is none.
    table
        An answer that is a table.
    rule, reason
        The rule that found it, or why nothing was found.
    """

    text: str = ""
    value: Any = None
    scale: str = ""
    table: Table | None = None
    rule: str | None = None
    reason: str | None = None


def scored(
    benchmark: str, question: Question, sample: Sample, *, program: bool
) -> Scored:
    """Find again what was scored: in the file, or else in the response.

    Parameters
    ----------
    benchmark, question, sample
        As in `explain`.
    program
        Whether nothing but a FinQA program was looked for.
    """
    logged = (sample.scores.get(name) for name in REASONS)
    reason = next((word for word in logged if isinstance(word, str)), sample.reason)
    if reason == UNFINISHED_THOUGHT:
        # The response does not show it where the thought began in the prompt.
        return Scored(reason=reason)
    if benchmark == TANQ:
        return _table(sample, reason)
    if benchmark == FINQA and sample.response is not None:
        found = find_program(sample.response)
        if program or sample.scores.get("off_format") == _PROGRAM:
            return _program(question, found, reason)
    if sample.response is not None:
        answer = find_answer(sample.response)
        if answer.answer is None:
            return Scored(reason=reason or answer.reason)
        value, scale = given(answer.answer), answer.answer.scale
        return _answer(value, scale, answer.answer.rule, reason)
    return _saved(question, sample, reason)


def _table(sample: Sample, reason: str | None) -> Scored:
    if sample.response is not None:
        found = find_table(sample.response)
        return Scored(
            text=found.text,
            table=found.table,
            rule=found.rule,
            reason=reason or found.reason,
        )
    if not isinstance(sample.prediction, str) or not sample.prediction.strip():
        return Scored(reason=reason)
    table = parse_serialized(sample.prediction)
    return Scored(sample.prediction, table=table, rule=sample.rule, reason=reason)


def _saved(question: Question, sample: Sample, reason: str | None) -> Scored:
    """Take a prediction as `tableqa score` writes it: an answer, or a program."""
    saved = sample.prediction
    if saved is None:
        return Scored(reason=reason)
    if isinstance(saved, dict) and saved.keys() == {"answer", "scale"}:
        scale = saved["scale"] if isinstance(saved["scale"], str) else ""
        return _answer(saved["answer"], scale, sample.rule, reason)
    if isinstance(saved, list):
        tokens = tuple(token for token in saved if isinstance(token, str))
        return _program(question, FoundProgram(tokens, sample.rule, None), reason)
    found = find_program(saved if isinstance(saved, str) else _written(saved))
    return _program(question, found, reason)


def _answer(value: Any, scale: str, rule: str | None, reason: str | None) -> Scored:
    return Scored(_written(value), value, scale, rule=rule, reason=reason)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):  # an integer without end, nesting without end
        return f"a {type(value).__name__} that is too large to be shown"


def program_text(tokens: Sequence[str]) -> str:
    """Write the tokens of a program as it is written in the data set.

    Examples
    --------
    >>> program_text(["subtract(", "9", "4", ")", "divide(", "#0", "4", ")", "EOF"])
    'subtract(9, 4), divide(#0, 4)'
    """
    text = ", ".join(token for token in tokens if token != "EOF")
    return text.replace("(, ", "(").replace(", )", ")")


def _program(question: Question, found: FoundProgram, reason: str | None) -> Scored:
    if found.tokens is None:
        return Scored(reason=reason or found.reason)
    text = program_text(found.tokens)
    result = finqa_execute(list(found.tokens), list(question.table))
    value = result.value if result.valid else "n/a"
    return Scored(text, value, rule=found.rule, reason=reason)
