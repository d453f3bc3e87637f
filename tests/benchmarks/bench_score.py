"""Time `tableqa score` from start to end on made-up files, and measure its memory.

Run it with `python tests/benchmarks/bench_score.py`; README.md beside it says what the
columns mean and holds the figures of one run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path


SIZES = (1_668, 20_000, 80_000, 320_000)
WORKERS = (1, 2)
PER_CONTEXT = 6  # as many questions as a context of TAT-QA has
WORDS = (
    "The table gives both years so the change is the later value less the former one"
)
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
        command = [sys.executable, "-m", "lm_eval_tasks.cli", "score", "tatqa"]
        command += ["--references", str(references), "--predictions", str(responses)]
        command += ["--workers", str(workers), "--output", str(Path(name) / "out.json")]
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} failed")
    cpu = used.ru_utime + used.ru_stime
    return {
        "responses": size,
        "workers": workers,
        "wall_s": wall,
        "cpu_s": cpu,
        "ms_per_response": 1000 * cpu / size,
        "peak_mib": used.ru_maxrss * RSS_UNIT / (1 << 20),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = [measure(size, w) for size in args.sizes for w in args.workers]
    if args.json:
        print(json.dumps(found, indent=1))
        return
    print("| responses | workers | wall, s | CPU, s | CPU, ms each | peak, MiB |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in found:
        print(
            f"| {row['responses']:,} | {row['workers']} | {row['wall_s']:.1f} | "
            f"{row['cpu_s']:.1f} | {row['ms_per_response']:.2f} | "
            f"{row['peak_mib']:.0f} |"
        )


if __name__ == "__main__":
    main()
