r"""Finding the answer in a response, without ever looking at a reference.

Rules stand in tiers. The first tier with a match decides, and in it the rightmost match
wins, since models correct themselves. The rule that fired is part of the answer. An
answer of tiers 3 and 4 is taken back by a later one in words, where those say so ("Wait,
that is wrong. The answer is …").

1. `json`: a response that is JSON as a whole.
2. `step_table`: TAT-LLM's step table.
3. `answer_line`: the line `The answer is: X #### and its corresponding scale is: Y`, also
   where words of it are left out (`X #### Y`).
4. `boxed`, `answer_tag`, `json`, `answer_call`: `\boxed{}`, `<answer>`, a JSON object in
   other text, a call such as `final_answer("X")`.
5. `plain_answer_line`: `The answer is: X`; `answer_marker`: "Answer:", "Final answer",
   "The correct answer is …", as a label, a heading or in a sentence, or a literal that a
   program assigns to its answer; `answer_table`: a table at the end with a row or a column
   "Answer", or with one number.
6. `bold`: bold text that is no label or heading.
7. `bare`: a response that is the answer; `last_number`: prose, of which the last number
   counts that it says something is, else its last number (or the date, yes or no that it
   ends in).

Only what a response says outside its thoughts counts (`tableqa_metrics.response`), and
only up to the point where a model that answered goes on to ask itself the next
question. `tableqa_metrics.extraction.answers.reading` says how the text that a rule found is
read. Every step is linear in the length of the response.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ...response import missing_reason, require_text, visible_text
from ..marks import unwrap_html, unwrap_math
from .answer import Answer, Candidate, FoundAnswer
from .answer_line import answer_line
from .answer_table import answer_table
from .forms import without_forms
from .json_answer import json_object, json_response, read_lossless, unquoted
from .marked import answer_tag, bold, boxed
from .markers import answer_call, answer_marker, correction
from .reading import read_answer
from .step_table import step_table
from .unmarked import unmarked


_TIERS: Final[tuple[tuple[Callable[[str], Candidate | None], ...], ...]] = (
    (json_response,),
    (step_table,),
    (answer_line,),
    (boxed, answer_tag, json_object, answer_call),
    (answer_marker, answer_table),
    (bold,),
    (unmarked,),
)

# Rules whose answer may be taken back in words further down.
_CORRECTED: Final = ("answer_line", "boxed", "answer_tag")
# Tokens of chat templates that end a turn or begin one.
_STOP = re.compile(
    r"</s>|<\|(?:im_end|im_start|eot_id|eot|eom_id|endoftext|end_of_text|end|return|user"
    r"|observation|start_header_id|endofturn|END_OF_TURN_TOKEN|END_RESPONSE)\|>"
    r"(?:assistant\b)?(?:<\|end_header_id\|>)?|<(?:start|end)_of_turn>(?:model\b)?|<eos>"
    r"|\[INST\]|<｜[^｜\n]{1,40}｜>|\[\|endofturn\|\]"
)
_NEXT_QUESTION = re.compile(
    r"\n\s{0,9}[#*_]{0,6}\s?(?:(?:next\s)?question(?:\s\d{1,3})?[*_]{0,2}\s?[:：]"
    r"|Q\d{0,3}[:：]|(?:user|human)[:：]|instruction[*_]{0,2}[:：\n]"
    r"|below is an instruction\b)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"\banswer\s{1,3}is\b|\banswer[*_]{0,3}\s{0,3}[:：]|\\boxed|</answer>|^A[:：]"
    r"|^\|\s{0,3}[34]\s{0,3}\|",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_WORDS_OF_AN_ANSWER: Final = 12


def extract_answer(response: str, *, thinking: bool = False) -> Answer | None:
    """Find the answer in a response; see `find_answer` for the reason if there is none.

    Examples
    --------
    >>> extract_answer("Thus the margin grew. **Final answer:** $12.5 million")
    Answer(values=('$12.5',), scale='million', rule='answer_marker', raw=None)
    >>> extract_answer("<think>perhaps 12.5") is None
    True
    """
    return find_answer(response, thinking=thinking).answer


def find_answer(response: str, *, thinking: bool = False) -> FoundAnswer:
    """Find the answer in a response, or say why there is none.

    Parameters
    ----------
    response
        The raw text that a model wrote.
    thinking
        Whether the prompt ended inside a thought; see `visible_text`.

    Returns
    -------
    FoundAnswer
        The answer with `reason` `None`, or no answer with the reason `"empty"` (no
        text, or none outside thoughts), `"unfinished_thought"`, `"refusal"` (the
        response says that it has no answer) or `"nothing_found"`, for any text.

    Raises
    ------
    TypeError
        If `response` is not a `str`.

    Examples
    --------
    >>> find_answer("I cannot answer this question.").reason
    'refusal'
    >>> find_answer("What was the revenue in 2019?").reason
    'nothing_found'
    """
    require_text(response)
    if answer := read_lossless(response):  # data, whatever its strings look like
        return FoundAnswer(answer, None)
    visible = visible_text(response, thinking=thinking)
    if visible.reason:
        return FoundAnswer(None, visible.reason)
    text = _before_next_question(unquoted(visible.text)).replace("\\#", "#")
    text = without_forms(unwrap_math(unwrap_html(text)))
    for tier in _TIERS:
        found = [candidate for rule in tier if (candidate := rule(text))]
        if found:
            best = max(found, key=lambda candidate: candidate.start)
            if best.answer and best.answer.rule in _CORRECTED:
                best = correction(text, best.start + 1) or best
            return FoundAnswer(best.answer, None if best.answer else best.reason)
    return FoundAnswer(None, missing_reason(text))


def _before_next_question(text: str) -> str:
    """Cut a response off where it is over and something else begins."""
    start, end = 0, len(text)
    may_stop = "<" in text or "[" in text
    for stop in _STOP.finditer(text) if may_stop else ():
        if text[start : stop.start()].strip():
            end = stop.start()
            break
        start = stop.end()
    text = text[start:end]
    if not _NEXT_QUESTION.search(text):
        return text
    answered = _ANSWERED.search(text)
    if answered:
        question = _NEXT_QUESTION.search(text, answered.end())
        # the answer itself may stand on the line below its marker
        if question and text[answered.end() : question.start()].strip():
            return text[: question.start()]
        if question is None or answered.start() < question.start():
            question = _NEXT_QUESTION.search(text, 0, answered.start())
    else:
        question = _NEXT_QUESTION.search(text)
    if question and _is_answer(text[: question.start()]):
        return text[: question.start()]
    return text


def _is_answer(text: str) -> bool:
    """Whether a text before a question is an answer, not an introduction to it."""
    text = text.strip()
    if not text or "\n" in text or len(text.split()) > _MOST_WORDS_OF_AN_ANSWER:
        return False
    reading = read_answer(text)
    is_value = reading is not None and reading.kind == "value"
    return is_value or not text.endswith((".", ":", "!", "?"))
