"""What of a response is meant as an answer: the text outside a model's thoughts.

Reasoning models write their thoughts into the response, between tags. A finished
thought is not the answer; an unfinished one means that the model was cut off before it
answered. Where the opening tag stood in the prompt, only the closing one is seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


# Reasons for a missing answer, as they stand in a sample log.
EMPTY: Final = "empty"
UNFINISHED_THOUGHT: Final = "unfinished_thought"
NOTHING_FOUND: Final = "nothing_found"

_OPEN = r"<(?:think|thinking|thought|reasoning)>|\[THINK\]|◁think▷|<\|channel\|>analysis<\|message\|>"
_CLOSE = r"</(?:think|thinking|thought|reasoning)>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>"
_TAG = re.compile(rf"(?P<close>{_CLOSE})|(?P<open>{_OPEN})", re.IGNORECASE)


@dataclass(frozen=True)
class Visible:
    """The text after all thoughts, and why there is none to read (else `None`)."""

    text: str
    reason: str | None


def visible_text(response: str) -> Visible:
    """Return what a response says outside its thoughts.

    The text after the last closing tag counts, whether or not the opening tag is in the
    response. Without a closing tag, text with no opening tag counts whole. A thought
    that is opened and never closed leaves nothing to score, wherever it stands. Time
    is linear in the length of the response.

    Returns
    -------
    Visible
        `reason` is `None`, `"empty"` or `"unfinished_thought"`; where it is not `None`,
        `text` is empty.

    Examples
    --------
    >>> visible_text("<think>120 + 5</think>The answer is 125").text
    'The answer is 125'
    >>> visible_text("<think>perhaps 12.5").reason
    'unfinished_thought'
    """
    start = 0
    open_thought = False
    for tag in _TAG.finditer(response):
        if tag.lastgroup == "close":
            start, open_thought = tag.end(), False
        else:
            open_thought = True
    if open_thought:
        return Visible("", UNFINISHED_THOUGHT)
    text = response[start:]
    if not text.strip():
        return Visible("", EMPTY)
    return Visible(text, None)
