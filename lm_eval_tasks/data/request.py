"""The files that a user asks for, of one benchmark.

What a user can ask for with `--metadata` is in `metadata.py`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lm_eval_tasks.data import metadata as given
from lm_eval_tasks.data.fetch import data_folder, find_in_folder, locate
from lm_eval_tasks.data.sources import SPLIT_NAMES, TEST, find_source
from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.files.records import BENCHMARKS as NAMES, benchmark_of
from tableqa_metrics.files.rowfile import RowFile


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

ONE_PART: Final = ("records",)
_PROMPTS: Final = "tatllm_…"  # a file of prompts does not say of which of these tasks


@dataclass(frozen=True)
class Request:
    """Which files a user wants for one benchmark, and which split stands as test."""

    benchmark: str
    data_dir: Path | None
    files: Mapping[str, Mapping[str, str]]
    test_split: str
    main_part: str
    thinking: bool = False
    has_files: bool = False  # `data_files` is given, for this benchmark or another
    keyed: bool = False  # and keyed by benchmark

    @classmethod
    def from_metadata(
        cls,
        benchmark: str,
        metadata: Mapping[str, Any],
        *,
        parts: tuple[str, ...] = ONE_PART,
    ) -> Request:
        """Read the keys of the metadata that are meant for the data.

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
            If one of them is of another form than `metadata.py` describes.
        """
        given.warn_of_slips(metadata)
        split = given.test_split(metadata, benchmark)
        test_split = TEST if split is None else SPLIT_NAMES[split]
        data_files = metadata.get("data_files")
        files = given.files_by_split(data_files, benchmark, parts, test_split)
        if split is not None and TEST in files and test_split not in files:
            raise DataError(
                f"split is {split} but data_files names only the test split of "
                f"{benchmark}: give a file for {split}, or leave split out"
            )
        data_dir = metadata.get("data_dir")
        if not isinstance(data_dir, str | os.PathLike | None):
            raise DataError(f"data_dir: {data_dir!r} is no path")
        return cls(
            benchmark,
            data_folder(data_dir),
            files,
            test_split,
            parts[0],
            given.thinking(metadata),
            data_files is not None,
            given.is_keyed(data_files),
        )

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
            try:
                return locate(sources[0], data_dir=self.data_dir)
            except DataError as error:
                raise DataError(f"{self._not_named(split, part)}{error}") from error
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

    def of_another_benchmark(self) -> str:
        """Say that a file that `data_files` names is another benchmark's, if one is."""
        for part, name in self.files.get(self.test_split, {}).items():
            found = _contents_of(Path(name).expanduser())
            wanted = self._wanted(part)
            if found is None or wanted is None or found in (self.benchmark, wanted):
                continue
            if found in NAMES and wanted in NAMES:
                said = f"{name} holds records of {NAMES[found]}, not of {NAMES[wanted]}"
            else:
                said = f"{name} holds {_words(found)}, not {_words(wanted)}"
            if self.keyed:
                return said
            return f"{said}; {given.keyed_hint(found, self.benchmark)}"
        return ""

    def _wanted(self, part: str) -> str | None:
        """Return what the file of a part should hold, `None` where it may hold several."""
        if part == "prompts":
            return _PROMPTS
        return self.benchmark if self.benchmark in NAMES else None

    def _not_named(self, split: str, part: str | None) -> str:
        """Say that `data_files` is there, and does not name a file."""
        if not self.has_files:
            return ""
        what = part or self.main_part
        return f"data_files names no {what} of the {split} split of {self.benchmark}; "


def _contents_of(path: Path) -> str | None:
    """Return the benchmark whose records a file holds, or that it holds prompts."""
    try:
        first = next(RowFile(path).rows(), None)
        if first is None:
            return None
        record = first.read().data
    except InputFileError:
        return None
    return _PROMPTS if "user_prompt" in record else benchmark_of(record)


def _words(contents: str) -> str:
    return (
        f"records of {NAMES[contents]}" if contents in NAMES else "prompts of TAT-LLM"
    )
