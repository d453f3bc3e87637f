r"""The FinQA program that a response holds, found without a look at any reference.

Three forms are read, and the first of them that a response has counts:

tokens
    FinQA's own list, `["subtract(", "5829", "5735", ")", "EOF"]`, as JSON or as a Python
    list, alone or somewhere in the text (then up to the last `EOF`). Its tokens are kept
    as they are, so that saved predictions score as the released script scores them.
marked
    Calls such as `subtract(5829, 5735), divide(#0, 5735)` directly after a mark
    ("Program:", "The answer is:"), also in code fences or inline code; the last one.
calls
    The last calls anywhere.

Calls that only separators, numbering or results (`= 94`) part are the steps of one
program. A program whose `#n` point before its first step takes in the calls before it. A
call inside a call becomes a step of its own, and `#n` then follows the renumbering. Where
the text labels a step (`#1: …`, `Step 1: …`, `change = …`), an argument of that name is
its value. Read alike are upper-case names, `table-max`, Markdown's `table\_max`, arguments without a
blank after the comma, currency signs before a number, and a table operation without its
`none`. A call with another number of arguments is none, so prose ("add (the two)") is not
taken for a program. What a model writes inside a finished thought does not count.

Time is linear in the length of the response.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ...finqa.program import OPERATIONS
from ...response import missing_reason, visible_text
from .calls import Call, find_calls, name_of, reference


_BETWEEN_STEPS: Final = re.compile(
    r"\s+|(?:=>?|->|→)\s?[-$]*[\d.,]+%?|[,;|`'\"*>{}\[\]→•]+|->"
    r"|(?:step\s?)?#?\d{1,4}\s?[:=.)-]"
    r"|(?<![\n#])(?:#|//)(?![#\d])[^\n]*(?=\n)|[A-Za-z_]\w{0,30}\s?=(?!=)|\band\b|\bthen\b|-",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    r"(?:\b(?:program|answer|solution|output)\b[^\n:：=(]{0,30}[:：=]"
    r"|\b(?:program|answer)\s+is\b"
    r"|(?:^|\n)[ \t]{0,3}(?:\#{1,6}[ \t]{1,3}[*_]{0,2}|\*\*|__)(?:(?:the|final)\s)?"
    r"(?:program|answer|solution|output)[*_]{0,3}[ \t]*\n)"
    r"[\s*\"'\[{$]*(?:`+(?:\w{1,12}\s)?\s*)?[\"'\[]*$",
    re.IGNORECASE,
)
_PYTHON_LIST: Final = re.compile(r"\[\s*'[^'\\]*'(?:\s*,\s*'[^'\\]*')*\s*,?\s*\]")
_PYTHON_STRING: Final = re.compile(r"'([^']*)'")
_SET_IN_LATEX: Final = re.compile(
    r"\\(?:text(?:tt|bf|it)?|math(?:rm|tt|bf|it)|operatorname)\s?\{([A-Za-z_\\]{3,20})\}"
)
_FULL_WIDTH: Final = str.maketrans("（），＃", "(),#")

_LONGEST_GAP: Final = 80  # characters between two steps, or from a mark to a program


@dataclass(frozen=True)
class FoundProgram:
    """A program's tokens and the rule that found them, or the reason why there are none.

    `tokens` end in `"EOF"` as FinQA's do. `rule` is `"tokens"`, `"marked"` or `"calls"`.
    With tokens, `reason` is `None`; else it is `"empty"`, `"unfinished_thought"`,
    `"refusal"` or `"nothing_found"` (`tableqa_metrics.response`), and the other two are
    `None`.
    """

    tokens: tuple[str, ...] | None
    rule: str | None
    reason: str | None


def extract_program(response: str, *, thinking: bool = False) -> tuple[str, ...] | None:
    """Return the tokens of the FinQA program in a response, or `None`.

    They are what `finqa_execute` and `finqa_program_score` take. Any `str` is accepted.

    Raises
    ------
    TypeError
        If `response` is not a `str`.

    Examples
    --------
    >>> extract_program("Program: divide(subtract(5829, 5735), 5735)")
    ('subtract(', '5829', '5735', ')', 'divide(', '#0', '5735', ')', 'EOF')
    >>> extract_program("It grew by 94.") is None
    True
    """
    return find_program(response, thinking=thinking).tokens


def find_program(response: str, *, thinking: bool = False) -> FoundProgram:
    """Return the FinQA program in a response with the rule that found it.

    `thinking` says whether the prompt ended inside a thought; see `visible_text`.

    Raises
    ------
    TypeError
        If `response` is not a `str`.

    Examples
    --------
    >>> find_program("so we get subtract(5829,5735) = 94").rule
    'calls'
    >>> find_program("<think>add(1, 2)").reason
    'unfinished_thought'
    """
    visible = visible_text(response, thinking=thinking)
    if visible.reason is not None:
        return FoundProgram(None, None, visible.reason)
    tokens = _token_list(visible.text)
    if tokens is not None:
        return FoundProgram(tokens, "tokens", None)
    text = _SET_IN_LATEX.sub(r"\1", visible.text.translate(_FULL_WIDTH))
    programs = _programs(text, find_calls(text))
    if not programs:
        return FoundProgram(None, None, missing_reason(text))
    for index in reversed(range(len(programs))):
        start = programs[index][0].start
        if _MARK.search(text[max(0, start - _LONGEST_GAP) : start]):
            return FoundProgram(_flatten(_complete(programs, index)), "marked", None)
    return FoundProgram(_flatten(_complete(programs, len(programs) - 1)), "calls", None)


def _token_list(text: str) -> tuple[str, ...] | None:
    text = text.strip().strip("`").strip()
    last = text.rfind("EOF")
    slices = [(text.find("["), len(text))]
    if last > 0:
        slices.append((text.rfind("[", 0, last), text.find("]", last) + 1))
    for start, end in slices:
        tokens = _strings(text[start:end]) if start >= 0 else None
        if tokens and (tokens[-1] == "EOF" or any(map(_opens_call, tokens))):
            return tuple(tokens)
    return None


def _opens_call(token: str) -> bool:
    return token.endswith("(") and token.rstrip("(") in OPERATIONS


def _strings(text: str) -> list[str] | None:
    """Read a list of strings; numbers between them are kept as they are written."""
    try:
        value = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        if _PYTHON_LIST.fullmatch(text):
            return _PYTHON_STRING.findall(text)
        return None
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    return None


def _programs(text: str, calls: list[Call]) -> list[list[Call]]:
    """Group calls that only separators part."""
    programs: list[list[Call]] = []
    for call in calls:
        if programs and _are_steps(text, programs[-1][-1].end, call.start):
            programs[-1].append(call)
        else:
            programs.append([call])
    return programs


def _are_steps(text: str, start: int, end: int) -> bool:
    if end - start > _LONGEST_GAP:
        return False
    while start < end:
        between = _BETWEEN_STEPS.match(text, start, end)
        if between is None:
            return False
        start = between.end()
    return True


def _complete(programs: list[list[Call]], index: int) -> list[Call]:
    """Take in the calls before a program until each `#n` and name has its step."""
    labels = {
        call.label
        for program in programs[: index + 1]
        for call in program
        if call.label and not call.label.startswith("#")
    }
    taken: list[Call] = []
    missing = 0
    names: set[str] = set()
    for program in reversed(programs[: index + 1]):
        needed = max(call.reaches + 1 - place for place, call in enumerate(program))
        missing = max(missing - len(program), needed, 0)
        names.update(
            name for call in program for name in call.names() if name in labels
        )
        names.difference_update(call.label for call in program if call.label)
        taken[:0] = program
        if not missing and not names:
            return taken
    return programs[index]


def _flatten(calls: list[Call]) -> tuple[str, ...]:
    """Write calls as tokens, calls inside them first."""
    tokens: list[str] = []
    results: list[int] = []  # of each call, the step that has its value
    labels: dict[str, int] = {}  # the same, by the label that the text gives the call
    for call in calls:
        tokens.extend(_steps(call, results, labels, len(tokens) // 4))
        results.append(len(tokens) // 4 - 1)
        if call.label:
            labels[call.label] = results[-1]
    return (*tokens, "EOF")


def _steps(
    call: Call, results: list[int], labels: Mapping[str, int], first: int
) -> Iterator[str]:
    """Yield the tokens of a call's steps, of which `first` is the number of the first."""
    done: dict[int, int] = {}
    pending = [call]
    while pending:
        current = pending[-1]
        inner = [a for a in current.arguments if isinstance(a, Call)]
        missing = [argument for argument in inner if id(argument) not in done]
        if missing:
            pending.extend(reversed(missing))
            continue
        pending.pop()
        yield current.operation + "("
        for argument in current.arguments:
            if isinstance(argument, Call):
                yield f"#{done[id(argument)]}"
            elif current.operation.startswith("table"):
                yield argument
            else:
                yield _refer(argument, results, labels)
        yield ")"
        done[id(current)] = first + len(done)


def _refer(argument: str, results: list[int], labels: Mapping[str, int]) -> str:
    """Write a reference to an earlier call with the number that its step has now.

    A label that the text gives a call counts before the call's place.
    """
    number = reference(argument)
    name = name_of(argument)
    if name not in labels and number >= len(results):
        name = f"step{number}"
    if name in labels:
        return f"#{labels[name]}"
    return f"#{results[number]}" if 0 <= number < len(results) else argument
