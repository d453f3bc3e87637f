"""One prediction of FinQA, scored as its tasks score it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..extraction.answers import find_answer
from ..extraction.programs import FoundProgram, find_program
from ..finqa.program import step_texts, tokenize_program
from ..response import NOTHING_FOUND
from .answer_scores import finqa_program_scores, finqa_scores
from .tasks import Scored, Task
from .tat import extracted_answer, rule_of, shown


def score(
    task: Task,
    gold: Mapping[str, Any],
    prediction: Any,
    *,
    extracted: bool,
    thinking: bool,
    document: Mapping[str, Any],
) -> Scored:
    """Score a response, or a program or an answer that was extracted already.

    An extracted list is a program's tokens, and a text is a program where it is one by
    the released script's rules. All else is an answer.
    """
    if extracted:
        return _extracted(gold, prediction)
    program = find_program(prediction, thinking=thinking)
    if task.program:
        scores = finqa_program_scores(gold, program, prompted=task.prompted)
        return Scored(scores, _tokens(program), program.rule)
    found = find_answer(prediction, thinking=thinking)
    plain = finqa_scores(gold, found, program, prompted=task.prompted)
    if not task.tatllm:
        if plain["off_format"] == "program":
            return Scored(plain, _tokens(program), "program")
        return Scored(plain, shown(found.answer), rule_of(found.answer))
    from ..tatllm import finqa_gold
    from .tatllm_scores import tatllm_scores

    reply = tatllm_scores(
        finqa_gold(gold["qa"]["exe_ans"], uid=gold["id"]),
        prediction,
        found,
        dataset="finqa",
        prompted=task.prompted,
        thinking=thinking,
    )
    scores = {"exe_acc": plain["exe_acc"], **reply}
    return Scored(scores, shown(found.answer), rule_of(found.answer))


def _extracted(gold: Mapping[str, Any], prediction: Any) -> Scored:
    is_program = isinstance(prediction, list) or (
        isinstance(prediction, str) and bool(step_texts(tokenize_program(prediction)))
    )
    if is_program:
        tokens = (
            tokenize_program(prediction) if isinstance(prediction, str) else prediction
        )
        program = FoundProgram(tuple(tokens), None, None)
        scores = finqa_program_scores(gold, program, prompted="")
        return Scored(scores, prediction, None)
    found = extracted_answer(prediction)
    no_program = FoundProgram(None, None, NOTHING_FOUND)
    scores = finqa_scores(gold, found, no_program, prompted="")
    return Scored(scores, shown(found.answer), None)


def _tokens(program: FoundProgram) -> list[str] | None:
    return None if program.tokens is None else list(program.tokens)
