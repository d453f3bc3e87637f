"""What the scores of a file come to: of all questions, and of each group of them.

Figures are sums in the order of the questions. The values of each metric in each group
are therefore put together on disk first, in that order, and then read one after another:
memory does not grow with the questions.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, filterfalse
from math import isnan
from typing import Final

from ..aggregate import Estimate, estimate
from .breakdowns import BREAKDOWNS, Breakdown
from .sheet import Sheet
from .store import Store
from .tasks import PARTIAL, WORDS


# Names a group: the number of its breakdown, and its labels.
_Key = tuple[int, tuple[str, ...]]

_ALL: Final[_Key] = (-1, ())  # of all questions


@dataclass(frozen=True)
class Group:
    """The questions of one group of a breakdown."""

    labels: tuple[str, ...]
    n: int
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True)
class Figures:
    """The figures of a file, of all of its questions and by breakdown."""

    estimates: Mapping[str, Estimate]
    groups: Sequence[tuple[Breakdown, Sequence[Group]]]


def figures(sheet: Sheet) -> Figures:
    """Make figures of the scores of a file."""
    pieces = _Pieces(sheet)
    breakdowns = []
    for number, breakdown in enumerate(BREAKDOWNS[sheet.references.benchmark]):
        there = {labels for of, labels in pieces.sizes if of == number}
        others = sorted(there - set(breakdown.groups))
        groups = [
            Group(
                labels,
                pieces.sizes[number, labels],
                pieces.estimates((number, labels)),
            )
            for labels in (*breakdown.groups, *others)
            if labels in there or breakdown.grid
        ]
        breakdowns.append((breakdown, groups))
    return Figures(pieces.estimates(_ALL), breakdowns)


class _Pieces:
    """The values of each metric in each group, in pieces.

    `sizes` has how many questions are in a group.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sizes: Counter[_Key] = Counter()
        self._sheet = sheet
        self._store = sheet.references.store
        self._values: Counter[tuple[int, int]] = Counter()
        self._numbers: dict[_Key, int] = {}
        self._store.execute("DROP TABLE IF EXISTS piece")
        self._store.execute(
            "CREATE TABLE piece (number INTEGER PRIMARY KEY, groups INTEGER, "
            "metric INTEGER, content BLOB)"
        )
        for _, groups, columns in sheet.parts():
            self._add(groups, columns)
        self._store.execute("CREATE INDEX by_group ON piece (groups, metric)")

    def estimates(self, key: _Key) -> dict[str, Estimate]:
        """Return what the values of a group come to, by metric."""
        group = self._numbers.get(key, -1)
        return {
            name: estimate(
                _Values(self._store, group, metric, self._values[group, metric]),
                upper=1.0 if name in WORDS else self._sheet.references.upper,
                partial=name in PARTIAL,
            )
            for metric, name in enumerate(self._sheet.names)
        }

    def _add(self, groups: Sequence[int], columns: Sequence[array[float]]) -> None:
        whole = [not any(map(isnan, column)) for column in columns]
        for key, places in self._members(groups).items():
            self.sizes[key] += len(places)
            group = self._numbers.setdefault(key, len(self._numbers))
            for metric, column in enumerate(columns):
                found = column
                if len(places) < len(groups):
                    found = array("d", map(column.__getitem__, places))
                if not whole[metric]:
                    found = array("d", filterfalse(isnan, found))
                self._values[group, metric] += len(found)
                self._store.execute(
                    "INSERT INTO piece (groups, metric, content) VALUES (?, ?, ?)",
                    (group, metric, found.tobytes()),
                )

    def _members(self, groups: Sequence[int]) -> dict[_Key, Sequence[int]]:
        """Return which of some questions are in each group, given their numbers."""
        by_number: dict[int, list[int]] = {}
        for place, number in enumerate(groups):
            by_number.setdefault(number, []).append(place)
        lists: dict[_Key, list[int]] = {}
        for number, places in by_number.items():
            for breakdown, of_question in enumerate(
                self._sheet.references.groups[number]
            ):
                for labels in of_question:
                    lists.setdefault((breakdown, labels), []).extend(places)
        for members in lists.values():
            members.sort()  # few ascending parts, which takes next to no time
        return {_ALL: range(len(groups)), **lists}


class _Values:
    """The values of a metric in a group, as often as they are asked for."""

    def __init__(self, store: Store, group: int, metric: int, count: int) -> None:
        self._store = store
        self._of = group, metric
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[float]:
        pieces = self._store.execute(
            "SELECT content FROM piece WHERE groups = ? AND metric = ? ORDER BY number",
            self._of,
        )
        return chain.from_iterable(array("d", content) for (content,) in pieces)
