"""The questions of a report as the page's script reads them.

They are JSON, compressed and in base64, so that a report of thousands of long answers
stays small and no text of a model stands in the page's source. `store.js` says what each
key is for; keys are short because there are many of each.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any, Final

from ..files.records import as_text
from ..value.reading import read_value
from .answers import ReadValue, describe
from .cells import Cell, Grid, Place, TableMatch
from .groups import Answered, Group
from .questions import Block, Question
from .summary import in_order, metric_title, metrics_disagree, models_disagree


# Texts of at most so many characters each, the first that makes the page small enough.
LIMITS: Final = (1_000_000, 100_000, 32_000, 16_000, 8_000, 4_000, 2_000, 1_000, 400)


def payload(groups: Sequence[Group], limit: int) -> dict[str, Any]:
    """Return what the page's script needs, long texts shortened to `limit`."""
    contexts: dict[str, int] = {}
    packed = [_group(group, contexts, limit) for group in groups]
    return {"groups": packed, "contexts": [json.loads(text) for text in contexts]}


def compress(data: dict[str, Any]) -> str:
    """Return JSON as gzip in base64; the same data give the same text."""
    text = json.dumps(data, separators=(",", ":"))
    # Level 9 takes twice as long for 1 % less.
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def shorten(text: str, limit: int) -> str:
    """Cut the middle out of a long text, and say so in its place.

    Examples
    --------
    >>> shorten("abcdefghij", 4)
    'abc\\n[… 6 characters are left out of this report …]\\nj'
    """
    if len(text) <= limit:
        return text
    head = limit - limit // 4
    left_out = f"[… {len(text) - limit:,} characters are left out of this report …]"
    return f"{text[:head]}\n{left_out}\n{text[len(text) - limit + head :]}"


def _group(group: Group, contexts: dict[str, int], limit: int) -> dict[str, Any]:
    names = [name for name in (group.primary, group.value) if name is not None]
    return {
        "name": group.name,
        "title": group.title,
        "runs": list(group.labels),
        "metrics": {
            name: metric_title(group, name)
            for name in dict.fromkeys(m for run in group.runs for m in run.metrics)
        },
        "main": names,
        "facets": _facets(group),
        "questions": [
            _question(group, question, contexts, limit)
            for question in group.questions.values()
        ],
    }


def _facets(group: Group) -> list[list[Any]]:
    """Return each facet's name and all its values."""
    found: dict[str, list[str]] = {}
    for question in group.questions.values():
        for name, values in question.facets.items():
            found.setdefault(name, []).extend(values)
    return [[name, *in_order(values)] for name, values in found.items()]


def _question(
    group: Group, question: Question, contexts: dict[str, int], limit: int
) -> dict[str, Any]:
    grids: dict[str, int] = {}

    def context(blocks: Sequence[Block]) -> int | None:
        if not blocks:
            return None
        text = json.dumps([_block(block, limit) for block in blocks])
        return contexts.setdefault(text, len(contexts))

    def packed(answered: Answered) -> dict[str, Any]:
        own = answered.context
        shown = {} if own is None else {"context": context(own)}
        return {**_answer(group, answered, grids, limit), **shown}

    answers = [
        packed(of_run[question.id]) if question.id in of_run else None
        for of_run in group.answers
    ]
    return {
        "id": question.id,
        "text": question.text,
        "facets": [[name, *values] for name, values in question.facets.items()],
        "notes": [
            [name, shorten(text, limit)] for name, text in question.notes.items()
        ],
        "reference": shorten(_lines(question.reference), limit),
        "scale": question.scale,
        "context": context(question.context),
        "split": models_disagree(group, question.id),
        "answers": answers,
        "grids": (tables := [json.loads(text) for text in grids]),
        "readings": {
            text: describe(text, value)
            for text in dict.fromkeys(c for grid in tables for row in grid for c in row)
            if not isinstance(value := read_value(text), str | None)
        },
    }


def _block(block: Block, limit: int) -> Block:
    if "text" in block:
        return {**block, "text": shorten(block["text"], limit)}
    return {**block, "table": shorten_rows(block["table"], limit)}


def shorten_rows(rows: Sequence[Sequence[str]], limit: int) -> list[Sequence[str]]:
    """Cut the last rows off a long table, and say so in a row of their own.

    Examples
    --------
    >>> shorten_rows([["a", "b"], ["c", "d"], ["e", "f"]], 3)
    [['a', 'b'], ['[… 2 rows are left out of this report …]']]
    """
    length = 0
    for place, row in enumerate(rows):
        length += sum(map(len, row))
        if length > limit:
            left_out = f"[… {len(rows) - place:,} rows are left out of this report …]"
            return [*rows[:place], [left_out]]
    return list(rows)


def _answer(
    group: Group, answered: Answered, grids: dict[str, int], limit: int
) -> dict[str, Any]:
    sample, why = answered.sample, answered.explanation
    packed: dict[str, Any] = {
        "outcome": why.outcome,
        "causes": why.causes,
        "rule": why.scored.rule,
        "reason": why.scored.reason,
        "scores": {name: _rounded(sample.scores.get(name)) for name in sample.scores},
        "split": metrics_disagree(group, answered),
        "prediction": shorten(why.scored.text, limit),
        "scale": why.scored.scale,
    }
    if sample.response is not None:
        packed["response"] = shorten(sample.response, limit)
    if why.answer is not None:
        packed["values"] = [
            [_value(value, limit) for value in side]
            for side in (why.answer.reference, why.answer.prediction)
        ]
    if why.official is not None:
        packed["official"] = [shorten(text, limit) for text in why.official]
    if why.tables:
        packed["tables"] = {
            name: _match(match, grids) for name, match in why.tables.items()
        }
    return packed


def _lines(reference: Any) -> str:
    """Write a reference, each value of a list on a line of its own."""
    values = reference if isinstance(reference, list) else [reference]
    return "\n".join(as_text(value) for value in values)


def _rounded(score: Any) -> Any:
    return round(score, 4) if isinstance(score, float) else score


def _value(value: ReadValue, limit: int) -> list[Any]:
    return [shorten(value.text, limit), shorten(value.reading, limit), value.partner]


def _match(match: TableMatch, grids: dict[str, int]) -> dict[str, Any]:
    return {
        "grids": [
            grids.setdefault(json.dumps(grid), len(grids))
            for grid in (match.reference, match.prediction)
        ],
        "cells": [
            _cells(match.reference, match.reference_cells),
            _cells(match.prediction, match.prediction_cells),
        ],
        "transposed": match.transposed,
    }


def _cells(grid: Grid, cells: Any) -> list[list[Any]]:
    return [
        [_cell(cells.get((i, j))) for j in range(len(row))]
        for i, row in enumerate(grid)
    ]


def _cell(cell: Cell | None) -> Any:
    if cell is None:
        return 0
    partner: Place | tuple[()] = cell.partner or ()
    return [cell.status, round(cell.earned, 3), int(cell.counts), *partner]
