"""Aggregations that the tasks share: how values per document become one value per run.

The harness calls an aggregation with the values of one metric key, one a document, and
with nothing else. A key that does not apply to a document holds `None`. The harness's
own `mean` is used wherever every document has a number, since it gives a standard error.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence

# The YAML files of the tasks name it as a function of their utils.
from tableqa_metrics.aggregate import mean_of_present  # noqa: F401


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.results")


def no_table_share(reasons: Sequence[str | None]) -> float | None:
    """Share of responses without a table, from 0 to 1; logs how many for which reason.

    Examples
    --------
    >>> no_table_share([None, "empty", None, "nothing_found"])
    0.5
    """
    return _share_with_reason("no_table", reasons)


def no_answer_share(reasons: Sequence[str | None]) -> float | None:
    """Share of responses without an answer, from 0 to 1; logs how many for which reason.

    Examples
    --------
    >>> no_answer_share([None, None])
    0.0
    """
    return _share_with_reason("no_answer", reasons)


def off_format_share(rules: Sequence[str | None]) -> float | None:
    """Share of responses whose answer stood in another form than the prompt asks for.

    A value is `None` where the form was the right one and where there was no answer at
    all, else the name of the rule that found the answer. From 0 to 1, of all responses.

    Examples
    --------
    >>> off_format_share([None, "json", None, None])
    0.25
    """
    return _share(rules)


def _share_with_reason(key: str, reasons: Sequence[str | None]) -> float | None:
    counts = Counter(reason for reason in reasons if reason is not None)
    if counts:
        listed = ", ".join(f"{n} {reason}" for reason, n in counts.most_common())
        _log.warning(
            "%s: %d of %d responses (%s)", key, counts.total(), len(reasons), listed
        )
    return _share(reasons)


def _share(words: Sequence[str | None]) -> float | None:
    if not words:
        return None
    return sum(word is not None for word in words) / len(words)
