"""What of a response is meant as an answer, and the reasons why there may be none.

Reasoning models write their thoughts into the response, between tags. A finished
thought is not the answer; an unfinished one means that the model was cut off before it
answered. Where the opening tag stood in the prompt, only the closing one is seen, and
where the model was cut off, none at all: whoever calls must then say that the response
began inside a thought (`thinking=True`).

Tags of thoughts, whatever their case, with attributes and blanks or without:

- `<think>`, `<thinking>`, `<thought>`, `<thoughts>`, `<reasoning>`, `<reflection>`,
  `<scratchpad>`, `<analysis>`, `<seed:think>`, and `[THINK]`, `◁think▷`;
- `<|begin_of_thought|>` … `<|end_of_thought|>`, `<|START_THINKING|>` …
  `<|END_THINKING|>`, `<|inner_prefix|>` … `<|inner_suffix|>`;
- gpt-oss's channels: all is thought up to `<|channel|>final<|message|>`, also where its
  special tokens were left out (`analysisWe add … assistantfinal48`).

A tag that a text only mentions is none: in backticks or quotes, before the word "tag",
"token" or "block", or an opening one joined to its closing one ("<think> and </think>").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .written.plain_text import holds_any


# Reasons for a missing answer, as they stand in a sample log.
EMPTY: Final = "empty"
UNFINISHED_THOUGHT: Final = "unfinished_thought"
REFUSAL: Final = "refusal"
TRUNCATED_PROMPT: Final = "truncated_prompt"
NOTHING_FOUND: Final = "nothing_found"

_NAME = (
    r"(?i:think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis|seed:think)"
)
_ATTRIBUTES = r"(?:\s[^<>]{0,200}(?<!/))?"
_CHANNEL = r"(?:<\|(?:end|call)\|>)?(?:<\|start\|>assistant)?<\|channel\|>"
_MESSAGE = r"[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,20})?<\|message\|>"
_OPEN = (
    rf"<\s{{0,3}}{_NAME}{_ATTRIBUTES}>|(?i:\[\s?THINK\s?\]|◁think▷)"
    r"|<\|(?i:begin_of_thought|start_thinking|inner_prefix)\|>"
    rf"|{_CHANNEL}(?:analysis|commentary){_MESSAGE}"
    r"|\Aanalysis(?=[A-Z])|assistant(?:analysis|commentary)"
)
_CLOSE = (
    rf"<\s{{0,3}}/\s{{0,3}}{_NAME}\s{{0,3}}>|(?i:\[\s?/\s?THINK\s?\]|◁/think▷)"
    r"|<\|(?i:end_of_thought|end_thinking|inner_suffix)\|>"
    rf"|{_CHANNEL}final{_MESSAGE}|assistantfinal"
)
_TAG = re.compile(rf"(?P<close>{_CLOSE})|(?P<open>{_OPEN})")
# What a tag must contain: first what is looked for at little cost.
_TAG_MARKS: Final = ("<", "[", "◁", "assistant")
_TAG_WORDS: Final = (
    *("think", "thought", "reasoning", "reflection", "scratchpad", "analysis"),
    *("inner_", "channel", "assistant"),
)
_QUOTES: Final = ("`", '"', "'", "“", "”", "‘", "’")
_MENTIONED = re.compile(
    r"[`\"'”’]{0,3}(?:[ -](?:tag|token|block)s?\b"
    r"|\s?(?:and|or|/|\.{3}|…)\s?[`\"'“‘]{0,3}<\s?/)"
)

_FAIL = (
    r"(?:answer|determine|calculate|compute|find|tell|provide|give|know|see|identify"
    r"|locate|derive|infer|establish|assist|help|complete|fulfil|comply|extract"
    r"|(?:have|get)\s(?:enough|sufficient|access|any|the|that|this|information|data))"
)
_FAILED = (
    r"(?:answered|determined|calculated|computed|found|provided|identified|located"
    r"|derived|inferred|established|ascertained|extracted)"
)
_NOT_THERE = (
    r"(?:given|provided|available|stated|specified|mentioned|disclosed|included|present"
    r"|listed|reported|shown|contained|enough|sufficient|possible)"
)
_SOURCE = r"table|text|context|passage|document|report|excerpt"
_DECLINES = re.compile(
    r"(?<!\w)(?=[ac-imn-uw])(?:"  # most places in a text are within a word
    r"\b(?:i|we)(?:['’](?:m|re)|\sam|\sare|\swas|\swere)\s(?:\w{1,9}\s)?"
    r"(?:sorry|afraid|unable|unsure|not\s(?:able|sure|certain))\b"
    r"|\b(?:i|we)\s(?:(?:can|could|do|did)\s?not|(?:can|couldn|don|didn)['’]?t)"
    rf"\s(?:\w{{1,12}}ly\s)?{_FAIL}\b"
    r"|\b(?:can\s?not|can['’]?t|could\snot|couldn['’]?t)\s(?:\w{1,12}ly\s)?be\s"
    rf"(?:\w{{1,12}}ly\s)?{_FAILED}\b"
    rf"|\b(?:unable|impossible|not\s(?:possible|able))\sto\s(?:\w{{1,12}}ly\s)?{_FAIL}\b"
    r"|\b(?:there\s(?:is|are)|there['’]s)\s(?:no|not\s(?:enough|any|sufficient)"
    r"|insufficient)\s(?:\w{1,12}\s){0,2}(?:information|data|mention|details?)\b"
    r"|\b(?:not\s(?:enough|sufficient)|insufficient)\s(?:\w{1,12}\s)?"
    r"(?:information|data|context)\b"
    rf"|\b(?:is|are|was|were)(?:\snot|n['’]t)\s(?:\w{{1,12}}ly\s)?{_NOT_THERE}"
    r"\s(?:(?:in|by|from|within)\s)?(?:\w{1,9}\s){0,3}"
    r"(?:table|text|context|passage|document|question|information|data)s?\b"
    rf"|\b(?:{_SOURCE}|question|information|data)s?\s"
    r"(?:does|do)(?:\snot|n['’]t)\s(?:\w{1,12}ly\s)?"
    r"(?:provide|contain|include|mention|give|specify|state|show|report|disclose|list|say"
    r"|offer|present|indicate|cover|have)\b"
    rf"|\b(?:{_SOURCE})s?\s(?:lacks?\s(?:the|any|this|enough|sufficient|information|data"
    r"|details?)|makes?\sno\smention)\b"
    r"|\b(?:have|has|had|gives?|provides?|contains?|includes?|offers?|shows?)\sno\s"
    r"(?:information|data|details?|mention)\b"
    rf"|\b(?:is|are)\s(?:missing|absent|omitted)\sfrom\sthe\s(?:\w{{1,9}}\s){{0,2}}"
    rf"(?:{_SOURCE})s?\b|\b(?:is|are)(?:\snot|n['’]t)\sin\sthe\s(?:\w{{1,9}}\s){{0,2}}"
    rf"(?:{_SOURCE})s?\b|\bunclear\sfrom\sthe\s(?:\w{{1,9}}\s){{0,2}}(?:{_SOURCE})s?\b"
    r"|\b(?:more|additional|further)\s(?:information|context|data|details?)\s"
    r"(?:is|are|would\sbe)\s(?:needed|required|necessary)\b"
    r"|\bi(?:['’]d|['’]ll|\swould|\swill)?\s(?:need|require)\s(?:more|additional|further)\s"
    r"(?:information|context|data|details?)\b"
    r"|\b(?:answer|information|data)\s(?:\w{1,12}\s){0,6}(?:is|are|was)\s(?:unavailable"
    rf"|not\s{_NOT_THERE})(?=\W*$))",
    re.IGNORECASE,
)
# What one of these must contain.
_DECLINE_WORDS: Final = (
    *("not", "n't", "n’t", "cant", "couldnt", "dont", "didnt", "unable", "impossible"),
    *("sorry", "afraid", "unsure", "there", "insufficient", "lack", " no ", "missing"),
    *("absent", "omitted", "unclear", "more", "additional", "further", "unavailable"),
)
_REFUSAL = re.compile(
    r"\W{0,8}(?:(?:i['’]?m|i am|we are)\s(?:very\s|so\s)?(?:sorry|unable|afraid|not able)"
    r"|sorry\b|(?:my\s)?apologies\b|(?:i|we)\s(?:apologi[sz]e|can\s?not|can['’]t"
    r"|could\s?not|couldn['’]t|do\snot|don['’]t|am\snot)\b|as an ai\b|unfortunately\b"
    r"|insufficient\b|unknown\b"
    r"|not (?:given|enough|possible|available|stated|provided|specified|mentioned"
    r"|determinable|answerable)\b|not (?:applicable|disclosed|reported|found|known)\W*$"
    r"|no (?:relevant |such |sufficient )?(?:answer|information|data) (?:is|was|can|could"
    r"|found|available|provided|given)\b"
    r"|no answer\W*$|cannot be\b|unanswerable\b|n/?a\W*$|(?:it|this|the (?:question|answer))\s"
    r"(?:is\s(?:im|not\s)possible|cannot|can['’]t|could not))",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"[.;!?][\s*_\"'”’)]{1,9}|\n\s*|,?\s(?:but|however|although)\b,?\s?", re.IGNORECASE
)
# What shows nothing, and what str.strip() leaves: byte order mark, zero-width space.
INVISIBLE: Final = "\ufeff\u200b\u2060"
_NOTHING = re.compile(rf"[\s{INVISIBLE}]*")


@dataclass(frozen=True)
class Visible:
    """The text after all thoughts, and why there is none to read (else `None`)."""

    text: str
    reason: str | None


def require_text(response: object) -> None:
    """Check that a response is text, before anything is read from it.

    Raises
    ------
    TypeError
        If it is none. A response that a backend did not deliver is for the caller to
        judge, not an empty text.

    Examples
    --------
    >>> require_text(None)
    Traceback (most recent call last):
        ...
    TypeError: response must be str, not NoneType
    """
    if not isinstance(response, str):
        raise TypeError(f"response must be str, not {type(response).__name__}")


def visible_text(response: str, *, thinking: bool = False) -> Visible:
    """Return what a response says outside its thoughts.

    The text after the last closing tag counts, whether or not the opening tag is in the
    response; if that is blank, the last text before it that is outside any thought.
    Without a closing tag, text with no opening tag counts whole. A thought that is
    opened and never closed leaves nothing to score, wherever it stands. Time is linear
    in the length of the response.

    Parameters
    ----------
    response
        The raw text that a model wrote.
    thinking
        Whether the prompt ended inside a thought. A response without a closing tag is
        then an unfinished thought, as no tag of it tells. Not for responses whose
        finished thoughts were taken off before (the harness's `think_end_token`).

    Returns
    -------
    Visible
        `reason` is `None`, `"empty"` or `"unfinished_thought"`; where it is not `None`,
        `text` is empty.

    Raises
    ------
    TypeError
        If `response` is not a `str`.

    Examples
    --------
    >>> visible_text("<think>120 + 5</think>The answer is 125").text
    'The answer is 125'
    >>> visible_text("<think>perhaps 12.5").reason
    'unfinished_thought'
    >>> visible_text("Perhaps 12.5, or", thinking=True).reason
    'unfinished_thought'
    """
    require_text(response)
    start = 0
    in_thought, closed = thinking, False
    outside = ""
    may_think = any(map(response.__contains__, _TAG_MARKS))
    may_think = may_think or response.startswith("analysis")
    may_think = may_think and holds_any(response, _TAG_WORDS)
    for tag in _TAG.finditer(response) if may_think else ():
        if _is_mentioned(response, tag):
            continue
        # before a first tag that closes, all was thought; a later one is a stray one
        is_outside = not in_thought and (closed or tag.lastgroup == "open")
        if is_outside and not _is_blank(text := response[start : tag.start()]):
            outside = text
        start = tag.end()
        in_thought = tag.lastgroup == "open"
        closed = closed or not in_thought
    if in_thought:
        return Visible("", EMPTY if _is_blank(response) else UNFINISHED_THOUGHT)
    text = response[start:]
    if _is_blank(text):
        text = outside
    text = text.lstrip(INVISIBLE)
    return Visible(text, None) if text else Visible("", EMPTY)


def _is_blank(text: str) -> bool:
    return _NOTHING.fullmatch(text) is not None


def _is_mentioned(text: str, tag: re.Match[str]) -> bool:
    """Whether a tag is not used but spoken of."""
    quoted = text[max(0, tag.start() - 1) : tag.start()] in _QUOTES
    if quoted and text[tag.end() : tag.end() + 1] in _QUOTES:
        return True
    return _MENTIONED.match(text, tag.end()) is not None


def is_refusal(text: str) -> bool:
    """Whether a text begins by declining to answer.

    Examples
    --------
    >>> is_refusal("I cannot answer this question.")
    True
    >>> is_refusal("I paid $5.")
    False
    """
    return _REFUSAL.match(text) is not None


def after_refusal(text: str) -> str | None:
    """Return what a text says after the last place where it declines to answer.

    That is what follows its sentence, or its "but"; `None` where it declines nowhere.
    The forms are English and few: a first sentence such as "I'm sorry", "Unfortunately"
    or "N/A"; anywhere "I cannot determine", "I don't know", "cannot be calculated",
    "unable to answer", "not enough information", "is not provided in the table".

    Examples
    --------
    >>> after_refusal("Only 2018 is listed. Thus the growth cannot be determined.")
    ''
    >>> after_refusal("I cannot find the rate. The total is 48.")
    'The total is 48.'
    >>> after_refusal("It is not 5 but 7.") is None
    True
    """
    end = -1
    if match := _REFUSAL.match(text):
        end = match.end()
    if holds_any(text, _DECLINE_WORDS):
        for match in _DECLINES.finditer(text):
            end = match.end()
    if end < 0:
        return None
    boundary = _BOUNDARY.search(text, end)
    return text[boundary.end() :].strip() if boundary else ""


def missing_reason(text: str) -> str:
    """Return why a visible text without an answer or a table has none.

    Examples
    --------
    >>> missing_reason("I do not know."), missing_reason("Revenue rose.")
    ('refusal', 'nothing_found')
    """
    return NOTHING_FOUND if after_refusal(text) is None else REFUSAL
