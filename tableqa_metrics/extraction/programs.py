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
call inside a call becomes a step of its own, and `#n` then follows the renumbering. Read
alike are upper-case names, `table-max`, Markdown's `table\_max`, arguments without a
blank after the comma, currency signs before a number, and a table operation without its
`none`. A call with another number of arguments is none, so prose ("add (the two)") is not
taken for a program. What a model writes inside a finished thought does not count.

Time is linear in the length of the response.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from ..finqa.program import OPERATIONS
from ..response import missing_reason, visible_text


_TABLE_OPERATION = r"table(?:\\?_|[- ])(?:max|min|sum|average)"
_OPERATION = rf"add|subtract|multiply|divide|exp|greater|{_TABLE_OPERATION}"
_TOKEN: Final = re.compile(rf"(?<![\w#])(?:{_OPERATION})[ \t]?\(|[(),]", re.IGNORECASE)
_BETWEEN_STEPS: Final = re.compile(
    r"\s+|[,;|`'\"*>{}\[\]→•]+|->|(?:step\s?)?#?\d{1,4}\s?[:=.)-]|=\s?[-$]*[\d.,]+%?"
    r"|\band\b|\bthen\b|-",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    r"\b(?:(?:program|answer|solution|output)\b[^\n:：=(]{0,30}[:：=]"
    r"|(?:program|answer)\s+is\b)"
    r"[\s*\"'\[{$]*(?:`+(?:\w{1,12}\s)?\s*)?[\"'\[]*$",
    re.IGNORECASE,
)
_PYTHON_LIST: Final = re.compile(r"\[\s*'[^'\\]*'(?:\s*,\s*'[^'\\]*')*\s*,?\s*\]")
_PYTHON_STRING: Final = re.compile(r"'([^']*)'")
_REFERENCE: Final = re.compile(r"#\d{1,6}")
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

    They are what `finqa_execute` and `finqa_program_score` take. Never raises.

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
    text = visible.text.translate(_FULL_WIDTH)
    programs = _programs(text, _calls(text))
    if not programs:
        return FoundProgram(None, None, missing_reason(text))
    for index in reversed(range(len(programs))):
        start = programs[index][0].start
        if _MARK.search(text[max(0, start - _LONGEST_GAP) : start]):
            return FoundProgram(_flatten(_complete(programs, index)), "marked", None)
    return FoundProgram(_flatten(_complete(programs, len(programs) - 1)), "calls", None)


@dataclass(slots=True)
class _Call:
    """A complete call; `reaches` is the highest `n` of a `#n` in it, or -1."""

    operation: str
    arguments: list[_Argument]
    start: int
    end: int
    reaches: int


_Argument: TypeAlias = "str | _Call"


@dataclass(slots=True)
class _Open:
    """A bracket that is not closed yet; `operation` is `None` unless it opens a call."""

    operation: str | None
    start: int
    inside: int
    commas: list[int] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)


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


def _calls(text: str) -> list[_Call]:
    """Find the complete calls that are in no other, in the order of the text."""
    outermost = _Open(None, 0, 0)
    stack = [outermost]
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark == ",":
            stack[-1].commas.append(token.start())
        elif mark == ")":
            if len(stack) > 1:
                _close(text, stack, token.start())
        elif mark == "(":
            if len(stack) > 1:  # brackets around calls mean nothing
                stack.append(_Open(None, token.start(), token.end()))
        else:
            name = re.sub(r"\\?_|[- ]", "_", mark[:-1].rstrip().lower())
            stack.append(_Open(name, token.start(), token.end()))
    # What stands in a bracket that is never closed is in no call.
    return [call for bracket in stack for call in bracket.calls]


def _close(text: str, stack: list[_Open], end: int) -> None:
    bracket = stack.pop()
    call = None if bracket.operation is None else _call(text, bracket, end)
    stack[-1].calls.extend(bracket.calls if call is None else [call])


def _call(text: str, bracket: _Open, end: int) -> _Call | None:
    operation = bracket.operation or ""
    in_table = operation.startswith("table")
    commas = bracket.commas
    if in_table:
        commas = commas[-1:]  # a row's name may hold commas
    elif len(commas) > 1:
        commas = [comma for comma in commas if text[comma + 1].isspace()]
    edges = [bracket.inside - 1, *commas, end]
    calls = iter([*bracket.calls, None])
    call = next(calls)
    arguments: list[_Argument] = []
    for left, right in pairwise(edges):
        inner = []
        while call is not None and call.end <= right:
            inner.append(call)
            call = next(calls)
        argument = _argument(text, left + 1, right, inner)
        if not argument:
            return None
        arguments.append(argument)
    if in_table and len(arguments) == 1:
        arguments.append("none")
    if len(arguments) != 2:
        return None
    reaches = max(_reaches(argument) for argument in arguments)
    return _Call(operation, arguments, bracket.start, end + 1, reaches)


def _argument(text: str, start: int, end: int, calls: list[_Call]) -> _Argument | None:
    if not calls:
        return _clean(text[start:end])
    outside = text[start : calls[0].start] + text[calls[-1].end : end]
    return calls[0] if len(calls) == 1 and not outside.strip("() \t\r\n") else None


def _clean(argument: str) -> str:
    argument = argument.strip().strip("`'\"").replace("\\", "").strip()
    if argument.startswith("$"):
        argument = argument[1:].lstrip()
    lower = argument.lower()
    return lower if lower == "none" or lower.startswith("const_") else argument


def _reaches(argument: _Argument) -> int:
    if isinstance(argument, _Call):
        return argument.reaches
    return int(argument[1:]) if _REFERENCE.fullmatch(argument) else -1


def _programs(text: str, calls: list[_Call]) -> list[list[_Call]]:
    """Group calls that only separators part."""
    programs: list[list[_Call]] = []
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


def _complete(programs: list[list[_Call]], index: int) -> list[_Call]:
    """Take in the calls before a program until each `#n` has its step."""
    taken: list[_Call] = []
    missing = 0
    for program in reversed(programs[: index + 1]):
        needed = max(call.reaches + 1 - place for place, call in enumerate(program))
        missing = max(missing - len(program), needed, 0)
        taken[:0] = program
        if not missing:
            return taken
    return programs[index]


def _flatten(calls: list[_Call]) -> tuple[str, ...]:
    """Write calls as tokens, calls inside them first."""
    tokens: list[str] = []
    results: list[int] = []  # of each call, the step that has its value
    for call in calls:
        tokens.extend(_steps(call, results, len(tokens) // 4))
        results.append(len(tokens) // 4 - 1)
    return (*tokens, "EOF")


def _steps(call: _Call, results: list[int], first: int) -> Iterator[str]:
    """Yield the tokens of a call's steps, of which `first` is the number of the first."""
    done: dict[int, int] = {}
    pending = [call]
    while pending:
        current = pending[-1]
        inner = [a for a in current.arguments if isinstance(a, _Call)]
        missing = [argument for argument in inner if id(argument) not in done]
        if missing:
            pending.extend(reversed(missing))
            continue
        pending.pop()
        yield current.operation + "("
        for argument in current.arguments:
            if isinstance(argument, _Call):
                yield f"#{done[id(argument)]}"
            elif 0 <= (number := _reaches(argument)) < len(results):
                yield f"#{results[number]}"
            else:
                yield argument
        yield ")"
        done[id(current)] = first + len(done)
