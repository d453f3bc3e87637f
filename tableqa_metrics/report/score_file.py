"""Runs from what `tableqa score --output` wrote.

Such a file has scores and extracted answers. Questions, contexts and responses stand in
the files that were scored, which it names with their hashes: they are read from there if
they are still what they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..files.jsonfile import InputFileError, brief
from ..files.records import BENCHMARKS, as_text
from ..files.rowfile import RowFile
from ..scoring.formats import open_predictions
from .documents import Document, read_documents
from .runs import Run, Sample, read_score


_ALSO: Final = (
    "id",
    "prediction",
    "rule",
    "reason",
)  # of a sample; the rest are scores


@dataclass(frozen=True)
class Named:
    """A file that was scored or scored against."""

    name: str
    sha256: str


class Lookup:
    """Finds the files that were scored, and remembers what they hold.

    Parameters
    ----------
    references
        Files to look into before those that a file of scores names.

    Attributes
    ----------
    lacking
        What could not be found, a line each.
    """

    def __init__(self, references: Iterable[Path] = ()) -> None:
        self._given = [RowFile(path) for path in references]
        self._used: set[Path] = set()
        self._read: dict[str, dict[str, Document]] = {}
        self.lacking: dict[str, None] = {}

    def documents(self, beside: Path, files: Sequence[Named]) -> dict[str, Document]:
        """Return the questions of the files of references, by id.

        Raises
        ------
        InputFileError
            One of the given files cannot be read.
        """
        found: dict[str, Document] = {}
        for named in files:
            file = self._find(beside, named)
            if file is not None:
                if named.sha256 not in self._read:
                    self._read[named.sha256] = read_documents(file)
                found |= self._read[named.sha256]
        return found

    def responses(
        self, benchmark: str, beside: Path, named: Named, options: Mapping[str, Any]
    ) -> dict[str, str]:
        """Return the responses of a file of predictions, by id, read with its options."""
        file = self._find(beside, named)
        if file is None:
            return {}
        try:
            opened = open_predictions(
                benchmark,
                file.path,
                name=options["format"],
                id_key=options.get("id_key"),
                prediction_key=options.get("prediction_key"),
            )
            items = [item for _, item in opened.responses]
        except InputFileError:
            # Read with keys that an older version did not note.
            self.lacking[f"{file.path}: the responses are under keys of its own"] = None
            return {}
        found: dict[str, str] = {}
        for item in items:
            if item.values is not None and isinstance(item.values[0], str):
                found.setdefault(item.id, item.values[0])
        return found

    def check_all_used(self) -> None:
        """Check that each of the given files is one that some scores were made with.

        Raises
        ------
        InputFileError
            One is not.
        """
        for file in self._given:
            if file.path not in self._used:
                raise InputFileError(
                    f"{file.path}: no scores that are shown were made with this file: "
                    "its SHA-256 is of none of their references"
                )

    def _find(self, beside: Path, named: Named) -> RowFile | None:
        for file in self._given:
            if file.sha256 == named.sha256:
                self._used.add(file.path)
                return file
        name = Path(named.name)
        for path in (name, beside.parent / name, beside.parent / name.name):
            if path.is_file():
                file = RowFile(path)
                if file.sha256 == named.sha256:
                    return file
        self.lacking[f"{named.name} is not found, or is not what was scored"] = None
        return None


def is_score_file(file: RowFile) -> bool:
    """Say whether a file is one of scores, by its keys."""
    keys = {key for key, _ in file.members or ()}
    return "benchmark" in keys and ("samples" in keys or "runs" in keys)


def runs_of_scores(file: RowFile, lookup: Lookup) -> list[Run]:
    """Make the runs of a file of scores.

    Raises
    ------
    InputFileError
        The file is damaged.
    """
    content = dict(file.members or ())
    parts = content.get("runs", [content])
    if not isinstance(parts, list) or not parts:
        raise InputFileError(f"{file.path}: its runs are {brief(parts)}")
    return [_run(file, part, lookup) for part in parts]


def _run(file: RowFile, content: Any, lookup: Lookup) -> Run:
    path = file.path
    try:
        benchmark = content["benchmark"]
        if benchmark not in BENCHMARKS:
            raise ValueError(f"unknown benchmark {brief(benchmark)}")
        files = content["files"]
        golds = [_named(each) for each in files if each["role"] == "references"]
        scored = next(each for each in files if each["role"] == "predictions")
        signature = as_text(content["signature"])
        settings = dict(part.partition(":")[::2] for part in signature.split("|"))
        documents = lookup.documents(path, golds)
        responses: Mapping[str, str] = {}
        if scored["input"] == "raw":
            # Files of an older version have the format alone.
            options = content.get("options") or {"format": scored["format"]}
            responses = lookup.responses(benchmark, path, _named(scored), options)
        return Run(
            model=as_text(scored.get("model")) or Path(scored["name"]).stem,
            task=settings.get("task", benchmark),
            scored_as=settings.get("task", ""),
            benchmark=benchmark,
            metrics=tuple(map(as_text, content["metrics"])),
            samples=tuple(
                _sample(each, documents, responses) for each in content["samples"]
            ),
            path=path,
            sha256=file.sha256,
            facts={
                "predictions": f"{Path(scored['name']).name}, read as {scored['format']}",
                "without a prediction": f"{len(content['missing'])} (missing: "
                f"{settings.get('missing')})",
                "signature": signature,
            },
        )
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        if isinstance(error, InputFileError):
            raise
        raise InputFileError(
            f"{path}: is not what tableqa score --output writes: {error!r}"
        ) from error


def _named(each: Mapping[str, Any]) -> Named:
    return Named(as_text(each["name"]), as_text(each["sha256"]))


def _sample(
    each: Mapping[str, Any],
    documents: Mapping[str, Document],
    responses: Mapping[str, str],
) -> Sample:
    name = as_text(each["id"])
    return Sample(
        id=name,
        doc=documents.get(name),
        response=responses.get(name),
        scores={
            as_text(key): read_score(f"question {name}", key, value)
            for key, value in each.items()
            if key not in _ALSO
        },
        prediction=each["prediction"],
        rule=_word(each["rule"]),
        reason=_word(each["reason"]),
    )


def _word(value: object) -> str | None:
    return None if value is None else as_text(value)
