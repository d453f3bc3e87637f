"""Every score of one reply of a TAT-LLM model, as its tasks and `tableqa score` give it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..extraction.answers.answer import FoundAnswer
from ..response import visible_text
from ..tatllm import tatllm_score
from ..value import Precision
from .answer_scores import tat_scores
from .tasks import WORDS


def tatllm_scores(
    gold: Mapping[str, Any],
    response: str,
    found: FoundAnswer,
    *,
    dataset: str,
    prompted: str,
    thinking: bool = False,
) -> dict[str, float | str | None]:
    """Score a reply with TAT-LLM's scorer, which reads the reference, and blindly.

    Parameters
    ----------
    gold
        The question's record; of FinQA what `finqa_gold` makes of it.
    response
        The raw reply.
    found
        What `find_answer` made of it.
    dataset
        `"tatqa"`, `"tatdqa"` or `"finqa"`.
    prompted
        The rule that finds an answer in the form that the prompt asks for.
    thinking
        Whether the prompt ended inside a thought, and `found` was found so. TAT-LLM's
        scorer, which knows no thoughts, is then given what follows the thought alone.

    Returns
    -------
    dict
        All of `tat_scores`, and behind its scores `tatllm_em` and `tatllm_f1`, each a
        float in [0, 1]: they are never the ones to look at first.

    Raises
    ------
    ValueError
        If the reference is malformed; the message names the question.

    Examples
    --------
    >>> from tableqa_metrics import find_answer
    >>> gold = {"answer_type": "arithmetic", "answer": -61.2, "scale": "percent"}
    >>> reply = "The answer is: 61.2 #### and its corresponding scale is: percent"
    >>> scores = tatllm_scores(
    ...     gold, reply, find_answer(reply), dataset="tatqa", prompted="answer_line"
    ... )
    >>> scores["tatllm_em"], scores["em"]
    (1.0, 0.0)
    """
    reply = visible_text(response, thinking=True).text if thinking else response
    informed = tatllm_score(gold, reply, dataset=dataset)
    # FinQA's results of programs carry digits that nobody writes.
    precision: Precision = "coarser" if dataset == "finqa" else "reference"
    blind = tat_scores(gold, found, prompted=prompted, precision=precision)
    scores = {name: blind[name] for name in blind if name not in WORDS}
    own = {"tatllm_em": informed.em, "tatllm_f1": informed.f1}
    return {**scores, **own, **{name: blind[name] for name in WORDS if name in blind}}
