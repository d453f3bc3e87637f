"""TANQ's table metric where lists are faster than arrays.

That is where there are few datapoints, and where the keys of one table are all among those
of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .cells import anls, cell_similarity


# Up to this many pairs of keys.
FEW_PAIRS: Final = 150

# Precision, recall and F1.
Scores = tuple[float, float, float]


def easy_scores(gold: dict[str, str], prediction: dict[str, str]) -> Scores | None:
    """The scores of datapoints, cells by key, or `None` where they need arrays."""
    if not gold or not prediction:
        return float(not prediction), float(not gold), float(gold == prediction)
    if nested(gold, prediction):
        earned = _earned_by_equal(gold, prediction)
    elif len(gold) * len(prediction) <= FEW_PAIRS:
        cells = list(gold.values()), list(prediction.values())
        earned = [
            similarity * cell_similarity(cells[0][i], cells[1][j])
            for i, j, similarity in assigned_few(gold, prediction)
        ]
    else:
        return None
    return scores(earned, len(gold), len(prediction))


def nested(gold: dict[str, str], prediction: dict[str, str]) -> bool:
    """Whether the keys of one side are all among those of the other.

    Equal keys are then assigned to each other, whatever the roundings: each is the only
    one of cost 0, and no other key was better off with it.
    """
    return gold.keys() <= prediction.keys() or gold.keys() >= prediction.keys()


def scores(earned: Iterable[float], wanted: int, given: int) -> Scores:
    """The scores of what the gold datapoints earned, in their order."""
    total = 0.0
    for value in earned:
        total += value
    if total == 0.0:
        return 0.0, 0.0, 0.0
    precision, recall = total / given, total / wanted
    return precision, recall, 2 * precision * recall / (precision + recall)


def assigned_few(
    gold: Iterable[str], prediction: Iterable[str]
) -> list[tuple[int, int, float]]:
    """Assign keys: places of similar pairs, in the order of the gold keys."""
    predicted = list(prediction)
    similar = [[anls(key, other) for other in predicted] for key in gold]
    near = [(i, j) for i, row in enumerate(similar) for j, s in enumerate(row) if s]
    # Pairs that share no key with another one are in every optimal assignment.
    if not len({i for i, _ in near}) == len(near) == len({j for _, j in near}):
        near = _assigned(similar)
    return [(i, j, similar[i][j]) for i, j in near if similar[i][j]]


def _earned_by_equal(gold: dict[str, str], prediction: dict[str, str]) -> list[float]:
    return [
        cell_similarity(cell, prediction[key])
        for key, cell in gold.items()
        if key in prediction
    ]


def _assigned(similar: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    if len(similar) == 1:
        return [(0, similar[0].index(max(similar[0])))]
    if len(similar[0]) == 1:
        column = [row[0] for row in similar]
        return [(column.index(max(column)), 0)]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment([[1 - s for s in row] for row in similar])
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
