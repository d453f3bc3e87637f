"""Documents of the public data files, in the form in which the harness's tasks have them.

What a file of scores leaves out, question and context, is looked up here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..files.proofs import read_proofs
from ..files.records import (
    FINQA,
    TANQ,
    Place,
    RepeatedQuestion,
    as_rows,
    as_text,
    as_texts,
    benchmark_of,
    distinct_ids,
    tat_questions,
)
from ..files.rowfile import RowFile


Document = Mapping[str, Any]


def read_documents(file: RowFile) -> dict[str, Document]:
    """Read a file of references; by question id, in its order.

    What cannot be used is left out: whoever scored against it has been told.

    Raises
    ------
    InputFileError
        The file cannot be read.
    """
    found = [doc for record in _records(file) for doc in _documents(file.path, record)]
    try:
        names = list(distinct_ids((doc["id"], doc["question"]) for doc in found))
    except RepeatedQuestion:
        names = [doc["id"] for doc in found]
    return {name: {**doc, "id": name} for name, doc in zip(names, found, strict=True)}


def _records(file: RowFile) -> Iterator[dict[str, Any]]:
    if file.members is not None:
        yield dict(file.members)
    for raw in file.rows():
        yield raw.read().data


def _documents(path: Path, record: Mapping[str, Any]) -> Iterator[Document]:
    benchmark = benchmark_of(record)
    if benchmark == TANQ:
        yield {
            "id": as_text(record.get("init_qid")),
            "question": as_text(record.get("ext_question_rephrased")),
            "answer_table": as_text(record["answer_table"]),
            "skills": as_texts(record.get("extended_types")),
            "proofs": read_proofs(record)[0],
            "gold": "{}",
        }
    elif benchmark == FINQA:
        gold = record["qa"]
        if isinstance(gold, dict):
            kept = ("question", "answer", "program", "exe_ans", "gold_inds")
            yield {
                "id": as_text(record.get("id")),
                "question": as_text(gold.get("question")),
                "pre_text": as_texts(record.get("pre_text")),
                "table": as_rows(record.get("table")),
                "post_text": as_texts(record.get("post_text")),
                "gold": json.dumps({key: gold[key] for key in kept if key in gold}),
            }
    elif benchmark is not None:
        yield from _tat(path, record)


def _tat(path: Path, record: Mapping[str, Any]) -> Iterator[Document]:
    table = record.get("table")
    paragraphs = record.get("paragraphs")
    texts = [p for p in paragraphs or () if isinstance(p, dict)]
    shared = {
        "table": as_rows(table.get("table")) if isinstance(table, dict) else [],
        "paragraphs": [as_text(p.get("text")) for p in sorted(texts, key=_order)],
    }
    for place, gold in tat_questions(Place(path, "a context"), record):
        yield {
            "id": as_text(place.id),
            "question": as_text(gold.get("question")),
            "gold": json.dumps(gold),
            **shared,
        }


def _order(paragraph: Mapping[str, Any]) -> float:
    try:
        return float(paragraph.get("order") or 0)
    except (TypeError, ValueError):
        return 0.0
