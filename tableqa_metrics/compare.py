r"""Whether two systems differ, judged by their scores on the same questions.

The difference is that of the means, second minus first, over the questions that both
have a score for. Its 95 % interval is a percentile interval of a paired bootstrap: the
questions are drawn again with replacement, the same ones for both systems (Efron and
Tibshirani 1993; Koehn 2004, "Statistical significance tests for machine translation
evaluation"). The p-value, two-sided, is

- of scores that are all or nothing, that of the exact McNemar test: of the questions
  that one system gets right and the other wrong, how likely is a split at least as
  uneven, were both as good as each other (McNemar 1947; a sign test);
- of other scores that differ in at most 20 questions, that of the exact permutation test
  (Fisher 1935; Pitman 1937), of which McNemar's is a case: of all ways to swap the two
  scores of each question, the share whose difference is at least as far from 0. So few
  differences tell a bootstrap nothing of their spread, and it would call any of them
  significant;
- of scores that differ in more, the share of the bootstrap samples whose difference, less
  the mean of all of them, is at least as far from 0 as the observed one. As in sacreBLEU's
  `--paired-bs`, the observed sample counts as one of them, so that p is never 0.

`needed` is the number of questions at which a test at the 5 % level finds a difference of
this size in four of five samples (80 % power), given how much the pairs differ here:
`((1.96 + 0.84) * s / d) ** 2`, with `s` the standard deviation of the differences, and at
least 6, since no fewer questions can be significant in an exact test.

Nothing here corrects for comparing many systems or many metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, lgamma, log
from typing import TYPE_CHECKING, Any, Final

from .aggregate import Z95


if TYPE_CHECKING:
    from numpy.typing import NDArray


RESAMPLES: Final = 10_000
SEED: Final = 1234  # that of the harness

_Z_POWER: Final = 0.8416212335729143  # below it lies 0.8 of the normal distribution
_FEW: Final = 20  # differences of which all 2**20 ways to swap are tried
_FEWEST: Final = 6  # questions that can be significant: 2 / 2**6 < 0.05
_COST_OF_A_VALUE: Final = 16  # of a multinomial draw, in draws of a question; measured
_AT_ONCE: Final = 2**21  # numbers that are drawn at a time: 16 MiB


@dataclass(frozen=True)
class Comparison:
    """Two systems in one metric.

    Parameters
    ----------
    first, second
        The means, over the `n` questions that both have a score for.
    difference
        `second - first`.
    ci95
        Its 95 % interval; `None` of a single question, and where the systems differ by
        the same amount in each: a bootstrap of these would claim certainty.
    p
        How likely a difference of at least this size is if there is none.
    test
        `"mcnemar"`, `"permutation"` or `"bootstrap"`.
    n
        The number of questions.
    needed
        How many questions would show a difference of this size with 80 % power; `None`
        where there is none.
    """

    first: float
    second: float
    difference: float
    ci95: tuple[float, float] | None
    p: float
    test: str
    n: int
    needed: int | None


def compare(
    first: Sequence[float | None],
    second: Sequence[float | None],
    *,
    upper: float = 1.0,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison | None:
    """Compare two systems by their scores, one a question, in the same order.

    Parameters
    ----------
    first, second
        Scores from 0 to `upper`; `None` where a question has none.
    resamples, seed
        Of the bootstrap. The same ones give the same result.

    Returns
    -------
    Comparison or None
        `None` where no question has a score from both. Time grows with the resamples
        times the questions, or times the different values that the scores differ by
        where these are few.

    Raises
    ------
    ValueError
        If the two are not of equally many questions.

    Examples
    --------
    >>> first = [1.0] * 60 + [0.0] * 40
    >>> second = [1.0] * 55 + [0.0] * 5 + [1.0] * 20 + [0.0] * 20
    >>> result = compare(first, second)
    >>> round(result.difference, 4), result.test, round(result.p, 4), result.needed
    (0.15, 'mcnemar', 0.0041, 81)
    """
    import numpy as np

    pairs = [
        (a, b)
        for a, b in zip(first, second, strict=True)
        if a is not None and b is not None
    ]
    if not pairs:
        return None
    n = len(pairs)
    means = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    difference = means[1] - means[0]
    gaps = np.array([b - a for a, b in pairs])
    drawn = _resampled(gaps, resamples, seed)
    low, high = np.quantile(drawn, (0.025, 0.975)).tolist()
    differing = gaps[gaps != 0]
    if all(score in (0.0, upper) for pair in pairs for score in pair):
        test = "mcnemar"
        p = mcnemar(sum(a > b for a, b in pairs), sum(a < b for a, b in pairs))
    elif len(differing) <= _FEW:
        test = "permutation"
        p = _permutation(differing)
    else:
        test = "bootstrap"
        # A hair less, for sums of the same scores in another order differ by roundings.
        observed = abs(difference) * (1 - 1e-12)
        beyond = int((np.abs(drawn - drawn.mean()) >= observed).sum())
        p = (beyond + 1) / (resamples + 1)
    return Comparison(
        *means,
        difference,
        (low, high) if n > 1 and (low < high or not difference) else None,
        p,
        test,
        n,
        _needed(gaps.tolist(), difference),
    )


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the two-sided p-value of the exact McNemar test.

    Parameters
    ----------
    first_only, second_only
        How many questions only the one, or only the other, system gets right.

    Examples
    --------
    >>> mcnemar(0, 0), round(mcnemar(2, 10), 6)
    (1.0, 0.038574)
    """
    n, few = first_only + second_only, min(first_only, second_only)
    # Binomial coefficients as logarithms: the numbers themselves outgrow a float.
    tail = sum(
        exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2))
        for k in range(few + 1)
    )
    return min(1.0, 2 * tail)


def _permutation(gaps: NDArray[Any]) -> float:
    """Return the two-sided p-value of the exact permutation test of a few differences."""
    import numpy as np

    sums = np.zeros(1)
    for gap in gaps:
        sums = np.concatenate([sums + gap, sums - gap])
    # A hair less, as above; the first sum is the observed one.
    observed = abs(sums[0]) - 1e-12 * np.abs(gaps).sum()
    return float((np.abs(sums) >= observed).mean())


def _resampled(gaps: NDArray[Any], resamples: int, seed: int) -> NDArray[Any]:
    """Return the mean of each bootstrap sample.

    How often each value is drawn is multinomial, which costs no more for many questions
    than for few where the scores are few different ones. Of many different ones it is
    the questions that are drawn.
    """
    import numpy as np

    n = len(gaps)
    values, counts = np.unique(gaps, return_counts=True)
    few = _COST_OF_A_VALUE * len(values) < n
    random = np.random.default_rng(seed)
    means = np.empty(resamples)
    step = max(1, _AT_ONCE // (len(values) if few else n))
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        if few:
            totals = random.multinomial(n, counts / n, size=count) @ values
        else:
            totals = gaps[random.integers(0, n, (count, n))].sum(axis=1)
        means[start : start + count] = totals / n
    return means


def _needed(gaps: Sequence[float], difference: float) -> int | None:
    n = len(gaps)
    if not difference or n < 2:
        return None
    variance = sum((gap - difference) ** 2 for gap in gaps) / (n - 1)
    return max(_FEWEST, ceil((Z95 + _Z_POWER) ** 2 * variance / difference**2))
