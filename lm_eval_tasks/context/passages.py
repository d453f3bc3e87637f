"""A user's passages: a corpus to search, or those of each question.

Files of users are JSON lines or a JSON list, gzipped or not. A passage is a text, or an object with `text` and, where
it has them, `title` and `section`:

- a corpus holds passages;
- own passages are objects with the `id` of a question and its `passages`, the best first.
"""

from __future__ import annotations

import json
import logging
from array import array
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2b
from os import SEEK_END
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Final, cast

from tqdm.auto import tqdm

from lm_eval_tasks.data.packed import is_gzipped, opened
from lm_eval_tasks.data.records import Document, Place, read_records, reading
from lm_eval_tasks.errors import DataError
from lm_eval_tasks.prompts import Evidence, distinct
from tableqa_metrics.files.blocks import decode
from tableqa_metrics.files.jsonfile import parse_json


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.passages")

_HEAD: Final = 512  # bytes that show what a file is
_BLANK: Final = BOM_UTF8 + b" \t\r\n"


class Corpus:
    """The passages of a file, each once; read again where they are asked for.

    Of each passage only its place is kept, so that a file of any size can be searched.
    What is gzipped, or a JSON list, is first written as lines to a temporary file.

    Raises
    ------
    DataError
        If the file does not exist, or is neither; from iteration also if a line is no
        passage, or if there is none.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise DataError(f"corpus: {path} is not a file")
        self._path = path
        self._unit = "line"
        self._temporary: BinaryIO | None = None
        self._starts = array("q")
        with opened(path) as file:
            if file.read(_HEAD).lstrip(_BLANK).startswith(b"["):
                file.seek(0)
                self._unit = "item"
                self._temporary = _as_lines(path, file.read())
            elif is_gzipped(path):
                file.seek(0)
                self._temporary = _temporary()
                copyfileobj(file, self._temporary)

    def __iter__(self) -> Iterator[Evidence]:
        self._starts = array("q")
        seen: set[int] = set()
        start = 0
        with self._lines() as file:
            size = file.seek(0, SEEK_END)
            file.seek(0)
            # No bar where the output goes to a file.
            with tqdm(
                total=size, unit="B", unit_scale=True, desc="corpus", disable=None
            ) as bar:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        piece = self._read(line, f"{self._unit} {number}")
                        digest = _digest(piece)
                        if digest not in seen:
                            seen.add(digest)
                            self._starts.append(start)
                            yield piece
                    start += len(line)
                    bar.update(len(line))
        if not self._starts:
            raise DataError(f"corpus: {self._path} holds no passage")

    def __getitem__(self, number: int) -> Evidence:
        with self._lines() as file:
            file.seek(self._starts[number])
            return self._read(file.readline(), f"passage {number}")

    @contextmanager
    def _lines(self) -> Iterator[BinaryIO]:
        if self._temporary is not None:
            yield self._temporary
            return
        with self._path.open("rb") as file:
            yield file

    def _read(self, line: bytes, name: str) -> Evidence:
        return _passage(Place(self._path, name), _parsed(f"{self._path}, {name}", line))


def _as_lines(path: Path, content: bytes) -> BinaryIO:
    """Write the items of a JSON list to a temporary file, one a line."""
    lines = _temporary()
    for item in _parsed(str(path), content):
        lines.write(json.dumps(item).encode() + b"\n")
    return lines


def _temporary() -> BinaryIO:
    return cast("BinaryIO", TemporaryFile())


def _parsed(where: str, content: bytes) -> Any:
    with reading():
        return parse_json(where, decode(where, content.removeprefix(BOM_UTF8)))


class OwnPassages:
    """The passages that a user's file has for each question, the first `top_k` of them.

    Raises
    ------
    DataError
        If the file does not exist or is not of the form that this module describes, or
        if it has a question twice.
    """

    def __init__(self, path: Path, top_k: int) -> None:
        if not path.is_file():
            raise DataError(f"passages: {path} is not a file")
        self._passages: dict[str, list[Evidence]] = {}
        more = 0
        for place, record in read_records(path):
            name = place.text(record, "id")
            place = replace(place, id=name)
            if name in self._passages:
                raise place.error("this id stood there before")
            passages = list(distinct(_own_passages(place, record)))
            more += len(passages) > top_k
            self._passages[name] = passages[:top_k]
        if more:
            _log.warning(
                "%s: %d of %d questions have more than top_k=%d passages, of which the "
                "first %d are used",
                path,
                more,
                len(self._passages),
                top_k,
                top_k,
            )

    def __call__(self, document: Document) -> list[Evidence] | None:
        """Return the passages of a question; `None` if its id is not in the file."""
        return self._passages.get(document["id"])


def _own_passages(place: Place, record: Mapping[str, Any]) -> Iterator[Evidence]:
    passages = place.value(record, "passages")
    if not isinstance(passages, list):
        raise place.error("passages is not a list")
    for number, value in enumerate(passages, 1):
        yield _passage(
            replace(place, record=f"{place.record}, passage {number}"), value
        )


def _passage(place: Place, value: Any) -> Evidence:
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        raise place.error("neither a text nor an object with text")
    title, section = (
        " ".join(place.text(value, field, blank=True).split())
        if value.get(field) is not None
        else ""
        for field in ("title", "section")
    )
    return Evidence(title, section, "text", place.text(value, "text").strip())


def _digest(piece: Evidence) -> int:
    name = f"{piece.page}\n{piece.body}".encode()
    return int.from_bytes(blake2b(name, digest_size=8).digest(), "big")
