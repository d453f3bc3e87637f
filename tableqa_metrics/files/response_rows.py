"""Where in a row of a file of responses the id and the response are.

`tableqa_metrics.files` lists the forms that such a file may have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from .batches import (
    ID_KEY,
    batch_texts,
    is_batch_row,
    is_returned,
    returned_texts,
)
from .blocks import Block, RawRow, in_blocks, one_by_one, where
from .jsonfile import InputFileError, Row, brief, some_of
from .rowfile import RowFile
from .values import (
    as_answer,
    ends_in_scale,
    from_column,
    is_pair,
    scale_column,
    with_scale,
)


ID_KEYS: Final = ("id", "uid", "question_id", "init_qid")
RESPONSE_KEYS: Final = ("response", "prediction", "predicted", "prediction_table")

ROWS: Final = "rows"
OBJECT: Final = "object"
TATQA_PAIRS: Final = "tatqa"
PROGRAM_OF_THOUGHTS: Final = "program-of-thoughts"
SAMPLES: Final = "samples"
BATCH: Final = "batch"

_POT_KEYS: Final = ("pred_answer", "pred_scale")
_SAMPLES_KEYS: Final = ("doc", "doc_id", "resps")
SAMPLES_NAME: Final = re.compile(
    r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
    r"\.jsonl(?:\.gz)?"
)


class Item(NamedTuple):
    """What one row holds.

    `values` is `None` where the response is null: nothing was saved. `document` is what
    else is known of the question: the harness's document in a sample log, else the row.
    """

    id: str
    values: tuple[Any, ...] | None
    document: Mapping[str, Any]


@dataclass(frozen=True)
class Layout:
    """Where in a row the id and the response are; it reads rows in any process.

    Parameters
    ----------
    form
        One of the forms above.
    id_key, response_key
        The keys; `None` where none of the usual ones was there, or the form has its own.
    scale_key
        The key of the scale that belongs to the answer under `response_key`; `None`
        where the rows have none.
    pairs
        Whether each value is an `[answer, scale]`.
    first
        Where the first value stands, for messages.
    options
        How the two keys are named where the user can give them, for messages.
    """

    form: str
    id_key: str | None
    response_key: str | None
    scale_key: str | None = None
    pairs: bool = False
    first: str = ""
    options: tuple[str, str] = ("id_key=", "response_key=")

    def read(self, row: Row) -> Item:
        """Read a row.

        Raises
        ------
        InputFileError
            It lacks a key (the message lists those that are there), or holds no id.
        """
        document: Mapping[str, Any] = row.data
        values: tuple[Any, ...] | None
        if self.form == SAMPLES:
            name, values, document = self._read_sample(row)
        elif self.form == PROGRAM_OF_THOUGHTS:
            answer, scale = (self._get(row, key, response=True) for key in _POT_KEYS)
            name = self._get(row, self.id_key)
            values = ({"answer": answer, "scale": scale},)
        elif self.form == BATCH:
            name = self._get(row, self.id_key or ID_KEY)
            try:
                values = batch_texts(row.data)
            except ValueError as error:
                raise InputFileError(f"{row.where}: {error}") from error
        else:
            value = self._get(row, self.response_key, response=True)
            name = self._get(row, self.id_key)
            values = self._values(row, value)
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            raise InputFileError(f"{row.where}: {brief(name)} is not an id")
        return Item(str(name), values, document)

    def _values(self, row: Row, value: Any) -> tuple[Any, ...] | None:
        """Return what a row has: texts, or an answer, with its scale where it has one."""
        if isinstance(value, (list, dict)) and is_returned(value):
            try:
                return returned_texts(value)
            except ValueError as error:
                raise InputFileError(f"{row.where}: {brief(value)} {error}") from error
        if self.pairs and value is not None:
            if not is_pair(value):
                raise InputFileError(
                    f"{row.where}: holds [answer, scale] pairs, but for "
                    f"{self._get(row, self.id_key)!r} it has {brief(value)} (the first "
                    f"pair: {self.first})"
                )
            return (with_scale(*value),)
        if self.scale_key is not None:
            scale = self._get(row, self.scale_key)
            if value is None:
                return None
            if isinstance(value, str):
                value = from_column(value)
            return (with_scale(value, scale),)
        if isinstance(value, dict):
            value = as_answer(value)
        return None if value is None else (value,)

    def place(self, where: str, item: Item) -> str:
        """Say where a row stands; of one object of all responses, under which id."""
        return f"{where}, {item.id!r}" if self.form in (OBJECT, TATQA_PAIRS) else where

    def response(self, row: Row) -> Any:
        """Return what stands in the place of the response, whatever it is.

        Raises
        ------
        InputFileError
            There is no such place.
        """
        return self._get(row, self.response_key, response=True)

    def _read_sample(self, row: Row) -> tuple[Any, tuple[str, ...], Mapping[str, Any]]:
        doc, resps = (self._get(row, key, response=True) for key in ("doc", "resps"))
        if not isinstance(doc, dict):
            raise InputFileError(f"{row.where}: doc is not an object")
        if self.id_key is not None:
            name = self._get(Row(f"{row.where}, doc", doc), self.id_key)
        elif doc.get("id") is not None:
            name = doc["id"]
        else:
            name = self._get(row, "doc_hash")
        texts = resps[0] if isinstance(resps, list) and len(resps) == 1 else None
        if not (
            isinstance(texts, list) and texts and all(isinstance(t, str) for t in texts)
        ):
            raise InputFileError(
                f"{row.where}: resps does not hold the texts of one generate_until "
                "request"
            )
        return name, tuple(texts), doc

    def _get(self, row: Row, key: str | None, *, response: bool = False) -> Any:
        """Look a key up, a dotted one step by step; the error lists what is there.

        A response below a null is null: a request that failed is logged so.
        """
        if key is not None and key in row.data:
            return row.data[key]
        value: Any = row.data
        for step in key.split(".") if key is not None else ("",):
            if isinstance(value, dict) and step in value:
                value = value[step]
            elif (
                isinstance(value, list) and step.isdecimal() and int(step) < len(value)
            ):
                value = value[int(step)]
            elif response and value is None:
                return None
            else:
                usual = ", ".join(RESPONSE_KEYS if response else ID_KEYS)
                wanted = f"no key {key!r}" if key else f"none of the keys {usual}"
                there = some_of(row.data, 20) or "nothing"
                raise InputFileError(
                    f"{row.where}: {wanted}; there is {there} (name one with "
                    f"{self.options[response]})"
                )
        return value


class Responses:
    """The rows of a file of responses, as often as they are asked for.

    Parameters
    ----------
    path
        The file.
    id_key, response_key
        As in `read_responses`.
    form
        One of the forms; `None` finds it by looking. With `"rows"`, whatever is in an
        object or a row is taken as it is.
    scales
        Whether a column of scales belongs to the answers beside it.
    options
        See `Layout`.

    Raises
    ------
    InputFileError
        As `read_responses`, as far as the first row shows it.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        id_key: str | None = None,
        response_key: str | None = None,
        form: str | None = None,
        scales: bool = True,
        options: tuple[str, str] = Layout.options,
    ) -> None:
        self.file = RowFile(path)
        self._members = self.file.members
        self._is_map = False  # of ids to responses
        self.unused_scale = False
        self.layout = Layout(form or ROWS, id_key, response_key, options=options)
        if self._members is not None:
            content = dict(self._members)
            usual = _first(ID_KEYS, content) and _first(RESPONSE_KEYS, content)
            if not (id_key or response_key or usual or is_batch_row(content)):
                self._find_object_form(form)
                return
        raw = next(self.raw_rows())
        first = raw.read().data
        found = form
        if form is None and response_key is None:
            found = form_of(first)
        self.layout = replace(
            self.layout,
            form=ROWS if found in (None, TATQA_PAIRS) else found,
            first=_in_file(raw.where),
        )
        if found == BATCH:
            self.layout = replace(self.layout, id_key=id_key or ID_KEY)
        elif found != SAMPLES:
            self.layout = replace(
                self.layout,
                id_key=id_key or _first(ID_KEYS, first),
                response_key=response_key or _first(RESPONSE_KEYS, first),
            )
        if self.layout.form == ROWS:
            self._find_scales(form, first, scales)

    def _find_scales(
        self, named: str | None, row: Mapping[str, Any], scales: bool
    ) -> None:
        """Find out whether rows have a scale in their answers, or beside them."""
        where, value = self._first_value()
        key, column = self.layout.response_key, None
        pairs = named == TATQA_PAIRS
        if named is None and key != "predicted":  # which has tokens
            pairs = ends_in_scale(value)
        if scales and not pairs:
            column = scale_column(row, key)
            self.unused_scale = column is None and "scale" in row
        self.layout = replace(
            self.layout, pairs=pairs, scale_key=column, first=_in_file(where)
        )

    def _first_value(self) -> tuple[str, Any]:
        """Return the first response that is not null, and where it stands."""
        where = ""
        for raw in self.raw_rows():
            where = raw.where
            value = self.layout.response(raw.read())
            if value is not None:
                return where, value
        return where, None

    @property
    def task(self) -> str | None:
        """The harness task that the responses are to, where the file's name says it."""
        name = SAMPLES_NAME.fullmatch(self.file.path.name)
        return name["task"] if name and self.layout.form == SAMPLES else None

    def raw_rows(self) -> Iterator[RawRow]:
        """Yield the rows, for `layout` to read."""
        if self._members is None:
            yield from self.file.rows()
            return
        path = str(self.file.path)
        for number, raw in self._in_object(self._members):
            yield RawRow(where(path, "", number), raw)

    def blocks(self, *, rows: int, size: int) -> Iterator[Block]:
        """Yield the rows in blocks; see `in_blocks`."""
        if self._members is None:
            return self.file.blocks(rows=rows, size=size)
        members = one_by_one(self._in_object(self._members))
        return in_blocks(str(self.file.path), "", members, rows=rows, size=size)

    def _in_object(
        self, members: list[tuple[str, Any]]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        if not self._is_map:
            yield 1, dict(members)
            return
        for number, (name, value) in enumerate(members, 1):
            yield number, {"id": name, "response": value}

    def __iter__(self) -> Iterator[tuple[str, Item]]:
        """Yield what each row holds, and where it stands."""
        for raw in self.raw_rows():
            yield raw.where, self.layout.read(raw.read())

    def _find_object_form(self, form: str | None) -> None:
        assert self._members is not None
        if form is None:
            # A list of two answers looks like a pair too, but does not end in a scale.
            form = OBJECT
            if any(ends_in_scale(value) for _, value in self._members):
                form = TATQA_PAIRS
        elif form == ROWS:
            form = OBJECT
        elif form != TATQA_PAIRS:
            raise InputFileError(f"{self.file.path}: is one object, not {form}")
        self._is_map = True
        first = next(
            (
                n
                for n, v in self._members
                if v is not None and (form == OBJECT or is_pair(v))
            ),
            "",
        )
        self.layout = replace(
            self.layout,
            form=form,
            id_key="id",
            response_key="response",
            pairs=form == TATQA_PAIRS,
            first=repr(first),
        )


def _in_file(where: str) -> str:
    """Return the place within the file that a row's place names last."""
    return where.rpartition(", ")[2]


def form_of(row: Mapping[str, Any]) -> str | None:
    """Return the form of the files that have such a row, by its keys, if it is known.

    Examples
    --------
    >>> form_of({"id": 1, "response": "a"}), form_of({"doc": {}, "r": 1}) is None
    ('rows', True)
    """
    if all(key in row for key in _SAMPLES_KEYS):
        return SAMPLES
    if all(key in row for key in _POT_KEYS):
        return PROGRAM_OF_THOUGHTS
    if is_batch_row(row):
        return BATCH
    return ROWS if _first(ID_KEYS, row) and _first(RESPONSE_KEYS, row) else None


def _first(keys: Iterable[str], data: Mapping[str, Any]) -> str | None:
    return next((key for key in keys if key in data), None)
