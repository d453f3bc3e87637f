"""What each process of torchrun does: all tasks on saved responses.

    torchrun --nproc-per-node 2 rank_run.py SETTINGS OUT

SETTINGS is a JSON file of the arguments of `evaluate`. Each process writes which
documents it answered to OUT, the first one also the results.
"""

import dataclasses
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

from lm_eval_tasks import cli
from lm_eval_tasks.data import sources
from lm_eval_tasks.replay import ReplayLM


class Recorded(ReplayLM):
    """The replay model, which keeps in mind what it was asked."""

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        self.asked: dict[str, set[int]] = defaultdict(set)
        for request in requests:
            self.asked[request.task_name].add(request.doc_id)
        return super().generate_until(requests, disable_tqdm)


def manager(metadata: Mapping[str, Any]) -> TaskManager:
    return TaskManager(
        include_path=str(cli.TASKS_DIR), include_defaults=False, metadata=dict(metadata)
    )


def evaluate(
    tasks: Sequence[str], responses: str, metadata: Mapping[str, Any], limit: int
) -> tuple[Recorded, Any]:
    model = Recorded(responses=responses)
    results = simple_evaluate(
        model=model,
        tasks=list(tasks),
        task_manager=manager(metadata),
        limit=limit,
        bootstrap_iters=100,
    )
    return model, results


def download_from(urls: Mapping[str, str], blobs: Mapping[str, str]) -> None:
    """Let the test files of some data sets come from a server of the test."""
    sources.SOURCES = tuple(
        dataclasses.replace(
            source, urls=(urls[source.dataset],), blob=blobs[source.dataset]
        )
        if source.dataset in urls and source.split == sources.TEST
        else source
        for source in sources.SOURCES
    )


def main(settings: str, out: str) -> None:
    given = json.loads(Path(settings).read_text(encoding="utf-8"))
    download_from(given.pop("urls"), given.pop("blobs"))
    model, results = evaluate(**given)
    asked = {task: sorted(ids) for task, ids in model.asked.items()}
    report = {"world_size": model.world_size, "asked": asked, "results": results}
    path = Path(out) / f"rank_{model.rank}.json"
    path.write_text(json.dumps(report, default=str), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
