"""TAT-QA (Zhu et al. 2021, arXiv:2105.07624): contexts of a table, texts and questions."""

import json
from pathlib import Path
from typing import Any, Final

import datasets

from lm_eval_tasks.data.records import (
    Document,
    Place,
    checking,
    collect,
    read_records,
)
from lm_eval_tasks.data.splits import TABLE, TEXT, TEXTS, Splits
from tableqa_metrics.files.records import (
    as_rows,
    as_text,
    check_tat_gold,
    tat_questions,
)
from tableqa_metrics.scoring.golds import check_tat


FEATURES: Final = datasets.Features(
    {
        "id": TEXT,
        "question": TEXT,
        "table": TABLE,
        "paragraphs": TEXTS,
        "context_id": TEXT,
        "gold": TEXT,
    }
)


def load(**metadata: Any) -> Splits:
    """Return TAT-QA's splits: train, dev as validation, and test_gold as test.

    Parameters
    ----------
    **metadata
        As the harness gives it; see `splits.py` for the keys that count.

    Returns
    -------
    Splits
        Documents with `id` (the question's uid), `question`, `table` (rows of cells),
        `paragraphs` (in their `order`), `context_id` (the table's uid) and `gold`, the
        question's record as JSON.

    Raises
    ------
    DataError
        If the file cannot be had, if a record lacks a needed field or is malformed, or if
        the file is the unlabelled test file.
    """
    return Splits.of_files("tatqa", metadata, read_file, FEATURES)


def read_file(path: Path, *, strict: bool = True) -> list[Document]:
    """Read a file of TAT-QA contexts, one document a question.

    Raises
    ------
    DataError
        If the file holds no records, or, with `strict`, as `load`.
    """
    return collect(read_records(path), _documents, strict=strict)


def _documents(place: Place, context: dict[str, Any]) -> list[Document]:
    table = place.value(context, "table")
    paragraphs = place.value(context, "paragraphs")
    rows = table.get("table") if isinstance(table, dict) else None
    if not isinstance(rows, list) or not isinstance(paragraphs, list):
        raise place.error("no table of rows and list of paragraphs, as TAT-QA has")
    shared = {
        "table": as_rows(rows),
        "paragraphs": in_order(place, paragraphs),
        "context_id": as_text(table.get("uid")),
    }
    return [
        {**gold_fields(asked, gold), **shared}
        for asked, gold in tat_questions(place, context)
    ]


def gold_fields(place: Place, gold: dict[str, Any]) -> Document:
    """Return id, question and gold of a question, which must have an answer.

    Raises
    ------
    DataError
        If a field is missing, or if nothing can be scored against the answer; for the
        unlabelled test file, naming the labelled one.
    """
    check_tat_gold(place, gold)
    with checking(place):
        check_tat(gold)
    return {
        "id": place.text(gold, "uid"),
        "question": place.text(gold, "question"),
        "gold": json.dumps(gold),
    }


def in_order(place: Place, paragraphs: list[Any]) -> list[str]:
    """Return the texts of the paragraphs, sorted by `order`."""
    numbered = []
    for paragraph in paragraphs:
        if not isinstance(paragraph, dict):
            raise place.error("a paragraph is not a JSON object")
        try:
            order = float(place.value(paragraph, "order"))
        except (TypeError, ValueError):
            raise place.error("a paragraph's order is no number") from None
        numbered.append((order, as_text(paragraph.get("text"))))
    return [text for _, text in sorted(numbered, key=lambda pair: pair[0])]
