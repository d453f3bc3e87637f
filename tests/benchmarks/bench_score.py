"""Time `tableqa score` from start to end on made-up files, and measure its memory.

Run it with `python tests/benchmarks/bench_score.py`; README.md beside it says what the
columns mean and holds the figures of one run.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import figures


SIZES = (50_000, 100_000, 200_000)
QUICK_SIZES = (1_668, 5_000)
WORKERS = (1, 2)
PER_CONTEXT = 6  # as many questions as a context of TAT-QA has
WORDS = (
    "The table gives both years so the change is the later value less the former one"
)
# The command, and then what its first process has used of a processor.
RUN = """
import sys, time
from pathlib import Path
from lm_eval_tasks.cli import main

status = main(sys.argv[2:])
Path(sys.argv[1]).write_text(str(time.process_time()))
sys.exit(status)
"""
RSS_UNIT = 1 if sys.platform == "darwin" else 1 << 10


def write(folder: Path, size: int) -> tuple[Path, Path]:
    """Write references and raw responses, half of them right, as JSON Lines."""
    rng = random.Random(size)
    references, responses = folder / "references.jsonl", folder / "responses.jsonl"
    with references.open("w") as golds, responses.open("w") as answers:
        for start in range(0, size, PER_CONTEXT):
            questions = []
            for number in range(start, min(start + PER_CONTEXT, size)):
                value = round(rng.uniform(-5000, 5000), 2)
                asked = question(number, value)
                questions.append(asked)
                said = value if rng.random() < 0.5 else -value
                text = (
                    f"{' '.join(rng.choices(WORDS.split(), k=60))}.\n\nThe answer is: "
                    f"{said} #### and its corresponding scale is: million"
                )
                answers.write(json.dumps({"id": asked["uid"], "response": text}) + "\n")
            table = {"uid": str(start), "table": [["", "2019"]]}
            context = {"table": table, "paragraphs": [], "questions": questions}
            golds.write(json.dumps(context) + "\n")
    return references, responses


def question(number: int, value: float) -> dict[str, object]:
    return {
        "uid": f"{number:08x}-0000-4000-8000-000000000000",
        "question": f"What was the change of item {number} in 2019?",
        "answer": value,
        "answer_type": "arithmetic",
        "answer_from": "table",
        "scale": "million",
    }


def measure(size: int, workers: int) -> dict[str, float]:
    """Score so many responses in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        references, responses = write(Path(name), size)
        own = Path(name) / "own.txt"
        command = [sys.executable, "-c", RUN, str(own), "score", "tatqa"]
        command += ["--references", str(references), "--predictions", str(responses)]
        command += ["--workers", str(workers), "--output", str(Path(name) / "out.json")]
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} failed")
        first = float(own.read_text())
    cpu = used.ru_utime + used.ru_stime
    return {
        "responses": size,
        "workers": workers,
        "wall_s": wall,
        "cpu_s": cpu,
        "cpu each_ms": 1000 * cpu / size,
        "first_s": first,
        "peak_mib": used.ru_maxrss * RSS_UNIT / (1 << 20),
    }


def rows(sizes: Sequence[int], workers: Sequence[int]) -> Iterator[figures.Row]:
    """Measure each size with each number of workers; the first number is the base."""
    for size in sizes:
        base = None
        for count in workers:
            row = measure(size, count)
            base = base or row
            speed_up = base["wall_s"] / row["wall_s"]
            yield {**row, "speed-up": speed_up, "bound": base["cpu_s"] / row["first_s"]}


def main() -> None:
    parser = figures.parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="responses")
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    args = parser.parse_args()
    sizes = args.sizes or (QUICK_SIZES if args.quick else SIZES)
    figures.show(rows(sizes, args.workers), as_json=args.json)


if __name__ == "__main__":
    main()
