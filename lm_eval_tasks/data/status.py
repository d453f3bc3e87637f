"""`tableqa data`: which file every benchmark reads, and where it is.

Only `--download` asks a server; the rest looks into the user's folder and the cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from lm_eval_tasks.data.fetch import (
    DATA_DIR_VARIABLE,
    data_folder,
    find_in_cache,
    locate,
    mismatch,
    place_in_folder,
)
from lm_eval_tasks.data.sources import BENCHMARKS, SOURCES, Source, sources_of
from lm_eval_tasks.errors import DataError, TableqaError


# What `tableqa data` takes as a name, and the benchmarks that it stands for.
NAMES: Final = {
    **{name: (name,) for name in BENCHMARKS},
    "tat_llm": tuple(name for name in BENCHMARKS if name.startswith("tatllm_")),
}


def choose(names: Iterable[str]) -> tuple[Source, ...]:
    """Return the files of benchmarks, each once; all files where no name is given.

    Raises
    ------
    TableqaError
        If there is no benchmark of a name.
    """
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        raise TableqaError(
            f"there is no benchmark {unknown[0]}; choose from {', '.join(NAMES)}"
        )
    wanted = {
        source: None
        for name in names
        for benchmark in NAMES[name]
        for source in sources_of(benchmark)
    }
    return tuple(wanted) or SOURCES


def overview(sources: Sequence[Source], data_dir: str | None = None) -> str:
    """Return a table: a line per file, with where it was found."""
    folder = data_folder(data_dir)
    rows = [("file", "split", "questions", "licence", "found")]
    for source in sources:
        questions = "?" if source.questions is None else f"{source.questions:,}"
        origin, _, problem = _find(source, folder)
        found = origin + (", not the released file" if problem else "")
        rows.append((source.path, source.split, questions, source.licence, found))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            # Numbers stand under each other.
            cell.rjust(width) if place == 2 else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, "", *_places(folder)])


def details(sources: Sequence[Source], data_dir: str | None = None) -> str:
    """Return a block per file: addresses, check, licence, and where it was found."""
    folder = data_folder(data_dir)
    lines = []
    for source in sources:
        count = f", {source.questions:,} questions" if source.questions else ""
        origin, path, problem = _find(source, folder)
        lines += [
            f"{source.path}  ({source.split}{count}, {source.licence})",
            *(f"  from   {url}" for url in source.urls),
            f"  check  {source.check}",
            f"  found  {path} ({origin})" if path else "  found  no",
            *([f"         not the released file: {problem}"] if problem else []),
        ]
    return "\n".join([*lines, "", *_places(folder)])


def download(sources: Iterable[Source], data_dir: str | None = None) -> list[str]:
    """Fetch and verify what is in neither the user's folder nor the cache.

    Returns
    -------
    list of str
        What is to be put right of each file that is to be had nowhere; the others have
        been fetched.
    """
    problems = []
    for source in sources:
        try:
            print(f"{source.path}: {locate(source, data_dir=data_dir)}", flush=True)
        except DataError as error:
            problems.append(str(error))
    return problems


def _find(source: Source, folder: Path | None) -> tuple[str, Path | None, str | None]:
    """Return who has the file, where it is, and in which way it is another."""
    if folder is not None:
        path = place_in_folder(source, folder)
        if path is not None:
            return "data_dir", path, mismatch(path, source)
    path = find_in_cache(source)
    return ("-" if path is None else "cache"), path, None


def _places(folder: Path | None) -> list[str]:
    from datasets import config

    return [
        f"data_dir: {folder or f'none (--data_dir, or {DATA_DIR_VARIABLE})'}",
        f"cache: {config.DOWNLOADED_DATASETS_PATH}",
    ]
