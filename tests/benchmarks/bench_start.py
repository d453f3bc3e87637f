"""Time whole processes: an import, the help, a score, a run, beside what they replace.

Run it with `python tests/benchmarks/bench_start.py`. Each command and the one that it is
compared with take turns, so that a machine whose speed changes treats both alike; the
figures are medians, those of `ratio` of the ratios of the turns. The score is that of
the 1,668 answers of TAT-QA's dev set where they are at hand, else of as many made-up ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import bench_score
import figures


TURNS = 5
PYTHON = [sys.executable]
TABLEQA = [*PYTHON, "-m", "lm_eval_tasks.cli"]
RUN = ["run", "--tasks", "tanq_sample", "--model", "dummy"]


def clocks(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """Run a command and return the seconds of wall and of CPU time that it took."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    # Compiled files are kept, as by whoever uses the package.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=kept | offline,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return wall, used.ru_utime + used.ru_stime


def compare(
    name: str,
    ours: list[str],
    other: str,
    theirs: list[str],
    aim: str,
    *,
    turns: int,
    folder: Path,
) -> figures.Row:
    clocks(ours, folder)  # once before, to read the files from the disk
    clocks(theirs, folder)
    found = [(clocks(ours, folder), clocks(theirs, folder)) for _ in range(turns)]
    ratios = [our[1] / their[1] for our, their in found if their[1]]
    return {
        "process": name,
        "wall_s": median(our[0] for our, _ in found),
        "cpu_s": median(our[1] for our, _ in found),
        "beside": other,
        "its wall_s": median(their[0] for _, their in found),
        "its cpu_s": median(their[1] for _, their in found),
        # None where the kernel counts in steps longer than the other process.
        "ratio of cpu": median(ratios) if ratios else None,
        "aim": aim,
    }


def answers(folder: Path) -> list[str]:
    """The arguments of a score of 1,668 answers."""
    references = figures.shared("tatqa", "tatqa_dataset_dev.json")
    predictions = figures.shared("tatqa", "sample_prediction.json")
    if references is None or predictions is None:
        references, predictions = bench_score.write(folder, 1668)
    return ["--references", str(references), "--predictions", str(predictions)]


def rows(folder: Path, turns: int) -> Iterator[figures.Row]:
    bare = [*PYTHON, "-c", "pass"]
    score = [*TABLEQA, "score", "tatqa", *answers(folder)]
    tasks = subprocess.run(
        [*TABLEQA, "path"], capture_output=True, text=True, check=True
    )
    lm_eval = [*PYTHON, "-m", "lm_eval", *RUN, "--include_path", tasks.stdout.strip()]
    bare_name = "python -c pass"
    for case in (
        (
            *("import tableqa_metrics", [*PYTHON, "-c", "import tableqa_metrics"]),
            *(bare_name, bare, "0.1 s more"),
        ),
        ("tableqa --help", [*TABLEQA, "--help"], bare_name, bare, "0.3 s"),
        ("tableqa score, 1,668 answers", score, bare_name, bare, "2 s"),
        (
            *(f"tableqa {' '.join(RUN)}", [*TABLEQA, *RUN]),
            *("lm_eval run of the same", lm_eval, "ratio 1 or less"),
        ),
    ):
        yield compare(*case, turns=turns, folder=folder)


def main() -> None:
    args = figures.parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        turns = 1 if args.quick else TURNS
        figures.show(rows(Path(folder), turns), as_json=args.json)


if __name__ == "__main__":
    main()
