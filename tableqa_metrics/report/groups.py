"""Runs on the same questions, side by side, with every answer taken apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ..files.jsonfile import InputFileError
from ..files.records import BENCHMARKS
from ..scoring.tasks import TASKS
from .explain import Explanation, explain, primary_metric, value_metric
from .questions import Block, Question, own_context, read_question
from .runs import Run, Sample, distinct_labels


_T = TypeVar("_T")
# Wraps an iterable of a known length, to show how far it is.
Progress = Callable[[Iterable[_T], int], Iterable[_T]]

_SAMPLE: Final = "_sample"  # the embedded samples are no part of the benchmark


@dataclass(frozen=True)
class Answered:
    """A question as one run answered it.

    `context` is what the run was shown, where that is not the question's `context`.
    """

    sample: Sample
    explanation: Explanation
    context: tuple[Block, ...] | None = None


@dataclass(frozen=True)
class Group:
    """All runs on one benchmark.

    Parameters
    ----------
    name
        For links: the benchmark, or the task that asks its embedded samples.
    title
        For readers.
    benchmark
        A name of `records.BENCHMARKS`.
    runs, labels
        The runs, and what each is called.
    primary, value
        The metric that decides the outcome, and ours beside it, if there are any.
    questions
        By id, in the order of the first run that has them.
    answers
        For each run, by question id.
    """

    name: str
    title: str
    benchmark: str
    runs: tuple[Run, ...]
    labels: tuple[str, ...]
    primary: str | None
    value: str | None
    questions: Mapping[str, Question]
    answers: tuple[Mapping[str, Answered], ...]

    @property
    def is_sample(self) -> bool:
        """Whether these are the embedded samples."""
        return self.name.endswith(_SAMPLE)


def make_groups(
    runs: Sequence[Run], progress: Progress[Answered] = lambda items, _: items
) -> list[Group]:
    """Group runs by benchmark and take their answers apart.

    Parameters
    ----------
    runs
        In the order in which they are to be shown.
    progress
        Called with the answers as they are made, and how many there are.

    Raises
    ------
    InputFileError
        If two runs have different questions under one id.
    """
    by_name: dict[str, list[Run]] = {}
    for run in runs:
        name = run.task if run.task.endswith(_SAMPLE) else run.benchmark
        by_name.setdefault(name, []).append(run)
    questions = {name: _questions(members) for name, members in by_name.items()}
    total = sum(len(run.samples) for run in runs)
    made = iter(progress(_answered(by_name, questions), total))
    groups = []
    for name, members in by_name.items():
        answers = []
        for run in members:
            found = [next(made) for _ in run.samples]
            answers.append({answer.sample.id: answer for answer in found})
        groups.append(_group(name, members, questions[name], answers))
    next(made, None)  # lets the progress bar end
    return groups


def _answered(
    by_name: Mapping[str, Sequence[Run]],
    questions: Mapping[str, Mapping[str, Question]],
) -> Iterator[Answered]:
    for name, members in by_name.items():
        for run in members:
            for sample in run.samples:
                question = questions[name][sample.id]
                task = TASKS.get(run.scored_as)
                explained = explain(
                    run.benchmark,
                    question,
                    sample,
                    program=task is not None and task.program,
                )
                shown = own_context(run.benchmark, question, sample.doc)
                yield Answered(sample, explained, shown)


def _group(
    name: str,
    runs: Sequence[Run],
    questions: Mapping[str, Question],
    answers: Sequence[Mapping[str, Answered]],
) -> Group:
    benchmark = runs[0].benchmark
    title = BENCHMARKS[benchmark]
    scores = dict.fromkeys(metric for run in runs for metric in run.metrics)
    return Group(
        name=name,
        title=f"{title}, embedded samples" if name.endswith(_SAMPLE) else title,
        benchmark=benchmark,
        runs=tuple(runs),
        labels=tuple(distinct_labels([(run.model, run.task) for run in runs])),
        primary=primary_metric(scores),
        value=value_metric(scores),
        questions=questions,
        answers=tuple(answers),
    )


def _questions(runs: Sequence[Run]) -> dict[str, Question]:
    found: dict[str, Question] = {}
    origin: dict[str, Run] = {}
    for run in runs:
        ids = set()
        for sample in run.samples:
            if sample.id in ids:
                raise InputFileError(
                    f"{run.path}: the id {sample.id} stands there twice"
                )
            ids.add(sample.id)
            try:
                question = read_question(run.benchmark, sample.id, sample.doc)
            except ValueError as error:
                raise InputFileError(f"{run.path}: {error}") from error
            other = found.get(sample.id)
            if other is None or not other.context:
                found[sample.id] = question
                origin.setdefault(sample.id, run)
            elif question.reference != other.reference:
                raise InputFileError(
                    f"{run.path} and {origin[sample.id].path} have different references "
                    f"for the id {sample.id}"
                )
    return found
