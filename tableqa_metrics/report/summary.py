"""The figures of a report: what each run scores, on what, and where it loses points.

All figures are in percent, those of TANQ included, whose scores go to 100 anyway.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set as AbstractSet,
)
from dataclasses import dataclass
from typing import Final

from ..aggregate import Estimate, estimate
from ..compare import Comparison, compare
from ..files.records import TANQ
from ..scoring.breakdowns import BREAKDOWNS
from .groups import Answered, Group
from .titles import CAUSES, METRICS, TANQ_METRICS


PERCENT: Final = 100.0
# Two F1 of tables are told apart from here on, in points.
CLOSE: Final = 10.0
# More runs than these are each compared with the first alone: the pairs of a hundred are
# nearly five thousand.
MOST_IN_PAIRS: Final = 5
# Facets that are divided by together, as in TAT-QA's released pivot table.
_CROSSED: Final = ("Answer type", "Source")
# Scores that hold words: the share of answers that have one counts.
_SHARES: Final = ("no_answer", "no_table", "off_format")

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
    own = TANQ_METRICS if group.benchmark == TANQ else {}
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
    found = []
    for facet, values in _divisions(group):
        if len(values) < 2:
            continue
        for metric in filter(None, (group.primary, group.value)):
            lines = tuple(
                Line(name, name, _by_run(group, metric, ids))
                for name, ids in values.items()
            )
            found.append(Breakdown(facet, metric, lines))
    return found


def _divisions(group: Group) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """Yield each facet, and two that belong together, with the questions by value."""
    facets: dict[str, dict[str, set[str]]] = {}
    for name, question in group.questions.items():
        for facet, values in question.facets.items():
            for value in values:
                facets.setdefault(facet, {}).setdefault(value, set()).add(name)
    for facet, by_value in facets.items():
        yield facet, {value: by_value[value] for value in in_order(by_value)}
    if facets.keys() >= set(_CROSSED):
        first, second = (facets[facet] for facet in _CROSSED)
        crossed = {
            f"{one}, {other}": first[one] & second[other]
            for one in in_order(first)
            for other in in_order(second)
        }
        yield (
            " and ".join(_CROSSED),
            {value: ids for value, ids in crossed.items() if ids},
        )


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
    """Compare runs in the primary and in the value metric.

    Each two of them, or each with the first where they are more than `MOST_IN_PAIRS`.
    """
    found = []
    count = len(group.labels)
    firsts = range(count) if count <= MOST_IN_PAIRS else range(1)
    for metric in filter(None, (group.primary, group.value)):
        scale = _unit(group, metric)
        for i in firsts:
            for j in range(i + 1, count):
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
                    names = group.labels[i], group.labels[j]
                    found.append(Difference(metric, *names, result))
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


def _by_run(group: Group, metric: str, ids: AbstractSet[str]) -> tuple[Estimate, ...]:
    return tuple(
        _estimate(group, {k: a for k, a in answers.items() if k in ids}, metric)
        for answers in group.answers
    )


def _estimate(group: Group, answers: Mapping[str, Answered], metric: str) -> Estimate:
    if metric in _SHARES:
        words = [answer.sample.scores.get(metric) for answer in answers.values()]
        return estimate([PERCENT * (word is not None) for word in words], upper=PERCENT)
    unit = _unit(group, metric)
    scores = [_number(answer, metric, unit) for answer in answers.values()]
    return estimate([score for score in scores if score is not None], upper=PERCENT)
