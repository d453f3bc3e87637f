r"""From the text that gives an answer to its values and its scale.

Once a rule has found where the answer stands, its text is read in one way, whatever the
rule (`tableqa_metrics.extraction.answers.stated` says what a field for the scale adds):

1. Marks around it come off (bold, code, quotes, LaTeX). A scale behind `####`, as in the
   line that the prompts ask for, is the scale of what stands before it.
2. A number gives its scale word, letter or `%` to the scale: `$12.5 million` is
   (`$12.5`, million). Of a number written in two ways ("0.125 or 12.5%"), the one with
   a scale is read, and of a calculation ("7/3 = 2.33") its result. A date stays as it
   is, without an "in" or "as of" before it.
3. `#` and `;` always separate values, and so do items that are each quoted, bold or in
   code; `, ` and ` and ` only where every part is a number or a date, since spans are
   full of them. A scale that all values share, or that only the last one names ("5 and
   6 million") or that stands behind brackets ("[5, 6] million"), becomes the scale; where they differ, the values keep theirs.
4. A leading "yes," or "no," is the answer.
5. Of a sentence that begins with a number ("48, as the note shows") or says what
   something is ("The growth was 35.6%."), that number is the answer.
6. All else is the answer as it stands.

Of several lines behind "Answer:", bullets or labels ("1.", "a)") make a list, and so do
lines of a few words each up to a blank one; otherwise the first line is the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final, Literal

from ...written.dates import parse_date
from ...written.numbers import parse_number, split_scale
from ..marks import close_gap, strip_marks
from .answer import Answer, Candidate, declines
from .calculations import result_of, said_twice
from .forms import is_placeholder
from .lists import (
    BULLET,
    MOST_VALUES,
    bullets,
    by_year,
    hard_parts,
    inline_bullets,
    is_known,
    linked_list,
    marked_list,
    number_list,
)
from .prose import leading_number, leading_yes_no, linked_number
from .scales import is_scale, read_scale, split_stated


_MOST_WORDS_OF_A_LINE: Final = 8
_SENTENCE_ENDS: Final = (".", "!", "?", ":", "：")
_FRAMES: Final = ("$$", "\\[", "\\]", "```", "```text", "```plaintext", "---")
_TICKS: Final = "✓✔✅☑🎉✨ \ufe0f"
_QUOTED_LINE = re.compile(r"^>\s(?=[^\W\d]|[*_])")  # not "> 37"
_AT = re.compile(
    r"(?:in|as of)\s(?:the\s)?(?:(?:fiscal|year)\s){0,2}|the\syear\s",
    re.IGNORECASE,
)
_APART: Final = ("- ", "− ", "– ")  # a minus
_SCALE_FIRST = re.compile(
    r"\(?(?:in\s)?(?:thousand|million|billion|percent)s?\)?[:：]\s{1,3}", re.IGNORECASE
)
# How most answers are written; `split_scale` says the same at greater cost.
_USUAL = re.compile(
    r"(?P<number>(?:-\$?|\$-?)?(?:[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,15})?)"
    r"(?:\s(?P<scale>thousand|million|billion|percent)|(?P<sign>%))?"
)
_SCALED_LIST = re.compile(
    r"(?P<list>\[[^\[\]]*\]|\([^()]*\))\s?(?P<scale>[^\[\]\n]{1,40})"
)
_ARROW = re.compile(r"(?P<down>[↓▼⬇🔻])?[↑▲⬆🔺↓▼⬇🔻]?\ufe0f?\s?(?=[^\w\s]{0,3}\d)")
# Lines below a short answer that are no further values.
_REMARK = re.compile(
    r"(?:the|this|these|it|its|that|as|based|because|since|from|so|thus|note|see|hope"
    r"|let|please|i|we|you|where|which|both|all|here|there|for|in|explanation|reason\w*"
    r"|calculation|confidence|sources?|scale|units?|step|question)\b|.*[:：=]",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """The values and the scale of an answer's text, and how it was read.

    `kind` is `"value"` for numbers, dates, lists of them, yes and no; `"prose"` for a
    number out of a sentence; `"text"` for all else. `scale_apart` is as in `Answer`.
    """

    values: tuple[str, ...]
    scale: str
    kind: Literal["value", "prose", "text"]
    scale_apart: bool = field(default=False, repr=False, kw_only=True)

    def with_scale(self, scale: str) -> Reading:
        """Replace the scale by one that stood apart from the text."""
        return replace(self, scale=scale, scale_apart=True)


def read_answer(text: str, *, prose: bool = True) -> Reading | None:
    r"""Read an answer's text; `None` if nothing is left of it.

    Without `prose`, a sentence is text, whatever number it holds.

    Examples
    --------
    >>> read_answer("**$12.5 million**.")
    Reading(values=('$12.5',), scale='million', kind='value')
    >>> read_answer("Operating activities; Investing activities").values
    ('Operating activities', 'Investing activities')
    >>> read_answer("$24.6 million and $25.1 million")
    Reading(values=('$24.6', '$25.1'), scale='million', kind='value')
    >>> read_answer("12.5 #### million")
    Reading(values=('12.5',), scale='million', kind='value')
    """
    parts = marked_list(text.strip())
    text = strip_marks(text.rstrip(_TICKS))
    if "##" in text and (stated := split_stated(text)):
        reading = _read(strip_marks(stated[0]), parts, prose=prose)
        return reading.with_scale(stated[1]) if reading and stated[1] else reading
    return _read(text, parts, prose=prose)


def _read(text: str, parts: Sequence[str], *, prose: bool) -> Reading | None:
    """Read a text without marks; `parts` are the items of a marked list, if it is one."""
    if not any(map(str.isalnum, text)):
        return None
    if number := _number(text):
        return Reading((number[0],), number[1], "value")
    if date := _date(text):
        return Reading((date,), "", "value")
    if (first := _SCALE_FIRST.match(text)) and (number := _number(text[first.end() :])):
        return Reading((number[0],), read_scale(first[0]), "value")
    if one := said_twice(text):
        return _read(strip_marks(one), (), prose=prose)
    if prose and (result := result_of(text)):
        return Reading(*_split(strip_marks(result)), "prose")
    word = leading_yes_no(text) if "#" not in text else None
    if word:
        return Reading((word,), "", "value")
    if reading := _scaled_list(text):
        return reading
    parts = parts or marked_list(text) or hard_parts(text) or number_list(text)
    if parts:
        return several(parts)
    if prose and (parts := linked_list(text)):
        return replace(several(parts), kind="prose")
    if prose:
        joined = f"-{text[2:].lstrip()}" if text[:2] in _APART else text
        if found := leading_number(joined) or linked_number(text):
            return Reading(*_split(found), "prose")
    return Reading((_without_final_stop(text),), "", "text")


def _number(text: str) -> tuple[str, str] | None:
    """Split a text that is one number, if it is, into its digits and its scale."""
    if usual := _USUAL.fullmatch(text):
        return usual["number"], usual["scale"] or ("percent" if usual["sign"] else "")
    if parse_number(text):
        return split_scale(text)
    number = text
    may_point = not text[:1].isascii() or text[:1].isspace()
    if may_point and (arrow := _ARROW.match(text)) and arrow.end():
        number = ("-" if arrow["down"] else "") + text[arrow.end() :]
    number = close_gap(number)
    return split_scale(number) if number != text and parse_number(number) else None


def _scaled_list(text: str) -> Reading | None:
    """Read a list in brackets with a scale behind it: "['5', '6'] (in millions)"."""
    if not text.startswith(("[", "(")) or not (match := _SCALED_LIST.fullmatch(text)):
        return None
    items = marked_list(match["list"]) or number_list(match["list"][1:-1])
    reading = several(items) if len(items) > 1 else None
    _, scale = _number(f"1 {match['scale']}") or ("", "")
    if not scale or reading is None or reading.kind != "value" or reading.scale:
        return None
    return replace(reading, scale=scale)


def _split(number: str) -> tuple[tuple[str], str]:
    value, scale = _number(number) or (number, "")
    return (value,), scale


def _date(text: str) -> str | None:
    """Return the date that a text is, also after "in" or "as of"."""
    if match := _AT.match(text):
        text = text[match.end() :]
    return text.rstrip(".,;:!?") if parse_date(text) else None


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
        return _read_inline(text, lines)
    reading = read_list(lines, whole=not first)
    if reading:
        return reading
    bullet = None if inline else BULLET.fullmatch(lines[announces])
    reading = read_answer(bullet["item"] if bullet else lines[announces])
    if first:
        return _read_paragraph(text, reading, known=True) or reading
    if len(lines) == 2 and reading and is_scale(lines[1]):
        return reading.with_scale(read_scale(lines[1]))
    if len(lines) > 2 and not any(map(_REMARK.match, lines)):
        reading = read_short_lines(lines) or reading
    if len(lines) == 1 or (reading and reading.kind == "value"):
        return reading
    return read_short_lines(lines) or read_answer(" ".join(lines))


def _read_inline(text: str, lines: Sequence[str]) -> Reading | None:
    """Read what begins on the line of its marker."""
    if items := inline_bullets(lines[: MOST_VALUES + 1]):
        return several(items)
    reading = read_answer(lines[0])
    return _read_paragraph(text, reading, known=False) or reading


def _read_paragraph(text: str, first: Reading | None, *, known: bool) -> Reading | None:
    """Read lines that follow each other as a value each, if all of them are short.

    `known` says whether lines of numbers and dates are, too.
    """
    paragraph = takewhile(str.strip, text.strip().splitlines())
    lines = content_lines("\n".join(paragraph))
    if len(lines) < 2 or first is None or len(first.values) > 1:
        return None
    if first.kind == "text" and not any(map(_REMARK.match, lines)):
        return read_short_lines(lines)
    if known and len(lines) <= MOST_VALUES and all(map(is_known, lines)):
        return several(lines)
    return None


def content_lines(text: str) -> list[str]:
    """Return the lines that say something, stripped."""
    lines = list(map(str.strip, text.splitlines()))
    if ">" in text:
        lines = [_QUOTED_LINE.sub("", line) for line in lines]
    return [line for line in lines if line and line not in _FRAMES]


def read_list(lines: Sequence[str], *, whole: bool = True) -> Reading | None:
    """Read lines that each are a value: bullets, or numbers and dates only.

    A first line that ends in a colon may announce bullets. With `whole`, they must
    reach to the last line.

    Examples
    --------
    >>> read_list(["The types are:", "- Audit Fees", "- Tax Fees"]).values
    ('Audit Fees', 'Tax Fees')
    """
    if len(lines) > MOST_VALUES:
        return None
    body = lines[_announces(lines) :]
    items = bullets(body)
    if items and (not whole or len(items) == len(body)):
        return several(items)
    if whole and len(lines) > 1 and (all(map(is_known, lines)) or by_year(lines)):
        return several(lines)
    return None


def read_short_lines(lines: Sequence[str]) -> Reading | None:
    """Read lines of a few words each, none of them a sentence, as a value each."""
    if len(lines) > MOST_VALUES:
        return None
    for line in lines:
        if line.endswith(_SENTENCE_ENDS) or len(line.split()) > _MOST_WORDS_OF_A_LINE:
            return None
    return several([strip_marks(line) for line in lines])


def _announces(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and lines[0].endswith((":", "："))


def several(parts: Sequence[str]) -> Reading:
    """Make a reading of several values, with the scale that they share."""
    parts = by_year(parts) or parts
    kind: Literal["value", "text"] = "value" if all(map(is_known, parts)) else "text"
    split = [_number(part) for part in parts]
    numbers = [number for number in split if number]
    if len(numbers) == len(parts):
        scales = [scale for _, scale in numbers]
        if len(set(scales)) == 1 or not any(scales[:-1]):
            return Reading(tuple(number for number, _ in numbers), scales[-1], kind)
    return Reading(tuple(parts), "", kind)


def _without_final_stop(text: str) -> str:
    """Leave out the full stop after a single word, such as "Netsmart."."""
    return text.rstrip("。") if len(text.split()) > 1 else text.rstrip(".,;:!?。")


def candidate(start: int, reading: Reading | None, rule: str) -> Candidate | None:
    """Make a rule's candidate of what it read; a text that declines is no answer."""
    if reading is None or (
        reading.kind == "text" and is_placeholder(reading.values[0])
    ):
        return None
    if reading.kind == "text" and declines(reading.values[0]):
        return Candidate(start, None)
    return Candidate(start, answer(reading, rule))


def answer(reading: Reading, rule: str) -> Answer:
    """Make a rule's answer of what it read."""
    apart = reading.scale_apart
    return Answer(reading.values, reading.scale, rule, scale_apart=apart)


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
