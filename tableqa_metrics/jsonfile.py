"""JSON and JSON Lines from disk, gzipped or not, with errors that say where.

What a user's file holds is found by looking, not by its name alone: a `.json` file that
is really JSON Lines is read as what it is.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final


_SHOWN: Final = 5


class InputFileError(ValueError):
    """A file cannot be used; the message, one line, names the file and the place."""


@dataclass(frozen=True)
class Row:
    """An object of a file, and where it stands there (`FILE, line 7`)."""

    where: str
    data: dict[str, Any]


@dataclass(frozen=True)
class JsonFile:
    """A file's rows or, where the whole file is one JSON object, that object.

    Parameters
    ----------
    path
        The file.
    sha256
        Of its bytes as stored, hexadecimal.
    rows
        The objects of JSON Lines or of a JSON list, at least one; else `None`.
    content
        The one object; else `None`. No key of it stands twice with two values.
    """

    path: Path
    sha256: str
    rows: list[Row] | None
    content: dict[str, Any] | None


def read_json_file(path: str | Path) -> JsonFile:
    """Read a file of JSON or JSON Lines.

    Raises
    ------
    InputFileError
        The file is not there, is a folder, is empty, is not UTF-8, is a damaged gzip
        file, is not valid JSON, or holds anything but objects.
    """
    path = Path(path)
    data = _read_bytes(path)
    parsed = _parse(path, _decode(path, data))
    sha256 = hashlib.sha256(data).hexdigest()
    if isinstance(parsed, dict):
        return JsonFile(path, sha256, rows=None, content=parsed)
    return JsonFile(path, sha256, rows=parsed, content=None)


def some_of(names: Iterable[str], limit: int = _SHOWN) -> str:
    """Join the first few names, and say how many more there are.

    Examples
    --------
    >>> some_of("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    all_names = list(names)
    more = len(all_names) - limit
    return ", ".join(all_names[:limit]) + (f" and {more} more" if more > 0 else "")


def brief(value: object) -> str:
    """Write a value as JSON for an error message, cut off where it is long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def same_json(one: object, other: object) -> bool:
    """Whether two values are written the same in JSON: 1 is neither 1.0 nor true."""
    return json.dumps(one) == json.dumps(other)


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputFileError(f"{path}: there is no such file or folder") from None
    except IsADirectoryError:
        raise InputFileError(f"{path}: is a folder, not a file") from None
    except OSError as error:
        raise InputFileError(f"{path}: {error.strerror or error}") from error


def _decode(path: Path, data: bytes) -> str:
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise InputFileError(f"{path}: damaged gzip file: {error}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(
            f"{path}: is not text in UTF-8 (byte {error.start})"
        ) from error
    if not text.strip():
        raise InputFileError(f"{path}: is empty")
    return text


def _parse(path: Path, text: str) -> list[Row] | dict[str, Any]:
    # Not splitlines(): that cuts at characters which JSON may hold unescaped.
    lines = [(n, s) for n, s in enumerate(text.split("\n"), 1) if s.strip()]
    named_lines = path.name.removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    if (
        # A first line that is complete by itself leaves the rest no place in it.
        _is_json(lines[0][1]) if len(lines) > 1 else named_lines
    ):
        parsed = [(w := f"{path}, line {n}", _loads(w, s)) for n, s in lines]
        if len(parsed) > 1 or isinstance(parsed[0][1], dict):
            return [Row(where, _object(where, data)) for where, data in parsed]
        content = parsed[0][1]
    else:
        content = _loads(str(path), text, unique_keys=True)
    if not isinstance(content, list):
        return _object(str(path), content)
    if not content:
        raise InputFileError(f"{path}: is an empty list")
    items = ((f"{path}, item {n}", data) for n, data in enumerate(content, 1))
    return [Row(where, _object(where, data)) for where, data in items]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _loads(where: str, text: str, *, unique_keys: bool = False) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            for key, other in pairs:
                if not same_json(value[key], other):
                    message = f"{where}: {key!r} stands there twice, with two values"
                    raise InputFileError(message)
        return value

    try:
        return json.loads(text, object_pairs_hook=unique if unique_keys else None)
    except json.JSONDecodeError as error:
        line = f", line {error.lineno}" if "\n" in text.strip() else ""
        raise InputFileError(
            f"{where}{line}: not valid JSON, cut off perhaps: {error.msg} "
            f"(column {error.colno})"
        ) from error
    except InputFileError:
        raise
    except (ValueError, RecursionError) as error:
        # An integer of more digits than Python converts, or nesting without end.
        raise InputFileError(f"{where}: cannot be read as JSON: {error}") from error


def _object(where: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputFileError(f"{where}: {brief(value)} is not an object with keys")
    return value
