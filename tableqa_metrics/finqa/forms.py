"""The form that sympy's `simplify` gives to an expression.

The released FinQA script calls two programs equal if `simplify` writes both alike.
`simplify` is no decision procedure: it tries a fixed list of rewritings and keeps the one
with the fewest operations. So `(a + b)*c` and `a*c + b*c` get one form, but
`(a + b)*(a - b)` and `a*a - b*b` keep two, each being as short as it gets. `simplified`
makes the choice of sympy 1.14, among the rewritings of `rewriting`. Where it does
not is stated in `equality`.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Final

from .algebra import (
    ZERO,
    Algebra,
    Expr,
    Factor,
    Power,
    Product,
    Rational,
    common_coefficient,
    constant,
    constant_symbol,
    content,
    whole,
)
from .fractions import cancel, expanded_terms
from .rewriting import (
    all_negative,
    combine,
    draw_signs,
    expand_products,
    factor_out,
    join_powers,
    primitive,
    settle_sign,
    together,
)


MAX_GROWTH: Final = 1.7  # how much longer than the original a form may be (`ratio`)


def simplified(algebra: Algebra, expr: Expr) -> Expr:
    """Return the form in which sympy's `simplify` leaves an expression.

    Raises
    ------
    TooLarge
        If the budget of `algebra` is spent.
    Undefined
        If the expression divides by something that is always zero.
    """
    original = draw_signs(algebra, expr)
    if _is_atomic(original):
        return original
    fraction = primitive(algebra, join_powers(algebra, combine(algebra, original)))
    cancelled = cancel(algebra, fraction)
    if _is_atomic(cancelled):
        return cancelled
    fraction_factored = together(algebra, fraction)
    cancelled_factored = together(algebra, cancelled)
    form = _shortest(
        (_factored_size(fraction_factored), fraction_factored),
        (_factored_size(cancelled_factored), cancelled_factored),
        (size(cancelled), cancelled),
        (size(fraction), fraction),
    )
    form = factor_out(algebra, form)
    joined = join_powers(algebra, form)
    form = _shortest(
        (_factored_size(form), form),
        (size(joined), joined),
        (size(cancelled), cancelled),
    )
    factored = factor_out(algebra, form, signs=True)
    expanded = expand_products(algebra, form)
    form = _shortest(
        (_factored_size(form), form),
        (_factored_size(factored), factored),
        (size(expanded), expanded),
    )
    form = settle_sign(algebra, form)
    return original if size(form) > MAX_GROWTH * size(original) else form


def comparison_form(algebra: Algebra, left: Expr, right: Expr) -> Hashable:
    """Return what `simplify` makes of `left > right`, as a value to compare.

    A known order is a truth value. A difference that is linear, or a polynomial of one
    symbol, counts up to a positive factor; else both sides count, up to a change of
    both signs.
    """
    left, right = simplified(algebra, left), simplified(algebra, right)
    difference = algebra.add(left, algebra.negate(right))
    if not cancel(algebra, difference):
        difference = ZERO
    order = constant(difference)
    if order is not None:
        return order > 0
    terms = expanded_terms(algebra, difference)
    if terms is None:
        mirrored = algebra.negate(right), algebra.negate(left)
        return frozenset({(left, right), mirrored})
    factor = common_coefficient(number for product, number in terms if product)
    return "difference", algebra.scale(terms, Fraction(1) / factor)


def _is_atomic(expr: Expr) -> bool:
    return constant(expr) is not None or constant_symbol(expr) is not None


def size(expr: Expr) -> int:
    """Count operations as sympy's `count_ops` does: a negative sign is one."""
    if not expr:
        return 0
    operations = len(expr) - 1 + all_negative(expr)
    for product, coefficient in expr:
        positive = coefficient if coefficient > 0 else -coefficient
        operations += _product_size(product, positive)
    return operations


def _product_size(product: Product, coefficient: Rational) -> int:
    above = [(factor, number) for factor, number in product if number > 0]
    below = [(factor, -number) for factor, number in product if number < 0]
    top, bottom = coefficient.numerator, coefficient.denominator
    if not below:
        return (bottom != 1) + (_factors_size(top, above) if above else 0)
    return (
        1 + _factors_size(bottom, below) + (_factors_size(top, above) if above else 0)
    )


def _factors_size(coefficient: int, factors: list[tuple[Factor, int]]) -> int:
    if coefficient != 1 and len(factors) == 1:
        ((factor, exponent),) = factors
        if isinstance(factor, frozenset) and exponent == 1:
            return size(frozenset((p, number * coefficient) for p, number in factor))
    operations = len(factors) - (coefficient == 1)
    for factor, exponent in factors:
        if isinstance(factor, Power):
            power = frozenset((p, n * exponent) for p, n in factor.exponent)
            operations += 1 + size(factor.base) + size(power)
        else:
            operations += (exponent != 1) + (
                size(factor) if isinstance(factor, frozenset) else 0
            )
    return operations


def _factored_size(expr: Expr) -> int:
    """Count operations with the common coefficient of a sum before a bracket."""
    common = content(expr) if len(expr) > 1 else 1
    if common == 1:
        return size(expr)
    inner = frozenset((p, whole(Fraction(number) / common)) for p, number in expr)
    outer = (common.numerator != 1) + (common.denominator != 1)
    return size(inner) + outer


def _shortest(*candidates: tuple[int, Expr]) -> Expr:
    return min(candidates, key=lambda candidate: candidate[0])[1]
