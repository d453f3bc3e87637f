"""How alike two cells, or two keys, are to TANQ's table metric."""

from __future__ import annotations

from typing import Final

from rapidfuzz.distance.Levenshtein import distance as edit_distance


# From this edit distance on, relative to the longer string, two texts are unlike
# (`text_theta` of the released script).
TEXT_THETA: Final = 0.5
# From this relative error on, two numbers are unlike (`number_theta`).
NUMBER_THETA: Final = 0.1


# None that a number in lower case begins with.
_LETTERS: Final = frozenset("abcdefghjklmopqrstuvwxyz")


def anls(reference: str, prediction: str) -> float:
    """`1 - d / m`, or 0 from one half on; at least one of the two is not empty."""
    if _far_in_length(reference, prediction):
        return 0.0
    longer = max(len(reference), len(prediction))
    distance = edit_distance(reference, prediction) / longer
    return 1 - distance if distance < TEXT_THETA else 0.0


def cell_similarity(reference: str, prediction: str) -> float:
    """Numbers by relative error, unless the reference is 0; all else as texts."""
    settled = settled_similarity(reference, prediction)
    return anls(reference, prediction) if settled is None else settled


def settled_similarity(reference: str, prediction: str) -> float | None:
    """That of two cells, or `None` where it is their edit distance that counts."""
    if reference == prediction and _is_finite(reference):
        return 1.0
    predicted_number = number(prediction)
    if predicted_number is not None:
        expected = number(reference)
        if expected:
            # NaN and infinities make the error NaN, which is not below the threshold.
            error = abs((expected - predicted_number) / expected)
            return 1 - error if error < NUMBER_THETA else 0.0
    if reference == prediction:
        return 1.0
    return 0.0 if _far_in_length(reference, prediction) else None


def _far_in_length(reference: str, prediction: str) -> bool:
    """Whether so many characters are missing, each an edit, that texts are unlike."""
    a, b = len(reference), len(prediction)
    return 2 * a <= b or 2 * b <= a


def _is_finite(text: str) -> bool:
    """Whether a text is certainly neither NaN nor infinite, at a glance."""
    return len(text) < 300 and not (
        "n" in text or "e" in text or "N" in text or "E" in text
    )


def begins_like_a_word(text: str) -> bool:
    """Whether a text is certainly no number, at a glance: it may not be "inf" or "nan"."""
    return text[:1] in _LETTERS


def number(text: str) -> float | None:
    """What Python's `float` reads, over 100 after a percent sign."""
    # Most cells are words: an exception for each would cost more than the comparison.
    if not text or begins_like_a_word(text):
        return None
    try:
        if text[-1] == "%":
            return float(text.rstrip("%")) / 100.0
        return float(text)
    except ValueError:
        return None
