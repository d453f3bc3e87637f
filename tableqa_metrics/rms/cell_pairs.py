"""How alike many pairs of cells are to TANQ's table metric, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .cells import (
    NUMBER_THETA,
    TEXT_THETA,
    begins_like_a_word,
    number,
    settled_similarity,
)
from .pairs import Floats, Ints, apart, text_lengths


Truths = NDArray[np.bool_]


class CellPairs:
    """The cells of two tables, which `cell_similarity` would compare one by one."""

    def __init__(self, reference: Iterable[str], prediction: Iterable[str]) -> None:
        self._cells = list(reference), list(prediction)

    def similarities(self, reference: Ints, prediction: Ints) -> Floats:
        """The similarities of reference cells and predicted ones, by their positions."""
        places = reference, prediction
        if len(reference) <= len(self._cells[0]) and "_ids" not in vars(self):
            # So few pairs, mostly of equal cells, cost less than arrays of all cells.
            return _listed(
                *(
                    [cells[k] for k in side.tolist()]
                    for cells, side in zip(self._cells, places, strict=True)
                )
            )
        i, j = self._of_places(*places)
        similarity: Floats = (i == j).astype(np.float64)
        numeric = self._numeric(i, j)
        similarity[numeric] = self._of_numbers(i[numeric], j[numeric])
        textual = self._textual(i, j, numeric)
        similarity[textual] = self._of_texts(i[textual], j[textual])
        return similarity

    def may_be_alike(self, reference: Ints, prediction: Ints) -> Truths:
        """Which have a similarity, unless they are texts, of which only some have."""
        i, j = self._of_places(reference, prediction)
        numeric = self._numeric(i, j)
        alike: Truths = (i == j) | self._textual(i, j, numeric)
        alike[numeric] = self._of_numbers(i[numeric], j[numeric]) > 0.0
        return alike

    def _of_places(self, reference: Ints, prediction: Ints) -> tuple[Ints, Ints]:
        """Which of the different cells are at these positions."""
        _, first, second = self._ids
        return first[reference], second[prediction]

    @cached_property
    def _ids(self) -> tuple[list[str], Ints, Ints]:
        """The different cells, and which of them each cell of either side is."""
        place: dict[str, int] = {}
        first, second = (
            np.array([place.setdefault(cell, len(place)) for cell in cells])
            for cells in self._cells
        )
        return list(place), first, second

    def _numeric(self, i: Ints, j: Ints) -> Truths:
        """Where a relative error counts."""
        numbers, is_number = self._numbers
        numeric: Truths = is_number[j] & is_number[i] & (numbers[i] != 0.0)
        return numeric

    def _textual(self, i: Ints, j: Ints, numeric: Truths) -> Truths:
        """Where an edit distance counts, and is not too great by the lengths alone."""
        a, b = self._lengths[i], self._lengths[j]
        near: Truths = (2 * np.minimum(a, b) > np.maximum(a, b)) & (i != j) & ~numeric
        return near

    def _of_numbers(self, i: Ints, j: Ints) -> Floats:
        expected, predicted = self._numbers[0][i], self._numbers[0][j]
        with np.errstate(all="ignore"):
            # NaN and infinities make the error NaN, which is not below the threshold.
            error = np.abs((expected - predicted) / expected)
            return np.where(error < NUMBER_THETA, 1 - error, 0.0)

    def _of_texts(self, i: Ints, j: Ints) -> Floats:
        different = self._ids[0]
        return _of_texts(*([different[k] for k in side.tolist()] for side in (i, j)))

    @cached_property
    def _lengths(self) -> Ints:
        return text_lengths(self._ids[0])

    @cached_property
    def _numbers(self) -> tuple[Floats, Truths]:
        """The number that each text is, and whether it is one."""
        found = [number(text) for text in self._ids[0]]
        is_number = np.array([value is not None for value in found])
        return np.array([value or 0.0 for value in found]), is_number


def _listed(reference: Sequence[str], prediction: Sequence[str]) -> Floats:
    """How alike each cell of a list is to that of the other in its place."""
    settled = [
        1.0 if a == b and begins_like_a_word(a) else settled_similarity(a, b)
        for a, b in zip(reference, prediction, strict=True)
    ]
    similarity = np.array([value or 0.0 for value in settled])
    texts = [k for k, value in enumerate(settled) if value is None]
    if texts:
        sides = ([side[k] for k in texts] for side in (reference, prediction))
        similarity[texts] = _of_texts(*sides)
    return similarity


def _of_texts(reference: Sequence[str], prediction: Sequence[str]) -> Floats:
    """By edit distance; of two texts in one place at least one is not empty."""
    longer = np.maximum(text_lengths(reference), text_lengths(prediction))
    distance = apart(reference, prediction) / longer
    similarity: Floats = np.where(distance < TEXT_THETA, 1 - distance, 0.0)
    return similarity
