"""Measure how the cost of each function grows with what it is given, at three sizes.

Run it with `python tests/benchmarks/bench_growth.py`. `order` is the power of the size
that the cost grows with: 1 is linear. Texts and tables are made up; the functions on
files run whole commands on made-up responses.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


sys.path.insert(0, str(Path(__file__).parents[1]))

import bench_extraction
import bench_rms
import bench_score
import figures

import tableqa_metrics as metrics
from lm_eval_tasks import cli
from tableqa_metrics.table import parse_serialized


FACTORS = (1, 2, 4)
SAYING = "The increase in net revenue of 2019 was due to services, less returns. "


def words(count: int) -> str:
    return (SAYING * (count // 12 + 1))[: 6 * count]


def spans(count: int) -> list[str]:
    return [f"the span of item {number}" for number in range(count)]


def tatqa(count: int) -> Callable[[], object]:
    gold = {"answer_type": "multi-span", "answer": spans(count), "scale": ""}
    given = [*spans(count)[1:], "another span"]
    return lambda: metrics.tatqa_score(gold, given, "")


def tatqa_words(count: int) -> Callable[[], object]:
    gold = {"answer_type": "span", "answer": [words(count)], "scale": ""}
    return lambda: metrics.tatqa_score(gold, [words(count) + " more"], "")


def tatllm(count: int) -> Callable[[], object]:
    gold = {"answer_type": "arithmetic", "answer": 12.5, "scale": "million"}
    reply = f"{words(count)}\nThe answer is: 12.5 #### and its corresponding scale is: million"
    return lambda: metrics.tatllm_score(gold, reply, dataset="tatqa")


def value(count: int) -> Callable[[], object]:
    golds = [f"{number}.5 million" for number in range(count)]
    return lambda: metrics.value_match(golds, [*reversed(golds)])


def program(count: int, kind: str = "add") -> str:
    steps = [f"{kind}(1, 2)"]
    steps += [f"{kind}(#{number}, {number}.5)" for number in range(count - 1)]
    return ", ".join(steps)


def execution(count: int) -> Callable[[], object]:
    return lambda: metrics.finqa_execute(program(count), [])


def equality(count: int) -> Callable[[], object]:
    other = program(count).replace("add(1, 2)", "add(2, 1)")
    return lambda: metrics.finqa_program_equal(program(count), other)


def tables(
    score: Callable[[Any, Any], object], make: Callable[[str], Any]
) -> Callable[[int], Callable[[], object]]:
    def prepared(rows: int) -> Callable[[], object]:
        rng = random.Random(rows)
        gold = bench_rms.table(rng, rows, 10)
        other = bench_rms.similar(rng, gold)
        pair = [make(bench_rms.serialized(each)) for each in (gold, other)]
        return lambda: score(*pair)

    return prepared


def answer(count: int) -> Callable[[], object]:
    text = f"{words(count)}\n\nThe answer is: 12.5 million"
    return lambda: metrics.find_answer(text)


def prose(count: int) -> Callable[[], object]:
    text = f"{words(count)}\n\nSo the change was $12.5 million."
    return lambda: metrics.find_answer(text)


def found_program(count: int) -> Callable[[], object]:
    text = f"{words(count)}\n\nProgram: divide(subtract(3, 2), 2)"
    return lambda: metrics.find_program(text)


def found_table(form: str) -> Callable[[int], Callable[[], object]]:
    def prepared(rows: int) -> Callable[[], object]:
        made = bench_rms.table(random.Random(rows), rows, 6)
        text = bench_extraction.written(form, made)
        return lambda: metrics.find_table(text)

    return prepared


Case = tuple[str, str, int, Callable[[int], Callable[[], object]]]
CASES: tuple[Case, ...] = (
    ("rms_score", "rows of 10 columns", 20, tables(metrics.rms_score, str)),
    (
        *("value_table_score", "rows of 10 columns", 50),
        tables(metrics.value_table_score, parse_serialized),
    ),
    (
        *("cell_score", "rows of 10 columns", 200),
        tables(metrics.cell_score, parse_serialized),
    ),
    ("tatqa_score", "spans", 20, tatqa),
    ("tatqa_score", "words", 1000, tatqa_words),
    ("tatllm_score", "words", 1000, tatllm),
    ("value_match", "numbers", 50, value),
    (
        *("recipe_score", "words", 5000),
        lambda n: lambda: metrics.recipe_score(words(n), words(n) + "x"),
    ),
    ("finqa_execute", "steps", 100, execution),
    ("finqa_program_equal", "steps", 20, equality),
    ("find_answer, answer line", "words before it", 2000, answer),
    ("find_answer, prose", "words before it", 2000, prose),
    ("find_program", "words before it", 2000, found_program),
    *(
        (f"find_table, {form}", "rows of 6 columns", 50, found_table(form))
        for form in ("GitHub", "TANQ's", "CSV", "JSON", "HTML")
    ),
)


def command(*argv: object) -> None:
    """Run a command in this process, what it prints thrown away."""
    with contextlib.redirect_stdout(io.StringIO()):
        if status := cli.main([str(part) for part in argv]):
            raise SystemExit(f"tableqa {argv[0]} ended with status {status}")


def scored(size: int, folder: Path) -> Callable[[], object]:
    """`tableqa score` on so many responses, with all that it writes."""
    place = folder / str(size)
    place.mkdir()
    references, responses = bench_score.write(place, size)
    argv = ["score", "tatqa", "--references", references, "--predictions", responses]
    return lambda: command(*argv, "--output", place / "scores.json")


def reported(size: int, folder: Path) -> Callable[[], object]:
    """`tableqa report` of the score of so many responses."""
    place = folder / str(size)
    return lambda: command(
        "report", place / "scores.json", "--output", place / "a.html"
    )


def rows(quick: bool) -> Iterator[figures.Row]:
    for name, unit, size, prepare in CASES:
        sizes = [size * factor for factor in FACTORS]
        costs = [figures.seconds(prepare(each), quick=quick) for each in sizes]
        yield row(name, unit, sizes, costs)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = 100 if quick else 1000
        sizes = [size * factor for factor in FACTORS]
        for what, prepare_files in (("score", scored), ("report", reported)):
            costs = [
                figures.seconds(prepare_files(each, folder), quick=quick)
                for each in sizes
            ]
            yield row(f"tableqa {what}", "responses", sizes, costs)


def row(name: str, unit: str, sizes: list[int], costs: list[float]) -> figures.Row:
    return {
        "what": name,
        "of": unit,
        "sizes": " ".join(f"{size:,}" for size in sizes),
        "first_ms": 1000 * costs[0],
        "second_ms": 1000 * costs[1],
        "third_ms": 1000 * costs[2],
        "order": figures.order(sizes, costs),
    }


def main() -> None:
    args = figures.parser(__doc__).parse_args()
    figures.show(rows(args.quick), as_json=args.json)


if __name__ == "__main__":
    main()
