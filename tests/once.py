"""What one worker of pytest-xdist makes, and all of them use.

A session has each fixture once in each of its workers. The marks that would send tests to
the same worker do nothing with pytest 9.2 (pytest-xdist, issue 1386).
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]
) -> Path:
    """Return a folder of the session that `make` has filled.

    Parameters
    ----------
    factory
        Of this worker.
    name
        Of the folder; the same in each worker.
    make
        Fills an empty folder, which has its name already. What it raises is raised here,
        and the next worker tries again.
    """
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, done = shared / name, shared / f"{name}.made"
    with FileLock(shared / f"{name}.lock"):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
