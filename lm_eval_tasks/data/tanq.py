"""TANQ (Akhtar et al. 2024, arXiv:2405.07765), released as one JSON record a line.

Needed in each record are `init_qid`, `ext_question_rephrased` and `answer_table`. All
else may be missing, null, or a number where a text is expected: the ten samples in the
released repository, for instance, have no proofs.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import datasets

from lm_eval_tasks.data.records import Document, Place, collect, read_json_lines
from lm_eval_tasks.data.splits import TABLE, TEXT, TEXTS, Splits
from tableqa_metrics.files.records import as_rows, as_text, as_texts, tanq_question_type


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

PROOF: Final = {
    "kind": TEXT,  # text, infobox or table
    "page": TEXT,  # title of the Wikipedia page
    "section": TEXT,
    "parent_section": TEXT,
    "text": TEXT,  # of a text proof
    "key": TEXT,  # of an infobox proof
    "value": TEXT,
    "caption": TEXT,  # of a table proof
    "rows": TABLE,  # the first row is the header
    "property": TEXT,  # the column that it proves; empty for the row itself
    "answer": datasets.Value("int32"),  # the first answer that it proves, from 0
    "filter_pass": datasets.Value("bool"),  # False: it proves only distractors
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
        If the file cannot be had, or if a record lacks a needed field.
    """
    return Splits.of_files("tanq", metadata, read_file, FEATURES)


def read_file(path: Path, *, strict: bool = True) -> list[Document]:
    """Read a file of TANQ records.

    Raises
    ------
    DataError
        If a line is no JSON object, or, with `strict`, if one lacks a needed field.
    """
    silent = 0

    def build(place: Place, record: dict[str, Any]) -> list[Document]:
        nonlocal silent
        name = place.text(record, "init_qid")
        place = replace(place, id=name)
        proofs, skipped = _proofs(record)
        silent += skipped
        return [
            {
                "id": name,
                "question": place.text(record, "ext_question_rephrased"),
                "answer_table": place.text(record, "answer_table", blank=True),
                "question_type": tanq_question_type(name),
                "skills": as_texts(record.get("extended_types")),
                "proofs": proofs,
                "gold": json.dumps(
                    {k: v for k, v in record.items() if k != "answer_list"}
                ),
            }
        ]

    documents = collect(read_json_lines(path), build, strict=strict)
    if silent:
        _log.warning("%s: left out %d proofs without a known field", path, silent)
    return documents


def page_title(url: str) -> str:
    """Return the title of a page from its address.

    Examples
    --------
    >>> page_title("https://en.wikipedia.org/wiki/High_Anxiety#Cast")
    'High Anxiety'
    >>> page_title("https://en.wikipedia.org/wiki/AC/DC")
    'AC/DC'
    """
    address = url.split("#")[0].rstrip("/")
    _, found, title = address.partition("/wiki/")
    return unquote(title if found else address.rsplit("/", 1)[-1]).replace("_", " ")


def _proofs(record: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
    """Return each proof once, in the order of the answers, and how many were unknown."""
    proofs: dict[str, dict[str, Any]] = {}
    unknown = 0
    for number, answer in enumerate(_objects(record.get("answer_list"))):
        passes = answer.get("filter_pass") not in (False, 0, "false", "False")
        for label, source in _proofs_of_answer(answer):
            content = _content(source)
            if content is None:
                unknown += 1
                continue
            proof = proofs.setdefault(
                json.dumps(content),
                {**content, "property": label, "answer": number, "filter_pass": passes},
            )
            proof["filter_pass"] = proof["filter_pass"] or passes
    return list(proofs.values()), unknown


def _proofs_of_answer(answer: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for proof in _objects(answer.get("init_answer_proof")):
        yield "", proof
    for extension in _objects(answer.get("extension_answer")):
        label = as_text(extension.get("extension_property_label"))
        for proof in _objects(extension.get("proof")):
            yield label, proof


def _content(proof: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a proof says in the fields of `PROOF`, or `None` if it says nothing.

    A proof of an unknown or missing kind is read by the fields that it has.
    """
    rows = _rows(proof.get("rows"))
    text = as_text(proof.get("text") or proof.get("proof_text"))
    key, value = as_text(proof.get("key")), as_text(proof.get("value"))
    has = {"table": bool(rows), "text": bool(text), "infobox": bool(key or value)}
    kind = proof.get("proof_type")
    if not has.get(kind if isinstance(kind, str) else ""):
        kind = next((name for name, there in has.items() if there), None)
    if kind is None:
        return None
    table, infobox = kind == "table", kind == "infobox"
    return {
        "kind": kind,
        "page": page_title(as_text(proof.get("found_in_url"))),
        "section": as_text(proof.get("section")),
        "parent_section": as_text(proof.get("parent_section")),
        "text": text if kind == "text" else "",
        "key": key if infobox else "",
        "value": value if infobox else "",
        "caption": as_text(proof.get("caption")) if table else "",
        "rows": rows if table else [],
    }


def _rows(rows: Any) -> list[list[str]]:
    cells = [row.get("cells") if isinstance(row, dict) else row for row in _list(rows)]
    table = as_rows(
        [
            [c.get("cell_value") if isinstance(c, dict) else c for c in _list(row)]
            for row in cells
        ]
    )
    return [row for row in table if row]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list, however deep, or a single one; skip all else."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            yield item
        elif isinstance(item, list):
            pending.extend(reversed(item))
