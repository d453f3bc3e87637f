"""The figures of a report: what each run scores, on what, and where it loses points.

All figures are in percent, those of TANQ included, whose scores go to 100 anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..aggregate import Estimate, estimate
from ..compare import Comparison, compare
from ..records import TANQ
from ..scoring.breakdowns import BREAKDOWNS
from .answers import EXTRA_PART, MISSING_PART
from .cells import (
    EXTRA_CELL,
    EXTRA_COLUMN,
    EXTRA_ROW,
    MISSING_CELL,
    MISSING_COLUMN,
    MISSING_ROW,
    OTHER_NAME,
    PARTIAL,
    WRONG_ROW,
    WRONG_SCALE,
    WRONG_SIGN,
    WRONG_VALUE,
)
from .explain import NO_ANSWER, OTHER_FORM
from .groups import Answered, Group


PERCENT: Final = 100.0
# Two F1 of tables are told apart from here on, in points.
CLOSE: Final = 10.0
# Scores that hold words: the share of answers that have one counts.
_SHARES: Final = ("no_answer", "no_table", "off_format")

METRICS: Final[Mapping[str, str]] = {
    "exe_acc": "Execution accuracy, official",
    "prog_acc": "Program accuracy, official",
    "em": "Exact match, official",
    "f1": "F1, official",
    "em_gold_scale": "Exact match, scale granted",
    "f1_gold_scale": "F1, scale granted",
    "scale_acc": "Scale accuracy, official",
    "tatllm_em": "Exact match, TAT-LLM's scorer (reads the reference)",
    "tatllm_f1": "F1, TAT-LLM's scorer (reads the reference)",
    "rms_f1": "RMS F1, official",
    "rms_precision": "RMS precision, official",
    "rms_recall": "RMS recall, official",
    "rms_f1_simple": "RMS F1, simple questions",
    "rms_f1_intersection": "RMS F1, intersection questions",
    "rms_f1_composition": "RMS F1, composition questions",
    "value_em": "Exact match by value",
    "value_f1": "F1 by value",
    "recipe_em": "Exact match, recipe",
    "recipe_f1": "F1, recipe",
    "no_answer": "Without an answer",
    "no_table": "Without a table",
    "off_format": "Answer in another form than asked for",
}
_TANQ_METRICS: Final[Mapping[str, str]] = {
    "f1": "Cell F1, recipe",
    "precision": "Cell precision, recipe",
    "recall": "Cell recall, recipe",
}

CAUSES: Final[Mapping[str, str]] = {
    NO_ANSWER: "No answer",
    WRONG_SCALE: "Wrong scale",
    WRONG_SIGN: "Wrong sign",
    WRONG_VALUE: "Wrong value",
    PARTIAL: "Value right in part",
    MISSING_PART: "Part of the answer missing",
    EXTRA_PART: "More than the answer",
    OTHER_FORM: "Right value, other form",
    WRONG_ROW: "Value of another row",
    OTHER_NAME: "Other row or column name",
    MISSING_ROW: "Missing row",
    EXTRA_ROW: "Extra row",
    MISSING_COLUMN: "Missing column",
    EXTRA_COLUMN: "Extra column",
    MISSING_CELL: "Missing cell",
    EXTRA_CELL: "Extra cell",
}


_ORDER: Final[Mapping[str, int]] = {
    label: place
    for place, label in enumerate(
        label
        for divided in BREAKDOWNS.values()
        for each in divided
        for labels in each.groups
        for label in labels
    )
}


@dataclass(frozen=True)
class Line:
    """A line of a table of figures: a name and an estimate for each run."""

    name: str
    title: str
    values: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class Breakdown:
    """A metric by the values of a facet of the questions."""

    facet: str
    metric: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Difference:
    """Two runs in one metric, on the questions that both answered."""

    metric: str
    first: str
    second: str
    result: Comparison


def metric_title(group: Group, name: str) -> str:
    """Return what a metric is called in a report."""
    own = _TANQ_METRICS if group.benchmark == TANQ else {}
    return own.get(name) or METRICS.get(name, name)


def metric_lines(group: Group) -> list[Line]:
    """Summarise every metric of the runs."""
    names = dict.fromkeys(name for run in group.runs for name in run.metrics)
    return [
        Line(
            name,
            metric_title(group, name),
            tuple(
                _estimate(group, answers, name) if name in run.metrics else None
                for run, answers in zip(group.runs, group.answers, strict=True)
            ),
        )
        for name in names
    ]


def breakdowns(group: Group) -> list[Breakdown]:
    """Summarise the primary and the value metric by each facet of the questions."""
    facets = dict.fromkeys(name for q in group.questions.values() for name in q.facets)
    found = []
    for facet in facets:
        values = in_order(
            v for q in group.questions.values() for v in q.facets.get(facet, ())
        )
        if len(values) < 2:
            continue
        for metric in filter(None, (group.primary, group.value)):
            lines = [
                Line(value, value, _by_run(group, metric, _has(facet, value)))
                for value in values
            ]
            found.append(Breakdown(facet, metric, tuple(lines)))
    return found


def in_order(labels: Iterable[str]) -> list[str]:
    """Put the values of a facet in the order that `tableqa score` has them in.

    Examples
    --------
    >>> in_order(["percent", "none", "million", "none"])
    ['none', 'million', 'percent']
    """
    return sorted(
        set(labels), key=lambda label: (_ORDER.get(label, len(_ORDER)), label)
    )


def differences(group: Group) -> list[Difference]:
    """Compare each two runs in the primary and in the value metric."""
    found = []
    for metric in filter(None, (group.primary, group.value)):
        scale = _unit(group, metric)
        for i, first in enumerate(group.labels):
            for j in range(i + 1, len(group.labels)):
                shared = group.answers[i].keys() & group.answers[j].keys()
                ids = [key for key in group.questions if key in shared]
                result = compare(
                    *(
                        [_number(group.answers[run][key], metric, scale) for key in ids]
                        for run in (i, j)
                    ),
                    upper=PERCENT,
                )
                if result is not None:
                    found.append(Difference(metric, first, group.labels[j], result))
    return found


def agreement(group: Group) -> list[Line]:
    """Count how often the primary and the value metric agree, in percent of answers."""
    if group.primary is None or group.value is None:
        return []
    official, value = group.primary, group.value
    tables = group.benchmark == TANQ
    kinds: Sequence[tuple[str, Callable[[float, float], bool]]]
    if tables:
        kinds = (
            (f"within {CLOSE:g} points", lambda a, b: abs(a - b) < CLOSE),
            (f"{official} higher", lambda a, b: a - b >= CLOSE),
            (f"{value} higher", lambda a, b: b - a >= CLOSE),
        )
    else:
        kinds = (
            ("right in both", lambda a, b: a == b == PERCENT),
            (f"right in {official} only", lambda a, b: a > b),
            (f"right in {value} only", lambda a, b: a < b),
            ("wrong in both", lambda a, b: a == b == 0.0),
        )
    pairs = [_pairs(group, answers) for answers in group.answers]
    return [
        Line(
            title,
            title,
            tuple(
                estimate([PERCENT * fits(*pair) for pair in of_run], upper=PERCENT)
                for of_run in pairs
            ),
        )
        for title, fits in kinds
    ]


def losses(group: Group) -> list[Line]:
    """Say how many points of 100 were lost to each cause."""
    found = {
        cause
        for answers in group.answers
        for answer in answers.values()
        for cause in answer.explanation.causes
    }
    return [
        Line(
            cause,
            title,
            tuple(
                estimate(
                    [
                        PERCENT * answer.explanation.causes.get(cause, 0.0)
                        for answer in answers.values()
                    ],
                    upper=PERCENT,
                )
                for answers in group.answers
            ),
        )
        for cause, title in CAUSES.items()
        if cause in found
    ]


def metrics_disagree(group: Group, answer: Answered) -> bool:
    """Whether the primary and the value metric judge an answer differently."""
    if group.primary is None or group.value is None:
        return False
    pairs = _pairs(group, {answer.sample.id: answer})
    return any(_apart(group, *pair) for pair in pairs)


def models_disagree(group: Group, question: str) -> bool:
    """Whether the primary metric tells the runs apart on a question."""
    if group.primary is None:
        return False
    unit = _unit(group, group.primary)
    scores = [
        _number(answers[question], group.primary, unit)
        for answers in group.answers
        if question in answers
    ]
    known = sorted(score for score in scores if score is not None)
    return bool(known) and _apart(group, known[0], known[-1])


def _apart(group: Group, one: float, other: float) -> bool:
    gap = abs(one - other)
    return gap >= CLOSE if group.benchmark == TANQ else gap > 0.0


def _pairs(group: Group, answers: Mapping[str, Answered]) -> list[tuple[float, float]]:
    assert group.primary is not None and group.value is not None
    found = []
    for answer in answers.values():
        a = _number(answer, group.primary, _unit(group, group.primary))
        b = _number(answer, group.value, _unit(group, group.value))
        if a is not None and b is not None:
            found.append((a, b))
    return found


def _unit(group: Group, metric: str) -> float:
    """What a score is multiplied by to be in percent."""
    return 1.0 if group.benchmark == TANQ and metric not in _SHARES else PERCENT


def _number(answer: Answered, metric: str, unit: float) -> float | None:
    score = answer.sample.scores.get(metric)
    return score * unit if isinstance(score, float) else None


def _has(facet: str, value: str) -> Callable[[Group, str], bool]:
    return lambda group, key: value in group.questions[key].facets.get(facet, ())


def _by_run(
    group: Group, metric: str, wanted: Callable[[Group, str], bool]
) -> tuple[Estimate, ...]:
    return tuple(
        _estimate(group, {k: a for k, a in answers.items() if wanted(group, k)}, metric)
        for answers in group.answers
    )


def _estimate(group: Group, answers: Mapping[str, Answered], metric: str) -> Estimate:
    if metric in _SHARES:
        words = [answer.sample.scores.get(metric) for answer in answers.values()]
        return estimate([PERCENT * (word is not None) for word in words], upper=PERCENT)
    unit = _unit(group, metric)
    scores = [_number(answer, metric, unit) for answer in answers.values()]
    return estimate([score for score in scores if score is not None], upper=PERCENT)
