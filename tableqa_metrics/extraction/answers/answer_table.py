"""An answer in a table that the response ends in: a row or a column named "Answer".

`| Answer | Scale |` over `| 293.6 | million |`, or `| Answer | 293.6 million |`; also a
table of one row and at most two columns whose last cell is a number. All other tables are no
answer but what an answer is taken from.
"""

from __future__ import annotations

from typing import Final

from ..marks import strip_marks
from .answer import Candidate
from .reading import Reading, answer, read_answer
from .scales import read_scale


_NAMES: Final = ("answer", "final answer", "predicted answer", "final_answer")
_SCALES: Final = ("scale", "unit", "units")
# A longer table is no answer, but data.
_MOST_LINES: Final = 12
_LONGEST_LINE: Final = 2000


def answer_table(text: str) -> Candidate | None:
    """Read the table at the end of a text, if it names an answer.

    Examples
    --------
    >>> answer_table("| Answer | Scale |\\n|---|---|\\n| 293.6 | million |").answer
    Answer(values=('293.6',), scale='million', rule='answer_table', raw=None)
    """
    rows: list[list[str]] = []
    end = start = len(text.rstrip())
    while start > 0 and len(rows) <= _MOST_LINES:
        begin = text.rfind("\n", 0, end) + 1
        if end - begin > _LONGEST_LINE:
            return None
        line = text[begin:end].strip()
        if not (line.startswith("|") and line.endswith("|") and len(line) > 1):
            break
        rows.append([strip_marks(cell) for cell in line[1:-1].split("|")])
        start, end = begin, begin - 1
    lines = rows[::-1]
    rows = [row for row in lines if any(cell.strip("-: ") for cell in row)]
    if not 1 <= len(rows) <= _MOST_LINES:
        return None
    # a line of dashes tells a header from a row
    readers = [_named_row, _named_column, _only_number]
    if len(lines) > 1 and lines[1] not in rows:
        readers = [_named_column, _named_row, _only_number]
    found = next(filter(None, (read(rows) for read in readers)), None)
    if found is None:
        return None
    reading, scale = found
    reading = reading if reading.scale else reading.with_scale(scale)
    return Candidate(start, answer(reading, "answer_table"))


def _named_row(rows: list[list[str]]) -> tuple[Reading, str] | None:
    named = {row[0].lower(): row[1] for row in rows if len(row) == 2}
    return _read(named)


def _named_column(rows: list[list[str]]) -> tuple[Reading, str] | None:
    header, *body = rows
    if len(body) != 1 or len(body[0]) != len(header):
        return None
    return _read(dict(zip(map(str.lower, header), body[0], strict=True)))


def _only_number(rows: list[list[str]]) -> tuple[Reading, str] | None:
    if len(rows) != 2 or not 1 <= len(rows[1]) <= 2:
        return None
    *label, number = rows[1]
    if any(map(str.isdigit, label)):
        return None  # steps are numbered
    reading = read_answer(number)
    return (reading, "") if reading and reading.kind == "value" else None


def _read(named: dict[str, str]) -> tuple[Reading, str] | None:
    answers = [named[name] for name in _NAMES if name in named]
    reading = read_answer(answers[-1]) if answers else None
    if reading is None:
        return None
    scales = [named[name] for name in _SCALES if name in named]
    return reading, read_scale(scales[-1]) if scales else ""
