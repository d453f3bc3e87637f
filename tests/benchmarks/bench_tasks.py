"""Measure how long the documents and the requests of a test set take to prepare.

Run it with `python tests/benchmarks/bench_tasks.py`. Each task gets the records of its
embedded sample over and over, with other ids: as many questions as its test set has,
and twice and four times as many. Documents are read from the file, requests built as
the harness builds them, in one process.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import figures


os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TQDM_DISABLE": "1"}

from lm_eval.tasks import TaskManager, get_task_dict

from lm_eval_tasks import cli


# How many questions each test set has.
TASKS = {
    "tanq_closed_book": 1074,
    "tanq_oracle": 1074,
    "tatqa": 1663,
    "tatqa_zeroshot": 1663,
    "tatdqa": 1663,
    "finqa": 1147,
    "finqa_program": 1147,
    "tatllm_tatdqa_end_to_end": 1663,
}
FACTORS = (1, 2, 4)


def samples(benchmark: str, name: str) -> list[dict[str, Any]]:
    text = (cli.TASKS_DIR / benchmark / "samples" / name).read_text(encoding="utf-8")
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)


def renamed(record: Any, suffix: str) -> Any:
    """Return a record whose ids end in something of their own."""
    if isinstance(record, list):
        return [renamed(each, suffix) for each in record]
    if not isinstance(record, dict):
        return record
    return {
        key: f"{suffix}{value}"
        if key in ("id", "uid", "init_qid")
        else renamed(value, suffix)
        for key, value in record.items()
    }


def questions(record: dict[str, Any]) -> int:
    return len(record.get("questions", [None]))


def repeated(records: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    """Return the records over and over, until they hold so many questions."""
    found: list[dict[str, Any]] = []
    held = 0
    for turn in count():
        for record in records:
            found.append(renamed(record, f"{turn}-"))
            held += questions(record)
            if held >= size:
                return found
    raise AssertionError


def write(task: str, size: int, folder: Path) -> dict[str, Any]:
    """Write the files of a task; return the metadata that names them."""
    benchmark = task.split("_")[1 if task.startswith("tatllm") else 0]
    name = "records.jsonl" if benchmark == "tanq" else "records.json"
    records = repeated(samples(benchmark, name), size)
    gold = folder / name
    if benchmark == "tanq":
        gold.write_text("".join(json.dumps(record) + "\n" for record in records))
    else:
        gold.write_text(json.dumps(records))
    if benchmark != "tatdqa":
        return {"data_files": {"test": str(gold)}}
    prompts = folder / "prompts.json"
    turns = len(records) // len(samples(benchmark, name)) + 1
    texts = samples(benchmark, "prompts.json")
    prompts.write_text(
        json.dumps([renamed(t, f"{turn}-") for turn in range(turns) for t in texts])
    )
    return {"data_files": {"test": {"gold": str(gold), "prompts": str(prompts)}}}


def measure(task: str, size: int) -> tuple[float, float]:
    """Return the CPU seconds that documents and requests took."""
    with tempfile.TemporaryDirectory() as name:
        metadata = write(task, size, Path(name))
        manager = TaskManager(
            include_path=str(cli.TASKS_DIR), include_defaults=False, metadata=metadata
        )
        start = figures.clock()
        loaded = get_task_dict([task], manager)[task]
        documents = len(loaded.eval_docs)
        middle = figures.clock()
        loaded.build_all_requests(rank=0, world_size=1)
        end = figures.clock()
    if not size <= documents < size + 20 or len(loaded.instances) != documents:
        raise SystemExit(f"{task}: {documents} documents, not {size}")
    return middle - start, end - middle


def rows(quick: bool) -> Iterator[figures.Row]:
    measure("tatqa", 10)  # the first imports what all need
    for task, full in TASKS.items():
        sizes = [(full // 10 if quick else full) * factor for factor in FACTORS]
        costs = [measure(task, size) for size in sizes]
        yield {
            "task": task,
            "questions": sizes[0],
            "documents_s": costs[0][0],
            "requests_s": costs[0][1],
            "both, twice_s": sum(costs[1]),
            "both, four times_s": sum(costs[2]),
            "order": figures.order(sizes, [sum(cost) for cost in costs]),
        }


def main() -> None:
    args = figures.parser(__doc__).parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")  # get_task_dict has no other name up to 0.4.11
    figures.show(rows(args.quick), as_json=args.json)


if __name__ == "__main__":
    main()
