"""One reading of two tables compared: which rows are paired, and what their cells earn.

For `tableqa_metrics.value.pairing`; the docstring of `tableqa_metrics.value.table` defines
it. Cells are texts here; what is equal as written is not read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from ..table import PRF
from .assignment import Gains, assign
from .cells import Text, Texts
from .columns import pair_columns
from .layout import Column, NamedRows, Upright
from .names import MAX_PAIRS, like_names, same_names
from .once import once


# Equally good pairings of rows differ by their names.
_BY_NAME: Final = 1e-9


class Comparison:
    """The reference and one reading of the prediction."""

    def __init__(self, gold: Upright, found: Upright, texts: Texts) -> None:
        self._gold, self.found, self._texts = gold, found, texts
        self.alone = gold.width == 1
        self.columns, self.key = pair_columns(gold, found, texts)

    @once
    def golds(self) -> NamedRows:
        """The reference's rows with the columns that are paired."""
        return self._gold.named_rows(
            0 if self.columns else None, [a for a, _, _ in self.columns]
        )

    @once
    def others(self) -> NamedRows:
        """The prediction's."""
        return self.found.named_rows(
            self.key if self.columns else None, [b for _, b, _ in self.columns]
        )

    @once
    def _many(self) -> bool:
        return len(self.golds.names) * len(self.others.names) > MAX_PAIRS

    @once
    def counts(self) -> tuple[int, int]:
        """How many cells of the reference and of the prediction count."""
        keys = (None, None) if self.alone else (0, self.key)
        return self._gold.count(keys[0]), self.found.count(keys[1])

    @once
    def most(self) -> float:
        """What names that agree could earn at most."""
        weights = sum(weight for _, _, weight in self.columns)
        return weights * sum(max(row.values(), default=0.0) for row in self._near)

    @once
    def best(self) -> PairedRows:
        """The best pairing of rows."""
        same = self.by_same_names
        fewer = min(len(self.golds.names), len(self.others.names))
        best = fewer * sum(weight for _, _, weight in self.columns)
        if self._many or sum(same.earned) >= best:
            return same
        if self._near == same.near and _without_choice(same.near):
            return same
        return PairedRows(self, self._near)

    @once
    def by_same_names(self) -> PairedRows:
        """The pairing of rows whose names are the same; equal rows come first."""
        golds, others = self.golds, self.others
        equal: defaultdict[tuple[str | None, ...], list[int]] = defaultdict(list)
        for j, row in enumerate(zip(others.names, *others.columns, strict=True)):
            equal[row].append(j)
        near: list[dict[int, float]] = []
        for row in zip(golds.names, *golds.columns, strict=True):
            near.append({equal[row].pop(): 1.0} if equal.get(row) else {})
        taken = {j for row in near for j in row}
        left = [i for i, row in enumerate(near) if not row]
        free = [j for j in range(len(others.names)) if j not in taken]
        if left and free:
            most = max(1, MAX_PAIRS // len(left))
            texts = self._texts
            names = (
                [texts[golds.names[i]] for i in left],
                [texts[others.names[j]] for j in free],
            )
            for i, same in zip(left, same_names(*names, most), strict=True):
                near[i] = {free[j]: agreement for j, agreement in same.items()}
        return PairedRows(self, near)

    @once
    def _near(self) -> Gains:
        """Which rows may be paired, with the agreement of their names."""
        if self.alone and not self._many:
            alike = dict.fromkeys(range(len(self.others.names)), 1.0)
            return [dict(alike) for _ in self.golds.names]
        golds = [self._texts[name] for name in self.golds.names]
        others = [self._texts[name] for name in self.others.names]
        if self._many:
            return same_names(golds, others, max(1, MAX_PAIRS // len(golds)))
        return like_names(golds, others)

    def pair_rows(self, near: Gains) -> list[tuple[int, int]]:
        """Pair rows so that their cells earn most."""
        if _without_choice(near):
            only = [(i, j) for i, row in enumerate(near) for j in row]
            if len({j for _, j in only}) == len(only):
                return only
        gains = [{j: _BY_NAME * name for j, name in row.items()} for row in near]
        for golds, others, (a, b, weight) in self._compared:
            agreement = self._agreement_below(a, b)
            for gold, row, gained in zip(golds, near, gains, strict=True):
                if gold is None:
                    continue
                for j, likeness in row.items():
                    other = others[j]
                    if other is not None:
                        gained[j] += likeness * weight * agreement(gold, other)
        return [(i, j) for i, j in enumerate(assign(gains)) if j is not None]

    def agreements(self, pairs: list[tuple[int, int]]) -> Iterator[list[float | None]]:
        """Yield how far the cells of each pair of rows agree, column by column."""
        lines = [i for i, _ in pairs], [j for _, j in pairs]
        for golds, others, (a, b, _) in self._compared:
            wanted = list(map(golds.__getitem__, lines[0]))
            given = list(map(others.__getitem__, lines[1]))
            if _written_alike(wanted, given) and not self._remarked(a, b):
                yield [1.0] * len(wanted)
                continue
            agreement = self._agreement_below(a, b)
            yield [
                None if gold is None or other is None else agreement(gold, other)
                for gold, other in zip(wanted, given, strict=True)
            ]

    @once
    def _compared(self) -> list[tuple[Column, Column, tuple[int, int, float]]]:
        columns = self.golds.columns, self.others.columns, self.columns
        return list(zip(*columns, strict=True))

    def _agreement_below(self, a: int, b: int) -> Callable[[str, str], float]:
        headers = self._remarked(a, b)
        if headers is None:
            return self._texts.agreement
        return partial(self._texts.agreement_below, headers)

    def _remarked(self, a: int, b: int) -> tuple[Text, Text] | None:
        """Return the headers of two columns if either has a remark, which may be a unit."""
        golds, found = self._gold.header, self.found.header[b]
        # cells of one column may have no header
        gold = golds[a] if a < len(golds) else self._texts[""]
        return (gold, found) if gold.remark or found.remark else None


class PairedRows:
    """The rows of a comparison paired by some likeness of their names."""

    def __init__(self, comparison: Comparison, near: Gains) -> None:
        self.comparison, self.near = comparison, near
        self.pairs = comparison.pair_rows(near)
        self._agreements = list(comparison.agreements(self.pairs))

    @once
    def earned(self) -> list[float]:
        """What each pair of cells earns."""
        likeness = [self.near[i][j] for i, j in self.pairs]
        return [
            like * weight * agreed
            for column, (_, _, weight) in self.by_column()
            for like, agreed in zip(likeness, column, strict=True)
            if agreed is not None
        ]

    @once
    def score(self) -> PRF:
        """Precision, recall and F1, all 0 where nothing was earned."""
        return score_of(self.earned, *self.comparison.counts)

    def by_column(
        self,
    ) -> Iterator[tuple[list[float | None], tuple[int, int, float]]]:
        """Yield how far the cells of each pair of rows agree, and in which columns."""
        return zip(self._agreements, self.comparison.columns, strict=True)


def score_of(earned: Sequence[float], wanted: int, given: int) -> PRF:
    """Return precision, recall and F1 of what pairs of cells earn, of so many cells."""
    total = sum(earned)
    if not total:
        return PRF(0.0, 0.0, 0.0)
    return PRF(total / given, total / wanted, 2 * total / (given + wanted))


def _written_alike(wanted: list[str | None], given: list[str | None]) -> bool:
    """Whether cells that are all there are the same texts."""
    return wanted == given and None not in wanted


def _without_choice(near: Gains) -> bool:
    return all(len(row) < 2 for row in near)
