"""The questions of the public data files, as scoring needs them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ..finqa_program import step_texts, tokenize_program
from ..jsonfile import InputFileError, some_of
from ..records import (
    BENCHMARKS,
    FINQA,
    TANQ,
    TATDQA,
    TATQA,
    Place,
    RepeatedQuestion,
    as_rows,
    as_text,
    as_texts,
    benchmark_of,
    check_finqa_gold,
    check_tat_gold,
    distinct_ids,
    tanq_question_type,
    tat_questions,
)
from ..rowfile import RowFile
from ..table import parse_serialized
from .breakdowns import (
    LARGEST,
    SIZES,
    STEPS,
    UNKNOWN,
    Groups,
)


@dataclass(frozen=True)
class Question:
    """A question with its reference.

    `gold` is JSON, since it is compact and goes to other processes: the fields that the
    scorer needs. `where` is its place, for messages.
    """

    id: str
    text: str
    gold: str
    groups: Groups
    where: str


@dataclass(frozen=True)
class References:
    """All questions of the files of references.

    Parameters
    ----------
    benchmark
        Whose they are.
    questions
        In the order of the files.
    index
        Their places in that order, by id.
    unusable
        Why a record cannot be scored against, by its id, or by its place where it has
        no id.
    files
        Name and SHA-256 of each file.
    """

    benchmark: str
    questions: Sequence[Question]
    index: Mapping[str, int]
    unusable: Mapping[str, str]
    files: Sequence[tuple[str, str]]

    @property
    def upper(self) -> float:
        """The best score there is, in the units of the harness's tasks."""
        return 100.0 if self.benchmark == TANQ else 1.0

    def find(self, name: str, asked: str | None = None) -> int | None:
        """Return the place of a question, given its id, or `None`.

        Where several questions share an id (see `distinct_ids`), `asked`, the text of
        the question, tells them apart.
        """
        place = self.index.get(name)
        if place is None or asked is None or self.questions[place].text == asked:
            return place
        number = 2
        while (other := self.index.get(f"{name}#{number}")) is not None:
            if self.questions[other].text == asked:
                return other
            number += 1
        return place


def read_references(benchmark: str, paths: Iterable[str | Path]) -> References:
    """Read files of references.

    Raises
    ------
    InputFileError
        A file cannot be read, holds records of another benchmark, the unlabelled test
        questions or no usable record, or a question stands there twice. What else is
        wrong with a single record is told by `unusable`.
    """
    questions: list[Question] = []
    unusable: dict[str, str] = {}
    files = []
    for path in paths:
        file = RowFile(path)
        files.append((str(path), file.sha256))
        found = list(_questions(benchmark, file, unusable))
        if not found and not unusable:
            raise InputFileError(f"{path}: holds no question")
        questions.extend(found)
    try:
        ids = list(distinct_ids((each.id, each.text) for each in questions))
    except RepeatedQuestion as error:
        raise InputFileError(
            f"{', '.join(name for name, _ in files)}: {error}"
        ) from error
    questions = [
        each if each.id == name else replace(each, id=name)
        for each, name in zip(questions, ids, strict=True)
    ]
    if not questions:
        raise InputFileError(next(iter(unusable.values())))
    index = {name: place for place, name in enumerate(ids)}
    return References(benchmark, questions, index, unusable, files)


def _questions(
    benchmark: str, file: RowFile, unusable: dict[str, str]
) -> Iterator[Question]:
    shared: dict[Groups, Groups] = {}  # many questions are in the same groups
    for place, record in _records(file):
        _check_benchmark(benchmark, place, record)
        if benchmark in (TATQA, TATDQA):
            asked = tat_questions(place, record)
        else:
            name = record.get("init_qid" if benchmark == TANQ else "id")
            asked = [(replace(place, id=name), record)]
        for place_of_one, one in asked:
            own = _RecordPlace(place_of_one.path, place_of_one.record, place_of_one.id)
            try:
                question = _BUILD[benchmark](own, one)
            except _Unusable as error:
                unusable[error.name] = str(error)
            else:
                groups = shared.setdefault(question.groups, question.groups)
                yield replace(question, groups=groups)


def _check_benchmark(benchmark: str, place: Place, record: dict[str, Any]) -> None:
    found = benchmark_of(record)
    if found is None:
        there = some_of(record, 20) or "nothing"
        problem = f"no record of {BENCHMARKS[benchmark]}; its fields are {there}"
        raise place.error(problem)
    if found != benchmark:
        raise place.error(
            f"a record of {BENCHMARKS[found]}, not of {BENCHMARKS[benchmark]}"
        )


def _records(file: RowFile) -> Iterator[tuple[Place, dict[str, Any]]]:
    if file.members is not None:
        yield Place(file.path, "the one object"), dict(file.members)
    for raw in file.rows():
        record = raw.where.removeprefix(f"{file.path}, ")
        yield Place(file.path, record), raw.read().data


class _Unusable(InputFileError):
    """A record cannot be scored against."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


@dataclass(frozen=True)
class _RecordPlace(Place):
    """A place whose errors concern its record alone."""

    def error(self, problem: str) -> Exception:
        name = self.record if self.id is None else as_text(self.id)
        return _Unusable(str(super().error(problem)), name)


def _tatqa(place: Place, gold: dict[str, Any]) -> Question:
    source = as_text(gold.get("answer_from")) or UNKNOWN
    return _tat(place, gold, (as_text(gold.get("answer_type")), source))


def _tatdqa(place: Place, gold: dict[str, Any]) -> Question:
    return _tat(place, gold, (as_text(gold.get("answer_type")),))


def _tat(place: Place, gold: dict[str, Any], by_type: tuple[str, ...]) -> Question:
    check_tat_gold(place, gold)
    kept = ("uid", "answer", "answer_type", "scale")
    return Question(
        place.text(gold, "uid"),
        as_text(gold.get("question")),
        json.dumps({key: gold[key] for key in kept if key in gold}),
        ((by_type,), ((as_text(gold.get("scale")) or "none",),)),
        _where(place),
    )


def _finqa(place: Place, record: dict[str, Any]) -> Question:
    qa = check_finqa_gold(place, record)
    name = place.text(record, "id")
    steps = len(step_texts(tokenize_program(qa["program"])) or ())
    gold = {
        "id": name,
        "table": as_rows(record["table"]),
        "qa": {"program": qa["program"], "exe_ans": qa["exe_ans"]},
    }
    counted = STEPS[min(max(steps, 1), len(STEPS)) - 1]
    return Question(
        name,
        as_text(qa.get("question")),
        json.dumps(gold),
        (((counted,),), ((_evidence(qa),),)),
        _where(place),
    )


def _evidence(qa: Mapping[str, Any]) -> str:
    """Return what the gold evidence is, from the names under which FinQA lists it."""
    listed = qa.get("gold_inds")
    kinds = {name.split("_")[0] for name in listed or ()}
    return "-".join(kind for kind in ("table", "text") if kind in kinds) or UNKNOWN


def _tanq(place: Place, record: dict[str, Any]) -> Question:
    name = place.text(record, "init_qid")
    table = place.text(record, "answer_table", blank=True)
    kind = tanq_question_type(name)
    cells = sum(map(len, parse_serialized(table).rows))
    size = next((label for most, label in SIZES if cells <= most), LARGEST)
    skills = dict.fromkeys(as_texts(record.get("extended_types")))
    return Question(
        name,
        as_text(record.get("ext_question_rephrased")),
        json.dumps({"answer_table": table, "question_type": kind}),
        (((kind,),), tuple((skill,) for skill in skills) or ((UNKNOWN,),), ((size,),)),
        _where(place),
    )


def _where(place: Place) -> str:
    return f"{place.path}, {place.record}"


_BUILD: Final[Mapping[str, Callable[[Place, dict[str, Any]], Question]]] = {
    TANQ: _tanq,
    TATQA: _tatqa,
    TATDQA: _tatdqa,
    FINQA: _finqa,
}
