"""A run of our tasks alone, without the index of the harness's own ones.

Before the harness looks a task up it reads its 13,000 YAML files, which takes two thirds
of the time of a small run. Its task manager can leave them out (`include_defaults`), but
`lm_eval run` has no flag for that. It gets a manager that does while it runs, and only
where no name could mean another task: each one asked for is ours, written out, and no
folder of the user's is included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any


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
    known = TaskManager(include_path=str(folder), include_defaults=False).all_tasks
    return names <= set(known)


@contextmanager
def only() -> Iterator[None]:
    """Let the harness index the included folders only."""
    # Before the change, since it keeps the manager that it finds.
    import lm_eval.evaluator  # noqa: F401
    from lm_eval import tasks

    whole = tasks.TaskManager
    tasks.TaskManager = partial(whole, include_defaults=False)
    try:
        yield
    finally:
        tasks.TaskManager = whole
