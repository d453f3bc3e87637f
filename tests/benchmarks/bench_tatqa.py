"""Time `tatqa_score` against the same metric written plainly, in one run.

Run it with `python tests/benchmarks/bench_tatqa.py`. It scores as many made-up
questions of each answer type as TAT-QA's dev set has, half of them answered rightly.
With `--references tatqa_dataset_dev.json --predictions sample_prediction.json` it
scores real ones. The plain metric does what the released scorer does for each question,
the assignment by scipy included, and takes about as long.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


sys.path.insert(0, str(Path(__file__).parents[1]))

import figures
from reference.tatqa_plain import plain_score

from tableqa_metrics import tatqa_score


COUNTS = {"span": 701, "multi-span": 217, "arithmetic": 718, "count": 32}
SCALES = ["", "", "", "thousand", "thousand", "percent", "million"]
WORDS = [
    *("the", "net", "revenue", "of", "services", "and", "a", "long-term", "lease,"),
    *("fiscal", "year", "2019", "June", "30,", "company's", "increase", "in", "5%"),
]
ROUNDS = 5

Case = tuple[dict[str, Any], Any, Any]


def span(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return f"${rng.randint(1, 99_999):,}.{rng.randint(0, 9)}"
    return " ".join(rng.choices(WORDS, k=rng.randint(1, 20)))


def answer(rng: random.Random, kind: str) -> Any:
    if kind == "count":
        return str(rng.randint(1, 9))
    if kind == "arithmetic":
        return round(rng.uniform(-5000, 5000), 2)
    return [span(rng) for _ in range(1 if kind == "span" else rng.randint(2, 5))]


def made_up() -> list[Case]:
    rng = random.Random(0)
    cases: list[Case] = []
    for kind, count in COUNTS.items():
        for _ in range(count):
            right, scale = answer(rng, kind), rng.choice(SCALES)
            gold = {"answer_type": kind, "answer": right, "scale": scale}
            given = right if rng.random() < 0.5 else answer(rng, kind)
            cases.append((gold, given, scale))
    return cases


def from_files(references: Path, predictions: Path) -> list[Case]:
    given = json.loads(predictions.read_text(encoding="utf-8"))
    contexts = json.loads(references.read_text(encoding="utf-8"))
    questions = [question for context in contexts for question in context["questions"]]
    return [(q, *given.get(q["uid"], (None, None))) for q in questions]


def seconds(
    score: Callable[..., object], cases: list[Case], rounds: int = ROUNDS
) -> float:
    def work() -> None:
        for case in cases:
            score(*case)

    return figures.least(work, rounds)


def main() -> None:
    parser = figures.parser(__doc__)
    parser.add_argument("--references", type=Path, help="TAT-QA questions to score")
    parser.add_argument("--predictions", type=Path, help="their {uid: [answer, scale]}")
    args = parser.parse_args()
    if (args.references is None) != (args.predictions is None):
        parser.error("--references and --predictions go together")
    if args.references is None:
        cases = made_up()
    else:
        cases = from_files(args.references, args.predictions)
    for case in cases:
        score = tatqa_score(*case)
        if (score.em, score.f1, score.scale_match) != plain_score(*case):
            raise SystemExit(f"the scores differ on {case}")
    rounds = 1 if args.quick else ROUNDS
    plain = seconds(plain_score, cases, rounds)
    ours = seconds(tatqa_score, cases, rounds)
    row = {"questions": len(cases), "plain_s": plain, "ours_s": ours}
    figures.show(
        [{**row, "ratio": plain / ours, "aim": "3 or more"}], as_json=args.json
    )


if __name__ == "__main__":
    main()
