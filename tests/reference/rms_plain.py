"""TANQ's table metric in plain Python: a loop over all pairs of keys.

The slow twin of `tableqa_metrics.rms`, written from the definition alone: every edit
distance with the `editdistance` package, which the released script counts with, and the
whole matrix to scipy.
"""

from __future__ import annotations

from itertools import zip_longest

import editdistance
from scipy.optimize import linear_sum_assignment


Scores = tuple[float, float, float]


def rms_plain(reference: str, prediction: str) -> Scores:
    """Precision, recall and F1 of the better of two readings of the prediction."""
    gold = points(*table(reference))
    title, rows = table(prediction)
    turned = [list(column) for column in zip_longest(*rows, fillvalue="")]
    readings = [points(title, turned), points(title, rows)]
    return max((compare(gold, points) for points in readings), key=lambda s: s[2])


def table(text: str) -> tuple[str | None, list[list[str]]]:
    lines = text.replace("|", " | ").lower().splitlines()
    title = None
    if lines and lines[0].startswith("title |"):
        title = lines.pop(0).removeprefix("title |").strip()
    return title, [[c.strip() for c in line.split(" | ")] for line in lines]


def points(title: str | None, rows: list[list[str]]) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    if title is not None:
        found["title"] = title
    for row in rows[1:]:
        for column in range(1, min(len(row), len(rows[0]))):
            found[row[0] + " " + rows[0][column]] = row[column]
    return list(found.items())


def compare(gold: list[tuple[str, str]], predicted: list[tuple[str, str]]) -> Scores:
    if not gold or not predicted:
        return float(not predicted), float(not gold), float(not gold and not predicted)
    costs = [[1 - similarity(g, p) for p, _ in predicted] for g, _ in gold]
    total = 0.0
    for i, j in zip(*linear_sum_assignment(costs), strict=True):
        total += similarity(gold[i][0], predicted[j][0]) * agreement(
            gold[i][1], predicted[j][1]
        )
    if total == 0:
        return 0.0, 0.0, 0.0
    precision, recall = total / len(predicted), total / len(gold)
    return precision, recall, 2 * precision * recall / (precision + recall)


def similarity(a: str, b: str) -> float:
    share = editdistance.eval(a, b) / max(len(a), len(b))
    return 1 - share if share < 0.5 else 0.0


def agreement(gold: str, predicted: str) -> float:
    expected, found = number(gold), number(predicted)
    if found is not None and expected:
        error = abs((expected - found) / expected)
        return 1 - error if error < 0.1 else 0.0
    return 1.0 if gold == predicted else similarity(gold, predicted)


def number(text: str) -> float | None:
    try:
        percent = text.endswith("%")
        return float(text.rstrip("%")) / 100 if percent else float(text)
    except ValueError:
        return None
