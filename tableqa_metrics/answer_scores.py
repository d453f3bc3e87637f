"""Every score of one answer, as the tasks and `tableqa score` report them.

The metrics are in their own modules; what is decided here is what each of them is given:

- A scorer gets the answer's JSON value where it has one, else the list of its values.
- No answer is scored as an empty one, which is 0 everywhere; the reference is checked
  all the same.
- `em_gold_scale` and `f1_gold_scale` grant the reference's scale: it replaces the one
  that the response states, as in the released evaluation of models that were not
  trained on the data (TAT-LLM, arXiv:2401.13223; `with_scale = False` in its
  `tat_llm_eval.py`). Where the reference has none, a scale word that stood in the
  answer's own text ("$12.5 million") stays, since it is a part of the answer that
  extraction has only moved.
- The recipe compares texts: the values with a blank between two of them, then the scale
  as a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .extraction.answer import Answer, FoundAnswer
from .extraction.reading import flat_text
from .recipe import recipe_score
from .response import EMPTY
from .tatqa import MALFORMED, tatqa_score
from .value import Precision, value_match


_NO_ANSWER: Final = Answer((), "", "")
# Rules that read the scale from a field of its own, apart from the answer's text.
_SCALE_APART: Final = frozenset(("answer_line", "step_table"))


def tat_scores(
    gold: Mapping[str, Any],
    found: FoundAnswer,
    *,
    prompted: str,
    precision: Precision = "reference",
) -> dict[str, float | str | None]:
    """Score an answer to a question of TAT-QA or TAT-DQA in every metric.

    Parameters
    ----------
    gold
        The question's record.
    found
        What `find_answer` made of the response.
    prompted
        The rule that finds an answer in the form that the prompt asks for.
    precision
        Of `value_em`; see `value_match`.

    Returns
    -------
    dict
        `em`, `f1`, `em_gold_scale`, `f1_gold_scale`, `scale_acc`, `value_em`,
        `recipe_em` and `recipe_f1`, each a float in [0, 1]; `no_answer`, the reason why
        there is nothing to score, else `None`; `off_format`, the rule that found the
        answer if it is not the prompted one, else `None`.

    Raises
    ------
    ValueError
        If the reference is malformed; the message names the question.

    Examples
    --------
    >>> from tableqa_metrics import find_answer
    >>> gold = {"answer_type": "arithmetic", "answer": 22.12, "scale": "percent"}
    >>> found = find_answer("The answer is: 22.12")
    >>> scores = tat_scores(gold, found, prompted="answer_line")
    >>> scores["em"], scores["em_gold_scale"], scores["off_format"]
    (0.0, 1.0, 'plain_answer_line')
    """
    answer = found.answer or _NO_ANSWER
    prediction = given(answer)
    official = tatqa_score(gold, prediction, answer.scale)
    granted = tatqa_score(gold, prediction, _granted_scale(gold, answer))
    reference = answer_text(gold["answer"], gold["scale"])
    recipe = recipe_score(reference, answer_text(prediction, answer.scale))
    return {
        "em": official.em,
        "f1": official.f1,
        "em_gold_scale": granted.em,
        "f1_gold_scale": granted.f1,
        "scale_acc": official.scale_match,
        "value_em": _value_em(gold, prediction, answer.scale, precision),
        "recipe_em": recipe.em,
        "recipe_f1": recipe.f1,
        "no_answer": found.reason or _no_answer(answer, official.reason),
        "off_format": off_format(answer.rule, prompted),
    }


def given(answer: Answer) -> Any:
    """Return what a scorer is given of an answer."""
    return answer.raw if answer.raw is not None else list(answer.values)


def answer_text(values: object, scale: str = "") -> str:
    """Write an answer as one text, for metrics that compare text.

    Examples
    --------
    >>> answer_text(["12.5", "13"], "million"), answer_text(94.0), answer_text([])
    ('12.5 13 million', '94', '')
    """
    parts = values if isinstance(values, list) else [values]
    text = " ".join(
        number_text(v) if isinstance(v, float) else flat_text(v) for v in parts
    )
    return f"{text} {scale}" if text and scale else text


def number_text(value: float) -> str:
    """Write a number in the fewest digits that give it back, a whole one as such.

    Examples
    --------
    >>> number_text(94.0), number_text(0.01639), number_text(-0.0)
    ('94', '0.01639', '0')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else str(value)


def off_format(rule: str, prompted: str) -> str | None:
    """Return the rule that found an answer, unless there is none or it is the prompted."""
    return None if rule in ("", prompted) else rule


def _granted_scale(gold: Mapping[str, Any], answer: Answer) -> str:
    apart = answer.raw is not None or answer.rule in _SCALE_APART
    return gold["scale"] or ("" if apart else answer.scale)


def _value_em(
    gold: Mapping[str, Any], prediction: object, scale: str, precision: Precision
) -> float:
    try:
        match = value_match(
            gold["answer"],
            prediction,
            reference_scale=gold["scale"],
            prediction_scale=scale,
            precision=precision,
        )
    except ValueError as error:
        name = gold.get("uid", gold.get("id"))
        raise ValueError(f"malformed reference (question {name!r}): {error}") from error
    return float(match)


def _no_answer(answer: Answer, reason: str | None) -> str | None:
    """Return the reason of an answer that says nothing, or that no scorer reads."""
    if not any(value.strip() for value in answer.values):
        return EMPTY
    return MALFORMED if reason == MALFORMED else None
