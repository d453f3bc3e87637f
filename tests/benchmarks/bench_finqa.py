"""Time `finqa_program_equal` against the same verdict by sympy, in one run.

Run it with `python tests/benchmarks/bench_finqa.py`. It compares as many made-up
predictions with their references as FinQA's `example_predictions.json` holds, in the
shapes that these have. With `--references test.json --predictions
example_predictions.json` it compares the real ones. The plain side hands sympy ready
expressions, not text as the released script does, so that it is the faster of the two.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parents[1]))

import figures
from reference.finqa_plain import plain_equal
from sympy.core.cache import clear_cache

from tableqa_metrics import finqa_program_equal


COUNT = 1050
# Shapes of references and how many of a thousand have them; a, b, ... are arguments.
SHAPES = {
    "subtract(a, b), divide(#0, b)": 330,
    "divide(a, b)": 260,
    "add(a, b), divide(#0, const_2)": 110,
    "subtract(a, b)": 100,
    "multiply(a, b)": 60,
    "add(a, b), add(#0, c), divide(#1, const_3)": 50,
    "multiply(a, const_100), divide(#0, b)": 40,
    "divide(a, b), divide(c, d), subtract(#0, #1)": 30,
    "greater(a, b)": 20,
}
# What a prediction does with the reference's arguments, and how often of a hundred.
CHANGES = {"same": 70, "swapped": 10, "other": 20}
SYMPY_ROUNDS, ROUNDS = 1, 5

Pair = tuple[str, str]


def made_up() -> list[Pair]:
    rng = random.Random(0)
    pairs = []
    for _ in range(COUNT):
        (shape,) = rng.choices(list(SHAPES), list(SHAPES.values()))
        (change,) = rng.choices(list(CHANGES), list(CHANGES.values()))
        numbers = {letter: str(rng.randint(1, 10**6) / 10) for letter in "abcd"}
        others = dict(numbers)
        if change == "swapped":
            others["a"], others["b"] = others["b"], others["a"]
        elif change == "other":
            others["b"] = "const_5"
        pairs.append((filled(shape, numbers), filled(shape, others)))
    return pairs


def filled(shape: str, numbers: dict[str, str]) -> str:
    return re.sub(r"\b[abcd]\b", lambda letter: numbers[letter[0]], shape)


def from_files(references: Path, predictions: Path) -> list[Pair]:
    records = json.loads(references.read_text(encoding="utf-8"))
    programs = {record["id"]: record["qa"]["program"] for record in records}
    return [
        (programs[prediction["id"]], text(prediction["predicted"]))
        for prediction in json.loads(predictions.read_text(encoding="utf-8"))
    ]


def text(tokens: list[str]) -> str:
    steps = zip(*[iter(tokens[:-1])] * 4, strict=True)
    return ", ".join(f"{name}{first}, {second})" for name, first, second, _ in steps)


def seconds(equal: Callable[[str, str], bool], pairs: list[Pair], rounds: int) -> float:
    def work() -> None:
        for pair in pairs:
            equal(*pair)

    return figures.least(work, rounds, before=clear_cache)


def main() -> None:
    parser = figures.parser(__doc__)
    parser.add_argument("--references", type=Path, help="a FinQA data file")
    parser.add_argument("--predictions", type=Path, help="programs for it, as tokens")
    args = parser.parse_args()
    if (args.references is None) != (args.predictions is None):
        parser.error("--references and --predictions go together")
    if args.references is None:
        pairs = made_up()
    else:
        pairs = from_files(args.references, args.predictions)
    if args.quick:
        pairs = pairs[:100]
    for pair in pairs:
        if finqa_program_equal(*pair) != plain_equal(*pair):
            raise SystemExit(f"the verdicts differ on {pair}")
    plain = seconds(plain_equal, pairs, SYMPY_ROUNDS)
    ours = seconds(finqa_program_equal, pairs, ROUNDS)
    row = {"programs": len(pairs), "sympy_s": plain, "ours_s": ours}
    figures.show(
        [{**row, "ratio": plain / ours, "aim": "50 or more"}], as_json=args.json
    )


if __name__ == "__main__":
    main()
