"""Time the value metrics against the official ones on the same answers, in one run.

`value_table_score` beside `rms_score` on the tables of `bench_rms.py`, and `value_match`
beside `tatqa_score` on the questions of `bench_tatqa.py` (`--references` and
`--predictions` name real ones). The ratio is value over official; below 1 is faster.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parent))

import bench_rms
import bench_tatqa

from tableqa_metrics import rms_score, tatqa_score, value_match, value_table_score
from tableqa_metrics.table import parse_serialized


SIZES = ((5, 5), (20, 8), (50, 10), (100, 10))
KINDS = ("similar", "unrelated", "equal", "numbered")


def compare_tables(kind: str, height: int, width: int) -> dict[str, object]:
    rng = random.Random(f"{kind} {height} {width}")
    make = bench_rms.numbered if kind == "numbered" else bench_rms.table
    gold = make(rng, height, width)
    if kind == "equal":
        other = gold
    elif kind == "unrelated":
        other = bench_rms.table(rng, height, width)
    else:
        other = bench_rms.similar(rng, gold)
    texts = bench_rms.serialized(gold), bench_rms.serialized(other)
    tables = parse_serialized(texts[0]), parse_serialized(texts[1])
    f1 = value_table_score(*tables).f1  # the first call imports scipy
    official = bench_rms.seconds(lambda: rms_score(*texts))
    value = bench_rms.seconds(lambda: value_table_score(*tables))
    return {
        "rows": height,
        "columns": width,
        "prediction": kind,
        "value_f1": f1,
        "rms_s": official,
        "value_s": value,
        "ratio": value / official,
    }


def compare_answers(cases: list[bench_tatqa.Case]) -> dict[str, object]:
    def value(gold, prediction, scale):
        return value_match(
            gold["answer"],
            prediction,
            reference_scale=gold["scale"],
            prediction_scale=scale,
        )

    official = bench_tatqa.seconds(tatqa_score, cases)
    ours = bench_tatqa.seconds(value, cases)
    return {
        "questions": len(cases),
        "tatqa_s": official,
        "value_s": ours,
        "ratio": ours / official,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object, no text")
    parser.add_argument("--quick", action="store_true", help="small tables only")
    parser.add_argument("--references", type=Path, help="TAT-QA questions to score")
    parser.add_argument("--predictions", type=Path, help="their {uid: [answer, scale]}")
    arguments = parser.parse_args()
    if (arguments.references is None) != (arguments.predictions is None):
        parser.error("--references and --predictions go together")
    if arguments.references is None:
        cases = bench_tatqa.made_up()
    else:
        cases = bench_tatqa.from_files(arguments.references, arguments.predictions)
    answers = compare_answers(cases)
    sizes = SIZES[:2] if arguments.quick else SIZES
    tables = [compare_tables(kind, *size) for kind in KINDS for size in sizes]
    if arguments.json:
        print(json.dumps({"answers": answers, "tables": tables}, indent=1))
        return
    print(
        f"{answers['questions']} questions: tatqa_score {answers['tatqa_s']:.3f} s, "
        f"value_match {answers['value_s']:.3f} s, ratio {answers['ratio']:.2f}\n"
    )
    print("| table | prediction | value F1 | rms, s | value, s | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in tables:
        print(
            f"| {row['rows']}x{row['columns']} | {row['prediction']} "
            f"| {row['value_f1']:.2f} | {row['rms_s']:.2g} | {row['value_s']:.2g} "
            f"| {row['ratio']:.2f} |"
        )


if __name__ == "__main__":
    main()
