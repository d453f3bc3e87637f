"""Files of predictions scored against files of references."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from ..aggregate import INTERVAL
from ..compare import Comparison, compare
from ..files.jsonfile import InputFileError
from ..files.layout import SAMPLES
from ..signature import Signature, installed_version
from . import logs
from .figures import Figures, figures
from .formats import FORMATS, Predictions, open_predictions
from .plan import Plan, batches, check_missing, make_plan
from .pool import Team
from .references import References
from .scorer import BatchScores, Scorer
from .sheet import Sheet
from .tasks import MAIN_TASK, TASKS, WORDS, tatllm_task


# Wraps what is iterated over, given how many there are and a name.
Progress = Callable[[Iterable[BatchScores], int, str], Iterable[BatchScores]]


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
    """

    format: str | None = None
    id_key: str | None = None
    prediction_key: str | None = None
    task: str | None = None
    missing: str = "error"
    thinking: bool = False


@dataclass(frozen=True)
class Prepared:
    """A file of predictions, the task whose scoring is used, and what answers what.

    `notes` say what its reader should know, a line each.
    """

    predictions: Predictions
    task: str
    plan: Plan
    thinking: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileScore:
    """The scores of one file of predictions.

    `sheet` has them of each question, and `figures` are what they come to.
    """

    predictions: Predictions
    model: str | None
    plan: Plan
    signature: Signature
    n: int
    sheet: Sheet
    figures: Figures

    def notes(self) -> Iterator[str]:
        """Say in which way the scores are not what a sample log says, a line each."""
        responses = self.predictions.responses
        if responses.layout.form == SAMPLES:
            for note in logs.notes(
                responses.task,
                self.signature.task,
                logs.first_rows(responses),
                self.signature.benchmark,
                self.sheet.differ,
                self.sheet.names,
                self.n,
            ):
                yield f"{responses.file.path}: {note}"


def prepare(
    references: References, path: str, settings: Settings, team: Team
) -> Prepared:
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
    plan = make_plan(references, predictions, team)
    check_missing(plan, references, predictions, settings.missing)
    if predictions.format.form == SAMPLES and settings.task is None:
        task = _task_of_log(references, predictions, plan, task, settings.thinking)
    if predictions.of_tatllm(plan.replies):
        predictions = replace(predictions, format=FORMATS["tatllm"])
        if settings.task is None:
            task = tatllm_task(references.benchmark, plan.replies)
    return Prepared(
        predictions,
        task,
        plan,
        settings.thinking or plan.thinking,
        tuple(_notes(predictions, plan)),
    )


def score_file(
    references: References,
    prepared: Prepared,
    settings: Settings,
    team: Team,
    *,
    model: str | None = None,
    keep_samples: Callable[[str], object] | None = None,
    progress: Progress | None = None,
) -> FileScore:
    """Score one file of predictions.

    Parameters
    ----------
    references, prepared, settings
        What is scored, and how.
    team
        Who scores.
    model
        The name of the model.
    keep_samples
        Called with the samples in JSON, some at a time, in the order of the file,
        missing ones last; see `BatchScores`. Nothing else of a sample is kept.
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
    asked = batches(plan, references, predictions, settings.missing)
    n = plan.predicted + (len(plan.missing) if settings.missing == "zero" else 0)
    path = str(predictions.responses.file.path)
    sheet = Sheet(references)
    with closing(team.in_order(scorer, asked)) as found:
        for scores in progress(found, n, path) if progress else found:
            sheet.add(scores)
            if keep_samples:
                keep_samples(scores.samples)
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
        sheet=sheet,
        figures=figures(sheet),
    )


def compare_files(
    first: FileScore, second: FileScore, *, upper: float
) -> dict[str, Comparison]:
    """Compare two files in each metric that both have, words left out."""
    found = {}
    for name in first.sheet.names:
        if name in second.sheet.names and name not in WORDS:
            values, others = first.sheet.values(name), second.sheet.values(name)
            result = compare(_optional(values), _optional(others), upper=upper)
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
    return MAIN_TASK[benchmark]


def _task_of_log(
    references: References,
    predictions: Predictions,
    plan: Plan,
    task: str,
    thinking: bool,
) -> str:
    """Return the task of a sample log; of one that is none of ours, the one like it.

    That is the task whose scores are those of the log's first questions, and of several
    the one whose prompt asks for answers as the log's targets are written.
    """
    responses = predictions.responses
    if responses.task in TASKS or not plan.predicted:
        return task
    rows = logs.first_rows(responses)
    names = logs.candidates(references.benchmark, rows)
    batch = next(iter(batches(plan, references, predictions, "drop")))
    wrong = {
        name: Scorer(TASKS[name], False, responses.layout, thinking or plan.thinking)(
            batch
        ).differ.total()
        for name in names
    }
    return min(wrong, key=wrong.__getitem__, default=task)


def _notes(predictions: Predictions, plan: Plan) -> Iterator[str]:
    path = predictions.responses.file.path
    if predictions.responses.unused_scale:
        yield (
            f"{path}: its column scale is not used, since "
            + (
                "what stands under response is searched for the answer and its scale "
                "(--format predictions takes both as they are)"
                if predictions.responses.layout.response_key == "response"
                else "its rows hold the questions' own records, whose scale that is"
            )
        )
    if plan.strange:
        yield (
            f"{path}: {plan.strange} of its values are no answers, the first one: "
            f"{plan.example.removeprefix(f'{path}, ')}"
        )


def _optional(values: Iterable[float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]
