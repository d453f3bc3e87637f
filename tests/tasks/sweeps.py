"""What the tests of sweeps use: a model that notes, a task that is none of ours."""

import json
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

from lm_eval_tasks import cli


FOLDER = cli.TASKS_DIR
# Three things that the harness does since 0.4.12 only are told apart in the tests.
RECENT = tuple(map(int, version("lm_eval").split(".")[:3])) >= (0, 4, 12)
SAMPLES = ("tanq_sample", "tatqa_sample", "tatdqa_sample", "finqa_sample")

# The embedded samples in the place of the real data.
DATA_FILES = {
    "tanq": str(FOLDER / "tanq" / "samples" / "records.jsonl"),
    "tatqa": str(FOLDER / "tatqa" / "samples" / "records.json"),
    "tatdqa": {
        "test": {
            "gold": str(FOLDER / "tatdqa" / "samples" / "records.json"),
            "prompts": str(FOLDER / "tatdqa" / "samples" / "prompts.json"),
        }
    },
    "finqa": str(FOLDER / "finqa" / "samples" / "records.json"),
}

LOCAL_TASK = """
task: gsm8k_like_local
tag: local
dataset_path: json
dataset_kwargs:
  data_files:
    train: {folder}/sums.jsonl
    test: {folder}/sums.jsonl
output_type: generate_until
training_split: train
fewshot_split: train
test_split: test
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
generation_kwargs:
  until: ["Question:"]
  do_sample: false
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
filter_list:
  - name: strict-match
    filter:
      - function: regex
        regex_pattern: "([0-9]+)"
      - function: take_first
metadata:
  version: 1.0
"""


@register_model("noting")
class NotingLM(LM):
    """Answers with 94 and a scale, and notes every request that reaches it."""

    tokenizer_name = "noting"
    answer = "The answer is: 94 #### and its corresponding scale is: percent"
    asked: ClassVar[list[Any]] = []

    def __init__(self, **_: Any) -> None:
        super().__init__()

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> Any:
        for request in requests:
            self.asked.append(request)
            self.cache_hook.add_partial("generate_until", request.args, self.answer)
        return [self.answer] * len(requests)

    def loglikelihood(self, requests: list[Any]) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Any]) -> Any:
        raise NotImplementedError

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        return json.dumps([[m["role"], m["content"]] for m in chat_history])

    def chat_template(self, chat_template: bool | str = False) -> str:
        return "json"


@dataclass
class Sweep:
    """What one run said, wrote and asked."""

    printed: str
    saved: dict[str, Any] = field(default_factory=dict)
    samples: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    asked: list[Any] = field(default_factory=list)

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        return self.saved["results"]

    def prompts(self, task: str) -> list[str]:
        return [request.args[0] for request in self.asked if request.task_name == task]


def write_local_task(folder: Path) -> Path:
    """Write a task that is none of ours, in the style of the harness's gsm8k."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"question": f"What is {n} + {n}?", "answer": str(2 * n)} for n in (47, 1)]
    (folder / "sums.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "local.yaml").write_text(LOCAL_TASK.format(folder=folder))
    return folder


def tat_llm_files(folder: Path) -> dict[str, dict]:
    """Write prompts for the questions of the samples, in TAT-LLM's schema."""
    files = {}
    for name in ("finqa", "tatqa", "tatdqa"):
        gold = FOLDER / name / "samples" / "records.json"
        asked = []
        for record in json.loads(gold.read_text(encoding="utf-8")):
            if name == "finqa":
                asked.append((record["id"], record["qa"]["question"]))
            else:
                asked += [(q["uid"], q["question"]) for q in record["questions"]]
        rows = [
            {
                "id": key,
                "user_prompt": f"### Question \n\n{question}\n\n\n\n### Response",
                "resp": "The answer is: 1",
            }
            for key, question in asked
        ]
        prompts = folder / f"{name}_prompts.json"
        prompts.write_text(json.dumps(rows), encoding="utf-8")
        for style in ("stepwise", "end_to_end"):
            files[f"tatllm_{name}_{style}"] = {
                "test": {"prompts": str(prompts), "gold": str(gold)}
            }
    return files
