"""What a cell or a name says, and how far two cells agree.

The cell's side of `tableqa_metrics.value.table`, whose docstring defines it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..written.dates import CalendarDate
from ..written.numbers import parse_number
from ..written.plain_text import without_references
from .amounts import amount
from .enumeration import parts_of
from .equality import pair_values, same_value
from .glance import (
    AMOUNT,
    Seen,
    agreement_at_a_glance,
    glance,
    is_bare_number,
    words_of,
)
from .once import once
from .reading import Quantity, Value, read_value
from .remarks import Unit, split_remark, stated_unit
from .text import fold_text
from .units import fold_unit


_BLANKS: Final = frozenset(
    (
        *("n/a", "n.a.", "na", "nan", "none", "null", "unknown", "no data"),
        *("not available", "not applicable", "not known", "not specified"),
    )
)
_SEPARATED = re.compile(r"[;#,|/\n\r&]|\band\b", re.IGNORECASE)
_AND = re.compile(r"\s(?:and|&)\s", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
# What `Text` says without more reading: of what has no remark and is no list, of digits,
# of words between commas, and of words.
_ALONE: Final[dict[str, object]] = {
    **dict.fromkeys(("bare", "unit")),
    "remark": "",
    "single": True,
}
_OF_DIGITS: Final = {**_ALONE, "plain": True}
_OF_LISTED_WORDS: Final[dict[str, object]] = {"number": None, "plain": False}
_OF_WORDS: Final = {**_ALONE, **_OF_LISTED_WORDS}
_MARKS: Final = " *_`\"'()[]\t\n\r\f\v\u00a0"


def is_blank(text: str) -> bool:
    """Whether a cell says that there is nothing.

    Examples
    --------
    >>> is_blank(" - "), is_blank("N/A"), is_blank("0")
    (True, True, False)
    """
    written = text.strip(_MARKS).casefold()
    return written in _BLANKS or not any(map(str.isalnum, written))


class Text:
    """The text of a cell, read when that is asked for; one object for each text."""

    def __init__(self, text: str) -> None:
        self.text = text
        if is_bare_number(text):
            self.__dict__.update(_OF_DIGITS)
        elif words := words_of(text):
            folded = " ".join(words)
            known = _OF_WORDS if len(words) == 1 else _OF_LISTED_WORDS
            self.__dict__.update(known, value=folded, folded=folded)

    @classmethod
    def of_one(cls, text: str, value: Quantity) -> Text:
        """Make the text of a quantity that is known, which is no enumeration."""
        made = cls.__new__(cls)
        made.text = text
        made.__dict__.update(_read=value, value=value, values=[value], atoms=[value])
        made.__dict__["single"] = True
        return made

    @once
    def _read(self) -> Value | None:
        return read_value(self.text)

    @once
    def value(self) -> Value:
        """What the text says; its folded text where that is no number or date."""
        return fold_text(self.text) if self._read is None else self._read

    @once
    def folded(self) -> str:
        """The folded text."""
        return self.value if isinstance(self.value, str) else fold_text(self.text)

    @once
    def single(self) -> bool:
        """Whether the text holds nothing that separates values; one number's commas do not."""
        return _SEPARATED.search(self.text) is None or (
            not isinstance(self.value, str)
            and parts_of(self.text, at_and=True) == [self.text]
        )

    @once
    def values(self) -> list[Value]:
        """The different values that commas and the like separate."""
        return self._different(parts_of(self.text))

    @once
    def atoms(self) -> list[Value]:
        """The same, separated at "and" and "&" as well."""
        if _AND.search(self.text) is None:
            return self.values
        return self._different(parts_of(self.text, at_and=True))

    def _different(self, parts: Sequence[str]) -> list[Value]:
        if parts == [self.text]:
            return [] if self._read is None else [self._read]
        return list(dict.fromkeys(v for v in map(read_value, parts) if v is not None))

    @once
    def number(self) -> Quantity | CalendarDate | None:
        """The number or date that this is as a name; with a unit it is a text."""
        value = self.value
        if isinstance(value, str) or (isinstance(value, Quantity) and value.unit):
            return None
        return value

    @once
    def digits(self) -> tuple[str, ...]:
        """The runs of digits; names that differ in them are different names."""
        return tuple(_DIGITS.findall(self.folded))

    @once
    def _parted(self) -> tuple[str, str] | None:
        return split_remark(without_references(self.text.strip()))

    @once
    def bare(self) -> Value | None:
        """What this says as a name without the remark at its end."""
        return read_value(self._parted[0]) if self._parted else None

    @once
    def unit(self) -> Unit | None:
        """The unit that the remark states."""
        return stated_unit(self._parted[1]) if self._parted else None

    @once
    def remark(self) -> str:
        """The remark as it would follow a number that it is the unit of."""
        return fold_unit(self._parted[1]) if self._parted else ""

    @once
    def plain(self) -> bool:
        """Whether this is a number without a unit, scale or `%` of its own."""
        value = self.value
        if not isinstance(value, Quantity) or value.unit:
            return False
        number = parse_number(self.text)
        return number is not None and number.unit == 1.0 and not number.percent

    def may_be_in(self, unit: Unit | None) -> bool:
        """Whether the text names no currency that the unit excludes."""
        currency = self.value.currency if isinstance(self.value, Quantity) else None
        return not (unit and unit.currency and currency) or bool(
            unit.currency & currency
        )


class Texts(dict[str, Text]):
    """The texts of two tables, each read once, and the pairs compared so far."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[str, Seen] = {}
        self._agreement: dict[tuple[str, str], float] = {}

    def __missing__(self, text: str) -> Text:
        made = self[text] = Text(text)
        return made

    def agreement(self, gold: str, found: str) -> float:
        """Return how far two cells agree, from 0 to 1; not symmetric for numbers."""
        if gold == found:
            return 1.0
        pair = gold, found
        known = self._agreement.get(pair)
        if known is None:
            known = agreement_at_a_glance(
                gold, self._see(gold), found, self._see(found)
            )
            if known is None:
                known = _agreement(self[gold], self[found])
            self._agreement[pair] = known
        return known

    def _see(self, text: str) -> Seen:
        seen = self._seen.get(text)
        if seen is None:
            seen = self._seen[text] = glance(text)
        return seen

    def agreement_below(
        self, headers: tuple[Text, Text], cell: str, other: str
    ) -> float:
        """Return how far two cells agree, either read in the unit of its header."""
        wanted, given = headers[0].unit, headers[1].unit
        if cell == other and wanted == given:
            return 1.0
        gold, found = self[cell], self[other]
        golds, founds = self._in_unit(gold, wanted), self._in_unit(found, given)
        if (
            (wanted and given and wanted.factor != given.factor)
            or not (gold.plain and found.plain)
            or not (gold.may_be_in(given) and found.may_be_in(wanted))
        ):
            agreement = self.agreement(golds, founds)
            if wanted_text := _in_words(headers[0], gold, found):
                return max(agreement, self.agreement(wanted_text, other))
            if given_text := _in_words(headers[1], found, gold):
                return max(agreement, self.agreement(cell, given_text))
            return agreement
        agreement = self.agreement(cell, other)
        if agreement < 1.0 and golds is not cell:
            agreement = max(agreement, self.agreement(golds, other))
        if agreement < 1.0 and founds is not other:
            agreement = max(agreement, self.agreement(cell, founds))
        return agreement

    def _in_unit(self, cell: Text, unit: Unit | None) -> str:
        """Return a text with the unit of its header, unless it states its own."""
        if unit is None or not cell.plain:
            return cell.text
        text = cell.text + unit.suffix
        if text not in self and (known := amount(cell.text, unit)):
            self[text] = Text.of_one(text, known)
            self._seen[text] = AMOUNT
        return text


def _in_words(header: Text, cell: Text, other: Text) -> str | None:
    """Return a cell with the unit of the other one, if its own header names just that."""
    if header.unit or not header.remark or not cell.plain:
        return None
    unit = other.value.unit if isinstance(other.value, Quantity) else ""
    if not unit or header.remark != unit:
        return None
    return f"{cell.text} {unit}"


def _agreement(gold: Text, found: Text) -> float:
    if same_value(gold.value, found.value):
        return 1.0
    # A number or a date says something.
    of_texts = isinstance(gold.value, str) and isinstance(found.value, str)
    if of_texts and is_blank(gold.text) and is_blank(found.text):
        return 1.0
    if gold.single and found.single:
        return 0.0
    wanted, given = gold.values, found.values
    shared = len(pair_values(wanted, given))
    if shared < max(len(wanted), len(given)):
        atoms, others = gold.atoms, found.atoms
        parted_further = atoms is not wanted or others is not given
        if parted_further and (
            len(atoms) == len(others) == len(pair_values(atoms, others))
        ):
            return 1.0
    return 2 * shared / (len(wanted) + len(given))
