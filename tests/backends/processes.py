"""Processes that a test starts: their output in a file, an end within a time."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def started(
    command: Sequence[str], output: Path, **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command; in the end stop it and all that it started, if any is left."""
    with output.open("wb") as file:
        process = subprocess.Popen(
            command,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, **variables},
            start_new_session=True,
        )
    try:
        yield process
    finally:
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, sign)
            except ProcessLookupError:
                break
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                continue
        process.wait(10)


def finished(
    command: Sequence[str], output: Path, *, seconds: float, **variables: str
) -> None:
    """Run a command to its end, which must be a good one."""
    with started(command, output, **variables) as process:
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = f"none within {seconds} s"
    said = output.read_text(encoding="utf-8", errors="replace")
    assert status == 0, f"{command} ended with {status}:\n{said[-4000:]}"
