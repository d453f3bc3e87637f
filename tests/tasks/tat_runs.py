"""What the tests of the TAT family share: loading a task, running it, checking a folder."""

import json
import runpy
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager, get_task_dict

import lm_eval_tasks
from lm_eval_tasks.replay import ReplayLM


FOLDER = Path(lm_eval_tasks.__file__).parent
PLAIN_TYPES = {float, str, type(None)}
TAT_KEYS = {
    *("em", "f1", "em_gold_scale", "f1_gold_scale", "scale_acc", "value_em"),
    *("recipe_em", "recipe_f1", "no_answer", "off_format"),
}
LINE = "The answer is: {} #### and its corresponding scale is: {}"


def manager(**metadata: Any) -> TaskManager:
    return TaskManager(
        include_path=str(FOLDER), include_defaults=False, metadata=metadata
    )


def load(task: str, **metadata: Any) -> Any:
    return get_task_dict([task], manager(**metadata))[task]


def evaluate(
    task: str, responses: Any, metadata: Mapping[str, Any], **options: Any
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Run a task on saved responses; return its results and its sample log by id.

    Options of the replay model are told from the harness's by their names.
    """
    replay = {
        key: options.pop(key)
        for key in ("id_key", "response_key", "missing")
        if key in options
    }
    run = simple_evaluate(
        model=ReplayLM(responses=responses, **replay),
        tasks=[task],
        task_manager=manager(**metadata),
        bootstrap_iters=options.pop("bootstrap_iters", 0),
        **options,
    )
    json.dumps(run["results"], allow_nan=False)
    logged = {sample["doc"]["id"]: sample for sample in run["samples"][task]}
    assert len(logged) == len(run["samples"][task])
    return run["results"][task], logged


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def saved_responses(benchmark: str) -> dict[str, str]:
    """Return the recorded responses to a benchmark's samples."""
    lines = read_lines(FOLDER / benchmark / "samples" / "responses.jsonl")
    responses = {line["id"]: line["response"] for line in lines}
    assert len(responses) == len(lines)
    return responses


def prompts(loaded: Any, shots: int, limit: int = 10) -> list[str]:
    """Build the prompts of the first documents as the harness does."""
    loaded.set_config("num_fewshot", shots)
    loaded.set_fewshot_seed(1234)
    loaded.build_all_requests(limit=limit, rank=0, world_size=1)
    return [instance.args[0] for instance in loaded.instances]


def check_prompts(task: str, shots: int, metadata: Mapping[str, Any]) -> list[str]:
    """Build ten prompts of a task; check what all of them have, and return them."""
    built = prompts(load(task, **metadata), shots)
    assert len(built) == 10
    for prompt in built:
        assert prompt == prompt.strip()
        assert prompt.count("\nQuestion: ") == prompt.count("\nAnswer:") == shots + 1
        assert prompt.endswith("\nAnswer:")
    return built


def split_files(write: Any, test: Any, train: Any) -> dict[str, Any]:
    """Write a test and a train file in the released schema; return them as metadata."""
    files = {"test": write("test.json", test), "train": write("train.json", train)}
    return {"data_files": {split: str(path) for split, path in files.items()}}


def gold(document: Mapping[str, Any]) -> dict[str, Any]:
    return json.loads(document["gold"])


def check_values(scores: Mapping[str, Any], keys: set[str]) -> None:
    """Check that every key is there, in plain types."""
    assert scores.keys() == keys
    assert {type(value) for value in scores.values()} <= PLAIN_TYPES


def check_copy(folder: str, sample_task: str, tmp_path: Path, count: int) -> None:
    """Check that a folder works where it was copied to, as upstream would have it."""
    copied = tmp_path / "lm_eval" / "tasks" / folder
    shutil.copytree(FOLDER / folder, copied)
    tasks = TaskManager(include_path=str(copied.parent), include_defaults=False)
    loaded = get_task_dict([sample_task], tasks)[sample_task]
    assert len(loaded.eval_docs) == count
    for document in loaded.eval_docs:
        target = loaded.doc_to_target(document)
        assert loaded.process_results(document, [target])["value_em"] == 1


def check_missing_package(
    folder: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a folder says what to install where the package is not there."""
    for name in list(sys.modules):
        if name.split(".")[0] == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match="pip install lm-eval-tableqa"):
        runpy.run_path(str(FOLDER / folder / "utils.py"))
