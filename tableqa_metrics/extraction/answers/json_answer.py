"""Answers given as JSON, types kept.

A response that is `{"answer": …, "scale": …}` with exactly these keys, and nothing
else, is the lossless form: what `json.dumps` makes of it is read back with equal types,
whatever the answer is, and nothing in it is interpreted. Structured predictions are
replayed in it.

Any other object, also in prose or a code fence, needs a key for the answer ("answer",
"final_answer", "prediction"; where it is the whole response also "result", "value",
"output"), and may name a scale in words; without one, a scale word in a text answer is
moved into the scale as in any text. The object may be the arguments of a tool call, be
written as Python or JavaScript write it (`{'answer': 5}`), or be cut off behind its
answer. An object without such a key is an answer only where it is the whole response and
has one key, or years for keys; one with nothing but a scale or an explanation is none. A
list or a string counts where it is the whole response, alone or in one code fence. A bare
number is no JSON answer but a bare value.
"""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import replace
from typing import Any, Final

from ...response import NOTHING_FOUND
from ...written.number_form import YEAR
from ...written.plain_text import holds_any
from ..json_values import read_value
from .answer import Answer, Candidate, declines
from .forms import is_placeholder
from .reading import answer as answer_of, candidate, flat_text, read_answer
from .scales import is_no_scale, read_scale
from .stated import PLAIN, read_stated


_KEYS: Final = (
    *("answer", "final_answer", "final answer", "finalanswer", "answers", "ans"),
    *("prediction", "predicted_answer", "predicted answer"),
)
# Keys that name an answer only where nothing else is said.
_WEAK_KEYS: Final = (
    "result",
    "value",
    "values",
    "output",
    "response",
    "amount",
    "text",
)
_ANY_KEY: Final = (*_KEYS, *_WEAK_KEYS)
_SCALE_KEYS: Final = (
    *("scale", "unit", "units", "answer_scale", "predicted_scale", "final_scale"),
)
_COMMENTS: Final = (
    *("reasoning", "explanation", "thought", "thoughts", "steps", "step", "rationale"),
    *("derivation", "calculation", "confidence", "evidence", "source", "note", "error"),
    *("question", "id", "uid", "type", "status"),
)
_LOSSLESS: Final = {"answer", "scale"}
_NAMES: Final = "|".join(_KEYS)
_KEY = re.compile(rf"\"(?:{_NAMES})\"\s{{0,9}}:", re.IGNORECASE)
# The brace that opens the object is the first, second, … one to the left of the key.
_MOST_BRACES: Final = 4
_FENCE = re.compile(r"```[\w ]{0,20}\n(?P<body>.*)\n\s*```", re.DOTALL)
_DECODER: Final = json.JSONDecoder()
# Where a tool call keeps what it is called with.
_ARGUMENTS: Final = ("arguments", "parameters", "args", "input", "response", "output")
_MOST_LEVELS: Final = 3
_MARKS_OF_TEXT: Final = ("\n", "answer", "boxed", "##")
# An object that is none to JSON, or was cut off. A name without quotes must come first.
_LOOSE = re.compile(
    rf"(?:\{{\s{{0,9}}['\"]?|['\"])(?:{_NAMES})['\"]?\s{{0,3}}:\s{{0,3}}"
    r"(?P<answer>'[^'\n]{1,500}'|\"(?:[^\"\\\n]|\\.){1,500}\"|[^'\",:{}\[\]\n]{1,200}"
    r"|\[[^\[\]{}\n]{1,500}\])\s{0,9}"
    r"(?:,\s{0,9}['\"]?(?:scale|units?)['\"]?\s{0,3}:\s{0,3}['\"]?"
    r"(?P<scale>[^'\",{}\n]{0,40})['\"]?)?\s{0,9}(?:\}|,|\Z)",
    re.IGNORECASE,
)


def unquoted(response: str) -> str:
    """Return what a response says that is a JSON string as a whole, if it is one.

    A string of one line without a mark of an answer is left: it is the answer itself.
    """
    text = response.strip()
    if not (text.startswith('"') and text.endswith('"')):
        return response
    try:
        value = json.loads(text)
    except ValueError:
        return response
    is_text = isinstance(value, str) and holds_any(value, _MARKS_OF_TEXT)
    return value if is_text else response


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
    return _candidate(0, value, whole=True)


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
        if _key(value, _KEYS) is not None:
            return _candidate(start, value, whole=False)
    if "{" in text:
        for match in deque(_LOOSE.finditer(text), maxlen=1):
            return _loose(text, match)
    return None


def _loose(text: str, match: re.Match[str]) -> Candidate | None:
    """Read an object that is none to JSON: its answer is text, as in any response."""
    written = match["answer"]
    if match["scale"] is not None:
        value = _text(written)
        if written.startswith("["):
            value = read_value(text, match.start("answer"))
        values = value if isinstance(value, list) else [value]
        scale = read_scale(match["scale"])
        reading = read_stated(list(map(flat_text, values)), scale)
        if reading is None:
            return None
        answer = answer_of(replace(reading, scale_apart=True), "json")
        return Candidate(match.start(), answer)
    reading = read_answer(written)
    return candidate(match.start(), reading, "json")


def _text(written: str) -> Any:
    """Read a string in either quotes, or a word without any."""
    if written.startswith('"'):
        try:
            return json.loads(written, strict=False)
        except ValueError:
            pass
    return written.strip("'\"").strip()


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
    none = not isinstance(scale, str) or is_no_scale(scale)
    return _literal(value["answer"], "" if none else scale)


def _called_with(value: Any) -> Any:
    """Return the arguments of a tool call that hold an answer, else the value itself."""
    inner = value
    for _ in range(_MOST_LEVELS):
        if _key(inner, _KEYS) is not None:
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


def _candidate(start: int, value: Any, *, whole: bool) -> Candidate:
    given, scale = _given(_called_with(value), whole=whole)
    if given is None or given in ("", [], {}):
        return Candidate(start, None, NOTHING_FOUND)
    if isinstance(given, str) and given is not value and not PLAIN.fullmatch(given):
        if declines(given):
            return Candidate(start, None)
        if is_placeholder(given):
            return Candidate(start, None, NOTHING_FOUND)
        reading = None if scale else read_answer(given)
        if reading and reading.scale:
            # not the text as it was written: a scale in both would count twice
            return Candidate(start, answer_of(reading, "json"))
    return Candidate(start, _as_read(given, scale) or _literal(given, scale))


def _as_read(given: Any, scale: str) -> Answer | None:
    """Return an answer of texts where they are read as something else than they are."""
    texts = given if isinstance(given, list) else [given]
    if isinstance(given, str) and PLAIN.fullmatch(given):
        return None
    if not texts or not all(isinstance(text, str) for text in texts):
        return None
    reading = read_stated(texts, scale)
    if reading is None or reading.values == tuple(texts):
        return None
    return answer_of(replace(reading, scale_apart=True), "json")


def _given(value: Any, *, whole: bool, level: int = 0) -> tuple[Any, str]:
    """Return the answer that a value gives, or `None`, and the scale beside it."""
    if level > _MOST_LEVELS:
        return None, ""
    if isinstance(value, list) and value and _key(value[0], _KEYS) is not None:
        answers = [_given(item, whole=False, level=level + 1) for item in value]
        return answers[0] if len(value) == 1 else ([a for a, _ in answers], "")
    if not isinstance(value, dict):
        return value, ""
    scale_key = _key(value, _SCALE_KEYS)
    scale = "" if scale_key is None else value[scale_key]
    scale = read_scale(scale) if isinstance(scale, str) else ""
    key = _key(value, _KEYS) or (_key(value, _WEAK_KEYS) if whole else None)
    if key is not None:
        answer = value[key]
    elif whole:
        names = [n for n in value if n != scale_key and n.lower() not in _COMMENTS]
        answer = [value[name] for name in names]
        if len(names) == 1:
            (answer,) = answer
        elif not all(map(YEAR.fullmatch, names)):
            return None, scale
    else:
        return None, scale
    if isinstance(answer, dict) and (key is None or _key(answer, _ANY_KEY)):
        inner, inner_scale = _given(answer, whole=True, level=level + 1)
        return inner, scale or inner_scale
    return answer, scale


def _literal(answer: Any, scale: str) -> Answer:
    if answer is None:
        values: tuple[str, ...] = ()
    elif isinstance(answer, list):
        values = tuple(map(flat_text, answer))
    else:
        values = (flat_text(answer),)
    return Answer(values, scale, "json", raw=answer, scale_apart=True)


def _key(value: Any, keys: tuple[str, ...]) -> str | None:
    """Return the first of some keys that a value has, whatever its case."""
    if not isinstance(value, dict):
        return None
    names = {name.lower(): name for name in value}
    return next((names[key] for key in keys if key in names), None)
