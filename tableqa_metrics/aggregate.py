r"""From one score per question to a figure: mean, standard error, 95 % interval.

The mean and the standard error are those of lm-evaluation-harness (`mean` and
`mean_stderr` of `lm_eval/api/metrics.py`), added up in the same order, so that a figure
is the same to the last bit wherever it was computed.

The interval says between which values the mean over all questions of the kind may lie,
given that these are a sample of them:

- Scores that are all or nothing: Wilson's interval (Wilson 1927, "Probable inference,
  the law of succession, and statistical inference"), which stays honest for few
  questions and for figures near 0 or 1, where \pm 1.96 standard errors claim certainty.
- Other scores: \pm 1.96 standard errors, cut off at the ends of the range; none where
  all are equal, and so tell nothing of how scores spread.

It does not cover what a second run of the model would change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Final, Protocol


Z95: Final = 1.959963984540054  # of the standard normal distribution, two-sided
INTERVAL: Final = "wilson+normal"  # as it stands in a signature


class Scores(Protocol):
    """Scores that can be gone through several times, in a list or from a disk."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[float]: ...


@dataclass(frozen=True)
class Estimate:
    """A mean and how sure it is.

    Parameters
    ----------
    value
        The mean; `None` of no scores.
    stderr
        Its standard error; `None` of fewer than two scores.
    ci95
        The ends of its 95 % interval; `None` where the scores do not allow for one.
    n
        How many scores it is of.
    """

    value: float | None
    stderr: float | None
    ci95: tuple[float, float] | None
    n: int


def mean(scores: Sequence[float]) -> float | None:
    """Return the mean as the harness adds it up; `None` of no scores.

    Examples
    --------
    >>> mean([1.0, 0.0, 1.0, 1.0])
    0.75
    """
    return sum(scores) / len(scores) if scores else None


def mean_of_present(scores: Iterable[float | None]) -> float | None:
    """Return the mean of the scores that are there, in whatever order; else `None`.

    Examples
    --------
    >>> mean_of_present([100.0, None, 50.0])
    75.0
    """
    present = [score for score in scores if score is not None]
    return fsum(present) / len(present) if present else None


def estimate(scores: Scores, *, upper: float = 1.0, partial: bool = False) -> Estimate:
    """Summarise scores of a range from 0 to `upper`.

    Parameters
    ----------
    scores
        One a question.
    upper
        The best score there is: 1, or 100 for TANQ's.
    partial
        Whether the metric is one that does not apply to every question. The harness's
        tasks then take `mean_of_present`.

    Examples
    --------
    >>> all_right = estimate([1.0, 1.0, 1.0])
    >>> all_right.value, all_right.stderr, round(all_right.ci95[0], 3)
    (1.0, 0.0, 0.439)
    >>> estimate([0.5])
    Estimate(value=0.5, stderr=None, ci95=None, n=1)
    >>> estimate([])
    Estimate(value=None, stderr=None, ci95=None, n=0)
    """
    n = len(scores)
    if not n:
        return Estimate(None, None, None, 0)
    value = (fsum(scores) if partial else sum(scores)) / n
    ends = (0.0, upper)
    all_or_nothing = all(map(ends.__contains__, scores))
    stderr = None
    if n > 1:
        # In the harness's order of operations.
        squares = (
            map({score: (score - value) ** 2 for score in ends}.__getitem__, scores)
            if all_or_nothing
            else ((score - value) ** 2 for score in scores)
        )
        stderr = sqrt(sum(squares) / (n - 1)) / sqrt(n)
    if all_or_nothing:
        low, high = wilson(value / upper, n)
        return Estimate(value, stderr, (low * upper, high * upper), n)
    if stderr is None or all(map(next(iter(scores)).__eq__, scores)):
        return Estimate(value, stderr, None, n)
    reach = Z95 * stderr
    return Estimate(
        value, stderr, (max(0.0, value - reach), min(upper, value + reach)), n
    )


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share that was seen in `n` cases.

    Raises
    ------
    ValueError
        If there are no cases.

    Examples
    --------
    >>> low, high = wilson(0.5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    if n < 1:
        raise ValueError("a share of no cases has no interval")
    weight = Z95**2 / n
    centre = (share + weight / 2) / (1 + weight)
    reach = Z95 * sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    # At the ends the bound is the share itself, but for rounding.
    return min(share, max(0.0, centre - reach)), max(share, min(1.0, centre + reach))
