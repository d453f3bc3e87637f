"""TANQ (Akhtar et al. 2024, arXiv:2405.07765), released as one JSON record a line.

Needed in each record are `init_qid`, `ext_question_rephrased` and `answer_table`. All
else may be missing, null, or a number where a text is expected: the ten samples in the
released repository, for instance, have no proofs.
"""

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import datasets

from lm_eval_tasks.data.records import Document, Place, collect, read_records
from lm_eval_tasks.data.splits import TABLE, TEXT, TEXTS, Splits
from tableqa_metrics.files.proofs import read_proofs
from tableqa_metrics.files.records import as_texts, tanq_question_type


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

# See `tableqa_metrics.files.proofs`.
PROOF: Final = {
    **dict.fromkeys(("kind", "page", "section", "parent_section"), TEXT),
    **dict.fromkeys(("text", "key", "value", "caption"), TEXT),
    "rows": TABLE,
    "property": TEXT,
    "answer": datasets.Value("int32"),
    "filter_pass": datasets.Value("bool"),
}

FEATURES: Final = datasets.Features(
    {
        "id": TEXT,
        "question": TEXT,
        "answer_table": TEXT,
        "question_type": TEXT,
        "skills": TEXTS,
        "proofs": [PROOF],
        "gold": TEXT,
    }
)


def load(**metadata: Any) -> Splits:
    """Return TANQ's splits: test, and dev as validation; it has no train split.

    Parameters
    ----------
    **metadata
        As the harness gives it; see `splits.py` for the keys that count.

    Returns
    -------
    Splits
        Documents with `id`, `question`, `answer_table`, `question_type` (`simple`,
        `intersection` or `composition`), `skills`, `proofs` (see `PROOF`; each once,
        those of rows that fail the filter included) and `gold`, the record as JSON but
        for its `answer_list`.

    Raises
    ------
    DataError
        If the file cannot be had, or if a record lacks a needed field, or has it blank.
    """
    return Splits.of_files("tanq", metadata, read_file, FEATURES)


def read_file(path: Path, *, strict: bool = True) -> list[Document]:
    """Read a file of TANQ records.

    Raises
    ------
    DataError
        If the file holds no records, or, with `strict`, if one lacks a needed field.
    """
    silent = 0

    def build(place: Place, record: dict[str, Any]) -> list[Document]:
        nonlocal silent
        place = replace(place, id=record.get("init_qid"))
        name = place.text(record, "init_qid")
        proofs, skipped = read_proofs(record)
        silent += skipped
        return [
            {
                "id": name,
                "question": place.text(record, "ext_question_rephrased"),
                "answer_table": place.text(record, "answer_table"),
                "question_type": tanq_question_type(name),
                "skills": as_texts(record.get("extended_types")),
                "proofs": proofs,
                "gold": json.dumps(
                    {k: v for k, v in record.items() if k != "answer_list"}
                ),
            }
        ]

    documents = collect(read_records(path), build, strict=strict)
    if silent:
        _log.warning("%s: left out %d proofs without a known field", path, silent)
    return documents
