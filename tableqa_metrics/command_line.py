"""How the commands of `tableqa` end: one line that says why, and an exit status."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say of what cannot be written, the disk being full perhaps, that it is the output.

    Raises
    ------
    CannotWrite
        In the place of an OSError, which may name a temporary file, or none.
    """
    try:
        yield
    except BrokenPipeError:
        raise  # the output is read by a command that has ended
    except OSError as error:
        reason = error.strerror or error
        raise CannotWrite(f"{path}: cannot be written: {reason}") from error


def exit_status(
    work: Callable[[], int | None],
    *,
    errors: tuple[type[Exception], ...],
    nested: str | None = None,
    interrupted: str = "interrupted",
) -> int:
    """Do the work, and turn what a user can put right into one line and a status.

    Parameters
    ----------
    work
        What the command does; may return a status of its own. Its output is flushed.
    errors
        The errors whose messages say what to do. All others are raised.
    nested
        What to say of input that is nested too deeply; `None` where no input is.
    interrupted
        What to say after Ctrl-C.

    Returns
    -------
    int
        0 done, 1 an error, or whoever read the output has gone, 130 interrupted.
    """
    expected: tuple[type[Exception], ...] = (*errors, CannotWrite)
    try:
        status = work()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"tableqa: {interrupted}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        if not _reader_has_gone():
            raise
        _let_go_of_stdout()
        return 1
    except expected as error:
        return fail(_words(error))
    except RecursionError:
        if nested is None:
            raise
        return fail(nested)
    return status or 0


@contextmanager
def flushed_help() -> Iterator[None]:
    """Flush the help that argparse prints before it exits, whether or not it is read.

    Of a reader that has gone, argparse says nothing, or raises, as the version of Python
    and the buffer of stdout have it. The exit status is 1 in each case.
    """
    try:
        yield
    except SystemExit as stop:
        if stop.code or not _output_is_lost():
            raise
    except BrokenPipeError:
        if not _reader_has_gone():
            raise
    else:
        return
    _let_go_of_stdout()
    raise SystemExit(1)


def fail(message: str) -> int:
    """Say on stderr, in one line, what is to be put right, and return the status 1."""
    print(f"tableqa: error: {in_line(' '.join(message.split()))}", file=sys.stderr)
    return 1


def in_line(text: str) -> str:
    """Write a text of a file so that it moves no terminal's cursor and ends no line.

    Examples
    --------
    >>> in_line("an id\\nof \\x1b[2J\\ud800")
    'an id of \ufffd[2J\ufffd'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text
    )


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _output_is_lost() -> bool:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return True
    return _reader_has_gone()


def _let_go_of_stdout() -> None:
    """Leave nothing for the interpreter to flush where it would fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reader_has_gone() -> bool:
    """Whether it is stdout that has no reader any more, and not another pipe."""
    if not hasattr(select, "poll"):  # Windows
        return True
    stdout = select.poll()
    try:
        stdout.register(sys.stdout, 0)
    except (OSError, ValueError):  # no file
        return False
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in stdout.poll(0))
