"""Values in error messages: shown, but never longer than a line or two."""

from __future__ import annotations

from reprlib import Repr
from typing import Final


_REPR: Final = Repr()
_REPR.maxstring = _REPR.maxother = 200


def shown(value: object) -> str:
    """Write a value for an error message, cut where it is long.

    Examples
    --------
    >>> shown({"answer": None}), shown("x" * 999)[:6]
    ("{'answer': None}", "'xxxxx")
    """
    try:
        return _REPR.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return f"{type(value).__name__} that is too long to show"
