"""Predictions scored one by one, in this process or in another."""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from ..files.blocks import Block, RawRow
from ..files.jsonfile import InputFileError
from ..files.layout import SAMPLES, Layout
from ..files.records import FINQA, TANQ, TATDQA, TATQA
from .logs import differing
from .questions import of_record
from .tasks import WORDS, Scored, Scores, Task


MISSING: Final = "missing"  # the reason of a question without a prediction

# Imported when they are used: each needs libraries that the others do without.
_MODULES: Final = {TANQ: "tanq", TATQA: "tat", TATDQA: "tat", FINQA: "finqa"}


class Job(NamedTuple):
    """A prediction to be scored.

    `gold` is the reference, and `row` holds the prediction; it is `None` where there is
    none.
    """

    id: str
    where: str
    gold: Mapping[str, Any]
    row: RawRow | None


class Result(NamedTuple):
    """The scores of a job, and the sample that the output shows, in JSON.

    `differ` are the metrics that have another value than a sample log says.
    """

    scores: Scores
    sample: str
    differ: list[str]


class Batch(NamedTuple):
    """Predictions to be scored, as they go to another process.

    `asked` has the questions that are answered: the row's place in the block, the
    question's among the references, its id in UTF-8, and its record (see `of_record`).
    There is no block where the predictions are missing.
    """

    block: Block | None
    asked: list[tuple[int, int, bytes, bytes]]


class BatchScores(NamedTuple):
    """The scores of a batch, as they come back.

    `places` are the questions', `names` the metrics. `records` has the values of each
    question in a row, as doubles, NaN where it has none. `words` counts the reasons and
    rules that stand in the place of a score, and `samples` are those of the output, with
    a comma and a line's end between two. `differ` counts the questions of which a sample
    log has another value, by metric.
    """

    places: list[int]
    names: tuple[str, ...]
    records: list[bytes]
    words: Mapping[str, Counter[str]]
    samples: str
    differ: Counter[str]


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

    def __call__(self, batch: Batch) -> BatchScores:
        """Score predictions.

        Raises
        ------
        InputFileError
            A reference is malformed; the message says where it stands.
        """
        rows = [] if batch.block is None else list(batch.block.rows())
        results = []
        for row, _, stored, record in batch.asked:
            _, where, gold = of_record(record)
            job = Job(stored.decode(), where, gold, rows[row] if rows else None)
            results.append(self.score(job))
        names = tuple(results[0].scores)
        words: dict[str, Counter[str]] = {
            name: Counter() for name in names if name in WORDS
        }
        for result in results:
            for name, counts in words.items():
                if isinstance(word := result.scores[name], str):
                    counts[word] += 1
        return BatchScores(
            [place for _, place, _, _ in batch.asked],
            names,
            [_record(names, result.scores) for result in results],
            words,
            ",\n".join(result.sample for result in results),
            Counter(name for result in results for name in result.differ),
        )

    def score(self, job: Job) -> Result:
        """Score one prediction.

        Raises
        ------
        InputFileError
            As for a batch.
        """
        score = _score_of(self.task.benchmark)
        row = None if job.row is None else job.row.read()
        item = None if row is None else self.layout.read(row)
        try:
            if item is None or item.values is None:
                empty = score(
                    self.task,
                    job.gold,
                    "",
                    extracted=False,
                    thinking=False,
                    document={},
                )
                scored = _scored_zero(empty)
            else:
                scored = score(
                    self.task,
                    job.gold,
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
        differ = []
        if row is not None and self.layout.form == SAMPLES:
            differ = differing(row.data, scored.scores)
        return Result(scored.scores, _sample(job.id, scored), differ)


@cache
def _score_of(benchmark: str) -> Callable[..., Scored]:
    module = import_module(f".{_MODULES[benchmark]}", __package__)
    return module.score  # type: ignore[no-any-return]


def _record(names: Iterable[str], scores: Scores) -> bytes:
    """Write the values of a question; of a word there is whether it is there."""
    values = array("d")
    for name in names:
        value = scores[name]
        if name in WORDS:
            values.append(value is not None)
        else:
            values.append(value if isinstance(value, float) else math.nan)
    return values.tobytes()


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
