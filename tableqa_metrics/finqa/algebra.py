"""Exact symbolic arithmetic for program equality: sums of products of powers.

A small part of what sympy does when it builds an expression: sums and products are
flattened and like terms collected, a number is distributed over a lone sum, and nothing
is expanded. So `x*y + y*x` is `2*x*y`, but `x*(y + z)` and `x*y + x*z` stay different;
`forms` decides which of them sympy's `simplify` would choose.

All values are immutable and compare by structure. Every operation draws on the budget of
its `Algebra`, so that a hostile program costs bounded time.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Final, NamedTuple, TypeAlias


Rational: TypeAlias = "int | Fraction"  # an int wherever it is whole
Product: TypeAlias = "frozenset[tuple[Factor, int]]"
Expr: TypeAlias = "frozenset[tuple[Product, Rational]]"
Factor: TypeAlias = "int | Power | Expr"  # a symbol, a power, a sum in brackets


class Power(NamedTuple):
    """A power whose exponent is no whole number."""

    base: Expr
    exponent: Expr


class TooLarge(Exception):
    """The budget is spent."""


class Undefined(Exception):
    """A division by zero."""


MAX_BITS: Final = 8192  # of a coefficient

ZERO: Final[Expr] = frozenset()
ONE: Final[Expr] = frozenset({(frozenset(), 1)})


def symbol(index: int) -> Expr:
    """Return the symbol of that number."""
    return frozenset({(frozenset({(index, 1)}), 1)})


def constant(expr: Expr) -> Rational | None:
    """Return an expression's value if it is a number."""
    if not expr:
        return 0
    ((product, coefficient), *more) = expr
    return None if product or more else coefficient


def whole(value: Rational) -> Rational:
    """Return a fraction as an int where it is one."""
    return value.numerator if value.denominator == 1 else value


def is_sum(factor: Factor) -> bool:
    """Whether a factor is a sum in brackets."""
    return isinstance(factor, frozenset)


def common_coefficient(coefficients: Iterable[Rational]) -> Rational:
    """Return the greatest positive number that leaves coprime integers."""
    known = list(coefficients)
    bottom = lcm(*(value.denominator for value in known))
    return whole(Fraction(gcd(*(value.numerator for value in known)), bottom))


def content(expr: Expr) -> Rational:
    """Return the common positive coefficient of an expression's terms."""
    return common_coefficient(coefficient for _, coefficient in expr)


def sort_key(factor: Factor) -> tuple[Any, ...]:
    """Order factors: symbols and their powers by number, then sums."""
    if isinstance(factor, int):
        return 0, factor, ()
    if not isinstance(factor, Power):
        return 1, _expr_key(factor), ()
    base = constant_symbol(factor.base)
    if base is not None:
        return 0, base, _expr_key(factor.exponent)
    return 1, _expr_key(factor.base), _expr_key(factor.exponent)


def constant_symbol(expr: Expr) -> int | None:
    """Return the number of a symbol that stands alone."""
    if len(expr) == 1:
        ((product, coefficient),) = expr
        if coefficient == 1 and len(product) == 1:
            ((factor, exponent),) = product
            if exponent == 1 and isinstance(factor, int):
                return factor
    return None


def _expr_key(expr: Expr) -> tuple[Any, ...]:
    terms = sorted(
        (sorted((sort_key(factor), exponent) for factor, exponent in product), number)
        for product, number in expr
    )
    return len(terms), terms


class Algebra:
    """Arithmetic within a budget of elementary operations.

    Every method may raise `TooLarge`; those that divide or raise to a power may raise
    `Undefined`.
    """

    def __init__(self, budget: int) -> None:
        self.left = budget

    def spend(self, operations: int) -> None:
        """Draw on the budget."""
        self.left -= operations
        if self.left < 0:
            raise TooLarge

    def add(self, *exprs: Expr) -> Expr:
        """Add expressions, like terms collected."""
        terms: dict[Product, Rational] = {}
        for expr in exprs:
            self.spend(len(expr) + 1)
            for product, coefficient in expr:
                total = self.bounded(terms.get(product, 0) + coefficient)
                if total:
                    terms[product] = total
                else:
                    del terms[product]
        return frozenset(terms.items())

    def scale(self, expr: Expr, by: Rational) -> Expr:
        """Multiply every coefficient."""
        self.spend(len(expr))
        if by == 1 or not by:
            return expr if by else ZERO
        return frozenset((term, self.bounded(number * by)) for term, number in expr)

    def negate(self, expr: Expr) -> Expr:
        """Change every sign."""
        return self.scale(expr, -1)

    def as_product(self, expr: Expr) -> tuple[Rational, dict[Factor, int]]:
        """Take an expression as a coefficient and factors; a sum is one factor."""
        if len(expr) == 1:
            ((product, coefficient),) = expr
            return coefficient, dict(product)
        coefficient = content(expr)
        return coefficient, {self.scale(expr, Fraction(1) / coefficient): 1}

    def from_product(self, coefficient: Rational, factors: dict[Factor, int]) -> Expr:
        """Undo `as_product`: a coefficient before a lone sum is distributed."""
        if not coefficient:
            return ZERO
        if len(factors) == 1:
            ((factor, exponent),) = factors.items()
            if exponent == 1 and isinstance(factor, frozenset):
                return self.scale(factor, coefficient)
        for factor, exponent in list(factors.items()):
            if exponent != 1 and isinstance(factor, Power) and len(factor.exponent) > 1:
                del factors[factor]
                factors[Power(factor.base, self.scale(factor.exponent, exponent))] = 1
        return frozenset({(frozenset(factors.items()), coefficient)})

    def multiply(self, left: Expr, right: Expr) -> Expr:
        """Multiply without expanding; the exponents of equal factors are added."""
        if not left or not right:
            return ZERO
        coefficient, factors = self.as_product(left)
        other, more = self.as_product(right)
        self.spend(len(factors) + len(more))
        coefficient = self.bounded(coefficient * other)
        for factor, exponent in more.items():
            total = factors.get(factor, 0) + exponent
            if total:
                factors[factor] = total
            else:
                del factors[factor]
        for factor in factors:
            if isinstance(factor, Power):
                return self._collect_powers(coefficient, factors)
        return self.from_product(coefficient, factors)

    def _collect_powers(
        self, coefficient: Rational, factors: dict[Factor, int]
    ) -> Expr:
        """Write `x * x**y` as `x**(y + 1)`."""
        bases = [factor.base for factor in factors if isinstance(factor, Power)]
        for base in bases:
            same = [f for f in factors if self.base_of(f) == base]
            if len(same) > 1:
                exponents = []
                for factor in same:
                    exponent = factor.exponent if isinstance(factor, Power) else ONE
                    exponents.append(self.scale(exponent, factors.pop(factor)))
                power = self.power(base, self.add(*exponents))
                return self.multiply(self.from_product(coefficient, factors), power)
        return self.from_product(coefficient, factors)

    def base_of(self, factor: Factor) -> Expr:
        """Return what a factor is a power of."""
        if isinstance(factor, int):
            return symbol(factor)
        return factor.base if isinstance(factor, Power) else factor

    def as_expr(self, factor: Factor) -> Expr:
        """Return a factor as an expression."""
        if isinstance(factor, frozenset):
            return factor
        return frozenset({(frozenset({(factor, 1)}), 1)})

    def build(
        self, coefficient: Rational, factors: Iterable[tuple[Factor, int]]
    ) -> Expr:
        """Multiply factors, and the coefficient last, as sympy does."""
        result = ONE
        for factor, exponent in factors:
            result = self.multiply(
                result, self.whole_power(self.as_expr(factor), exponent)
            )
        return self.scale(result, coefficient)

    def whole_power(self, expr: Expr, exponent: int) -> Expr:
        """Raise to a whole power; products are raised factor by factor."""
        if exponent == 1:
            return expr
        if exponent == 0:
            return ONE
        if not expr:
            if exponent < 0:
                raise Undefined
            return ZERO
        coefficient, factors = self.as_product(expr)
        if abs(coefficient) != 1:
            bits = (
                coefficient.numerator.bit_length()
                + coefficient.denominator.bit_length()
            )
            if bits * abs(exponent) > MAX_BITS:
                raise TooLarge
        return self.from_product(
            whole(Fraction(coefficient) ** exponent),
            {factor: number * exponent for factor, number in factors.items()},
        )

    def power(self, base: Expr, exponent: Expr) -> Expr:
        """Raise to any power; only a whole exponent is carried out."""
        number = constant(exponent)
        if isinstance(number, int):
            return self.whole_power(base, number)
        if base == ONE:
            return ONE
        times = 1
        if len(exponent) == 1:
            ((_, coefficient),) = exponent
            times = coefficient.numerator
            exponent = self.scale(exponent, Fraction(1, times))
        return frozenset({(frozenset({(Power(base, exponent), times)}), 1)})

    def bounded(self, number: Rational) -> Rational:
        """Return a coefficient, an int where it is whole, unless it is too long."""
        if (
            max(number.numerator.bit_length(), number.denominator.bit_length())
            > MAX_BITS
        ):
            raise TooLarge
        return whole(number)

    def numerator_denominator(self, expr: Expr) -> tuple[Expr, Expr]:
        """Put terms over the product of their different denominators, uncancelled."""
        common = content(expr)
        by_denominator: dict[Expr, list[Expr]] = {}
        for product, coefficient in expr:
            below = self.build(1, [(f, -number) for f, number in product if number < 0])
            above = self.build(
                whole(coefficient / Fraction(common)),
                [(f, number) for f, number in product if number > 0],
            )
            by_denominator.setdefault(below, []).append(above)
        numerators = []
        denominator = ONE
        for below, above_all in by_denominator.items():
            denominator = self.multiply(denominator, below)
            numerator = self.add(*above_all)
            for other in by_denominator:
                if other is not below:
                    numerator = self.multiply(numerator, other)
            numerators.append(numerator)
        return (
            self.scale(self.add(*numerators), common.numerator),
            self.scale(denominator, common.denominator),
        )

    def distribute(self, left: Expr, right: Expr) -> Expr:
        """Multiply every term of one with every term of the other."""
        self.spend(len(left) * len(right))
        return self.add(
            *(
                self.multiply(frozenset({term}), frozenset({other}))
                for term in left
                for other in right
            )
        )
