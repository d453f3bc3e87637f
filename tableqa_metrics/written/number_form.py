"""What stands around the digits of a written number: signs, currency, unit, scale.

`tableqa_metrics.written.numbers` says which forms are read, and reads the digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .money import MONEY, MONEY_AFTER, MONEY_BEFORE
from .plain_text import plain_text, without_references


# A float has at most 309 digits before the point; what is longer is no written number,
# and the bound keeps every step below cheap on a response of any size.
_LONGEST: Final = 500
# And so do these on what may follow the digits, and on how often something comes off.
_LONGEST_AFTER: Final = 60
_MOST_LAYERS: Final = 24

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
# Which mean something else as well, unless the number is one of money: 5 mil, 5 CR.
_WITH_MONEY: Final[dict[str, int]] = {"mil": 6, "mill": 6, "cr": 7, "bil": 9}
_LETTERS: Final[dict[str, int]] = {"k": 3, "m": 6, "mm": 6, "b": 9, "t": 12}
# The words that may begin what is taken off the digits, apart from currencies. Before
# them, as `_FIRST_WORDS` has them; behind them, the patterns of scales and units.
WORDS_BEFORE: Final = (
    *("approximately", "approx", "about", "around", "roughly", "circa", "exactly"),
    *("precisely", "minus", "negative"),
)
WORDS_BEFORE_A_POINT: Final = ("c", "ca")
WORDS_AFTER: Final = (
    *(*_WORDS, *_ABBREVIATIONS, *_WITH_MONEY, *_LETTERS),
    *(f"{word}s" for word in _WORDS),
    *("in", "e", "per", "pct", "p", "bp", "bps", "basis", "permil", "permill"),
    *("permille", "pp", "pps", "ppt", "ppts", "ppss"),
    *(
        f"per{cent}{points}"
        for cent in ("cent", "centage")
        for points in ("", "point", "points", "pt", "pts")
    ),
)
_POWERS: Final = {**_WORDS, **_ABBREVIATIONS, **_WITH_MONEY, **_LETTERS}
# Words that may stand before a larger one: two hundred million, three lakh crore.
_BEFORE_A_SCALE: Final = (2, 3, 5)
# Letters that stand apart for no unit, unlike 5 m and 5 K.
_APART: Final = ("M", "MM", "B")

# The hyphen of "a 5-percent rise" is no minus.
_WORD = r"(?:(?<=[\d)])-)?(?<![A-Za-z])"
_PERCENT = (
    r"%(?:[\s-]?(?i:points?|pts?))?"
    rf"|{_WORD}(?i:per\s?cent(?:age)?(?:[\s-]?(?:points?|pts?))?|pct|p\.p|pp[ts]?s?)"
)
_MILLE = rf"‰|{_WORD}(?i:per\s?mille?)"
_BPS = rf"‱|{_WORD}(?i:bps?|basis[\s-]points?)"
_UNIT_AFTER = re.compile(
    rf"\s?(?:(?P<percent>{_PERCENT})|(?P<mille>{_MILLE})|(?P<bps>{_BPS}))$"
)
_SCALE_AFTER = re.compile(
    rf"(?P<gap>[\s-]?)(?<![A-Za-z])(?:(?P<word>(?i:{'|'.join(_WORDS)}))(?i:s?)"
    rf"|(?P<short>(?i:{'|'.join(_ABBREVIATIONS)}))"
    rf"|(?P<money>(?i:{'|'.join(_WITH_MONEY)}))|(?P<letter>[kKbBT]|[mM]{{1,2}}))$"
)
# "48 (in millions)" and "48 in millions" name the scale as "48 millions" does, and so
# do "48 ($ in millions)" and "48 (millions of dollars)".
_IN_BRACKETS = re.compile(r"\s?\((?P<what>[^()]{1,40})\)$")
_STATED = re.compile(
    rf"(?:in )?(?P<before>{MONEY})?\s?(?:in )?"
    rf"(?:(?P<word>(?i:(?:{'|'.join(_WORDS)})s?|{'|'.join(_ABBREVIATIONS)})"
    rf"|{_PERCENT}|{_MILLE}|{_BPS})"
    r"|(?P<zeros>['’]?000(?:['’]?s)?)"
    rf"|(?P<letter>[kmMbB]{{1,2}}))?\s?(?:of )?(?P<after>{MONEY})?"
)
_IN_WORDS = re.compile(
    rf",?\sin (?P<word>(?i:thousands|millions|billions))(?: of {MONEY})?$"
)
_APPROXIMATELY = re.compile(
    r"(?:[~≈≃≅∼]|c\.(?=\s?\d)"
    r"|(?i:approximately|approx\.?|about|around|roughly|circa|ca\.|exactly|precisely)"
    r"(?![A-Za-z]))\s?"
)
_NEGATIVE_WORD = re.compile(r"(?:minus|negative)\s(?=\S)", re.IGNORECASE)
_FIRST_WORDS: Final = (_APPROXIMATELY, _NEGATIVE_WORD, MONEY_BEFORE)
_TRAILING_MINUS = re.compile(r"\d-$")
# No small coins: Rs. 5/-, CHF 5.-.
_NO_COINS = re.compile(r"(?<=\d)[/.,][-–—]$")
YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")

_WRAPPERS: Final = (
    *(("**", "**"), ("__", "__"), ("\\(", "\\)"), ("\\[", "\\]"), ("[", "]")),
    *(("{", "}"), ("`", "`"), ("*", "*"), ("_", "_"), ('"', '"'), ("'", "'")),
    *(("“", "”"), ("‘", "’"), ("«", "»"), ("‹", "›"), ("„", "“"), ("‚", "‘")),
)
_OPENINGS: Final = frozenset(opening[0] for opening, _ in _WRAPPERS)
_CLOSING_PUNCTUATION: Final = ".,;:!?…。"
# "millions of dollars"
_OF = re.compile(r"(?<=[A-Za-z])\sof$")
# Of a footnote, or half of a pair.
_STRAY_AFTER: Final = "`*†‡"


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
    return _taken_apart(text) if 0 < len(text) <= _LONGEST else None


# Whoever looks for an answer reads its text, and what stands around it, several times.
@lru_cache(maxsize=16)
def _taken_apart(text: str) -> NumberForm | None:
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
        for _ in range(_MOST_LAYERS):
            size = len(self.core)
            self._marks()
            self._sign()
            self._currency_before()
            # what may follow the digits ends in no digit
            if not self.core[-1:].isdigit():
                self._stated()
                self._currency_after()
                self._unit()
                self._scale()
            if len(self.core) == size:
                break

    def _marks(self) -> None:
        core = self.core.strip()
        if "]" in core[-2:]:
            core = without_references(core)
        core = core.rstrip(_CLOSING_PUNCTUATION)
        for opening, closing in _WRAPPERS if core[:1] in _OPENINGS else ():
            if (
                core.startswith(opening)
                and core.endswith(closing)
                and len(core) > len(opening + closing)
            ):
                core = core[len(opening) : -len(closing)]
        bare = core.rstrip(_STRAY_AFTER)
        self.core = bare if not any(mark in bare for mark in _STRAY_AFTER) else core

    def _sign(self) -> None:
        core = self.core
        if self.positive:
            return
        if (
            core.startswith("(")
            and core.endswith(")")
            and core.find(")") > core.rfind("(")  # not "(5) (in millions)"
        ):
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

    def _currency_before(self) -> None:
        if match := MONEY_BEFORE.match(self.core):
            self.before += match[0]
            self.core, self.money = self.core[match.end() :], True

    def _currency_after(self) -> None:
        if self.core[-1:].isdigit():
            return
        match = self._at_end(MONEY_AFTER) or _NO_COINS.search(self.core)
        if match:
            self.core, self.money = _OF.sub("", self.core[: match.start()]), True

    def _unit(self) -> None:
        match = self._at_end(_UNIT_AFTER)
        if match and not self.unit and not self.powers:
            self.unit = str(match.lastgroup)
            self._cut(match)

    def _stated(self) -> None:
        """Write a scale, unit or currency in brackets as one that follows the number."""
        brackets = self._at_end(_IN_BRACKETS)
        match = _STATED.fullmatch(brackets["what"]) if brackets else None
        if not brackets or not match:
            if match := self._at_end(_IN_WORDS):
                self.core = f"{self.core[: match.start()]} {match['word']}"
            return
        money = match["before"] or match["after"]
        if money or not match["letter"]:
            self.money = self.money or bool(money)
            word = "thousand" if match["zeros"] else match["word"] or match["letter"]
            self.core = f"{self.core[: brackets.start()]} {word or ''}".rstrip()

    def _scale(self) -> None:
        match = self._at_end(_SCALE_AFTER)
        if not match or self.unit:
            return
        written = match[str(match.lastgroup)]
        power = _POWERS[written.lower()]
        if match["money"]:
            allowed = not self.powers and self._is_money(match)
        elif match["letter"]:
            # "5 m" is a length, "$5 m" is none
            apart = match["gap"] and written not in _APART
            allowed = not self.powers and (not apart or self._is_money(match))
        else:
            allowed = not self.powers or (
                len(self.powers) == 1
                and power in _BEFORE_A_SCALE
                and power < self.powers[0]
            )
        if allowed:
            self.powers.append(power)
            self._cut(match)

    def _is_money(self, scale: re.Match[str]) -> bool:
        """Whether a currency stands before the number, or just before or after its scale."""
        start = max(0, scale.start() - _LONGEST_AFTER)
        before = MONEY_AFTER.search(self.core, start, scale.start())
        return self.money or before is not None

    def _at_end(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.search(self.core, max(0, len(self.core) - _LONGEST_AFTER))

    def _cut(self, match: re.Match[str]) -> None:
        self.core = self.core[: match.start()]
        self.scaled_after = match[0] + self.scaled_after
