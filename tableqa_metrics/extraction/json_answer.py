"""Answers given as JSON, types kept.

A response that is `{"answer": …, "scale": …}` with exactly these keys, and nothing
else, is the lossless form: what `json.dumps` makes of it is read back with equal types,
whatever the answer is, and nothing in it is interpreted. Structured predictions are
replayed in it.

Any other object, also in prose or a code fence, needs a key for the answer, and may
name a scale in words; without one, a scale word in a text answer is moved into the
scale as in any text. The object may be the arguments of a tool call, or be written as
Python or JavaScript write it (`{'answer': 5}`). A list, a string or an object without
such a key counts where it is the whole response, alone or in one code fence. A bare
number is no JSON answer but a bare value.
"""

from __future__ import annotations

import json
import re
from collections import deque
from typing import Any, Final

from .answer import Answer, Candidate
from .reading import flat_text, read_answer
from .scales import read_scale


_KEYS: Final = ("answer", "final_answer", "final answer", "answers", "prediction")
_LOSSLESS: Final = {"answer", "scale"}
_KEY = re.compile(rf"\"(?:{'|'.join(_KEYS)})\"\s{{0,9}}:", re.IGNORECASE)
# The brace that opens the object is the first, second, … one to the left of the key.
_MOST_BRACES: Final = 4
_FENCE = re.compile(r"```[\w ]{0,20}\n(?P<body>.*)\n\s*```", re.DOTALL)
_DECODER: Final = json.JSONDecoder()
# Where a tool call keeps what it is called with.
_ARGUMENTS: Final = ("arguments", "parameters", "args", "input", "response", "output")
_MOST_LEVELS: Final = 3
_LOOSE = re.compile(
    r"\{\s{0,9}['\"]?(?:final[_ ])?answer['\"]?\s{0,3}:\s{0,3}"
    r"(?P<answer>'[^'\n]{1,500}'|\"[^\"\n]{1,500}\"|[^'\",:{}\[\]\n]{1,200}"
    r"|\[[^\[\]{}\n]{1,500}\])\s{0,9}"
    r"(?:,\s{0,9}['\"]?scale['\"]?\s{0,3}:\s{0,3}['\"]?(?P<scale>[^'\",{}\n]{0,40})['\"]?)?"
    r"\s{0,9},?\s{0,9}\}",
    re.IGNORECASE,
)


def json_response(response: str) -> Candidate | None:
    """Read a response that is JSON as a whole, alone or in a code fence."""
    text = response.strip()
    if fence := _FENCE.fullmatch(text):
        text = fence["body"].strip()
    if not text.startswith(("{", "[", '"')):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return Candidate(0, _answer(value))


def json_object(text: str) -> Candidate | None:
    """Find the last JSON object with a key for the answer."""
    keys = deque(_KEY.finditer(text), maxlen=1)
    start = keys[0].start() if keys else 0
    for _ in range(_MOST_BRACES):
        start = text.rfind("{", 0, start)
        if start < 0:
            break
        try:
            value, _ = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if _answer_key(value) is not None:
            return Candidate(start, _answer(value))
    for match in deque(_LOOSE.finditer(text), maxlen=1):
        return _loose(match)
    return None


def _loose(match: re.Match[str]) -> Candidate | None:
    """Read an object that is none to JSON: its answer is text, as in any response."""
    reading = read_answer(match["answer"])
    if reading is None:
        return None
    scale = reading.scale if match["scale"] is None else read_scale(match["scale"])
    return Candidate(match.start(), Answer(reading.values, scale, "json"))


def read_lossless(response: str) -> Answer | None:
    """Read a response that is an object with exactly the keys of the lossless form."""
    text = response.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not (isinstance(value, dict) and value.keys() == _LOSSLESS):
        return None
    scale = value["scale"]
    return _literal(value["answer"], scale if isinstance(scale, str) else "")


def _called_with(value: Any) -> Any:
    """Return the arguments of a tool call that hold an answer, else the value itself."""
    inner = value
    for _ in range(_MOST_LEVELS):
        if _answer_key(inner) is not None:
            return inner
        if not isinstance(inner, dict):
            break
        inner = next((inner[key] for key in _ARGUMENTS if key in inner), None)
        if isinstance(inner, str):  # as OpenAI's interface writes them
            try:
                inner = json.loads(inner)
            except (ValueError, RecursionError):
                break
    return value


def _answer(value: Any) -> Answer:
    value = _called_with(value)
    key = _answer_key(value)
    if key is None:
        return _literal(value, "")
    answer = value[key]
    for name, scale in value.items():
        if name.lower() in ("scale", "unit") and isinstance(scale, str):
            return _literal(answer, read_scale(scale))
    reading = read_answer(answer) if isinstance(answer, str) else None
    if reading and reading.scale:
        # not the text as it was written: a scale in both would count twice
        return Answer(reading.values, reading.scale, "json")
    return _literal(answer, "")


def _literal(answer: Any, scale: str) -> Answer:
    if answer is None:
        values: tuple[str, ...] = ()
    elif isinstance(answer, list):
        values = tuple(map(flat_text, answer))
    else:
        values = (flat_text(answer),)
    return Answer(values, scale, "json", raw=answer)


def _answer_key(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    names = {name.lower(): name for name in value}
    return next((names[key] for key in _KEYS if key in names), None)
