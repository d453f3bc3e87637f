"""Which lines with pipes belong together: the blocks that `pipes.py` reads as tables.

A block is a run of lines that hold pipes or borders. Rows after a blank line, or after
one line of text such as "(continued)" or, between outer pipes, a sentence, belong to the
block above if they have as many pipes as its header and no header of their own. In TANQ's form, a row of one cell has no
pipe; such a line stays in its block where it stands between two rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from .cells import split_row
from .layout import Line, read_lines
from .running_text import SENTENCE_END, is_clause


BARS: Final = "│┃║｜"
BORDERS: Final = "─━═┄┈┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╞╪╡╒╤╕╘╧╛┏┳┓┡╇┩┣╋┫┗┻┛╟╫╢╭╮╰╯"
_BAR = re.compile(f"[|{BARS}]")
_AS_PIPE = str.maketrans(dict.fromkeys(BARS, "|"))
_BORDER_LINE = re.compile(rf"[|{BARS}+:=\-–—\s{BORDERS}]+")
_DASHES = re.compile(rf"[-=–—{BORDERS}]{{2}}")
# Editors turn two or three hyphens into a dash.
_DELIMITER_CHARS: Final = frozenset("|:-–— \t")
_DELIMITER = re.compile(r"\s*:?[-–—]+:?\s*")
LIST_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_DRAWN = re.compile(rf"[+{BORDERS}]")
_PIPE = re.compile(r"(?<!\\)\|")
_FOLDED = re.compile(r"[^\s|][ \t]*\|[ \t]*\|[ \t]*:?-{2,}:?[ \t]*\|")
_FOLDED_DASHES = re.compile(r"\s*:?-{2,}:?\s*")
_ITEM_BEFORE_PIPE = re.compile(LIST_ITEM.pattern + r"(?=\|)")
# "Answer: entity|year": the first row follows its announcement on the same line.
ANNOUNCED = re.compile(
    r"[#*_ ]{0,8}(?:(?:so|thus|therefore),? )?(?:(?:the|my|final) ){0,2}"
    r"(?:answer|table)(?: table)?(?: is)?[*_]{0,3}[:：][*_]{0,3}\s*",
    re.IGNORECASE,
)
_ANNOUNCING = re.compile(
    r"\b(?:answers?|final|table|results?|output|here|draft|question)\b",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"[*_]{0,3}(?:notes?|sources?|legend|caveats?)[*_]{0,3}:", re.IGNORECASE
)
_CONTINUED = re.compile(
    r"\b(?:continu\w{0,8}|cont['’.]?d?|further|more|next|rest|remaining|additional"
    r"|also)\b",
    re.IGNORECASE,
)
_WIKI: Final = "{|"  # begins MediaWiki's tables, whose pipes mean something else
AROUND_A_ROW: Final = ("**", "`")
_WORDS_OF_SENTENCE: Final = 2
_LONGEST_NOTE: Final = 60
FIRST_HEADER: Final = "entity"  # of every table in TANQ


@dataclass
class Row:
    """A line of a block: cells with pipes, a border, or one cell without any pipe."""

    kind: Literal["cells", "border", "single"]
    text: str  # stripped, box bars as pipes
    start: int
    end: int
    as_written: bool  # with ASCII pipes, and nothing taken away before them
    in_fence: bool

    @property
    def drawn(self) -> bool:
        """Whether this is a border that no Markdown table has."""
        return self.kind == "border" and _DRAWN.search(self.text) is not None

    @property
    def first_cell(self) -> str:
        return self.text.strip("| ").partition("|")[0].strip().casefold()


@dataclass
class _Run:
    """Adjacent rows, and what stands between them and the run before."""

    rows: list[Row]
    blanks: int  # blank lines
    notes: list[Row]  # lines without pipes
    after_fence: bool

    @property
    def bare(self) -> bool:
        return not self.rows[0].text.startswith("|")


def pipe_blocks(text: str) -> Iterator[list[Row]]:
    """Yield the blocks of rows, each with at least one row of cells, in their order."""
    if "|" not in text and (text.isascii() or not _BAR.search(text)):
        return
    block: _Run | None = None
    for run in _runs(read_lines(text)):
        if block is not None and _continues(block, run):
            if block.bare:
                block.rows.extend(run.notes)
            block.rows.extend(run.rows)
            continue
        if block is not None and _has_cells(block):
            yield block.rows
        block = run
    if block is not None and _has_cells(block):
        yield block.rows


def is_border(text: str) -> bool:
    """Whether a line draws a border, as the `---` row of a Markdown table does."""
    return bool(_BORDER_LINE.fullmatch(text) and _DASHES.search(text))


def is_delimiter(text: str) -> bool:
    """Whether a row has dashes alone in each cell, as below a Markdown header."""
    if not _DELIMITER_CHARS.issuperset(text):
        return False
    return all(map(_DELIMITER.fullmatch, split_row(text, None, outer=True)))


def is_wrapped(text: str, mark: str) -> bool:
    """Whether a whole row stands between two marks, as code or in bold type."""
    if not (text.startswith(mark) and text.endswith(mark)):
        return False
    inner = text[len(mark) : -len(mark)]
    return mark not in inner and "|" in inner


def is_note(text: str) -> bool:
    """Whether a line without pipes may be a row of one cell, or stand between rows."""
    if len(text) > _LONGEST_NOTE or _ANNOUNCING.search(text):
        return False
    abbreviation = text.endswith(".") and text.count(" ") < _WORDS_OF_SENTENCE
    return abbreviation or not text.endswith(SENTENCE_END)


def begins_note(text: str) -> bool:
    """Whether a line below a table comments on it: "Note: a|b is a guess."."""
    return _NOTE.match(text) is not None


def _is_remark(run: _Run, block: _Run) -> bool:
    """Whether a line with pipes below a table comments on it: "I used a|b for both"."""
    if len(run.rows) > 1 or not is_clause(run.rows[0].text):
        return False
    return not any(is_clause(row.text) for row in block.rows)


def _has_cells(run: _Run) -> bool:
    return any(row.kind == "cells" for row in run.rows)


def _runs(lines: Sequence[Line]) -> Iterator[_Run]:
    run: _Run | None = None
    between = _Run([], 0, [], False)
    for line in lines:
        rows: list[Row] = []
        text = "" if line.is_fence or line.is_code else line.text.strip()
        text = "" if text.startswith(_WIKI) else text
        if text:
            rows = [_read_row(line, part) for part in _unfold(text)]
            if rows[0].kind == "single" or not _belongs(rows[0], run):
                between.notes = [*between.notes[-1:], *rows]
                rows = []
        else:
            between.blanks += 1
            between.after_fence |= line.is_fence
        if not rows:
            if run is not None:
                yield run
            run = None
        elif run is not None:
            run.rows.extend(rows)
        else:
            run, between = between, _Run([], 0, [], False)
            rows[0] = _without_announcement(rows[0])
            run.rows.extend((*_lone_header(run, rows[0]), *rows))
    if run is not None:
        yield run


def _unfold(text: str) -> list[str]:
    """Divide a line that is a whole GitHub table whose line breaks were lost."""
    if "--" not in text or not _FOLDED.search(text):
        return [text]
    announced = ANNOUNCED.match(text)
    table = text[announced.end() :] if announced else text
    first, *cells = _PIPE.split(table)
    n_columns = sum(_FOLDED_DASHES.fullmatch(cell) is not None for cell in cells)
    step = n_columns + 1
    rows = [cells[i : i + step] for i in range(0, len(cells), step)]
    whole = all(len(row) == step and not row[-1].strip() for row in rows)
    if first.strip() or not whole or len(rows) < 3:
        return [text]
    return ["|" + "|".join(row[:-1]) + "|" for row in rows]


def _belongs(row: Row, run: _Run | None) -> bool:
    """Dashes alone are a border only under a header; elsewhere they are a divider."""
    if row.kind == "cells" or "|" in row.text or row.drawn:
        return True
    return run is not None and len(run.rows) == 1


def _read_row(line: Line, text: str) -> Row:
    as_written = line.as_written
    if text[0] in BARS or ("|" not in text and _BAR.search(text)):
        text = text.replace("|", "\\|").translate(_AS_PIPE)
        as_written = False
    if text[0] != "|":  # marks before a row
        if item := _ITEM_BEFORE_PIPE.match(text):
            text = text[item.end() :]
            as_written = False
        for mark in AROUND_A_ROW:
            if is_wrapped(text, mark):
                text = text[len(mark) : -len(mark)].strip()
                as_written = False
    kind: Literal["cells", "border", "single"] = "cells" if "|" in text else "single"
    if is_border(text):
        kind = "border"
    in_fence = line.fence is not None
    return Row(kind, text, line.start, line.end, as_written, in_fence)


def _without_announcement(row: Row) -> Row:
    announced = ANNOUNCED.match(row.text) if row.kind == "cells" else None
    if announced is None or "|" not in row.text[announced.end() :]:
        return row
    text = row.text[announced.end() :]
    start = row.end - len(text) - 1
    return replace(row, text=text, start=start)


def _lone_header(run: _Run, row: Row) -> list[Row]:
    """TANQ's first header on a line of its own, directly above rows with more cells."""
    if not run.notes or row.text.startswith("|"):
        return []
    above = run.notes[-1]
    if above.end != row.start or above.text.casefold() != FIRST_HEADER:
        return []
    return [above]


def _interrupts(block: _Run, run: _Run) -> bool:
    """Whether a sentence stands between the rows of a table with outer pipes."""
    note = run.notes[0].text
    is_remark = note.endswith((".", "!", ")")) and not _ANNOUNCING.search(note)
    return is_remark and not (block.bare or run.blanks)


def _continues(block: _Run, run: _Run) -> bool:
    continued = len(run.notes) == 1 and _CONTINUED.search(run.notes[0].text) is not None
    if run.after_fence or run.blanks > 1 + continued or len(run.notes) > 1:
        return False
    header, first = block.rows[0], run.rows[0]
    if block.bare and (run.blanks or run.notes) and _is_remark(run, block):
        return False
    if first.kind == "border":
        return len(block.rows) == 1 and header.kind == "cells" and not run.notes
    has_own_header = len(run.rows) > 1 and is_delimiter(run.rows[1].text)
    has_own_header |= any(row.kind == "border" for row in run.rows[1:2])
    if (
        has_own_header
        or begins_note(first.text)
        or first.first_cell in (FIRST_HEADER, header.first_cell)
    ):
        return False
    same_width = header.text.count("|") == first.text.count("|")
    if run.notes:
        if not (continued or is_note(run.notes[0].text) or _interrupts(block, run)):
            return False
        if block.bare and run.bare:
            return run.blanks == 0
    elif block.bare:
        # Two lines of prose with one pipe each, one blank line apart, are no table.
        same_width &= header.text.count("|") > 1 or len(block.rows) > 1
    return same_width and block.bare == run.bare
