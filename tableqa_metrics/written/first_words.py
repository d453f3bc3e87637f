"""Words that a written number or date may begin with, or have next to its digits.

Most texts with digits are neither, and their first word tells: "Company 2", "1975 film".
A word that is not listed here rules out whole parsers at once. The lists may be longer
than they need be; a word that is missing makes a text unreadable
(`tests/metrics/test_first_words.py` holds that none is).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from . import dates, money, number_form, number_words


_WORD = re.compile("[a-z]+")


def _first_words(*lists: Iterable[str]) -> frozenset[str]:
    """Return the first run of letters in each text that has one, in lower case."""
    texts = (text for found in lists for text in found)
    matches = (_WORD.search(text.lower()) for text in texts)
    return frozenset(match[0] for match in matches if match)


# Of a text of letters, digits and blanks alone that begins with a letter,
BEFORE_BARE_DIGITS: Final = _first_words(
    money.WORDS_BEFORE,
    number_form.WORDS_BEFORE,
    number_words.FIRST_WORDS,
    dates.WORDS_BEFORE,
)
# of one that may hold points, too,
BEFORE_DIGITS: Final = BEFORE_BARE_DIGITS | _first_words(
    number_form.WORDS_BEFORE_A_POINT
)
# and of any text.
BEFORE_ANYTHING: Final = BEFORE_DIGITS | _first_words(money.WORDS_BEFORE_A_SIGN)

# Of a text of letters, digits, blanks, points and hyphens that begins with a digit.
AFTER_DIGITS: Final = _first_words(
    money.WORDS_AFTER, number_form.WORDS_AFTER, dates.WORDS_AFTER
)
