"""Rows of a file, by themselves and a number of them at a time, still to be parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .jsonfile import InputFileError, Row, as_object, parse_json


# Rows that follow each other, and their numbers.
Run = tuple[Iterable[int], Sequence["bytes | dict[str, Any]"]]


class RawRow(NamedTuple):
    """A row as it stands in a file: a line of JSON, or the object that was read."""

    where: str
    raw: bytes | dict[str, Any]

    def read(self) -> Row:
        """Parse the row.

        Raises
        ------
        InputFileError
            It is not an object in JSON, or not UTF-8.
        """
        if isinstance(self.raw, dict):
            return Row(self.where, self.raw)
        value = parse_json(self.where, decode(self.where, self.raw))
        return Row(self.where, as_object(self.where, value))


@dataclass(frozen=True)
class Block:
    """Rows that follow each other in a file, for another process to parse.

    `unit` is what their `numbers` count ("line", "item"); it is empty where they stand
    in the file as one object.
    """

    path: str
    unit: str
    numbers: list[int]
    raws: list[bytes | dict[str, Any]]

    def __len__(self) -> int:
        return len(self.raws)

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows."""
        for number, raw in zip(self.numbers, self.raws, strict=True):
            yield RawRow(where(self.path, self.unit, number), raw)


def in_blocks(
    path: str, unit: str, runs: Iterable[Run], *, rows: int, size: int
) -> Iterator[Block]:
    """Yield blocks that end after so many rows, or bytes of them, or few more.

    Raises
    ------
    InputFileError
        As the rows do, after the block of those before it.
    """
    numbers: list[int] = []
    raws: list[bytes | dict[str, Any]] = []
    read = 0
    try:
        for some_numbers, some in runs:
            numbers += some_numbers
            raws += some
            read += sum(map(len, some))
            if len(raws) >= rows or read >= size:
                yield Block(path, unit, numbers, raws)
                numbers, raws, read = [], [], 0
    except InputFileError:
        if raws:
            yield Block(path, unit, numbers, raws)
        raise
    if raws:
        yield Block(path, unit, numbers, raws)


def one_by_one(numbered: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Run]:
    """Yield rows with their numbers as `in_blocks` takes them."""
    return (((number,), (raw,)) for number, raw in numbered)


def where(path: str, unit: str, number: int) -> str:
    """Say where in a file a row stands.

    Examples
    --------
    >>> where("FILE", "line", 7), where("FILE", "", 1)
    ('FILE, line 7', 'FILE')
    """
    return f"{path}, {unit} {number}" if unit else path


def decode(place: str, data: bytes) -> str:
    """Return a text in UTF-8.

    Raises
    ------
    InputFileError
        It is none.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"{place}: is not text in UTF-8 (byte {error.start})"
        ) from error
