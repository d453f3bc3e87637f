"""What the tasks share of results: a response's text, and aggregations.

An aggregation makes the values of all documents one value of the run. The harness calls
it with the values of one metric key, one a document, and with nothing else. A key that
does not apply to a document holds `None`. The harness's own `mean` is used wherever every
document has a number, since it gives a standard error.

Of which task the values are, an aggregation is not told. A warning finds its name in the
function that called it, which in each supported version has it in a variable; where it
has not, the warning is without a name.
"""

from __future__ import annotations

import inspect
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Final

# The YAML files of the tasks name it as a function of their utils.
from tableqa_metrics.aggregate import mean_of_present  # noqa: F401
from tableqa_metrics.scoring.reasons import listed, thoughts_hint


# A child of the harness's logger, so that its handler and level apply.
_log = logging.getLogger("lm_eval.tableqa.results")

_CALLERS: Final = 4  # from the share's own function up to the harness's


def first_response(results: Sequence[str | None]) -> str:
    """Return the text of a document's first response, `""` for `None`.

    A server of chat models sends no content where a model only thought, called a tool,
    or was stopped by a filter; the harness hands on the `None`.

    Examples
    --------
    >>> first_response(["The answer is: 5"]), first_response([None])
    ('The answer is: 5', '')
    """
    response = results[0]
    return "" if response is None else response


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
        _log.warning(
            "%s: %d of %d responses%s (%s)%s",
            key,
            counts.total(),
            len(reasons),
            _to_task(),
            listed(counts),
            thoughts_hint(counts, len(reasons)),
        )
    return _share(reasons)


def _to_task() -> str:
    """Return `" to <task>"` where one of the callers is the harness at work on a task."""
    frame = inspect.currentframe()
    for _ in range(_CALLERS):
        frame = frame and frame.f_back
        for holder in ("task", "self"):  # lm-eval 0.4.13 and 0.4.10
            name = getattr(frame and frame.f_locals.get(holder), "task_name", None)
            if isinstance(name, str):
                return f" to {name}"
    return ""


def _share(words: Sequence[str | None]) -> float | None:
    if not words:
        return None
    return sum(word is not None for word in words) / len(words)
