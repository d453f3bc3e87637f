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
- FinQA's official metrics run programs. A plain answer is judged by the rules of
  execution accuracy (`finqa_answer_correct`), a program that stands in its place by what
  it comes to, and no digits are asked for in `value_em` that only a program has.
- The recipe compares texts: the values with a blank between two of them, then the scale
  as a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..extraction.answers.answer import Answer, FoundAnswer
from ..extraction.answers.reading import flat_text
from ..extraction.programs import FoundProgram, find_program
from ..finqa import finqa_answer_correct, finqa_program_score
from ..recipe import RecipeScore, recipe_score
from ..response import EMPTY
from ..tatqa import MALFORMED, tatqa_score
from ..value import value_match
from ..value.equality import Precision


_NO_ANSWER: Final = Answer((), "", "")


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
    reason = found.reason or _no_answer(answer, official.reason)
    recipe = RecipeScore(0.0, 0.0)
    if reason is None:
        recipe = recipe_score(reference, answer_text(prediction, answer.scale))
    return {
        "em": official.em,
        "f1": official.f1,
        "em_gold_scale": granted.em,
        "f1_gold_scale": granted.f1,
        "scale_acc": official.scale_match,
        "value_em": _value_em(
            gold.get("uid", gold.get("id")),
            gold["answer"],
            prediction,
            reference_scale=gold["scale"],
            prediction_scale=answer.scale,
            precision=precision,
        ),
        "recipe_em": recipe.em,
        "recipe_f1": recipe.f1,
        "no_answer": reason,
        "off_format": _off_format(answer.rule, prompted),
    }


def finqa_scores(
    record: Mapping[str, Any],
    found: FoundAnswer,
    program: FoundProgram,
    *,
    prompted: str,
) -> dict[str, float | str | None]:
    """Score an answer to a question of FinQA in every metric.

    Parameters
    ----------
    record
        A record of the data set with `id`, `table` and `qa`.
    found, program
        What `find_answer` and `find_program` made of the response.
    prompted
        The rule that finds an answer in the form that the prompt asks for.

    Returns
    -------
    dict
        `exe_acc`, `value_em`, `recipe_em` and `recipe_f1`, each a float in [0, 1];
        `prog_acc`, `None` where the response holds no program; `no_answer` and
        `off_format` as in `tat_scores`, `off_format` being `"program"` where the answer
        is a program.

    Raises
    ------
    ValueError
        If the reference is malformed; the message names the record.

    Examples
    --------
    >>> from tableqa_metrics import find_answer
    >>> qa = {"program": "divide(16.9, 493.0)", "exe_ans": 0.03428}
    >>> record = {"id": "a", "table": [], "qa": qa}
    >>> response = "The answer is: 3.4%"
    >>> found, program = find_answer(response), find_program(response)
    >>> scores = finqa_scores(record, found, program, prompted="plain_answer_line")
    >>> scores["exe_acc"], scores["value_em"], scores["prog_acc"]
    (0.0, 1.0, None)
    """
    answer = found.answer
    if program.tokens and (answer is None or _is_program(answer)):
        scores = finqa_program_scores(record, program, prompted="")
        return {**scores, "off_format": "program"}
    answer = answer or _NO_ANSWER
    exe_ans = record["qa"]["exe_ans"]
    try:
        correct = finqa_answer_correct(exe_ans, _one_text(answer))
    except ValueError as error:
        raise _malformed(record["id"], error) from error
    prog_acc = None
    if program.tokens:
        prog_acc = finqa_program_score(record, program.tokens).prog_acc
    recipe = recipe_score(
        answer_text(exe_ans), answer_text(given(answer), answer.scale)
    )
    return {
        "exe_acc": float(correct),
        "prog_acc": prog_acc,
        "value_em": _value_em(
            record["id"],
            exe_ans,
            given(answer),
            prediction_scale=answer.scale,
            precision="coarser",
        ),
        "recipe_em": recipe.em,
        "recipe_f1": recipe.f1,
        "no_answer": found.reason or _no_answer(answer, None),
        "off_format": _off_format(answer.rule, prompted),
    }


def finqa_program_scores(
    record: Mapping[str, Any], program: FoundProgram, *, prompted: str
) -> dict[str, float | str | None]:
    """Score a program as an answer to a question of FinQA in every metric.

    Parameters
    ----------
    record
        A record of the data set with `id`, `table` and `qa`.
    program
        What `find_program` made of the response.
    prompted
        The rule that finds a program in the form that the prompt asks for.

    Returns
    -------
    dict
        As `finqa_scores`. No program, or one that does not run, is 0 in `exe_acc`,
        `prog_acc`, `value_em` and the recipe.

    Raises
    ------
    ValueError
        If the reference is malformed; the message names the record.

    Examples
    --------
    >>> qa = {"program": "subtract(97.3, 104.9)", "exe_ans": -7.6}
    >>> record = {"id": "a", "table": [], "qa": qa}
    >>> program = find_program("Program: add(97.3, -104.9)")
    >>> scores = finqa_program_scores(record, program, prompted="marked")
    >>> scores["exe_acc"], scores["prog_acc"], scores["off_format"]
    (1.0, 0.0, None)
    """
    score = finqa_program_score(record, program.tokens)
    result = score.execution.value if score.execution.valid else ""
    exe_ans = record["qa"]["exe_ans"]
    recipe = recipe_score(answer_text(exe_ans), answer_text(result))
    return {
        "exe_acc": score.exe_acc,
        "prog_acc": score.prog_acc,
        "value_em": _value_em(record["id"], exe_ans, result, precision="coarser"),
        "recipe_em": recipe.em,
        "recipe_f1": recipe.f1,
        "no_answer": program.reason,
        "off_format": _off_format(program.rule or "", prompted),
    }


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


def given(answer: Answer) -> Any:
    """Return what a scorer is given of an answer."""
    return answer.raw if answer.raw is not None else list(answer.values)


def _granted_scale(gold: Mapping[str, Any], answer: Answer) -> str:
    return gold["scale"] or ("" if answer.scale_apart else answer.scale)


def _one_text(answer: Answer) -> str:
    """Write an answer as a text that is read as one number with its scale, or as none."""
    values = [answer_text(answer.raw)] if answer.raw is not None else answer.values
    scale = answer.scale
    return "; ".join(
        f"{value}%" if scale == "percent" else f"{value} {scale}".strip()
        for value in values
    )


def _is_program(answer: Answer) -> bool:
    """Whether the text that was taken for an answer is a program ('#' parted it)."""
    values = answer.values if answer.raw is None else (flat_text(answer.raw),)
    return find_program("#".join(values)).tokens is not None


def _value_em(
    name: object,
    reference: Any,
    prediction: object,
    *,
    reference_scale: str = "",
    prediction_scale: str = "",
    precision: Precision,
) -> float:
    try:
        match = value_match(
            reference,
            prediction,
            reference_scale=reference_scale,
            prediction_scale=prediction_scale,
            precision=precision,
        )
    except ValueError as error:
        raise _malformed(name, error) from error
    return float(match)


def _malformed(name: object, error: ValueError) -> ValueError:
    return ValueError(f"malformed reference (question {name!r}): {error}")


def _off_format(rule: str, prompted: str) -> str | None:
    """Return the rule that found an answer, unless there is none or it is prompted."""
    return None if rule in ("", prompted) else rule


def _no_answer(answer: Answer, reason: str | None) -> str | None:
    """Return the reason of an answer that says nothing, or that no scorer reads."""
    if not any(value.strip() for value in answer.values):
        return EMPTY
    return MALFORMED if reason == MALFORMED else None
