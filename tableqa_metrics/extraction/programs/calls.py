r"""The calls of FinQA's operations in a text, such as `divide(subtract(5, 4), #0)`.

A call is complete, has two arguments and stands in no other call. Its label is the name
by which the text may refer to its value: `#1:`, `Step 1:` or `change =` before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias


_TABLE_OPERATION = r"table(?:\\?_|[- ])(?:max|min|sum|average)"
_OPERATION = rf"add|subtract|multiply|divide|exp|greater|{_TABLE_OPERATION}"
_TOKEN: Final = re.compile(rf"(?<![\w#])(?:{_OPERATION})[ \t]?\(|[(),;]", re.IGNORECASE)
_LABEL: Final = re.compile(
    r"(?:(?P<step>(?:step|result)\s?\d{1,3}|#\s?\d{1,3})[*_]{0,3}\s?[:=.)-]"
    r"|\b(?P<name>[A-Za-z_]\w{0,30})\s?=)\s?[\s`*\"'(]{0,6}$",
    re.IGNORECASE,
)
_LOOK_BACK: Final = 50
# Of an argument, but for the calls in it; the longest name of a row in FinQA has 200.
_LONGEST_ARGUMENT: Final = 1_000
_REFERENCE: Final = re.compile(r"#\d{1,6}")
_GAP: Final = re.compile(
    r"(?<=#)\s+(?=\d)|(?:the\s)?results?\sof\s(?=step|#)|\sresult$"
)
_CONSTANT: Final = re.compile(r"const[_ ]?(m?\d[\d_]{0,20})")
_OPERAND = r"[-$(]{0,3}\.?\d[\d.,]*\)?%?|\#\d{1,6}|const_\w{1,20}"
_TWO_OPERANDS: Final = re.compile(
    rf"\s*(?P<first>{_OPERAND})\s+(?P<second>{_OPERAND})\s*"
)
_ROW_AND_NONE: Final = re.compile(r"\s*(?P<first>\S.{0,300}?)\s+(?P<second>none)\s*")


@dataclass(slots=True)
class Call:
    """A complete call; `reaches` is the highest `n` of a `#n` in it, or -1."""

    operation: str
    arguments: list[Argument]
    start: int
    end: int
    reaches: int
    label: str | None = None

    def names(self) -> Iterator[str]:
        """Yield what its arguments may refer to by a name, calls inside it included."""
        pending = [self]
        while pending:
            call = pending.pop()
            if not call.operation.startswith("table"):
                for argument in call.arguments:
                    if isinstance(argument, Call):
                        pending.append(argument)
                    else:
                        yield name_of(argument)


Argument: TypeAlias = "str | Call"


@dataclass(slots=True)
class _Open:
    """A bracket that is not closed yet; `operation` is `None` unless it opens a call."""

    operation: str | None
    start: int
    inside: int
    commas: list[int] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)


def find_calls(text: str) -> list[Call]:
    """Find the complete calls that are in no other, in the order of the text.

    Examples
    --------
    >>> [call.arguments for call in find_calls("x = add(1, 2) and add(x")]
    [['1', '2']]
    """
    outermost = _Open(None, 0, 0)
    stack = [outermost]
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in ",;":
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
    found = [call for bracket in stack for call in bracket.calls]
    for call in found:
        before = _LABEL.search(text[max(0, call.start - _LOOK_BACK) : call.start])
        call.label = name_of(before["step"] or before["name"]) if before else None
    return found


def reference(argument: Argument) -> int:
    """Return the highest `n` of a `#n` in an argument, or -1."""
    if isinstance(argument, Call):
        return argument.reaches
    return int(argument[1:]) if _REFERENCE.fullmatch(argument) else -1


def name_of(text: str) -> str:
    """Write a label, or an argument that refers to one, in one way.

    Examples
    --------
    >>> name_of("Step 1"), name_of("the result of step 1"), name_of("Change")
    ('step1', 'step1', 'change')
    """
    return _GAP.sub("", text.lower()).replace(" ", "")


def _close(text: str, stack: list[_Open], end: int) -> None:
    bracket = stack.pop()
    call = None if bracket.operation is None else _call(text, bracket, end)
    stack[-1].calls.extend(bracket.calls if call is None else [call])


def _call(text: str, bracket: _Open, end: int) -> Call | None:
    operation = bracket.operation or ""
    arguments = _arguments(text, bracket, end)
    if operation.startswith("table") and arguments and len(arguments) == 1:
        arguments.append("none")
    if arguments is None or len(arguments) != 2:
        return None
    reaches = max(map(reference, arguments))
    return Call(operation, arguments, bracket.start, end + 1, reaches)


def _arguments(text: str, bracket: _Open, end: int) -> list[Argument] | None:
    """Divide what stands in a call's brackets; `None` where an argument is none."""
    inside, stop, commas = bracket.inside, end, bracket.commas
    in_table = (bracket.operation or "").startswith("table")
    if len(commas) > 2 and not (
        text[inside : commas[0]].strip() or text[commas[-1] + 1 : end].strip()
    ):
        # FinQA's tokens joined by commas: add(, 1, 2, )
        inside, stop, commas = commas[0] + 1, commas[-1], commas[1:-1]
    if not commas and not bracket.calls and stop - inside <= _LONGEST_ARGUMENT:
        apart = (_ROW_AND_NONE if in_table else _TWO_OPERANDS).fullmatch(
            text[inside:stop]
        )
        if apart:
            return [_clean(apart["first"]), _clean(apart["second"])]
    if in_table:
        commas = commas[-1:]  # a row's name may hold commas
    elif len(commas) > 1:
        commas = [comma for comma in commas if text[comma + 1].isspace()]
    calls = iter([*bracket.calls, None])
    call = next(calls)
    arguments: list[Argument] = []
    for left, right in pairwise([inside - 1, *commas, stop]):
        inner = []
        while call is not None and call.end <= right:
            inner.append(call)
            call = next(calls)
        argument = _argument(text, left + 1, right, inner)
        if not argument:
            return None
        arguments.append(argument)
    return arguments


def _argument(text: str, start: int, end: int, calls: list[Call]) -> Argument | None:
    outer = calls[0].start - start + end - calls[-1].end if calls else end - start
    if outer > _LONGEST_ARGUMENT:
        return None
    if not calls:
        return _clean(text[start:end])
    outside = text[start : calls[0].start] + text[calls[-1].end : end]
    return calls[0] if len(calls) == 1 and not outside.strip("() \t\r\n") else None


def _clean(argument: str) -> str:
    argument = argument.strip().strip("`'\"").replace("\\", "").strip()
    if argument.startswith("$"):
        argument = argument[1:].lstrip()
    if argument.startswith("#"):
        return "#" + argument[1:].lstrip()
    lower = argument.lower()
    if constant := _CONSTANT.fullmatch(lower):
        return f"const_{constant[1]}"
    return lower if lower == "none" or lower.startswith("const_") else argument
