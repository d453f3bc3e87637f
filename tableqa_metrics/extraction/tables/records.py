r"""Tables written as records of `key: value` lines.

Rules: `key_values` (a list of mappings in YAML, `- entity: Rent` with its keys below, or
blocks of lines with the same keys) and `titled_list` (a title, such as `1. **Rent**` or
`### Rent`, with a bullet for each key below it; the titles are the first column).

A record begins where a key comes again, or with its title; a line above records without
titles introduces them. Two records at least must share
their first key and most of the others, so that prose with a few labels is no table. They
lose to any form that is a table for certain, but for YAML in a fence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from ...table import Table
from .cells import join_values, plain
from .layout import Candidate, Line, read_lines
from .pipe_blocks import FIRST_HEADER


_MARK = r"(?:[-*•+]|\d{1,5}[.)])[ \t]+"
_PAIR = re.compile(
    rf"[ \t]*(?:{_MARK})?(?P<mark>\*\*|__|`|\"|'|)(?P<key>[^\W_][^:：*`|\"\n]{{0,60}}?)"
    r"(?:[:：](?P=mark)|(?P=mark)[ \t]?[:：])(?:[ \t]+(?P<value>\S.*))?"
)
_TITLE = re.compile(
    rf"#{{1,6}}[ \t]+(?P<heading>\S.*)|(?:{_MARK})?(?P<mark>\*\*|__)(?P<bold>[^*_\n]{{1,100}})"
    r"(?P=mark):?|\d{1,5}[.)][ \t]+(?P<numbered>[^:\n]{1,100})"
)
_BULLET = re.compile(_MARK)
_NUMBER = re.compile(r"\d{1,5}[.)][ \t]+")
_ITEM = re.compile(r"[-*•+][ \t]+(?P<item>[^:\n]{1,300})")
# Titles of a plan, not of what it is about.
_STEP = re.compile(
    r"(?:step|part|phase)\s?\d|(?:identify|find|check|determine|list|calculate|compute|look"
    r"|extract|filter|verify|combine|compile|search|gather|recall|analy[sz]e|collect"
    r"|understand|answer|final)\b",
    re.IGNORECASE,
)
_YAML_FENCES: Final = ("yaml", "yml")
_NULL: Final = ("null", "~", "None")
_LONGEST_LINE: Final = 1_000
_MOST_WORDS_OF_KEY: Final = 6
_LEAST_FILLED: Final = 0.6


class _Entry(NamedTuple):
    """A line, and what it is in a record."""

    line: Line
    kind: Literal["pair", "open", "title", "item", "other"]
    key: str = ""  # of a pair; what a title or an item says
    value: str = ""

    @property
    def level(self) -> int:
        """How far the line is indented, a bullet counting as one more."""
        text = self.line.text
        content = text.lstrip()
        return len(text) - len(content) + (_BULLET.match(content) is not None)


@dataclass
class _Record:
    """The values of a row by their keys, and where it stands."""

    start: int
    end: int
    cells: dict[str, list[str]] = field(default_factory=dict)
    titled: bool = False


def read_records(text: str) -> list[Candidate]:
    """Return the tables that are written as records, in their order.

    Examples
    --------
    >>> text = "- entity: Rent\\n  year: 2005\\n- entity: Annie\\n  year: 1982\\n"
    >>> read_records(text)[0].table.rows
    (('Rent', '2005'), ('Annie', '1982'))
    """
    if ":" not in text and "：" not in text:
        return []
    candidates = (
        _candidate(_records(_without_announcement(entries)), entries[0].line.fence)
        for entries in _runs(read_lines(text))
    )
    return [candidate for candidate in candidates if candidate is not None]


def _runs(lines: Sequence[Line]) -> Iterator[list[_Entry]]:
    """Yield the runs of lines that may be records; blank lines and rules are none."""
    run: list[_Entry] = []
    for line in lines:
        if not line.text.strip(" \t-*_"):
            continue
        entry = _entry(line)
        if entry.kind == "other" or (run and run[-1].line.fence != line.fence):
            if len(run) > 1:
                yield run
            run = []
        if entry.kind != "other":
            run.append(entry)
    if len(run) > 1:
        yield run


def _entry(line: Line) -> _Entry:
    text = line.text.strip()
    if line.is_fence or line.is_code or len(text) > _LONGEST_LINE:
        return _Entry(line, "other")
    pair = _PAIR.fullmatch(text)
    if pair and len(pair["key"].split()) > _MOST_WORDS_OF_KEY:
        pair = None
    if pair and pair["value"]:
        return _Entry(line, "pair", plain(pair["key"]), pair["value"])
    if pair:
        return _Entry(line, "open", plain(pair["key"]))
    if title := _TITLE.fullmatch(text):
        name = title["heading"] or title["bold"] or title["numbered"]
        name = plain(_NUMBER.sub("", name, count=1)).rstrip(":：")
        return _Entry(line, "title", name)
    if item := _ITEM.fullmatch(text):
        return _Entry(line, "item", item["item"])
    return _Entry(line, "other")


def _without_announcement(entries: list[_Entry]) -> list[_Entry]:
    """Leave out a first line that introduces a list: "Here they are:", "### Films".

    It is the title of no record where the records below have none.
    """
    first, *rest = entries
    keys = [entry.key for entry in rest if entry.kind == "pair"]
    if first.kind not in ("open", "title") or rest[0].kind != "pair":
        return entries
    others = {
        entry.key
        for entry, below in zip(rest, [*rest[1:], first], strict=True)
        if entry.kind == "title" or (entry.kind == "open" and below.kind != "item")
    }
    return rest if keys.count(keys[0]) > 1 and others.issubset(keys) else entries


def _records(entries: list[_Entry]) -> list[_Record]:
    """Put the lines together that are of one record."""
    records: list[_Record] = []
    last = ""  # the key that items belong to
    known = {entry.key for entry in entries if entry.kind == "pair"}
    following = [*entries[1:], None]
    for entry, below in zip(entries, following, strict=True):
        line = entry.line
        opens_list = entry.kind == "open" and below and below.kind == "item"
        is_last = below is None or below.line.start - line.end > 1
        if entry.kind == "open" and is_last and entry.key not in known:
            continue  # "Again:" announces something else
        is_above = below and (not records or below.level > entry.level)
        if entry.kind == "title" or (
            entry.kind == "open" and is_above and not opens_list
        ):
            cells = {FIRST_HEADER: [entry.key]}
            records.append(_Record(line.start, line.end, cells, titled=True))
        elif entry.kind == "item":
            if last and records:
                records[-1].cells[last].append(_scalar(entry.key))
        else:
            if not records or entry.key in records[-1].cells:
                records.append(_Record(line.start, line.end))
            records[-1].cells[entry.key] = _values(entry.value)
        last = entry.key if opens_list else last if entry.kind == "item" else ""
        if records:
            records[-1].end = line.end
    return records


def _candidate(records: list[_Record], fence: str | None) -> Candidate | None:
    records = [record for record in records if len(record.cells) > 1]
    header = list(dict.fromkeys(key for record in records for key in record.cells))
    if not header or len({record.titled for record in records}) > 1:
        return None
    is_yaml = fence in _YAML_FENCES
    is_first = header[0].casefold() == FIRST_HEADER
    if len(records) < 2 and not (is_yaml and is_first):
        return None
    n_of_key = [sum(key in record.cells for record in records) for key in header]
    is_shared = n_of_key[0] == len(records) < 2 * max(n_of_key[1:])
    if not is_shared or sum(n_of_key) < _LEAST_FILLED * len(records) * len(header):
        return None
    rows = tuple(
        tuple(join_values(record.cells.get(key, ())) for key in header)
        for record in records
    )
    titled = records[0].titled
    if titled and any(_STEP.match(row[0]) for row in rows):
        return None
    rule = "titled_list" if titled else "key_values"
    return Candidate(
        records[0].start,
        records[-1].end,
        Table(tuple(header), rows),
        rule,
        certain=is_yaml or (is_first and not titled),
    )


def _values(written: str) -> list[str]:
    """Read a value as YAML or a list in prose writes it; `[a, b]` has several."""
    if written.startswith("[") and written.endswith("]") and "](" not in written:
        return [_scalar(value) for value in written[1:-1].split(",")]
    return [_scalar(written)] if written else []


def _scalar(written: str) -> str:
    written = written.strip()
    if written in _NULL:
        return ""
    if len(written) > 1 and written[0] == written[-1] and written[0] in "'\"":
        mark = written[0]
        written = written[1:-1].replace("''" if mark == "'" else '\\"', mark)
    return plain(written)
