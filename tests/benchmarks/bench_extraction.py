"""Time how many responses a second their answers are found in, by the form of the answer.

Run it with `python tests/benchmarks/bench_extraction.py`. The responses are made up: two
sentences of reasoning and then the answer, as an answer line, a number in prose, JSON or
a program; or, for TANQ, a table of 6 rows and 4 columns in each of the usual forms. With
the real data at hand, the gold tables of TANQ's samples as GitHub tables come last.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parents[1]))

import bench_rms
import figures

from tableqa_metrics import find_answer, find_program, find_table


COUNT = 500
AIM = "10,000 each second"
REASONING = (
    "The table gives both years, so the change is the later value less the former one. "
    "Revenue was $1,452.3 million in 2019 and $1,298.7 million in 2018.\n\n"
)


def numbers(rng: random.Random) -> Iterator[str]:
    while True:
        yield f"{rng.uniform(-5000, 5000):,.2f}"


def answers(form: str, rng: random.Random) -> list[str]:
    """Responses whose answer stands in one form."""
    forms: dict[str, Callable[[str], str]] = {
        "answer line": lambda number: (
            f"The answer is: {number} #### and its corresponding scale is: million"
        ),
        "plain answer line": lambda number: f"Answer: {number}",
        "prose": lambda number: f"So the change in revenue was ${number} million.",
        "number alone": lambda number: number,
        "JSON": lambda number: json.dumps({"answer": number, "scale": "million"}),
        "boxed": lambda number: rf"$\boxed{{{number}}}$",
        "program": lambda number: (
            f"Program: subtract({number.replace(',', '')}, 1298.7), divide(#0, 1298.7)"
        ),
        "none": lambda number: "I cannot tell from the table.",
    }
    head = "" if form in ("number alone", "none") else REASONING
    some = numbers(rng)
    return [head + forms[form](next(some)) for _ in range(COUNT)]


def tables(form: str, rng: random.Random) -> list[str]:
    """Responses whose answer is a table in one form."""
    return [
        f"Here is the table.\n\n{written(form, bench_rms.table(rng, 6, 4))}"
        for _ in range(COUNT)
    ]


def written(form: str, rows: list[list[str]]) -> str:
    header, *body = rows
    if form == "GitHub":
        lines = [header, ["---"] * len(header), *body]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if form == "TANQ's":
        return "\n".join("|".join(line) for line in rows)
    if form == "CSV":
        return "\n".join(["```csv", *(",".join(line) for line in rows), "```"])
    if form == "JSON":
        return json.dumps([dict(zip(header, row, strict=True)) for row in body])
    lines = [
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in rows
    ]
    return f"<table>{''.join(lines)}</table>"


def golds() -> list[str]:
    """The golds of TANQ's ten samples as GitHub tables, where they are at hand."""
    path = figures.shared("tanq", "test_input.jsonl")
    if path is None:
        return []
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        written("GitHub", [line.split("|") for line in text.splitlines()])
        for text in (record["answer_table"] for record in records)
    ]


def measure(
    name: str, form: str, find: Callable[[str], object], texts: list[str], quick: bool
) -> figures.Row:
    def work() -> None:
        for text in texts:
            find(text)

    each = figures.seconds(work, quick=quick) / len(texts)
    characters = sum(map(len, texts)) // len(texts)
    return {
        "function": name,
        "form": form,
        "characters": characters,
        "each_ms": 1000 * each,
        "each second": round(1 / each),
        "aim": AIM,
    }


def rows(quick: bool) -> Iterator[figures.Row]:
    rng = random.Random(0)
    for form in (
        *("answer line", "plain answer line", "prose", "number alone", "JSON"),
        *("boxed", "none"),
    ):
        yield measure("find_answer", form, find_answer, answers(form, rng), quick)
    yield measure(
        "find_program", "program", find_program, answers("program", rng), quick
    )
    for form in ("GitHub", "TANQ's", "CSV", "JSON", "HTML"):
        yield measure("find_table", form, find_table, tables(form, rng), quick)
    if texts := golds():
        yield measure("find_table", "golds of TANQ", find_table, texts, quick)


def main() -> None:
    args = figures.parser(__doc__).parse_args()
    figures.show(rows(args.quick), as_json=args.json)


if __name__ == "__main__":
    main()
