"""The text of a FinQA program, cut into tokens and steps as the released script does.

The script is `code/evaluate/evaluate.py` of czyssrs/FinQA (see `tableqa_metrics.finqa`).
A program is a list of tokens, such as `["subtract(", "5829", "5735", ")", "EOF"]`; each
step has four. Both `eval_program` and `equal_program` check every first and fourth token,
join the tokens with `|`, and cut the result at `)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias


Tokens: TypeAlias = Sequence[str]

_TOKEN: Final = re.compile(r"[^()]*\(|\)|[^()]+")

OPERATIONS: Final = frozenset(
    ("add", "subtract", "multiply", "divide", "exp", "greater")
    + ("table_max", "table_min", "table_sum", "table_average")
)


def tokenize_program(text: str) -> list[str]:
    """Cut a program's text as the released `program_tokenization` does.

    Only `, ` separates, an opening bracket ends a token and a closing one stands alone;
    blanks are kept.

    Examples
    --------
    >>> tokenize_program("subtract(5829, 5735)")
    ['subtract(', '5829', '5735', ')', 'EOF']
    """
    parts = text.split(", ")
    return [token for part in parts for token in _TOKEN.findall(part)] + ["EOF"]


def program_tokens(program: Any, *, accept_hyphens: bool = False) -> list[str] | None:
    """Return a program's tokens, or `None` for what is neither text nor tokens.

    The last token, which nothing reads, may be anything. With `accept_hyphens`,
    `table-average(` becomes `table_average(`.
    """
    if isinstance(program, str):
        tokens = tokenize_program(program)
    elif isinstance(program, (list, tuple)):
        tokens = list(program)
        if not all(isinstance(token, str) for token in tokens[:-1]):
            return None
    else:
        return None
    if accept_hyphens:
        for index in range(0, len(tokens) - 1, 4):
            name = tokens[index].replace("-", "_")
            if name.rstrip("(") in OPERATIONS:
                tokens[index] = name
    return tokens


def step_texts(tokens: Tokens) -> list[str] | None:
    """Cut tokens into the texts of their steps, or `None` where they are no program."""
    body = tokens[:-1]
    if any(token.strip("(") not in OPERATIONS for token in body[::4]):
        return None
    if any(token != ")" for token in body[3::4]):
        return None
    return joined_steps(tokens)


def joined_steps(tokens: Tokens) -> list[str]:
    """Cut tokens into the texts of their steps, unchecked; an unfinished one is dropped."""
    return [text.strip() for text in "|".join(tokens[:-1]).split(")")[:-1]]


def split_step(text: str) -> tuple[str, str, str]:
    """Return a step's operation and its two arguments.

    Raises
    ------
    IndexError
        If there is no bracket or no second argument.

    Examples
    --------
    >>> split_step("|divide(|#0|5735|")
    ('divide', '#0', '5735')
    """
    parts = text.split("(")
    arguments = parts[1].strip("|").strip().split("|")
    return parts[0].strip("|").strip(), arguments[0].strip(), arguments[1].strip()
