"""What `--metadata` says to the tasks.

The harness hands a task's `custom_dataset` everything in `--metadata`, beside all model
arguments, and the same to every task of a run. These keys are meant for the data:

- `data_dir`: a folder that holds files under the names of `sources.py`.
- `data_files`: `{split: path}`, or a path alone for the split that stands as test, or
  `{benchmark: {split: path}}` in a run that mixes several benchmarks. Where a split has
  two files, the path is that of the first, or `{part: path}` names both. A file is
  JSON Lines or a JSON list, gzipped or not.
- `split`: the split that stands as test, or `{benchmark: split}`.
- `thinking`: whether the prompt ends inside a thought, as the chat templates of some
  models have it; see `tableqa_metrics.response`.

Others are of single tasks. What no task of ours knows may be another's or the model's.
"""

from __future__ import annotations

import difflib
import logging
import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from lm_eval_tasks.data.records import name_some
from lm_eval_tasks.data.sources import BENCHMARKS, SPLIT_NAMES
from lm_eval_tasks.errors import DataError


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

KEYS: Final = (
    *("data_dir", "data_files", "split", "thinking"),
    *("max_context_chars", "top_k", "passages", "corpus"),
)
# How alike a key must be to one of ours to be taken for a slip. No argument of the
# harness's models is.
_ALIKE: Final = 0.8


def warn_of_slips(metadata: Mapping[str, Any]) -> None:
    """Warn of each key that looks like a misspelt one of ours, once in a process."""
    for key in metadata:
        if key not in KEYS:
            written = key.lower().replace("-", "_")
            for meant in difflib.get_close_matches(written, KEYS, 1, _ALIKE):
                _warn_of_slip(key, meant)


@cache
def _warn_of_slip(key: str, meant: str) -> None:
    _log.warning(
        "--metadata: the table tasks know no key %r, and ignore it; did you mean %r?",
        key,
        meant,
    )


def thinking(metadata: Mapping[str, Any]) -> bool:
    """Return whether the prompts end inside a thought.

    Raises
    ------
    DataError
        If the value is neither true nor false, or if the harness is to take the thoughts
        off (`think_end_token`): what it leaves of a finished thought and an unfinished
        one look the same.
    """
    value = metadata.get("thinking", False)
    if not isinstance(value, bool):
        raise DataError(
            f"thinking is {value!r}, and must be true or false: "
            f"--metadata '{{\"thinking\": true}}'"
        )
    if value and metadata.get("think_end_token") is not None:
        raise DataError(
            "thinking (--metadata) and think_end_token (--model_args) exclude each other: "
            "the harness would take off all up to that token, and an answer could not be "
            "told from a thought that never ended; leave think_end_token out, since "
            "thoughts are taken off when a response is scored"
        )
    return value


def test_split(metadata: Mapping[str, Any], benchmark: str) -> str | None:
    """Return the name that is given to the split that stands as test, if one is.

    Raises
    ------
    DataError
        If what is named is no split.
    """
    name = metadata.get("split")
    if isinstance(name, Mapping):
        name = of_benchmark("split", name, benchmark)
    if name is not None and (not isinstance(name, str) or name not in SPLIT_NAMES):
        raise DataError(f"split: {name!r} is no split; choose from train, dev, test")
    return name


def of_benchmark(key: str, value: Mapping[str, Any], benchmark: str) -> Any:
    """Return what a value that is keyed by benchmark has for one of them.

    Raises
    ------
    DataError
        If one of its keys is no benchmark.
    """
    unknown = [name for name in value if name not in BENCHMARKS]
    if unknown:
        raise DataError(
            f"{key}: {name_some(unknown)} is no benchmark; choose from "
            f"{', '.join(BENCHMARKS)}"
        )
    return value.get(benchmark)


def files_by_split(
    data_files: Any, benchmark: str, parts: tuple[str, ...], test_split: str
) -> dict[str, dict[str, str]]:
    """Return the paths that `data_files` names for a benchmark, by split and part.

    Raises
    ------
    DataError
        If it is of another form than this module describes.
    """
    keyed = is_keyed(data_files)
    if keyed:
        data_files = of_benchmark("data_files", data_files, benchmark)
    if data_files is None:
        return {}
    if isinstance(data_files, str | os.PathLike):
        data_files = {test_split: data_files}
    if not isinstance(data_files, Mapping):
        raise DataError(f"data_files: {data_files!r} is neither a path nor an object")
    files = {}
    for name, value in data_files.items():
        if name not in SPLIT_NAMES:
            raise DataError(
                f"data_files: {name!r} is no split; choose from train, dev, test (or, "
                f"in a run that mixes benchmarks, from {', '.join(BENCHMARKS)})"
            )
        if isinstance(value, str | os.PathLike):
            value = {parts[0]: value}
        if not isinstance(value, Mapping) or not all(
            part in parts and isinstance(path, str | os.PathLike)
            for part, path in value.items()
        ):
            flat = isinstance(value, Mapping) and not keyed
            hint = f"; {keyed_hint(benchmark)}" if flat else ""
            raise DataError(
                f"data_files: {name} of {benchmark} must be a path, or paths by name, "
                f"which can be: {', '.join(parts)}{hint}"
            )
        files[SPLIT_NAMES[name]] = {p: os.fspath(path) for p, path in value.items()}
    return files


def keyed_hint(*benchmarks: str) -> str:
    """Say how `data_files` is written in a run of these benchmarks.

    Examples
    --------
    >>> keyed_hint("tatqa", "finqa")
    'in a run that mixes benchmarks, data_files names the files of each: \
{"data_files": {"tatqa": …, "finqa": …}}'
    """
    keys = ", ".join(f'"{name}": …' for name in benchmarks)
    return (
        "in a run that mixes benchmarks, data_files names the files of each: "
        f'{{"data_files": {{{keys}}}}}'
    )


def is_keyed(data_files: Any) -> bool:
    """Whether `data_files` is keyed by benchmark."""
    return isinstance(data_files, Mapping) and any(k in BENCHMARKS for k in data_files)
