"""Read JSON files, and say where in a file a record is not what it should be."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.records import Place as _Place


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

Document = dict[str, Any]


class Place(_Place):
    """A record's place in a file; what is wrong there is a `DataError`."""

    def fault(self, message: str) -> DataError:
        """Return the error that a message makes."""
        return DataError(message)


def read_json_list(path: Path) -> list[tuple[Place, dict[str, Any]]]:
    """Read a JSON list of objects, each with its place.

    Raises
    ------
    DataError
        If the file is not such a list.
    """
    content = path.read_bytes()
    try:
        records = json.loads(content)
    except (ValueError, RecursionError) as error:
        hint = _what_it_is(content) or _cut_off(content, b"]")
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            hint = "; a JSON list of records is wanted, not JSON Lines"
        raise DataError(f"{path} is not JSON: {error}{hint}") from error
    if not isinstance(records, list):
        raise DataError(f"{path} is not a JSON list of records")
    return [_placed(path, f"record {i}", r) for i, r in enumerate(records, 1)]


def read_json_lines(path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Read a file of one JSON object a line, each with its place; skip blank lines.

    Raises
    ------
    DataError
        If a line is not a JSON object.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                hint = _what_it_is(line) or _cut_off(line, b"\n")
                if line.lstrip().startswith(b"["):
                    hint = "; JSON Lines are wanted, one record a line, not a JSON list"
                raise DataError(
                    f"{path}, line {number}: not JSON: {error}{hint}"
                ) from error
            yield _placed(path, f"line {number}", record)


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


def _what_it_is(content: bytes) -> str:
    """Say what content that is no JSON is, where it is plain to see."""
    if not content.strip():
        return "; the file is empty"
    if content.startswith(b"\x1f\x8b"):
        return "; it is gzipped: unpack it"
    if content.lstrip().startswith(b"<"):
        return "; it is a web page or XML"
    return ""


def _cut_off(content: bytes, end: bytes) -> str:
    """Say that content is not complete, where it lacks its end."""
    complete = content.endswith(end) or content.rstrip().endswith(end)
    return "" if complete else "; was the file cut off?"


def _placed(path: Path, name: str, record: Any) -> tuple[Place, dict[str, Any]]:
    place = Place(path, name)
    if not isinstance(record, dict):
        raise place.error("not a JSON object")
    return place, record
