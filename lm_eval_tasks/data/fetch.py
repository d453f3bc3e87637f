"""Get a file of a data set: the user's own, else the cached one, else a download.

Downloads go through the Hugging Face stack: its cache (`HF_HOME`, `HF_DATASETS_CACHE`),
its progress bar, its proxies and its offline switches. What was fetched is verified
before it is used, and a file that fails is not kept, so that the next run starts clean.
"""

import hashlib
import json
import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from lm_eval_tasks.data.packed import opened
from lm_eval_tasks.data.sources import Source
from lm_eval_tasks.errors import DataError


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.data")

# The user's data folder, where no `data_dir` is given.
DATA_DIR_VARIABLE: Final = "TABLEQA_DATA_DIR"

_CHUNK: Final = 1 << 20
# A whole download may take long, a silent server not.
_SECONDS: Final = {"total": 3600, "sock_connect": 30, "sock_read": 120}
_LONGEST: Final = 200  # characters of an error of the network, which can nest deeply
_OFFLINE: Final = (
    "not in the cache, and offline mode is on (HF_HUB_OFFLINE or HF_DATASETS_OFFLINE)"
)


def blob_id(path: Path) -> str:
    """Return the git blob id of a file, or of what is gzipped in it.

    Raises
    ------
    DataError
        If it is gzipped and damaged.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "empty"
    ...     _ = file.write_bytes(b"")
    ...     blob_id(file)
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    with opened(path) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def mismatch(path: Path, source: Source) -> str | None:
    """Say in which way a file is not what its source promises, or return `None`."""
    try:
        if source.blob is None:
            return _mismatch_of_lines(path, source)
        found = blob_id(path)
    except DataError:
        return "a damaged gzip file"
    if found == source.blob:
        return None
    return f"git blob id {found}, {path.stat().st_size:,} bytes"


def data_folder(data_dir: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the folder that the user named, here or in `TABLEQA_DATA_DIR`.

    Raises
    ------
    DataError
        If it is not a folder.
    """
    origin = "data_dir"
    if data_dir is None:
        origin, data_dir = DATA_DIR_VARIABLE, os.environ.get(DATA_DIR_VARIABLE) or None
    if data_dir is None:
        return None
    folder = Path(data_dir).expanduser()
    if not folder.is_dir():
        raise DataError(f"{origin}: {folder} is not a folder")
    return folder


def find_in_folder(source: Source, folder: Path) -> Path | None:
    """Look for a file where it belongs in the user's folder.

    The user's bytes are trusted: a file that is not the pinned one is used, with a
    warning.
    """
    path = place_in_folder(source, folder)
    found = None if path is None else mismatch(path, source)
    if found is not None:
        _log.warning(
            "%s is not the released file (expected %s, found %s); it is used as it is",
            path,
            source.check,
            found,
        )
    return path


def place_in_folder(source: Source, folder: Path) -> Path | None:
    """Return the file of the user's folder that stands for a source, if one does.

    It may be gzipped, with `.gz` behind its name.
    """
    places = (source.path, *source.also_at)
    paths = (folder / f"{place}{end}" for end in ("", ".gz") for place in places)
    return next((path for path in paths if path.is_file()), None)


def find_in_cache(source: Source) -> Path | None:
    """Return the cached and verified file of a source, if there is one; ask no server."""
    from datasets import config
    from datasets.utils.file_utils import hash_url_to_filename

    for url in source.urls:
        # Asking `_download` to stay offline does not do: the newer `datasets` do so only
        # by a variable that is read when they are imported.
        path = Path(config.DOWNLOADED_DATASETS_PATH) / hash_url_to_filename(url)
        with suppress(FileNotFoundError):
            if mismatch(path, source) is None:
                return path
    return None


def locate(source: Source, *, data_dir: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of a source's file, fetched and verified where it must be.

    Parameters
    ----------
    source
        The file.
    data_dir
        The user's folder; `TABLEQA_DATA_DIR` where it is `None`.

    Raises
    ------
    DataError
        If the file is in no place and cannot be fetched, or if what was fetched is not
        the expected file. The message names each URL with what went wrong, the expected
        check value, and where to put the file by hand.
    """
    folder = data_folder(data_dir)
    if folder is not None:
        path = find_in_folder(source, folder)
        if path is not None:
            return path
        _log.info("%s It is looked for elsewhere", _lacks(folder, source).strip())
    problems = []
    for url in source.urls:
        try:
            return _fetch_verified(url, source)
        except DataError as error:
            problems.append(f"{url}: {error}")
    place = Path(folder or "DIR") / source.path
    raise DataError(
        f"{source.path} could not be fetched. {_lacks(folder, source)}"
        f"{'; '.join(problems)}. Expected: "
        f"{source.check}. To go on by hand, save the file as {place} and give "
        f'--metadata \'{{"data_dir": "{folder or "DIR"}"}}\' or set '
        f"{DATA_DIR_VARIABLE}"
    )


def _lacks(folder: Path | None, source: Source) -> str:
    """Say that the user's folder has no such file, and where one of its name lies."""
    if folder is None:
        return ""
    name = Path(source.path).name
    near = next((p for p in (*folder.glob(name), *folder.glob(f"*/{name}"))), None)
    hint = f", but there is {near}: is that it?" if near else "."
    return f"{folder} has no {source.path}{hint} "


def _fetch_verified(url: str, source: Source) -> Path:
    with suppress(FileNotFoundError):  # another process has just removed it, as below
        path = _download(url)
        if mismatch(path, source) is None:
            return path
    # One process at a time replaces a bad file, so that none removes another's good one.
    from datasets import config
    from filelock import FileLock

    name = hashlib.sha256(url.encode()).hexdigest()
    with FileLock(Path(config.DOWNLOADED_DATASETS_PATH) / f"{name}.tableqa.lock"):
        path = _download(url)
        if mismatch(path, source) is None:
            return path
        _forget(path)
        path = _download(url)
        found = mismatch(path, source)
        if found is None:
            return path
        _forget(path)
    raise DataError(f"got another file ({found}), which was not kept")


def _forget(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.with_name(f"{path.name}.json").unlink(missing_ok=True)


def _download(url: str) -> Path:
    from aiohttp import ClientTimeout
    from datasets import DownloadConfig, DownloadManager

    offline = _is_offline()
    timeout = ClientTimeout(**_SECONDS)
    manager = DownloadManager(
        download_config=DownloadConfig(
            # Every URL is of one fixed version, so a cached file needs no request.
            use_etag=False,
            local_files_only=offline,
            storage_options={"client_kwargs": {"timeout": timeout}},
        ),
        record_checksums=False,
    )
    try:
        return Path(manager.download(url))
    except Exception as error:  # each layer of the stack has errors of its own
        if isinstance(error, FileNotFoundError) and _is_in_cache(error.filename):
            raise
        raise DataError(_OFFLINE if offline else _reason(error)) from error


def _is_in_cache(name: object) -> bool:
    """Whether a file that an error names is one of the cache, and not an address."""
    from datasets import config

    return Path(str(name)).is_relative_to(config.DOWNLOADED_DATASETS_PATH)


def _is_offline() -> bool:
    """Whether downloads are switched off, by the newest meaning of the two variables."""
    from datasets import config
    from huggingface_hub import constants

    if "HF_DATASETS_OFFLINE" in os.environ:
        return bool(config.HF_DATASETS_OFFLINE)
    return bool(config.HF_DATASETS_OFFLINE or constants.HF_HUB_OFFLINE)


def _reason(error: BaseException) -> str:
    # fsspec hides the answer of the server behind a FileNotFoundError.
    while isinstance(error, FileNotFoundError) and error.__cause__ is not None:
        error = error.__cause__
    status = getattr(error, "status", None)
    if status is not None:
        return f"HTTP {status}"
    if isinstance(error, FileNotFoundError):
        return "HTTP 404"
    return f"{type(error).__name__}: {' '.join(str(error).split())[:_LONGEST]}"


def _mismatch_of_lines(path: Path, source: Source) -> str | None:
    first = last = b""
    count = 0
    with opened(path) as file:
        for line in file:
            if line.strip():
                count += 1
                first = first or line
                last = line
    if source.questions is not None and count != source.questions:
        return f"{count:,} lines"
    # A page of a proxy fails in its first line, a file that was cut off in its last.
    for name, line in (("first", first), ("last", last)):
        if not _is_record(line):
            return f"{count:,} lines, the {name} of which is no JSON record"
    return None


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
