"""Tables written as JSON, in the shapes that models and libraries use.

Rules: `json_objects` (a list of objects, one a row), `json_lines` (objects that follow
each other), `json_record` (one object as one row), `json_lists` (a list of lists),
`json_split` (a header beside rows, as `{"columns": …, "data": …}`), `json_columns` (an
object of columns), `json_keyed` (an object of rows by their key) and `json_text` (a
string that holds a table in another form). Each may stand inside another object, as
`{"answer": …}`, and be a string of JSON there, as the arguments of a tool call are.

Numbers stay as written, `null` is a blank cell, several values become "a, b", and the
values of an object inside a row get columns of their own. A value that was cut off keeps
its whole rows. A list of lists beside `columns=[…]`, as in a program for pandas, has these
for a header.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ...table import Table
from ..json_values import JsonValue, json_values, read_value
from .json_cells import cells, flat, is_cell, is_number
from .layout import Candidate
from .pipe_blocks import FIRST_HEADER


_HEADER_KEYS: Final = (
    "columns",
    "column_names",
    "header",
    "headers",
    "fields",
    "cols",
)
_ROWS_KEYS: Final = ("data", "rows", "values", "records", "body", "cells")
# Keys that wrap an answer; objects of these are no rows.
_WRAPPERS: Final = (
    "final_table",
    "final_answer",
    "answer_table",
    "answer",
    "answers",
    "table",
    "tables",
    "result",
    "results",
    "output",
    "response",
    "data",
    "rows",
    "records",
)
_COMMENTS: Final = ("reasoning", "explanation", "thought", "thoughts", "error", "note")
_NAME_KEYS: Final = ("name", "header", "title", "label", "column", "field", "key")
_DEEPEST_WRAPPER: Final = 4
# The names of the columns beside a list of lists, as in Python: columns=["a", "b"].
_COLUMNS = re.compile(
    r"\b(?:columns|column_names|headers?|cols|fields|fieldnames)[\"']?\s{0,3}[=:]\s{0,3}"
    r"(?=[\[(])"
)
_LOOK_AROUND: Final = 1_000
# A hostile value may have other keys in each object: such a table is not built.
_MOST_BLANK_CELLS: Final = 100_000


class _Found(NamedTuple):
    table: Table
    rule: str
    certain: bool = True


_ReadText = Callable[[str], Candidate | None] | None


def read_json(text: str, read_text: _ReadText = None) -> list[Candidate]:
    """Return the tables that are written as JSON, in their order.

    `read_text` finds a table in a string of several lines.

    Examples
    --------
    >>> table = read_json('[{"entity": "Rent", "genre": ["drama", "musical"]}]')[0].table
    >>> table.header, table.rows
    (('entity', 'genre'), (('Rent', 'drama, musical'),))
    """
    if "[" not in text and "{" not in text:
        return []
    candidates = []
    for group in _groups(text):
        if len(group) > 1 and not group[-1].complete:
            group.pop()  # a row that was cut off
        start, end = group[0].start, group[-1].end
        complete = all(value.complete for value in group)
        values = [value.value for value in group]
        if len(values) > 1:
            found = _records(values, "json_lines")
        else:
            found = _with_columns(values[0], text, start, end)
            found = found or _Search(read_text, complete).find(values[0])
        if found is not None:
            complete = complete and bool(found.table.rows)
            candidates.append(
                Candidate(start, end, found.table, found.rule, complete, found.certain)
            )
    return candidates


def _groups(text: str) -> Iterator[list[JsonValue]]:
    """Put objects together that follow each other, with nothing but commas between."""
    group: list[JsonValue] = []
    for value in json_values(text):
        follows = bool(group) and _is_row(value.value) and _is_row(group[-1].value)
        if follows and not text[group[-1].end : value.start].strip(" \t\r\n,"):
            group.append(value)
            continue
        if group:
            yield group
        group = [value]
    if group:
        yield group


@dataclass(frozen=True)
class _Search:
    """The search for a table in a JSON value."""

    read_text: _ReadText
    complete: bool  # whether the value was read to its end

    def find(self, value: Any, depth: int = 0) -> _Found | None:
        if isinstance(value, str):
            return self._in_text(value, depth)
        if depth > _DEEPEST_WRAPPER or not value:
            return None
        if isinstance(value, list):
            return self._in_list(value, depth)
        if not isinstance(value, dict):
            return None
        wrappers = [
            key for name in _WRAPPERS for key in value if key.casefold() == name
        ]
        return (
            _split(value)
            or _columns(value, complete=self.complete)
            or self._first((value[key] for key in wrappers), depth)
            or _keyed(value)
            or self._entity(value)
            or self._first(value.values(), depth)
            or (_record(value) if self.complete else None)
        )

    def _entity(self, value: dict[str, Any]) -> _Found | None:
        """Read one row that says of which entity it is."""
        is_named = any(key.casefold() == FIRST_HEADER for key in value)
        is_row = is_named and len(value) > 1 and self.complete and _is_row(value)
        return _records([value], "json_record") if is_row else None

    def _first(self, values: Iterable[Any], depth: int) -> _Found | None:
        found = (self.find(value, depth + 1) for value in values)
        return next((table for table in found if table is not None), None)

    def _in_text(self, text: str, depth: int) -> _Found | None:
        # as the arguments of a tool call are written
        if text.startswith(("[", "{")) and depth <= _DEEPEST_WRAPPER:
            return self.find(read_value(text, 0), depth + 1)
        if self.read_text is None or "\n" not in text:
            return None
        found = self.read_text(text)
        if found is None or not (found.certain or found.rule == "tanq_lines"):
            return None
        return _Found(found.table, "json_text")

    def _in_list(self, items: list[Any], depth: int) -> _Found | None:
        objects = [item for item in items if isinstance(item, dict) and item]
        lists = [item for item in items if isinstance(item, list) and item]
        if len(objects) * 2 > len(items):
            found = None
            if len(objects) == 1 and not _is_row(objects[0]):
                found = self.find(objects[0], depth + 1)
            return found or _records(objects, "json_objects")
        if len(lists) * 2 > len(items):
            if any(isinstance(cell, (list, dict)) for cell in lists[0]):
                return self.find(lists[-1], depth + 1)
            return _lists(lists)
        return None


def _with_columns(value: Any, text: str, start: int, end: int) -> _Found | None:
    """Read rows whose columns a program names beside them."""
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(row, list) and row and not _nests(row) for row in value):
        return None
    rows = tuple(map(cells, value))
    for part in (
        text[end : end + _LOOK_AROUND],
        text[max(0, start - _LOOK_AROUND) : start],
    ):
        for match in deque(_COLUMNS.finditer(part), maxlen=1):
            named = read_value(part, match.end())
            names = cells(named) if isinstance(named, list) else ()
            if len(names) == len(rows[0]) and names != rows[0]:
                return _Found(Table(names, rows), "json_lists")
    return None


def _lists(rows: Sequence[list[Any]]) -> _Found | None:
    header, *body = [cells(row) for row in rows]
    if all(is_number(cell) for cell in header):
        return None  # a matrix: nothing names its columns
    if len(header) < 2 and header[0].casefold() != FIRST_HEADER:
        return None
    return _Found(Table(header, tuple(body)), "json_lists")


def _records(rows: Sequence[dict[str, Any]], rule: str) -> _Found | None:
    rows = flat(rows)
    header = list(dict.fromkeys(key for row in rows for key in row))
    n_cells = sum(map(len, rows))
    if len(header) * len(rows) - n_cells > max(_MOST_BLANK_CELLS, n_cells):
        return None
    body = tuple(cells(row.get(key) for key in header) for row in rows)
    return _Found(Table(cells(header), body), rule)


def _split(value: dict[str, Any]) -> _Found | None:
    """Read a header and rows under keys of their own."""
    by_key = {key.casefold(): item for key, item in value.items()}
    header = next((by_key[k] for k in _HEADER_KEYS if by_key.get(k)), None)
    rows = next((by_key[k] for k in _ROWS_KEYS if k in by_key), None)
    if not isinstance(header, list) or not isinstance(rows, list):
        return None
    names = [_name(item) for item in header]
    if any(isinstance(row, dict) for row in rows):
        objects = [row for row in rows if isinstance(row, dict)]
        return _records(objects, "json_split")
    body = tuple(cells(row) for row in rows if isinstance(row, list))
    return _Found(Table(cells(names), body), "json_split")


def _name(item: Any) -> Any:
    if isinstance(item, dict):
        return next((item[key] for key in _NAME_KEYS if key in item), None)
    return item


def _columns(value: dict[str, Any], *, complete: bool) -> _Found | None:
    """Read an object of columns: of lists, or as pandas writes them, by row number."""
    keys = {key.casefold() for key in value}
    if keys.intersection(_HEADER_KEYS) and keys.intersection(_ROWS_KEYS):
        return None
    if any(key.casefold() in _ROWS_KEYS and _nests(value[key]) for key in value):
        return None
    columns = []
    for column in value.values():
        if isinstance(column, dict) and column and all(map(str.isdigit, column)):
            column = list(column.values())
        if not isinstance(column, list):
            return None
        if any(isinstance(cell, dict) for cell in column):
            return None
        columns.append(column)
    names = list(value)
    if not complete and not columns[-1]:
        names.pop()
        columns.pop()
    if len(columns) < 2 and (names or [""])[0].casefold() != FIRST_HEADER:
        return None
    if complete and len({len(column) for column in columns}) > 1:
        return None
    body = tuple(cells(row) for row in zip(*columns, strict=False))
    return _Found(Table(cells(names), body), "json_columns")


def _keyed(value: dict[str, Any]) -> _Found | None:
    """Read an object of rows: the key of each becomes its first cell."""
    if not all(
        isinstance(row, dict) and all(map(is_cell, row.values()))
        for row in value.values()
    ):
        return None
    rows = [{FIRST_HEADER: key, **row} for key, row in value.items()]
    return _records(rows, "json_keyed")


def _record(value: dict[str, Any]) -> _Found | None:
    is_answer = any(key.casefold() in (*_WRAPPERS, *_COMMENTS) for key in value)
    if len(value) < 2 or is_answer or not _is_row(value):
        return None
    found = _records([value], "json_record")
    return None if found is None else found._replace(certain=False)


def _is_row(value: Any) -> bool:
    """Whether an object may be a row: it has a cell of one value, and wraps no table."""
    if not isinstance(value, dict) or not value or _wraps(value):
        return False
    return not all(isinstance(cell, (list, dict)) for cell in value.values())


def _wraps(value: dict[str, Any]) -> bool:
    """Whether an object has a table, or what may hold one, under a key for it."""
    return any(
        (key.casefold() in (*_WRAPPERS, *_ROWS_KEYS) and _nests(item))
        or (key.casefold() in _HEADER_KEYS and isinstance(item, (list, dict)))
        for key, item in value.items()
    )


def _nests(value: Any) -> bool:
    """Whether a value has parts that have parts, as rows do, not a column's cells."""
    return isinstance(value, dict) or (
        isinstance(value, list)
        and any(isinstance(item, (list, dict)) for item in value)
    )
