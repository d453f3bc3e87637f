"""Files of saved responses, in the forms in which people have them.

Read are, each also gzipped, the form being found by looking:

====================  ==============================================================
rows                  JSONL, or a JSON list, of objects with an id and a response:
                      FinQA's `{id, predicted: [tokens]}`, TAT-LLM's `{id, prediction}`,
                      TANQ's `{init_qid, prediction_table}`, anything with named keys
object                one JSON object `{id: response}`
tatqa                 one JSON object `{uid: [answer, scale]}`, TAT-QA's submission form
program-of-thoughts   rows with `question_id`, `pred_answer` and `pred_scale`
samples               `samples_<task>_<date>.jsonl` of lm-evaluation-harness, read from
                      `resps`; those of `--predict_only` too
====================  ==============================================================

A text is a raw response. Any other JSON value is a prediction that was extracted
already, and keeps its types: `[answer, scale]` becomes `{"answer": …, "scale": …}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .jsonfile import (
    InputFileError,
    JsonFile,
    Row,
    brief,
    read_json_file,
    same_json,
    some_of,
)


ID_KEYS: Final = ("id", "uid", "question_id", "init_qid")
RESPONSE_KEYS: Final = ("response", "prediction", "predicted", "prediction_table")
SUFFIXES: Final = (".jsonl", ".json", ".jsonl.gz", ".json.gz")

_TATQA_SCALES: Final = ("", "thousand", "million", "billion", "percent")
_POT_KEYS: Final = ("pred_answer", "pred_scale")
_SAMPLES_KEYS: Final = ("doc", "doc_id", "resps")
_SAMPLES_NAME: Final = re.compile(
    r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
    r"\.jsonl(?:\.gz)?"
)

# Where it stands, the id, and the values; `None` where the response is null.
_Item = tuple[str, object, tuple[Any, ...] | None]


@dataclass(frozen=True)
class ResponseFile:
    """The responses of one file.

    Parameters
    ----------
    path
        The file.
    sha256
        Of its bytes, hexadecimal, so that a result can say what was scored.
    form
        Which of the forms above was found.
    task
        The harness task whose responses these are, where the file's name says it.
    values
        By id, one value for each time that the model was asked (one, except in sample
        logs of tasks with `repeats`): a text, or another JSON value.
    nulls
        Ids whose response is null: nothing was saved for them.
    """

    path: Path
    sha256: str
    form: str
    task: str | None
    values: Mapping[str, tuple[Any, ...]]
    nulls: frozenset[str]


def response_text(value: object) -> str:
    """Write a saved value as a model would have: a text as it is, else JSON.

    Lone surrogates, which no file in UTF-8 can hold, become U+FFFD.

    Examples
    --------
    >>> response_text({"answer": -12.6, "scale": "million"})
    '{"answer": -12.6, "scale": "million"}'
    >>> response_text("about 12.6")
    'about 12.6'
    """
    if not isinstance(value, str):
        return json.dumps(value)
    if value.isascii():
        return value
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_responses(
    path: str | Path, *, id_key: str | None = None, response_key: str | None = None
) -> ResponseFile:
    """Read a file of saved responses.

    Parameters
    ----------
    path
        The file.
    id_key, response_key
        Where in a row the id and the response are, if under none of the usual names
        (`ID_KEYS`, `RESPONSE_KEYS`; the first that is there). A dotted name reaches
        into a row: `response.body.choices.0.message.content`. In a sample log `id_key`
        is a key of the document.

    Returns
    -------
    ResponseFile
        Ids are texts, `7` and `"7"` being the same id. In a sample log the id is the
        document's `id`; for documents that have none it is the log's `doc_hash`.

    Raises
    ------
    InputFileError
        The file cannot be read (see `read_json_file`), has none of the forms, lacks a
        key (the message lists those that are there), or gives one id two different
        responses.
    """
    file = read_json_file(path)
    form, items = _items(file, id_key, response_key)
    values, nulls = _collect(file.path, items)
    name = _SAMPLES_NAME.fullmatch(file.path.name)
    return ResponseFile(
        path=file.path,
        sha256=file.sha256,
        form=form,
        task=name["task"] if name and form == "samples" else None,
        values=values,
        nulls=nulls,
    )


def find_responses(folder: str | Path, task: str) -> Path:
    """Find the file in a folder that holds the responses to one task.

    That is `<task>` with one of `SUFFIXES`; else, anywhere below the folder, the newest
    of the sample logs that the harness wrote for the task.

    Raises
    ------
    InputFileError
        There is none, there are several named after the task, or the sample logs lie in
        several folders, as those of several models do.
    """
    folder = Path(folder)
    named = [path for s in SUFFIXES if (path := folder / f"{task}{s}").is_file()]
    if len(named) > 1:
        raise InputFileError(
            f"{folder}: {some_of(path.name for path in named)} all hold responses to "
            f"{task}; name one of them"
        )
    if named:
        return named[0]
    logs: dict[Path, list[tuple[str, Path]]] = {}
    for path in sorted(folder.rglob("samples_*")):
        name = _SAMPLES_NAME.fullmatch(path.name)
        if name and name["task"] == task:
            logs.setdefault(path.parent, []).append((name["date"], path))
    if len(logs) > 1:
        raise InputFileError(
            f"{folder}: sample logs of {task} lie in several folders, "
            f"{some_of(str(path.relative_to(folder)) for path in logs)}; name one"
        )
    if not logs:
        there = some_of(sorted(path.name for path in folder.iterdir())) or "nothing"
        raise InputFileError(
            f"{folder}: no responses to {task}: neither {task}.jsonl or {task}.json nor "
            f"samples_{task}_<date>.jsonl; there is {there}"
        )
    return max(next(iter(logs.values())))[1]


def _items(
    file: JsonFile, id_key: str | None, response_key: str | None
) -> tuple[str, Iterator[_Item]]:
    rows = file.rows
    if file.content is not None:
        usual = _first(ID_KEYS, file.content) and _first(RESPONSE_KEYS, file.content)
        if not (id_key or response_key or usual):
            return _object_items(file.path, file.content)
        rows = [Row(str(file.path), file.content)]
    assert rows is not None
    first = rows[0].data
    if response_key is None and all(key in first for key in _SAMPLES_KEYS):
        return "samples", (_sample_item(row, id_key) for row in rows)
    id_key = id_key or _first(ID_KEYS, first)
    if response_key is None and all(key in first for key in _POT_KEYS):
        return "program-of-thoughts", (_pot_item(row, id_key) for row in rows)
    response_key = response_key or _first(RESPONSE_KEYS, first)
    return "rows", (_row_item(row, id_key, response_key) for row in rows)


def _first(keys: Iterable[str], data: Mapping[str, Any]) -> str | None:
    return next((key for key in keys if key in data), None)


def _row_item(row: Row, id_key: str | None, response_key: str | None) -> _Item:
    value = _get(row, response_key, "response_key")
    return row.where, _get(row, id_key, "id_key"), None if value is None else (value,)


def _pot_item(row: Row, id_key: str | None) -> _Item:
    answer, scale = (_get(row, key, "response_key") for key in _POT_KEYS)
    pair = {"answer": answer, "scale": scale}
    return row.where, _get(row, id_key, "id_key"), (pair,)


def _sample_item(row: Row, id_key: str | None) -> _Item:
    doc, resps = (_get(row, key, "response_key") for key in ("doc", "resps"))
    if not isinstance(doc, dict):
        raise InputFileError(f"{row.where}: doc is not an object")
    if id_key is not None:
        doc_id = _get(Row(f"{row.where}, doc", doc), id_key, "id_key")
    elif doc.get("id") is not None:
        doc_id = doc["id"]
    else:
        doc_id = _get(row, "doc_hash", "id_key")
    texts = resps[0] if isinstance(resps, list) and len(resps) == 1 else None
    if not (
        isinstance(texts, list) and texts and all(isinstance(t, str) for t in texts)
    ):
        raise InputFileError(
            f"{row.where}: resps does not hold the texts of one generate_until request"
        )
    return row.where, doc_id, tuple(texts)


def _object_items(path: Path, content: dict[str, Any]) -> tuple[str, Iterator[_Item]]:
    if not content:
        raise InputFileError(f"{path}: is an empty object")
    # A list of two answers looks like a pair too, but does not end in a scale.
    if not any(_is_pair(v) and v[1] in _TATQA_SCALES for v in content.values()):
        plain = (
            (str(path), i, None if v is None else (v,)) for i, v in content.items()
        )
        return "object", plain
    for uid, value in content.items():
        if not _is_pair(value):
            raise InputFileError(
                f"{path}: holds [answer, scale] pairs, but for {uid!r} it has "
                f"{brief(value)}"
            )
    pairs = (
        (str(path), uid, ({"answer": answer, "scale": scale},))
        for uid, (answer, scale) in content.items()
    )
    return "tatqa", pairs


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and (value[1] is None or isinstance(value[1], str))
    )


def _get(row: Row, key: str | None, option: str) -> Any:
    """Look a key up, a dotted one step by step; the error lists what is there."""
    if key is not None and key in row.data:
        return row.data[key]
    value: Any = row.data
    for step in key.split(".") if key is not None else ("",):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            usual = ID_KEYS if option == "id_key" else RESPONSE_KEYS
            wanted = (
                f"no key {key!r}" if key else f"none of the keys {', '.join(usual)}"
            )
            raise InputFileError(
                f"{row.where}: {wanted}; there is {some_of(row.data, 20) or 'nothing'} "
                f"(name one with {option}=)"
            )
    return value


def _collect(
    path: Path, items: Iterator[_Item]
) -> tuple[dict[str, tuple[Any, ...]], frozenset[str]]:
    values: dict[str, tuple[Any, ...]] = {}
    nulls: set[str] = set()
    twice: dict[str, None] = {}
    for where, raw_id, value in items:
        if isinstance(raw_id, bool) or not isinstance(raw_id, (str, int)):
            raise InputFileError(f"{where}: {brief(raw_id)} is not an id")
        doc_id = str(raw_id)
        if value is None:
            nulls.add(doc_id)
        elif doc_id not in values:
            values[doc_id] = value
        elif not same_json(values[doc_id], value):
            twice[doc_id] = None
    twice.update(dict.fromkeys(sorted(nulls & values.keys())))
    if twice:
        raise InputFileError(
            f"{path}: {len(twice)} of the ids stand there twice with different "
            f"responses: {some_of(map(repr, twice))}"
        )
    return values, frozenset(nulls)
