"""How many responses had no answer or table, and why, in words."""

from __future__ import annotations

from collections import Counter

from ..response import UNFINISHED_THOUGHT


def listed(counts: Counter[str]) -> str:
    """List reasons or rules with their counts, the most frequent first.

    Examples
    --------
    >>> listed(Counter(["empty", "refusal", "empty"]))
    '2 empty, 1 refusal'
    """
    return ", ".join(f"{n} {word}" for word, n in counts.most_common())


def thoughts_hint(counts: Counter[str], total: int) -> str:
    """Say what may be wrong where no response of all got past its thought, else nothing.

    Parameters
    ----------
    counts
        Of the reasons why there is no answer or table.
    total
        How many responses there are.

    Examples
    --------
    >>> thoughts_hint(Counter(unfinished_thought=2, empty=1), 4)
    ''
    >>> thoughts_hint(Counter(unfinished_thought=2, empty=1), 3)
    '; no response got past its thought: the models need more tokens (max_gen_toks), or \
thinking is set for responses whose thoughts had been taken off before'
    """
    if counts.total() < total or not counts[UNFINISHED_THOUGHT]:
        return ""
    return (
        "; no response got past its thought: the models need more tokens (max_gen_toks), "
        "or thinking is set for responses whose thoughts had been taken off before"
    )
