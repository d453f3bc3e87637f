"""Index and search a made-up corpus of passages; print the time and the memory it takes.

Run it with `python tests/benchmarks/bench_retrieval.py`; README.md beside it says what the
lines mean and holds the figures of one run.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import figures
import numpy as np

from lm_eval_tasks.context.passages import Corpus
from lm_eval_tasks.context.retrieval import Bm25


SIZE, QUICK_SIZE = 100_000, 2000
VOCABULARY = 500_000
WORDS = (
    100  # of a passage, as in the passages of Wikipedia that retrievers are tested on
)
QUESTION = 30  # words of a question, about as many as TANQ's have
QUESTIONS = 1000
TOP_K = 100
MOST = 1 << 20 if sys.platform == "darwin" else 1 << 10  # of getrusage's units in a MiB


def write_corpus(path: Path, size: int) -> list[str]:
    """Write passages of words that are as unequally frequent as those of a language.

    Returns questions that are each made of words of one passage and of words of any.
    """
    rng = np.random.default_rng(1)
    names = [word(number) for number in range(VOCABULARY)]
    shares = np.cumsum(1 / (np.arange(VOCABULARY) + 10))

    def draw(count: int) -> list[str]:
        drawn = np.searchsorted(shares, rng.random(count) * shares[-1])
        return [names[number] for number in drawn.tolist()]

    asked = set(rng.choice(size, min(size, QUESTIONS), replace=False).tolist())
    questions = []
    with path.open("w", encoding="utf-8") as file:
        for number in range(size):
            title, text = draw(2), draw(WORDS)
            passage = {"title": " ".join(title), "text": " ".join(text)}
            file.write(json.dumps(passage) + "\n")
            if number in asked:
                questions.append(" ".join(title + text[:8] + draw(QUESTION - 10)))
    return questions


def word(number: int) -> str:
    """A word of its own for each number, shorter for the frequent ones."""
    syllables = []
    number += 1
    while number:
        number, syllable = divmod(number, 95)
        syllables.append("bcdfghjklmnprstvwxz"[syllable // 5] + "aeiou"[syllable % 5])
    return "".join(syllables)


def peak() -> float:
    """The most memory that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MOST


def steps(size: int, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what was done, how long it took in seconds, and the memory held at most."""
    path = folder / "corpus.jsonl"

    def done(step: str, since: tuple[float, float]) -> dict[str, Any]:
        wall, cpu = (now - then for now, then in zip(clocks(), since, strict=True))
        return {"step": step, "wall_s": wall, "cpu_s": cpu, "peak_mib": peak()}

    since = clocks()
    questions = write_corpus(path, size)
    yield done(f"write {path.stat().st_size / 1e6:.0f} MB", since)
    since = clocks()
    search = Bm25(Corpus(path), TOP_K)
    yield done("read and index", since)
    since = clocks()
    for question in questions:
        if not search({"question": question}):
            raise SystemExit(f"nothing found for {question}")
    yield done(f"{len(questions)} questions", since)


def clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def main() -> None:
    parser = figures.parser(__doc__)
    parser.add_argument("--size", type=int, help="passages")
    args = parser.parse_args()
    size = args.size or (QUICK_SIZE if args.quick else SIZE)
    with tempfile.TemporaryDirectory() as folder:
        figures.show(steps(size, Path(folder)), as_json=args.json)


if __name__ == "__main__":
    main()
