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

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

# The harness fills its registry only while that is empty: it goes first.
import lm_eval.models  # noqa: F401
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.registry import MODEL_REGISTRY, register_model

from lm_eval_tasks.errors import TableqaError
from lm_eval_tasks.saved_responses import SavedResponses
from tableqa_metrics.files import SUFFIXES
from tableqa_metrics.files.jsonfile import some_of


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
        self._saved = SavedResponses(
            responses,
            # On the command line the harness turns what looks like a number into one.
            id_key=None if id_key is None else str(id_key),
            response_key=None if response_key is None else str(response_key),
            missing=missing,
        )
        self.name = default_name(responses) if model is None else str(model)
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
        return self._saved.texts(requests, alone=self.world_size == 1)

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
            for file in self._saved.files.values()
        ]
        return {"model_name": self.name, "responses": files}

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
