"""Expressions as fractions of polynomials, cancelled exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .algebra import (
    ONE,
    ZERO,
    Algebra,
    Expr,
    Factor,
    Power,
    Product,
    Rational,
    TooLarge,
    Undefined,
    sort_key,
)
from .polynomials import Polynomial, Polynomials


MAX_EXPANDED_POWER: Final = 64


def cancel(algebra: Algebra, expr: Expr) -> Expr:
    """Expand a fraction and divide by the greatest common divisor (`cancel`)."""
    generators, ring, above, below = _fraction(algebra, expr)
    if not below:
        raise Undefined
    if not above:
        return ZERO
    common = ring.gcd(above, below)
    above, below = ring.divide(above, common), ring.divide(below, common)
    sign = 1 if below[max(below)] > 0 else -1
    return algebra.multiply(
        _expression(algebra, generators, above, sign),
        algebra.whole_power(_expression(algebra, generators, below, sign), -1),
    )


def expanded_terms(algebra: Algebra, expr: Expr) -> Expr | None:
    """Return the terms of a linear expression, or of a polynomial of one symbol.

    `None` for anything else. Only the latter is expanded, as by sympy's relations.
    """
    if all(exponents in ([], [1]) for exponents in map(_symbol_exponents, expr)):
        return expr
    generators, _, above, below = _fraction(algebra, expr)
    if len(generators) != 1 or isinstance(generators[0], Power) or set(below) != {(0,)}:
        return None
    terms = _expression(algebra, generators, above, 1)
    return algebra.scale(terms, Fraction(1, below[(0,)]))


def _symbol_exponents(term: tuple[Product, Rational]) -> list[int]:
    return [exponent if isinstance(factor, int) else 0 for factor, exponent in term[0]]


def _fraction(
    algebra: Algebra, expr: Expr
) -> tuple[list[Factor], Polynomials, Polynomial, Polynomial]:
    numerator, denominator = (
        algebra.numerator_denominator(expr) if expr else (ZERO, ONE)
    )
    generators = sorted(
        _generators(denominator, _generators(numerator, {})), key=sort_key
    )
    ring = Polynomials(len(generators), algebra.spend)
    index = {generator: i for i, generator in enumerate(generators)}
    above = _polynomial(ring, index, numerator)
    return generators, ring, above, _polynomial(ring, index, denominator)


def _expression(
    algebra: Algebra, generators: list[Factor], polynomial: Polynomial, sign: int
) -> Expr:
    return algebra.add(
        *(
            algebra.build(sign * number, zip(generators, exponents, strict=True))
            for exponents, number in polynomial.items()
        )
    )


def _generators(expr: Expr, found: dict[Factor, None]) -> dict[Factor, None]:
    for product, _ in expr:
        for factor, _ in product:
            if isinstance(factor, frozenset):
                _generators(factor, found)
            else:
                found[factor] = None
    return found


def _polynomial(ring: Polynomials, index: dict[Factor, int], expr: Expr) -> Polynomial:
    """Expand an expression; its coefficients are whole."""
    result: Polynomial = {}
    for product, coefficient in expr:
        term = ring.one
        for factor, exponent in product:
            if exponent < 0 or coefficient.denominator != 1:
                raise TooLarge  # a fraction inside a fraction: nothing a step leaves
            if isinstance(factor, frozenset):
                if exponent > MAX_EXPANDED_POWER:
                    raise TooLarge
                part = ring.power(_polynomial(ring, index, factor), exponent)
            else:
                part = ring.variable(index[factor], exponent)
            term = ring.multiply(term, part)
        result = ring.add(result, term, int(coefficient))
    return result
