"""Which prediction answers which question, found before anything is scored.

The file is read once for this, so that whatever is wrong with it is said at once, and
read again when it is scored.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Final

from ..files.jsonfile import InputFileError, some_of
from ..files.records import TANQ
from .formats import NO_REPLIES, Predictions, Replies
from .glance import SEVERAL, SKIPPED, SOME, Glance, Seen, first_glance
from .pool import Team
from .references import References
from .scorer import Batch


POLICIES: Final = ("error", "zero", "drop")

# What a process looks at, and what it scores, at a time. The longer a prediction, the
# longer it takes, and none shall be at work when all others are done.
_GLANCE: Final = {"rows": 512, "size": 1 << 18}
_BATCH: Final = {"rows": 128, "size": 1 << 16}


@dataclass(frozen=True)
class Plan:
    """What a file of predictions has of each question.

    Parameters
    ----------
    number
        Of the table `plan<number>` of the references' store, which has the places of
        the questions that rows answer, by the numbers of the rows.
    rows
        How many rows the file has.
    predicted
        How many questions have a prediction.
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
    replies
        How many of the texts are of the form of TAT-LLM's replies.
    strange
        How many extracted values can be no answer.
    example
        Where the first of these stands, and what it is.
    """

    number: int
    rows: int
    predicted: int
    missing: array[int]
    extra: tuple[str, ...]
    duplicates: tuple[str, ...]
    thinking: bool = False
    several: int = 0
    replies: Replies = NO_REPLIES
    strange: int = 0
    example: str = ""


def make_plan(references: References, predictions: Predictions, team: Team) -> Plan:
    """Match the rows of a file of predictions with the questions.

    Raises
    ------
    InputFileError
        A row is damaged or of another kind than the file, it is of a question that
        cannot be scored against, none of the rows is of any question, none of the values
        can be an answer, or a sample log is of two runs, one with thoughts opened in the
        prompt and one without.
    """
    glance = first_glance(references.benchmark, predictions)
    making = _Making(references)
    blocks = predictions.responses.blocks(**_GLANCE)
    with closing(team.in_order(glance, blocks)) as looks:
        for seen in looks:
            making.add(seen)
    plan = making.plan(glance)
    _check_some_match(plan, references, predictions)
    if making.strange and making.strange == making.values:
        wanted = "number, list of texts or numbers, or {answer, scale}"
        if references.benchmark == TANQ:
            wanted = "table as text"
        raise InputFileError(
            f"{making.example} is no answer, and nor is any other value of the file: no "
            + wanted
        )
    return plan


class _Making:
    """A plan as far as rows were seen."""

    def __init__(self, references: References) -> None:
        self.references = references
        self.number = references.store.new_number()
        self.rows = self.predicted = self.several = 0
        self.answered = bytearray(len(references))
        self.extra: dict[str, None] = {}
        self.duplicates: dict[str, None] = {}
        self.replies = NO_REPLIES
        self.values = self.strange = 0
        self.example = ""
        references.store.execute(
            f"CREATE TABLE plan{self.number} (row INTEGER PRIMARY KEY, place INTEGER)"
        )

    def add(self, seen: Seen) -> None:
        """Put rows after the others.

        Raises
        ------
        InputFileError
            A row is of a question that cannot be scored against.
        Exception
            What stopped the reading after them.
        """
        taken: list[tuple[int, int]] = []
        places = self.references.find(seen.names, seen.asked)
        numbered = enumerate(
            zip(seen.names, seen.kinds, places, strict=True), self.rows
        )
        for row, (name, kind, place) in numbered:
            if kind == SKIPPED:
                continue
            if place is None:
                text = name.decode(errors="surrogatepass")
                if text in self.references.unusable:
                    raise InputFileError(self.references.unusable[text])
                self.extra[text] = None
            elif self.answered[place]:
                self.duplicates[name.decode()] = None
            elif kind >= SOME:
                self.answered[place] = True
                taken.append((row, place))
                self.several += kind > SOME
        self.rows += len(places)
        self.predicted += len(taken)
        self.references.store.executemany(
            f"INSERT INTO plan{self.number} VALUES (?, ?)", taken
        )
        self.replies += seen.replies
        self.values += sum(kind in (SOME, SEVERAL) for kind in seen.kinds)
        self.strange += seen.strange
        self.example = self.example or seen.example
        if seen.error is not None:
            raise seen.error

    def plan(self, glance: Glance) -> Plan:
        missing = array("q")
        place = self.answered.find(0)
        while place >= 0:
            missing.append(place)
            place = self.answered.find(0, place + 1)
        return Plan(
            self.number,
            self.rows,
            self.predicted,
            missing,
            tuple(self.extra),
            tuple(self.duplicates),
            bool(glance.thinking),
            self.several,
            self.replies,
            self.strange,
            self.example,
        )


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
        ids = some_of(references.names(plan.missing))
        raise InputFileError(
            f"{path}: {len(plan.missing)} of {len(references)} questions have no "
            f"prediction: {ids} (--missing zero scores them 0, --missing drop leaves "
            "them out)"
        )


def batches(
    plan: Plan, references: References, predictions: Predictions, policy: str
) -> Iterator[Batch]:
    """Yield what is to be scored, in the order of the file; what is missing comes last.

    Raises
    ------
    InputFileError
        The file is not what it was.
    """
    row = 0
    for block in predictions.responses.blocks(**_BATCH):
        asked = references.store.execute(
            f"SELECT row - ?, place, name, record FROM plan{plan.number} "
            "JOIN question USING (place) WHERE row >= ? AND row < ? ORDER BY row",
            (row, row, row + len(block)),
        ).fetchall()
        row += len(block)
        if asked:
            yield Batch(block, asked)
    if row != plan.rows:
        path = predictions.responses.file.path
        raise InputFileError(f"{path}: was changed while it was scored")
    if policy == "zero":
        places = iter(plan.missing)
        while some := list(islice(places, _BATCH["rows"])):
            yield Batch(None, [references.stored(place) for place in some])


def _check_some_match(
    plan: Plan, references: References, predictions: Predictions
) -> None:
    if plan.predicted or not plan.extra:
        return
    names = " and ".join(name for name, _ in references.files)
    raise InputFileError(
        f"{predictions.responses.file.path}: none of its {len(plan.extra)} ids is in "
        f"{names}; is it of another split or benchmark? It has {some_of(plan.extra, 3)}, "
        f"the references have {some_of(references.names(), 3)}"
    )
