"""Which prediction answers which question, found before anything is scored.

The file is read once for this, so that whatever is wrong with it is said at once, and
read again when it is scored.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..files.jsonfile import InputFileError, some_of
from ..files.response_rows import SAMPLES, Item
from ..files.rowfile import RawRow
from .formats import Predictions
from .references import References
from .scorer import Job


POLICIES: Final = ("error", "zero", "drop")

_SKIPPED: Final = -1


@dataclass(frozen=True)
class Plan:
    """What a file of predictions has of each question.

    Parameters
    ----------
    places
        For each row, the place of its question among the references; -1 where the row
        is not scored.
    missing
        The places of the questions without a prediction. A response that is null is
        none.
    extra
        Ids that are of no question.
    duplicates
        Ids that stand there more than once; the first prediction is scored.
    thinking
        Whether the documents of a sample log say that the prompts ended inside a thought.
    several
        How many questions have several responses, of which the first is scored: a sample
        log of a task with `repeats`, a batch that asked for more than one choice.
    """

    places: array[int]
    missing: tuple[int, ...]
    extra: tuple[str, ...]
    duplicates: tuple[str, ...]
    thinking: bool = False
    several: int = 0

    @property
    def predicted(self) -> int:
        """How many questions have a prediction."""
        return sum(place != _SKIPPED for place in self.places)


def make_plan(references: References, predictions: Predictions) -> Plan:
    """Match the rows of a file of predictions with the questions.

    Raises
    ------
    InputFileError
        A row is damaged or of another kind than the file, it is of a question that
        cannot be scored against, none of the rows is of any question, or a sample log
        is of two runs, one with thoughts opened in the prompt and one without.
    """
    places = array("q")
    seen = bytearray(len(references))
    extra: dict[str, None] = {}
    duplicates: dict[str, None] = {}
    sample_filter: object = None
    thinking: bool | None = None
    several = 0
    for raw in predictions.responses.raw_rows():
        row = raw.read()
        item = predictions.responses.layout.read(row)
        places.append(_SKIPPED)
        if predictions.format.form == SAMPLES:
            # A log holds each response once for each filter of its task.
            if len(places) == 1:
                sample_filter = row.data.get("filter")
            elif row.data.get("filter") != sample_filter:
                continue
            said = item.document.get("thinking") is True
            if thinking not in (None, said):
                raise InputFileError(
                    f"{raw.where}: its document says thinking {str(said).lower()}, and "
                    "those before it say another; score the logs of two runs one by one"
                )
            thinking = said
        if item.values is not None:
            predictions.check(raw.where, item.values[0])
        place = references.find(item.id, question_of(item))
        if place is None:
            if item.id in references.unusable:
                raise InputFileError(references.unusable[item.id])
            extra[item.id] = None
        elif seen[place]:
            duplicates[item.id] = None
        elif item.values is not None:
            seen[place] = True
            places[-1] = place
            several += len(item.values) > 1
    plan = Plan(
        places,
        tuple(place for place, found in enumerate(seen) if not found),
        tuple(extra),
        tuple(duplicates),
        bool(thinking),
        several,
    )
    _check_some_match(plan, references, predictions)
    return plan


def check_missing(
    plan: Plan, references: References, predictions: Predictions, policy: str
) -> None:
    """Check that what is missing may be missing.

    Raises
    ------
    InputFileError
        It may not.
    """
    path = predictions.responses.file.path
    if policy != "drop" and references.unusable:
        raise InputFileError(next(iter(references.unusable.values())))
    if policy == "error" and plan.missing:
        ids = some_of(references.ids[place] for place in plan.missing)
        raise InputFileError(
            f"{path}: {len(plan.missing)} of {len(references)} questions have no "
            f"prediction: {ids} (--missing zero scores them 0, --missing drop leaves "
            "them out)"
        )


def jobs(
    plan: Plan, references: References, predictions: Predictions, policy: str
) -> Iterator[Job]:
    """Yield what is to be scored, in the order of the file; what is missing comes last."""
    rows = predictions.responses.raw_rows()
    for raw, place in zip(rows, plan.places, strict=True):
        if place != _SKIPPED:
            yield _job(references, place, raw)
    if policy == "zero":
        for place in plan.missing:
            yield _job(references, place, None)


def _job(references: References, place: int, row: RawRow | None) -> Job:
    question = references.question(place)
    return Job(question.id, place, question.where, question.gold, row)


def question_of(item: Item) -> str | None:
    asked = item.document.get("ext_question_rephrased")
    return asked if isinstance(asked, str) else None


def _check_some_match(
    plan: Plan, references: References, predictions: Predictions
) -> None:
    if len(plan.missing) < len(references) or not plan.extra:
        return
    names = " and ".join(name for name, _ in references.files)
    raise InputFileError(
        f"{predictions.responses.file.path}: none of its {len(plan.extra)} ids is in "
        f"{names}; is it of another split or benchmark? It has {some_of(plan.extra, 3)}, "
        f"the references have {some_of(references.ids, 3)}"
    )
