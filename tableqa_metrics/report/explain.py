"""Why an answer has the score that it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..files.records import FINQA, TANQ
from ..table import Table, parse_serialized
from ..tatqa import read_question as read_official
from ..tatqa.text import CRASHES, TATQA, answer_string, normalize_tatqa
from .answers import AnswerMatch, match_answers
from .cells import MATCH, WRONG_SCALE, WRONG_VALUE, TableMatch
from .match_official import match_by_rms, match_by_text
from .match_value import match_by_value
from .questions import Question
from .runs import Sample
from .scored import Scored, scored


# Outcomes of a question.
RIGHT: Final = "right"
PARTLY: Final = "partly"
WRONG: Final = "wrong"
NO_ANSWER: Final = "no_answer"
# Lost although the value is right: the official metric reads it otherwise.
OTHER_FORM: Final = "other_form"

# The metric that decides the outcome, and ours beside it; the first that a run has.
PRIMARY: Final = ("exe_acc", "em", "rms_f1")
VALUE: Final = ("value_em", "value_f1")

# Cells of a table that are paired at most; more cannot be looked at anyway.
MAX_CELLS: Final = 4000


@dataclass(frozen=True)
class Explanation:
    """An answer, taken apart.

    Parameters
    ----------
    outcome
        `right`, `partly`, `wrong` or `no_answer`, by the primary metric.
    causes
        What was lost to which cause, in shares of a full score. Of an answer that is a
        table they add up to 1 - value F1, of any other to 1 - primary metric.
    scored
        What was found in the response.
    answer
        The values of both sides; `None` for tables.
    official
        The two texts that TAT-QA's official scorer compares.
    tables
        By metric, what it made of each cell.
    """

    outcome: str
    causes: Mapping[str, float]
    scored: Scored
    answer: AnswerMatch | None = None
    official: tuple[str, str] | None = None
    tables: Mapping[str, TableMatch] = field(default_factory=dict)


def explain(
    benchmark: str, question: Question, sample: Sample, *, program: bool = False
) -> Explanation:
    """Take the answer to a question apart.

    Parameters
    ----------
    benchmark
        A name of `records.BENCHMARKS`.
    question, sample
        What was asked and what was answered.
    program
        Whether the task asks for a FinQA program and scores nothing else.
    """
    what = scored(benchmark, question, sample, program=program)
    if benchmark == TANQ:
        return _explain_table(question, sample, what)
    return _explain_answer(benchmark, question, sample, what)


def primary_metric(scores: Mapping[str, Any]) -> str | None:
    """Return the metric that decides whether an answer is right."""
    return next((name for name in PRIMARY if name in scores), None)


def value_metric(scores: Mapping[str, Any]) -> str | None:
    """Return our own metric that stands beside the primary one."""
    return next((name for name in VALUE if name in scores), None)


def _explain_table(question: Question, sample: Sample, what: Scored) -> Explanation:
    found = what.table or Table((), ())
    tables: Mapping[str, TableMatch] = {}
    causes = _unexplained(sample)
    if question.reference is not None:
        gold = parse_serialized(question.reference)
        if max(_size(gold), _size(found)) <= MAX_CELLS:
            tables = _matches(question.reference, gold, what.text, found)
            causes = tables["value_f1"].losses()
    if what.table is None:
        return Explanation(NO_ANSWER, {NO_ANSWER: 1.0}, what, tables=tables)
    score = float(sample.scores.get("rms_f1") or 0.0)
    outcome = RIGHT if score >= 100.0 - 1e-9 else PARTLY if score else WRONG
    return Explanation(outcome, causes, what, tables=tables)


def _matches(
    reference: str, gold: Table, text: str, found: Table
) -> dict[str, TableMatch]:
    tables = {"value_f1": match_by_value(gold, found), "f1": match_by_text(gold, found)}
    official = match_by_rms(reference, text)
    return tables if official is None else {**tables, "rms_f1": official}


def _unexplained(sample: Sample) -> dict[str, float]:
    value = sample.scores.get("value_f1")
    lost = 1.0 - value / 100 if isinstance(value, float) else 0.0
    return {WRONG_VALUE: lost} if lost else {}


def _size(table: Table) -> int:
    rows = (table.header, *table.rows)
    return len(rows) * max(map(len, rows))


def _explain_answer(
    benchmark: str, question: Question, sample: Sample, what: Scored
) -> Explanation:
    right = sample.scores.get(primary_metric(sample.scores) or "") == 1.0
    match = None
    if what.value is not None and question.reference is not None:
        try:
            match = match_answers(
                question.reference,
                what.value,
                reference_scale=question.scale,
                prediction_scale=what.scale,
                precision="coarser" if benchmark == FINQA else "reference",
            )
        except ValueError:  # a reference that is no value; its scores are in the file
            match = None
    if right:
        outcome, causes = RIGHT, {}
    elif what.reason or what.value is None:
        outcome, causes = NO_ANSWER, {NO_ANSWER: 1.0}
    else:
        outcome, causes = WRONG, {_cause(sample, match): 1.0}
    official = None if benchmark == FINQA else _official(question, what)
    return Explanation(outcome, causes, what, match, official)


def _cause(sample: Sample, match: AnswerMatch | None) -> str:
    """Say why the primary metric gave nothing."""
    if sample.scores.get("em_gold_scale") == 1.0:
        return WRONG_SCALE
    outcome = WRONG_VALUE if match is None else match.outcome
    value = value_metric(sample.scores)
    if (sample.scores[value] == 1.0) if value else outcome == MATCH:
        return OTHER_FORM
    return WRONG_VALUE if outcome == MATCH else outcome


def _official(question: Question, what: Scored) -> tuple[str, str] | None:
    """Return what TAT-QA's official scorer compares."""
    if what.value is None or not question.gold:
        return None
    values = what.value if isinstance(what.value, list) else [what.value]
    try:
        gold = read_official(question.gold, TATQA)
        wanted = answer_string(gold.answers, gold.scale, TATQA)
        given = answer_string(values, what.scale, TATQA)
        return normalize_tatqa(wanted, TATQA), normalize_tatqa(given, TATQA)
    except CRASHES:
        return None
