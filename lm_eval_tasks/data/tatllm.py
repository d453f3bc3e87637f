"""TAT-LLM's evaluation (Zhu et al. 2024, arXiv:2401.13223) on its own prompts.

Each of its three data sets has prompts in two styles, `stepwise` and `end_to_end`. The
gold lies in other files and is joined by id.
"""

import json
import logging
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import datasets

from lm_eval_tasks.data.prompts import read_prompts, section
from lm_eval_tasks.data.records import (
    Document,
    Place,
    checking,
    collect,
    name_some,
    read_records,
)
from lm_eval_tasks.data.request import Request
from lm_eval_tasks.data.splits import TEXT, Splits
from lm_eval_tasks.data.tatqa import gold_fields
from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.records import (
    as_rows,
    as_text,
    check_finqa_gold,
    tat_questions,
)
from tableqa_metrics.scoring.golds import check_finqa, check_tat


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

FEATURES: Final = datasets.Features(
    {"id": TEXT, "question": TEXT, "prompt": TEXT, "response": TEXT, "gold": TEXT}
)

# TAT-LLM writes FinQA's yes and no so.
_TRUTH: Final[Mapping[str, str]] = {
    "yes": "True",
    "no": "False",
    "true": "True",
    "false": "False",
}
_STATED: Final = re.compile(r"The answer is:[ \t]*(\S[^\n]*)")


def load(dataset: str, style: str, /, **metadata: Any) -> Splits:
    """Return the splits of one data set and style: dev as validation, and test.

    Parameters
    ----------
    dataset
        `finqa`, `tatqa` or `tatdqa`.
    style
        `stepwise` or `end_to_end`.
    **metadata
        As the harness gives it; see `splits.py` for the keys that count. A split has two
        files, `prompts` and `gold`; a path alone is that of the prompts. For FinQA,
        prompts that are named without gold take it from their own `resp`, which states
        the result of the program; a warning says so.

    Returns
    -------
    Splits
        Documents with `id`, `question`, `prompt` (verbatim), `response` (TAT-LLM's
        reference reply) and `gold`: the question's record as JSON; for FinQA an object
        whose `answer` is a number, `True` or `False`. Prompts without gold are left
        out, which one warning says.

    Raises
    ------
    DataError
        If a file cannot be had, if a record lacks a needed field or is malformed, or if
        no prompt has a gold record.
    """
    request = Request.from_metadata(
        f"tatllm_{dataset}_{style}", metadata, parts=("prompts", "gold")
    )

    def read(split: str, required: bool) -> list[Document]:
        prompts = request.path(
            split, f"tat_llm/sft/{style}/{dataset}", required=required
        )
        if prompts is None:
            return []
        gold = request.named(split, "gold")
        if gold is None and dataset == "finqa" and request.named(split) is not None:
            return read_files(prompts, None, strict=required)
        if gold is None:
            original = f"tat_llm/original/{dataset}"
            gold = request.path(split, original, required=required, part="gold")
        return [] if gold is None else read_files(prompts, gold, strict=required)

    return Splits(request, read, FEATURES)


def read_files(
    prompts: Path, gold: Path | None, *, strict: bool = True
) -> list[Document]:
    """Join a file of prompts and a file of gold by id.

    Parameters
    ----------
    prompts
        TAT-LLM's prompts.
    gold
        TAT-QA's or TAT-DQA's contexts, or FinQA's records in their original schema or
        in TAT-LLM's. `None` takes the answers from the prompts' `resp` (FinQA only).

    Raises
    ------
    DataError
        If a file holds no records, or, with `strict`, if a record lacks a needed field or
        is malformed, or no prompt has a gold record.
    """
    records = read_prompts(prompts, strict=strict)
    if gold is None:
        _log.warning(
            "%s: no gold file was named; the references are the answers that the "
            "prompts' own resp states",
            prompts,
        )
        by_id = {record["id"]: _gold_of_response(record) for record in records}
    else:
        golds = collect(read_records(gold), _golds, strict=strict)
        by_id = {found["id"]: found["gold"] for found in golds}
    documents = []
    without = []
    for record in records:
        found = by_id.get(record["id"])
        if found is None:
            without.append(record["id"])
            continue
        question = section(record["prompt"], "Question", before="Response")
        documents.append(
            {**record, "question": question or "", "gold": json.dumps(found)}
        )
    if strict and not documents:
        raise DataError(
            f"none of the {len(without)} prompts of {prompts} has its id in "
            f"{gold or 'a resp that states an answer'}"
        )
    if without:
        _log.warning(
            "%s: left out %d of %d prompts, which have no gold record: %s",
            prompts,
            len(without),
            len(records),
            name_some(without),
        )
    return documents


def _golds(place: Place, record: dict[str, Any]) -> list[Document]:
    """Return the ids of a record's questions, each with its gold."""
    if "questions" in record:
        asked = tat_questions(place, record)
        return [{"id": gold_fields(q, gold)["id"], "gold": gold} for q, gold in asked]
    if record.get("id") is None:  # no prompt can ask for it
        return []
    place = replace(place, id=record["id"])
    with checking(place):
        gold = _finqa_gold(place, record)
        if gold is None:
            return []
        check_tat(gold)
    return [{"id": gold["id"], "gold": gold}]


def _finqa_gold(place: Place, record: dict[str, Any]) -> dict[str, Any] | None:
    name, qa = as_text(record["id"]), record.get("qa")
    if not isinstance(qa, dict):
        answer, question = record.get("answer"), record.get("question")
        return None if answer is None else _finqa_record(name, question, answer)
    # FinQA's own schema, whose `answer` is unreliable.
    answer, question = qa.get("exe_ans"), qa.get("question")
    if answer is None:
        return None
    if qa.get("program") is not None and record.get("table") is not None:
        check_finqa_gold(place, record)
        check_finqa({"id": name, "table": as_rows(record["table"]), "qa": qa})
    return _finqa_record(name, question, answer)


def _finqa_record(name: Any, question: Any, answer: Any) -> dict[str, Any]:
    return {
        "id": name,
        "question": question,
        "answer": _TRUTH.get(str(answer).lower(), answer),
        "answer_type": "arithmetic",
        "scale": "",
    }


def _gold_of_response(record: dict[str, str]) -> dict[str, Any] | None:
    stated = _STATED.findall(record["response"])
    if not stated:
        return None
    answer: str | float = stated[-1].strip()
    if str(answer).lower() not in _TRUTH:
        try:
            answer = float(answer)
        except ValueError:
            return None
        if not math.isfinite(answer):
            return None
    question = section(record["prompt"], "Question", before="Response")
    return _finqa_record(record["id"], question, answer)
