"""What must be known of each row of predictions before anything is scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from ..files.blocks import Block
from ..files.jsonfile import InputFileError, Row, brief
from ..files.layout import OBJECT, SAMPLES, TATQA_PAIRS, Item, Layout, form_of
from ..files.records import TANQ
from ..files.values import is_understood
from .formats import (
    NO_REPLIES,
    Format,
    Predictions,
    Replies,
    count_replies,
    is_whole_response,
)


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
    `replies` counts the texts, `strange` the values that can be no answer, and `example`
    is the first of them, with its place.
    """

    names: list[bytes]
    kinds: bytearray
    asked: dict[int, str]
    error: Exception | None
    replies: Replies
    strange: int
    example: str


@dataclass(frozen=True)
class Glance:
    """Looks at rows, in any process.

    `filter` and `thinking` are those of the first row of a sample log, which the others
    are held against.
    """

    benchmark: str
    format: Format
    named: bool
    layout: Layout
    filter: Any = None
    thinking: bool | None = None

    def __call__(self, block: Block) -> Seen:
        """Look at a block of rows."""
        names: list[bytes] = []
        kinds = bytearray()
        asked: dict[int, str] = {}
        texts: list[str] = []
        strange, example = 0, ""
        stopped: Exception | None = None
        try:
            for raw in block.rows():
                item, kind = self.look(raw.read())
                value = item.values[0] if item.values else ""
                if isinstance(value, str):
                    texts.append(value)
                elif kind != SKIPPED and not self._is_understood(value):
                    strange += 1
                    place = self.layout.place(raw.where, item)
                    example = example or f"{place}: {brief(value)}"
                text = question_of(item)
                if text is not None:
                    asked[len(names)] = text
                names.append(stored_name(item.id))
                kinds.append(kind)
        except (InputFileError, RecursionError) as error:
            stopped = error
        replies = NO_REPLIES
        if self._may_be_replies:
            replies = count_replies(self.benchmark, filter(None, texts))
        return Seen(names, kinds, asked, stopped, replies, strange, example)

    @property
    def _may_be_replies(self) -> bool:
        """Whether texts may be replies of TAT-LLM."""
        if self.format.name == "tatllm":
            return True
        return (
            self.format.name == "responses"
            and not self.named
            and self.benchmark != TANQ
        )

    def look(self, row: Row) -> tuple[Item, int]:
        """Return what a row holds, and its kind.

        Raises
        ------
        InputFileError
            It is damaged, or of another kind than the rows before it.
        """
        try:
            item = self.layout.read(row)
        except InputFileError as error:
            raise InputFileError(self._of_two_forms(row) or str(error)) from error
        if self.format.form == SAMPLES:
            if row.data.get("filter") != self.filter:
                return item, SKIPPED
            said = says_thinking(item)
            if said != self.thinking:
                raise InputFileError(
                    f"{row.where}: its document says thinking {str(said).lower()}, and "
                    "those before it say another; score the logs of two runs one by one"
                )
        if item.values is None:
            return item, NULL
        place, value = self.layout.place(row.where, item), item.values[0]
        self._check_extracted(place, value)
        self.format.check(
            place,
            value,
            first=self.layout.first,
            named=self.named,
        )
        return item, SEVERAL if len(item.values) > 1 else SOME

    def _is_understood(self, value: Any) -> bool:
        """Whether a value can be an answer; of TANQ only a text can."""
        return self.benchmark != TANQ and is_understood(value)

    def _check_extracted(self, place: str, value: Any) -> None:
        """Check that what was extracted holds no whole response.

        Such a response may stand beside a scale that somebody extracted, or in a list of
        several.
        """
        if self.format.name != "predictions" or self.named or isinstance(value, str):
            return
        if isinstance(value, dict):
            value = value.get("answer")
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            if isinstance(part, str) and is_whole_response(part):
                raise InputFileError(
                    f"{place}: {brief(part)} is a whole response, and stands where an "
                    "extracted answer is: in a list, in an object or beside a scale "
                    "(a response is a text of its own; --format responses searches that "
                    "of each row, --format predictions takes all as they are)"
                )

    def _of_two_forms(self, row: Row) -> str | None:
        """Say of a row that cannot be read that it has another form, if it has."""
        form = form_of(row.data)
        own = self.layout.form
        if self.named or own in (OBJECT, TATQA_PAIRS) or form in (None, own):
            return None
        return (
            f"{row.where}: is a row of form {form}, and {self.layout.first} is one of "
            f"form {own}; a file of two forms cannot be scored"
        )


def first_glance(benchmark: str, predictions: Predictions) -> Glance:
    """Return what looks at the rows of a file.

    Raises
    ------
    InputFileError
        The first row is damaged.
    """
    layout = predictions.responses.layout
    glance = Glance(benchmark, predictions.format, predictions.named, layout)
    if predictions.format.form != SAMPLES:
        return glance
    row = next(predictions.responses.raw_rows()).read()
    thinking = says_thinking(layout.read(row))
    return replace(glance, filter=row.data.get("filter"), thinking=thinking)


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
