"""Tiny tasks that the real harness loads, and files for them."""

import json
from pathlib import Path


DOCS = [
    {"id": "fr", "question": "Capital of France?", "answer": "Paris"},
    {"id": "it", "question": "Capital of Italy?", "answer": "Rome"},
    {"id": "es", "question": "Capital of Spain?", "answer": "Madrid"},
    {"id": "pt", "question": "Capital of Portugal?", "answer": "Lisbon"},
    {"id": "no", "question": "Capital of Norway?", "answer": "Oslo"},
]

UTILS = """
import datasets

DOCS = {docs!r}


def load(**metadata):
    return {{"test": datasets.Dataset.from_list(DOCS)}}


def load_without_ids(**metadata):
    rows = [{{k: v for k, v in doc.items() if k != "id"}} for doc in DOCS]
    return {{"test": datasets.Dataset.from_list(rows)}}


def process_results(doc, results):
    return {{"exact": float(results[0] == doc["answer"])}}
"""

TASK = """
task: {name}
custom_dataset: !function utils.{load}
output_type: generate_until
test_split: test
fewshot_split: test
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
process_results: !function utils.process_results
repeats: {repeats}
filter_list:
  - name: all
    filter:
      - function: take_first
generation_kwargs:
  until: ["STOP"]
metric_list:
  - metric: exact
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""

CHOICE = """
task: choices
custom_dataset: !function utils.load
output_type: multiple_choice
test_split: test
doc_to_text: "{{question}}"
doc_to_choice: ["Paris", "Rome"]
doc_to_target: 0
metadata:
  version: 1.0
"""


def write_tasks(folder: Path) -> Path:
    """Write two tasks that share ids, one without ids, one asked twice, one of choices."""
    (folder / "utils.py").write_text(UTILS.format(docs=DOCS))
    for name, load, repeats in (
        ("capitals", "load", 1),
        ("capitals_again", "load", 1),
        ("capitals_twice", "load", 2),
        ("unnamed", "load_without_ids", 1),
    ):
        task = TASK.format(name=name, load=load, repeats=repeats)
        (folder / f"{name}.yaml").write_text(task)
    (folder / "choices.yaml").write_text(CHOICE)
    return folder


def write_jsonl(path: Path, rows: list[dict]) -> Path:
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
        encoding="utf-8",
    )
    return path
