"""How the tasks of the harness score a response, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..files.records import FINQA, QUESTION_TYPES, TANQ, TATDQA, TATQA
from .formats import Replies


# Metrics that are words in a sample and a share in a result.
WORDS: Final = ("no_answer", "no_table", "off_format")
# Metrics that do not apply to every question.
PARTIAL: Final = (
    *("prog_acc", "retrieval_recall"),
    *(f"rms_f1_{kind}" for kind in QUESTION_TYPES),
)

Scores = Mapping[str, float | str | None]


class Scored(NamedTuple):
    """The scores of a prediction, what was scored, and which rule found it."""

    scores: Scores
    prediction: Any
    rule: str | None


@dataclass(frozen=True)
class Task:
    """How a task scores a response.

    `prompted` is the rule that finds an answer in the form that its prompt asks for;
    `program` and `tatllm` say that it scores programs only, or with TAT-LLM's scorer,
    too. `retrieval` says that its documents hold how much of what their answer needs was
    retrieved.
    """

    benchmark: str
    prompted: str
    program: bool = False
    tatllm: bool = False
    retrieval: bool = False


def _tasks() -> dict[str, Task]:
    tasks = {
        name: Task(TANQ, "github")
        for name in ("tanq_closed_book", "tanq_oracle", "tanq_sample")
    }
    tasks["tanq_open_book"] = Task(TANQ, "github", retrieval=True)
    for benchmark in (TATQA, TATDQA, FINQA):
        line = "plain_answer_line" if benchmark == FINQA else "answer_line"
        tasks[benchmark] = tasks[f"{benchmark}_sample"] = Task(benchmark, line)
        tasks[f"{benchmark}_zeroshot"] = Task(benchmark, "bare")
        for style, rule in (("stepwise", "step_table"), ("end_to_end", line)):
            tasks[f"tatllm_{benchmark}_{style}"] = Task(benchmark, rule, tatllm=True)
    tasks["finqa_program"] = Task(FINQA, "marked", program=True)
    return tasks


TASKS: Final[Mapping[str, Task]] = _tasks()
# The task whose prompt raw responses are taken to answer, where nothing says more.
MAIN_TASK: Final[Mapping[str, str]] = {
    TANQ: "tanq_closed_book",
    TATQA: "tatqa",
    TATDQA: "tatdqa",
    FINQA: "finqa",
}


def tatllm_task(benchmark: str, replies: Replies) -> str:
    """Return the task whose prompt replies of TAT-LLM answer, by what they look like.

    Examples
    --------
    >>> tatllm_task("tatqa", Replies(texts=9, steps=7, lines=1))
    'tatllm_tatqa_stepwise'
    """
    style = "stepwise" if replies.steps >= replies.lines else "end_to_end"
    return f"tatllm_{benchmark}_{style}"
