"""Records of the public data files: their needed fields, and where they stand.

What a file holds is checked here and said in one line; what is not needed may be
missing, null or of another type.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .jsonfile import InputFileError


TANQ: Final = "tanq"
TATQA: Final = "tatqa"
TATDQA: Final = "tatdqa"
FINQA: Final = "finqa"
# How the benchmarks call themselves, by the names that they have in commands.
BENCHMARKS: Final[Mapping[str, str]] = {
    TANQ: "TANQ",
    TATQA: "TAT-QA",
    TATDQA: "TAT-DQA",
    FINQA: "FinQA",
}
QUESTION_TYPES: Final = ("simple", "intersection", "composition")  # of TANQ


@dataclass(frozen=True)
class Place:
    """A record's place in a file, for messages.

    `record` is what `file` calls it ("record 7", "line 7"); `id` is `None` until it is
    known.
    """

    path: Path
    record: str
    id: Any = None

    def fault(self, message: str) -> Exception:
        """Return the error that a message makes; a subclass may have another class."""
        return InputFileError(message)

    def error(self, problem: str) -> Exception:
        """Return an error that names the file, the record and its id."""
        name = "" if self.id is None else f" (id {self.id})"
        return self.fault(f"{self.path}, {self.record}{name}: {problem}")

    def text(
        self, record: Mapping[str, Any], field: str, *, blank: bool = False
    ) -> str:
        """Return a field that must be there and be text, and not blank unless `blank`."""
        value = self.value(record, field)
        if isinstance(value, (list, dict)) or not (blank or as_text(value).strip()):
            raise self.error(f"{field} is {json.dumps(value)[:80]}, which is no text")
        return as_text(value)

    def value(self, record: Mapping[str, Any], field: str) -> Any:
        """Return a field that must be there and not be null."""
        if record.get(field) is None:
            raise self.error(f"no {field}")
        return record[field]


def benchmark_of(record: Mapping[str, Any]) -> str | None:
    """Return the benchmark whose data files have such records, by their fields.

    Examples
    --------
    >>> benchmark_of({"doc": {}, "questions": []})
    'tatdqa'
    """
    if "questions" in record:
        return TATDQA if "doc" in record else TATQA
    if "answer_table" in record:
        return TANQ
    return FINQA if "qa" in record else None


def tat_questions(
    place: Place, context: Mapping[str, Any]
) -> list[tuple[Place, dict[str, Any]]]:
    """Return the questions of a context of TAT-QA or TAT-DQA, each with its place.

    Raises
    ------
    InputFileError
        If there is no list of questions, or one of them is no object or has no uid.
    """
    records = place.value(context, "questions")
    if not isinstance(records, list):
        raise place.error("questions is not a list")
    placed = []
    kind = type(place)
    for number, gold in enumerate(records, 1):
        record = f"{place.record}, question {number}"
        asked = kind(place.path, record, place.id)
        if not isinstance(gold, dict):
            raise asked.error("not a JSON object")
        placed.append((kind(place.path, record, asked.text(gold, "uid")), gold))
    return placed


def check_tat_gold(place: Place, gold: Mapping[str, Any]) -> None:
    """Check that a question of TAT-QA or TAT-DQA has an answer to score against.

    Raises
    ------
    InputFileError
        If a field is missing; for the unlabelled test file, naming the labelled one.
    """
    if "answer" not in gold and "answer_type" not in gold:
        raise place.fault(
            f"{place.path} holds questions without answers; the labelled file of the "
            f"same questions is tatqa_dataset_test_gold.json"
        )
    place.value(gold, "answer")
    place.text(gold, "answer_type")


def check_finqa_gold(place: Place, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `qa` object of a FinQA record that can be scored against.

    Raises
    ------
    InputFileError
        If the record has no table, or its `qa` no program or `exe_ans`.
    """
    gold = place.value(record, "qa")
    if not isinstance(gold, dict):
        raise place.error("qa is not a JSON object")
    if not isinstance(place.value(record, "table"), list):
        raise place.error("table is not a list of rows")
    place.text(gold, "program")
    place.value(gold, "exe_ans")
    return gold


def tanq_question_type(name: str) -> str:
    """Return the type of a question of TANQ, which only its id tells.

    Examples
    --------
    >>> tanq_question_type("384__wikidata_intersection__test")
    'intersection'
    >>> tanq_question_type("959__wikidata_comp__test")
    'composition'
    >>> tanq_question_type("12__wikitables_simple__test")
    'simple'
    """
    middle = "__".join(name.split("__")[1:])
    if "intersection" in middle:
        return "intersection"
    return "composition" if "comp" in middle else "simple"


class RepeatedQuestion(ValueError):
    """A data set holds the same question twice under one id."""


def distinct_ids(questions: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Give each question an id of its own, given its id and its text.

    TANQ's `init_qid` is that of the question that was extended, so several questions
    may share it; the second becomes `…#2`.

    Raises
    ------
    RepeatedQuestion
        If two of them have the same id and the same text.

    Examples
    --------
    >>> list(distinct_ids([("a", "Who?"), ("b", "Who?"), ("a", "When?")]))
    ['a', 'b', 'a#2']
    """
    known: dict[str, set[str]] = {}
    for name, question in questions:
        before = known.setdefault(name, set())
        if question in before:
            raise RepeatedQuestion(f"the record with id {name} occurs twice")
        before.add(question)
        yield twin_id(name, len(before))


def twin_id(name: str, number: int) -> str:
    """Return the id of the first, second, … question that shares one.

    Examples
    --------
    >>> twin_id("a", 1), twin_id("a", 2)
    ('a', 'a#2')
    """
    return name if number == 1 else f"{name}#{number}"


def as_text(value: Any) -> str:
    """Return a JSON value as text: null is empty, a number is as Python writes it.

    A lone surrogate, which no file can hold, becomes a question mark.

    Examples
    --------
    >>> as_text(None), as_text(1977), as_text("1977")
    ('', '1977', '1977')
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if text.isascii():
        return text
    return text.encode(errors="replace").decode()


def as_texts(value: Any) -> list[str]:
    """Return a list of texts from a list, a single value or null; nulls are left out."""
    values = value if isinstance(value, list) else [value]
    return [as_text(item) for item in values if item is not None]


def as_rows(value: Any) -> list[list[str]]:
    """Return the rows of a table, its cells as text; a null cell is empty."""
    rows = value if isinstance(value, list) else []
    return [[as_text(cell) for cell in row] for row in rows if isinstance(row, list)]
