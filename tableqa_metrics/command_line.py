"""How `tableqa score` and `tableqa report` end: one line that says why, and a status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path


class CannotWrite(Exception):
    """The output cannot be written where it is wanted."""


def check_output(path: Path, inputs: Iterable[str | Path]) -> None:
    """Refuse a place for the output before the work begins.

    Raises
    ------
    CannotWrite
        It is a folder, its folder does not exist, or it is one of the inputs.
    """
    if path.is_dir():
        raise CannotWrite(f"{path}: is a folder, not a file")
    if not path.parent.is_dir():
        raise CannotWrite(f"{path}: there is no folder {path.parent}")
    if path.exists() and any(
        Path(name).exists() and path.samefile(name) for name in inputs
    ):
        raise CannotWrite(f"{path}: is one of the inputs")


def exit_status(
    work: Callable[[], None],
    *,
    errors: tuple[type[Exception], ...],
    nested: str,
    interrupted: str,
) -> int:
    """Do the work, and turn what a user can put right into one line and a status.

    Parameters
    ----------
    work
        What the command does, its output flushed.
    errors
        The command's own errors, whose messages say what to do.
    nested
        What to say of input that is nested too deeply.
    interrupted
        What to say after Ctrl-C.

    Returns
    -------
    int
        0 done, 1 an error, 130 interrupted.
    """
    expected: tuple[type[Exception], ...] = (*errors, CannotWrite)
    try:
        work()
    except expected as error:
        return _fail(str(error))
    except RecursionError:
        return _fail(nested)
    except KeyboardInterrupt:
        print(f"tableqa: {interrupted}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read the output has gone; leave nothing for the interpreter to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}")
    return 0


def _fail(message: str) -> int:
    print(f"tableqa: error: {' '.join(message.split())}", file=sys.stderr)
    return 1
