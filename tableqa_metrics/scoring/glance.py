"""What must be known of each row of predictions before anything is scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..files.blocks import Block, RawRow
from ..files.jsonfile import InputFileError
from ..files.response_rows import SAMPLES, Item, Layout
from .formats import Format, Predictions


# Kinds of rows: their response is null; there is one; there are several; another filter
# of a sample log, which has each response once for each filter of its task.
NULL: Final = 0
SOME: Final = 1
SEVERAL: Final = 2
SKIPPED: Final = 3


class Seen(NamedTuple):
    """What a block of rows holds.

    Of each row its id, in UTF-8, and its kind; by the row's place in the block the text
    of its question, where that is known. `error` is what stopped the reading after these.
    """

    names: list[bytes]
    kinds: bytearray
    asked: dict[int, str]
    error: Exception | None


@dataclass(frozen=True)
class Glance:
    """Looks at rows, in any process.

    `filter` and `thinking` are those of the first row of a sample log, which the others
    are held against.
    """

    format: Format
    layout: Layout
    filter: Any = None
    thinking: bool | None = None

    def __call__(self, block: Block) -> Seen:
        """Look at a block of rows."""
        names: list[bytes] = []
        kinds = bytearray()
        asked: dict[int, str] = {}
        try:
            for raw in block.rows():
                item, kind = self._look(raw)
                text = question_of(item)
                if text is not None:
                    asked[len(names)] = text
                names.append(stored_name(item.id))
                kinds.append(kind)
        except (InputFileError, RecursionError) as error:
            return Seen(names, kinds, asked, error)
        return Seen(names, kinds, asked, None)

    def _look(self, raw: RawRow) -> tuple[Item, int]:
        row = raw.read()
        item = self.layout.read(row)
        if self.format.form == SAMPLES:
            if row.data.get("filter") != self.filter:
                return item, SKIPPED
            said = says_thinking(item)
            if said != self.thinking:
                raise InputFileError(
                    f"{raw.where}: its document says thinking {str(said).lower()}, and "
                    "those before it say another; score the logs of two runs one by one"
                )
        if item.values is None:
            return item, NULL
        self.format.check(raw.where, item.values[0])
        return item, SEVERAL if len(item.values) > 1 else SOME


def first_glance(predictions: Predictions) -> Glance:
    """Return what looks at the rows of a file.

    Raises
    ------
    InputFileError
        The first row is damaged.
    """
    layout = predictions.responses.layout
    if predictions.format.form != SAMPLES:
        return Glance(predictions.format, layout)
    row = next(predictions.responses.raw_rows()).read()
    thinking = says_thinking(layout.read(row))
    return Glance(predictions.format, layout, row.data.get("filter"), thinking)


def says_thinking(item: Item) -> bool:
    """Whether the document of a sample log says that its prompt ended inside a thought."""
    return item.document.get("thinking") is True


def question_of(item: Item) -> str | None:
    """Return the text of the question that a row answers, where it is there."""
    asked = item.document.get("ext_question_rephrased")
    return asked if isinstance(asked, str) else None


def stored_name(name: str) -> bytes:
    """Return an id as the store has it; it may hold half of a surrogate pair."""
    return name.encode(errors="surrogatepass")
