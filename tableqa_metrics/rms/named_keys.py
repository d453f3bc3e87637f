"""The keys of a table by the names that they are made of, for TANQ's table metric."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .datapoints import Datapoints
from .pairs import text_lengths


class NamedKeys:
    """The keys of one table: every first name with every second name.

    Attributes
    ----------
    points
        The datapoints.
    names
        The different first names, each with the space after it, and the second names.
    lengths
        Of each first name with each second name, whether there is such a datapoint or
        not; the other arrays are of this shape, too.
    """

    def __init__(self, points: Datapoints) -> None:
        first, second = dict.fromkeys(points.first), dict.fromkeys(points.second)
        self.names = [f"{name} " for name in first], list(second)
        self.name_lengths = text_lengths(self.names[0]), text_lengths(self.names[1])
        self.lengths = np.add.outer(*self.name_lengths)
        # Which of the two lists of names is the longer one.
        self.major = int(len(self.names[0]) < len(self.names[1]))
        self.count = len(points.cells)
        self.points = points

    @cached_property
    def keys(self) -> list[str]:
        """The keys in a list."""
        return [x + y for x in self.names[0] for y in self.names[1]]

    @cached_property
    def texts(self) -> NDArray[np.object_]:
        """The keys."""
        texts = np.empty(len(self.keys), dtype=object)
        texts[:] = self.keys
        return texts.reshape(self.lengths.shape)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """Where each key stands among the datapoints, -1 for one that is not there."""
        cells, first, second = self.points.cells, self.points.first, self.points.second
        # So many only if each row name has a key of its own with each column name.
        if self.count == len(first) * len(second) and "title" not in cells:
            return np.arange(self.count).reshape(self.lengths.shape)
        place = {key: i for i, key in enumerate(cells)}
        places = np.array([place.get(key, -1) for key in self.keys])
        return places.reshape(self.lengths.shape)

    def by_major(self, table: NDArray[Any]) -> NDArray[Any]:
        """A line for each of the fewer names, an entry for each of the more."""
        return table if self.major else table.T
