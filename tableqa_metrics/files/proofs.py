"""The proofs in TANQ's records: what each answer was found in.

A proof is a dictionary that always has the same keys:

    kind                    `text`, `infobox` or `table`
    page                    title of the Wikipedia page
    section, parent_section where on the page
    text                    of a text proof; empty elsewhere, as are those that follow
    key, value              of an infobox proof
    caption, rows           of a table proof; the first row is the header
    property                the column that it proves; empty for the row itself
    answer                  the number of the first answer that it proves, from 0
    filter_pass             False: it proves only distractors

In the records any of this may be missing, null, or a number where a text is expected.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from .records import as_rows, as_text


Proof = dict[str, Any]


def read_proofs(record: Mapping[str, Any]) -> tuple[list[Proof], int]:
    """Read the proofs of a record of TANQ.

    Parameters
    ----------
    record
        As in the file. What its `answer_list` holds that is no proof is passed over,
        whatever its type.

    Returns
    -------
    list[Proof]
        Each proof once, in the order of the answers.
    int
        How many proofs had none of the fields that are known.

    Examples
    --------
    >>> proof = {"key": "Area", "value": "480 km²", "found_in_url": "…/wiki/Oslo"}
    >>> proofs, unknown = read_proofs({"answer_list": [{"init_answer_proof": [proof]}]})
    >>> [(p["kind"], p["page"], p["value"]) for p in proofs], unknown
    ([('infobox', 'Oslo', '480 km²')], 0)
    """
    proofs: dict[str, Proof] = {}
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


def _proofs_of_answer(answer: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for proof in _objects(answer.get("init_answer_proof")):
        yield "", proof
    for extension in _objects(answer.get("extension_answer")):
        label = as_text(extension.get("extension_property_label"))
        for proof in _objects(extension.get("proof")):
            yield label, proof


def _content(proof: dict[str, Any]) -> Proof | None:
    """Return what a proof says, or `None` if it says nothing.

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
