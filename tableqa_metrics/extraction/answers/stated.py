r"""Values beside which a field states their scale: answer line, step table, JSON, calls.

They are read as any answer's text is (`tableqa_metrics.extraction.answers.reading`): a
minus is `-`, signs of "about" and remarks come off, of a calculation the result counts,
of "a decrease of 5" the -5. Three things differ, since gold answers are written so:

- A scale word or `%` that touches a number stays ("$15.5 million" with the scale million
  is the gold of three questions of TAT-QA's development and test sets; the official
  scorer multiplies twice, `value_match` once). One in brackets or as a letter goes where
  the field says the same. Where the field states no scale, a number with its own is
  words of the text ("approximately 13%"), of which only the signs are rewritten.
- A whole number with a minus of its own (U+2212) stays as it is, since it was copied:
  the gold `−298` is no number to the official scorer, and must equal itself. What a
  model works out has decimals, or the minus of the keyboard.
- A long sentence is a span where the field states no scale. Where it states one, the
  answer is a number, and the one in the sentence is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ...written.dates import parse_date
from ...written.number_form import YEAR, take_apart
from ...written.numbers import parse_number, split_scale
from ...written.plain_text import holds_any
from ..marks import close_gap, strip_layout
from .forms import is_placeholder
from .lists import by_year
from .prose import leading_number
from .reading import Reading, read_answer


# Each gold span with a semicolon has a longer part, each one in which a number stands
# as in an answer is a longer text.
MOST_WORDS: Final = 8
# How most numbers are written; nothing of them changes.
PLAIN: Final = re.compile(r"-?\$?[0-9]{1,15}(?:,[0-9]{3}){0,5}(?:\.[0-9]{1,15})?")
_COPIED = re.compile(r"\u2212\$?[0-9]{1,15}(?:,[0-9]{3}){0,5}")
_ABOUT = re.compile(r"[~≈≃≅∼]\s?")
_MINUS = re.compile(r"[-\u2212\u2010-\u2015\u207b\ufe63\uff0d]\s?(?=[$€£¥]?\s?[\d.])")
# A scale that is a part of the number, as in gold answers.
_TOUCHING = re.compile(r"[\d)]\s?(?:\\?%|(?:thousand|million|billion)\b)")


def read_stated(parts: Sequence[str], scale: str) -> Reading | None:
    """Read the values beside which a field states a scale, or states that there is none.

    Examples
    --------
    >>> read_stated(["− 12.6 (a decrease)"], "percent").values
    ('-12.6',)
    >>> read_stated(["1,000 - 200 = 800"], "").values, read_stated(["X"], "") is None
    (('800',), True)
    >>> read_stated(["approximately 13%"], "").values
    ('approximately 13%',)
    """
    if len(parts) == 1 and PLAIN.fullmatch(parts[0]):
        return Reading((parts[0],), scale, "value", scale_apart=bool(scale))
    if all(map(is_placeholder, parts)):
        return None
    if len(parts) > 1:
        parts = by_year(parts) or parts
        values = tuple(_number(part, scale) or part for part in parts)
        return Reading(values, scale, "text", scale_apart=bool(scale))
    (text,) = parts
    if _COPIED.fullmatch(text):
        return Reading((text,), scale, "value", scale_apart=bool(scale))
    if number := _number(text, scale):
        return Reading((number,), scale, "value", scale_apart=bool(scale))
    reading = None if parse_date(text) else read_answer(text)
    if scale and reading and reading.kind == "text":
        found = leading_number(f"an {text}")  # increase of 5: no heading beside a scale
        reading = (found and read_answer(found)) or reading
    if reading is None or not is_answer(reading, text, scale):
        return Reading((text,), scale, "text", scale_apart=bool(scale))
    if scale:
        return reading.with_scale(scale)
    own = {"": "", "percent": "%"}.get(reading.scale, f" {reading.scale}")
    return replace(reading, values=tuple(v + own for v in reading.values), scale="")


def is_answer(reading: Reading, text: str, scale: str) -> bool:
    """Whether what was read in a text is the answer, not a span of words as a whole."""
    if reading.kind != "prose":
        return reading.kind == "value" and len(reading.values) == 1
    if YEAR.fullmatch(reading.values[0]):
        return len(reading.values) > 1  # not "2019, maturities of lease liabilities"
    is_short = len(text.split()) <= MOST_WORDS
    return bool(scale) or is_short or holds_any(text, ("=", "≈"))


def _number(text: str, scale: str) -> str | None:
    """Write a text that is one number as scorers read it; `None` where it is none."""
    if PLAIN.fullmatch(text):
        return text
    written = strip_layout(text)
    text = close_gap(written)
    value, form = parse_number(text), take_apart(text)
    if value is None or form is None:
        return None
    number, own = split_scale(text)
    if value.unit != 1 and not scale:
        return _MINUS.sub("-", _ABOUT.sub("", written)).rstrip(".,;:!?")
    if own == scale and not _TOUCHING.search(written):
        return number
    return form.scaled_text
