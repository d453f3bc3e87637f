"""Pairs of names that differ by their digits alone: of which kind each is.

An edit distance, or a common subsequence, depends on nothing but which characters of two
texts are equal. So two pairs of names are of one kind if they are the same but for their
digits, and the same digits are equal in both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray


_DIGITS: Final = str.maketrans("123456789", "000000000")
_NO_DIGITS: Final = re.compile(r"[^0-9\n]+")
# Which of so many pairs of digits are equal fits into an integer.
MOST_BITS: Final = 40
# Different values up to this are numbered by a table of all.
_SMALL: Final = 2**16

# Numbers of kinds, which bound their type.
Kinds = NDArray[Any]


class Digits(NamedTuple):
    """Which text without digits each of some names is, of so many, and its digits."""

    texts: NDArray[np.intp]
    different: int
    digits: NDArray[np.uint32]

    @property
    def most(self) -> int:
        """How many digits a name has at most."""
        return int(self.digits.shape[1])


def read(names: Sequence[str]) -> Digits:
    """Part some names, none of which holds the end of a line, from their digits."""
    joined = "\n".join(names)
    place: dict[str, int] = {}
    texts = [
        place.setdefault(text, len(place))
        for text in joined.translate(_DIGITS).split("\n")
    ]
    digits = _NO_DIGITS.sub("", joined).split("\n")
    most = max(map(len, digits))
    table = np.array(digits, f"U{max(1, most)}").view(np.uint32)
    return Digits(np.array(texts), len(place), table.reshape(len(names), -1)[:, :most])


def kinds_of(first: Digits, second: Digits) -> Kinds | None:
    """Number the kinds of all pairs of names; `None` where names have too many digits."""
    if first.most * second.most > MOST_BITS:
        return None
    return numbered(equal(first, second), pairs_of_texts(first, second))


def pairs_of_texts(first: Digits, second: Digits) -> Kinds:
    """Number the pairs of texts without digits."""
    pairs: Kinds = np.add.outer(first.texts * second.different, second.texts)
    return pairs


def equal(first: Digits, second: Digits) -> Kinds:
    """A bit for each digit of the first and each of the second, 1 if they are equal."""
    bits = np.zeros((len(first.digits), len(second.digits)), np.int64)
    for digits in first.digits.T:
        # Where there is no digit, one side has a 0 and the other a 1.
        for others in np.maximum(second.digits.T, 1):
            bits *= 2
            bits += np.equal.outer(digits, others)
    return bits


def numbered(bits: Kinds, texts: Kinds | None = None) -> Kinds:
    """The different values, or pairs of values, by number."""
    if texts is not None:
        bits = bits * (int(texts.max()) + 1) + texts
    number: Kinds
    if bits.max() >= _SMALL:
        _, number = np.unique(bits, return_inverse=True)
        return number.reshape(bits.shape)
    seen = np.zeros(int(bits.max()) + 1, np.bool_)
    seen[bits.ravel()] = True
    number = np.cumsum(seen) - 1
    return number[bits]
