"""The values of FinQA programs as one graph, in which like values are one node.

Two programs whose last steps are the same node are alike but for the order of addends,
factors and steps. Each node has a residue, its value modulo a prime with fixed numbers
for the arguments: values that differ somewhere differ there, but for a chance of about
one in 2**50, and values that are the same everywhere have the same residue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, NamedTuple


MAX_DEPTH: Final = 199  # Python's parser, by which sympy reads, nests 200 brackets
PRIME: Final = 2**61 - 1

_COMMUTATIVE: Final = ("add", "multiply")
_OPERATIONS: Final = ("add", "subtract", "multiply", "divide", "exp", "greater")


class Unreadable(Exception):
    """The released script, or sympy, raises on this program."""


class Step(NamedTuple):
    text: str
    operation: str
    arguments: tuple[str, str]

    @property
    def reads_table(self) -> bool:
        return "table" in self.operation


@dataclass
class Node:
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
class Graph:
    """The values of both programs, each kept once."""

    symbols: dict[str, int]
    nodes: list[Node] = field(default_factory=list)
    known: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def root(self, steps: Sequence[Step]) -> int:
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
                raise Unreadable  # no such step
            step = steps[index]
            missing = [i for i in self.references(step) if i not in values]
            if missing:
                if index in opened:
                    raise Unreadable  # a step that needs its own value
                opened.add(index)
                pending.extend(missing)
                continue
            values[index] = self.value(step, values)
            pending.pop()
        return values[len(steps) - 1]

    def references(self, step: Step) -> list[int]:
        if step.reads_table:
            return []
        try:
            return [int(a.replace("#", "")) for a in step.arguments if "#" in a]
        except ValueError:
            raise Unreadable from None

    def value(self, step: Step, values: dict[int, int]) -> int:
        if step.reads_table:
            return self.symbol(step.text)
        if step.operation not in _OPERATIONS:
            raise Unreadable
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
                raise Unreadable
            self.add(key, depth, left, right)
        return self.known[key]

    def symbol(self, name: str) -> int:
        index = self.symbols[name]
        key = ("symbol", index)
        if key not in self.known:
            digest = blake2b(b"%d" % index, digest_size=8).digest()
            self.known[key] = len(self.nodes)
            residue = int.from_bytes(digest, "big") % PRIME
            self.nodes.append(Node("symbol", (index,), 0, residue))
        return self.known[key]

    def add(self, key: tuple[Any, ...], depth: int, left: Node, right: Node) -> None:
        operation, *operands = key
        opaque = left.opaque or right.opaque or operation in ("exp", "greater")
        residue = None
        if not opaque and left.residue is not None and right.residue is not None:
            residue = _modular(operation, left.residue, right.residue)
        self.known[key] = len(self.nodes)
        self.nodes.append(Node(operation, tuple(operands), depth, residue, opaque))


def _modular(operation: str, left: int, right: int) -> int | None:
    if operation == "add":
        return (left + right) % PRIME
    if operation == "subtract":
        return (left - right) % PRIME
    if operation == "multiply":
        return left * right % PRIME
    return left * pow(right, -1, PRIME) % PRIME if right else None
