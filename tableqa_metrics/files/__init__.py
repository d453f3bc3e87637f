"""Files of saved responses, in the forms in which people have them.

Read are, each also gzipped, the form being found by looking:

====================  ==============================================================
rows                  JSONL, or a JSON list, of objects with an id and a response:
                      FinQA's `{id, predicted: [tokens]}`, TAT-LLM's `{id, prediction}`,
                      TANQ's `{init_qid, prediction_table}`, anything with named keys;
                      or CSV with such columns
object                one JSON object `{id: response}`
tatqa                 one JSON object `{uid: [answer, scale]}`, TAT-QA's submission form;
                      rows may hold such pairs, too
program-of-thoughts   rows with `question_id`, `pred_answer` and `pred_scale`
samples               `samples_<task>_<date>.jsonl` of lm-evaluation-harness, read from
                      `resps`; those of `--predict_only` too
batch                 the results of OpenAI's (Azure's, Mistral's, vLLM's) or Anthropic's
                      batch interface, by their `custom_id`
====================  ==============================================================

A text is a raw response, and so are the messages of a conversation, of which the last one
of the model is taken, and what an interface returned (`{"choices": …}`). Any other JSON
value is a prediction that was extracted already, and keeps its types: `[answer, scale]`
becomes `{"answer": …, "scale": …}`, as does a prediction with a column `scale` beside it,
and a scale null or "none" is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .jsonfile import InputFileError, same_json, some_of
from .response_rows import SAMPLES_NAME, Responses


SUFFIXES: Final = (".jsonl", ".json", ".csv", ".jsonl.gz", ".json.gz", ".csv.gz")


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
    unused_scale
        Whether there is a column `scale` that was not taken for that of the responses.
    """

    path: Path
    sha256: str
    form: str
    task: str | None
    values: Mapping[str, tuple[Any, ...]]
    nulls: frozenset[str]
    unused_scale: bool = False


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
        The file cannot be read (see `RowFile`), has none of the forms, lacks a key (the
        message lists those that are there), or gives one id two different responses.
    """
    responses = Responses(path, id_key=id_key, response_key=response_key)
    values, nulls = _collect(responses)
    return ResponseFile(
        path=responses.file.path,
        sha256=responses.file.sha256,
        form=responses.layout.form,
        task=responses.task,
        values=values,
        nulls=nulls,
        unused_scale=responses.unused_scale,
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
        name = SAMPLES_NAME.fullmatch(path.name)
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


def _collect(
    responses: Responses,
) -> tuple[dict[str, tuple[Any, ...]], frozenset[str]]:
    values: dict[str, tuple[Any, ...]] = {}
    nulls: set[str] = set()
    twice: dict[str, None] = {}
    for _, item in responses:
        if item.values is None:
            nulls.add(item.id)
        elif item.id not in values:
            values[item.id] = item.values
        elif not same_json(values[item.id], item.values):
            twice[item.id] = None
    twice.update(dict.fromkeys(sorted(nulls & values.keys())))
    if twice:
        raise InputFileError(
            f"{responses.file.path}: {len(twice)} of the ids stand there twice with "
            f"different responses: {some_of(map(repr, twice))}"
        )
    return values, frozenset(nulls)
