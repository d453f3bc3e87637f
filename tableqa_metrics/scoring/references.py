"""The questions of all files of references, their gold on disk.

In memory is what finds a question; what a scorer needs of it is written to a temporary
file once it is more than a few megabytes, so that a million questions need a few hundred.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Final

from ..files.jsonfile import InputFileError
from ..files.records import TANQ, twin_id
from ..files.rowfile import RowFile
from .breakdowns import Groups
from .questions import Question, read_questions


_IN_MEMORY: Final = 1 << 24  # bytes of gold that need no file


class References:
    """All questions of the files of references, by their places in that order.

    Attributes
    ----------
    benchmark
        Whose they are.
    ids
        Of each question. Where several share one, the later ones have it with a number;
        see `tableqa_metrics.records.distinct_ids`.
    groups
        Of each question.
    unusable
        Why a record cannot be scored against, by its id, or by its place in the file
        where it has no id.
    files
        Name and SHA-256 of each file.
    """

    def __init__(self, benchmark: str) -> None:
        self.benchmark = benchmark
        self.ids: list[str] = []
        self.groups: list[Groups] = []
        self.unusable: dict[str, str] = {}
        self.files: list[tuple[str, str]] = []
        self._index: dict[str, int] = {}
        self._texts_of_twins: dict[str, list[str]] = {}
        self._shared_groups: dict[Groups, Groups] = {}
        self._starts = array("q")
        self._golds = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - kept open

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def upper(self) -> float:
        """The best score there is, in the units of the harness's tasks."""
        return 100.0 if self.benchmark == TANQ else 1.0

    def add(self, question: Question) -> None:
        """Put a question after the others.

        Raises
        ------
        InputFileError
            It is there already.
        """
        name = question.id
        if name in self._index:
            first = [self.question(self._index[name]).text]
            texts = self._texts_of_twins.setdefault(name, first)
            if question.text in texts:
                raise InputFileError(
                    f"{question.where}: the question with id {name} is there twice"
                )
            texts.append(question.text)
            name = twin_id(name, len(texts))
        self._index[name] = len(self.ids)
        self.ids.append(name)
        # Many questions are in the same groups.
        self.groups.append(
            self._shared_groups.setdefault(question.groups, question.groups)
        )
        self._starts.append(self._golds.seek(0, 2))
        line = json.dumps((question.text, question.gold, question.where))
        self._golds.write(line.encode() + b"\n")

    def question(self, place: int) -> Question:
        """Return the question at a place."""
        self._golds.seek(self._starts[place])
        text, gold, where = json.loads(self._golds.readline())
        return Question(self.ids[place], text, gold, self.groups[place], where)

    def find(self, name: str, asked: str | None = None) -> int | None:
        """Return the place of a question, given its id, or `None`.

        Where several questions share the id, `asked`, the text of the question, tells
        them apart.
        """
        texts = self._texts_of_twins.get(name)
        if texts is not None and asked is not None and asked in texts:
            name = twin_id(name, texts.index(asked) + 1)
        return self._index.get(name)


def read_references(benchmark: str, paths: Iterable[str | Path]) -> References:
    """Read files of references.

    Raises
    ------
    InputFileError
        A file cannot be read, holds records of another benchmark, the unlabelled test
        questions or no usable record, or a question stands there twice. What else is
        wrong with a single record is told by `unusable`.
    """
    references = References(benchmark)
    for path in paths:
        file = RowFile(path)
        before = len(references)
        for question in read_questions(benchmark, file, references.unusable):
            references.add(question)
        if len(references) == before:
            problems = list(references.unusable.values())
            raise InputFileError(problems[-1] if problems else f"{path}: no question")
        references.files.append((str(path), file.sha256))
    return references
