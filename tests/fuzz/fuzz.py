"""Fuzz every public function for as long as you like.

    python tests/fuzz/fuzz.py --minutes 10

makes texts with hypothesis (`texts.py`), gives each to every target (`targets.py`) and
stops at the first finding, shrunk to a small text: an exception, a result of another
type or range than its docstring says, two different results, or a time beyond
`SECONDS + SECONDS_A_CHARACTER * length`. It ends with the number of texts and the status
0, or with the finding and the status 1. A finding, once understood, belongs into
`corpus/texts.jsonl`, which the tests replay: `--save` puts it there.

    python tests/fuzz/fuzz.py --minutes 10 --atheris

does the same with Atheris, which looks at the branches that a text takes and changes it
so that it takes others (`pip install atheris`; it needs CPython 3.11 or later on Linux
or macOS and is no dependency of this project). Its texts grow out of the corpus and the
fragments of `texts.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path


if not __package__:
    # in place of this folder, in which this file would pass for the package
    sys.path[:1] = [str(Path(__file__).parents[n]) for n in (1, 2)]

from fuzz.targets import TARGETS
from fuzz.texts import CORPUS, MARKS, WORDS, corpus, hostile_texts
from hypothesis import HealthCheck, Phase, given, seed, settings


SECONDS = 1.0
SECONDS_A_CHARACTER = 0.5e-3
EXAMPLES_A_ROUND = 200


class Finding(Exception):
    """A text that a target does not take."""

    def __init__(self, target: str, text: str, what: str) -> None:
        super().__init__(f"{target}: {what}")
        self.target, self.text = target, text


def run_all(text: str, targets: Mapping[str, Callable[[str], object]]) -> None:
    """Give a text to every target.

    Raises
    ------
    Finding
        If one fails, or takes too long.
    """
    for name, target in targets.items():
        start = time.process_time()
        try:
            target(text)
        except Exception as error:
            what = "".join(traceback.format_exception(error, limit=-3))
            raise Finding(name, text, what) from error
        took = time.process_time() - start
        if took > SECONDS + SECONDS_A_CHARACTER * len(text):
            raise Finding(name, text, f"{took:.1f} s for {len(text)} characters")


def with_hypothesis(seconds: float, first_seed: int) -> int:
    """Run rounds of examples until the time is over; return the number of texts."""
    end = time.monotonic() + seconds
    count = 0
    texts = hostile_texts(corpus())
    number = first_seed

    def one(text: str) -> None:
        nonlocal count
        count += 1
        run_all(text, TARGETS)

    while time.monotonic() < end:
        round_ = given(texts)(one)
        round_ = seed(number)(round_)
        settings(
            max_examples=EXAMPLES_A_ROUND,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        )(round_)()
        number += 1
        print(f"seed {number}, {count} texts", file=sys.stderr)
    return count


def with_atheris(seconds: float, first_seed: int) -> int:
    """Let Atheris change texts until the time is over; return the number of texts."""
    import atheris

    # once more, now with a note of each branch that is taken
    for name in [name for name in sys.modules if name.startswith("tableqa_metrics")]:
        del sys.modules[name]
    del sys.modules["fuzz.targets"]
    with atheris.instrument_imports(include=["tableqa_metrics"]):
        targets = import_module("fuzz.targets").TARGETS
    count = 0

    def one(data: bytes) -> None:
        nonlocal count
        count += 1
        try:
            text = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            text = data.decode("utf-8", "surrogateescape")
        run_all(text, targets)

    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    for n, text in enumerate([*corpus(), *MARKS, *WORDS]):
        (folder / str(n)).write_bytes(text.encode("utf-8", "surrogatepass"))
    atheris.Setup(
        [
            sys.argv[0],
            str(folder),
            f"-max_total_time={int(seconds)}",
            f"-seed={first_seed}",
            "-max_len=4000",
            "-timeout=60",
            "-rss_limit_mb=4000",
            f"-artifact_prefix={folder}/",
        ],
        one,
    )
    atheris.Fuzz()
    return count


def main() -> int:
    """Read the command line; return the exit status."""
    parser = argparse.ArgumentParser(description="Fuzz every public function.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--atheris", action="store_true")
    parser.add_argument(
        "--save", action="store_true", help="add a finding to the corpus"
    )
    options = parser.parse_args()
    fuzz = with_atheris if options.atheris else with_hypothesis
    try:
        count = fuzz(60 * options.minutes, options.seed)
    except Finding as finding:
        line = json.dumps(finding.text)
        print(f"{finding}\n{line}")
        if options.save:
            with CORPUS.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        return 1
    print(f"no finding in {count} texts and {options.minutes:g} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
