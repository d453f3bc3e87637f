"""The prompts on which TAT-LLM was trained: a JSON list of `{id, user_prompt, resp}`."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from lm_eval_tasks.data.records import Document, Place, collect, read_records
from tableqa_metrics.files.records import as_text


_HEADING: Final = re.compile(r"^### *(\w+)[ :]*$", re.MULTILINE)


def read_prompts(path: Path, *, strict: bool = True) -> list[Document]:
    """Return `id`, `prompt` (verbatim) and `response` of each record.

    Raises
    ------
    DataError
        If the file holds no records, or, with `strict`, if a record has no id or
        no prompt.
    """
    return collect(read_records(path), _prompt, strict=strict)


def _prompt(place: Place, record: dict[str, Any]) -> list[Document]:
    place = replace(place, id=record.get("id"))
    return [
        {
            "id": place.text(record, "id"),
            "prompt": place.text(record, "user_prompt"),
            "response": as_text(record.get("resp")),
        }
    ]


def section(prompt: str, name: str, *, before: str) -> str | None:
    """Return the text between two headings of a prompt, stripped, if both are there.

    The first heading `name` and the last heading `before` count, since a document may
    hold lines that look like headings.

    Examples
    --------
    >>> prompt = "### Document \\n\\nRevenue: 5\\n\\n### Question \\n\\nHow much?"
    >>> section(prompt, "Document", before="Question")
    'Revenue: 5'
    """
    headings = list(_HEADING.finditer(prompt))
    start = next((h.end() for h in headings if h[1] == name), None)
    end = next((h.start() for h in reversed(headings) if h[1] == before), None)
    if start is None or end is None or end < start:
        return None
    return prompt[start:end].strip()
