"""What a cell is, seen at a glance: enough to tell most pairs of cells apart.

Reading a text by type takes many patterns; most cells are words, a bare number, an ISO
date, or a text of digits and a word that no number or date has. Cells of two kinds are
never equal, but for a year and a date, nor are words that differ. What this is sure of is
what reading finds; all else is left to reading.
"""

from __future__ import annotations

import re
from typing import Final

from ..written.first_words import AFTER_DIGITS, BEFORE_BARE_DIGITS, BEFORE_DIGITS
from ..written.number_words import FIRST_WORDS as NUMBER_WORDS


# Parts of an enumeration of words, or a text of words and digits, folded; or a kind of
# other text.
Seen = tuple[str, ...] | str

NUMBER: Final = "number"
DATE: Final = "date"
# Either a text with a digit or a number with a unit.
MIXED: Final = "mixed"
UNSURE: Final = "unsure"
# A number in the unit of its header, which `glance` does not tell.
AMOUNT: Final = "amount"

# Words that make a text more than its words: articles, what enumerates, what blank cells
# say, "true", "in" before a unit. And no word at all: two blanks, a comma alone.
_SIGNIFICANT: Final = frozenset(
    (
        *("", "a", "an", "the", "and", "respectively", "true", "false", "in"),
        *("na", "nan", "none", "null", "unknown", "no", "not"),
        *NUMBER_WORDS,
    )
)
# Before an enumeration, which may be of numbers.
_INTRODUCTIONS: Final = frozenset(("both", "years", "fiscal", "financial", "calendar"))
_BEFORE_DIGITS: Final = BEFORE_DIGITS | _INTRODUCTIONS
_BEFORE_BARE_DIGITS: Final = BEFORE_BARE_DIGITS | _INTRODUCTIONS
_AFTER_DIGITS: Final = AFTER_DIGITS | {"and"}
# Between digits.
_RANGES: Final = frozenset(("to", "through"))
_FIRST_WORD = re.compile("[A-Za-z]+")

# More digits than these make differences that are taken for noise.
_MOST_DIGITS: Final = 12
# The days that each month of each year has; others may be no date.
_DATE = re.compile(
    r"(?!0000)[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
)
_YEAR = re.compile("(?:1[5-9]|2[01])[0-9]{2}")
_MIXED = re.compile(
    r"(?:(?P<first>[A-Za-z]+)(?![A-Za-z])(?=[^0-9]*[0-9])"
    r"|[0-9][0-9 .-]*(?P<later>[A-Za-z]+)(?![A-Za-z]))[0-9A-Za-z .-]*"
)


def words_of(text: str) -> tuple[str, ...] | None:
    """Fold words between commas, if reading finds the same in them; `None` if unsure.

    There may be digits, too, in a text that has no comma and begins with a word.

    Examples
    --------
    >>> words_of("Franz Sato, Anne Bauer"), words_of("Apollo 11"), words_of("The Bridge")
    (('franz sato', 'anne bauer'), ('apollo 11',), None)
    """
    if not text.isascii():
        return None
    parts = text.lower().split(", ")
    words = " ".join(parts).split(" ")
    letters = "".join(words)
    if not letters.isalpha() and not (
        len(parts) == 1
        and letters.isalnum()
        and (first := _FIRST_WORD.match(words[0]))
        and first[0] not in _BEFORE_BARE_DIGITS
        and _RANGES.isdisjoint(words)
    ):
        return None
    return tuple(parts) if _SIGNIFICANT.isdisjoint(words) else None


def glance(text: str) -> Seen:
    """Return the folded words of a text, or its kind; `UNSURE` is for reading.

    Examples
    --------
    >>> glance("Franz Sato"), glance("1,957"), glance("1957"), glance("1957-05-31")
    (('franz sato',), 'unsure', 'number', 'date')
    >>> glance("480 acres"), glance("Apollo-11"), glance("June 30"), glance("480 million")
    ('mixed', 'mixed', 'unsure', 'unsure')
    """
    if is_bare_number(text):
        return NUMBER
    if words := words_of(text):
        return words
    if not text.isascii() or text.isdigit():
        return UNSURE
    if is_mixed(text):
        return MIXED
    return DATE if _DATE.fullmatch(text) else UNSURE


def is_bare_number(text: str) -> bool:
    """Whether a text is digits alone, and few enough to tell numbers apart.

    Examples
    --------
    >>> is_bare_number("1957"), is_bare_number("1,957"), is_bare_number("9" * 13)
    (True, False, False)
    """
    return len(text) <= _MOST_DIGITS and text.isdigit() and text.isascii()


def is_mixed(text: str) -> bool:
    """Whether a text holds digits and is sure to be no number without a unit, no date.

    Its first word tells: none that a number or date begins with, or has behind digits.

    Examples
    --------
    >>> [is_mixed(text) for text in ("Apollo 11", "480 acres", "480 million", "June 30")]
    [True, True, False, False]
    """
    match = _MIXED.fullmatch(text)
    if match is None:
        return False
    if word := match["first"]:
        return word.lower() not in _BEFORE_DIGITS
    return match["later"].lower() not in _AFTER_DIGITS


def agreement_at_a_glance(
    gold: str, seen: Seen, other: str, other_seen: Seen
) -> float | None:
    """Return how far two cells agree that are not the same text; `None` if unsure."""
    if seen is UNSURE or other_seen is UNSURE:
        return None
    if isinstance(seen, tuple):
        if isinstance(other_seen, tuple):
            return _of_words(seen, other_seen)
        return None if other_seen is MIXED and _has_digits(seen) else 0.0
    if isinstance(other_seen, tuple):
        return None if seen is MIXED and _has_digits(other_seen) else 0.0
    if seen is AMOUNT or other_seen is AMOUNT:
        return 0.0 if seen is DATE or other_seen is DATE else None
    if seen is not other_seen:
        # a date is in the year that the reference wants
        year = seen is NUMBER and other_seen is DATE and _YEAR.fullmatch(gold)
        return 1.0 if year and other.startswith(gold) else 0.0
    if seen is NUMBER:
        return 1.0 if int(gold) == int(other) else 0.0
    return 0.0 if seen is DATE else None


def _has_digits(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1 and not parts[0].replace(" ", "").isalpha()


def _of_words(golds: tuple[str, ...], others: tuple[str, ...]) -> float:
    if len(golds) == len(others) == 1:
        return 1.0 if golds == others else 0.0
    if " ".join(golds) == " ".join(others):
        return 1.0
    wanted, given = set(golds), set(others)
    return 2 * len(wanted & given) / (len(wanted) + len(given))
