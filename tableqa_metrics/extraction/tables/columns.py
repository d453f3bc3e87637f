"""Tables whose columns stand under each other, set apart by blanks. Rule: `columns`.

Under or over a rule of dashes (`-----  ----`), as reStructuredText, Pandoc and many
programs write them, they are tables for certain. Without one they are only where each line
has two blanks or more between cells, and the header is `entity`, or they stand in a fence,
or there are three columns and rows; blank cells are told by their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from ...table import table_from_rows
from .layout import Candidate, Line, read_lines, tidy
from .pipe_blocks import FIRST_HEADER


_RULE = re.compile(r"\s*(?:-{2,}|={2,})(?:\s+(?:-{2,}|={2,}))+\s*")
_PART_OF_RULE = re.compile(r"[-=\s]+")
_RULED = re.compile(r"(?:--|==)[ \t]+(?:--|==)")
_DASHES = re.compile(r"-+|=+")
_CELL = re.compile(r"\S+(?: \S+)*")
_GAP = re.compile(r"\S {2,}\S")
_NO_COLUMNS = re.compile(r"[|\t─-╿]")
_LIST_MARK = re.compile(r"\s*(?:[-*+•>#]|\d{1,3}[.)])\s")
_NAME = re.compile(r"[^=#{}<>]*[^\W\d_][^=#{}<>]*")
_SENTENCE_END: Final = (".", "!", "?", ":", ";", ",")
_MOST_HEADER_WORDS: Final = 5
_LONGEST_LINE: Final = 1_000


def read_columns(text: str, *, ruled: bool) -> list[Candidate]:
    """Return the tables whose columns blanks set apart, in their order.

    `ruled` asks for those with a rule of dashes, otherwise for the others.

    Examples
    --------
    >>> text = "entity   year\\n-------  ----\\nRent     2005\\n"
    >>> read_columns(text, ruled=True)[0].table.rows
    (('Rent', '2005'),)
    """
    if not (_has_rule(text) if ruled else "  " in text and _GAP.search(text)):
        return []
    length = len(text.rstrip())
    found = []
    for lines in _blocks(read_lines(text)):
        is_rule = [_RULE.fullmatch(line.text) is not None for line in lines]
        if any(is_rule) != ruled:
            continue
        table = _ruled(lines, is_rule) if ruled else _unruled(lines)
        if table is None:
            continue
        lines, rows, certain = table
        at_end = lines[-1].end >= length
        while at_end and len(rows[-1]) > 1 and not rows[-1][-1]:
            rows[-1].pop()  # cut off, or blank
        short = len(rows) > 1 and sum(map(bool, rows[-1])) < min(
            sum(map(bool, row)) for row in rows[:-1]
        )
        found.append(
            Candidate(
                lines[0].start,
                lines[-1].end,
                table_from_rows(rows),
                "columns",
                complete=len(rows) > 1 and not (at_end and short),
                certain=certain,
            )
        )
    return found


def _has_rule(text: str) -> bool:
    """Take a cheap look for two runs of dashes with a blank between them."""
    return ("--" in text or "==" in text) and _RULED.search(text) is not None


_Found = tuple[list[Line], list[list[str]], bool]


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the runs of lines that may have columns."""
    block: list[Line] = []
    for line in lines:
        text = line.text
        has_rule = _RULE.fullmatch(text) is not None
        if (
            line.is_fence
            or line.is_code
            or not text.strip()
            or len(text) > _LONGEST_LINE
            or (not has_rule and _NO_COLUMNS.search(text))
        ):
            if len(block) > 1:
                yield block
            block = []
        else:
            block.append(line)
    if len(block) > 1:
        yield block


def _ruled(lines: list[Line], is_rule: Sequence[bool]) -> _Found | None:
    """Read a table by the dashes of its first rule."""
    first = is_rule.index(True)
    starts = [dashes.start() for dashes in _DASHES.finditer(lines[first].text)]
    # over a header, and again under it; or under a header alone
    head = first + 1 if first == 0 or sum(is_rule) > 2 else first - 1
    edges = [0, *starts[1:], None]
    rows = []
    used = []
    for line, rule in zip(lines[head:], is_rule[head:], strict=True):
        if rule or _PART_OF_RULE.fullmatch(line.text):
            continue
        cells = [line.text[i:j] for i, j in pairwise(edges)]
        if _breaks_a_word(line.text, starts[1:]):
            by_gap = [cell[0] for cell in _CELL.finditer(line.text)]
            if len(by_gap) != len(starts):
                break  # prose below the table
            cells = by_gap
        rows.append([tidy(cell) for cell in cells])
        used.append(line)
    if len(rows) < 2 or not all(rows[0][1:]):
        return None
    start = lines[min(head, first)]
    return [start, *used], _merged(rows), True


def _breaks_a_word(text: str, edges: Sequence[int]) -> bool:
    return any(
        not text[edge - 1 : edge].isspace() for edge in edges if edge < len(text)
    )


def _merged(rows: list[list[str]]) -> list[list[str]]:
    """Join a row without a first cell to the row above, as reStructuredText has it."""
    merged = rows[:1]
    for row in rows[1:]:
        if len(merged) > 1 and not row[0]:
            pairs = zip(merged[-1], row, strict=True)
            merged[-1] = [" ".join(filter(None, pair)) for pair in pairs]
        else:
            merged.append(row)
    return merged


def _unruled(lines: list[Line]) -> _Found | None:
    """Read a table by the places that are blank in each of its lines."""
    while lines and not _GAP.search(lines[0].text):
        lines = lines[1:]
    while lines and not _GAP.search(lines[-1].text):
        lines = lines[:-1]
    if len(lines) < 2:
        return None
    spans = [[cell.span() for cell in _CELL.finditer(line.text)] for line in lines]
    columns = _columns(spans)
    rows = [[""] * len(columns) for _ in lines]
    for row, line, cells in zip(rows, lines, spans, strict=True):
        place = 0
        for start, end in cells:
            while columns[place][1] < end:
                place += 1
            row[place] = tidy(line.text[start:end])
    header = rows[0] if rows[0][0] else rows[0][1:]
    is_first = header[:1] == [FIRST_HEADER]
    enough = lines[0].fence is not None or (len(header) > 2 and len(lines) > 2)
    names = all(map(_is_name, header)) and len(set(header)) == len(header)
    if len(header) < 2 or not names or not (is_first or enough):
        return None
    full = sum(all(row) for row in rows[1:]) * 2 >= len(rows) - 1
    prose = any(
        line.text.rstrip().endswith(_SENTENCE_END) or _LIST_MARK.match(line.text)
        for line in lines
    )
    return (lines, rows, is_first) if full and not prose else None


def _columns(spans: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Unite the cells that overlap in any line to columns."""
    columns: list[tuple[int, int]] = []
    for start, end in sorted(span for line in spans for span in line):
        if columns and start < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(end, columns[-1][1]))
        else:
            columns.append((start, end))
    return columns


def _is_name(cell: str) -> bool:
    named = _NAME.fullmatch(cell) is not None
    return named and len(cell.split()) <= _MOST_HEADER_WORDS
