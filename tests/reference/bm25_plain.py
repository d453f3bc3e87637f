"""BM25 by its definition, for the tests of the search of `tanq_open_book`.

The form is Lucene's (Kamphuis et al. 2020, the variant that they call accurate): a word
that `n` of `N` passages hold has the weight `log(1 + (N - n + 0.5) / (n + 0.5))`, and
counts `t / (t + k1 (1 - b + b l / a))` of it in a passage of `l` words that holds it `t`
times, where `a` is the mean of all `l`.
"""

import math


def bm25_plain(
    passages: list[list[str]], question: list[str], k1: float = 1.5, b: float = 0.75
) -> list[float]:
    """Return the score of each passage; a word of the question counts once."""
    mean = sum(map(len, passages)) / len(passages)
    scores = []
    for passage in passages:
        score = 0.0
        for word in set(question):
            holding = sum(word in other for other in passages)
            weight = math.log(1 + (len(passages) - holding + 0.5) / (holding + 0.5))
            times = passage.count(word)
            norm = k1 * (1 - b + b * len(passage) / mean)
            score += weight * times / (times + norm)
        scores.append(score)
    return scores
