"""The released evaluator of FinQA programs, step by step.

It is `eval_program` in `code/evaluate/evaluate.py` of czyssrs/FinQA at commit
0f16e2867befa6840783e58be38c9efb9229d742 (Chen et al. 2021, arXiv:2109.00122).
`finqa_execute` equals it on any program and table that it takes, its oddities included:

- `%` is cut out of a number wherever it stands, and divides it by 100; `const_<number>`
  is any number; a row's cell ends at its first bracket;
- the last of several rows of one name counts; a row whose name holds `, ` or a bracket
  cannot be named at all;
- a table operation on `#n` works on the row of the table operation before it;
- an unfinished last step is left out, and a program without a step is valid.

Programs are never run as Python.

Deviations:

- Where the released evaluator is left with something that is no value of a program
  (`exp(-8, 0.5)` is complex, yes plus no is `yesno`), ours has the value `"n/a"`;
  invalid it is in both.
- A table that is no list of rows of text raises `ValueError`, also where the program does
  not read it; the released evaluator calls a program that reads it invalid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..shown import shown
from .program import Tokens, program_tokens, split_step, step_texts


NOT_AVAILABLE: Final = "n/a"
DECIMALS: Final = 5  # to which the released evaluator rounds a program's value

_WORDS: Final = ("yes", "no", NOT_AVAILABLE)

_CRASHES: Final = (
    ArithmeticError,  # division by zero, overflow
    LookupError,  # a missing argument, a reference to a step that has no value
    TypeError,  # arithmetic with "yes", order of complex numbers
    ValueError,  # `const_pi`, `#x`
)


@dataclass(frozen=True)
class Execution:
    """What a program comes to.

    `value` is a float rounded to five decimals, `"yes"`, `"no"`, or `"n/a"` where no
    step gave a value. Of an invalid program it is what the released evaluator leaves
    behind: the value of the last step that ran.
    """

    valid: bool
    value: float | str


def finqa_execute(
    program: str | Tokens | None,
    table: Sequence[Sequence[str]],
    *,
    accept_hyphens: bool = False,
) -> Execution:
    """Run a FinQA program on a table.

    Parameters
    ----------
    program
        Text, such as `"subtract(5829, 5735), divide(#0, 5735)"`, which is cut at `, ` and
        at brackets as the released script does; or tokens, of which the last is dropped
        unread (it should be `"EOF"`).
    table
        Rows of text cells; the first cell of a row is its name.
    accept_hyphens
        Take `table-average` for `table_average`, since some published prompts write it so
        (HELM's and unitxt's). The released evaluator calls it invalid.

    Returns
    -------
    Execution
        Not valid where the released evaluator fails or raises. A program without a
        finished step is valid and has the value `"n/a"`, as in the released evaluator.

    Raises
    ------
    ValueError
        If `table` is not a list of rows of text.

    Examples
    --------
    >>> finqa_execute("subtract(5829, 5735), divide(#0, 5735)", [])
    Execution(valid=True, value=0.01639)
    >>> finqa_execute("table_max(revenue, none)", [["", "2015"], ["revenue", "$ 5829"]])
    Execution(valid=True, value=5829.0)
    >>> finqa_execute("divide(5, 0)", [])
    Execution(valid=False, value='n/a')
    """
    rows = _rows(table)
    tokens = program_tokens(program, accept_hyphens=accept_hyphens)
    steps = None if tokens is None else step_texts(tokens)
    if steps is None:
        return Execution(False, NOT_AVAILABLE)
    return _Evaluation(rows).run(steps)


def cell_number(text: str) -> float | None:
    """Read a number as the released `str_to_num` does; `None` stands for its "n/a".

    Raises `ValueError` on `const_` and anything that is no number, as it does.

    Examples
    --------
    >>> cell_number("1,000"), cell_number("5%"), cell_number("const_m1")
    (1000.0, 0.05, -1.0)
    """
    text = text.replace(",", "")
    try:
        return float(text)
    except ValueError:
        if "%" in text:
            try:
                return float(text.replace("%", "")) / 100
            except ValueError:
                return None
        if "const" not in text:
            return None
    constant = text.replace("const_", "")
    return -1.0 if constant == "m1" else float(constant)


def row_numbers(cells: Iterable[str]) -> list[float] | None:
    """Read a row as the released `process_row` does: all cells are numbers, or `None`.

    Examples
    --------
    >>> row_numbers(["$ 5829", "-32 ( 32 )", "12.5%"])
    [5829.0, -32.0, 0.125]
    >>> row_numbers(["5829", "n/a"]) is None
    True
    """
    numbers = []
    for cell in cells:
        number = cell_number(cell.replace("$", "").strip().split("(")[0].strip())
        if number is None:
            return None
        numbers.append(number)
    return numbers


class _Evaluation:
    """One run of the released evaluator: the steps' values and the last row read."""

    def __init__(self, rows: list[Sequence[str]]) -> None:
        self.rows = rows
        self.values: dict[int, Any] = {}
        self.row: list[float] | None = None
        self.last: Any = NOT_AVAILABLE

    def run(self, steps: Sequence[str]) -> Execution:
        valid = True
        try:
            for index, text in enumerate(steps):
                if not self.step(index, text):
                    valid = False
                    break
            if self.last not in _WORDS:
                self.last = round(self.last, DECIMALS)
        except _CRASHES:
            valid = False
        if self.last in _WORDS:
            return Execution(valid, self.last)
        if isinstance(self.last, (int, float)):
            return Execution(valid, float(self.last))
        return Execution(False, NOT_AVAILABLE)

    def step(self, index: int, text: str) -> bool:
        """Run one step; false where the released evaluator gives up in good order."""
        if text.count("(") > 1:
            return False
        operation, first, second = split_step(text)
        if operation in _ARITHMETIC:
            left = self.operand(first)
            right = None if left is None else self.operand(second)
            if right is None:
                return False
            self.last = _ARITHMETIC[operation](left, right)
        elif "table" in operation:
            if not self.read_row(first):
                return False
            if operation in _AGGREGATES:
                self.last = _AGGREGATES[operation](self.row)
        else:
            return True
        self.values[index] = self.last
        return True

    def operand(self, text: str) -> Any:
        if "#" in text:
            return self.values[int(text.replace("#", ""))]
        return cell_number(text)

    def read_row(self, name: str) -> bool:
        named = {row[0]: row[1:] for row in self.rows}
        if "#" in name:
            # The released script looks the step up and then uses the row before it.
            self.values[int(name.replace("#", ""))]
            if self.row is None:
                raise LookupError(name)
            return True
        if name not in named:
            return False
        self.row = row_numbers(named[name])
        return self.row is not None


_ARITHMETIC: Final[dict[str, Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "exp": lambda a, b: a**b,
    "greater": lambda a, b: "yes" if a > b else "no",
}
_AGGREGATES: Final[dict[str, Any]] = {
    "table_max": max,
    "table_min": min,
    "table_sum": sum,
    "table_average": lambda row: sum(row) / len(row),
}


def _is_row(row: Any) -> bool:
    return isinstance(row, (list, tuple)) and all(isinstance(c, str) for c in row)


def _rows(table: Any) -> list[Sequence[str]]:
    rows = table if isinstance(table, (list, tuple)) else [table]
    for row in rows:
        if not _is_row(row):
            raise ValueError(
                f"a FinQA table is a list of rows of text, not {shown(row)}"
            )
    return list(rows)
