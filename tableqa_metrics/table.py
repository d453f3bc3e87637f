"""Tables, and precision, recall and F1, as every table metric takes and returns them.

TANQ's own form (Akhtar et al. 2024, arXiv:2405.07765; `answer_table` in the released
data) writes a table as lines of cells with a bare pipe between two cells: no outer
pipes, no separator row. It cannot hold a pipe or a line break inside a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from .shown import shown


@dataclass(frozen=True)
class PRF:
    """Precision, recall and F1, each a float in [0, 1]."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Table:
    """A table as written: rows may be ragged, and nothing is padded or cut.

    Parameters
    ----------
    header
        The cells of the first row.
    rows
        The body, one tuple of cells a row, of any length each. Lists of cells, here and
        in the header, become tuples.
    title
        A title, where the form that was read has a place for one.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str | None = None

    def __post_init__(self) -> None:
        """Make tuples of lists, so that equal tables are equal and can be hashed."""
        header, rows = self.header, self.rows
        if isinstance(header, list):
            object.__setattr__(self, "header", tuple(header))
        if isinstance(rows, list) or (type(rows) is tuple and list in map(type, rows)):
            frozen = tuple(tuple(r) if isinstance(r, list) else r for r in rows)
            object.__setattr__(self, "rows", frozen)

    @property
    def ragged(self) -> bool:
        """Whether any row has another number of cells than the header."""
        width = len(self.header)
        return any(len(row) != width for row in self.rows)

    def serialize(self) -> str:
        """Write the table in TANQ's form, ragged rows as they are.

        A pipe or a line break inside a cell becomes a space, because that form cannot
        hold it. The result ends in a newline, as the released gold tables do; a table
        without any cell gives the empty string. A column called "title" that comes
        first gets a blank before it, since TANQ's scorer takes a first line that starts
        with `title|` for a title.

        Examples
        --------
        >>> Table(("entity", "year"), (("High Anxiety", "1977"),)).serialize()
        'entity|year\\nHigh Anxiety|1977\\n'
        """
        lines = [] if self.title is None else [_line(("title", self.title))]
        if self.header or self.rows:
            header, *rows = _lines((self.header, *self.rows))
            misread = not lines and header[:6].lower() == "title|"
            lines.append(" " + header if misread else header)
            lines.extend(rows)
        return "\n".join([*lines, ""])

    def to_markdown(self) -> str:
        r"""Write the table as a GitHub table, for prompts and reports.

        Pipes in cells are escaped, line breaks become spaces, and short rows are padded
        to the widest row, since a GitHub table is rectangular. No trailing newline.

        Examples
        --------
        >>> print(Table(("a", "b"), (("1", "p | q"),)).to_markdown())
        | a | b |
        | --- | --- |
        | 1 | p \| q |
        """
        width = max((len(row) for row in (self.header, *self.rows)), default=0)
        if width == 0:
            return ""
        lines = [
            _markdown_line(self.header, width),
            _markdown_line(("---",) * width, width),
        ]
        lines.extend(_markdown_line(row, width) for row in self.rows)
        return "\n".join(lines)


def is_table(value: object) -> TypeGuard[Table]:
    """Whether a value is a table, and all its cells are text.

    Examples
    --------
    >>> is_table(Table(("a",), ())), is_table(Table(("a",), ((1,),))), is_table(None)
    (True, False, False)
    """
    return isinstance(value, Table) and all(
        isinstance(row, (tuple, list)) and all(isinstance(cell, str) for cell in row)
        for row in (value.header, *value.rows)
    )


def checked_reference(value: object) -> Table:
    """Return a reference that is a table of text.

    Raises
    ------
    ValueError
        If it is anything else; the message shows it.
    """
    if not is_table(value):
        raise ValueError(f"the reference is no table of text: {shown(value)}")
    return value


def parse_serialized(text: str) -> Table:
    """Read TANQ's form, cells stripped; blank lines are left out.

    Examples
    --------
    >>> parse_serialized("entity|year\\nHigh Anxiety| 1977 \\n").rows
    (('High Anxiety', '1977'),)
    """
    lines = [
        tuple(cell.strip() for cell in line.split("|"))
        for line in text.splitlines()
        if line.strip()
    ]
    return table_from_rows(lines)


def table_from_rows(rows: Iterable[Sequence[str]]) -> Table:
    """Build a table from its rows, the first of which is the header."""
    lines = [tuple(row) for row in rows]
    return Table(lines[0], tuple(lines[1:])) if lines else Table((), ())


def _one_line(cell: str) -> str:
    return " ".join(cell.splitlines())


def _lines(rows: tuple[Sequence[str], ...]) -> list[str]:
    lines = ["|".join(row) for row in rows]
    whole = "|".join(lines)
    n_pipes = sum(map(len, rows)) + rows.count(()) - 1
    if whole.count("|") == n_pipes and whole.splitlines() in ([whole], []):
        return lines  # no cell holds a pipe or a line break
    return list(map(_line, rows))


def _line(cells: Sequence[str]) -> str:
    line = "|".join(cells)
    if line.count("|") < len(cells) and line.splitlines() in ([line], []):
        return line  # no cell holds a pipe or a line break
    return "|".join(_one_line(cell.replace("|", " ")) for cell in cells)


def _markdown_line(cells: Sequence[str], width: int) -> str:
    padded = [*cells, *[""] * (width - len(cells))]
    return "| " + " | ".join(_one_line(c).replace("|", "\\|") for c in padded) + " |"
