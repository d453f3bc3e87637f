"""Which currencies an amount may be in, by its signs, codes and words."""

from __future__ import annotations

import re
from typing import Final

from ..written.number_form import CURRENCY_CODES


_DOLLARS: Final = frozenset(
    ["USD", "AUD", "CAD", "NZD", "HKD", "SGD", "TWD", "BRL", "MXN"]
)
_SIGNS: Final[dict[str, frozenset[str]]] = {
    "$": _DOLLARS,
    "dollar": _DOLLARS,
    "€": frozenset(("EUR",)),
    "euro": frozenset(("EUR",)),
    "£": frozenset(("GBP",)),
    "¥": frozenset(("JPY", "CNY")),
    "yen": frozenset(("JPY",)),
    "yuan": frozenset(("CNY",)),
    "rmb": frozenset(("CNY",)),
    "₹": frozenset(("INR",)),
    "rs": frozenset(("INR",)),
    "rupee": frozenset(("INR",)),
    "₩": frozenset(("KRW",)),
    "us": frozenset(("USD",)),
    "hk": frozenset(("HKD",)),
    "nt": frozenset(("TWD",)),
    "a": frozenset(("AUD",)),
    "au": frozenset(("AUD",)),
    "c": frozenset(("CAD",)),
    "ca": frozenset(("CAD",)),
    "nz": frozenset(("NZD",)),
    "s": frozenset(("SGD",)),
}
_CURRENCY = re.compile(
    r"(?<![A-Za-z])(?P<prefix>US|HK|NT|AU?|CA?|NZ|S)\s?\$"
    rf"|(?<![A-Za-z])(?P<code>(?i:{CURRENCY_CODES}))(?![A-Za-z])"
    r"|(?<![A-Za-z])(?P<word>(?i:dollar|euro|yen|yuan|rs|rupee))s?(?![A-Za-z])"
    r"|(?P<sign>[$€£¥₹₩])"
)
_ANY: Final = re.compile(r"[A-Za-z$€£¥₹₩]")


def currencies(amount: str) -> frozenset[str]:
    """Return the codes of the currencies that an amount may be in; none if it names none.

    Examples
    --------
    >>> sorted(currencies("US$ 5")), sorted(currencies("¥5")), sorted(currencies("5"))
    (['USD'], ['CNY', 'JPY'], [])
    """
    if not _ANY.search(amount) or not (match := _CURRENCY.search(amount)):
        return frozenset()
    written = match[str(match.lastgroup)]
    return _SIGNS.get(written.lower()) or frozenset((written.upper(),))
