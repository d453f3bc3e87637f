"""How far the names of rows and columns agree.

The names' side of `tableqa_metrics.value.table`, whose docstring defines it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from .cells import Text
from .equality import same_value
from .reading import Value


# From this edit distance on, relative to the longer text, two names are unlike.
NAME_THETA: Final = 0.5

# Where there are more pairs of rows (or of columns) than this, only those are looked at
# whose names are the same, the first ones that keep to this bound. Rows that are equal
# cell by cell are paired before.
MAX_PAIRS: Final = 2**18

# Up to so many pairs, a loop is faster than arrays.
_FEW_PAIRS: Final = 64


def equal_names(golds: Sequence[Text], others: Sequence[Text]) -> list[int] | None:
    """Return for each gold name the other that is written alike, if all have one.

    `None` unless on either side each name is a text of its own, also without the remark
    at its end: then no other name is as like as this one, and none needs to be looked at.
    """
    place = {other: j for j, other in enumerate(others)}
    if not len(place) == len(others) == len(golds) or place.keys() != set(golds):
        return None
    if not all(isinstance(other.value, str) for other in others):
        return None
    if not differ(others):
        return None
    return [place[gold] for gold in golds]


def differ(names: Sequence[Text]) -> bool:
    """Whether no two names have the same value, be it without the remark at the end."""
    values = [name.value for name in names]
    values += [name.bare for name in names if name.bare is not None]
    return len(set(values)) == len(values)


def same_whole(gold: Text, other: Text) -> bool:
    """Whether two names are the same with their remarks, units in whatever spelling."""
    if gold.value == other.value:
        return True
    wanted, given = gold.unit, other.unit
    if not wanted or not given or gold.bare != other.bare:
        return False
    return wanted == replace(given, suffix=wanted.suffix)


def same_names(
    golds: Sequence[Text], others: Sequence[Text], most: int, *, scales: bool = False
) -> list[dict[int, float]]:
    """Return for each gold name the others that name the same, the first `most`.

    Numbers and dates are the same here where they are written equally precisely. With
    `scales`, names may differ in the scale that they state.
    """
    index: defaultdict[Value, list[int]] = defaultdict(list)
    remarked: defaultdict[Value, list[int]] = defaultdict(list)
    measured: defaultdict[Value, list[int]] = defaultdict(list)
    for j, other in enumerate(others):
        index[other.value].append(j)
        if other.bare is not None:
            remarked[other.bare].append(j)
            if other.unit:
                measured[other.bare].append(j)
    found = []
    for gold in golds:
        same: list[Iterable[int]] = [
            index.get(gold.value, ()),
            remarked.get(gold.value, ()),
        ]
        if gold.bare is not None:
            same.append(index.get(gold.bare, ()))
            if gold.unit and gold.bare in measured:
                same.append(
                    j
                    for j in measured[gold.bare]
                    if not _exclude(gold, others[j], scales)
                )
        row: dict[int, float] = {}
        for j in chain.from_iterable(same):
            row[j] = 1.0
            if len(row) == most:
                break
        found.append(row)
    return found


def _exclude(gold: Text, other: Text, scales: bool) -> bool:
    """Whether two names state units that differ."""
    if not gold.unit or not other.unit:
        return False
    rescaled = gold.unit.factor != other.unit.factor and not scales
    return rescaled or gold.unit.excludes(other.unit)


def like_names(
    golds: Sequence[Text], others: Sequence[Text], *, scales: bool = False
) -> list[dict[int, float]]:
    """Return for each gold name how like it the others are, above `NAME_THETA`.

    `scales` is that of `same_names`.
    """
    near: list[dict[int, float]] = [{} for _ in golds]
    texts, numbers = _by_kind(golds)
    other_texts, other_numbers = _by_kind(others)
    for i, j, similarity in _similar(
        [golds[i].folded for i in texts], [others[j].folded for j in other_texts]
    ):
        gold, other = golds[texts[i]], others[other_texts[j]]
        if _exclude(gold, other, scales):
            continue
        if gold.digits == other.digits or not (gold.digits and other.digits):
            near[texts[i]][other_texts[j]] = similarity
    for i in numbers:
        for j in other_numbers:
            if same_value(golds[i].value, others[j].value):
                near[i][j] = 1.0
    same = same_names(golds, others, len(others), scales=scales)
    for row, found in zip(near, same, strict=True):
        row.update(found)
    return near


def _by_kind(names: Sequence[Text]) -> tuple[list[int], list[int]]:
    """Return the places of texts, and those of numbers and dates."""
    texts: list[int] = []
    numbers: list[int] = []
    for place, name in enumerate(names):
        (texts if name.number is None else numbers).append(place)
    return texts, numbers


def _similar(golds: list[str], others: list[str]) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of texts that are like each other: 1 minus relative distance."""
    from rapidfuzz.distance import Levenshtein

    if len(golds) * len(others) <= _FEW_PAIRS:
        for i, gold in enumerate(golds):
            size = len(gold)
            for j, other in enumerate(others):
                # what is half as long, or less, is too far apart
                half = 2 * size <= len(other) or 2 * len(other) <= size
                if half and (gold or other):
                    continue
                similarity = Levenshtein.normalized_similarity(gold, other)
                if similarity > NAME_THETA:
                    yield i, j, similarity
        return
    import numpy as np
    from rapidfuzz.process import cdist

    matrix = cdist(
        golds,
        others,
        scorer=Levenshtein.normalized_similarity,
        score_cutoff=NAME_THETA,
        dtype=np.float64,
    )
    rows, columns = (matrix > NAME_THETA).nonzero()
    parts = rows.tolist(), columns.tolist(), matrix[rows, columns].tolist()
    yield from zip(*parts, strict=True)
