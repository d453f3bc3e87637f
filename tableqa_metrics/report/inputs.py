"""What `tableqa report` is given, read whatever it is."""

from __future__ import annotations

from pathlib import Path

from ..files.jsonfile import InputFileError
from ..files.rowfile import RowFile
from .runs import Run, is_sample_log, read_sample_log, sample_logs
from .score_file import Lookup, is_score_file, runs_of_scores


def read_runs(path: Path, lookup: Lookup) -> list[Run]:
    """Read runs from an output folder or a sample log of the harness, or from scores.

    Parameters
    ----------
    path
        The folder or file. Of a `results_*.json` the sample logs of the same date that
        lie beside it are read.
    lookup
        Where to find what a file of scores leaves out.

    Raises
    ------
    InputFileError
        It holds no run.
    """
    if path.is_dir():
        logs = sample_logs(path)
        if not logs:
            raise InputFileError(
                f"{path}: holds no samples_<task>_<date>.jsonl; the harness writes them "
                f"with --log_samples"
            )
        return [read_sample_log(log) for log in logs]
    if path.name.startswith("results_") and path.suffix == ".json":
        date = path.stem.removeprefix("results_")
        logs = sorted(path.parent.glob(f"samples_*_{date}.jsonl*"))
        if logs:
            return [read_sample_log(log) for log in logs]
    file = RowFile(path)
    if is_score_file(file):
        return runs_of_scores(file, lookup)
    first = next(file.rows(), None)
    if first is not None and is_sample_log(first.read()):
        return [read_sample_log(path)]
    raise InputFileError(
        f"{path}: is neither a sample log of lm-evaluation-harness nor what tableqa "
        f"score --output writes; predictions are scored first, with tableqa score"
    )
