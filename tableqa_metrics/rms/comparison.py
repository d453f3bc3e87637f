"""The readings of a predicted table against the reference, for TANQ's table metric."""

from __future__ import annotations

import math
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from .cells import cell_similarity
from .datapoints import Datapoints
from .few import FEW_PAIRS, Scores, assigned_few, nested, scores


if TYPE_CHECKING:
    from .cell_pairs import CellPairs
    from .named_keys import NamedKeys
    from .pairs import Floats, Ints, Pairs
    from .search import SimilarPairs


# Up to this many pairs, of so many characters times characters, all edit distances are
# faster than those of similar keys.
_SOME_PAIRS: Final = 2**13
_SOME_STEPS: Final = 2**24
# Up to this many pairs of keys that are at most so long, a matrix is made of all costs:
# from the names that the keys are made of, unless these are short.
_MANY_PAIRS: Final = 2**24
_LONGEST: Final = 2**14 - 1
_SHORT_KEYS: Final = 16
# Keys longer than this are not compared several at once.
_LONG_KEYS: Final = 64
# So many edit distances at once cost what one costs by itself; so many of short keys, and
# so many where keys differ by numbers.
_ONE_BY_ONE: Final = 12
_ONE_BY_ONE_SHORT: Final = 32
_ONE_BY_ONE_NUMBERED: Final = 48


def better_scores(transposed: Comparison, upright: Comparison) -> Scores:
    """The scores of the better reading: of the table transposed if both are equal."""
    readings = transposed, upright
    if not (transposed.cheap and upright.cheap):
        # The likelier one first; of readings alike the upright one.
        second, first = sorted(readings, key=lambda reading: reading.likely)
        if not second.can_reach(first.scores[2]):
            return first.scores
    return max((reading.scores for reading in readings), key=itemgetter(2))


def most_f1(few: int, many: int) -> float:
    """The F1 of two tables of so many datapoints, the fewer all found and right."""
    few, many = sorted((few, many))
    return 2 * few / (few + many) if many > few else 1.0


class Comparison:
    """One reading of the prediction against the reference.

    Parameters
    ----------
    gold, prediction
        Datapoints of the reference and of the reading.
    easy
        The scores, where they are known already.
    """

    def __init__(
        self, gold: Datapoints, prediction: Datapoints, easy: Scores | None = None
    ) -> None:
        self.gold, self.prediction, self._easy = gold, prediction, easy
        self._shape = len(gold.cells), len(prediction.cells)
        self._pairs = self._shape[0] * self._shape[1]
        self._found: SimilarPairs | None = None
        self._measured: tuple[Pairs, Pairs] | None = None

    @cached_property
    def scores(self) -> Scores:
        """Precision, recall and F1."""
        if self._easy:
            return self._easy
        found = scores(self._earned(), *self._shape)
        # The other reading's matrix takes its memory, which is faster than fresh memory.
        vars(self).pop("_matrix", None)
        return found

    @cached_property
    def cheap(self) -> bool:
        """Whether all pairs of keys may be compared without a second thought."""
        if self._easy or self._pairs > _SOME_PAIRS:
            return bool(self._easy)
        steps = 1
        for side in (self.gold, self.prediction):
            steps *= sum(map(len, side.cells))
        return steps <= _SOME_STEPS

    @cached_property
    def likely(self) -> tuple[bool, int, float]:
        """What makes one reading likelier than another, before it is scored."""
        if self.cheap:
            return True, 0, 0.0
        shared = self.gold.cells.keys() & self.prediction.cells.keys()
        return False, len(shared), most_f1(*self._shape)

    def can_reach(self, f1: float) -> bool:
        """Whether the F1 may be that high, found out as cheaply as possible."""
        if self.cheap:
            return self.scores[2] >= f1
        # Its keys are not nested, so that at least one of them is less than similar.
        if most_f1(*self._shape) <= f1:
            return False
        # The margin covers the roundings of all sums.
        needed = f1 * sum(self._shape) / 2 * (1 - 1e-6)
        if _LONG_KEYS < self._longest <= _LONGEST and self._of_names:
            from .names import most_by_long_names

            if most_by_long_names(*self._named) < needed:
                return False
        similar = self._similar(needed)
        if similar.best_total < needed:
            return False
        candidates = similar.candidates
        if similar.given_up or self._too_many(candidates, self._one_by_one):
            return self._matrix_reaches(needed)
        alike = self._cells.may_be_alike(*self._places(candidates))
        valued = candidates.part(alike)
        if valued.best_total() < needed:
            return False
        if self._too_many(candidates):
            return self._matrix_reaches(needed)
        valued = similar.measured(valued)
        self._measured = valued, candidates.part(~alike)
        return valued.best_total(self._weights(valued)) >= needed

    def _matrix_reaches(self, needed: float) -> bool:
        """Whether the sum of similarities may be that much, by the costs of all pairs."""
        matrix = self._matrix
        return matrix is None or len(matrix) - matrix.min(axis=1).sum() >= needed

    def assigned(self) -> list[tuple[int, int, float]]:
        """The places of assigned datapoints in their tables, and their similarity.

        Pairs of similarity 0 are left out; the gold datapoints are in order.
        """
        gold, prediction = self.gold.cells, self.prediction.cells
        if nested(gold, prediction):
            places = {key: j for j, key in enumerate(prediction)}
            return [(i, places[k], 1.0) for i, k in enumerate(gold) if k in places]
        if self._pairs <= FEW_PAIRS:
            return assigned_few(gold, prediction)
        return self._listed(self._assigned())

    def _listed(self, pairs: Pairs) -> list[tuple[int, int, float]]:
        gold, prediction = self._places(pairs)
        order = gold.argsort()
        lists = gold[order], prediction[order], pairs.similarity[order]
        return list(zip(*(values.tolist() for values in lists), strict=True))

    def _earned(self) -> list[float]:
        """What the gold datapoints earn, in their order, all else left out."""
        if self.cheap:
            gold = list(self.gold.cells.values())
            prediction = list(self.prediction.cells.values())
            return [
                similarity * cell_similarity(gold[i], prediction[j])
                for i, j, similarity in self._listed(self._assigned())
            ]
        pairs = self._undisputed()
        if pairs is None:
            pairs = self._assigned()
        pairs = pairs.part(self._places(pairs)[0].argsort())
        earned: list[float] = (pairs.similarity * self._weights(pairs)).tolist()
        return earned

    def _assigned(self) -> Pairs:
        from . import assignment

        if self._matrix is not None:
            return assignment.assign_matrix(self._matrix)
        height, width = (len(side.cells) for side in self._sides)
        return assignment.assign(height, width, self._exact)

    def _undisputed(self) -> Pairs | None:
        """The pairs that earn something, if each is the only similar one of its keys.

        Every optimal assignment holds such a pair, and what else it holds earns nothing.
        """
        from . import assignment

        matrix = self._matrix
        pairs = self._exact if matrix is None else assignment.few_pairs(matrix)
        if pairs is None or len(pairs) > min(self._shape):
            return None
        some = self._weights(pairs) > 0.0
        return pairs.part(some) if assignment.only_ones(pairs, some) else None

    @cached_property
    def _matrix(self) -> Floats | None:
        """The costs of all pairs of keys, or `None` where a search takes less."""
        from . import distances, names, numbered

        if self.cheap:
            return distances.small_cost_matrix(*self._keys)
        found = self._found
        if found and not found.given_up and not self._too_many(found.candidates):
            return None
        if not self._all_at_once:
            return None
        if self._numbered:
            matrix = numbered.cost_matrix(*self._named)
            if matrix is not None:
                return matrix
        if self._longest <= _SHORT_KEYS or self._begin_alike:
            return distances.cost_matrix(*self._keys)
        return names.cost_matrix(*self._named)

    @cached_property
    def _all_at_once(self) -> bool:
        """Whether there may be a matrix of all costs, which takes less than a search."""
        return (
            self._pairs <= _MANY_PAIRS
            and self._longest <= _LONGEST
            and (self._longest <= _SHORT_KEYS or self._begin_alike or self._of_names)
        )

    @cached_property
    def _begin_alike(self) -> bool:
        from . import distances

        return bool(distances.shared_prefix(*self._keys))

    @cached_property
    def _keys(self) -> tuple[list[str], list[str]]:
        rows, columns = self._sides
        return list(rows.cells), list(columns.cells)

    @cached_property
    def _longest(self) -> int:
        """How long the longest key is."""
        return max(max(map(len, side.cells)) for side in self._sides)

    @cached_property
    def _of_names(self) -> bool:
        """Whether most row names and column names have a datapoint together."""
        return self._pairs <= _MANY_PAIRS and all(
            len(side.first) * len(side.second) <= 2 * len(side.cells)
            and "title" not in side.cells
            for side in self._sides
        )

    @cached_property
    def _numbered(self) -> bool:
        """Whether keys may differ by numbers alone."""
        from . import numbered

        return self._of_names and numbered.may_pay(*self._sides)

    @cached_property
    def _named(self) -> tuple[NamedKeys, NamedKeys]:
        from .named_keys import NamedKeys

        rows, columns = self._sides
        return NamedKeys(rows), NamedKeys(columns)

    @cached_property
    def _exact(self) -> Pairs:
        """The similar pairs."""
        similar = self._similar(0.0)
        if self._measured is None:
            return similar.exact()
        from .pairs import joined

        valued, others = self._measured
        return joined([valued, similar.measured(others)])

    def _similar(self, needed: float) -> SimilarPairs:
        if self._found is None:
            from .search import SimilarPairs

            rows, columns = self._sides
            # So many candidates make for a matrix, too.
            of_one = max(1, self._one_by_one_at_most)
            too_many = 1 / of_one if self._all_at_once else math.inf
            self._found = SimilarPairs(
                *self._keys, rows.period, columns.period, needed, too_many
            )
        return self._found

    def _too_many(self, pairs: Pairs, of_one: int | None = None) -> bool:
        """Whether it costs less to compare all keys than to compare these one by one."""
        if of_one is None:
            of_one = self._one_by_one_at_most
        return len(pairs) * of_one > self._pairs

    @cached_property
    def _one_by_one(self) -> int:
        return _ONE_BY_ONE if self._longest > _SHORT_KEYS else _ONE_BY_ONE_SHORT

    @cached_property
    def _one_by_one_at_most(self) -> int:
        return _ONE_BY_ONE_NUMBERED if self._numbered else self._one_by_one

    @cached_property
    def _cells(self) -> CellPairs:
        from .cell_pairs import CellPairs

        return CellPairs(self.gold.cells.values(), self.prediction.cells.values())

    def _weights(self, pairs: Pairs) -> Floats:
        """How alike the cells are, by which the similarity of their keys is multiplied."""
        return self._cells.similarities(*self._places(pairs))

    def _places(self, pairs: Pairs) -> tuple[Ints, Ints]:
        """The gold datapoints and the predicted ones."""
        places = pairs.rows, pairs.columns
        return places[::-1] if self._turned else places

    @property
    def _turned(self) -> bool:
        """Whether the predicted datapoints are the rows, as scipy turns a tall matrix."""
        return self._shape[0] > self._shape[1]

    @property
    def _sides(self) -> tuple[Datapoints, Datapoints]:
        """The datapoints that are the rows, and those that are the columns."""
        sides = self.gold, self.prediction
        return sides[::-1] if self._turned else sides
