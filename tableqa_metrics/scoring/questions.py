"""The questions of the public data files, as scoring needs them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..files.blocks import Block
from ..files.jsonfile import InputFileError, some_of
from ..files.records import (
    BENCHMARKS,
    FINQA,
    TANQ,
    TATDQA,
    TATQA,
    Place,
    as_rows,
    as_text,
    as_texts,
    benchmark_of,
    check_finqa_gold,
    check_tat_gold,
    tanq_question_type,
    tat_questions,
)
from ..files.rowfile import RowFile
from .breakdowns import (
    UNKNOWN,
    Groups,
    defect_labels,
    size_label,
    steps_label,
)


_AT_ONCE: Final = {"rows": 64, "size": 1 << 18}  # that a process reads
_ALONE: Final = "the one object"  # how messages call a file's only record


@dataclass(frozen=True)
class Question:
    """A question with its reference.

    `gold` has the fields that the scorer needs. `where` is its place, for messages.
    """

    id: str
    text: str
    gold: Mapping[str, Any]
    groups: Groups
    where: str


class Found(NamedTuple):
    """The questions of a block of records, as they go to other processes and to disk.

    `names` are the ids in UTF-8 and `records` what else there is of each question, for
    `of_record`. `group_of` has the place of each question's groups in `groups`, which
    has those of all, each once. `unusable` is that of `References`. `error` is what
    stopped the reading after these.
    """

    names: list[bytes]
    records: list[bytes]
    groups: list[Groups]
    group_of: list[int]
    unusable: dict[str, str]
    error: Exception | None


@dataclass(frozen=True)
class QuestionReader:
    """Reads and checks the records of a benchmark, in any process."""

    benchmark: str

    def __call__(self, block: Block) -> Found:
        """Read a block of records."""
        places: dict[Groups, int] = {}
        found = Found([], [], [], [], {}, None)
        try:
            for question in read_questions(self.benchmark, block, found.unusable):
                found.names.append(question.id.encode())
                record = (question.text, question.where, question.gold)
                found.records.append(json.dumps(record).encode())
                found.group_of.append(places.setdefault(question.groups, len(places)))
        except (InputFileError, RecursionError) as error:
            return found._replace(groups=list(places), error=error)
        return found._replace(groups=list(places))


def of_record(record: bytes) -> tuple[str, str, dict[str, Any]]:
    """Return the text, the place in the file and the gold of a question."""
    text, where, gold = json.loads(record.decode())
    return text, where, gold


def record_blocks(file: RowFile) -> Iterator[Block]:
    """Yield the records of a file in blocks.

    Raises
    ------
    InputFileError
        The file turns out to be damaged.
    """
    if file.members is not None:
        yield Block(str(file.path), "", [1], [dict(file.members)])
    yield from file.blocks(**_AT_ONCE)


def read_questions(
    benchmark: str, block: Block, unusable: dict[str, str]
) -> Iterator[Question]:
    """Yield the questions of records, and note why others cannot be scored against.

    Raises
    ------
    InputFileError
        A record is damaged, is of another benchmark, or is of the unlabelled test file.
    """
    path = Path(block.path)
    for raw in block.rows():
        name = raw.where.removeprefix(f"{block.path}, ") if block.unit else _ALONE
        place = Place(path, name)
        record = raw.read().data
        _check_benchmark(benchmark, place, record)
        if benchmark in (TATQA, TATDQA):
            asked = tat_questions(place, record)
        else:
            own_id = record.get("init_qid" if benchmark == TANQ else "id")
            asked = [(Place(path, place.record, own_id), record)]
        for place_of_one, one in asked:
            own = _RecordPlace(place_of_one.path, place_of_one.record, place_of_one.id)
            try:
                question = _BUILD[benchmark](own, one)
            except _Unusable as error:
                unusable[error.name] = str(error)
            else:
                yield question


def _check_benchmark(benchmark: str, place: Place, record: dict[str, Any]) -> None:
    found = benchmark_of(record)
    if found is None:
        there = some_of(record) or "nothing"
        problem = f"no record of {BENCHMARKS[benchmark]}; its fields are {there}"
        raise place.error(problem)
    if found != benchmark:
        raise place.error(
            f"a record of {BENCHMARKS[found]}, not of {BENCHMARKS[benchmark]}"
        )


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
    return _tat(TATQA, place, gold, (as_text(gold.get("answer_type")), source))


def _tatdqa(place: Place, gold: dict[str, Any]) -> Question:
    return _tat(TATDQA, place, gold, (as_text(gold.get("answer_type")),))


def _tat(
    benchmark: str, place: Place, gold: dict[str, Any], by_type: tuple[str, ...]
) -> Question:
    check_tat_gold(place, gold)
    name = place.text(gold, "uid")
    by_scale = (as_text(gold.get("scale")) or "none",)
    kept = ("uid", "answer", "answer_type", "scale")
    return Question(
        name,
        as_text(gold.get("question")),
        {key: gold[key] for key in kept if key in gold},
        ((by_type,), (by_scale,), _by_defect(benchmark, name)),
        _where(place),
    )


def _finqa(place: Place, record: dict[str, Any]) -> Question:
    from .golds import check_finqa  # loads what the other benchmarks do without

    qa = check_finqa_gold(place, record)
    name = place.text(record, "id")
    gold = {
        "id": name,
        "table": as_rows(record["table"]),
        "qa": {"program": qa["program"], "exe_ans": qa["exe_ans"]},
    }
    try:
        check_finqa(gold)
    except ValueError as error:
        raise _Unusable(f"{_where(place)}: {error}", name) from error
    return Question(
        name,
        as_text(qa.get("question")),
        gold,
        (
            ((steps_label(as_text(qa["program"])),),),
            ((_evidence(qa),),),
            _by_defect(FINQA, name),
        ),
        _where(place),
    )


def _evidence(qa: Mapping[str, Any]) -> str:
    """Return what the gold evidence is, from the names under which FinQA lists it."""
    listed = qa.get("gold_inds")
    names = listed if isinstance(listed, (dict, list)) else ()
    kinds = {name.split("_")[0] for name in names if isinstance(name, str)}
    return "-".join(kind for kind in ("table", "text") if kind in kinds) or UNKNOWN


def _tanq(place: Place, record: dict[str, Any]) -> Question:
    name = place.text(record, "init_qid")
    table = place.text(record, "answer_table")
    kind = tanq_question_type(name)
    skills = dict.fromkeys(as_texts(record.get("extended_types")))
    return Question(
        name,
        as_text(record.get("ext_question_rephrased")),
        {"answer_table": table, "question_type": kind},
        (
            ((kind,),),
            tuple((skill,) for skill in skills) or ((UNKNOWN,),),
            ((size_label(table),),),
            _by_defect(TANQ, name),
        ),
        _where(place),
    )


def _by_defect(benchmark: str, name: str) -> tuple[tuple[str], ...]:
    return tuple((kind,) for kind in defect_labels(benchmark, name))


def _where(place: Place) -> str:
    return f"{place.path}, {place.record}"


_BUILD: Final[Mapping[str, Callable[[Place, dict[str, Any]], Question]]] = {
    TANQ: _tanq,
    TATQA: _tatqa,
    TATDQA: _tatdqa,
    FINQA: _finqa,
}
