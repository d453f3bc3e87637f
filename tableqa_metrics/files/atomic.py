"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """Open a file beside `path` that takes its place once all is written.

    If the writing fails or is interrupted, `path` is what it was before. A link stays
    one, to the new content; a device or a pipe is written to as it is.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8") as stream:
            yield stream
        return
    path = Path(os.path.realpath(path))
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("x", encoding="utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
