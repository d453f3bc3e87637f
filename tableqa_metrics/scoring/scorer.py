"""Predictions scored one by one, in this process or in another."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, NamedTuple

from ..files.jsonfile import InputFileError
from ..files.records import FINQA, TANQ, TATDQA, TATQA
from ..files.response_rows import Layout
from ..files.rowfile import RawRow
from .tasks import WORDS, Scored, Scores, Task


MISSING: Final = "missing"  # the reason of a question without a prediction

# Imported when they are used: each needs libraries that the others do without.
_MODULES: Final = {TANQ: "tanq", TATQA: "tat", TATDQA: "tat", FINQA: "finqa"}


class Job(NamedTuple):
    """A prediction to be scored.

    `place` is the question's among the references, `gold` its reference in JSON, and
    `row` holds the prediction; it is `None` where there is none.
    """

    id: str
    place: int
    where: str
    gold: str
    row: RawRow | None


class Result(NamedTuple):
    """The scores of a job, and the sample that the output shows, in JSON."""

    place: int
    scores: Scores
    sample: str


@dataclass(frozen=True)
class Scorer:
    """Scores predictions; it can be sent to another process.

    Parameters
    ----------
    task
        How a response is scored.
    extracted
        Whether the predictions are answers, not responses.
    layout
        How a row is read.
    thinking
        Whether the prompts ended inside a thought; see `visible_text`.
    """

    task: Task
    extracted: bool
    layout: Layout
    thinking: bool = False

    def __call__(self, jobs: list[Job]) -> list[Result]:
        """Score predictions.

        Raises
        ------
        InputFileError
            A reference is malformed; the message says where it stands.
        """
        module = import_module(f".{_MODULES[self.task.benchmark]}", __package__)
        return [self._result(job, module.score) for job in jobs]

    def _result(self, job: Job, score: Callable[..., Scored]) -> Result:
        gold = json.loads(job.gold)
        item = None if job.row is None else self.layout.read(job.row.read())
        try:
            if item is None or item.values is None:
                empty = score(
                    self.task, gold, "", extracted=False, thinking=False, document={}
                )
                scored = _scored_zero(empty)
            else:
                scored = score(
                    self.task,
                    gold,
                    item.values[0],
                    extracted=self.extracted,
                    thinking=self.thinking,
                    document=item.document,
                )
        except ValueError as error:
            raise InputFileError(f"{job.where}: {error}") from error
        if self.extracted:
            # Only a response can be in another form than the prompt asks for.
            scores = {k: v for k, v in scored.scores.items() if k != "off_format"}
            scored = scored._replace(scores=scores)
        return Result(job.place, scored.scores, _sample(job.id, scored))


def _scored_zero(empty: Scored) -> Scored:
    """Turn the scores of an empty response into those of none: 0 wherever one applies."""
    scores: dict[str, float | str | None] = {
        key: 0.0 if isinstance(value, float) else None
        for key, value in empty.scores.items()
    }
    reason = next(key for key in WORDS if key in scores)
    return Scored({**scores, reason: MISSING}, None, None)


def _sample(name: str, scored: Scored) -> str:
    reason = next(scored.scores[key] for key in WORDS if key in scored.scores)
    sample = {
        "id": name,
        **scored.scores,
        "prediction": scored.prediction,
        "rule": scored.rule,
        "reason": reason,
    }
    try:
        return json.dumps(sample, allow_nan=False)
    except (ValueError, RecursionError):
        # An infinity, or nesting without end, which JSON read back would not hold.
        return json.dumps({**sample, "prediction": _as_text(scored.prediction)})


def _as_text(value: Any) -> str:
    try:
        return json.dumps(value)
    except RecursionError:
        return "nested too deeply to be shown"
