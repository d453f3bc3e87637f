"""Score of a TAT-LLM response, as the TAT-LLM repository computes it.

TAT-LLM: Zhu et al. 2024 (arXiv:2401.13223); `tat_llm_eval.py` of fengbinzhu/TAT-LLM at
commit 4d3fd213049ab87ecc6e725bc4a2cfd2421ba6fc, with its defaults `mode = 'sft'` and
`with_scale = True`. Its `parse_pred_answer` reads the reference while it looks for the
answer: any number of the answer within about one percent of the reference counts, with
either sign, and 100 times larger or smaller; what is scored then is the reference
itself. The score exists so that published TAT-LLM figures can be compared, and is no
measure of a model's answers; `tatqa_score` on an answer extracted blindly is.

Scores, predictions and scales equal the released script's, with these deviations:

- Equations are evaluated by `evaluate`, never by Python. Where an equation holds
  anything but arithmetic and comparisons, the answer line is read, as the script does
  wherever Python fails. So what the script computes by accident is not computed: `2^3`
  (an exclusive or, 1), `5 << 1`, `~5`, `[7, 8][1]`, comparisons inside parentheses, and
  integers beyond the range of a float.
- Deeper parentheses than Python allows (200) are evaluated.
- Where a response makes the script raise (a count where several spans are wanted), the
  score is 0, with the reason `malformed`.
- TAT-DQA is read like TAT-QA, as the script's own run does; its parser, called by hand
  with the name "tatdqa", would read neither steps nor scale.
- No response at all (`None`, or an empty list) scores 0; after an empty list, the script
  scores the answer to the question before it.
- A broken reference raises `ValueError`, as in `tatqa`.
"""

from __future__ import annotations

import math
import operator
import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from .arithmetic import evaluate
from .response import EMPTY
from .shown import shown
from .tatqa import (
    MALFORMED,
    Question,
    malformed,
    read_question,
    score_question,
)
from .tatqa.text import CRASHES, TATLLM, all_numbers, to_number


DATASETS: Final = ("finqa", "tatqa", "tatdqa")

_ANSWER: Final = "the answer is:"
_SCALE: Final = "and its corresponding scale is:"
_TRUTH: Final = {"true": "true", "yes": "true", "false": "false", "no": "false"}


@dataclass(frozen=True)
class TatllmScore:
    """Scores of one response, each a float in [0, 1], and what was scored.

    `prediction` holds the answers that the script found (the reference itself where a
    number came close to it), or `None` where nothing was read; `scale` goes with it.
    `reason` says why nothing was compared (`"empty"`, `"malformed"`), else `None`; it
    takes no part in comparisons.
    """

    em: float
    f1: float
    scale_match: float
    prediction: list[str | int | float] | None
    scale: str
    reason: str | None = field(default=None, compare=False)


def finqa_gold(
    exe_ans: str | float, *, uid: str | None = None
) -> dict[str, str | int | float]:
    """Turn FinQA's execution result into the question record that is scored against.

    "yes" and "no" become "True" and "False", as TAT-LLM's FinQA responses write them.

    Raises
    ------
    ValueError
        If `exe_ans` is neither a finite number nor "yes" or "no"; the message shows `uid`.

    Examples
    --------
    >>> finqa_gold("yes")
    {'answer': 'True', 'answer_type': 'arithmetic', 'scale': ''}
    """
    answer: str | int | float
    if (
        isinstance(exe_ans, int)
        and not isinstance(exe_ans, bool)
        or isinstance(exe_ans, float)
        and math.isfinite(exe_ans)
    ):
        answer = exe_ans
    elif exe_ans in ("yes", "no"):
        answer = "True" if exe_ans == "yes" else "False"
    else:
        raise malformed(
            uid, f'exe_ans {shown(exe_ans)} is no finite number, "yes" or "no"'
        )
    gold = {"answer": answer, "answer_type": "arithmetic", "scale": ""}
    return gold if uid is None else {"uid": uid, **gold}


def tatllm_score(
    gold: Mapping[str, Any], response: str | Sequence[str] | None, *, dataset: str
) -> TatllmScore:
    """Score a response as the TAT-LLM repository does, the reference in hand.

    Parameters
    ----------
    gold
        A question of TAT-QA or TAT-DQA, or what `finqa_gold` makes of FinQA's. Without
        a `scale`, the scale score is 0; without an `answer_type`, which the script takes
        for a question as well, it is that of no answer.
    response
        The raw response. Of several, the first that holds the reference's number
        counts, else the last. What is no text scores 0, with the reason `malformed`.
    dataset
        `"tatqa"`, `"tatdqa"` or `"finqa"`: which steps and answer line to expect.

    Raises
    ------
    ValueError
        If `gold` is malformed, or `dataset` unknown.

    Examples
    --------
    >>> gold = {"answer_type": "arithmetic", "answer": 0.61, "scale": "percent"}
    >>> tatllm_score(
    ...     gold,
    ...     "The answer is: -61.2 #### and its corresponding scale is: percent",
    ...     dataset="tatqa",
    ... )
    TatllmScore(em=1.0, f1=1.0, scale_match=1.0, prediction=[0.61], scale='percent', \
reason=None)
    """
    if dataset not in DATASETS:
        raise ValueError(f"unknown dataset {dataset!r}; one of {DATASETS}")
    question = read_question(gold, TATLLM)
    number = _reference_number(question)
    responses: list[Any] = [] if response is None else [response]
    if isinstance(response, (list, tuple)):
        responses = list(response)
    if not responses:
        return TatllmScore(0.0, 0.0, 0.0, None, "", EMPTY)
    try:
        for text in responses:
            answer, scale = _read_response(text.lower(), dataset, question.scale)
            prediction, matched = _find(question, number, answer)
            if matched:
                break
    except CRASHES:
        return TatllmScore(0.0, 0.0, 0.0, None, "", MALFORMED)
    score = score_question(question, prediction, scale, TATLLM)
    return TatllmScore(
        score.em, score.f1, score.scale_match, prediction, scale, score.reason
    )


def _reference_number(question: Question) -> int | float | None:
    if question.answer_type not in ("count", "arithmetic"):
        return None
    try:
        return to_number(question.answers[0].lower(), TATLLM)
    except (ValueError, OverflowError) as error:
        what = f"the {question.answer_type} answer has too many digits ({error})"
        raise malformed(question.uid, what) from error


def _read_response(
    text: str, dataset: str, reference_scale: str | None
) -> tuple[str | int, str]:
    """Return what a lower-cased response answers, and its scale.

    The steps decide where they can be read, else the answer line, else all of the text.
    """
    answer, scale = text.strip(), ""
    _, marker, line = text.partition(_ANSWER)
    if marker:
        answer = line.partition(_ANSWER)[0].strip().replace("</s>", "")
        if dataset != "finqa":
            answer, *stated = answer.split("####")
            answer = answer.strip()
            if stated:
                scale = stated[0].replace(_SCALE, "").strip()
                scale = "" if scale == "none" else scale
            elif reference_scale and reference_scale in answer:
                scale = reference_scale
    from_steps = _read_steps(text, dataset)
    return (answer if from_steps is None else from_steps), scale


def _read_steps(text: str, dataset: str) -> str | int | None:
    """Return the answer that the table of steps leads to, or `None` if it is unreadable.

    The last row of each step number counts. One row with less than two cells makes the
    whole table unreadable.
    """
    steps: dict[str, str] = {}
    for line in text.split("\n"):
        if "|" in line:
            cells = [cell for cell in map(str.strip, line.split("|")) if cell]
            if len(cells) < 2:
                return None
            steps[cells[0]] = cells[1]
    if dataset == "finqa":
        if "3" not in steps:
            return None
        return _TRUTH.get(steps["3"]) or equation_value(steps.get("2", ""))
    match steps.get("1"):
        case "arithmetic":
            return equation_value(steps.get("3", ""))
        case "count":
            return len(steps["2"].split("#")) if "2" in steps else None
        case "multiple spans" | "single span":
            return steps.get("2")
    return None


_NO_ARITHMETIC: Final = str.maketrans("", "", string.ascii_lowercase + "&%,$")
_ARITHMETIC: Final = re.compile(r"[0-9._+\-*/() \t\f]+")
_COMPARISON: Final = re.compile(r"([=!<>]=|[<>])")
_COMPARE: Final[dict[str, Callable[[float, float], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


def clean_equation(equation: str) -> str:
    """Drop lower-case letters, `&`, `%`, `,` and `$`; so 1e3 is 13, and 5% is 5."""
    return equation.translate(_NO_ARITHMETIC)


def equation_value(equation: str) -> str | None:
    """Return an equation's value to four decimals, as Python writes it, or `None`.

    What follows a `#` is a comment to Python. A comparison that holds is 1, else 0.
    """
    parts = _COMPARISON.split(clean_equation(equation).partition("#")[0])
    if not all(_ARITHMETIC.fullmatch(part) for part in parts[::2]):
        return None
    values = []
    for part in parts[::2]:
        value = evaluate(part)
        if value is None:
            return None
        values.append(value)
    if len(values) > 1:
        pairs = zip(values, parts[1::2], values[1:], strict=False)
        return str(int(all(_COMPARE[sign](a, b) for a, sign, b in pairs)))
    return str(round(values[0], 4))


def _find(
    question: Question, number: float | None, answer: str | int
) -> tuple[list[str | int | float], bool]:
    """Return the predictions, and whether they are the reference's number or truth."""
    if question.answer_type in ("count", "arithmetic"):
        truth = question.answers[0].lower()
        if truth in ("true", "false") and truth in _spans(answer):
            return [truth], True
        found = all_numbers(str(answer))[::-1]
        if number is not None and any(numbers_match(number, one) for one in found):
            return [number], True
        return [*found], False
    if question.answer_type == "span":
        return [answer] * len(question.answers), False
    if question.answer_type == "multi-span" and question.answers:
        return [*_spans(answer).split("#")], False
    return [], False


def _spans(answer: str | int) -> str:
    if isinstance(answer, int):
        raise TypeError("a count of items where their text is wanted")
    return answer


def numbers_match(reference: float, prediction: float) -> bool:
    """Tell whether two numbers are about the same, up to sign and a factor of 100.

    The tolerance is 1 above 100, 0.1 above 10, 0.01 above 1, and below that 0.001 or
    one percent.
    """
    if len(str(prediction)) > 20:
        return False
    wanted, given = abs(reference), abs(prediction)
    gap = min(abs(wanted - given), abs(wanted - given * 100), abs(wanted - given / 100))
    if gap == 0 or (gap < 1 and wanted > 100) or (gap < 0.1 and wanted > 10):
        return True
    if not gap <= 0.01:
        return False
    return wanted > 1 or gap < 0.001 or (reference != 0 and gap / wanted < 0.01)
