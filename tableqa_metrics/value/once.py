"""Attributes that are worked out when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar


T = TypeVar("T")


class once(Generic[T]):
    """`functools.cached_property` without the lock that it takes before Python 3.12.

    A table has thousands of texts with several such attributes each, and the lock was
    an eighth of the time of a comparison.

    Examples
    --------
    >>> class Square:
    ...     side = 3
    ...     @once
    ...     def area(self):
    ...         return self.side**2
    >>> square = Square()
    >>> square.area, vars(square)
    (9, {'area': 9})
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, owner: Any, kind: type) -> T:
        # found before this is, from now on
        value = owner.__dict__[self._name] = self._work_out(owner)
        return value
