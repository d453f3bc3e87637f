"""`tableqa demo`: the embedded samples, answered by recorded responses, in the harness.

A benchmark's folder takes part with `samples/responses.jsonl`, whose responses answer
the documents of its task `<benchmark>_sample`. Only our own tasks are indexed: the
harness's 13,000 files would take longer than the evaluation.
"""

from __future__ import annotations

import shlex
from pathlib import Path


def run_demo(tasks_dir: Path) -> None:
    """Evaluate every sample task, print the table of metrics and what to try next."""
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager
    from lm_eval.utils import make_table

    from lm_eval_tasks.replay import ReplayLM

    responses = recorded_responses(tasks_dir)
    results = simple_evaluate(
        model=ReplayLM(responses=responses, model="recorded responses"),
        tasks=list(responses),
        task_manager=TaskManager(include_path=str(tasks_dir), include_defaults=False),
        bootstrap_iters=1,  # more than none, for the standard errors; means need no more
        log_samples=False,
    )
    print(make_table(results))
    task, path = next(iter(responses.items()))
    saved = shlex.quote(f"responses={path}")
    print(
        "Next, the same through lm_eval run, with each sample on disk:\n"
        f"  tableqa run --tasks {task} --model replay --model_args {saved} "
        "--output_path runs --log_samples\n"
        "Why points were lost, question by question (needs lm-eval-tableqa[report]):\n"
        "  tableqa report runs --output report.html\n"
        "A model instead of recorded responses (this kind needs lm-eval-tableqa[hf]):\n"
        f"  tableqa run --tasks {task} --model hf --model_args pretrained=MODEL "
        "--apply_chat_template\n"
        "Every model and flag of the harness: tableqa run --help"
    )


def recorded_responses(tasks_dir: Path) -> dict[str, Path]:
    """Return the recorded responses that are there, by sample task."""
    return {
        f"{path.parents[1].name}_sample": path
        for path in sorted(tasks_dir.glob("*/samples/responses.jsonl"))
    }
