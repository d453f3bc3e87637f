"""Arithmetic that a model wrote, evaluated without Python's `eval`.

Numbers, `+ - * / // **`, parentheses and signs mean what they mean in Python, and
results are what Python gives: integers stay integers, `/` gives a float, `-2 ** 2` is
-4, `2 ** 3 ** 2` is 512, and `007`, `1 000`, `1,000` and `2(3)` are no expressions.

Three things differ, because the text is a model's and not a programmer's:

- `× · ÷ −` and their look-alikes are operators, and `^` is a power (in Python it is an
  exclusive or).
- `%` is no operator, since models mean percent by it and Python means a remainder.
- Nothing beyond the range of a float is computed, also in between, so that `9**9**9`
  ends at once; and parentheses may nest as deep as they like.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final


_Number = int | float

_ALIASES: Final = str.maketrans(
    dict.fromkeys("×✕✖⋅·∙∗＊", "*")
    | dict.fromkeys("÷∕⁄／", "/")
    | dict.fromkeys("−–—‒﹣－", "-")
    | {"＋": "+", "（": "(", "）": ")", "^": "**"}
)
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>(?:[0-9][0-9_]*\.?|\.[0-9])[0-9_]*(?:[eE][+-]?[0-9][0-9_]*)?)"
    r"|(?P<operator>\*\*|//|[-+*/])|(?P<open>\()|(?P<close>\)))\s*"
)
# 2 ** 1024 is the first power of two that no float reaches.
_MAX_BITS: Final = 1024


def _power(base: _Number, exponent: _Number) -> _Number:
    if isinstance(base, int) and isinstance(exponent, int):
        # The power has at least this many bits; it must not be computed to be refused.
        if (base.bit_length() - 1) * exponent > _MAX_BITS:
            raise OverflowError("beyond the range of a float")
    elif base < 0 and not float(exponent).is_integer():
        raise ValueError("a fractional power of a negative number is not real")
    power: _Number = base**exponent
    return power


_BINARY: Final[dict[str, Callable[[_Number, _Number], _Number]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "**": _power,
}
# A sign binds tighter than `*` and looser than a power to its right.
_PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "sign": 3, "**": 4}


def evaluate(expression: str) -> int | float | None:
    """Return the value of an arithmetic expression, or `None` if it has none.

    It has none if it is empty or no arithmetic, divides by zero, has no real value, or
    passes through a number beyond the range of a float (about 1.8e308). Time and memory
    are linear in the length, whatever the text is.

    Raises
    ------
    TypeError
        If the expression is no text.

    Examples
    --------
    >>> evaluate("(2807 - 2790) / 8")
    2.125
    >>> evaluate("5 − 2 × 4")
    -3
    >>> evaluate("2,807 / 2,790") is None
    True
    """
    if not isinstance(expression, str):
        raise TypeError(f"expression must be str, not {type(expression).__name__}")
    try:
        return _evaluate(expression.translate(_ALIASES))
    except (ArithmeticError, ValueError):
        return None


def _evaluate(text: str) -> int | float:
    values: list[_Number] = []
    pending: list[str] = []  # operators, signs ("+1", "-1") and open parentheses
    operand_next = True
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise ValueError("no arithmetic")
        position = token.end()
        kind = str(token.lastgroup)
        symbol = token[kind]
        if operand_next and kind == "operator" and symbol in "+-":
            pending.append(symbol + "1")
        elif operand_next and kind == "open":
            pending.append("(")
        elif operand_next and kind == "number":
            values.append(_literal(symbol))
            operand_next = False
        elif not operand_next and kind == "operator":
            _reduce(values, pending, symbol)
            pending.append(symbol)
            operand_next = True
        elif not operand_next and kind == "close":
            _reduce(values, pending, None)
            if not pending:
                raise ValueError("a parenthesis was never opened")
            pending.pop()
        else:
            raise ValueError("an operand or operator is missing")
    if operand_next:
        raise ValueError("an operand is missing")
    _reduce(values, pending, None)
    if pending:
        raise ValueError("a parenthesis was never closed")
    return values[0]


def _reduce(values: list[_Number], pending: list[str], upcoming: str | None) -> None:
    """Apply the operators back to the last open parenthesis that come before `upcoming`."""
    while pending and pending[-1] != "(":
        symbol = pending[-1]
        if upcoming is not None:
            left = _PRECEDENCE[symbol if symbol in _BINARY else "sign"]
            right = _PRECEDENCE[upcoming]
            # Powers group from the right, everything else from the left.
            if left < right or (left == right and upcoming == "**"):
                return
        pending.pop()
        if symbol in _BINARY:
            second = values.pop()
            values.append(_checked(_BINARY[symbol](values.pop(), second)))
        else:
            values.append(int(symbol) * values.pop())


def _literal(digits: str) -> int | float:
    if not digits.replace("_", "").isdigit():
        return _checked(float(digits))
    if digits[0] == "0" and digits.strip("0_"):
        raise ValueError("a leading zero")
    return _checked(int(digits))


def _checked(value: _Number) -> _Number:
    too_large = (
        value.bit_length() > _MAX_BITS
        if isinstance(value, int)
        else not math.isfinite(value)
    )
    if too_large:
        raise OverflowError("beyond the range of a float")
    return value
