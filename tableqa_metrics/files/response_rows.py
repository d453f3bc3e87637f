"""The rows of a file of responses, in whatever form it has, which its first rows tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from .batches import ID_KEY, is_batch_row
from .blocks import Block, RawRow, in_blocks, one_by_one, where
from .jsonfile import InputFileError
from .layout import (
    BATCH,
    ID_KEYS,
    OBJECT,
    RESPONSE_KEYS,
    ROWS,
    SAMPLES,
    TATQA_PAIRS,
    Item,
    Layout,
    first_key,
    form_of,
)
from .rowfile import RowFile
from .values import ends_in_scale, is_pair, is_references, scale_column


SAMPLES_NAME: Final = re.compile(
    r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
    r"\.jsonl(?:\.gz)?"
)


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
            usual = first_key(ID_KEYS, content) and first_key(RESPONSE_KEYS, content)
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
                id_key=id_key or first_key(ID_KEYS, first),
                response_key=response_key or first_key(RESPONSE_KEYS, first),
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
            # A whole record with a response beside it has nothing that is left out.
            is_record = key == "response" and is_references(row, key)
            self.unused_scale = column is None and "scale" in row and not is_record
        self.layout = replace(
            self.layout, pairs=pairs, scale_key=column, first=_in_file(where)
        )

    def _first_value(self) -> tuple[str, Any]:
        """Return the first response that is not null, and where it stands.

        There is none before a place where the file is damaged.
        """
        place = ""
        try:
            for raw in self.raw_rows():
                place = raw.where
                value = self.layout.response(raw.read())
                if value is not None:
                    return place, value
        except InputFileError:
            pass  # raised where the rows are asked for
        return place, None

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
            if self.layout.pairs and value is not None:
                self.layout.check_pair(str(self.file.path), name, value)
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
