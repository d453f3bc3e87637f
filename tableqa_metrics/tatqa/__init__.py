r"""Exact match, F1 and scale score of TAT-QA, as its released scorers compute them.

TAT-QA: Zhu et al. 2021 (arXiv:2105.07624). Two editions of one scorer are public, and
differ in a handful of lines, which `text.Edition` lists:

- `TATQA`: `tatqa_metric.py` and `tatqa_utils.py` of NExTplusplus/TAT-QA at commit
  870accc41953dcde885aabeb963d94aabdc0fbc3, class `TaTQAEmAndF1`;
- `TATLLM`: the same two files of fengbinzhu/TAT-LLM at commit
  4d3fd213049ab87ecc6e725bc4a2cfd2421ba6fc, class `TATEmAndF1` (arXiv:2401.13223).

`em`, `f1` and `scale_match` equal what the released classes add up for a question, on
every question and prediction that they accept. Known oddities are kept: `(2,310.5)` is
positive, `.5` and `inf` are both read as "None", numbers are rounded to two decimals
before they are scaled, a scale that is also written out multiplies twice, and with
TAT-QA's edition an integer 0 counts as no answer.

Deviations, none of which changes the score of a run that the released script finishes:

- Where a prediction makes the released script raise, the score is 0 in all three parts,
  with the reason `malformed`.
- A broken reference raises `ValueError` whatever the prediction is, also where the
  prediction is empty and the released script never reads it; so does an answer `None`,
  which the released script compares as the text "None".
- The released assignment of answers to references is left out, for there is always one
  of each: all values of an answer are joined into one string before they are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..response import EMPTY
from ..shown import shown
from .text import (
    CRASHES,
    EDITIONS,
    Edition,
    answer_string,
    normalize_tatqa,
    unscaled_string,
)


MALFORMED: Final = "malformed"

SCALES: Final = ("", "thousand", "million", "billion", "percent")


@dataclass(frozen=True)
class TatqaScore:
    """Scores of one question, each a float in [0, 1].

    `reason` says why nothing was compared (`"empty"`, `"malformed"`), else `None`; it
    takes no part in comparisons.
    """

    em: float
    f1: float
    scale_match: float
    reason: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Question:
    """A reference as the scorer reads it; `scale` is `None` where the record has none."""

    uid: object
    answer_type: object
    answers: list[Any]
    scale: str | None


def tatqa_score(
    gold: Mapping[str, Any], prediction: Any, scale: Any, *, variant: str = "tatqa"
) -> TatqaScore:
    """Score an answer and its scale as the released TAT-QA scorer does.

    Parameters
    ----------
    gold
        A question of the data set: `answer`, `answer_type`, `scale`, and a `uid` for
        error messages.
    prediction
        The answer: a string, a number, or a list of these; any other JSON value is
        scored as the released scorer would. `None` is no answer.
    scale
        "", "thousand", "million", "billion" or "percent"; another one is wrong, though
        a word that holds one of these ("millions") still multiplies the answer.
    variant
        `"tatqa"`, or `"tatllm"` for the edition in the TAT-LLM repository.

    Returns
    -------
    TatqaScore
        `f1` has two decimals, and equals `em` for arithmetic and count questions. No
        answer gives 0 in all parts (with `"tatllm"`, the scale is still compared).

    Raises
    ------
    ValueError
        If `gold` is malformed, or `variant` unknown.

    Examples
    --------
    >>> gold = {"answer_type": "arithmetic", "answer": 22.12, "scale": "percent"}
    >>> tatqa_score(gold, "22.12", "percent")
    TatqaScore(em=1.0, f1=1.0, scale_match=1.0, reason=None)
    >>> tatqa_score(gold, 0.2212, "").scale_match
    0.0
    """
    if variant not in EDITIONS:
        raise ValueError(f"unknown variant {variant!r}; one of {sorted(EDITIONS)}")
    edition = EDITIONS[variant]
    return score_question(read_question(gold, edition), prediction, scale, edition)


def read_question(gold: Mapping[str, Any], edition: Edition) -> Question:
    """Check a question record and read what the scorer compares.

    Raises
    ------
    ValueError
        If a key is missing or its value is not of the kind that the answer type needs;
        the message shows the value and the question's `uid` or `id`.
    """
    if not isinstance(gold, Mapping):
        # A value of the data, not of the program: the wrong type is a wrong value.
        raise ValueError(f"a reference is a question, not {shown(gold)}")  # noqa: TRY004
    uid = gold.get("uid", gold.get("id"))
    needed = ("answer",) if edition.lenient else ("answer", "answer_type", "scale")
    for key in needed:
        if key not in gold:
            raise malformed(uid, f"no {key!r}")
    scale = gold.get("scale")
    if "scale" in gold and not (isinstance(scale, str) and scale in SCALES):
        raise malformed(uid, f"the scale {shown(scale)} is none of {SCALES}")
    answer, answer_type = gold["answer"], gold.get("answer_type", "")
    if answer is None:
        raise malformed(uid, "the answer is None")
    if answer_type in ("span", "multi-span"):
        if not isinstance(answer, list):
            raise malformed(uid, f"{answer_type} answer {shown(answer)} is not a list")
        return Question(uid, answer_type, answer, scale)
    try:
        text = str(int(answer) if answer_type == "count" else answer)
    except CRASHES as error:
        what = f"the {answer_type} answer {shown(answer)} ({error})"
        raise malformed(uid, what) from error
    return Question(uid, answer_type, [text], scale)


def score_question(
    question: Question, prediction: Any, scale: Any, edition: Edition
) -> TatqaScore:
    """Score a prediction against a reference that was read before."""
    try:
        reference = answer_string(question.answers, question.scale or "", edition)
        wanted = normalize_tatqa(reference, edition)
    except CRASHES as error:
        answers = shown(question.answers)
        raise malformed(question.uid, f"the answer {answers} ({error})") from error
    scale_match = float(question.scale is not None and scale == question.scale)
    if _is_empty(prediction, edition):
        kept = 0.0 if edition.scale_needs_answer else scale_match
        return TatqaScore(0.0, 0.0, kept, EMPTY)
    if not question.answers and edition.falsy_is_empty:
        return TatqaScore(0.0, 0.0, 0.0)
    values = prediction if isinstance(prediction, list) else [prediction]
    try:
        given = normalize_tatqa(answer_string(values, scale, edition), edition)
        em, f1 = _compare(wanted, given)
        if edition.percent_rescue and len(values) == 1 and not scale:
            unscaled = unscaled_string(str(values[0]), edition)
            if unscaled is not None:
                given = normalize_tatqa(unscaled, edition)
                em, f1 = max((em, f1), _compare(wanted, given))
    except CRASHES:
        return TatqaScore(0.0, 0.0, 0.0, MALFORMED)
    if question.answer_type in ("arithmetic", "count"):
        f1 = em
    return TatqaScore(em, f1, scale_match)


def _is_empty(prediction: Any, edition: Edition) -> bool:
    if edition.falsy_is_empty:
        return not prediction
    return prediction is None or prediction == ""


def _compare(reference: str, prediction: str) -> tuple[float, float]:
    """Return exact match, and the F1 of the two sets of tokens to two decimals."""
    if reference == prediction:
        return 1.0, 1.0
    wanted, given = set(reference.split()), set(prediction.split())
    shared = len(wanted & given)
    precision = shared / len(given) if given else 1.0
    recall = shared / len(wanted) if wanted else 1.0
    if precision == recall == 0.0:
        return 0.0, 0.0
    f1 = 2 * precision * recall / (precision + recall)
    # The released script rounds a numpy float, which is not Python's correctly rounded
    # `round(f1, 2)`: 0.015 becomes 0.02.
    return 0.0, round(f1 * 100) / 100


def malformed(uid: object, what: str) -> ValueError:
    """Return the error for a broken reference, which names the question."""
    return ValueError(f"malformed reference (question {shown(uid)}): {what}")
