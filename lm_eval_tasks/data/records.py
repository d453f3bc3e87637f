"""Read files of records, and say where in a file a record is not what it should be."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.files.records import Place as _Place
from tableqa_metrics.files.rowfile import RowFile


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

Document = dict[str, Any]
_HEAD: Final = 512  # bytes that show what a file is


class Place(_Place):
    """A record's place in a file; what is wrong there is a `DataError`."""

    def fault(self, message: str) -> DataError:
        """Return the error that a message makes."""
        return DataError(message)


def read_records(path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Read the objects of a file as `tableqa score` does, each with its place.

    The file may be JSON Lines, a JSON list, or the only record, gzipped or not.

    Raises
    ------
    DataError
        If the file is neither, is empty or damaged.
    """
    with reading(path):
        file = RowFile(path)
        if file.members is not None:
            yield Place(path, "the one object"), dict(file.members)
        for row in file.rows():
            yield Place(path, row.where.removeprefix(f"{path}, ")), row.read().data


@contextmanager
def reading(path: Path | None = None) -> Iterator[None]:
    """Read a file inside.

    Raises
    ------
    DataError
        In the place of an `InputFileError`, with its message and, where the path is
        given, what the file plainly is.
    """
    try:
        yield
    except InputFileError as error:
        hint = "" if path is None else _what_it_is(path)
        raise DataError(f"{error}{hint}") from error


@contextmanager
def checking(place: Place) -> Iterator[None]:
    """Check a reference, by what is called inside, before a model is asked anything.

    Raises
    ------
    DataError
        In the place of a `ValueError`, with the message of `tableqa score`.
    """
    try:
        yield
    except ValueError as error:
        raise place.fault(f"{place.path}, {place.record}: {error}") from error


def collect(
    records: Iterable[tuple[Place, dict[str, Any]]],
    build: Callable[[Place, dict[str, Any]], list[Document]],
    *,
    strict: bool,
) -> list[Document]:
    """Build the documents of each record.

    Raises
    ------
    DataError
        If a record is unusable and `strict`; else it is left out, which one warning
        says.
    """
    documents: list[Document] = []
    unusable: list[str] = []
    count = 0
    problem = None
    for place, record in records:
        count += 1
        try:
            documents.extend(build(place, record))
        except DataError as error:
            if strict:
                raise
            unusable.append(place.record)
            problem = problem or error
    if unusable:
        _log.warning(
            "left out %d of %d records, which are no use as examples: %s; first error: %s",
            len(unusable),
            count,
            name_some(unusable),
            problem,
        )
    return documents


def name_some(names: list[str], limit: int = 5) -> str:
    """List the first names, and say how many more there are.

    Examples
    --------
    >>> name_some(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    listed = ", ".join(names[:limit])
    more = len(names) - limit
    return f"{listed} and {more} more" if more > 0 else listed


def _what_it_is(path: Path) -> str:
    """Say what a file that has no records is, where it is plain to see."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).lstrip()
    except OSError:
        return ""
    return "; it is a web page or XML" if head.startswith(b"<") else ""
