"""The scores of all questions in one file of predictions, on disk."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from .references import References
from .scorer import BatchScores


_ROWS: Final = 4096  # questions whose scores are in memory at a time


class Sheet:
    """The scores of a file, by the places of the questions among the references.

    Attributes
    ----------
    references
        The questions.
    names
        The metrics.
    words
        Counts the reasons and rules that stand in the place of a score.
    differ
        Counts the questions of which a sample log has another value, by metric.
    """

    def __init__(self, references: References) -> None:
        self.references = references
        self.names: tuple[str, ...] = ()
        self.words: dict[str, Counter[str]] = {}
        self.differ: Counter[str] = Counter()
        self._table = f"score{references.store.new_number()}"
        references.store.execute(
            f"CREATE TABLE {self._table} (place INTEGER PRIMARY KEY, scores BLOB)"
        )

    def add(self, scores: BatchScores) -> None:
        """Put the scores of a batch to the others."""
        records = scores.records
        if scores.names != self.names:
            new = (name for name in scores.names if name not in self.names)
            self.names = (*self.names, *new)
            records = [self._arranged(scores.names, record) for record in records]
        self.references.store.executemany(
            f"INSERT INTO {self._table} VALUES (?, ?)",
            zip(scores.places, records, strict=True),
        )
        for name, counts in scores.words.items():
            self.words.setdefault(name, Counter()).update(counts)
        self.differ.update(scores.differ)

    def parts(
        self,
    ) -> Iterator[tuple[Sequence[int], Sequence[int], list[array[float]]]]:
        """Yield the questions that are scored, some thousand at a time.

        Yields
        ------
        Sequence[int]
            Their places, ascending.
        Sequence[int]
            The numbers of their groups.
        list[array]
            For each metric their values, NaN where a question has none.
        """
        rows = self.references.store.execute(
            f"SELECT place, groups, scores FROM {self._table} "
            "CROSS JOIN question USING (place) ORDER BY place"
        )
        none = self._arranged((), b"")
        while some := rows.fetchmany(_ROWS):
            places, groups, records = zip(*some, strict=True)
            # Metrics that only later questions have were not known of the first ones.
            whole = b"".join(
                record + none[len(record) :] if len(record) < len(none) else record
                for record in records
            )
            table = array("d", whole)
            width = len(self.names)
            yield places, groups, [table[number::width] for number in range(width)]

    def values(self, name: str) -> array[float]:
        """Return a metric of all questions, NaN where there is none."""
        found = array("d", [math.nan]) * len(self.references)
        number = self.names.index(name)
        for places, _, columns in self.parts():
            for place, value in zip(places, columns[number], strict=True):
                found[place] = value
        return found

    def _arranged(self, names: Sequence[str], record: bytes) -> bytes:
        """Return a record with all metrics, given those that it has."""
        known = dict(zip(names, array("d", record), strict=True))
        return array("d", [known.get(name, math.nan) for name in self.names]).tobytes()
