"""The samples of `--output`, on disk until they are written, so that memory is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from ..command_line import writing


_PIECE: Final = 1 << 16  # characters that are copied at a time


class Samples:
    """The samples of a file of predictions, on disk, so that memory does not grow."""

    def __init__(self, output: Path, file: IO[str]) -> None:
        self._output = output
        self._file = file
        self._separator = ""

    def add(self, samples: str) -> None:
        """Put samples after the others."""
        with writing(self._output):
            self._file.write(self._separator + samples)
        self._separator = ",\n"

    def __iter__(self) -> Iterator[str]:
        """Yield their text in pieces."""
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            yield piece


@contextmanager
def kept_beside(output: Path) -> Iterator[Samples]:
    with writing(output):
        file = TemporaryFile("w+", encoding="utf-8", dir=output.parent)  # noqa: SIM115
    try:
        yield Samples(output, file)
    finally:
        with writing(output):  # what a full disk did not take is tried once more
            file.close()
