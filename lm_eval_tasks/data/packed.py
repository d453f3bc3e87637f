"""Files that may be gzipped, which their first bytes tell, not their names."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from lm_eval_tasks.errors import DataError


_MAGIC: Final = b"\x1f\x8b"


def is_gzipped(path: Path) -> bool:
    """Whether a file is gzipped."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, to be read as what is in it.

    Raises
    ------
    DataError
        Where it turns out to be gzipped and damaged, or cut off.
    """
    if not is_gzipped(path):
        with path.open("rb") as file:
            yield file
        return
    try:
        with gzip.open(path) as unpacked:
            yield cast("BinaryIO", unpacked)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path}: damaged gzip file: {error}") from error
