"""The files that a user asks for, and the splits of a benchmark as the harness wants them.

The harness hands a task's `custom_dataset` everything in `--metadata`, beside all model
arguments, and the same to every task of a run. Three keys are meant for the data:

- `data_dir`: a folder that holds files under the names of `sources.py`.
- `data_files`: `{split: path}`, or a path alone for the split that stands as test, or
  `{benchmark: {split: path}}` in a run that mixes several benchmarks. Where a split has
  two files, the path is that of the first, or `{part: path}` names both.
- `split`: the split that stands as test, or `{benchmark: split}`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import datasets

from lm_eval_tasks.data.fetch import data_folder, find_in_folder, locate
from lm_eval_tasks.data.records import Document, name_some
from lm_eval_tasks.data.sources import (
    BENCHMARKS,
    SPLIT_NAMES,
    SPLITS,
    TEST,
    find_source,
)
from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.records import RepeatedQuestion, distinct_ids


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

TEXT: Final = datasets.Value("string")
# A list in brackets stays a list of dicts on every version of `datasets`.
TEXTS: Final = [TEXT]
TABLE: Final = [[TEXT]]

ONE_PART: Final = ("records",)


@dataclass(frozen=True)
class Request:
    """Which files a user wants for one benchmark, and which split stands as test."""

    benchmark: str
    data_dir: Path | None
    files: Mapping[str, Mapping[str, str]]
    test_split: str
    main_part: str

    @classmethod
    def from_metadata(
        cls,
        benchmark: str,
        metadata: Mapping[str, Any],
        *,
        parts: tuple[str, ...] = ONE_PART,
    ) -> Request:
        """Read the three keys of the metadata; all others are another's.

        Parameters
        ----------
        benchmark
            One of `BENCHMARKS`.
        metadata
            As the harness gives it.
        parts
            The names of the files that make up a split.

        Raises
        ------
        DataError
            If one of them is of another form than this module describes.
        """
        split = metadata.get("split")
        if isinstance(split, Mapping):
            split = _of_benchmark("split", split, benchmark)
        test_split = TEST if split is None else _split_name("split", split)
        files = _files(metadata.get("data_files"), benchmark, parts, test_split)
        if split is not None and TEST in files and test_split not in files:
            raise DataError(
                f"split is {split} but data_files names only the test split of "
                f"{benchmark}: give a file for {split}, or leave split out"
            )
        data_dir = metadata.get("data_dir")
        if not isinstance(data_dir, str | os.PathLike | None):
            raise DataError(f"data_dir: {data_dir!r} is no path")
        return cls(benchmark, data_folder(data_dir), files, test_split, parts[0])

    def path(
        self, split: str, *datasets: str, required: bool, part: str | None = None
    ) -> Path | None:
        """Return the file of a split: the user's, the cached or the downloaded one.

        A split that is not required is left empty (`None`) where the user named files
        or a folder without it, or where it cannot be fetched, which is logged. Any of
        the data sets will do; the first is fetched where the user has none of them.

        Raises
        ------
        DataError
            If the user named a file that does not exist, or if a required file is to
            be had nowhere.
        """
        named = self.named(split, part)
        if named is not None:
            return named
        sources = [s for name in datasets if (s := find_source(name, split))]
        if self.data_dir is not None:
            for source in sources:
                found = find_in_folder(source, self.data_dir)
                if found is not None:
                    return found
        if required and not sources:
            raise DataError(
                f"{self.benchmark} has no public {split} split; give your own file "
                f"with data_files, or another split"
            )
        if required:
            return locate(sources[0], data_dir=self.data_dir)
        if not sources or self.files or self.data_dir is not None:
            return None
        try:
            return locate(sources[0])
        except DataError as error:
            _log.warning(
                "%s: no few-shot examples from the %s split: %s",
                self.benchmark,
                split,
                error,
            )
            return None

    def named(self, split: str, part: str | None = None) -> Path | None:
        """Return the file that `data_files` names, if it names one."""
        name = self.files.get(split, {}).get(part or self.main_part)
        if name is None:
            return None
        path = Path(name).expanduser()
        if not path.is_file():
            raise DataError(f"data_files: {path} is not a file")
        return path


class ReadFile(Protocol):
    """Read one file; with `strict`, a record without a needed field is an error."""

    def __call__(self, path: Path, *, strict: bool) -> list[Document]: ...


class Splits(Mapping[str, datasets.Dataset]):
    """The train, validation and test split, each read when it is first asked for.

    All three are always there and have the same features; one that is absent is empty.
    The split that stands as test is empty under its own name, so that no question is
    ever an example for itself.

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
        self._features = features
        self._loaded: dict[str, datasets.Dataset] = {}
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
            self._loaded[name] = to_dataset(self._documents(name), self._features)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(SPLITS)

    def __len__(self) -> int:
        return len(SPLITS)

    def _documents(self, name: str) -> list[Document]:
        if name == TEST:
            documents = self._read(self._request.test_split, True)
            return distinct(documents, self._request.benchmark)
        if name == self._request.test_split:
            return []
        return self._read(name, False)


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


def _split_name(key: str, name: Any) -> str:
    if not isinstance(name, str) or name not in SPLIT_NAMES:
        raise DataError(f"{key}: {name!r} is no split; choose from train, dev, test")
    return SPLIT_NAMES[name]


def _of_benchmark(key: str, value: Mapping[str, Any], benchmark: str) -> Any:
    unknown = [name for name in value if name not in BENCHMARKS]
    if unknown:
        raise DataError(
            f"{key}: {name_some(unknown)} is no benchmark; choose from "
            f"{', '.join(BENCHMARKS)}"
        )
    return value.get(benchmark)


def _files(
    data_files: Any, benchmark: str, parts: tuple[str, ...], test_split: str
) -> dict[str, dict[str, str]]:
    if isinstance(data_files, Mapping) and any(k in BENCHMARKS for k in data_files):
        data_files = _of_benchmark("data_files", data_files, benchmark)
    if data_files is None:
        return {}
    if isinstance(data_files, str | os.PathLike):
        data_files = {test_split: data_files}
    if not isinstance(data_files, Mapping):
        raise DataError(f"data_files: {data_files!r} is neither a path nor an object")
    files = {}
    for name, value in data_files.items():
        if isinstance(value, str | os.PathLike):
            value = {parts[0]: value}
        if not isinstance(value, Mapping) or not all(
            part in parts and isinstance(path, str | os.PathLike)
            for part, path in value.items()
        ):
            raise DataError(
                f"data_files: {name} of {benchmark} must be a path, or paths by name, "
                f"which can be: {', '.join(parts)}"
            )
        files[_split_name("data_files", name)] = {
            part: os.fspath(path) for part, path in value.items()
        }
    return files
