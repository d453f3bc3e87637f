"""Files of predictions scored against files of references."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from ..aggregate import INTERVAL, Estimate, estimate
from ..compare import Comparison, compare
from ..files.jsonfile import InputFileError
from ..signature import Signature, installed_version
from .breakdowns import BREAKDOWNS, Breakdown
from .formats import Predictions, open_predictions
from .plan import Plan, check_missing, jobs, make_plan
from .pool import in_order
from .references import References
from .scorer import Result, Scorer
from .tasks import MAIN_TASK, PARTIAL, TASKS, TATLLM_TASK, WORDS


_CHUNK: Final = 64  # predictions that go to a worker at a time

# Wraps what is iterated over, given how many there are and a name.
Progress = Callable[[Iterable[Result], int, str], Iterable[Result]]


@dataclass(frozen=True)
class Settings:
    """How files of predictions are read and scored.

    Parameters
    ----------
    format, id_key, prediction_key
        As in `open_predictions`.
    task
        The task of the harness whose scoring is used; `None` takes that which a sample
        log names, else the benchmark's main task.
    missing
        What a question without a prediction counts: `"error"`, `"zero"`, `"drop"`.
    thinking
        Whether the prompts ended inside a thought, so that a response without a closing
        tag is an unfinished one. Where it is false, the documents of a sample log say it.
    workers
        How many processes score.
    """

    format: str | None = None
    id_key: str | None = None
    prediction_key: str | None = None
    task: str | None = None
    missing: str = "error"
    thinking: bool = False
    workers: int = 1


@dataclass(frozen=True)
class Prepared:
    """A file of predictions, the task whose scoring is used, and what answers what."""

    predictions: Predictions
    task: str
    plan: Plan
    thinking: bool


@dataclass(frozen=True)
class Group:
    """The questions of one group of a breakdown."""

    labels: tuple[str, ...]
    n: int
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True)
class FileScore:
    """The scores of one file of predictions.

    `values` has each metric by the place of the question among the references; NaN
    where a question has no value. `words` counts the reasons and rules that stand in
    the place of a score. `estimates` and `groups` are what the values come to.
    """

    predictions: Predictions
    model: str | None
    plan: Plan
    signature: Signature
    n: int
    values: Mapping[str, array[float]]
    words: Mapping[str, Counter[str]]
    estimates: Mapping[str, Estimate]
    groups: Sequence[tuple[Breakdown, Sequence[Group]]]


def prepare(references: References, path: str, settings: Settings) -> Prepared:
    """Open a file of predictions, and check all of it before anything is scored.

    Raises
    ------
    InputFileError
        As `open_predictions` and `make_plan`, and where predictions are missing that
        must not be, a sample log is of another benchmark's task, or extracted answers
        are to be searched for thoughts.
    """
    predictions = open_predictions(
        references.benchmark,
        path,
        name=settings.format,
        id_key=settings.id_key,
        prediction_key=settings.prediction_key,
    )
    if settings.thinking and predictions.format.extracted:
        raise InputFileError(
            f"{path}: --thinking is for raw responses, and these are answers that were "
            f"extracted already (format {predictions.format.name}); leave it out"
        )
    task = _task_of(references.benchmark, predictions, settings)
    plan = make_plan(references, predictions)
    check_missing(plan, references, predictions, settings.missing)
    return Prepared(predictions, task, plan, settings.thinking or plan.thinking)


def score_file(
    references: References,
    prepared: Prepared,
    settings: Settings,
    *,
    model: str | None = None,
    keep_sample: Callable[[str], object] | None = None,
    progress: Progress | None = None,
) -> FileScore:
    """Score one file of predictions.

    Parameters
    ----------
    references, prepared, settings
        What is scored, and how.
    model
        The name of the model.
    keep_sample
        Called with each sample in JSON, in the order of the file, missing ones last.
        Nothing else of a sample is kept.
    progress
        Wraps the results, to show how many there are.

    Raises
    ------
    InputFileError
        A reference is malformed.
    WorkerDied
        A worker process came to an end by itself.
    """
    predictions, plan = prepared.predictions, prepared.plan
    scorer = Scorer(
        TASKS[prepared.task],
        predictions.format.extracted,
        predictions.responses.layout,
        prepared.thinking,
    )
    asked = jobs(plan, references, predictions, settings.missing)
    n = plan.predicted + (len(plan.missing) if settings.missing == "zero" else 0)
    path = str(predictions.responses.file.path)
    sheet = _Sheet(len(references))
    done = in_order(scorer, asked, workers=settings.workers, size=_CHUNK)
    with closing(done) as results:
        for result in progress(results, n, path) if progress else results:
            sheet.add(result)
            if keep_sample:
                keep_sample(result.sample)
    signature = Signature(
        benchmark=references.benchmark,
        references=tuple(sha256 for _, sha256 in references.files),
        task=prepared.task,
        format=predictions.format.name,
        extracted=predictions.format.extracted,
        missing=settings.missing,
        interval=INTERVAL,
        version=installed_version(),
        thinking=prepared.thinking,
    )
    return FileScore(
        predictions=predictions,
        model=model,
        plan=plan,
        signature=signature,
        n=n,
        values=sheet.values,
        words=sheet.words,
        estimates=sheet.estimates(range(len(references)), references.upper),
        groups=_groups(references, sheet),
    )


def compare_files(
    first: FileScore, second: FileScore, *, upper: float
) -> dict[str, Comparison]:
    """Compare two files in each metric that both have, words left out."""
    found = {}
    for name, values in first.values.items():
        if name in second.values and name not in WORDS:
            result = compare(
                _optional(values), _optional(second.values[name]), upper=upper
            )
            if result is not None:
                found[name] = result
    return found


def _task_of(benchmark: str, predictions: Predictions, settings: Settings) -> str:
    if settings.task is not None:
        return settings.task
    logged = predictions.responses.task
    if logged is not None and logged in TASKS:
        if TASKS[logged].benchmark != benchmark:
            raise InputFileError(
                f"{predictions.responses.file.path}: is a sample log of the task "
                f"{logged}, which is not of {benchmark}"
            )
        return logged
    if predictions.format.name == "finqa":
        return "finqa_program"
    if predictions.format.name == "tatllm":
        return TATLLM_TASK[benchmark]
    return MAIN_TASK[benchmark]


@dataclass
class _Sheet:
    """The scores of all questions, by their places among the references."""

    size: int
    values: dict[str, array[float]] = field(default_factory=dict)
    words: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        for name, value in result.scores.items():
            if name not in self.values:
                self.values[name] = array("d", [math.nan]) * self.size
            if name in WORDS:
                counts = self.words.setdefault(name, Counter())
                if isinstance(value, str):
                    counts[value] += 1
                self.values[name][result.place] = float(value is not None)
            elif isinstance(value, float):
                self.values[name][result.place] = value

    def estimates(self, places: Collection[int], upper: float) -> dict[str, Estimate]:
        found = {}
        for name, values in self.values.items():
            scores = [
                value for place in places if not math.isnan(value := values[place])
            ]
            found[name] = estimate(
                scores,
                upper=1.0 if name in WORDS else upper,
                partial=name in PARTIAL,
            )
        return found

    def scored(self, place: int) -> bool:
        """Whether a question has any score: a reason or none is there for each."""
        return any(
            not math.isnan(self.values[name][place])
            for name in WORDS
            if name in self.values
        )


def _groups(
    references: References, sheet: _Sheet
) -> list[tuple[Breakdown, list[Group]]]:
    breakdowns = []
    for number, breakdown in enumerate(BREAKDOWNS[references.benchmark]):
        places: dict[tuple[str, ...], array[int]] = {}
        for place, groups_of_question in enumerate(references.groups):
            if sheet.scored(place):
                for labels in groups_of_question[number]:
                    places.setdefault(labels, array("q")).append(place)
        others = sorted(places.keys() - set(breakdown.groups))
        groups = [
            Group(
                labels,
                len(places.get(labels, ())),
                sheet.estimates(places.get(labels, ()), references.upper),
            )
            for labels in (*breakdown.groups, *others)
            if labels in places or breakdown.grid
        ]
        breakdowns.append((breakdown, groups))
    return breakdowns


def _optional(values: Iterable[float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]
