"""A user's passages: a corpus to search, or those of each question.

Files of users are JSON lines. A passage is a text, or an object with `text` and, where
it has them, `title` and `section`:

- a corpus holds a passage a line;
- own passages hold an object a line, with the `id` of a question and its `passages`, the
  best first.
"""

from __future__ import annotations

import json
import logging
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

from lm_eval_tasks.data.records import Document, Place, read_json_lines
from lm_eval_tasks.errors import DataError
from lm_eval_tasks.prompts import Evidence, distinct


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.passages")


class Corpus:
    """The passages of a file, each once; read again where they are asked for.

    Of each passage only its place is kept, so that a file of any size can be searched.

    Raises
    ------
    DataError
        If the file does not exist; from iteration also if a line is no passage, or if
        there is none.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise DataError(f"corpus: {path} is not a file")
        self._path = path
        self._starts = array("q")

    def __iter__(self) -> Iterator[Evidence]:
        self._starts = array("q")
        seen: set[int] = set()
        start = 0
        size = self._path.stat().st_size
        with (
            self._path.open("rb") as file,
            # No bar where the output goes to a file.
            tqdm(
                total=size, unit="B", unit_scale=True, desc="corpus", disable=None
            ) as bar,
        ):
            for number, line in enumerate(file, 1):
                if line.strip():
                    piece = self._read(line, f"line {number}")
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
        with self._path.open("rb") as file:
            file.seek(self._starts[number])
            return self._read(file.readline(), f"passage {number}")

    def _read(self, line: bytes, name: str) -> Evidence:
        place = Place(self._path, name)
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise place.error(f"not JSON: {error}") from error
        return _passage(place, value)


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
        for place, record in read_json_lines(path):
            name = place.text(record, "id")
            place = replace(place, id=name)
            if name in self._passages:
                raise place.error("this id stood on an earlier line")
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
