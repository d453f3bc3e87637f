"""JSON with errors that say where, and how messages name what a file holds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple


_SHOWN: Final = 5
_DECODER: Final = json.JSONDecoder()


class InputFileError(ValueError):
    """A file cannot be used; the message, one line, names the file and the place."""


class Row(NamedTuple):
    """An object of a file, and where it stands there (`FILE, line 7`)."""

    where: str
    data: dict[str, Any]


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


def is_json(text: str) -> bool:
    """Whether a text is valid JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def parse_json(where: str, text: str) -> Any:
    """Parse JSON.

    Raises
    ------
    InputFileError
        It is not valid, or cannot be read; the message starts with `where` and, of a
        text of several lines, names the line.
    """
    return _parse(where, text, _DECODER)


def parse_members(where: str, text: str) -> tuple[Any, list[tuple[str, Any]]]:
    """Parse JSON and return, beside it, the members of the outermost object.

    A key that stands there twice is twice among them. Of anything but an object there
    are none.

    Raises
    ------
    InputFileError
        As `parse_json`.

    Examples
    --------
    >>> parse_members("FILE", '{"q": 1, "q": {"a": 2}}')
    ({'q': {'a': 2}}, [('q', 1), ('q', {'a': 2})])
    """
    latest: list[tuple[str, Any]] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        latest[:] = pairs  # the outermost object is closed last
        return dict(pairs)

    value = _parse(where, text, json.JSONDecoder(object_pairs_hook=keep))
    return value, latest if isinstance(value, dict) else []


def _parse(where: str, text: str, decoder: json.JSONDecoder) -> Any:
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        line = f", line {error.lineno}" if "\n" in text.strip() else ""
        raise InputFileError(
            f"{where}{line}: not valid JSON, cut off perhaps: {error.msg} "
            f"(column {error.colno})"
        ) from error
    except (ValueError, RecursionError) as error:
        # An integer of more digits than Python converts, or nesting without end.
        raise InputFileError(f"{where}: cannot be read as JSON: {error}") from error


def as_object(where: str, value: object) -> dict[str, Any]:
    """Return a JSON value that must be an object.

    Raises
    ------
    InputFileError
        It is none.
    """
    if not isinstance(value, dict):
        raise InputFileError(f"{where}: {brief(value)} is not an object with keys")
    return value
