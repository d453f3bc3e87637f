"""TANQ's official table metric: relative mapping similarity (RMS) of two tables.

Paper: Akhtar et al. 2024, "TANQ: An open domain dataset of table answered questions"
(arXiv:2405.07765); the metric is DePlot's (Liu et al. 2022, arXiv:2212.10505). Released
script: `tanq_utils.py` of google-deepmind/tanq at commit
5c3c6c1b3b224f7f9262adbb3664bb8577d252c4, with `anls_metric` of google-research/pix2struct
(the edition in which a distance of exactly one half counts as no similarity).

`rms_score` equals `evaluate_tables` of that script on one sample, to the last bit. Each
table becomes datapoints, `"row name column name" -> cell`; the keys are assigned to each
other by their edit distance, and a pair then scores the similarity of its keys times
that of its cells. The prediction is also read transposed, and the better F1 counts.

What is worth knowing about it, all of it reproduced: a table of one column has no
datapoints, so that any two of them score 1; a repeated key keeps its last cell; a first
line that starts with `title|` is a title, not a header; a wrong year scores about 0.999;
`0` against `0.0`, and `nan` against itself, score 0.

Deviations, none of which changes a score that the released script can give:

- a prediction that is not a string, on which it fails, scores 0;
- tables for which it needs tens of gigabytes score 0 with a logged warning (`rms_score`
  states the bounds).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ..shown import shown
from ..table import PRF
from .cells import anls, cell_similarity
from .datapoints import (
    Datapoints,
    TooLarge,
    datapoints,
    fewest_transposed,
    read,
    transposed_datapoints,
)


if TYPE_CHECKING:
    from .pairs import Pairs, SimilarPairs


_LOG = logging.getLogger(__name__)

# Up to this many pairs, lists are faster than arrays; and up to that many, of so many
# characters times characters, all edit distances are faster than those of similar keys.
_FEW_PAIRS: Final = 150
_SOME_PAIRS: Final = 2**13
_SOME_STEPS: Final = 2**24


def rms_score(reference: str, prediction: str | None) -> PRF:
    """Score a predicted table as the released TANQ script does.

    Parameters
    ----------
    reference, prediction
        Tables in TANQ's form, as stored in `answer_table` and `prediction_table`: a line
        a row, a bare pipe between cells. Any other text is read the same way.

    Returns
    -------
    PRF
        Each in [0, 1]; the paper prints 100 times the mean. A side without datapoints
        (empty, prose, a single row or column) makes no mistakes and finds nothing:
        precision 1 and recall 0 for such a prediction, precision 0 and recall 1 for such
        a reference, 1 throughout if both are. Not symmetric: precision and recall swap
        roles, only the prediction is transposed, and a relative error divides by the
        reference.

    Raises
    ------
    ValueError
        If the reference is not a string.

    Notes
    -----
    Let R and P be the numbers of datapoints. Time is that of R times P longest common
    subsequences of keys (about 6 ns each for keys of 30 characters) for each way of
    reading the prediction, and of one optimal assignment; a way that cannot win is left
    out, and where the keys of one side are all among the other's, time is linear.

    Memory: a matrix of R times P floats up to 256 MiB. Above that only the pairs of
    similar keys are kept, and the same assignment is found without the matrix. Bounds:
    R times P at most 2**30, 2**25 pairs of similar keys (about 2 GiB), and keys of
    512 MiB. Beyond them the score is 0 and a warning is logged, unless the keys of one
    side are all among the other's, or a bound is met only by a way of reading that
    cannot win.

    Examples
    --------
    >>> reference = "entity|composer|year\\nHigh Anxiety|John Morris|1977\\n"
    >>> rms_score(reference, "entity|year\\nHigh Anxiety|1977\\n")
    PRF(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    if not isinstance(reference, str):
        raise ValueError(  # noqa: TRY004 - every malformed reference raises this
            f"the reference is not a table as text: {shown(reference)}"
        )
    if not isinstance(prediction, str):
        return PRF(0.0, 0.0, 0.0)
    try:
        gold, table = datapoints(read(reference)), read(prediction)
        upright = _Comparison(gold, datapoints(table))
        try:
            transposed = _Comparison(gold, transposed_datapoints(table))
        except TooLarge:
            # A reference without datapoints scores an F1 of 0 against that many.
            most = _most(len(gold.cells), fewest_transposed(table))
            if gold.cells and most >= upright.score.f1:
                raise
            return upright.score
        return _better(transposed, upright)
    except TooLarge as error:
        _LOG.warning("a table is too large for TANQ's metric and scores 0: %s", error)
        return PRF(0.0, 0.0, 0.0)


class _Comparison:
    """One reading of the prediction against the reference.

    `cheap` says whether all pairs of keys may be compared without a second thought.
    """

    def __init__(self, gold: Datapoints, prediction: Datapoints) -> None:
        self._gold, self._prediction = gold, prediction
        self._shape = len(gold.cells), len(prediction.cells)
        self._found: SimilarPairs | None = None
        few, many = gold.cells.keys(), prediction.cells.keys()
        if len(few) > len(many):
            few, many = many, few
        self._nested = few <= many
        self.cheap = self._nested or (
            len(few) * len(many) <= _SOME_PAIRS
            and sum(map(len, few)) * sum(map(len, many)) <= _SOME_STEPS
        )

    @cached_property
    def score(self) -> PRF:
        height, width = self._shape
        if not height or not width:
            return PRF(float(not width), float(not height), float(height == width))
        total = 0.0
        for reference, prediction, similarity in self._assigned_cells():
            total += similarity * cell_similarity(reference, prediction)
        if total == 0.0:
            return PRF(0.0, 0.0, 0.0)
        precision, recall = total / width, total / height
        return PRF(precision, recall, 2 * precision * recall / (precision + recall))

    @cached_property
    def most(self) -> float:
        """What the F1 is at most, by the numbers of datapoints."""
        return _most(min(self._shape), max(self._shape))

    @cached_property
    def likely_most(self) -> float:
        """What the F1 is at most, by what keys have in common."""
        return self._most_of(self._similar(0.0).best_total)

    def can_reach(self, f1: float) -> bool:
        """Whether the F1 may be that high, found out as cheaply as possible."""
        if self.cheap:
            return self.score.f1 >= f1
        # Its keys are not nested, so that at least one of them is less than similar.
        if self.most <= f1:
            return False
        # Below the margin of `_most_of`, so that a search that ends early is conclusive.
        similar = self._similar(f1 * sum(self._shape) / 2 * (1 - 1e-8))
        if self._most_of(similar.best_total) < f1:
            return False
        return (
            self._most_of(self._pairs.best_total()) >= f1
            and self._most_of(self._pairs.best_total(self._cell_similarities())) >= f1
        )

    def _cell_similarities(self) -> list[float] | None:
        """Of each similar pair, unless they are so many that an assignment is quicker."""
        pairs = self._pairs
        if len(pairs.rows) > 2 * sum(self._shape):
            return None
        i, j = pairs.rows.tolist(), pairs.columns.tolist()
        gold, prediction = self._gold_cells, self._predicted_cells
        return [
            cell_similarity(gold[a], prediction[b]) for a, b in zip(i, j, strict=True)
        ]

    def _most_of(self, total: float) -> float:
        # The margin covers the roundings of both sums.
        return 2 * total / sum(self._shape) * (1 + 1e-9)

    @cached_property
    def _gold_cells(self) -> list[str]:
        return list(self._gold.cells.values())

    @cached_property
    def _predicted_cells(self) -> list[str]:
        return list(self._prediction.cells.values())

    def _similar(self, needed: float) -> SimilarPairs:
        if self._found is None:
            from .pairs import SimilarPairs

            self._found = SimilarPairs(
                list(self._gold.cells),
                list(self._prediction.cells),
                self._gold.period,
                self._prediction.period,
                needed,
            )
        return self._found

    @cached_property
    def _pairs(self) -> Pairs:
        return self._similar(0.0).exact()

    def _assigned_cells(self) -> Iterator[tuple[str, str, float]]:
        """Cells whose keys are assigned to each other, by ascending gold datapoint."""
        gold, prediction = self._gold.cells, self._prediction.cells
        if self._nested:
            # Equal keys are assigned to each other, whatever the roundings: each is the
            # only one of cost 0, and no other key was better off with it.
            for key, cell in gold.items():
                if key in prediction:
                    yield cell, prediction[key], 1.0
            return
        for i, j, similarity in self._assigned():
            yield self._gold_cells[i], self._predicted_cells[j], similarity

    def _assigned(self) -> Iterable[tuple[int, int, float]]:
        height, width = self._shape
        if height * width <= _FEW_PAIRS:
            return _assign_few(self._gold.cells, self._prediction.cells)
        from . import assignment, pairs

        if self.cheap:
            keys = list(self._gold.cells), list(self._prediction.cells)
            return assignment.assign_matrix(pairs.cost_matrix(*keys))
        return assignment.assign(height, width, self._pairs)


def _better(transposed: _Comparison, upright: _Comparison) -> PRF:
    """The better score: that of the table transposed if both are equal."""
    if not (upright.cheap and transposed.cheap):
        first, second = upright, transposed
        if (second.cheap, second.most) > (first.cheap, first.most):
            first, second = second, first
        if (
            not first.cheap
            and 2 * second.most > first.most
            and second.likely_most > first.likely_most
        ):
            first, second = second, first
        if not second.can_reach(first.score.f1):
            return first.score
    scores = transposed.score, upright.score
    return max(scores, key=lambda score: score.f1)


def _most(few: int, many: int) -> float:
    """The F1 of two tables of so many datapoints, the fewer all found and right."""
    return 2 * few / (few + many) if many > few else 1.0


def _assign_few(
    reference: Iterable[str], prediction: Iterable[str]
) -> Iterable[tuple[int, int, float]]:
    """Assign few keys, without arrays where one side is a single key."""
    predicted = list(prediction)
    similar = [[anls(key, other) for other in predicted] for key in reference]
    if len(similar) == 1:
        best = max(similar[0])
        return [(0, similar[0].index(best), best)]
    if len(predicted) == 1:
        best, row = max((row[0], -i) for i, row in enumerate(similar))
        return [(-row, 0, best)]
    if not any(map(any, similar)):
        return []
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment([[1 - s for s in row] for row in similar])
    assigned = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(i, j, similar[i][j]) for i, j in assigned]
