r"""LaTeX tables: `tabular` and its relatives. Rule: `latex`.

Rows end in `\\`, cells in `&`; rules and the commands that only set type are left out.
A table that is never ended was cut off, and keeps the rows that end in `\\`.
"""

from __future__ import annotations

import re

from ..table import table_from_rows
from .layout import Candidate, tidy


_BEGIN = re.compile(
    r"\\begin\{(tabular[xy*]?|tabulary|longtable|array)\}(?:\[[^\]\n]{0,20}\])?"
    r"(?:\{[^{}\n]{0,200}\}){0,2}"
)
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot)\b"
    r"|\\(?:cline|cmidrule)(?:\([^()\n]{0,20}\))?\{[^{}\n]{0,20}\}"
)
_ROW_END = re.compile(r"\\\\(?:\[[^\]\n]{0,20}\])?|\\tabularnewline\b")
_CELL_END = re.compile(r"(?<!\\)&")
_STYLE = re.compile(r"\\(?:text\w{2,6}|emph|mathrm|mathbf)\s?\{([^{}]{0,1000})\}")
_SPAN = re.compile(
    r"\\multi(?:column|row)\{[^{}]{0,20}\}\{[^{}]{0,20}\}\{([^{}]{0,1000})\}"
)
_ESCAPED = re.compile(r"\\([&%$#_{}])")


def read_latex(text: str) -> list[Candidate]:
    r"""Return the LaTeX tables of a text, in their order.

    Examples
    --------
    >>> latex = r"\begin{tabular}{ll} entity & year \\ \hline Rent & \textbf{2005} \\"
    >>> read_latex(latex + r"\end{tabular}")[0].table.rows
    (('Rent', '2005'),)
    """
    found = []
    begins = list(_BEGIN.finditer(text)) if "\\begin{" in text else []
    for i, begin in enumerate(begins):
        limit = begins[i + 1].start() if i + 1 < len(begins) else len(text)
        end = text.find("\\end{" + begin[1] + "}", begin.end(), limit)
        closed = end >= 0
        body = text[begin.end() : end if closed else limit]
        *lines, rest = _ROW_END.split(_RULE.sub(" ", body))
        if closed and rest.strip():
            lines.append(rest)
        rows = [_CELL_END.split(line) for line in lines if line.strip()]
        if rows:
            table = table_from_rows([[_plain(cell) for cell in row] for row in rows])
            stop = end if closed else limit
            complete = closed and bool(table.rows)
            found.append(Candidate(begin.start(), stop, table, "latex", complete))
    return found


def _plain(cell: str) -> str:
    cell = " ".join(cell.split())
    if "\\" in cell or "$" in cell:
        cell = _STYLE.sub(r"\1", _SPAN.sub(r"\1", cell))
        cell = _STYLE.sub(r"\1", cell)
        cell = re.sub(r"(?<!\\)\$", "", cell)
        cell = _ESCAPED.sub(r"\1", cell)
    return tidy(cell.replace("~", " "))
