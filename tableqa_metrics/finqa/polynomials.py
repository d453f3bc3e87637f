"""Polynomials with integer coefficients, and their greatest common divisor.

A polynomial is a dictionary from exponents, one a variable, to coefficients that are not
zero; the zero polynomial is empty. The first variable counts most in the order of terms.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import TypeAlias


Exponents: TypeAlias = "tuple[int, ...]"
Polynomial: TypeAlias = "dict[Exponents, int]"


class Polynomials:
    """Arithmetic of polynomials in `variables` variables.

    `spend` is called with the number of operations before they are made; it stops the
    computation by raising.
    """

    def __init__(self, variables: int, spend: Callable[[int], None]) -> None:
        self.one: Polynomial = {(0,) * variables: 1}
        self.variables = variables
        self.spend = spend

    def variable(self, index: int, exponent: int) -> Polynomial:
        """Return a power of one variable."""
        exponents = [0] * self.variables
        exponents[index] = exponent
        return {tuple(exponents): 1}

    def add(self, left: Polynomial, right: Polynomial, times: int = 1) -> Polynomial:
        """Return `left + times * right`."""
        self.spend(len(left) + len(right))
        result = dict(left)
        for exponents, coefficient in right.items():
            total = result.get(exponents, 0) + coefficient * times
            if total:
                result[exponents] = total
            else:
                del result[exponents]
        return result

    def multiply(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the product."""
        self.spend(len(left) * len(right) * (1 + self.variables))
        result: Polynomial = {}
        for exponents, coefficient in left.items():
            for others, other in right.items():
                key = tuple(map(int.__add__, exponents, others))
                result[key] = result.get(key, 0) + coefficient * other
        return {key: coefficient for key, coefficient in result.items() if coefficient}

    def power(self, polynomial: Polynomial, exponent: int) -> Polynomial:
        """Return a power with an exponent of zero or more."""
        if len(polynomial) == 1:
            ((exponents, coefficient),) = polynomial.items()
            self.spend(exponent * coefficient.bit_length())
            return {tuple(e * exponent for e in exponents): coefficient**exponent}
        result = self.one
        for _ in range(exponent):
            result = self.multiply(result, polynomial)
        return result

    def divide(self, dividend: Polynomial, divisor: Polynomial) -> Polynomial:
        """Return the quotient of a division without remainder."""
        result: Polynomial = {}
        top = max(divisor)
        while dividend:
            self.spend(len(divisor) * (1 + self.variables))
            highest = max(dividend)
            exponents = tuple(map(int.__sub__, highest, top))
            coefficient = dividend[highest] // divisor[top]
            result[exponents] = coefficient
            product = self.multiply({exponents: coefficient}, divisor)
            dividend = self.add(dividend, product, -1)
        return result

    def gcd(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the greatest common divisor, by primitive remainders; sign undefined."""
        self.spend((len(left) + len(right)) * (1 + self.variables))
        if not left or not right:
            return left or right
        main = self._main_variable(left, right)
        if main is None:
            ((exponents, _),) = self.one.items()
            return {exponents: gcd(*left.values(), *right.values())}
        left_content, left = self._primitive(left, main)
        right_content, right = self._primitive(right, main)
        if _degree(left, main) < _degree(right, main):
            left, right = right, left
        while right and _degree(right, main):
            left, remainder = right, self._remainder(left, right, main)
            right = self._primitive(remainder, main)[1] if remainder else remainder
        contents = self.gcd(left_content, right_content)
        return contents if right else self.multiply(contents, left)

    def _main_variable(self, *polynomials: Polynomial) -> int | None:
        for index in range(self.variables):
            if any(_degree(polynomial, index) for polynomial in polynomials):
                return index
        return None

    def _primitive(
        self, polynomial: Polynomial, main: int
    ) -> tuple[Polynomial, Polynomial]:
        """Split off the common divisor of the coefficients of the main variable."""
        coefficients: dict[int, Polynomial] = {}
        for exponents, coefficient in polynomial.items():
            rest = (*exponents[:main], 0, *exponents[main + 1 :])
            coefficients.setdefault(exponents[main], {})[rest] = coefficient
        common: Polynomial = {}
        for part in coefficients.values():
            common = self.gcd(common, part)
        return common, self.divide(polynomial, common)

    def _remainder(
        self, dividend: Polynomial, divisor: Polynomial, main: int
    ) -> Polynomial:
        """Divide as polynomials of the main variable, multiplying out fractions."""
        degree = _degree(divisor, main)
        leading = _leading(divisor, main)
        while dividend and _degree(dividend, main) >= degree:
            shift = self.variable(main, _degree(dividend, main) - degree)
            factor = self.multiply(_leading(dividend, main), shift)
            product = self.multiply(factor, divisor)
            dividend = self.add(self.multiply(leading, dividend), product, -1)
        return dividend


def _degree(polynomial: Polynomial, index: int) -> int:
    return max((exponents[index] for exponents in polynomial), default=0)


def _leading(polynomial: Polynomial, index: int) -> Polynomial:
    degree = _degree(polynomial, index)
    return {
        (*exponents[:index], 0, *exponents[index + 1 :]): coefficient
        for exponents, coefficient in polynomial.items()
        if exponents[index] == degree
    }
