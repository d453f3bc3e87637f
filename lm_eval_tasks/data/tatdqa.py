"""TAT-DQA (Zhu et al. 2022, arXiv:2207.11871): questions on pages of financial reports.

The released gold holds no text of the pages. TAT-LLM's prompts do, under the heading
`### Document`, and share the ids of the questions.
"""

import logging
from pathlib import Path
from typing import Any, Final

import datasets

from lm_eval_tasks.data.prompts import read_prompts, section
from lm_eval_tasks.data.records import (
    Document,
    Place,
    collect,
    name_some,
    read_records,
)
from lm_eval_tasks.data.request import Request
from lm_eval_tasks.data.splits import TEXT, Splits
from lm_eval_tasks.data.tatqa import gold_fields
from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.records import as_text, tat_questions


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

FEATURES: Final = datasets.Features(
    {
        "id": TEXT,
        "question": TEXT,
        "document": TEXT,
        "document_id": TEXT,
        "source": TEXT,
        "page": TEXT,
        "gold": TEXT,
    }
)

_GOLD: Final = "tat_llm/original/tatdqa"
# Either style holds the text.
_PROMPTS: Final = ("tat_llm/sft/end_to_end/tatdqa", "tat_llm/sft/stepwise/tatdqa")


def load(**metadata: Any) -> Splits:
    """Return TAT-DQA's splits: dev as validation, and test.

    Parameters
    ----------
    **metadata
        As the harness gives it; see `splits.py` for the keys that count. A split has two
        files, `gold` and `prompts`; a path alone is that of the gold.

    Returns
    -------
    Splits
        Documents with `id` (the question's uid), `question`, `document` (the text),
        `document_id`, `source` (the report's file), `page` and `gold`, the question's
        record as JSON. Questions without a text are left out, which one warning says.

    Raises
    ------
    DataError
        If a file cannot be had, if a record lacks a needed field or is malformed, or if
        no question has a text.
    """
    request = Request.from_metadata("tatdqa", metadata, parts=("gold", "prompts"))

    def read(split: str, required: bool) -> list[Document]:
        text = request.path(split, *_PROMPTS, required=required, part="prompts")
        if text is None:
            return []
        gold = request.path(split, _GOLD, required=required)
        return [] if gold is None else read_files(gold, text, strict=required)

    return Splits(request, read, FEATURES)


def read_files(gold: Path, prompts: Path, *, strict: bool = True) -> list[Document]:
    """Join a file of gold and a file of prompts by the ids of the questions.

    Raises
    ------
    DataError
        If a file holds no records, or, with `strict`, if a record lacks a needed field or
        is malformed, or no question has a text.
    """
    texts = {}
    for prompt in read_prompts(prompts, strict=strict):
        text = section(prompt["prompt"], "Document", before="Question")
        if text:
            texts[prompt["id"]] = text
    asked = collect(read_records(gold), _documents, strict=strict)
    documents = [
        {**document, "document": texts[document["id"]]}
        for document in asked
        if document["id"] in texts
    ]
    if strict and not documents:
        raise DataError(
            f"none of the {len(asked)} questions of {gold} has a text in {prompts}"
        )
    without = [document["id"] for document in asked if document["id"] not in texts]
    if without:
        _log.warning(
            "%s: left out %d of %d questions, which have no text in %s: %s",
            gold,
            len(without),
            len(asked),
            prompts,
            name_some(without),
        )
    return documents


def _documents(place: Place, context: dict[str, Any]) -> list[Document]:
    page = place.value(context, "doc")
    if not isinstance(page, dict):
        raise place.error("doc is not a JSON object")
    shared = {
        "document_id": as_text(page.get("uid")),
        "source": as_text(page.get("source")),
        "page": as_text(page.get("page")),
    }
    return [
        {**gold_fields(asked, gold), **shared}
        for asked, gold in tat_questions(place, context)
    ]
