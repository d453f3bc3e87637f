"""Two processes of torchrun give what one gives.

The harness's `hf` deals no documents out on a CPU, so the model is the replay model,
which does: the processes talk through torch and gloo.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from backends import rank_run
from backends.processes import finished
from backends.runs import SAMPLE_TASKS, read_run, run, tasks
from tasks.http_server import Reply, Running

from lm_eval_tasks import cli
from lm_eval_tasks.data.fetch import blob_id


pytestmark = pytest.mark.backends

# Two does not divide it, and each benchmark has more samples.
LIMIT = 11
TORCHRUN = (
    *(sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"),
    *("--rdzv-backend", "c10d", "--rdzv-endpoint", "127.0.0.1:0"),
    *("--local-addr", "127.0.0.1"),
)
LOOPBACK = {"GLOO_SOCKET_IFNAME": "lo"}


def sample_file(benchmark: str, name: str) -> Path:
    return cli.TASKS_DIR / benchmark / "samples" / name


def benchmark_of(task: str) -> str:
    return task.removeprefix("tatllm_").split("_")[0]


def write_prompts(path: Path, responses: Path) -> Path:
    """Write prompts in TAT-LLM's form for the questions that were responded to."""
    lines = responses.read_text(encoding="utf-8").splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    prompt = "### Text \n\nSales: 5\n\n### Question \n\nHow much, {}?\n\n### Response"
    records = [{"id": i, "user_prompt": prompt.format(i), "resp": ""} for i in ids]
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Saved responses to every task, and the samples as the files of each benchmark."""
    folder = tmp_path_factory.mktemp("files")
    files: dict[str, Any] = {
        "tanq": {"test": str(sample_file("tanq", "records.jsonl"))},
        "tatqa": {"test": str(sample_file("tatqa", "records.json"))},
        "tatdqa": {
            "test": {
                "gold": str(sample_file("tatdqa", "records.json")),
                "prompts": str(sample_file("tatdqa", "prompts.json")),
            }
        },
        "finqa": {"test": str(sample_file("finqa", "records.json"))},
    }
    known = sorted(rank_run.manager({}).all_subtasks)
    responses = folder / "responses"
    responses.mkdir()
    for task in known:
        name = benchmark_of(task)
        saved = sample_file(name, "responses.jsonl")
        shutil.copy(saved, responses / f"{task}.jsonl")
        if task.startswith("tatllm_"):
            prompts = write_prompts(folder / f"{task}.json", saved)
            gold = sample_file(name, "records.json")
            files[task] = {"test": {"gold": str(gold), "prompts": str(prompts)}}
    return {
        "tasks": known,
        "responses": str(responses),
        "metadata": {"data_files": files},
        "limit": LIMIT,
    }


def comparable(results: dict[str, Any]) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Return the figures, and the sample logs by task in the order of doc_id."""
    results = json.loads(json.dumps(results, default=str))
    figures = {
        f"{part} {task} {name}": value
        for part in ("results", "n-samples", "higher_is_better")
        for task, values in results[part].items()
        for name, value in values.items()
    }
    logs = {}
    for task, log in results["samples"].items():
        log = sorted(log, key=lambda sample: sample["doc_id"])
        for sample in log:
            # The harness pads the shorter rank with its last request, again and again.
            sample["resps"] = [sorted(set(texts)) for texts in sample["resps"]]
        logs[task] = log
    return figures, logs


def check_same(two: dict[str, Any], one: dict[str, Any]) -> None:
    figures, logs = comparable(one)
    figures_of_two, logs_of_two = comparable(two)
    # A sum in another order may differ in the last digit.
    assert figures_of_two == {
        key: pytest.approx(value, rel=1e-12) if isinstance(value, float) else value
        for key, value in figures.items()
    }
    assert logs_of_two == logs


def test_every_task(settings, tmp_path):
    """FinQA's file is downloaded by both at once into a cache that does not exist."""
    records = sample_file("finqa", "records.json")
    files = settings["metadata"]["data_files"]
    others = {name: paths for name, paths in files.items() if name != "finqa"}
    server = Running()
    try:
        url = server.server.url("test.json", Reply(records.read_bytes()))
        given = {
            **settings,
            "metadata": {"data_files": others},
            "urls": {"finqa": url},
            "blobs": {"finqa": blob_id(records)},
        }
        (tmp_path / "settings.json").write_text(json.dumps(given), encoding="utf-8")
        finished(
            [
                *TORCHRUN,
                rank_run.__file__,
                str(tmp_path / "settings.json"),
                str(tmp_path),
            ],
            tmp_path / "output.txt",
            seconds=300,
            HF_HOME=str(tmp_path / "home"),
            HF_HUB_OFFLINE="0",
            HF_DATASETS_OFFLINE="0",
            **LOOPBACK,
        )
    finally:
        server.stop()
    assert server.server.count("GET") == 1
    first, second = (
        json.loads((tmp_path / f"rank_{rank}.json").read_text(encoding="utf-8"))
        for rank in (0, 1)
    )
    assert first["world_size"] == second["world_size"] == 2
    assert second["results"] is None
    assert first["asked"].keys() == second["asked"].keys() == set(settings["tasks"])
    for task, ids in first["asked"].items():
        others = second["asked"][task]
        assert (len(ids), len(others)) == (6, 5)
        assert sorted(ids + others) == list(range(LIMIT))

    model, results = rank_run.evaluate(**settings)
    assert model.world_size == 1
    check_same(first["results"], results)
    assert {len(log) for log in results["samples"].values()} == {LIMIT}
    # Responses that differ from document to document, and are not all wrong.
    main = {"tanq": "f1", "tatqa": "em", "tatdqa": "em", "finqa": "exe_acc"}
    for task in SAMPLE_TASKS:
        key = main[benchmark_of(task)]
        assert len({sample[key] for sample in results["samples"][task]}) > 1


@pytest.mark.harness
def test_the_command_under_torchrun(settings, tmp_path):
    """Nothing patched: the command, its files and its log."""
    responses = f"responses={settings['responses']}"
    chosen = tasks(limit=LIMIT)
    finished(
        [
            *(*TORCHRUN, "-m", "lm_eval_tasks.cli", "run", *chosen),
            *("--model", "replay", "--model_args", responses),
            *("--output_path", str(tmp_path / "two"), "--log_samples"),
        ],
        tmp_path / "output.txt",
        seconds=300,
        **LOOPBACK,
    )
    two = read_run(tmp_path / "two")
    one = run(tmp_path / "one", "replay", responses, *chosen)
    check_same(
        {**two.results, "samples": two.samples}, {**one.results, "samples": one.samples}
    )

    # The log of two processes is a file of responses like any other.
    again = run(tmp_path / "again", "replay", f"responses={tmp_path / 'two'}", *chosen)
    assert again.results["results"] == one.results["results"]
