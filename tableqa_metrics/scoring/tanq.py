"""One prediction of TANQ, scored as its tasks score it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..extraction.tables import FoundTable, find_table
from ..response import EMPTY
from ..table import parse_serialized
from ..tatqa import MALFORMED
from .table_scores import tanq_scores
from .tasks import Scored, Task


def score(
    task: Task,
    gold: Mapping[str, Any],
    prediction: Any,
    *,
    extracted: bool,
    thinking: bool,
    document: Mapping[str, Any],
) -> Scored:
    """Score a response, or a table in TANQ's form.

    A table is given to the official metric as it is written; a value that is no text is
    none. The retrieval recall of a
    prompt is that of the document, `None` where it holds none.
    """
    if not extracted:
        found = find_table(prediction, thinking=thinking)
    elif not isinstance(prediction, str):
        found = FoundTable(None, "", None, MALFORMED)
    elif prediction.strip():
        found = FoundTable(parse_serialized(prediction), prediction, None, None)
    else:
        found = FoundTable(None, prediction, None, EMPTY)
    scores = tanq_scores(
        gold["answer_table"],
        found,
        question_type=gold["question_type"],
        truncated=bool(document.get("truncated")),
        prompted=task.prompted,
    )
    if task.retrieval:
        scores["retrieval_recall"] = _share(document.get("retrieval_recall"))
    return Scored(scores, found.text or None, found.rule)


def _share(value: Any) -> float | None:
    """Return a number from 0 to 100, `None` for all else."""
    known = type(value) in (int, float) and 0 <= value <= 100
    return float(value) if known else None
