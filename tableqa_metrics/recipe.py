"""The evaluation card's short formula for answers as text: exact match and token F1.

This is the recipe of the evaluation card that these benchmarks are listed under, taken
literally; no released scorer computes it. It compares text as written, so "12.50" and
"12.5" do not match; for numbers there is `value_match`, for published figures there are
the released scorers of each benchmark.

One deviation: the card writes F1 as `2 * |P & R| / |P | R|` over the sets of tokens,
which is 2 for equal answers although its range is given as [0, 1]. Here it is
`2 * |P & R| / (|P| + |R|)`, the harmonic mean of precision and recall.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from .shown import shown


# A sign counts where it does not join two words or numbers, as in 2018-2019 or Q-4.
_NUMBER: Final = re.compile(
    r"(?:(?<![\w.,)])[-+])?(?:[0-9]+(?:,[0-9]{3}(?![0-9]))*(?:\.[0-9]+)?|\.[0-9]+)"
)


@dataclass(frozen=True)
class RecipeScore:
    """Exact match and token F1, each a float in [0, 1]."""

    em: float
    f1: float


def recipe_score(reference: str, prediction: str | None) -> RecipeScore:
    """Compare two answers as text; a prediction that is no text, `None` too, scores 0.

    Both are stripped of outer white space; nothing else is folded, neither case nor
    punctuation. Tokens are what white space separates, each counted once. The first
    numbers are compared by value ("1,000" is 1000, "-5" is not 5); where only one of
    the two answers holds a number, they differ.

    Returns
    -------
    RecipeScore
        `em` is 1 where the strings are equal. `f1` is 0 where the first numbers differ.
        Two empty answers give 1 in both, one empty answer gives 0.

    Raises
    ------
    ValueError
        If the reference is no text.

    Examples
    --------
    >>> recipe_score("12.5 million", "12.5 million dollars")
    RecipeScore(em=0.0, f1=0.8)
    >>> recipe_score("12.5 million", "13.5 million").f1
    0.0
    """
    if not isinstance(reference, str):
        # A value of the data, not of the program: the wrong type is a wrong value.
        raise ValueError(f"the reference is no text: {shown(reference)}")  # noqa: TRY004
    if not isinstance(prediction, str):
        return RecipeScore(0.0, 0.0)
    reference, prediction = reference.strip(), prediction.strip()
    if reference == prediction:
        return RecipeScore(1.0, 1.0)
    if _first_number(reference) != _first_number(prediction):
        return RecipeScore(0.0, 0.0)
    wanted, given = set(reference.split()), set(prediction.split())
    return RecipeScore(0.0, 2 * len(wanted & given) / (len(wanted) + len(given)))


def _first_number(text: str) -> Decimal | None:
    found = _NUMBER.search(text)
    return Decimal(found[0].replace(",", "")) if found else None
