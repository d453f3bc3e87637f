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


def _first_words(texts: Iterable[str]) -> Iterable[str]:
    """Return the first run of letters in each text that has one, in lower case."""
    matches = (_WORD.search(text.lower()) for text in texts)
    return [match[0] for match in matches if match]


# Of a text that begins with a letter.
BEFORE_DIGITS: Final = frozenset(
    (
        *_first_words(money.WORDS_BEFORE),
        *_first_words(number_form.WORDS_BEFORE),
        *number_words.FIRST_WORDS,
        *dates.FIRST_WORDS,
        *dates.FIRST_WORDS_OF_A_YEAR,
    )
)
# Of a text that begins with a digit.
AFTER_DIGITS: Final = frozenset(
    (
        *_first_words(money.WORDS_AFTER),
        *_first_words(number_form.WORDS_AFTER),
        *dates.FIRST_WORDS,
    )
)
