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
from ..written.numbers import parse_number
from ..written.plain_text import without_references
from .enumeration import parts_of
from .equality import pair_values, same_value
from .reading import Quantity, Value, read_value
from .remarks import Unit, split_remark, stated_unit
from .text import fold_text
from .units import fold_unit


# From this edit distance on, relative to the longer text, two names are unlike.
NAME_THETA: Final = 0.5

_BLANKS: Final = frozenset(
    (
        *("n/a", "n.a.", "na", "nan", "none", "null", "unknown", "no data"),
        *("not available", "not applicable", "not known", "not specified"),
    )
)
_SEPARATED = re.compile(r"[;#,|/\n\r&]|\band\b", re.IGNORECASE)
_AND = re.compile(r"and|&", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_MARKS: Final = " *_`\"'()[]\t\n\r\f\v\u00a0"
# Up to so many pairs, a loop is faster than arrays.
_FEW_PAIRS: Final = 64


@dataclass(frozen=True, eq=False)
class Text:
    """The text of a cell, read when that is asked for; one object for each text."""

    text: str

    @cached_property
    def _read(self) -> Value | None:
        return read_value(self.text)

    @cached_property
    def value(self) -> Value:
        """What the text says; its folded text where that is no number or date."""
        return fold_text(self.text) if self._read is None else self._read

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
        return self._different(parts_of(self.text))

    @cached_property
    def atoms(self) -> list[Value]:
        """The same, separated at "and" and "&" as well."""
        if _AND.search(self.text) is None:
            return self.values
        return self._different(parts_of(self.text, at_and=True))

    def _different(self, parts: Sequence[str]) -> list[Value]:
        if parts == [self.text]:
            return [] if self._read is None else [self._read]
        return list(dict.fromkeys(v for v in map(read_value, parts) if v is not None))

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
    def _parted(self) -> tuple[str, str] | None:
        return split_remark(without_references(self.text.strip()))

    @cached_property
    def bare(self) -> Value | None:
        """What this says as a name without the remark in brackets at its end."""
        return read_value(self._parted[0]) if self._parted else None

    @cached_property
    def unit(self) -> Unit | None:
        """The unit that the remark states."""
        return stated_unit(self._parted[1]) if self._parted else None

    @cached_property
    def remark(self) -> str:
        """The remark as it would follow a number that it is the unit of."""
        return fold_unit(self._parted[1]) if self._parted else ""

    @cached_property
    def plain(self) -> bool:
        """Whether this is a number without a unit, scale or `%` of its own."""
        number = parse_number(self.text) if isinstance(self.value, Quantity) else None
        return number is not None and number.unit == 1.0 and not number.percent

    def in_unit(self, unit: Unit | None) -> str:
        """Return the text with the unit of its header, unless it states its own."""
        return self.text + unit.suffix if unit and self.plain else self.text

    def may_be_in(self, unit: Unit | None) -> bool:
        """Whether the text names no currency that the unit excludes."""
        currency = self.value.currency if isinstance(self.value, Quantity) else None
        return not (unit and unit.currency and currency) or bool(
            unit.currency & currency
        )


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

    def agreement_below(
        self, headers: tuple[Text, Text], gold: Text, found: Text
    ) -> float:
        """Return how far two cells agree, either read in the unit of its header."""
        wanted, given = headers[0].unit, headers[1].unit
        golds, founds = self[gold.in_unit(wanted)], self[found.in_unit(given)]
        if (
            (wanted and given and wanted.factor != given.factor)
            or not (gold.plain and found.plain)
            or not (gold.may_be_in(given) and found.may_be_in(wanted))
        ):
            agreement = self.agreement(golds, founds)
            if wanted_text := _in_words(headers[0], gold, found):
                return max(agreement, self.agreement(self[wanted_text], found))
            if given_text := _in_words(headers[1], found, gold):
                return max(agreement, self.agreement(gold, self[given_text]))
            return agreement
        pairs = (gold, found), (golds, found), (gold, founds)
        return max(self.agreement(*pair) for pair in pairs)


def _in_words(header: Text, cell: Text, other: Text) -> str | None:
    """Return a cell with the unit of the other one, if its own header names just that."""
    unit = other.value.unit if isinstance(other.value, Quantity) else ""
    if not unit or header.unit or header.remark != unit or not cell.plain:
        return None
    return f"{cell.text} {unit}"


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
        same = [*index.get(gold.value, ()), *remarked.get(gold.value, ())]
        if gold.bare is not None:
            same += index.get(gold.bare, ())
            if gold.unit:
                same += [
                    j
                    for j in measured.get(gold.bare, ())
                    if not _exclude(gold, others[j], scales)
                ]
        found.append(dict.fromkeys(same[:most], 1.0))
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
    texts = [i for i, gold in enumerate(golds) if gold.number is None]
    other_texts = [j for j, other in enumerate(others) if other.number is None]
    numbers = [i for i, gold in enumerate(golds) if gold.number is not None]
    other_numbers = [j for j, other in enumerate(others) if other.number is not None]
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
