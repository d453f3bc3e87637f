"""Run all benchmarks, one after another, and print what each measures.

    python tests/benchmarks/run.py [--quick] [--json FILE] [NAME …]

NAME is that of a script without `bench_` and `.py`; without one all run. Each runs in a
process of its own. README.md beside this says what they measure.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import figures


FOLDER = Path(__file__).parent
# In this order: what is quick and what has an aim comes first.
NAMES = (
    *("rms", "finqa", "tatqa", "value", "extraction", "start", "growth", "tasks"),
    *("score", "retrieval"),
)
LIBRARIES = ("rapidfuzz", "scipy", "numpy", "lm_eval", "datasets")


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    found: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d"),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "machine": platform.machine(),
        "clock": "CPU" if figures.clock is time.process_time else "wall",
        "python": platform.python_version(),
    }
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def rows_of(found: Any) -> list[figures.Row]:
    """Take one row, a list of rows, or several of these under names, for rows."""
    if isinstance(found, list):
        return found
    if any(isinstance(value, dict | list) for value in found.values()):
        return [row for value in found.values() for row in rows_of(value)]
    return [found]


def run(name: str, *, quick: bool) -> list[figures.Row]:
    """Run one benchmark in a process of its own and return what it measured."""
    command = [sys.executable, str(FOLDER / f"bench_{name}.py"), "--json"]
    done = subprocess.run(
        [*command, *(["--quick"] if quick else [])],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return rows_of(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    args = parser.parse_args()
    found: dict[str, Any] = {"machine": machine()}
    print(", ".join(f"{key} {value}" for key, value in found["machine"].items()))
    for name in args.names or NAMES:
        print(f"\n## {name}\n", flush=True)
        found[name] = run(name, quick=args.quick)
        figures.show(found[name], as_json=False)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
