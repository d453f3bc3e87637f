"""Program equality of FinQA, without sympy.

FinQA: Chen et al. 2021 (arXiv:2109.00122). The released script is `equal_program` in
`code/evaluate/evaluate.py` of czyssrs/FinQA at commit
0f16e2867befa6840783e58be38c9efb9229d742. It calls two programs equal if

- every argument and every table step of the prediction stands, letter for letter, in the
  reference too (also in steps that nothing uses; `100` is not `const_100`, and since the
  text of a step but the first begins with `|`, neither is a table step that moves there);
- sympy's `simplify` gives the last steps of both, with one symbol for each argument, the
  same form.

`finqa_program_equal` gives the same verdict in three stages, each of them exact where it
decides. Programs that are alike up to the order of addends and factors are equal.
Programs whose values differ for some numbers in place of the arguments are not: the
numbers are taken modulo the prime 2**61 - 1, so that nothing is rounded and nothing
grows. What is left are rewritings, where `simplify` decides by length rather than by
meaning; `_finqa_forms` chooses the same form as sympy 1.14 among the same candidates.
Memory and time are bounded; on the 1,050 predictions that FinQA released it takes about a
thousandth of the time of the released script.

Deviations:

- The forms of `_finqa_forms` differ from sympy's for one in a thousand random
  expressions of up to eight steps: in the sign of two sums that differ only by it, in
  sums that hold a number (only `a/a` makes one), in powers of one base with several
  exponents that are no whole numbers. The verdict differs for fewer.
- What exceeds the budget, on which the released script runs for hours or out of memory,
  is judged by its values alone: equal if they are.
- Programs that divide by zero symbolically (`a - a`) are equal only if they are alike;
  sympy also finds two of them equal whose values are both undefined.
- Where the released script raises because of the reference (a step without arguments, a
  reference to no step, a comparison inside arithmetic, more than 199 nested steps, no
  step), ours raises `ValueError`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from ._finqa_algebra import Algebra, Expr, TooLarge, Undefined, symbol
from ._finqa_forms import comparison_form, simplified
from .finqa_program import (
    Tokens,
    joined_steps,
    program_tokens,
    split_step,
    step_texts,
)


BUDGET: Final = 200_000  # operations on one pair of programs, about 0.2 seconds
MAX_DEPTH: Final = 199  # Python's parser, by which sympy reads, nests 200 brackets
PRIME: Final = 2**61 - 1

_COMMUTATIVE: Final = ("add", "multiply")
_OPERATIONS: Final = ("add", "subtract", "multiply", "divide", "exp", "greater")


def finqa_program_equal(reference: str | Tokens, prediction: Any) -> bool:
    """Tell whether two programs are equal by the released script's rule.

    Parameters
    ----------
    reference, prediction
        Programs as `finqa_execute` takes them. A prediction that is none is not equal.

    Raises
    ------
    ValueError
        Where the released script raises because of the reference. It looks at the
        reference's last step only where the prediction passes its checks.

    Examples
    --------
    >>> finqa_program_equal("add(1, 2)", "add(2, 1)")
    True
    >>> gold = "divide(1, 3), divide(2, 3), subtract(#0, #1)"
    >>> finqa_program_equal(gold, "subtract(1, 2), divide(#0, 3)")
    True
    >>> finqa_program_equal("multiply(5, 100)", "multiply(5, const_100)")
    False
    """
    try:
        steps = _parse(joined_steps(_checked(program_tokens(reference))))
        symbols = _symbols(steps)
    except (IndexError, _Unreadable) as error:
        raise _malformed(reference) from error
    predicted = _predicted_steps(program_tokens(prediction), symbols)
    if predicted is None:
        return False
    graph = _Graph(symbols)
    try:
        gold_root = graph.root(steps)
    except _Unreadable as error:
        raise _malformed(reference) from error
    try:
        root = graph.root(predicted)
    except _Unreadable:
        return False
    return root == gold_root or _same(graph, gold_root, root)


class _Unreadable(Exception):
    """The released script, or sympy, raises on this program."""


class _Step(NamedTuple):
    text: str
    operation: str
    arguments: tuple[str, str]

    @property
    def reads_table(self) -> bool:
        return "table" in self.operation


def _malformed(reference: Any) -> ValueError:
    return ValueError(f"the reference is no FinQA program: {reference!r:.200}")


def _checked(tokens: list[str]) -> list[str]:
    if any(not isinstance(token, str) for token in tokens[:-1]):
        raise _Unreadable
    return tokens


def _parse(texts: Sequence[str]) -> list[_Step]:
    steps = []
    for text in texts:
        if text.count("(") > 1:
            raise _Unreadable
        operation, first, second = split_step(text)
        steps.append(_Step(text, operation, (first, second)))
    return steps


def _symbols(steps: Sequence[_Step]) -> dict[str, int]:
    """Number the arguments and the table steps of a reference."""
    symbols: dict[str, int] = {}
    for step in steps:
        for name in (step.text,) if step.reads_table else step.arguments:
            if step.reads_table or "#" not in name:
                symbols.setdefault(name, len(symbols))
    return symbols


def _predicted_steps(tokens: list[str], symbols: dict[str, int]) -> list[_Step] | None:
    """Check a prediction as the released script does, steps out of use included."""
    texts = step_texts(tokens)
    try:
        steps = None if texts is None else _parse(texts)
        for index, step in enumerate(steps or ()):
            if step.reads_table:
                if step.text not in symbols:
                    return None
                continue
            for argument in step.arguments:
                if "#" not in argument:
                    if argument not in symbols:
                        return None
                elif int(argument.strip("#")) >= index:
                    return None
    except (IndexError, ValueError, _Unreadable):
        return None
    return steps


@dataclass
class _Node:
    """A step's value: an operation on two earlier nodes, or a symbol.

    `residue` is its value modulo `PRIME` with random numbers for the symbols, `None`
    where that divides by zero; it means nothing where `opaque` is set, because a power
    or a comparison is involved.
    """

    operation: str
    operands: tuple[int, ...]
    depth: int
    residue: int | None
    opaque: bool = False


@dataclass
class _Graph:
    """The values of both programs, each kept once."""

    symbols: dict[str, int]
    nodes: list[_Node] = field(default_factory=list)
    known: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def root(self, steps: Sequence[_Step]) -> int:
        """Return the value of the last step; only what it uses is looked at."""
        values: dict[int, int] = {}
        pending = [len(steps) - 1]
        opened: set[int] = set()
        while pending:
            index = pending[-1]
            if index in values:
                pending.pop()
                continue
            if not 0 <= index < len(steps):
                raise _Unreadable  # no such step
            step = steps[index]
            missing = [i for i in self.references(step) if i not in values]
            if missing:
                if index in opened:
                    raise _Unreadable  # a step that needs its own value
                opened.add(index)
                pending.extend(missing)
                continue
            values[index] = self.value(step, values)
            pending.pop()
        return values[len(steps) - 1]

    def references(self, step: _Step) -> list[int]:
        if step.reads_table:
            return []
        try:
            return [int(a.replace("#", "")) for a in step.arguments if "#" in a]
        except ValueError:
            raise _Unreadable from None

    def value(self, step: _Step, values: dict[int, int]) -> int:
        if step.reads_table:
            return self.symbol(step.text)
        if step.operation not in _OPERATIONS:
            raise _Unreadable
        operands = [
            values[int(a.replace("#", ""))] if "#" in a else self.symbol(a)
            for a in step.arguments
        ]
        if step.operation in _COMMUTATIVE:
            operands.sort()
        key = (step.operation, *operands)
        if key not in self.known:
            left, right = (self.nodes[operand] for operand in operands)
            depth = 1 + max(left.depth, right.depth)
            if depth > MAX_DEPTH or "greater" in (left.operation, right.operation):
                raise _Unreadable
            self.add(key, depth, left, right)
        return self.known[key]

    def symbol(self, name: str) -> int:
        index = self.symbols[name]
        key = ("symbol", index)
        if key not in self.known:
            digest = blake2b(b"%d" % index, digest_size=8).digest()
            self.known[key] = len(self.nodes)
            residue = int.from_bytes(digest, "big") % PRIME
            self.nodes.append(_Node("symbol", (index,), 0, residue))
        return self.known[key]

    def add(self, key: tuple[Any, ...], depth: int, left: _Node, right: _Node) -> None:
        operation, *operands = key
        opaque = left.opaque or right.opaque or operation in ("exp", "greater")
        residue = None
        if not opaque and left.residue is not None and right.residue is not None:
            residue = _modular(operation, left.residue, right.residue)
        self.known[key] = len(self.nodes)
        self.nodes.append(_Node(operation, tuple(operands), depth, residue, opaque))


def _modular(operation: str, left: int, right: int) -> int | None:
    if operation == "add":
        return (left + right) % PRIME
    if operation == "subtract":
        return (left - right) % PRIME
    if operation == "multiply":
        return left * right % PRIME
    return left * pow(right, -1, PRIME) % PRIME if right else None


def _same(graph: _Graph, gold_root: int, root: int) -> bool:
    gold, node = graph.nodes[gold_root], graph.nodes[root]
    if (gold.operation == "greater") != (node.operation == "greater"):
        return False
    comparable = not (gold.opaque or node.opaque)
    if comparable and (gold.residue is None or gold.residue != node.residue):
        return False
    algebra = Algebra(BUDGET)
    try:
        exprs = _expressions(graph, algebra)
        sides = [[exprs[i] for i in _sides(graph, r)] for r in (gold_root, root)]
        if sides[0] == sides[1]:
            return True
        if gold.operation == "greater":
            forms: list[Hashable] = [comparison_form(algebra, *pair) for pair in sides]
        else:
            forms = [simplified(algebra, *single) for single in sides]
        return forms[0] == forms[1]
    except Undefined:
        return False
    except (TooLarge, RecursionError):
        return comparable


def _sides(graph: _Graph, root: int) -> tuple[int, ...]:
    """Return the two sides of a comparison, else the root itself."""
    node = graph.nodes[root]
    return node.operands if node.operation == "greater" else (root,)


def _expressions(graph: _Graph, algebra: Algebra) -> dict[int, Expr]:
    """Build the expression of every node but comparisons, which are roots only."""
    exprs: dict[int, Expr] = {}
    for index, node in enumerate(graph.nodes):
        if node.operation == "symbol":
            exprs[index] = symbol(*node.operands)
        elif node.operation != "greater":
            left, right = (exprs[operand] for operand in node.operands)
            exprs[index] = _operate(algebra, node.operation, left, right)
    return exprs


def _operate(algebra: Algebra, operation: str, left: Expr, right: Expr) -> Expr:
    if operation == "add":
        return algebra.add(left, right)
    if operation == "subtract":
        return algebra.add(left, algebra.negate(right))
    if operation == "multiply":
        return algebra.multiply(left, right)
    if operation == "divide":
        return algebra.multiply(left, algebra.whole_power(right, -1))
    return algebra.power(left, right)
