"""One prediction of TAT-QA or TAT-DQA, scored as their tasks score it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..extraction.answers import find_answer
from ..extraction.answers.answer import Answer, FoundAnswer
from ..extraction.answers.reading import flat_text
from .answer_scores import tat_scores
from .tasks import Scored, Task


def score(
    task: Task,
    gold: Mapping[str, Any],
    prediction: Any,
    *,
    extracted: bool,
    thinking: bool,
    document: Mapping[str, Any],
) -> Scored:
    """Score a response, or an answer that was extracted already."""
    if extracted:
        found = extracted_answer(prediction)
    else:
        found = find_answer(prediction, thinking=thinking)
    if task.tatllm and not extracted:
        from .tatllm_scores import tatllm_scores

        scores = tatllm_scores(
            gold,
            prediction,
            found,
            dataset=task.benchmark,
            prompted=task.prompted,
            thinking=thinking,
        )
    else:
        scores = tat_scores(gold, found, prompted=task.prompted)
    return Scored(scores, shown(found.answer), rule_of(found.answer))


def extracted_answer(value: Any) -> FoundAnswer:
    """Take a value for an answer as it is.

    `{"answer": …, "scale": …}` states a scale; any other value has none. The answer is
    the one that replaying the value as JSON comes to.

    Examples
    --------
    >>> extracted_answer({"answer": [1, "b"], "scale": "million"}).answer
    Answer(values=('1', 'b'), scale='million', rule='', raw=[1, 'b'])
    """
    scale = ""
    if isinstance(value, dict) and value.keys() == {"answer", "scale"}:
        scale = value["scale"] if isinstance(value["scale"], str) else ""
        value = value["answer"]
    values = value if isinstance(value, list) else [] if value is None else [value]
    return FoundAnswer(
        Answer(tuple(map(flat_text, values)), scale, "", raw=value, scale_apart=True),
        None,
    )


def shown(answer: Answer | None) -> dict[str, Any] | None:
    """Return an answer as a sample shows it: what was scored, and its scale."""
    if answer is None:
        return None
    value = answer.raw if answer.raw is not None else list(answer.values)
    return {"answer": value, "scale": answer.scale}


def rule_of(answer: Answer | None) -> str | None:
    """Return the rule that found an answer; an extracted one has none."""
    return answer.rule or None if answer else None
