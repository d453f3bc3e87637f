r"""From the text that gives an answer to its values and its scale.

Once a rule has found where the answer stands, its text is read in one way, whatever the
rule:

1. Marks around it come off (bold, code, quotes, LaTeX).
2. A number gives its scale word, letter or `%` to the scale: `$12.5 million` is
   (`$12.5`, million). Of a number written in two ways ("0.125 or 12.5%"), the one with
   a scale is read. A date stays as it is, without an "in" or "as of" before it.
3. `#` and `;` always separate values, `, ` and ` and ` only where every part is a
   number or a date, since spans are full of them. A scale that all values share, or
   that only the last one names ("5 and 6 million"), becomes the scale; where they
   differ, the values keep theirs.
4. A leading "yes," or "no," is the answer.
5. Of a sentence that begins with a number ("48, as the note shows") or says what
   something is ("The growth was 35.6%."), that number is the answer.
6. All else is the answer as it stands.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import takewhile
from math import isclose
from typing import Final, Literal

from ..written.dates import parse_date
from ..written.number_form import YEAR
from ..written.numbers import parse_number, split_scale
from .marks import strip_marks
from .prose import leading_number, leading_yes_no, linked_number


# What is longer is no list of numbers, and is not tried as one.
_LONGEST_LIST: Final = 2000
# More values are no answer; such a text is left as it is.
_MOST_VALUES: Final = 1000
_MOST_WORDS_OF_A_LINE: Final = 8
_SENTENCE_ENDS: Final = (".", "!", "?", ":", "：")
_FRAMES: Final = ("$$", "\\[", "\\]", "```", "```text", "```plaintext", "---")
_QUOTED_LINE = re.compile(r"^>\s(?=[^\W\d]|[*_])")  # not "> 37"
_BULLET = re.compile(r"(?:[-*•‣·]|\d{1,2}[.)])\s+(?P<item>\S.*)")
_HARD_SEPARATOR = re.compile(r"[#;]")
_SOFT_SEPARATOR = re.compile(r",\s+(?:(?:and|&)\s+)?|\s+(?:and|&|\|)\s+")
_QUOTED_LIST = re.compile(
    r"(?P<bracket>\[\s*)?(?:'[^']*'|\"[^\"]*\")(?:\s*,\s*(?:'[^']*'|\"[^\"]*\"))*"
    r"(?(bracket)\s*\])"
)
_AT = re.compile(
    r"(?:in|as of)\s(?:the\s)?(?:(?:fiscal|year)\s){0,2}",
    re.IGNORECASE,
)
_TWICE = re.compile(
    r"(?P<first>[^()\n]{1,60}?)\s?(?:,?\sor\s|,?\si\.e\.,?\s|[=≈]\s?|\()"
    r"(?P<second>[^()\n]{1,60}?)\)?\.?"
)
_LINK = re.compile(r"\b(?:is|are|was|were)\b|[:=]", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[({]([^(){}]*)[)}]")
_YEAR = rf"(?:fiscal\s|FY\s?|the\s)?(?:year\s)?{YEAR.pattern}"
_OF_A_YEAR = re.compile(
    rf"(?:in\s|for\s)?{_YEAR}\s?(?:[:=–-]|was|is)\s(?P<behind>\S.*)"
    rf"|(?P<before>\S.*?)\s?(?:\((?:in\s)?{_YEAR}\)|\s(?:in|for|during)\s{_YEAR})",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r",?\srespectively\W*$", re.IGNORECASE)
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


@dataclass(frozen=True)
class Reading:
    """The values and the scale of an answer's text, and how it was read.

    `kind` is `"value"` for numbers, dates, lists of them, yes and no; `"prose"` for a
    number out of a sentence; `"text"` for all else.
    """

    values: tuple[str, ...]
    scale: str
    kind: Literal["value", "prose", "text"]


def read_answer(text: str) -> Reading | None:
    r"""Read an answer's text; `None` if nothing is left of it.

    Examples
    --------
    >>> read_answer("**$12.5 million**.")
    Reading(values=('$12.5',), scale='million', kind='value')
    >>> read_answer("Operating activities; Investing activities").values
    ('Operating activities', 'Investing activities')
    >>> read_answer("$24.6 million and $25.1 million")
    Reading(values=('$24.6', '$25.1'), scale='million', kind='value')
    """
    text = strip_marks(text)
    if not any(map(str.isalnum, text)):
        return None
    if parse_number(text):
        number, scale = split_scale(text)
        return Reading((number,), scale, "value")
    if date := _date(text):
        return Reading((date,), "", "value")
    if one := _said_twice(text):
        return read_answer(one)
    parts = _quoted_list(text) or _hard_parts(text) or number_list(text)
    if parts:
        return _several(parts)
    word = leading_yes_no(text)
    if word:
        return Reading((word,), "", "value")
    if parts := _linked_list(text):
        return replace(_several(parts), kind="prose")
    found = leading_number(text) or linked_number(text)
    if found:
        number, scale = split_scale(found)
        return Reading((number,), scale, "prose")
    return Reading((_without_final_stop(text),), "", "text")


def _date(text: str) -> str | None:
    """Return the date that a text is, also after "in" or "as of"."""
    if match := _AT.match(text):
        text = text[match.end() :]
    return text.rstrip(".,;:!?") if parse_date(text) else None


def _said_twice(text: str) -> str | None:
    """Of a number that is written in two ways, 0.125 or 12.5%, return the one to read."""
    match = _TWICE.fullmatch(text)
    if not match:
        return None
    first, second = parse_number(match["first"]), parse_number(match["second"])
    if not (first and second and isclose(first.value, second.value, rel_tol=0.005)):
        return None
    is_scaled = split_scale(match["first"])[1] or not split_scale(match["second"])[1]
    return match["first"] if is_scaled else match["second"]


def read_lines(text: str, *, first: bool = False) -> Reading | None:
    """Read the answer of a text of several lines.

    Lines that are a list are its values. Otherwise the whole is one answer or, with
    `first`, the first line is.
    """
    lines = content_lines(text)
    if not lines:
        return None
    announces = _announces(lines)
    # "- 5" is a bullet at the start of a line, a number behind a marker or in a tag
    inline = not (announces or text.lstrip(" \t").startswith("\n"))
    if inline and first:
        return read_answer(lines[0])
    reading = read_list(lines, whole=not first)
    if reading:
        return reading
    bullet = None if inline else _BULLET.fullmatch(lines[announces])
    reading = read_answer(bullet["item"] if bullet else lines[announces])
    if first or len(lines) == 1 or (reading and reading.kind == "value"):
        return reading
    return read_short_lines(lines) or read_answer(" ".join(lines))


def content_lines(text: str) -> list[str]:
    """Return the lines that say something, stripped."""
    lines = (_QUOTED_LINE.sub("", line.strip()) for line in text.splitlines())
    return [line for line in lines if line and line not in _FRAMES]


def read_list(lines: list[str], *, whole: bool = True) -> Reading | None:
    """Read lines that each are a value: bullets, or numbers and dates only.

    A first line that ends in a colon may announce bullets. With `whole`, they must
    reach to the last line.

    Examples
    --------
    >>> read_list(["The types are:", "- Audit Fees", "- Tax Fees"]).values
    ('Audit Fees', 'Tax Fees')
    """
    if len(lines) > _MOST_VALUES:
        return None
    body = lines[_announces(lines) :]
    items = [m["item"] for m in takewhile(bool, map(_BULLET.fullmatch, body)) if m]
    if len(items) > 1 and (not whole or len(items) == len(body)):
        return _several([strip_marks(item) for item in items])
    if whole and len(lines) > 1 and (all(map(_is_known, lines)) or _by_year(lines)):
        return _several(lines)
    return None


def read_short_lines(lines: list[str]) -> Reading | None:
    """Read lines of a few words each, none of them a sentence, as a value each."""
    if len(lines) > _MOST_VALUES:
        return None
    for line in lines:
        if line.endswith(_SENTENCE_ENDS) or len(line.split()) > _MOST_WORDS_OF_A_LINE:
            return None
    return _several([strip_marks(line) for line in lines])


def split_at_hash(text: str) -> tuple[str, ...]:
    """Split an answer at `#`, which no gold answer of the TAT family holds."""
    return tuple(part for part in map(str.strip, text.split("#")) if part)


def _quoted_list(text: str) -> list[str]:
    """Read a list as Python or JSON writes it, ['a', 'b'], also without brackets."""
    if not _QUOTED_LIST.fullmatch(text):
        return []
    return [single or double for single, double in _QUOTED.findall(text)]


def _hard_parts(text: str) -> list[str]:
    if not _HARD_SEPARATOR.search(text):
        return []
    parts = _HARD_SEPARATOR.split(text, _MOST_VALUES)
    if len(parts) > _MOST_VALUES:
        return []
    return [part for part in map(strip_marks, parts) if part]


def number_list(text: str) -> list[str]:
    """Split a text of several numbers and dates; what is none has no parts.

    Examples
    --------
    >>> number_list("December 31, 2018 and 2019"), number_list("research and sales")
    (['December 31, 2018', '2019'], [])
    """
    if len(text) > _LONGEST_LIST:
        return []
    text = _RESPECTIVELY.sub("", text.rstrip("."))
    if match := _IN_BRACKETS.fullmatch(text):
        text = match[1]
    parts: list[str] = []
    for part in _SOFT_SEPARATOR.split(text):
        if parts and parse_date(f"{parts[-1]}, {part}"):
            parts[-1] += f", {part}"  # December 31, 2019 is one date
        else:
            parts.append(strip_marks(part))
    if len(parts) < 2:
        return []
    return parts if all(map(_is_known, parts)) else _by_year(parts)


def _by_year(parts: list[str]) -> list[str]:
    """Return the numbers of parts that each are one and its year."""
    matches = list(map(_OF_A_YEAR.fullmatch, parts))
    numbers = [(m["behind"] or m["before"]).strip() for m in matches if m]
    is_list = len(numbers) == len(parts) and all(map(parse_number, numbers))
    return numbers if is_list else []


def _linked_list(text: str) -> list[str]:
    """Split the numbers and dates that a sentence ends in: The years are 2018 and 2019."""
    text = _RESPECTIVELY.sub("", text[-_LONGEST_LIST:])
    _, *linked = _LINK.split(text)
    return number_list(linked[-1].strip()) if linked else []


def _announces(lines: list[str]) -> bool:
    return len(lines) > 1 and lines[0].endswith((":", "："))


def _is_known(text: str) -> bool:
    return bool(parse_number(text) or parse_date(text))


def _several(parts: list[str]) -> Reading:
    """Make a reading of several values, with the scale that they share."""
    parts = _by_year(parts) or parts
    kind: Literal["value", "text"] = "value" if all(map(_is_known, parts)) else "text"
    if all(map(parse_number, parts)):
        split = [split_scale(part) for part in parts]
        scales = [scale for _, scale in split]
        if len(set(scales)) == 1 or not any(scales[:-1]):
            return Reading(tuple(number for number, _ in split), scales[-1], kind)
    return Reading(tuple(parts), "", kind)


def _without_final_stop(text: str) -> str:
    """Leave out the full stop after a single word, such as "Netsmart."."""
    return text.rstrip("。") if len(text.split()) > 1 else text.rstrip(".,;:!?。")


def flat_text(value: object) -> str:
    """Write a JSON value as text, strings as they are.

    Examples
    --------
    >>> flat_text("a"), flat_text(0.5), flat_text(True), flat_text([1])
    ('a', '0.5', 'true', '[1]')
    """
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):  # too deep, or an integer of 4,300 digits
        return ""
