"""The rows of a file: JSON Lines, a JSON list or CSV, gzipped or not, found by looking.

A `.json` file that is really JSON Lines is read as what it is. JSON Lines and CSV are
read line by line, as often as they are asked for, and never held in memory as a whole;
other JSON is.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from .blocks import Block, RawRow, decode, in_blocks, one_by_one, where
from .jsonfile import InputFileError, as_object, is_json, parse_json, parse_members


_LINES_NAMES: Final = (".jsonl", ".ndjson")
_CSV_NAMES: Final = (".csv", ".tsv")
_BOM: Final = b"\xef\xbb\xbf"
_CHUNK: Final = 1 << 20
_LINES: Final = 16  # that are read at a time
_LINE_OF_CSV: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# Two names or more; JSON never begins so.
_CSV_HEADER: Final = re.compile(r'"?[\w .-]{1,99}"?(?:[,;\t]"?[\w .-]{1,99}"?)+\s*')


class RowFile:
    """A file of rows, or of one JSON object.

    Parameters
    ----------
    path
        The file. One that can be read but once, such as a pipe, is kept in memory.

    Attributes
    ----------
    members
        The keys and values of the one JSON object that the file is, a key that stands
        there twice included; `None` where the file has rows.

    Raises
    ------
    InputFileError
        The file is not there, is a folder, is empty, is not UTF-8, is a damaged gzip
        file, or is neither rows nor an object. What is wrong further down is raised as
        soon as it is read.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.members: list[tuple[str, Any]] | None = None
        self._items: list[Any] | None = None
        self._delimiter: str | None = None
        self._bytes = self._unrepeatable()
        head = list(islice(self._lines(), 2))
        if not head:
            raise InputFileError(f"{path}: is empty")
        number, line = head[0]
        first = decode(f"{path}, line {number}", line)
        header = first.partition("\r")[0]
        name = self.path.name.lower().removesuffix(".gz")
        # A first line that is complete by itself leaves the rest no place in it.
        if is_json(first) if len(head) > 1 else name.endswith(_LINES_NAMES):
            if len(head) > 1 or not isinstance(parse_json(str(path), first), list):
                return
        elif name.endswith(_CSV_NAMES) or _CSV_HEADER.fullmatch(header):
            self._delimiter = max(",\t;", key=header.count)
            return
        self._read_whole()

    @cached_property
    def sha256(self) -> str:
        """The hash of the file's bytes as stored, hexadecimal."""
        digest = hashlib.sha256()
        with self._stored() as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows from the first one on; there are none where it has `members`.

        Raises
        ------
        InputFileError
            Where the file turns out to be damaged.
        """
        rows = self._lines() if self._has_lines else self._objects()
        for number, raw in rows:
            yield RawRow(where(str(self.path), self._unit, number), raw)

    def blocks(self, *, rows: int, size: int) -> Iterator[Block]:
        """Yield the rows in blocks; see `in_blocks`.

        Raises
        ------
        InputFileError
            As `rows`, after the rows before that place.
        """
        runs = self._runs() if self._has_lines else one_by_one(self._objects())
        return in_blocks(str(self.path), self._unit, runs, rows=rows, size=size)

    @property
    def _unit(self) -> str:
        return "line" if self._items is None else "item"

    @property
    def _has_lines(self) -> bool:
        """Whether the rows are lines of JSON."""
        return self._items is None and self._delimiter is None and self.members is None

    def _objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        if self._items is not None:
            for number, item in enumerate(self._items, 1):
                yield number, as_object(where(str(self.path), "item", number), item)
        elif self._delimiter is not None:
            yield from self._csv_rows(self._delimiter)

    def _read_whole(self) -> None:
        text = decode(str(self.path), b"".join(line for _, line in self._lines(True)))
        value: Any
        members: list[tuple[str, Any]] = []
        if text.lstrip().startswith("["):  # twice as fast as with members
            value = parse_json(str(self.path), text)
        else:
            value, members = parse_members(str(self.path), text)
        if isinstance(value, list):
            if not value:
                raise InputFileError(f"{self.path}: is an empty list")
            self._items = value
        elif as_object(str(self.path), value):
            self.members = members
        else:
            raise InputFileError(f"{self.path}: is an empty object")

    def _csv_rows(self, delimiter: str) -> Iterator[tuple[int, dict[str, Any]]]:
        csv.field_size_limit(sys.maxsize)  # a response may be long
        lines = (decode(f"{self.path}, line {n}", s) for n, s in self._lines(True))
        # A line may end in a carriage return alone, as on old Macs.
        split = chain.from_iterable(map(_LINE_OF_CSV.findall, lines))
        reader = csv.reader(split, delimiter=delimiter, strict=True)
        names: list[str] | None = None
        empty = True
        line = 1
        try:
            for values in reader:
                number, line = line, reader.line_num + 1
                if not any(values):
                    continue
                if names is None:
                    names = [value.strip() for value in values]
                    if len(set(names)) < len(names):
                        raise InputFileError(
                            f"{self.path}, line {number}: a column's name stands twice"
                        )
                elif len(values) != len(names):
                    raise InputFileError(
                        f"{self.path}, line {number}: {len(values)} values under "
                        f"{len(names)} columns"
                    )
                else:
                    empty = False
                    yield number, dict(zip(names, values, strict=True))
        except csv.Error as error:
            raise InputFileError(
                f"{self.path}, line {line}: not valid CSV, cut off perhaps: {error}"
            ) from error
        if empty:
            raise InputFileError(f"{self.path}: holds no row below its columns' names")

    def _lines(self, blank: bool = False) -> Iterator[tuple[int, bytes]]:
        """Yield the lines with their numbers, blank ones only if they are asked for."""
        for numbers, lines in self._runs(blank):
            yield from zip(numbers, lines, strict=True)

    def _runs(self, blank: bool = False) -> Iterator[tuple[Sequence[int], list[bytes]]]:
        """Yield the lines, some at a time, which costs less than one by one."""
        with self._stored() as stored:
            stream: BinaryIO = stored
            if cast("io.BufferedReader", stored).peek(2).startswith(b"\x1f\x8b"):
                stream = cast("BinaryIO", gzip.GzipFile(fileobj=stored))
            number = 1
            damage: Exception | None = None
            while damage is None:
                # Not splitlines(): that cuts at characters which JSON may hold unescaped.
                lines: list[bytes] = []
                try:
                    lines.extend(islice(stream, _LINES))  # keeps those before a damage
                except (gzip.BadGzipFile, EOFError, zlib.error) as error:
                    damage = error
                if not lines and damage is None:
                    return
                if lines and number == 1:
                    lines[0] = lines[0].removeprefix(_BOM)
                numbers = range(number, number + len(lines))
                number = numbers.stop
                if blank or all(map(bytes.strip, lines)):
                    yield numbers, lines
                else:
                    full = [
                        n
                        for n, line in zip(numbers, lines, strict=True)
                        if line.strip()
                    ]
                    yield full, list(filter(bytes.strip, lines))
            raise InputFileError(
                f"{self.path}: damaged gzip file: {damage}"
            ) from damage

    def _stored(self) -> BinaryIO:
        if self._bytes is not None:
            return cast("BinaryIO", io.BufferedReader(io.BytesIO(self._bytes)))
        return self._opened()

    def _opened(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except FileNotFoundError:
            message = f"{self.path}: there is no such file or folder"
            raise InputFileError(message) from None
        except IsADirectoryError:
            raise InputFileError(f"{self.path}: is a folder, not a file") from None
        except OSError as error:
            raise InputFileError(f"{self.path}: {error.strerror or error}") from error

    def _unrepeatable(self) -> bytes | None:
        try:
            if stat.S_ISREG(self.path.stat().st_mode):
                return None
        except OSError:
            return None  # _opened() says what is wrong
        with self._opened() as stream:
            return stream.read()
