"""The rewritings among which sympy's `simplify` chooses, one function each.

They are named after what they do; the sympy function that each stands for is given in
brackets. All keep the value of an expression, and all may raise `TooLarge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeAlias

from .algebra import (
    ONE,
    ZERO,
    Algebra,
    Expr,
    Factor,
    Power,
    Product,
    Rational,
    common_coefficient,
    is_sum,
    sort_key,
    whole,
)


Rewriting: TypeAlias = Callable[[Expr], Expr]


def all_negative(expr: Expr) -> bool:
    return all(coefficient < 0 for _, coefficient in expr)


def is_negative(expr: Expr) -> bool:
    """Whether most terms are negative or, of as many, the leading one."""
    negative = sum(coefficient < 0 for _, coefficient in expr)
    if 2 * negative != len(expr):
        return 2 * negative > len(expr)
    factors = sorted({f for product, _ in expr for f, _ in product}, key=sort_key)
    exponents = {
        tuple(dict(product).get(f, 0) for f in factors): coefficient
        for product, coefficient in expr
    }
    return exponents[max(exponents)] < 0


def _rewrite(algebra: Algebra, factor: Factor, rewriting: Rewriting) -> Expr:
    """Rewrite what is inside a factor."""
    if isinstance(factor, Power):
        return algebra.power(rewriting(factor.base), rewriting(factor.exponent))
    return (
        rewriting(factor) if isinstance(factor, frozenset) else algebra.as_expr(factor)
    )


def _rewrite_terms(algebra: Algebra, expr: Expr, rewriting: Rewriting) -> Expr:
    """Rewrite what is inside every factor."""
    terms = []
    for product, coefficient in expr:
        inside = [(_rewrite(algebra, f, rewriting), number) for f, number in product]
        terms.append(_times(algebra, coefficient, inside))
    return algebra.add(*terms)


def _times(
    algebra: Algebra, coefficient: Rational, factors: Iterable[tuple[Expr, int]]
) -> Expr:
    result = ONE
    for expr, exponent in factors:
        result = algebra.multiply(result, algebra.whole_power(expr, exponent))
    return algebra.scale(result, coefficient)


def draw_signs(algebra: Algebra, expr: Expr) -> Expr:
    """Write `b - a` as `-(a - b)` wherever it is a factor (`signsimp`)."""

    def inside(expr: Expr) -> Expr:
        return draw_signs(algebra, expr)

    terms = []
    for product, coefficient in expr:
        factors = []
        for factor, exponent in product:
            if isinstance(factor, frozenset):
                negative = is_negative(factor)
                part = inside(algebra.negate(factor) if negative else factor)
                if not negative and len(part) > 1 and is_negative(part):
                    negative, part = True, algebra.negate(part)
                if negative and exponent % 2:
                    coefficient = -coefficient
            else:
                part = _rewrite(algebra, factor, inside)
            factors.append((part, exponent))
        terms.append(_times(algebra, coefficient, factors))
    return algebra.add(*terms)


def combine(algebra: Algebra, expr: Expr) -> Expr:
    """Put every sum over one denominator, from the inside out (`normal`)."""
    expr = _rewrite_terms(algebra, expr, lambda inner: combine(algebra, inner))
    if not expr:
        return expr
    numerator, denominator = algebra.numerator_denominator(expr)
    return algebra.multiply(numerator, algebra.whole_power(denominator, -1))


def primitive(algebra: Algebra, expr: Expr) -> Expr:
    """Draw common coefficients out of factors (`as_content_primitive`)."""
    return _rewrite_terms(algebra, expr, lambda inner: primitive(algebra, inner))


def join_powers(algebra: Algebra, expr: Expr) -> Expr:
    """Join `(a - b)*(b - a)`, and a number with the only plain sum (`powsimp`)."""
    terms = []
    for product, coefficient in expr:
        factors: dict[Factor, int] = {}
        for factor, exponent in product:
            if isinstance(factor, frozenset):
                factor = join_powers(algebra, factor)
            factors[factor] = exponent
        for factor in list(factors):
            if not isinstance(factor, frozenset) or factor not in factors:
                continue
            opposite: Factor = algebra.negate(factor)
            if opposite in factors:
                kept, gone = (
                    (factor, opposite) if is_negative(factor) else (opposite, factor)
                )
                if factors[gone] % 2:
                    coefficient = -coefficient
                factors[kept] += factors.pop(gone)
        plain = [factor for factor, exponent in factors.items() if exponent == 1]
        if coefficient != 1 and len(plain) == 1 and isinstance(plain[0], frozenset):
            del factors[plain[0]]
            factors[algebra.scale(plain[0], coefficient)] = 1
            coefficient = 1
        factors = {factor: exponent for factor, exponent in factors.items() if exponent}
        if len(factors) == 1:
            terms.append(algebra.build(coefficient, factors.items()))
        else:
            terms.append(frozenset({(frozenset(factors.items()), coefficient)}))
    return algebra.add(*terms)


def together(algebra: Algebra, expr: Expr) -> Expr:
    """Draw common factors out of sums, over one denominator (`together`)."""
    return _gather(
        algebra, expr, lambda inner: together(algebra, inner), one_denominator=True
    )


def factor_out(algebra: Algebra, expr: Expr, *, signs: bool = False) -> Expr:
    """Draw common factors out of sums (`factor_terms`); a common sign with `signs`."""
    return _gather(
        algebra,
        expr,
        lambda inner: factor_out(algebra, inner, signs=signs),
        signs=signs,
    )


def _gather(
    algebra: Algebra,
    expr: Expr,
    inside: Rewriting,
    *,
    one_denominator: bool = False,
    signs: bool = False,
) -> Expr:
    if len(expr) > 1:
        return _gather_sum(algebra, expr, inside, one_denominator)
    result = ZERO
    for product, coefficient in expr:
        factors = []
        for factor, exponent in product:
            part = _rewrite(algebra, factor, inside)
            if signs and is_sum(factor) and len(part) > 1 and all_negative(part):
                part = algebra.negate(part)
                if exponent % 2:
                    coefficient = -coefficient
            factors.append((part, exponent))
        result = _times(algebra, coefficient, factors)
    return result


def _gather_sum(
    algebra: Algebra, expr: Expr, inside: Rewriting, one_denominator: bool
) -> Expr:
    terms = [algebra.as_product(inside(frozenset({term}))) for term in expr]
    coefficient = common_coefficient(number for number, _ in terms)
    if not one_denominator and all(number < 0 for number, _ in terms):
        coefficient = -coefficient
    outside: dict[Factor, int] = {}
    below: dict[Factor, int] = {}
    for factor in dict.fromkeys(f for _, factors in terms for f in factors):
        exponents = [factors.get(factor, 0) for _, factors in terms]
        algebra.spend(len(exponents))
        shared_below = max(0, -max(exponents))
        outside[factor] = max(0, min(exponents)) - shared_below
        below[factor] = max(0, -min(exponents) - shared_below) if one_denominator else 0
    parts = []
    for number, factors in terms:
        rest = [(f, factors.get(f, 0) - outside[f] + below[f]) for f in outside]
        parts.append(algebra.build(whole(Fraction(number) / coefficient), rest))
    common = [(f, outside[f] - below[f]) for f in outside]
    result = algebra.multiply(algebra.build(1, common), algebra.add(*parts))
    return algebra.scale(result, coefficient)


def expand_products(algebra: Algebra, expr: Expr) -> Expr:
    """Multiply sums out, powers of sums left as they are (`expand_mul`)."""
    expr = _rewrite_terms(algebra, expr, lambda inner: expand_products(algebra, inner))
    return algebra.add(*(_expand_term(algebra, *term) for term in expr))


def _expand_term(algebra: Algebra, product: Product, coefficient: Rational) -> Expr:
    above = [(factor, number) for factor, number in product if number > 0]
    below = [(factor, -number) for factor, number in product if number < 0]
    denominator = (
        _expanded(algebra, below) if len(below) > 1 else algebra.build(1, below)
    )
    plain, sums = _plain_and_sums(above)
    outer = algebra.multiply(
        algebra.build(1, plain), algebra.whole_power(denominator, -1)
    )
    if not sums:
        return algebra.scale(outer, coefficient)
    parts = []
    for term in _expanded(algebra, [(factor, 1) for factor in sums]):
        part = algebra.scale(algebra.multiply(outer, frozenset({term})), coefficient)
        if len(part) == 1:
            ((inner, number),) = part
            if _plain_and_sums(f for f in inner if f[1] > 0)[1]:
                part = _expand_term(algebra, inner, number)
        parts.append(part)
    return algebra.add(*parts)


def _expanded(algebra: Algebra, factors: Iterable[tuple[Factor, int]]) -> Expr:
    plain, sums = _plain_and_sums(factors)
    result = algebra.build(1, plain)
    for factor in sums:
        result = algebra.distribute(result, algebra.as_expr(factor))
    return result


def _plain_and_sums(
    factors: Iterable[tuple[Factor, int]],
) -> tuple[list[tuple[Factor, int]], list[Factor]]:
    plain: list[tuple[Factor, int]] = []
    sums: list[Factor] = []
    for factor, exponent in factors:
        if is_sum(factor) and exponent == 1:
            sums.append(factor)
        else:
            plain.append((factor, exponent))
    return plain, sums


def settle_sign(algebra: Algebra, expr: Expr) -> Expr:
    """Move a leading minus into a lone sum below the line."""
    if not is_negative(expr):
        return expr
    if len(expr) == 1:
        ((product, coefficient),) = expr
        below = [(factor, number) for factor, number in product if number < 0]
        if coefficient.denominator == 1 and len(below) == 1:
            ((factor, exponent),) = below
            if isinstance(factor, frozenset) and exponent == -1:
                moved = (product - {(factor, -1)}) | {(algebra.negate(factor), -1)}
                expr = frozenset({(moved, -coefficient)})
    return draw_signs(algebra, expr)
