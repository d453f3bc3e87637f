"""What a report is made from: runs of models, read from the files that hold them.

A run is one model's answers to one task. Read are the harness's output folders and
sample logs, and what `tableqa score --output` wrote (`score_file`). The scores are
those in the files; nothing is scored again.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..files.jsonfile import InputFileError, Row, some_of
from ..files.records import FINQA, TANQ, TATDQA, TATQA, as_text
from ..files.response_rows import SAMPLES_NAME
from ..files.rowfile import RowFile
from ..scoring.logs import candidates
from ..scoring.tasks import TASKS


Score = float | str | None

_SOME: Final = 64  # rows that say how a task is scored
_BENCHMARK: Final = re.compile(r"finqa|tatqa|tatdqa")
# The field that only the documents of one benchmark have.
_FIELDS: Final[Mapping[str, str]] = {
    "answer_table": TANQ,
    "pre_text": FINQA,
    "paragraphs": TATQA,
    "document": TATDQA,
}


@dataclass(frozen=True)
class Sample:
    """One question as one model answered it.

    Parameters
    ----------
    id
        Of the question.
    doc
        The question's document, in the form that the harness tasks have; `None` where
        the file holds none.
    response
        The raw text, or `None` where the file holds none.
    scores
        By metric, as in the file: a number, `None`, or a word.
    prediction, rule, reason
        What was extracted, how, and why nothing was, where the file says so.
    """

    id: str
    doc: Mapping[str, Any] | None
    response: str | None
    scores: Mapping[str, Score]
    prediction: object = None
    rule: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Run:
    """A model's answers to the questions of one task.

    Parameters
    ----------
    model, task
        Their names.
    benchmark
        A name of `records.BENCHMARKS`.
    metrics
        The names of the scores, in the order of the file.
    samples
        One a question, in the order of the file.
    path, sha256
        The file, and the check value of its bytes.
    facts
        What else is known of the run, for its reader: versions, shots, settings.
    scored_as
        The task of ours that scores so; of a task that was derived from one, the
        likeliest.
    """

    model: str
    task: str
    benchmark: str
    metrics: tuple[str, ...]
    samples: tuple[Sample, ...]
    path: Path
    sha256: str
    facts: Mapping[str, str] = field(default_factory=dict)
    scored_as: str = ""


def sample_logs(folder: Path) -> list[Path]:
    """Find the newest sample log of each task and model anywhere below a folder."""
    newest: dict[tuple[Path, str], tuple[str, Path]] = {}
    for path in folder.rglob("samples_*.jsonl*"):
        if name := SAMPLES_NAME.fullmatch(path.name):
            key = (path.parent, name["task"])
            newest[key] = max(newest.get(key, ("", path)), (name["date"], path))
    return sorted(path for _, path in newest.values())


def is_sample_log(row: Row) -> bool:
    """Say whether a row is one of a sample log of the harness, by its keys."""
    return {"doc", "doc_id", "resps"} <= row.data.keys()


def read_sample_log(path: Path) -> Run:
    """Read a `samples_<task>_<date>.jsonl` of the harness.

    Raises
    ------
    InputFileError
        The file cannot be read, is no log of one of our tasks, or holds no scores.
    """
    file = RowFile(path)
    rows = [raw.read() for raw in file.rows()]
    if not rows or not is_sample_log(rows[0]):
        raise InputFileError(f"{path}: is no sample log of lm-evaluation-harness")
    name = SAMPLES_NAME.fullmatch(path.name)
    task = name["task"] if name else path.name.split(".")[0]
    results = _results(path, name["date"]) if name else {}
    metrics = tuple(metric for metric in _listed(rows[0]) if metric != "bypass")
    if not metrics:
        raise InputFileError(
            f"{path}: holds no scores, as with --predict_only; score it first: "
            f"tableqa score"
        )
    first = rows[0].data.get("filter")
    benchmark = _benchmark(path, task, rows[0])
    return Run(
        model=as_text(results.get("model_name")) or path.resolve().parent.name,
        task=task,
        benchmark=benchmark,
        metrics=metrics,
        samples=tuple(_sample(r) for r in rows if r.data.get("filter") == first),
        path=path,
        sha256=file.sha256,
        facts=_facts(results, task),
        scored_as=_scored_as(task, benchmark, rows),
    )


def _scored_as(task: str, benchmark: str, rows: Sequence[Row]) -> str:
    if task in TASKS:
        return task
    return next(iter(candidates(benchmark, [row.data for row in rows[:_SOME]])), "")


def distinct_labels(names: Sequence[tuple[str, str]]) -> list[str]:
    """Name each run, of a model and a task, so that it is told from the others.

    Runs of the same model and task are numbered.

    Examples
    --------
    >>> distinct_labels([("a", "tatqa"), ("b", "tatqa"), ("b", "tatqa_zeroshot")])
    ['a', 'b · tatqa', 'b · tatqa_zeroshot']
    """
    models = Counter(model for model, _ in names)
    labels = [m if models[m] == 1 else f"{m} · {task}" for m, task in names]
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        seen[label] += 1
        found.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return found


def _sample(row: Row) -> Sample:
    doc, resps = row.data.get("doc"), row.data.get("resps")
    if not isinstance(doc, dict) or doc.get("id") is None:
        raise InputFileError(f"{row.where}: doc is no document of a tableqa task")
    return Sample(
        id=as_text(doc["id"]),
        doc=doc,
        response=_first_text(resps),
        scores={
            name: read_score(row.where, name, row.data.get(name))
            for name in _listed(row)
        },
    )


def _first_text(resps: object) -> str | None:
    while isinstance(resps, list) and resps:
        resps = resps[0]
    return resps if isinstance(resps, str) else None


def read_score(where: str, name: str, value: object) -> Score:
    """Return a score of a file: a number, a word or nothing.

    Raises
    ------
    InputFileError
        It is anything else.
    """
    if value is None:
        return None
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    raise InputFileError(f"{where}: the score {name} is neither a number nor a word")


def _listed(row: Row) -> list[str]:
    names = row.data.get("metrics")
    return [as_text(name) for name in names] if isinstance(names, list) else []


def _benchmark(path: Path, task: str, row: Row) -> str:
    doc = row.data["doc"]
    for name, benchmark in _FIELDS.items():
        if name in doc:
            return benchmark
    # Documents of TAT-LLM's tasks do not say of which data set they are.
    if "prompt" in doc and (named := _BENCHMARK.search(task)):
        return named[0]
    raise InputFileError(
        f"{path}: {task} is none of the tableqa tasks; its documents have "
        f"{some_of(doc, 10) or 'no fields'}"
    )


def _results(path: Path, date: str) -> Mapping[str, Any]:
    beside = path.parent / f"results_{date}.json"
    if not beside.is_file():
        return {}
    return dict(RowFile(beside).members or ())


def _facts(results: Mapping[str, Any], task: str) -> dict[str, str]:
    """Pick out what a reader needs to tell two runs apart."""
    config = results.get("config")
    config = config if isinstance(config, dict) else {}
    found = {
        "model type": results.get("model_source"),
        "lm-eval": results.get("lm_eval_version"),
        "shots": _of_task(results.get("n-shot"), task),
        "task version": _of_task(results.get("versions"), task),
        "generation": config.get("gen_kwargs") or None,
        "chat template": bool(results.get("chat_template")) or None,
        "limit": config.get("limit"),
    }
    return {name: as_text(v) for name, v in found.items() if v is not None}


def _of_task(values: object, task: str) -> object:
    return values.get(task) if isinstance(values, dict) else None
