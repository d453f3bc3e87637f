"""Answers behind words: "Answer:", "The final answer is", a heading, a correction.

The rightmost counts, in time linear in the response.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from ...written.plain_text import holds_any
from ..json_values import read_value
from .answer import Candidate
from .reading import (
    Reading,
    candidate,
    flat_text,
    read_answer,
    read_lines,
    several,
)
from .scales import read_scale, scale_beside, scale_field
from .stated import is_answer, read_stated


# Of marks that come in numbers only the last are looked at.
_MOST_MARKS: Final = 64
# How much behind a marker is looked at.
_LONGEST_BLOCK: Final = 20_000
# A pipe that closes a line and opens none is the rest of a table's row.
_LONE_PIPE: Final = re.compile(r"^([^|\n]+)\|[ \t]*$", re.MULTILINE)

_OTHER_SCRIPTS: Final = (
    r"答案\s?(?:是|为|[:：])|答え\s?(?:は|[:：])|정답\s?(?:은|[:：])|الإجابة\s?[:：]"
)
_OTHER_LANGUAGES: Final = (
    r"\b(?:respuesta|réponse|risposta|resposta|antwort|ответ)"
    r"(?:\s(?:finale?|es|est|è|é|lautet|ist)){0,2}\s?[:：]"
)
# "Wait, actually it is 5.": only a number, or yes or no, corrects one.
_CORRECTION = (
    r"\b(?:wait|actually|sorry|oops|correction|scratch\sthat|hold\son|hmm)\b"
    r"[,.:!…—–\s-]{1,4}(?:\w{1,10}[,.\s]{1,2}){0,3}?"
    r"(?:(?:it|this|that)(?:['’]s|\s(?:is|should\sbe|must\sbe|would\sbe))"
    r"|(?:the\s)?(?:correct\s|right\s)?(?:answer|result|value|total|figure|number)\s"
    r"(?:is|should\sbe|would\sbe|must\sbe))\s{0,3}[:：]?\s{0,2}"
    r"(?=[*_$\\(`-]{0,4}\\?[$€£]?\d[\d,.]{0,20}\s?(?:\\?%|thousand|million|billion|percent)?"
    r"[*_`)$]{0,4}(?:\s?[.;!,]|\s?$)|(?:yes|no)\b)"
)
# What the answer is in, between the word and its colon: "Answer (in millions): 5".
_IN = (
    r"(?:\s?[(\[](?P<%s>[^()\[\]\n]{1,40})[)\]]|\sin\s(?P<%s>(?:[$€£]\s?)?(?:thousand|million"
    r"|billion|percent|%%)s?(?:\sof\s[A-Za-z]{2,12})?))"
)
# What a program assigns to its answer without computing it.
_SCALAR = (
    r"-?\d[\d_]{0,20}(?:\.\d{1,20})?|'(?:[^'\\\n]|\\.){1,2000}'|\"(?:[^\"\\\n]|\\.){1,2000}\""
    r"|True|False"
)
_LITERAL = rf"(?:{_SCALAR}|\[['\"\d-][^\n]{{0,2000}}\])"
# How an agent hands its answer over: final_answer("5 million"), Finish[5 million].
_CALL = re.compile(
    rf"\b(?:(?:final_answer|submit(?:_answer)?|finish)\(\s?(?:answer\s?=\s?)?|answer\(answer\s?=\s?)"
    rf"(?P<literal>{_SCALAR}|\[[^\[\]\n]{{1,2000}}\])\s?"
    r"(?:,\s?(?:scale|units?)\s?=\s?(?P<mark>['\"])(?P<scale>[^'\"\n]{0,40})(?P=mark)\s?)?\)"
    r"|\bfinish\[(?P<text>[^\[\]\n]{1,500})\]",
    re.IGNORECASE,
)
_GROUPS = re.compile(r"(?<=\d)_(?=\d{3})")
# Most places in a text are told by what stands there and before: no marker begins there.
_MARKER = re.compile(
    r"(?<!\w)(?=[acfhmorstw\u043e#*_\s])(?:(?P<line>\bthe\s{1,3}answer\s{1,3}is\s{0,3}[:：])"
    r"|\b(?:the|my|our)\s{1,3}(?:final|correct|right|short)\s{1,3}answer\s{1,3}"
    r"(?:is|are|was|would\sbe)\b(?:\s{0,3}[:：])?"
    rf"|\bthe\s{{1,3}}answer{_IN % ('in1', 'in2')}?\s{{1,3}}(?:is|was|would\sbe)"
    r"(?:\s{0,3}[:：]|\b(?!\s{1,3}(?:based"
    r"|found|derived|given|computed|calculated|obtained|not|correct|right|wrong"
    r"|incorrect|confirmed|verified|consistent|reasonable|shown|provided|available)\b))"
    rf"|\b(?:answers?|ans|result|correction)\b{_IN % ('in3', 'in4')}?[*_`]{{0,3}}\s{{0,3}}[:：]"
    r"|^\s{0,3}(?:final[ _])?answer\s?[= ]\s?"
    r"(?=[-+(]?\\?[$€£]?\d[\d,.]{0,20}\)?\s?(?:%|(?:thousand|million|billion)s?)?[ \t]*(?:$|,\s))"
    rf"|(?P<assigned>^(?:final_)?(?:answer|ans|result)\s?=\s?(?={_LITERAL}[ \t]*$))"
    r"|^\s{0,3}(?:A[:：]|ans\.|[*_]{0,2}(?:final\s{1,3})?answer\s?(?:[-–—→➜⇒]|=>)\s)"
    rf"|{_OTHER_LANGUAGES}"
    r"|^#{1,6}\s{1,3}[*_]{0,2}(?:final\s{1,3})?answer[*_]{0,2}[ \t]{0,9}$"
    r"|^\s{0,3}(?:\*\*|__)(?:final\s{1,3})?answer(?:\*\*|__)[ \t]{0,9}$"
    rf"|{_CORRECTION})|{_OTHER_SCRIPTS}",
    re.IGNORECASE | re.MULTILINE,
)
# What one of these must contain.
_MARKER_WORDS: Final = (
    *("answer", "ans", "result", "correction", "a:", "a：", "wait", "actually"),
    *("sorry", "oops", "scratch", "hold", "hmm"),
    *(
        "答案",
        "答え",
        "정답",
        "الإجابة",
        "respuesta",
        "réponse",
        "risposta",
        "resposta",
    ),
    *("antwort", "ответ"),
)
_LONGEST_MARKER: Final = 200
_REST_OF_MARKER = re.compile(r"\s{0,3}[*_`}]{1,3}(?=\s|$)|\s{0,3}[:：]")
# Words by which a text takes back what it said before.
_TAKEN_BACK = re.compile(
    r"\b(?:wait|actually|oops|correction|corrected|revised|sorry|apologi[sz]e|mistake"
    r"|scratch\sthat|hold\son|error|wrong|incorrect)\b",
    re.IGNORECASE,
)
_LOOK_BACK: Final = 150


def answer_marker(text: str) -> Candidate | None:
    """Find the last "Answer:", "The final answer is" or heading with text behind it.

    The answer is the rest of the line, or the next line, or the list that follows.
    "Scale: …" or "Unit: …" on a line below or above, or a scale before the colon
    ("Answer (in millions):"), gives the scale, unless the answer's text does.
    """
    if not holds_any(text, _MARKER_WORDS):
        return None
    for match in _markers(text, 0):
        if found := _read(text, match):
            return found
    return None


def answer_call(text: str) -> Candidate | None:
    """Find the last call that hands an answer over; one that is computed is none.

    Examples
    --------
    >>> answer_call("final_answer('5.1 million')").answer.scale
    'million'
    """
    if not holds_any(text, ("answer(", "submit", "finish")):
        return None
    for call in deque(_CALL.finditer(text), maxlen=1):
        literal = call["literal"]
        reading = _assigned(literal) if literal else read_answer(call["text"])
        if reading and call["scale"]:
            scale = read_scale(call["scale"])
            reading = read_stated(reading.values, scale)
        return candidate(call.start(), reading, "answer_call")
    return None


def correction(text: str, start: int) -> Candidate | None:
    """Find the last answer behind words that comes after `start` and takes it back.

    Examples
    --------
    >>> correction("So 4. Wait, that was wrong. The answer is 5.", 4).answer.values
    ('5',)
    >>> correction("So 4. The answer is 5, not counting 2018.", 4) is None
    True
    """
    if not _TAKEN_BACK.search(text, start):
        return None
    for match in _markers(text, start):
        before = max(start, match.start() - _LOOK_BACK)
        if _TAKEN_BACK.search(text, before, match.end()) and (
            found := _read(text, match)
        ):
            return found
    return None


def _markers(text: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the last markers of a text, the rightmost first."""
    size = len(text.rstrip())
    yield from reversed(deque(_MARKER.finditer(text, start, size), maxlen=_MOST_MARKS))


def _read(text: str, match: re.Match[str]) -> Candidate | None:
    start = match.end()
    if rest := _REST_OF_MARKER.match(text, start):
        start = rest.end()
    block = _LONE_PIPE.sub(r"\1", text[start : start + _LONGEST_BLOCK])
    stated = scale_field(block)
    block = block[: stated[0]] if stated else block
    reading = _assigned(block) if match["assigned"] else read_lines(block, first=True)
    if reading is None:
        return None
    if not reading.scale:
        said = next(filter(None, map(match.group, ("in1", "in2", "in3", "in4"))), "")
        scale = stated[1] if stated else scale_beside(text, match.start(), len(text))
        reading = reading.with_scale(scale or read_scale(said))
    rule = "plain_answer_line" if match["line"] else "answer_marker"
    return candidate(match.start(), reading, rule)


def _assigned(block: str) -> Reading | None:
    """Read the value, or the list of values, that a program's line assigns."""
    literal = _GROUPS.sub("", block.partition("\n")[0])
    (value, *_) = read_value(f"[{literal}]", 0) or [""]
    values = [flat_text(v) for v in (value if isinstance(value, list) else [value])]
    if not any(map(str.strip, values)):
        return None
    if len(values) > 1:
        return several(values)
    reading = read_answer(values[0])
    if reading and (reading.kind == "value" or is_answer(reading, values[0], "")):
        return reading
    return Reading((values[0],), "", "text")


def ends_in_marker(line: str) -> bool:
    """Whether a line announces an answer and says no more."""
    start = max(0, len(line) - _LONGEST_MARKER)
    if not holds_any(line[start:], _MARKER_WORDS):
        return False
    for match in deque(_MARKER.finditer(line, start), maxlen=1):
        return not any(map(str.isalnum, line[match.end() :]))
    return False
