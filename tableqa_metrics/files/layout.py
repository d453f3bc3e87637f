"""Where in a row of a file of responses the id and the response are.

`tableqa_metrics.files` lists the forms that such a file may have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from .batches import (
    ID_KEY,
    batch_texts,
    is_batch_row,
    is_returned,
    returned_texts,
)
from .jsonfile import InputFileError, Row, brief, some_of
from .values import as_answer, from_column, is_pair, with_scale


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
            self.check_pair(row.where, self._get(row, self.id_key), value)
            return (with_scale(*value),)
        if self.scale_key is not None:
            if value is None:
                return None
            if isinstance(value, str):
                try:
                    value = from_column(value)
                except ValueError as error:
                    raise InputFileError(
                        f"{row.where}: {brief(value)} {error}"
                    ) from error
            return (with_scale(value, row.data.get(self.scale_key)),)
        if isinstance(value, dict):
            value = as_answer(value)
        return None if value is None else (value,)

    def check_pair(self, where: str, name: Any, value: Any) -> None:
        """Check that a value is a pair of an answer and its scale, as the others are.

        Raises
        ------
        InputFileError
            It is none.
        """
        if not is_pair(value):
            raise InputFileError(
                f"{where}: holds [answer, scale] pairs, but for {name!r} it has "
                f"{brief(value)} (the first pair: {self.first})"
            )

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
    return ROWS if first_key(ID_KEYS, row) and first_key(RESPONSE_KEYS, row) else None


def first_key(keys: Iterable[str], data: Mapping[str, Any]) -> str | None:
    """Return the first of some keys that an object has."""
    return next((key for key in keys if key in data), None)
