"""JSON in a response: the json module where it is well-formed, else a tolerant reader.

The tolerant reader also takes what models write: single quotes, trailing commas, bare
keys, Python's literals and tuples, an ellipsis, and a value that was cut off, of which
it keeps the whole rows. It keeps its own stack, so nesting cannot overflow it, and it
never evaluates anything. Numbers stay as written ("0.10", "1e3").
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple


class JsonValue(NamedTuple):
    """A list or object in `text[start:end]`; numbers are strings as written."""

    start: int
    end: int
    value: Any
    complete: bool


_START = re.compile(
    r"""\[(?=\s{0,99}[\[{(]) | \{(?=\s{0,99}(?:["']|[A-Za-z_]\w{0,40}\s{0,9}:))""",
    re.VERBOSE,
)
_DEEPEST: Final = 100
# Each error of the json module costs a pass over the text before it, so that a hostile
# text may not have many; the tolerant reader reads the rest.
_MOST_FAILURES: Final = 50

_DECODER = json.JSONDecoder(
    parse_float=str, parse_int=str, parse_constant=str, strict=False
)


def json_values(text: str) -> Iterator[JsonValue]:
    """Yield the lists and objects of a text that may hold a table, in their order.

    A value does not start behind a pipe on its line, since there it is part of a cell.

    Examples
    --------
    >>> next(json_values("Here: [{'a': 1.50}, {'a': None,}]")).value
    [{'a': '1.50'}, {'a': None}]
    """
    failures = 0
    position = line_start = pipe = 0
    while (match := _START.search(text, position)) is not None:
        start = match.start()
        line_start = max(line_start, text.rfind("\n", position, start) + 1)
        pipe = max(pipe, text.rfind("|", position, start) + 1)
        position = start + 1
        if pipe > line_start:
            continue
        value = None
        if failures < _MOST_FAILURES:
            value = _decode(text, start)
            failures += value is None
        if value is None:
            value = _Reader(text, start).read()
        position = max(position, value.end)
        if value.value is not None:
            yield value


def read_value(text: str, start: int) -> Any:
    """Return the list or object that begins at a place, as far as it goes.

    Examples
    --------
    >>> read_value("columns=['a', 'b'])", 8)
    ['a', 'b']
    """
    return _Reader(text, start).read().value


def _decode(text: str, start: int) -> JsonValue | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return JsonValue(start, end, value, True)


_TOKEN = re.compile(
    r"""
    \s*(?: (?P<open>[\[{(]) | (?P<close>[\]})]) | (?P<mark>[,:])
    | (?P<string>"[^"\\]*(?:\\.[^"\\]*)*" | '[^'\\\n]*(?:\\.[^'\\\n]*)*')
    | (?P<bare>[^\s\[\]{}(),:"']+) )
    """,
    re.VERBOSE | re.DOTALL,
)
_OPEN_QUOTE = re.compile(r'\s*"')
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_CLOSING: Final = {"[": "]", "{": "}", "(": ")"}
_LITERALS: Final = {
    "null": None,
    "None": None,
    "true": True,
    "True": True,
    "false": False,
    "False": False,
}
_ELLIPSES: Final = ("...", "…")
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U(00[01][0-9a-fA-F]{5})|(.))", re.DOTALL
)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass
class _Frame:
    """A list or object that is being read."""

    opened: str
    items: list[Any] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    has_key: bool = False  # a key, and then a colon, were read
    has_colon: bool = False
    has_value: bool = False  # a comma must follow

    @property
    def is_object(self) -> bool:
        return self.opened == "{"

    @property
    def value(self) -> Any:
        if self.is_object:
            return dict(zip(self.keys, self.items, strict=False))
        return self.items

    def take(self, value: Any) -> bool:
        """Take a key or value; return whether one was expected."""
        if self.has_value:
            return False
        if self.is_object and not self.has_key:
            self.keys.append(str(value))
            self.has_key = True
            return not isinstance(value, (list, dict))
        if self.is_object and not self.has_colon:
            return False
        self.items.append(value)
        self.has_value = True
        return True

    def mark(self, mark: str) -> bool:
        """Take a comma or colon; return whether it was expected."""
        if mark == ":":
            expected = self.has_key and not self.has_colon
            self.has_colon = True
            return expected
        if self.has_key and not self.has_value:
            return False
        self.has_key = self.has_colon = self.has_value = False
        return True

    def salvage(self, parent: _Frame | None) -> bool:
        """Whether to keep this unfinished value: not if it is a row, or has none."""
        has_rows = any(isinstance(item, (list, dict)) for item in self.items)
        if parent is None:
            return has_rows or bool(self.items)
        if parent.is_object:
            return has_rows or not self.is_object
        return has_rows and not self.is_object


class _Reader:
    """Read one value, as far as it goes."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.stack: list[_Frame] = []
        self.finished: Any = None

    def read(self) -> JsonValue:
        position = self.start
        while self.finished is None:
            token = _TOKEN.match(self.text, position)
            if token is None:
                position = self._take_cut_text(position)
                break
            if not self._take(token.lastgroup, token[token.lastindex or 0]):
                break
            position = token.end()
        if self.finished is not None:
            return JsonValue(self.start, position, self.finished, True)
        return JsonValue(self.start, position, self._salvage(), False)

    def _take_cut_text(self, position: int) -> int:
        """Take a text of several lines that was cut off: it may hold a table."""
        quote = _OPEN_QUOTE.match(self.text, position)
        if quote is None or not self.stack[-1].is_object:
            return position
        text = _unescape(self.text[quote.end() :])
        if "\n" not in text or not self.stack[-1].take(text):
            return position
        return len(self.text)

    def _take(self, kind: str | None, written: str) -> bool:
        """Take a token; return whether it was expected."""
        if kind == "open":
            self.stack.append(_Frame(written))
            return len(self.stack) <= _DEEPEST
        frame = self.stack[-1]
        if kind == "mark":
            return frame.mark(written)
        if kind == "string":
            return frame.take(_unescape(written[1:-1]))
        if kind == "bare":
            return self._take_bare(frame, written)
        if _CLOSING[frame.opened] != written or frame.has_key > frame.has_value:
            return False
        self.stack.pop()
        if self.stack:
            return self.stack[-1].take(frame.value)
        self.finished = frame.value
        return True

    def _take_bare(self, frame: _Frame, word: str) -> bool:
        if word in _ELLIPSES and not frame.is_object:
            return True
        if frame.is_object and not frame.has_key:
            return frame.take(word)
        if word in _LITERALS:
            return frame.take(_LITERALS[word])
        return _NUMBER.fullmatch(word) is not None and frame.take(word)

    def _salvage(self) -> Any:
        while self.stack:
            frame = self.stack.pop()
            parent = self.stack[-1] if self.stack else None
            kept = frame.value if frame.salvage(parent) else None
            if parent is None:
                return kept
            if kept is not None:
                parent.take(kept)
        return None


def _unescape(written: str) -> str:
    if "\\" not in written:
        return written
    text = _ESCAPE.sub(_escaped, written)
    # Two escapes of four digits may be one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _escaped(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if digits is None:
        return _ESCAPED.get(match[4], match[4])
    code = int(digits, 16)
    return chr(code) if code <= sys.maxunicode else "\ufffd"
