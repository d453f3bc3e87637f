"""What answer extraction returns, and what its rules hand to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...response import REFUSAL, after_refusal, is_refusal


@dataclass(frozen=True)
class Answer:
    """An answer, as found in a response without a look at any reference.

    Parameters
    ----------
    values
        The answer's values as text, in the order of the response.
    scale
        `""`, `"thousand"`, `"million"`, `"billion"` or `"percent"`; where a response
        states it in a field of its own, also another word that it states there.
    rule
        The name of the rule that found it.
    raw
        The value with its JSON type, where the answer was JSON. A scorer gets `raw`
        where it is not `None`, else `list(values)`.
    scale_apart
        Whether the scale stood in a field, tag, line or heading of its own, and not in
        the text of the values. It does not count where answers are compared.
    """

    values: tuple[str, ...]
    scale: str
    rule: str
    raw: object = field(default=None, hash=False)  # may be a list
    scale_apart: bool = field(default=False, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class FoundAnswer:
    """An answer, or the reason why there is none.

    `reason` is `None` with an answer, else `"empty"`, `"unfinished_thought"`,
    `"refusal"` or `"nothing_found"` (`tableqa_metrics.response`).
    """

    answer: Answer | None
    reason: str | None


@dataclass(frozen=True)
class Candidate:
    """An answer and where in the text it starts, so that the rightmost can win.

    `answer` is `None` where the text at that place declines to answer, or for another
    `reason`.
    """

    start: int
    answer: Answer | None
    reason: str = REFUSAL


def declines(value: str) -> bool:
    """Whether a value says that there is none, as the whole of it or as its beginning.

    Examples
    --------
    >>> declines("not provided in the table"), declines("not material")
    (True, False)
    """
    return is_refusal(value) or after_refusal(value) == ""
