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
meaning; `forms` chooses the same form as sympy 1.14 among the same candidates.
Memory and time are bounded. The 1,050 predictions that FinQA released take a few
hundredths of a second, some 200 times less than with sympy
(`tests/benchmarks/bench_finqa.py`).

Deviations:

- Some forms of `forms` are not sympy's. On all programs of up to three steps on
  three arguments no verdict differs, of equal programs of up to eight steps one in a
  thousand, with powers or comparisons of sums inside one in a hundred: where sums differ
  only in sign, hold a number (only `a/a` makes one), or stand in powers of one base with
  several exponents, and where sympy leaves a comparison turned around (`2*y < z`,
  `z > 2*y`).
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
from typing import Any, Final

from ..shown import shown
from .algebra import Algebra, Expr, TooLarge, Undefined, symbol
from .forms import comparison_form, simplified
from .graph import Graph, Step, Unreadable
from .program import (
    Tokens,
    joined_steps,
    program_tokens,
    split_step,
    step_texts,
)


BUDGET: Final = 200_000  # operations on one pair of programs, about 0.2 seconds


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
    gold = program_tokens(reference)
    if gold is None:
        raise _malformed(reference)
    try:
        steps = _parse(joined_steps(gold))
    except (IndexError, Unreadable) as error:
        raise _malformed(reference) from error
    symbols = _symbols(steps)
    tokens = program_tokens(prediction)
    predicted = None if tokens is None else _predicted_steps(tokens, symbols)
    if predicted is None:
        return False
    graph = Graph(symbols)
    try:
        gold_root = graph.root(steps)
    except Unreadable as error:
        raise _malformed(reference) from error
    try:
        root = graph.root(predicted)
    except Unreadable:
        return False
    return root == gold_root or _same(graph, gold_root, root)


def _malformed(reference: Any) -> ValueError:
    return ValueError(f"the reference is no FinQA program: {shown(reference)}")


def _parse(texts: Sequence[str]) -> list[Step]:
    steps = []
    for text in texts:
        if text.count("(") > 1:
            raise Unreadable
        operation, first, second = split_step(text)
        steps.append(Step(text, operation, (first, second)))
    return steps


def _symbols(steps: Sequence[Step]) -> dict[str, int]:
    """Number the arguments and the table steps of a reference."""
    symbols: dict[str, int] = {}
    for step in steps:
        for name in (step.text,) if step.reads_table else step.arguments:
            if step.reads_table or "#" not in name:
                symbols.setdefault(name, len(symbols))
    return symbols


def _predicted_steps(tokens: list[str], symbols: dict[str, int]) -> list[Step] | None:
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
    except (IndexError, ValueError, Unreadable):
        return None
    return steps


def _same(graph: Graph, gold_root: int, root: int) -> bool:
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


def _sides(graph: Graph, root: int) -> tuple[int, ...]:
    """Return the two sides of a comparison, else the root itself."""
    node = graph.nodes[root]
    return node.operands if node.operation == "greater" else (root,)


def _expressions(graph: Graph, algebra: Algebra) -> dict[int, Expr]:
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
