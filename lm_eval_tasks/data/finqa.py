"""FinQA (Chen et al. 2021, arXiv:2109.00122): reports with a table and its questions."""

import json
from dataclasses import replace
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
from tableqa_metrics.files.records import as_rows, as_texts, check_finqa_gold
from tableqa_metrics.scoring.golds import check_finqa


FEATURES: Final = datasets.Features(
    {
        "id": TEXT,
        "question": TEXT,
        "pre_text": TEXTS,
        "table": TABLE,
        "post_text": TEXTS,
        "gold": TEXT,
    }
)

# What the released retriever adds to a record: long, and no part of the gold.
_RETRIEVED: Final = ("model_input", "tfidftopn")


def load(**metadata: Any) -> Splits:
    """Return FinQA's splits: train, dev as validation, and test.

    Parameters
    ----------
    **metadata
        As the harness gives it; see `splits.py` for the keys that count.

    Returns
    -------
    Splits
        Documents with `id`, `question`, `pre_text`, `table` (rows of cells),
        `post_text` (both empty where the file has null) and `gold`, the record's `qa`
        object as JSON. A record without a needed field is an error in the split that
        stands as test; in another it is left out, which one warning says.

    Raises
    ------
    DataError
        If the file cannot be had, or if a record lacks a needed field or is malformed.
    """
    return Splits.of_files("finqa", metadata, read_file, FEATURES)


def read_file(path: Path, *, strict: bool = True) -> list[Document]:
    """Read a file of FinQA records.

    Raises
    ------
    DataError
        If the file holds no records, or, with `strict`, if a record lacks its id, table,
        question, program or `exe_ans`, or if its program does not come to the latter.
    """
    return collect(read_records(path), _documents, strict=strict)


def _documents(place: Place, record: dict[str, Any]) -> list[Document]:
    place = replace(place, id=record.get("id"))
    gold = check_finqa_gold(place, record)
    name, table = place.text(record, "id"), as_rows(record["table"])
    with checking(place):
        check_finqa({"id": name, "table": table, "qa": gold})
    return [
        {
            "id": name,
            "question": place.text(gold, "question"),
            "pre_text": as_texts(record.get("pre_text")),
            "table": table,
            "post_text": as_texts(record.get("post_text")),
            "gold": json.dumps({k: v for k, v in gold.items() if k not in _RETRIEVED}),
        }
    ]
