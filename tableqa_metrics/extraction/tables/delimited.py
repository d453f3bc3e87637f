"""Tables of lines whose cells a tab, comma or semicolon divides.

Rules: `tab`, `comma`, `semicolon`.

Tabs do not occur in prose, so adjacent lines with tabs are a table, ragged or not.
Commas do: outside a fence, lines are a table only if the csv module reads the same
number of cells, two or more, from each of them and they look like data. That is: no
sentences, list marks or thousands separators, and either no space after any comma, or
short headers and at least three columns (or `entity` as the first header). A fence named
csv or tsv, or a first header `entity`, is evidence enough for ragged rows.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ...table import table_from_rows
from .layout import Candidate, Line, read_lines, tidy
from .pipe_blocks import FIRST_HEADER


_DATA_FENCES: Final = ("csv", "tsv", "psv", "ssv")
_RULES: Final = {",": "comma", ";": "semicolon"}
_BEHIND_FIRST: Final = {mark: re.compile(rf"[\s\"']*{mark}") for mark in _RULES}
_OUTER_PIPE = re.compile(r"^\s*\|\s*\S.*\|\s*$|\t\|\t|-\s*\|\s*:?-")
_LIST_MARK = re.compile(r"\s*(?:[-*+•#]|\d{1,3}[.)])\s")
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
_SENTENCE_END = re.compile(r"[.!?:;][\"'*_)\]]{0,3}$")
_CONNECTED = re.compile(r"(?:and|or|but|which|who|so|then|while|as)\b", re.IGNORECASE)
_CODE = re.compile(r"[{}\[\]<>=\\]|\([^)]*$|^[^(]*\)")
_NUMBER = re.compile(r"[-+]?[\d.,%\s]+")
_LABEL = re.compile(r"[\s*_]{0,9}[^\W_][^:]{0,60}:[*_]{0,2}\s")
_WHOLLY_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_MOST_HEADER_WORDS: Final = 5
_LONGEST_NAME: Final = 100
_WORDS_OF_PROSE: Final = 8
_LONGEST_LOOSE_HEADER: Final = 60


def read_tabs(text: str) -> list[Candidate]:
    r"""Return the tables of lines with tabs.

    Examples
    --------
    >>> read_tabs("entity\tyear\nHigh Anxiety\t1977\n")[0].table.rows
    (('High Anxiety', '1977'),)
    """
    if "\t" not in text:
        return []
    found = []
    for lines in _blocks(read_lines(text), "\t"):
        if any(_OUTER_PIPE.search(line.text) for line in lines):
            continue  # a table with pipes, set with tabs
        rows = _tab_rows([line.text for line in lines])
        indent = min(map(_indent, rows))
        rows = [row[indent:] for row in rows]
        if len(rows) > 1 and len(rows[0]) > 1:
            found.append(_candidate(lines, rows, "tab"))
    return found


def _tab_rows(texts: list[str]) -> list[list[str]]:
    """Split lines at tabs, quotes being kept unless they quote as in CSV.

    They do where each cell with a quote is quoted as a whole, and one of them needs it,
    or the whole header is quoted.
    """
    rows = [text.split("\t") for text in texts]
    if not any('"' in text for text in texts):
        return rows
    try:
        unquoted = list(csv.reader((text + "\n" for text in texts), delimiter="\t"))
    except csv.Error:
        return rows
    if len(unquoted) < len(rows):  # a line break stood in a cell, or a quote in vain
        whole = all(len(row) == len(unquoted[0]) for row in unquoted)
        return unquoted if whole else rows
    quoted = [cell for row in rows for cell in row if '"' in cell]
    is_csv = all(map(_WHOLLY_QUOTED.fullmatch, quoted)) and (
        any("," in cell or '""' in cell for cell in quoted)
        or all('"' in cell for cell in rows[0])
    )
    return unquoted if is_csv else rows


def read_csv(text: str, *, delimiter: str, named: bool) -> list[Candidate]:
    r"""Return the comma- or semicolon-separated tables.

    `named` asks for those that a fence named csv, or the first header `entity`, tells
    apart from everything else; otherwise, for all the others.

    Examples
    --------
    >>> csv = 'entity,genre\nSpaceballs,"parody, comedy"\n'
    >>> read_csv(csv, delimiter=",", named=True)[0].table.rows
    (('Spaceballs', 'parody, comedy'),)
    >>> prose = "In 1987, it opened.\nIn 1990, it closed.\n"
    >>> read_csv(prose, delimiter=",", named=False)
    []
    """
    if delimiter not in text or (named and not _may_be_named(text, delimiter)):
        return []
    length = len(text.rstrip())
    found = []
    for lines in _blocks(read_lines(text), delimiter):
        is_named = lines[0].fence in _DATA_FENCES or _starts_first(lines[0], delimiter)
        if len(lines) < 2 or is_named != named:
            continue
        texts = [line.text.strip() for line in lines]
        reader = csv.reader(
            (text + "\n" for text in texts),
            delimiter=delimiter,
            skipinitialspace=True,
        )
        try:
            rows = list(reader)
        except csv.Error:  # a field longer than the csv module's limit
            continue
        complete = not (lines[-1].end >= length and _last_is_short(rows))
        if not complete:
            rows.pop()
        if not named and not _looks_like_data(lines, texts, rows, delimiter):
            continue
        named_columns = len(rows[0]) > 1 and all(map(str.strip, rows[0]))
        if len(rows) > 1 and named_columns and "|" not in texts[0]:
            candidate = _candidate(lines, rows, _RULES[delimiter])
            found.append(replace(candidate, complete=complete, certain=named))
    return found


def _may_be_named(text: str, delimiter: str) -> bool:
    """Take a cheap look for a fence, or for the header with which TANQ's tables begin."""
    if "```" in text or "~~~" in text:
        return True
    folded = text.casefold()
    start = folded.find(FIRST_HEADER)
    while start >= 0:
        start += len(FIRST_HEADER)
        if _BEHIND_FIRST[delimiter].match(folded, start):
            return True
        start = folded.find(FIRST_HEADER, start)
    return False


def _starts_first(line: Line, delimiter: str) -> bool:
    """Whether a line begins with the header with which all tables in TANQ begin."""
    first = line.text.partition(delimiter)[0].strip().strip("\"'")
    return first.casefold() == FIRST_HEADER


def _is_sentence(text: str) -> bool:
    return _SENTENCE_END.search(text.rstrip()) is not None


def _indent(cells: Sequence[str]) -> int:
    return next((i for i, cell in enumerate(cells) if cell.strip()), len(cells))


def _candidate(lines: list[Line], rows: list[list[str]], rule: str) -> Candidate:
    table = table_from_rows([[tidy(cell) for cell in row] for row in rows])
    return Candidate(lines[0].start, lines[-1].end, table, rule)


def _blocks(lines: Sequence[Line], delimiter: str) -> Iterator[list[Line]]:
    """Yield the runs of lines with the delimiter; a quoted field may hold line ends."""
    opening = re.compile(rf'(?:^|{delimiter})[ ]*"')
    block: list[Line] = []
    in_quotes = False
    for line in lines:
        text = line.text
        if block and not in_quotes and _starts_first(line, delimiter):
            yield block
            block = []
        has = delimiter in text or line.fence in _DATA_FENCES
        has &= bool(text.strip()) and not _is_prose(text, delimiter)
        if line.is_fence or line.is_code or not (has or in_quotes):
            if block:
                yield block
            block = []
            in_quotes = False
        else:
            block.append(line)
            if text.count('"') % 2 and (in_quotes or opening.search(text)):
                in_quotes = not in_quotes
    if block:
        yield block


def _is_prose(text: str, delimiter: str) -> bool:
    """Whether a line introduces or follows a table: "Sure, here it is:"."""
    if delimiter == "\t":
        return False
    text = text.rstrip()
    long = text.count(" ") >= _WORDS_OF_PROSE
    return text.endswith(":") or (long and text.endswith((".", "!", "?")))


def _last_is_short(rows: list[list[str]]) -> bool:
    *others, last = rows
    return len(others) > 1 and all(len(last) < len(row) for row in others)


def _looks_like_data(
    lines: list[Line], texts: list[str], rows: list[list[str]], delimiter: str
) -> bool:
    header = rows[0]
    if len(header) < 2 or any(len(row) != len(header) for row in rows):
        return False
    if any(map(_LIST_MARK.match, texts)) or all(map(_is_sentence, texts)):
        return False
    if all(map(_LABEL.match, texts)):
        return False  # records, one cell a line
    if _THOUSANDS.search(texts[0]) or _NUMBER.fullmatch(header[0]):
        return False
    if not all(map(_is_name, header)):
        return False
    spaced = delimiter + " "
    n_spaced = sum(text.count(spaced) for text in texts)
    tight = n_spaced == sum(cell.count(spaced) for row in rows for cell in row)
    if tight or lines[0].fence is not None:
        return True
    return (
        len(header) > 2
        and len(texts[0]) <= _LONGEST_LOOSE_HEADER
        and not any(map(_is_sentence, texts))
        and not any(_CONNECTED.match(row[-1]) for row in rows)
    )


def _is_name(cell: str) -> bool:
    """Whether a cell may name a column."""
    if len(cell) > _LONGEST_NAME or _CODE.search(cell):
        return False
    return 0 < len(cell.split()) <= _MOST_HEADER_WORDS
