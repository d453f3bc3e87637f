"""How far two cells, or two names of rows or columns, agree.

The cell's side of `tableqa_metrics.value.table`, whose docstring defines both.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..written.dates import CalendarDate
from .equality import pair_values, same_value
from .reading import Quantity, Value, parts_of, read_value
from .text import fold_text


# From this edit distance on, relative to the longer text, two names are unlike.
NAME_THETA: Final = 0.5

_BLANKS: Final = frozenset(("n/a", "n.a.", "na", "nan", "none", "null", "unknown"))
_SEPARATED = re.compile(r"[;#,\n\r&]|\band\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_OPENING: Final = {")": "(", "]": "["}
_MARKS: Final = " *_`\"'()[]\t\n\r\f\v\u00a0"
# Up to so many pairs, a loop is faster than arrays.
_FEW_PAIRS: Final = 64


@dataclass(frozen=True, eq=False)
class Text:
    """The text of a cell, read when that is asked for; one object for each text."""

    text: str

    @cached_property
    def value(self) -> Value:
        """What the text says; its folded text where that is no number or date."""
        value = read_value(self.text)
        return fold_text(self.text) if value is None else value

    @cached_property
    def folded(self) -> str:
        """The folded text."""
        return self.value if isinstance(self.value, str) else fold_text(self.text)

    @cached_property
    def blank(self) -> bool:
        """Whether the cell says that there is nothing."""
        written = self.text.strip(_MARKS).casefold()
        return written in _BLANKS or not any(map(str.isalnum, written))

    @cached_property
    def single(self) -> bool:
        """Whether the text holds nothing that separates values."""
        return _SEPARATED.search(self.text) is None

    @cached_property
    def values(self) -> list[Value]:
        """The different values that commas and the like separate."""
        return _different(parts_of(self.text))

    @cached_property
    def atoms(self) -> list[Value]:
        """The same, separated at "and" and "&" as well."""
        return _different(parts_of(self.text, at_and=True))

    @cached_property
    def number(self) -> Quantity | CalendarDate | None:
        """The number or date that this is as a name; with a unit it is a text."""
        value = self.value
        if isinstance(value, str) or (isinstance(value, Quantity) and value.unit):
            return None
        return value

    @cached_property
    def digits(self) -> tuple[str, ...]:
        """The runs of digits; names that differ in them are different names."""
        return tuple(_DIGITS.findall(self.folded))

    @cached_property
    def bare(self) -> Value | None:
        """What this says as a name without the remark in brackets at its end."""
        text = self.text.rstrip()
        opening = _OPENING.get(text[-1:])
        if opening is None or opening not in text:
            return None
        name = text[: text.rindex(opening)]
        return read_value(name) if name.strip() else None


def _different(parts: Sequence[str]) -> list[Value]:
    return list(dict.fromkeys(v for v in map(read_value, parts) if v is not None))


class Texts:
    """The texts of two tables, each read once, and the pairs compared so far."""

    def __init__(self) -> None:
        self._texts: dict[str, Text] = {}
        self._agreement: dict[tuple[Text, Text], float] = {}

    def __getitem__(self, text: str) -> Text:
        found = self._texts.get(text)
        if found is None:
            found = self._texts[text] = Text(text)
        return found

    def agreement(self, gold: Text, found: Text) -> float:
        """Return how far two cells agree, from 0 to 1; not symmetric for numbers."""
        if gold is found:
            return 1.0
        known = self._agreement.get((gold, found))
        if known is None:
            known = self._agreement[gold, found] = _agreement(gold, found)
        return known


def _agreement(gold: Text, found: Text) -> float:
    if same_value(gold.value, found.value) or (gold.blank and found.blank):
        return 1.0
    if gold.single and found.single:
        return 0.0
    wanted, given = gold.values, found.values
    shared = len(pair_values(wanted, given))
    if shared < max(len(wanted), len(given)):
        atoms, others = gold.atoms, found.atoms
        if len(atoms) == len(others) == len(pair_values(atoms, others)):
            return 1.0
    return 2 * shared / (len(wanted) + len(given))


def same_names(
    golds: Sequence[Text], others: Sequence[Text], most: int
) -> list[dict[int, float]]:
    """Return for each gold name the others that name the same, the first `most`.

    Numbers and dates are the same here where they are written equally precisely.
    """
    index: defaultdict[Value, list[int]] = defaultdict(list)
    remarked: defaultdict[Value, list[int]] = defaultdict(list)
    for j, other in enumerate(others):
        index[other.value].append(j)
        if other.bare is not None:
            remarked[other.bare].append(j)
    found = []
    for gold in golds:
        same = [*index.get(gold.value, ()), *remarked.get(gold.value, ())]
        if gold.bare is not None:
            same += index.get(gold.bare, ())
        found.append(dict.fromkeys(same[:most], 1.0))
    return found


def like_names(golds: Sequence[Text], others: Sequence[Text]) -> list[dict[int, float]]:
    """Return for each gold name how like it the others are, above `NAME_THETA`."""
    near: list[dict[int, float]] = [{} for _ in golds]
    texts = [i for i, gold in enumerate(golds) if gold.number is None]
    other_texts = [j for j, other in enumerate(others) if other.number is None]
    numbers = [i for i, gold in enumerate(golds) if gold.number is not None]
    other_numbers = [j for j, other in enumerate(others) if other.number is not None]
    for i, j, similarity in _similar(
        [golds[i].folded for i in texts], [others[j].folded for j in other_texts]
    ):
        digits = golds[texts[i]].digits, others[other_texts[j]].digits
        if digits[0] == digits[1] or not all(digits):
            near[texts[i]][other_texts[j]] = similarity
    for i in numbers:
        for j in other_numbers:
            if same_value(golds[i].value, others[j].value):
                near[i][j] = 1.0
    for row, same in zip(near, same_names(golds, others, len(others)), strict=True):
        row.update(same)
    return near


def _similar(golds: list[str], others: list[str]) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of texts that are like each other: 1 minus relative distance."""
    from rapidfuzz.distance import Levenshtein

    if len(golds) * len(others) <= _FEW_PAIRS:
        for i, gold in enumerate(golds):
            for j, other in enumerate(others):
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
