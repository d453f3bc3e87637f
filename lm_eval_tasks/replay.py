"""The `replay` model: saved responses in place of a model, so that nothing is generated.

    --model replay
    --model_args responses=PATH[,id_key=…,response_key=…,missing=error|empty,model=NAME]

`responses` is a file of one of the forms of `tableqa_metrics.files`, a folder with a
file per task (`tatqa.jsonl`, `tatdqa.json`, … or what the harness wrote under
`--output_path`), or a mapping of task to file. A response is found by task and document
id (`id_key` of the document where it has that, else its `id`), so that the order of the
documents, `--limit`, `--samples`, few-shot prompts and several processes make no
difference. Documents without an id are found in a sample log by `doc_hash`, elsewhere
by their place in the task, which a warning says; `--samples` renumbers the places.

A saved response is replayed as it is. Stop strings and `max_gen_toks` are not applied:
they say where a model shall stop, and a model that was asked with others has already
stopped. A task with `repeats` gets as many responses as a sample log holds, or the one
that there is, again.

`missing=error` stops at documents without a response; `missing=empty` gives them the
empty response and warns with their number. A response that is null is a missing one.

Importing this module registers the model, which released harnesses need; newer ones
find it by its entry point.
"""

from __future__ import annotations

import json
import logging
import os
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

# The harness fills its registry only while that is empty: it goes first.
import lm_eval.models  # noqa: F401
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import MODEL_REGISTRY, register_model
from lm_eval.utils import handle_non_serializable, hash_string

from lm_eval_tasks.errors import TableqaError
from tableqa_metrics.files import (
    SUFFIXES,
    ResponseFile,
    find_responses,
    read_responses,
    response_text,
)
from tableqa_metrics.files.jsonfile import InputFileError, some_of


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.replay")

_CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ message.role }}: {{ message.content }}{{ '\n\n' if not loop.last }}"
    "{% endfor %}"
    "{{ '\n\nassistant:' if add_generation_prompt }}"
)


class ReplayLM(LM):
    """A model of the harness that answers from files of saved responses.

    Parameters
    ----------
    responses
        A file, a folder, or a mapping of task to file.
    id_key, response_key
        Keys of a row, as in `tableqa_metrics.files.read_responses`.
    missing
        `"error"` or `"empty"`.
    model
        The name of the model that wrote the responses; that of the file if not given.
    batch_size, max_batch_size, device, trust_remote_code
        What the harness passes to every model; without meaning here.

    Raises
    ------
    TableqaError
        An argument is missing, unknown or out of its range, or `responses` names
        nothing that is there.
    """

    tokenizer_name = "replay"

    def __init__(
        self,
        responses: str | Path | Mapping[str, str | Path] | None = None,
        id_key: str | None = None,
        response_key: str | None = None,
        missing: str = "error",
        model: str | None = None,
        batch_size: Any = None,
        max_batch_size: Any = None,
        device: Any = None,
        trust_remote_code: Any = None,
        **unknown: Any,
    ) -> None:
        super().__init__()
        if unknown:
            raise TableqaError(
                f"replay: unknown model argument {', '.join(unknown)}; there are "
                "responses, id_key, response_key, missing and model"
            )
        if responses is None:
            raise TableqaError("replay: say which file: --model_args responses=PATH")
        if missing not in ("error", "empty"):
            raise TableqaError(f"replay: missing is error or empty, not {missing}")
        # On the command line the harness turns what looks like a number into one.
        self._id_key = None if id_key is None else str(id_key)
        self._response_key = None if response_key is None else str(response_key)
        self._responses = (
            {task: Path(path) for task, path in responses.items()}
            if isinstance(responses, Mapping)
            else Path(str(responses))
        )
        if isinstance(self._responses, Path) and not self._responses.exists():
            raise TableqaError(f"replay: {responses}: there is no such file or folder")
        self._missing = missing
        self.name = default_name(responses) if model is None else str(model)
        self._files: dict[Path, ResponseFile] = {}
        self._join_processes()

    def generate_until(
        self, requests: list[Instance], disable_tqdm: bool = False
    ) -> list[str]:
        """Return the saved response to each request.

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
            unasked = len(self._files[path].values.keys() - ids.keys())
            # Each of several processes asks for its own documents only.
            if unasked and self.world_size == 1:
                _log.info("%s: %d responses are not asked for", path, unasked)
        turn: Counter[int] = Counter()
        texts = []
        for request in requests:
            responses = answers[id(request)]
            texts.append(responses[turn[id(request)] % len(responses)])
            turn[id(request)] += 1
        return texts

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Refuse: a saved response has no likelihood."""
        raise _no_likelihoods(requests)

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Refuse: a saved response has no likelihood."""
        raise _no_likelihoods(requests)

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        """Render messages plainly: `role: content`, a blank line between two."""
        return _chat_template().render(
            messages=chat_history, add_generation_prompt=add_generation_prompt
        )

    def chat_template(self, chat_template: bool | str = False) -> str:
        """Return the template that `apply_chat_template` renders."""
        return _CHAT_TEMPLATE

    def set_cache_hook(self, cache_hook: Any) -> None:
        """Refuse a response cache: its key is the prompt, not the file."""
        if cache_hook.dbdict is not None:
            raise TableqaError(CACHE_REFUSED)
        super().set_cache_hook(cache_hook)

    def get_model_info(self) -> dict[str, Any]:
        """Say in the results file whose responses these are, and from which bytes."""
        files = [
            {"file": file.path.name, "sha256": file.sha256}
            for file in self._files.values()
        ]
        return {"model_name": self.name, "responses": files}

    def _file(self, task: str | None) -> ResponseFile:
        path = self._path(task)
        if path not in self._files:
            file = read_responses(
                path, id_key=self._id_key, response_key=self._response_key
            )
            _log.info(
                "%s: %d responses (read as: %s)", path, len(file.values), file.form
            )
            self._files[path] = file
        file = self._files[path]
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

    def _join_processes(self) -> None:
        """Share the documents among the processes of torchrun or accelerate, if any."""
        # The same two variables decide in accelerate.
        processes = int(os.environ.get("WORLD_SIZE", "1"))
        if processes == 1 or "LOCAL_RANK" not in os.environ:
            return
        try:
            from lm_eval_tasks.processes import Processes
        except ImportError as error:
            raise TableqaError(
                f"replay: {processes} processes need torch to gather their results"
            ) from error
        self.accelerator = Processes()
        self._rank, self._world_size = self.accelerator.rank, self.accelerator.size
        self._device = self.accelerator.device

    @property
    def device(self) -> Any:
        """Where tensors to gather are made; `None` in a single process."""
        return self._device

    def all_gather(self, tensor: Any) -> Any:
        """Gather a tensor of every process, as the harness asks."""
        return tensor if self.world_size == 1 else self.accelerator.gather(tensor)

    def gather_object(self, obj: Any, dst: int = 0) -> list[Any] | None:
        """Gather an object of every process on one of them, as the harness asks."""
        return [obj] if self.world_size == 1 else self.accelerator.collect(obj, dst)

    def barrier(self) -> None:
        """Wait for every process."""
        if self.world_size > 1:
            self.accelerator.wait_for_everyone()


CACHE_REFUSED = (
    "replay: --use_cache finds a response by its prompt, whichever file it came from, and "
    "would score another file's; leave it out"
)


def default_name(responses: str | Path | Mapping[str, str | Path]) -> str:
    """Name a model after the file or folder of its responses."""
    if isinstance(responses, Mapping):
        return "replay"
    name = Path(str(responses)).resolve().name
    suffix = max((s for s in SUFFIXES if name.endswith(s)), key=len, default="")
    return name.removesuffix(suffix)


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


def _no_likelihoods(requests: list[Instance]) -> TableqaError:
    tasks = some_of(dict.fromkeys(str(request.task_name) for request in requests))
    return TableqaError(
        f"replay: {tasks} compares likelihoods, and a saved response has none; only "
        "tasks that generate text can be replayed"
    )


@cache
def _chat_template() -> Any:
    import jinja2

    return jinja2.Template(_CHAT_TEMPLATE)


if "replay" not in MODEL_REGISTRY:
    register_model("replay")(ReplayLM)
