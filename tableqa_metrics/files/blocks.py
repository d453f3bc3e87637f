"""Rows of a file, by themselves and a number of them at a time, still to be parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from .jsonfile import InputFileError, Row, as_object, parse_json


_BYTES: Final = 1 << 20  # after which a block ends


@dataclass(frozen=True)
class RawRow:
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
    path: str,
    unit: str,
    numbered: Iterable[tuple[int, bytes | dict[str, Any]]],
    most: int,
) -> Iterator[Block]:
    """Yield rows in blocks of at most so many, and of fewer where they are long.

    Raises
    ------
    InputFileError
        As the rows do, after the block of those before it.
    """
    numbers: list[int] = []
    raws: list[bytes | dict[str, Any]] = []
    size = 0
    try:
        for number, raw in numbered:
            numbers.append(number)
            raws.append(raw)
            size += len(raw)
            if len(raws) == most or size > _BYTES:
                yield Block(path, unit, numbers, raws)
                numbers, raws, size = [], [], 0
    except InputFileError:
        if raws:
            yield Block(path, unit, numbers, raws)
        raise
    if raws:
        yield Block(path, unit, numbers, raws)


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
