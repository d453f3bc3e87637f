"""The splits of a benchmark as the harness wants them.

Which files they are read from is in `request.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import datasets

from lm_eval_tasks.data.records import Document, name_some
from lm_eval_tasks.data.request import Request
from lm_eval_tasks.data.sources import SPLITS, TEST
from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.records import RepeatedQuestion, distinct_ids


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

TEXT: Final = datasets.Value("string")
# A list in brackets stays a list of dicts on every version of `datasets`.
TEXTS: Final = [TEXT]
TABLE: Final = [[TEXT]]

# A field that documents have, true, where the prompt ends inside a thought, and else
# not, so that those of ordinary runs, and the harness's hashes of them, stay the same.
THINKING: Final = "thinking"


class ReadFile(Protocol):
    """Read one file; with `strict`, a record without a needed field is an error."""

    def __call__(self, path: Path, *, strict: bool) -> list[Document]: ...


class Splits(Mapping[str, datasets.Dataset]):
    """The train, validation and test split, each read when it is first asked for.

    All three are always there and have the same features; one that is absent is empty.
    So that no question is ever an example for itself, the split that stands as test is
    empty under its own name, and what another one has of its questions is left out.

    Parameters
    ----------
    request
        Which split stands as test. It is read at once, so that a run without data stops
        before it loads a model.
    read
        Called with a split and whether it stands as test; returns its documents.
    features
        Of each document.

    Raises
    ------
    DataError
        If the split that stands as test cannot be read or holds no record.
    """

    def __init__(
        self,
        request: Request,
        read: Callable[[str, bool], list[Document]],
        features: datasets.Features,
    ) -> None:
        self._request = request
        self._read = read
        if request.thinking:
            flag = datasets.Value("bool")
            features = datasets.Features({**features, THINKING: flag})
        self._features = features
        self._loaded: dict[str, datasets.Dataset] = {}
        self._tested: set[tuple[str, str]] = set()  # ids and texts
        if not len(self[TEST]):
            raise DataError(
                f"{request.benchmark}: the {request.test_split} split holds no record"
            )

    @classmethod
    def of_files(
        cls,
        benchmark: str,
        metadata: Mapping[str, Any],
        read_file: ReadFile,
        features: datasets.Features,
    ) -> Splits:
        """Return the splits of a benchmark that has one file a split."""
        request = Request.from_metadata(benchmark, metadata)

        def read(split: str, required: bool) -> list[Document]:
            path = request.path(split, benchmark, required=required)
            return [] if path is None else read_file(path, strict=required)

        return cls(request, read, features)

    def __getitem__(self, name: str) -> datasets.Dataset:
        if name not in SPLITS:
            raise KeyError(name)
        if name not in self._loaded:
            documents = self._documents(name)
            if self._request.thinking:
                documents = [{**document, THINKING: True} for document in documents]
            self._loaded[name] = to_dataset(documents, self._features)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(SPLITS)

    def __len__(self) -> int:
        return len(SPLITS)

    def _documents(self, name: str) -> list[Document]:
        if name == TEST:
            try:
                documents = self._read(self._request.test_split, True)
            except DataError as error:
                if said := self._request.of_another_benchmark():
                    raise DataError(f"{said} ({error})") from error
                raise
            self._tested = {(d["id"], d["question"]) for d in documents}
            return distinct(documents, self._request.benchmark)
        if name == self._request.test_split:
            return []
        documents = self._read(name, False)
        others = [d for d in documents if (d["id"], d["question"]) not in self._tested]
        if len(others) < len(documents):
            _log.warning(
                "%s: left out %d of %d questions of the %s split, which are tested "
                "themselves: no prompt may show its own answer",
                self._request.benchmark,
                len(documents) - len(others),
                len(documents),
                name,
            )
        return others


def to_dataset(
    documents: list[Document], features: datasets.Features
) -> datasets.Dataset:
    """Build a data set with exactly these features, also from no document."""
    columns = {name: [document[name] for document in documents] for name in features}
    return datasets.Dataset.from_dict(columns, features=features)


def distinct(documents: list[Document], benchmark: str) -> list[Document]:
    """Give each document an id of its own; see `tableqa_metrics.files.records.distinct_ids`.

    Raises
    ------
    DataError
        If two documents share id and question.
    """
    asked = ((document["id"], document["question"]) for document in documents)
    try:
        ids = list(distinct_ids(asked))
    except RepeatedQuestion as error:
        raise DataError(f"{benchmark}: {error}") from error
    result = [
        document if document["id"] == name else {**document, "id": name}
        for document, name in zip(documents, ids, strict=True)
    ]
    renamed = [
        name
        for document, name in zip(documents, ids, strict=True)
        if document["id"] != name
    ]
    if renamed:
        _log.warning(
            "%s: %d ids belong to several questions; the later ones are now %s",
            benchmark,
            len(renamed),
            name_some(renamed),
        )
    return result
