"""`tableqa run` in this process, and what it wrote."""

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lm_eval_tasks import cli


SAMPLE_TASKS = ("tanq_sample", "tatqa_sample", "tatdqa_sample", "finqa_sample")


@dataclass(frozen=True)
class Run:
    """The results file of a run, and its sample logs by task, in the order of doc_id."""

    results: dict[str, Any]
    samples: dict[str, list[dict[str, Any]]]

    def responses(self, task: str) -> list[str]:
        return [sample["resps"][0][0] for sample in self.samples[task]]

    def prompts(self, task: str) -> list[Any]:
        return [
            sample["arguments"]["gen_args_0"]["arg_0"] for sample in self.samples[task]
        ]

    def prompt_hashes(self, task: str) -> list[str]:
        return [sample["prompt_hash"] for sample in self.samples[task]]


def read_run(folder: Path) -> Run:
    """Read what a run wrote under `--output_path`."""
    (results,) = folder.rglob("results_*.json")
    samples = {}
    for path in folder.rglob("samples_*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = sorted(map(json.loads, lines), key=lambda row: row["doc_id"])
        samples[path.name.removeprefix("samples_").rsplit("_", 1)[0]] = rows
    return Run(json.loads(results.read_text(encoding="utf-8")), samples)


def run(folder: Path, model: str, model_args: str, *flags: str) -> Run:
    """Run the command as a user does, but for the harness's own 13,000 task files."""
    import lm_eval.tasks
    import lm_eval.utils

    argv = [
        *("run", "--model", model, "--model_args", model_args),
        *("--output_path", str(folder), "--log_samples", *flags),
    ]
    manager = functools.partial(lm_eval.tasks.TaskManager, include_defaults=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lm_eval.tasks, "TaskManager", manager)
        # Its handler would outlive the captured stream of this test.
        patch.setattr(lm_eval.utils, "setup_logging", lambda: None)
        status = cli.main(argv)
    assert status == 0
    return read_run(folder)


def tasks(names: Sequence[str] = SAMPLE_TASKS, *, limit: int) -> list[str]:
    """Return the flags that choose the first documents of some tasks."""
    return ["--tasks", ",".join(names), "--limit", str(limit)]
