"""Saved responses, found for the documents that a task asks about."""

from __future__ import annotations

import json
import logging
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from lm_eval.api.instance import Instance
from lm_eval.utils import handle_non_serializable, hash_string

from lm_eval_tasks.errors import TableqaError
from tableqa_metrics.files import (
    ResponseFile,
    find_responses,
    read_responses,
    response_text,
)
from tableqa_metrics.files.jsonfile import InputFileError, some_of


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.replay")


class SavedResponses:
    """The responses of a file, of a folder with a file per task, or of a mapping.

    Parameters
    ----------
    responses
        A file, a folder, or a mapping of task to file.
    id_key, response_key
        Keys of a row, as in `tableqa_metrics.files.read_responses`.
    missing
        `"error"` or `"empty"`.

    Attributes
    ----------
    files
        Those that were read.

    Raises
    ------
    TableqaError
        `responses` names nothing that is there.
    """

    def __init__(
        self,
        responses: str | Path | Mapping[str, str | Path],
        *,
        id_key: str | None,
        response_key: str | None,
        missing: str,
    ) -> None:
        self.files: dict[Path, ResponseFile] = {}
        self._id_key = id_key
        self._response_key = response_key
        self._missing = missing
        self._responses = (
            {task: Path(path) for task, path in responses.items()}
            if isinstance(responses, Mapping)
            else Path(str(responses))
        )
        if isinstance(self._responses, Path) and not self._responses.exists():
            raise TableqaError(f"replay: {responses}: there is no such file or folder")

    def texts(self, requests: list[Instance], *, alone: bool) -> list[str]:
        """Return the saved response to each request.

        Parameters
        ----------
        requests
            Of any tasks.
        alone
            Whether no other process asks for the other documents of the same tasks.

        Raises
        ------
        TableqaError
            A file cannot be used, holds no response to a document, or cannot tell two
            tasks apart that share document ids.
        """
        by_task: dict[str | None, list[Instance]] = defaultdict(list)
        for request in requests:
            by_task[request.task_name].append(request)
        answers: dict[int, tuple[str, ...]] = {}
        asked: dict[Path, dict[str, str | None]] = defaultdict(dict)
        try:
            for task, instances in by_task.items():
                file = self._file(task)
                answers |= self._answers(task, file, instances, asked[file.path])
        except InputFileError as error:
            raise TableqaError(f"replay: {error}") from error
        for path, ids in asked.items():
            unasked = len(self.files[path].values.keys() - ids.keys())
            # Each of several processes asks for its own documents only.
            if unasked and alone:
                _log.info("%s: %d responses are not asked for", path, unasked)
        turn: Counter[int] = Counter()
        texts = []
        for request in requests:
            responses = answers[id(request)]
            texts.append(responses[turn[id(request)] % len(responses)])
            turn[id(request)] += 1
        return texts

    def _file(self, task: str | None) -> ResponseFile:
        path = self._path(task)
        if path not in self.files:
            file = read_responses(
                path, id_key=self._id_key, response_key=self._response_key
            )
            _log.info(
                "%s: %d responses (read as: %s)", path, len(file.values), file.form
            )
            if file.unused_scale:
                _log.warning("%s: its column scale is not replayed", path)
            self.files[path] = file
        file = self.files[path]
        if task and file.task not in (None, task):
            _log.warning("%s: responses to %s replayed for %s", path, file.task, task)
        return file

    def _path(self, task: str | None) -> Path:
        if isinstance(self._responses, dict):
            if task not in self._responses:
                there = some_of(self._responses) or "nothing"
                raise TableqaError(f"replay: no file for {task}; there is {there}")
            return self._responses[task]
        if self._responses.is_dir():
            return find_responses(self._responses, task or "")
        return self._responses

    def _answers(
        self,
        task: str | None,
        file: ResponseFile,
        instances: list[Instance],
        asked: dict[str, str | None],
    ) -> dict[int, tuple[str, ...]]:
        answers: dict[int, tuple[str, ...]] = {}
        missing: list[str] = []
        by_place = False
        for instance in instances:
            if id(instance) in answers:
                continue
            key = self._document_id(instance)
            if key is None and file.form == "samples":
                key = _doc_hash(instance)
            elif key is None:
                key, by_place = str(instance.doc_id), True
            if asked.setdefault(key, task) != task:
                tasks = " and ".join(sorted(map(str, (asked[key], task))))
                raise TableqaError(
                    f"replay: {tasks} both have a document {key!r}, and "
                    f"{file.path} does not say to which of them a response belongs; give "
                    "a folder with a file per task"
                )
            if key in file.values:
                saved = tuple(map(response_text, file.values[key]))
                answers[id(instance)] = _repeated(saved, instance, file.path)
            else:
                missing.append(key)
                answers[id(instance)] = ("",)
        if by_place:
            _log.warning(
                "%s: its documents have no id, so responses are matched by place in the "
                "task; --samples would renumber them",
                task,
            )
        if missing:
            self._report(missing, task, len(answers), file)
        return answers

    def _document_id(self, instance: Instance) -> str | None:
        for key in (self._id_key, "id"):
            value = instance.doc.get(key)
            if isinstance(value, (str, int)) and not isinstance(value, bool):
                return str(value)
        return None

    def _report(
        self, missing: list[str], task: str | None, total: int, file: ResponseFile
    ) -> None:
        nulls = len(file.nulls.intersection(missing))
        counted = f"{len(missing)} of {total} documents of {task} have no response" + (
            f" ({nulls} of them null in the file)" if nulls else ""
        )
        if self._missing == "error":
            raise TableqaError(
                f"replay: {file.path}: {counted}: {some_of(map(repr, missing))} "
                "(missing=empty scores them as empty responses)"
            )
        _log.warning("%s: %s and are scored as empty", file.path, counted)


def _repeated(
    saved: tuple[str, ...], instance: Instance, path: Path
) -> tuple[str, ...]:
    repeats = instance.repeats or 1
    if len(saved) == 1 or len(saved) == repeats:
        return saved
    if len(saved) > repeats:
        return saved[:repeats]
    raise TableqaError(
        f"replay: {path}: {instance.task_name} asks {repeats} times per document, and "
        f"the file holds {len(saved)} responses to one"
    )


def _doc_hash(instance: Instance) -> str:
    """Hash a document as the harness does for `doc_hash` in a sample log."""
    return hash_string(
        json.dumps(
            instance.doc,
            indent=2,
            default=handle_non_serializable,
            ensure_ascii=False,
        )
    )
