"""References that can be scored against, checked before there is a prediction.

A reference is checked by what scores against it, which raises where it is malformed: so
none passes here that would stop a run at its end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from ..finqa import finqa_program_score
from ..finqa.execution import finqa_execute
from ..tatllm import finqa_gold, tatllm_score
from ..tatqa import SCALES, malformed, tatqa_score
from ..value import value_match


# No text that these take is a number beyond the range of a float.
_PLAIN: Final = re.compile(r"\D*|[ -)+-DF-\]_-df-~]{0,100}")
_LARGE: Final = 1e15
# A program of so many characters nests fewer steps than the released script can compare.
_SHORT: Final = 1000


def check_tat(gold: Mapping[str, Any]) -> None:
    """Check a question of TAT-QA or TAT-DQA.

    Parameters
    ----------
    gold
        Its record, or what `finqa_gold` makes of FinQA's.

    Raises
    ------
    ValueError
        If no prediction can be scored against it; the message names the question.

    Examples
    --------
    >>> check_tat({"uid": "q", "answer": ["a"], "answer_type": "span"})
    Traceback (most recent call last):
    ...
    ValueError: malformed reference (question 'q'): no 'scale'
    """
    if _is_plain(gold):
        return
    tatqa_score(gold, None, "")
    tatllm_score(gold, None, dataset="tatqa")
    try:
        value_match(gold["answer"], [], reference_scale=gold["scale"])
    except ValueError as error:
        raise malformed(gold.get("uid", gold.get("id")), str(error)) from error


def _is_plain(gold: Mapping[str, Any]) -> bool:
    """Whether all is well at a glance, as it is with four in five."""
    answer: Any = gold.get("answer")
    kind, scale = gold.get("answer_type"), gold.get("scale")
    if not isinstance(scale, str) or scale not in SCALES:
        return False
    if kind == "arithmetic":
        return type(answer) in (int, float) and -_LARGE < answer < _LARGE
    if kind not in ("span", "multi-span") or not isinstance(answer, list):
        return False
    return bool(answer) and all(
        isinstance(text, str) and _PLAIN.fullmatch(text) for text in answer
    )


def check_finqa(record: Mapping[str, Any]) -> None:
    """Check a record of FinQA, its program included.

    The program has to run, and to come to `exe_ans`: where it does not, the released
    script stops at a prediction that equals it.

    Parameters
    ----------
    record
        With `id`, `table` and `qa`.

    Raises
    ------
    ValueError
        If it cannot be scored against; the message names the record.

    Examples
    --------
    >>> qa = {"program": "add(1, 2)", "exe_ans": 4.0}
    >>> check_finqa({"id": "a", "table": [], "qa": qa})
    Traceback (most recent call last):
    ...
    ValueError: FinQA record 'a': its program gives 3.0, its exe_ans is 4.0
    """
    qa = record["qa"]
    if _runs_to_its_answer(qa["program"], qa["exe_ans"], record["table"]):
        return
    finqa_program_score(record, qa["program"])
    # Of what the program comes to, the other metrics may not take all.
    check_tat(finqa_gold(qa["exe_ans"], uid=record.get("id")))


def _runs_to_its_answer(program: Any, exe_ans: Any, table: Any) -> bool:
    """Whether all is well, as it nearly always is, in a quarter of the time."""
    if not isinstance(program, str) or len(program) > _SHORT:
        return False
    if program.count("greater") > 1:  # may compare comparisons, which sympy cannot
        return False
    if isinstance(exe_ans, bool):  # True is 1
        return False
    execution = finqa_execute(program, table)
    value = execution.value
    known = value in ("yes", "no") or (isinstance(value, float) and isfinite(value))
    return execution.valid and known and value == exe_ans
