"""What stands around the digits of a written number: signs, currency, unit, scale.

`tableqa_metrics.written.numbers` says which forms are read, and reads the digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .plain_text import CURRENCY_SIGNS, plain_text


# A float has at most 309 digits before the point; what is longer is no written number,
# and the bound keeps every step below cheap on a response of any size.
_LONGEST: Final = 500

# Powers of ten, one entry for each spelling.
_WORDS: Final[dict[str, int]] = {
    "hundred": 2,
    "thousand": 3,
    "lakh": 5,
    "lac": 5,
    "million": 6,
    "crore": 7,
    "billion": 9,
    "trillion": 12,
}
_ABBREVIATIONS: Final[dict[str, int]] = {
    "mn": 6,
    "mln": 6,
    "mio": 6,
    "bn": 9,
    "bln": 9,
    "tn": 12,
    "trn": 12,
}
_LETTERS: Final[dict[str, int]] = {"k": 3, "m": 6, "mm": 6, "b": 9, "t": 12}
_POWERS: Final[dict[str, int]] = {**_WORDS, **_ABBREVIATIONS, **_LETTERS}
# Words that may stand before a larger one: two hundred million, three lakh crore.
_BEFORE_A_SCALE: Final = (2, 3, 5)

CURRENCY_CODES: Final = (
    "USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|AUD|CAD|NZD|HKD|SGD|TWD|KRW|SEK|NOK|DKK|PLN|BRL"
    "|MXN|ZAR|RUB|ILS|THB|IDR|MYR|PHP|AED|SAR"
)
_MONEY = (
    r"(?:(?:US|U\.S\.|CAN?|AUD?|NZD?|HKD?|NT|SG?|A|C|R|MX|Cdn\.?)\s?\$"
    rf"|[{CURRENCY_SIGNS}]"
    rf"|(?i:{CURRENCY_CODES}|Rs\.?|Fr\.)(?![A-Za-z]))"
)
_MONEY_BEFORE = re.compile(rf"{_MONEY}\s?")
_MONEY_AFTER = re.compile(
    rf"\s?(?<![A-Za-z])(?:{_MONEY}"
    r"|(?i:(?:US |U\.S\. )?(?:dollars?|euros?|rupees?|yen|yuan)))$"
)
_UNIT_AFTER = re.compile(
    r"\s?(?:(?P<percent>%(?:[\s-]?(?i:points?|pts?))?"
    r"|(?<![A-Za-z])(?i:per\s?cent(?:age)?(?:\s?points?)?|pct|p\.p|pp))"
    r"|(?P<mille>‰)|(?<![A-Za-z])(?P<bps>(?i:bps?|basis\s?points?)))$"
)
_SCALE_AFTER = re.compile(
    rf"(?P<gap>[\s-]?)(?<![A-Za-z])(?:(?P<word>(?i:{'|'.join(_WORDS)}))(?i:s?)"
    rf"|(?P<short>(?i:{'|'.join(_ABBREVIATIONS)}))|(?P<letter>[kKbBT]|[mM]{{1,2}}))$"
)
# "48 (in millions)" and "48 in millions" name the scale as "48 millions" does.
_STATED_AFTER = re.compile(
    r"\s?\((?:in )?(?P<word>(?i:(?:thousand|million|billion)s?|percent|%))"
    r"(?i: of (?:US |U\.S\. )?(?:dollars|euros|pounds|yen|yuan|rupees))?\)$"
    r"|\sin (?P<plural>(?i:thousands|millions|billions))$"
)
_APPROXIMATELY = re.compile(
    r"(?:[~≈≃∼]|(?i:approximately|approx\.?|about|around|roughly|circa|ca\.)"
    r"(?![A-Za-z]))\s?"
)
_NEGATIVE_WORD = re.compile(r"(?:minus|negative)\s(?=\S)", re.IGNORECASE)
_FIRST_WORDS: Final = (_APPROXIMATELY, _NEGATIVE_WORD, _MONEY_BEFORE)
_TRAILING_MINUS = re.compile(r"\d-$")
YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")

_WRAPPERS: Final = (
    *(("**", "**"), ("__", "__"), ("\\(", "\\)"), ("\\[", "\\]"), ("[", "]")),
    *(("{", "}"), ("`", "`"), ("*", "*"), ("_", "_"), ('"', '"'), ("'", "'")),
    *(("“", "”"), ("‘", "’"), ("«", "»")),
)
_CLOSING_PUNCTUATION: Final = ".,;:!?…。"


@dataclass(frozen=True)
class NumberForm:
    """A text taken apart: its core, and what stood around it.

    Parameters
    ----------
    core
        What is left when nothing more comes off; digits, if the text is a number.
    text
        The core with its signs, brackets and leading currency, as written.
    scaled_text
        The same with its scale and unit.
    negative
        Whether any mark of negativity was there.
    power
        The power of ten that the scale words and letters give.
    unit
        `""`, `"percent"`, `"mille"` or `"bps"`.
    """

    core: str
    text: str
    scaled_text: str
    negative: bool
    power: int
    unit: str


def take_apart(text: str) -> NumberForm | None:
    """Take the decoration off a text; `None` where it is clear that it is no number.

    That is where it is empty or too long, or begins with a word of another kind.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    plain = plain_text(text)
    if plain[:1].isalpha() and not any(word.match(plain) for word in _FIRST_WORDS):
        return None
    peeler = _Peeler(plain)
    peeler.peel()
    return NumberForm(
        core=peeler.core,
        text=peeler.before + peeler.core + peeler.after,
        scaled_text=peeler.before + peeler.core + peeler.scaled_after,
        negative=peeler.negative,
        power=sum(peeler.powers),
        unit=peeler.unit,
    )


class _Peeler:
    """Takes the decoration off layer by layer, until nothing more comes off."""

    def __init__(self, core: str) -> None:
        self.core = core
        self.before = ""
        self.after = ""
        self.scaled_after = ""
        self.negative = False
        self.positive = False
        self.money = False
        self.powers: list[int] = []
        self.unit = ""

    def peel(self) -> None:
        if match := _APPROXIMATELY.match(self.core):
            self.core = self.core[match.end() :]
        size = -1
        while len(self.core) != size:
            size = len(self.core)
            self._marks()
            self._sign()
            self._currency()
            self._unit()
            self._scale()

    def _marks(self) -> None:
        core = self.core.strip().rstrip(_CLOSING_PUNCTUATION)
        for opening, closing in _WRAPPERS:
            if (
                core.startswith(opening)
                and core.endswith(closing)
                and len(core) > len(opening + closing)
            ):
                core = core[len(opening) : -len(closing)]
        self.core = core

    def _sign(self) -> None:
        core = self.core
        if self.positive:
            return
        if core.startswith("(") and core.endswith(")"):
            self._negate("(", core[1:-1].strip(), ")")
        elif core.startswith("-"):
            self._negate("-", core[1:].lstrip(), "")
        elif match := _NEGATIVE_WORD.match(core):
            self._negate("-", core[match.end() :], "")
        elif _TRAILING_MINUS.search(core) and not YEAR.fullmatch(core[:-1]):
            self._negate("", core[:-1], "-")
        elif core.startswith("+") and not self.negative:
            self.core, self.positive = core[1:], True

    def _negate(self, before: str, core: str, after: str) -> None:
        self.before, self.core = self.before + before, core
        self.after, self.scaled_after = after + self.after, after + self.scaled_after
        self.negative = True

    def _currency(self) -> None:
        if match := _MONEY_BEFORE.match(self.core):
            self.before += match[0]
            self.core, self.money = self.core[match.end() :], True
        if match := _MONEY_AFTER.search(self.core):
            self.core, self.money = self.core[: match.start()], True

    def _unit(self) -> None:
        if stated := _STATED_AFTER.search(self.core):
            word = stated["word"] or stated["plural"]
            self.core = f"{self.core[: stated.start()]} {word}"
        match = _UNIT_AFTER.search(self.core)
        if match and not self.unit and not self.powers:
            self.unit = str(match.lastgroup)
            self._cut(match)

    def _scale(self) -> None:
        match = _SCALE_AFTER.search(self.core)
        if not match or self.unit:
            return
        power = _POWERS[match[str(match.lastgroup)].lower()]
        if match["letter"]:
            # "5 m" is a length, "$5 m" is none
            allowed = not self.powers and (not match["gap"] or self.money)
        else:
            allowed = not self.powers or (
                len(self.powers) == 1
                and power in _BEFORE_A_SCALE
                and power < self.powers[0]
            )
        if allowed:
            self.powers.append(power)
            self._cut(match)

    def _cut(self, match: re.Match[str]) -> None:
        self.core = self.core[: match.start()]
        self.scaled_after = match[0] + self.scaled_after
