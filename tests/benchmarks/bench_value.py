"""Time the value metrics against the official ones on the same answers, in one run.

`value_table_score` beside `rms_score` on the tables of `bench_rms.py`, and `value_match`
beside `tatqa_score` on the questions of `bench_tatqa.py` (`--references` and
`--predictions` name real ones). The ratio is value over official; below 1 is faster.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parent))

import bench_rms
import bench_tatqa
import figures

from tableqa_metrics import rms_score, tatqa_score, value_match, value_table_score
from tableqa_metrics.table import parse_serialized


SIZES = ("5x5", "20x8", "50x10", "100x10")
AIM = "3 or less"


# How cells may be written that take reading, and what headers may say of them.
FORMS: dict[str, Callable[[random.Random], str]] = {
    "1,234": lambda rng: f"{rng.randint(1000, 99999):,}",
    "12.5": lambda rng: f"{rng.uniform(1, 999):.1f}",
    "$1,234": lambda rng: f"${rng.randint(1000, 99999):,}",
    "(1,234)": lambda rng: f"({rng.randint(1000, 99999):,})",
    "12.5%": lambda rng: f"{rng.uniform(1, 99):.1f}%",
    "480 km": lambda rng: f"{rng.randint(10, 999)} km",
    "31 March 1950": lambda rng: (
        f"{rng.randint(1, 28)} March {rng.randint(1900, 2020)}"
    ),
    "A and B": lambda rng: f"{bench_rms.person(rng)} and {bench_rms.person(rng)}",
}
HEADERS = {
    "size": ("size", "rank", "cost", "area"),
    "revenue 2010 ($ million)": [f"revenue {2010 + i} ($ million)" for i in range(4)],
}
HEIGHTS = (5, 20, 50)


def of_cells(form: str, header: str, height: int) -> list[bench_rms.Table]:
    """Return a table, and one in which three cells in ten and no name are others."""
    rng = random.Random(f"{form} {header} {height}")
    cell = FORMS[form]
    header_line = ["entity", *HEADERS[header]]
    rows = [
        [bench_rms.person(rng), *(cell(rng) for _ in HEADERS[header])]
        for _ in range(height)
    ]
    others = [
        [name, *(c if rng.random() < 0.7 else cell(rng) for c in cells)]
        for name, *cells in rows
    ]
    return [[header_line, *rows], [header_line, *others]]


def compare_cells(budget: float) -> Iterator[figures.Row]:
    for header in HEADERS:
        for form in FORMS:
            row: figures.Row = {"cells": form, "headers": header}
            for height in HEIGHTS:
                pair = of_cells(form, header, height)
                found = compare_tables(form, f"{height}x4", budget, pair)
                row[f"{height}x4, ms"] = round(found["value_s"] * 1000, 2)
                row[f"ratio of {height}x4"] = round(found["ratio"], 1)
            yield row


def compare_tables(
    kind: str, size: str, budget: float, pair: list[bench_rms.Table] | None = None
) -> figures.Row:
    texts = list(map(bench_rms.serialized, pair or bench_rms.pair(kind, size)))
    tables = [parse_serialized(text) for text in texts]
    f1 = value_table_score(*tables).f1  # the first calls import scipy
    rms_score(*texts)
    official, value = figures.taking_turns(
        lambda: rms_score(*texts), lambda: value_table_score(*tables), budget=budget
    )
    return {
        "prediction": kind,
        "table": size,
        "value_f1": round(f1, 2),
        "rms_s": official,
        "value_s": value,
        "ratio": value / official,
        "aim": AIM,
    }


def compare_answers(cases: list[bench_tatqa.Case], budget: float) -> figures.Row:
    def official():
        for case in cases:
            tatqa_score(*case)

    def value():
        for gold, prediction, scale in cases:
            value_match(
                gold["answer"],
                prediction,
                reference_scale=gold["scale"],
                prediction_scale=scale,
            )

    tatqa, ours = figures.taking_turns(official, value, budget=budget)
    return {
        "questions": len(cases),
        "tatqa_s": tatqa,
        "value_s": ours,
        "ratio": ours / tatqa,
        "aim": AIM,
    }


def rows(
    cases: list[bench_tatqa.Case], kinds: list[str], sizes: list[str], budget: float
) -> Iterator[figures.Row]:
    yield compare_answers(cases, budget)
    for kind in kinds:
        for size in sizes:
            yield compare_tables(kind, size, budget)


def main() -> None:
    parser = figures.parser(__doc__)
    kinds = list(bench_rms.KINDS)
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--sizes", nargs="+", metavar="ROWSxCOLUMNS")
    parser.add_argument(
        "--cells",
        action="store_true",
        help="cells that take reading, below equal names",
    )
    parser.add_argument("--references", type=Path, help="TAT-QA questions to score")
    parser.add_argument("--predictions", type=Path, help="their {uid: [answer, scale]}")
    args = parser.parse_args()
    if (args.references is None) != (args.predictions is None):
        parser.error("--references and --predictions go together")
    if args.references is None:
        cases = bench_tatqa.made_up()
    else:
        cases = bench_tatqa.from_files(args.references, args.predictions)
    sizes = args.sizes or list(SIZES[:2] if args.quick else SIZES)
    budget = figures.QUICK_BUDGET if args.quick else figures.BUDGET
    if args.cells:
        figures.show(compare_cells(budget), as_json=args.json)
        return
    figures.show(rows(cases, args.kinds, sizes, budget), as_json=args.json)


if __name__ == "__main__":
    main()
