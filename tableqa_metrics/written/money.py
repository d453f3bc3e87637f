"""Currencies: the signs, codes and words that stand beside an amount, and what they name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final


# What several currencies share names any of them.
_DOLLARS: Final = "USD AUD CAD NZD HKD SGD TWD BRL MXN"
_RUPEES: Final = "INR PKR LKR"
_PESOS: Final = "MXN PHP ARS CLP COP"
_SIGNS: Final = (
    ("$", _DOLLARS),
    *(("€", "EUR"), ("£", "GBP"), ("¥", "JPY CNY"), ("₹", "INR"), ("₨", _RUPEES)),
    *(
        ("₩", "KRW"),
        ("₽", "RUB"),
        ("₪", "ILS"),
        ("₫", "VND"),
        ("฿", "THB"),
        ("₴", "UAH"),
    ),
    *(
        ("₦", "NGN"),
        ("₱", "PHP"),
        ("₺", "TRY"),
        ("₿", "BTC"),
        ("₡", "CRC"),
        ("₲", "PYG"),
    ),
    *(("₵", "GHS"), ("₸", "KZT"), ("₼", "AZN"), ("₾", "GEL")),
)
_CODES: Final = (
    *(
        "USD",
        "EUR",
        "GBP",
        "JPY",
        "CNY",
        "RMB",
        "INR",
        "CHF",
        "AUD",
        "CAD",
        "NZD",
        "HKD",
    ),
    *(
        "SGD",
        "TWD",
        "KRW",
        "SEK",
        "NOK",
        "DKK",
        "PLN",
        "BRL",
        "MXN",
        "ZAR",
        "RUB",
        "ILS",
    ),
    *("THB", "IDR", "MYR", "PHP", "AED", "SAR"),
)
# In capitals only, since some are words.
_RARER_CODES: Final = (
    *(
        "ARS",
        "BDT",
        "BGN",
        "BHD",
        "CLP",
        "COP",
        "CZK",
        "EGP",
        "HUF",
        "ISK",
        "KES",
        "KWD",
    ),
    *(
        "LKR",
        "MAD",
        "NGN",
        "NIS",
        "OMR",
        "PEN",
        "PKR",
        "QAR",
        "RON",
        "TRY",
        "UAH",
        "VND",
    ),
)
# Before a dollar sign.
_PREFIXES: Final = (
    *(("US", "USD"), ("U.S.", "USD"), ("HK", "HKD"), ("NT", "TWD"), ("A", "AUD")),
    *(("AU", "AUD"), ("C", "CAD"), ("CA", "CAD"), ("CAN", "CAD"), ("Cdn", "CAD")),
    *(("Cdn.", "CAD"), ("NZ", "NZD"), ("S", "SGD"), ("SG", "SGD"), ("R", "BRL")),
    ("MX", "MXN"),
)
_BEFORE_WORDS: Final = (
    *(("Rs.", _RUPEES), ("Rs", _RUPEES), ("rs.", _RUPEES), ("RS.", _RUPEES)),
    *(("Fr.", "CHF"), ("SFr.", "CHF"), ("SFr", "CHF"), ("kr", "SEK NOK DKK ISK")),
    *(("kr.", "SEK NOK DKK ISK"), ("Rp", "IDR"), ("Rp.", "IDR"), ("RM", "MYR")),
)
# Words for nothing but money; "pounds" may be a weight, and what was "won" a prize.
_AFTER_WORDS: Final = (
    *(("dollar", _DOLLARS), ("euro", "EUR"), ("yen", "JPY"), ("yuan", "CNY")),
    *(("renminbi", "CNY"), ("rupee", _RUPEES), ("rs", _RUPEES), ("rouble", "RUB")),
    *(("ruble", "RUB"), ("peso", _PESOS), ("reais", "BRL"), ("sterling", "GBP")),
    *(("pounds sterling", "GBP"), ("pound sterling", "GBP"), ("zł", "PLN")),
    *(("zloty", "PLN"), ("złoty", "PLN"), ("kč", "CZK"), ("kr", "SEK NOK DKK ISK")),
    *(("円", "JPY"), ("元", "CNY"), ("원", "KRW")),
)
_NATIONS: Final = (
    *(("US", "USD"), ("U.S.", "USD"), ("American", "USD"), ("Australian", "AUD")),
    *(("Canadian", "CAD"), ("New Zealand", "NZD"), ("Hong Kong", "HKD")),
    *(
        ("Singapore", "SGD"),
        ("New Taiwan", "TWD"),
        ("Taiwan", "TWD"),
        ("British", "GBP"),
    ),
    *(("Swiss", "CHF"), ("Japanese", "JPY"), ("Chinese", "CNY"), ("Indian", "INR")),
    *(
        ("South Korean", "KRW"),
        ("Korean", "KRW"),
        ("Swedish", "SEK"),
        ("Danish", "DKK"),
    ),
    *(
        ("Norwegian", "NOK"),
        ("Russian", "RUB"),
        ("Mexican", "MXN"),
        ("Brazilian", "BRL"),
    ),
    ("South African", "ZAR"),
)
_OF_A_NATION: Final = (
    *("dollar", "pound", "franc", "yen", "yuan", "rupee", "won", "krona", "kronor"),
    *("krone", "kroner", "ruble", "rouble", "peso", "real", "reais", "rand"),
)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


CURRENCY_SIGNS: Final = "".join(sign for sign, _ in _SIGNS)
CURRENCY_CODES: Final = "|".join(_CODES)
# The words that may begin what `MONEY_BEFORE` and `MONEY_AFTER` match, and those that do
# so before a sign alone.
WORDS_BEFORE: Final = (*_CODES, *_RARER_CODES, *dict(_BEFORE_WORDS))
WORDS_AFTER: Final = (
    *(*_CODES, *_RARER_CODES, *dict(_NATIONS), *dict(_AFTER_WORDS)),
    *(f"{word}s" for word in dict(_AFTER_WORDS)),
)
WORDS_BEFORE_A_SIGN: Final = (*dict(_PREFIXES), "CN", "JP")
_PREFIXED = rf"(?:{_any(dict(_PREFIXES))})\s?\$|\$(?:US|NZ|A)(?![A-Za-z])"
_CODED = rf"(?:(?i:{CURRENCY_CODES})|{_any(_RARER_CODES)})(?![A-Za-z])"
_SIGNED = rf"(?:CN|JP)?[{CURRENCY_SIGNS}]"
_BEFORE = (
    rf"(?:{_PREFIXED}|{_SIGNED}|{_CODED}"
    rf"|(?:{_any(dict(_BEFORE_WORDS))})(?![A-Za-z]))"
)
_AFTER = (
    rf"(?i:(?:(?:{_any(dict(_NATIONS))}) (?:{_any(_OF_A_NATION)})"
    rf"|{_any(dict(_AFTER_WORDS))})s?)"
)
MONEY_BEFORE: Final = re.compile(rf"{_BEFORE}\s?")
MONEY_AFTER: Final = re.compile(
    rf"\s?(?:{_SIGNED}|(?:(?<=\w)-)?(?<![A-Za-z])(?:{_PREFIXED}|{_CODED}|{_AFTER}))$"
)
# As in "($ millions)" and "(millions of dollars)".
MONEY: Final = rf"(?:{_BEFORE}|{_AFTER})"
_NAMED = re.compile(
    rf"(?<![A-Za-z])(?:{_PREFIXED}|{_CODED}|{_AFTER}(?![A-Za-z])|{_BEFORE})|{_SIGNED}"
)
_MAYBE_NAMED = re.compile(rf"[^\W\d_]|[{CURRENCY_SIGNS}]")
_NAMES: Final[dict[str, frozenset[str]]] = {
    re.sub(r"[\s.]", "", name).lower(): frozenset(codes.split())
    for name, codes in (
        *_SIGNS,
        *((code, code) for code in (*_CODES, *_RARER_CODES)),
        *(("RMB", "CNY"), ("NIS", "ILS"), ("CN¥", "CNY"), ("JP¥", "JPY")),
        *((f"{prefix}$", code) for prefix, code in _PREFIXES),
        *(("$US", "USD"), ("$NZ", "NZD"), ("$A", "AUD")),
        *_BEFORE_WORDS,
        *((word + end, codes) for word, codes in _AFTER_WORDS for end in ("", "s")),
        *(
            (f"{nation}{word}{end}", code)
            for nation, code in _NATIONS
            for word in _OF_A_NATION
            for end in ("", "s")
        ),
    )
}


def currencies(amount: str) -> frozenset[str]:
    """Return the codes of the currencies that an amount may be in; none if it names none.

    Examples
    --------
    >>> sorted(currencies("US$ 5")), sorted(currencies("¥5")), sorted(currencies("5"))
    (['USD'], ['CNY', 'JPY'], [])
    """
    if not _MAYBE_NAMED.search(amount) or not (match := _NAMED.search(amount)):
        return frozenset()
    return _NAMES.get(re.sub(r"[\s.]", "", match[0]).lower(), frozenset())
