"""A run of our tasks alone, without the index of the harness's own ones.

Before `lm_eval run` looks a task up it reads the harness's 13,000 YAML files, which takes
two thirds of the time of a small run. The public `simple_evaluate` takes a task manager
that leaves them out. So where no name could mean another task, `tableqa run` calls that
itself, with what the harness made of its flags, and saves and prints what comes back
with the harness's own tracker and table, in the order of `lm_eval run`. Files, table and
arguments are tested equal to those of `lm_eval run`. Everything else is left to
`lm_eval run`: other tasks, globs, the user's own folders, loggers of other services, and
settings of a harness that this module does not know.
"""

from __future__ import annotations

import json
import logging
import os
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, Final


logger = logging.getLogger(__name__)

# Settings that `simple_evaluate` takes by their own names.
_PASSED: Final = (
    "model",
    "model_args",
    "tasks",
    "num_fewshot",
    "batch_size",
    "max_batch_size",
    "device",
    "use_cache",
    "limit",
    "samples",
    "check_integrity",
    "write_out",
    "log_samples",
    "system_instruction",
    "apply_chat_template",
    "fewshot_as_multiturn",
    "gen_kwargs",
    "verbosity",
    "predict_only",
    "confirm_run_unsafe_code",
    "metadata",
)
# Those that `evaluate` below or the harness's reading of flags takes care of.
_HANDLED: Final = {
    "cache_requests",
    "config",
    "hf_hub_log_args",
    "include_path",
    "output_path",
    "seed",
    "show_config",
    "trust_remote_code",
}
# Results go to another service: left to `lm_eval run`.
_SERVICES: Final = {"wandb_args", "wandb_config_args", "trackio_args"}
_CACHES: Final = (
    "cache_requests",
    "rewrite_requests_cache",
    "delete_requests_cache",
)
_SEEDS: Final = (
    "random_seed",
    "numpy_random_seed",
    "torch_random_seed",
    "fewshot_random_seed",
)


def is_enough(tasks: str | Iterable[Any] | None, folder: Path) -> bool:
    """Whether all the tasks asked for are known from our folder alone.

    Parameters
    ----------
    tasks
        As the harness's flag or its config file has them: names, groups and tags, or
        lists of them with commas between.
    folder
        Our folder of tasks.
    """
    from lm_eval.tasks import TaskManager

    asked = [tasks] if isinstance(tasks, str) else list(tasks or ())
    if not asked or not all(isinstance(each, str) for each in asked):
        return False
    names = {name for each in asked for name in each.split(",")}
    # The harness may read a folder of the user's that has the name of the only task.
    if any(Path(name).is_dir() for name in names):
        return False
    known = TaskManager(include_path=str(folder), include_defaults=False).all_tasks
    return names <= set(known)


def is_understood(given: Callable[[str], Any]) -> bool:
    """Whether `evaluate` treats what is given as `lm_eval run` of this harness would.

    Parameters
    ----------
    given
        The value of a setting by its name, whether a flag or the config file has it.
    """
    from lm_eval.config.evaluate_config import EvaluatorConfig

    known = {*_PASSED, *_HANDLED, *_SERVICES}
    every = {field.name for field in fields(EvaluatorConfig)}
    return every <= known and not any(map(given, _SERVICES))


def evaluate(args: Namespace) -> None:
    """Do what `lm_eval run` does with these parsed flags, for tasks of ours alone."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from lm_eval import simple_evaluate
    from lm_eval.config.evaluate_config import EvaluatorConfig
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    config = EvaluatorConfig.from_cli(args)
    hub = config.hf_hub_log_args
    if config.output_path:
        hub["output_path"] = config.output_path
    if token := os.environ.get("HF_TOKEN"):
        hub["token"] = token
    tracker = EvaluationTracker(**hub)
    manager = TaskManager(
        include_path=config.include_path,
        include_defaults=False,
        metadata=config.metadata or {},
    )
    listed = [config.tasks] if isinstance(config.tasks, str) else config.tasks
    names = [name for each in listed for name in each.split(",")]
    config.tasks = list(dict.fromkeys(names))
    if "push_samples_to_hub" in hub and not config.log_samples:
        logger.warning("Pushing samples to the Hub requires --log_samples to be set.")
    logger.info("Selected Tasks: %s", config.tasks)
    seeds = config.seed or [None] * len(_SEEDS)
    results = simple_evaluate(
        **{name: getattr(config, name) for name in _PASSED},
        **{name: config.cache_requests.get(name, False) for name in _CACHES},
        **dict(zip(_SEEDS, seeds, strict=True)),
        evaluation_tracker=tracker,
        task_manager=manager,
    )
    if results is not None:  # as it is in every process but the first
        _report(config, tracker, results)


def _report(config: Any, tracker: Any, results: dict[str, Any]) -> None:
    """Save and print results as `lm_eval run` does."""
    from lm_eval.utils import handle_non_serializable, make_table

    samples = results.pop("samples") if config.log_samples else None
    if config.show_config:
        as_text = {"default": handle_non_serializable, "ensure_ascii": False}
        print(json.dumps(results, indent=2, **as_text))
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"] if samples else ():
        tracker.save_results_samples(task_name=task, samples=samples[task])
    if tracker.push_results_to_hub or tracker.push_samples_to_hub:
        tracker.recreate_metadata_card()
    config.model_args.pop("trust_remote_code", None)
    sizes = ",".join(map(str, results["config"]["batch_sizes"]))
    print(
        f"{config.model} ({config.model_args}), gen_kwargs: ({config.gen_kwargs}), "
        f"limit: {config.limit}, num_fewshot: {config.num_fewshot}, "
        f"batch_size: {config.batch_size}{sizes and f' ({sizes})'}"
    )
    print(make_table(results))
    if "groups" in results:
        print(make_table(results, "groups"))
