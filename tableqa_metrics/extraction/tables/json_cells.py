"""From JSON values to the cells and rows of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from .layout import tidy


_DEEPEST_CELL: Final = 3
# Keys under which an object has the text of a cell rather than cells of its own.
_PARTS_OF_A_CELL: Final = (
    *("value", "amount", "number", "text", "label", "unit", "currency", "raw"),
    *("scale", "symbol", "display", "formatted"),
)
_NAMES: Final = ("name", "title", "label", "value", "text", "entity")


def cells(values: Iterable[Any]) -> tuple[str, ...]:
    """Write JSON values as cells, numbers as they were written.

    Examples
    --------
    >>> cells(["a", "0.10", None, ["x", "y"], {"value": "5", "unit": "km"}])
    ('a', '0.10', '', 'x, y', '5 km')
    """
    return tuple(_cell(value) for value in values)


def flat(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the values of an object inside a row columns of their own.

    A column is named by its own key, or by both keys where its own is taken.

    Examples
    --------
    >>> flat([{"entity": "Rent", "info": {"year": "2005", "length": "135"}}])
    [{'entity': 'Rent', 'year': '2005', 'length': '135'}]
    """
    inner_keys = {
        (key, inner)
        for row in rows
        for key, value in row.items()
        if _has_columns(value)
        for inner in value
    }
    if not inner_keys:
        return list(rows)
    taken = [
        key for row in rows for key, value in row.items() if not _has_columns(value)
    ]
    named = Counter(inner for _, inner in inner_keys)
    own = {inner for inner, count in named.items() if count == 1}.difference(taken)
    return [
        {
            name: cell
            for key, value in row.items()
            for name, cell in (
                (
                    (inner if inner in own else f"{key} {inner}", part)
                    for inner, part in value.items()
                )
                if _has_columns(value)
                else ((key, value),)
            )
        }
        for row in rows
    ]


def is_cell(value: Any) -> bool:
    """Whether a value may be a cell: a scalar, or a list of scalars."""
    if isinstance(value, list):
        return not any(isinstance(item, (list, dict)) for item in value)
    return not isinstance(value, dict)


def is_number(cell: str) -> bool:
    """Whether a cell is a plain number, as no name of a column is."""
    return cell.replace(".", "", 1).lstrip("-+").isdigit()


def _has_columns(value: Any) -> bool:
    """Whether a value in a row is an object of cells, and not the parts of one."""
    if (
        not isinstance(value, dict)
        or not value
        or not all(map(is_cell, value.values()))
    ):
        return False
    return not all(key.casefold() in _PARTS_OF_A_CELL for key in value)


def _cell(value: Any, depth: int = 0) -> str:
    if value is None or depth > _DEEPEST_CELL:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        parts = [_cell(_named(item), depth + 1) for item in value]
        return ", ".join(part for part in parts if part)
    if isinstance(value, dict):
        parts = [_cell(item, depth + 1) for item in value.values()]
        if all(key.casefold() in _PARTS_OF_A_CELL for key in value):
            return " ".join(part for part in parts if part)
        return ", ".join(f"{k}: {v}" for k, v in zip(value, parts, strict=True))
    return tidy(str(value))


def _named(item: Any) -> Any:
    """Return what an object in a list of values is called by, else the item itself."""
    if not isinstance(item, dict):
        return item
    if len(item) == 1:
        return next(iter(item.values()))
    names = (item[key] for key in item if key.casefold() in _NAMES)
    return next(names, item)
