"""`tableqa link`: our tasks in the installed harness, so that plain `lm_eval` finds them.

Released harnesses look for tasks in their own `lm_eval/tasks/` and in `--include_path`;
they have no entry point for a package that brings tasks. `link` therefore writes one
folder there, `lm_eval/tasks/tableqa/`. It holds a file per task and group that includes
ours by its path, so that both sides may be wheels or editable installs, and a record of
what was written. Nothing outside of that folder is touched, and `unlink` removes exactly
what the record names, while it still is what was written.

The folder outlives an upgrade of either side. After one of this package, `link` again:
tasks may have come or moved. Before this package is uninstalled, `unlink`: the older
harnesses stop at a file that includes one that is gone.

The replay model stays with `tableqa run`: releases of the harness look a model up by its
name before they load any code of a task. Its main branch reads our entry point.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from lm_eval_tasks.errors import TableqaError


FOLDER: Final = "tableqa"
RECORD: Final = ".tableqa-link.json"

_README: Final = """\
# Table question answering: lm-eval-tableqa

`tableqa link` wrote this folder; `tableqa unlink` removes it. If the package
lm-eval-tableqa is gone, delete the folder. Its tasks are documented in the package.
"""
_OTHER_WAYS: Final = (
    "`tableqa run`, and lm_eval's --include_path with what `tableqa path` prints, need no "
    "link"
)


class State(Enum):
    """What stands in the harness's folder, in words that end a sentence."""

    ABSENT = "not linked"
    CURRENT = "linked"
    OUTDATED = "linked to another version or place of this package: link again"
    CHANGED = "changed since it was linked"
    FOREIGN = "there, but not written by `tableqa link`"


@dataclass(frozen=True)
class Link:
    """The folder of ours in a harness, and what is to be said about it.

    Parameters
    ----------
    folder
        `lm_eval/tasks/tableqa` of the harness.
    state
        What stands there.
    files
        The content of each file that belongs there, by name.
    strange
        Names in the folder that the record does not account for, or with other content.
    """

    folder: Path
    state: State
    files: Mapping[str, bytes]
    strange: tuple[str, ...] = ()

    def describe(self) -> str:
        """Say it in one line."""
        detail = f" ({', '.join(self.strange)})" if self.strange else ""
        return f"{self.folder}: {self.state.value}{detail}"


def harness_folder() -> Path:
    """Return the folder of the tasks of the harness that this Python imports.

    Raises
    ------
    TableqaError
        If there is no harness.
    """
    spec = find_spec("lm_eval")
    tasks = Path(spec.origin).parent / "tasks" if spec and spec.origin else None
    if tasks is None or not tasks.is_dir():
        raise TableqaError("no lm-evaluation-harness is installed in this Python")
    return tasks


def inspect(ours: Path, harness: Path) -> Link:
    """Compare what stands in the harness's folder with what belongs there.

    Parameters
    ----------
    ours
        The folder of our tasks.
    harness
        The folder of the harness's tasks.
    """
    folder = harness / FOLDER
    files = _files(ours)
    if not os.path.lexists(folder):
        return Link(folder, State.ABSENT, files)
    record = _recorded(folder)
    if record is None:
        return Link(folder, State.FOREIGN, files)
    there = {path.name: _digest(path) for path in folder.iterdir()}
    del there[RECORD]
    strange = tuple(
        sorted(
            name
            for name, digest in there.items()
            if digest is None or record.get(name) != digest
        )
    )
    if strange:
        return Link(folder, State.CHANGED, files, strange)
    current = there == {name: _sha256(content) for name, content in files.items()}
    return Link(folder, State.CURRENT if current else State.OUTDATED, files)


def link(ours: Path, harness: Path) -> None:
    """Write our folder into the harness's, or bring it up to date.

    Raises
    ------
    TableqaError
        If the folder holds what we did not write, if another task has one of our names,
        or if the harness's folder cannot be written. Nothing is written then.
    """
    before = inspect(ours, harness)
    if before.state is State.CURRENT:
        return
    _refuse_strange(before)
    taken = clashes(ours, harness)
    if taken:
        listed = ", ".join(f"{name} ({path})" for name, path in taken.items())
        raise TableqaError(
            f"{harness} has tasks, groups or tags of the same name: {listed}. Nothing was "
            f"written; {_OTHER_WAYS}"
        )
    # Complete before it is there under its name: another process may be reading.
    new = harness / f".{FOLDER}-{os.getpid()}"
    try:
        new.mkdir()
        try:
            for name, content in before.files.items():
                (new / name).write_bytes(content)
            (new / RECORD).write_text(_record(before.files), encoding="utf-8")
            if before.state is State.OUTDATED:
                _remove(before.folder)
            new.rename(before.folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise _not_writable(harness, error) from error


def unlink(ours: Path, harness: Path) -> None:
    """Remove the folder that `link` wrote, if it is there.

    Raises
    ------
    TableqaError
        If the folder holds what we did not write, or cannot be removed. Nothing is
        removed in the first case.
    """
    before = inspect(ours, harness)
    if before.state is State.ABSENT:
        return
    _refuse_strange(before)
    try:
        _remove(before.folder)
    except OSError as error:
        raise _not_writable(harness, error) from error


def clashes(ours: Path, harness: Path) -> dict[str, Path]:
    """Return our names that other files of the harness define, with one of the files."""
    names = {name for path in _tasks(ours) for name in _defined(path.read_bytes())}
    words = b"|".join(sorted(re.escape(name.encode()) for name in names))
    mentions = re.compile(rb"(?<![\w-])(?:%s)(?![\w-])" % words)
    taken: dict[str, Path] = {}
    for folder, subfolders, files in os.walk(harness):
        if Path(folder) == harness:
            subfolders[:] = [name for name in subfolders if name != FOLDER]
        for file in files:
            # With and without a dot: a template may hold the name of its only task.
            if not file.endswith("yaml"):
                continue
            path = Path(folder, file)
            content = path.read_bytes()
            if mentions.search(content):
                for name in names.intersection(_defined(content)):
                    taken.setdefault(name, path.relative_to(harness))
    return taken


def _tasks(ours: Path) -> list[Path]:
    return sorted(ours.glob("*/*.yaml"))


def _files(ours: Path) -> dict[str, bytes]:
    files = {"README.md": _README.encode()}
    for path in _tasks(ours):
        # A JSON string is a YAML string, whatever is in the path.
        stub = f"# Written by `tableqa link`\ninclude: {json.dumps(str(path))}\n"
        files[path.name] = stub.encode()
    # A harness that is installed from a checkout keeps a clean `git status`.
    files[".gitignore"] = b"*\n"
    return files


def _record(files: Mapping[str, bytes]) -> str:
    digests = {name: _sha256(content) for name, content in files.items()}
    return (
        json.dumps({"written_by": "tableqa link", "sha256": digests}, indent=1) + "\n"
    )


def _recorded(folder: Path) -> dict[str, str] | None:
    """Return the digests of the record of a folder, `None` where it is not ours."""
    if folder.is_symlink():
        return None
    try:
        record = json.loads((folder / RECORD).read_bytes())["sha256"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return record if isinstance(record, dict) else None


def _digest(path: Path) -> str | None:
    return (
        None if path.is_symlink() or not path.is_file() else _sha256(path.read_bytes())
    )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _refuse_strange(found: Link) -> None:
    if found.state is State.FOREIGN:
        raise TableqaError(f"{found.describe()}. Nothing was done; {_OTHER_WAYS}")
    if found.state is State.CHANGED:
        raise TableqaError(
            f"{found.describe()}. Nothing was done; move those files away, or delete the "
            f"folder"
        )


def _remove(folder: Path) -> None:
    """Remove a folder that holds recorded files only; the record goes last."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name == RECORD):
        path.unlink()
    folder.rmdir()


def _not_writable(harness: Path, error: OSError) -> TableqaError:
    return TableqaError(f"cannot write in {harness}: {error.strerror}; {_OTHER_WAYS}")


def _defined(content: bytes) -> Iterator[str]:
    """Yield the names of tasks, groups and tags that a YAML file defines."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Reads `!function` as text, as the harness's index does."""

    Loader.add_constructor("!function", lambda loader, node: node.value)
    try:
        config: Any = yaml.load(content, Loader=Loader)
    except yaml.YAMLError:  # of no use to the harness either
        return
    if isinstance(config, dict):
        for key in ("task", "group", "tag"):
            value = config.get(key)
            if isinstance(value, str):
                yield value
            # The list of a group's `task` names its members.
            elif key == "tag" and isinstance(value, list):
                yield from map(str, value)
