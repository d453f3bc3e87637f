r"""LaTeX tables: `tabular` and its relatives. Rule: `latex`.

Rows end in `\\`, cells in `&`, both only outside of braces; rules, comments and the
commands that only set type are left out. A `\multicolumn` stands in each of its columns, a
`\multirow` in each blank cell below it, and one over all columns of a first row is a title
and left out. A table that is never ended was cut off, and keeps the rows that end in `\\`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Sequence
from typing import Final

from ...table import table_from_rows
from ..marks import closing_brace
from .cells import join_values
from .layout import Candidate, tidy
from .spans import MOST_SPAN, SpanCell, expand, without_title


_BEGIN = re.compile(r"\\begin\{(tabular[xy*]?|tabulary|longtable|tblr|tabu|array)\}")
_OPTION = re.compile(r"\s{0,9}\[[^\]\n]{0,60}\]")
_ARGUMENT = re.compile(r"\s{0,9}\{")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_REPEATED_HEAD = re.compile(r"\\end(?:first)?head\b")
_LAST_HEAD = re.compile(r"\\end(?:head|foot|lastfoot)\b")
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|addlinespace|end(?:first)?head|end(?:last)?foot)"
    r"(?![A-Za-z])(?:\[[^\]\n]{0,20}\])?"
    r"|\\(?:cline|cmidrule)(?:\([^()\n]{0,20}\))?\{[^{}\n]{0,20}\}"
    r"|\\(?:row|cell)colors?(?:\[[^\]\n]{0,20}\])?(?:\{[^{}\n]{0,40}\}){1,3}"
    r"|\\(?:caption|label)\*?\{[^{}\n]{0,300}\}\s{0,9}(?:\\\\)?"
)
_MARK = re.compile(
    r"(?P<row>\\\\\*?(?:\[[^\]\n]{0,20}\])?|\\tabularnewline(?![A-Za-z]))|\\."
    r"|(?P<open>\{)|(?P<close>\})|(?P<cell>&)",
    re.DOTALL,
)
_SPAN = re.compile(
    r"\\multi(?P<of>column|row)\s?(?:\[[^\]]{0,20}\])?\{\s?=?(?P<n>\d{1,4})\s?\}"
    r"(?:\[[^\]]{0,20}\])?(?:\{(?:[^{}]|\{[^{}]{0,60}\}){0,60}\}|\*)"
)
_STACKED = re.compile(
    r"\\(?:makecell|shortstack|thead|vtop)(?:\[[^\]]{0,20}\])?\s?\{(?P<lines>[^{}]{0,1000})\}"
)
_LINK = re.compile(r"\\(?:href|textcolor|hyperref|SI)\s?\{[^{}]{0,500}\}(?=\{)")
_UNSEEN = re.compile(
    r"\\(?:footnote(?:mark|text)?|cite[pt]?|hspace|vspace|ref)\*?\{[^{}]{0,500}\}"
)
_STYLE = re.compile(
    r"\\(?:text\w{0,13}|emph|math\w{2,6}|mbox|underline|num|url|makecell|si|unit)\s?"
    r"\{([^{}]{0,1000})\}|(?<![\\A-Za-z])\{([^{}]{0,1000})\}"
)
_SWITCH = re.compile(
    r"\\(?:bfseries|itshape|bf|it|em|small|tiny|footnotesize|scriptsize|normalsize|large"
    r"|centering|raggedright|raggedleft|noindent|color\{[^{}]{0,20}\})(?![A-Za-z])\s?"
)
_NAMES: Final = (
    "ldots|dots|textendash|textemdash|times|cdot|pm|approx|euro|pounds|textdollar"
    "|textbackslash|degree|checkmark|ss|o|O|ae|l|aa"
)
_SYMBOLS: Final = dict(zip(_NAMES.split("|"), "……–—×·±≈€£$\\°✓ßøØæłå", strict=True))
_SYMBOL = re.compile(rf"\\({_NAMES})(?![A-Za-z])(?:\{{\}}|\s(?=\S))?")
_COMBINING: Final = dict(
    zip("'`^\"~=.", "\u0301\u0300\u0302\u0308\u0303\u0304\u0307", strict=True)
)
_ACCENT = re.compile(r"\\(?:(['`^\"~=.])\s?\{?\\?([A-Za-z])\}?|([cvu])\{([A-Za-z])\})")
_LETTER_ACCENTS: Final = {"c": "\u0327", "v": "\u030c", "u": "\u0306"}
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_LINE_END = re.compile(r"\\\\(?:\[[^\]\n]{0,20}\])?")
_WITH_WIDTH: Final = ("tabular*", "tabularx", "tabulary")
_LONGEST_ARGUMENT: Final = 1_000
_MOST_LAYERS: Final = 4


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
        stop = end if closed else limit
        body = text[_after_arguments(text, begin, stop) : stop]
        lines = _split(_without_rules(body))
        if not closed:
            lines.pop()  # what does not end in a mark was cut off
        rows = _expand([line for line in lines if any(map(str.strip, line))])
        if rows:
            table = table_from_rows(rows)
            complete = closed and bool(table.rows)
            found.append(Candidate(begin.start(), stop, table, "latex", complete))
    return found


def _after_arguments(text: str, begin: re.Match[str], stop: int) -> int:
    """Return where the width, the position and the columns of a table end."""
    start = begin.end()
    for _ in range(2 if begin[1] in _WITH_WIDTH else 1):
        if option := _OPTION.match(text, start, stop):
            start = option.end()
        if argument := _ARGUMENT.match(text, start, stop):
            brace = argument.end() - 1
            end = closing_brace(text[brace : min(stop, brace + _LONGEST_ARGUMENT)], 0)
            start = brace + end + 1 if end >= 0 else start
    return start


def _without_rules(body: str) -> str:
    """Leave out what is no cell; of the heads of a long table the first stays."""
    body = _COMMENT.sub("", body)
    first = _REPEATED_HEAD.search(body)
    for last in deque(_LAST_HEAD.finditer(body), maxlen=1):
        if first:
            body = body[: first.start()] + body[last.end() :]
    return _RULE.sub(" ", body)


def _split(body: str) -> list[list[str]]:
    """Split the rows and their cells, the last row being what no mark ends."""
    for braces in (True, False):
        lines: list[list[str]] = [[]]
        start = depth = 0
        for mark in _MARK.finditer(body):
            if mark["open"] or mark["close"]:
                depth = max(depth + (1 if mark["open"] else -1), 0) if braces else 0
            elif depth == 0 and (mark["row"] or mark["cell"]):
                lines[-1].append(body[start : mark.start()])
                start = mark.end()
                if mark["row"]:
                    lines.append([])
        lines[-1].append(body[start:])
        if depth == 0:
            break  # else a brace is missing, and none tells anything
    return lines


def _expand(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Write cells of several columns in each, and of several rows in blank ones below."""
    cells = without_title([list(map(_cell, line)) for line in lines])
    rows = expand([[cell._replace(n_rows=1) for cell in line] for line in cells])
    for i, line in enumerate(cells):
        column = 0
        for cell in line:
            for row in rows[i + 1 : i + cell.n_rows]:
                if column < len(row) and not row[column]:
                    row[column] = cell.text
            column += cell.n_columns
    return rows


def _cell(written: str) -> SpanCell:
    spans = {"column": 1, "row": 1}
    for span in _SPAN.finditer(written):
        spans[span["of"]] = min(max(int(span["n"]), 1), MOST_SPAN)
    return SpanCell(_plain(_SPAN.sub("", written)), spans["column"], spans["row"])


def _plain(cell: str) -> str:
    if "\\" in cell or "$" in cell or "{" in cell:
        cell = _STACKED.sub(lambda m: join_values(_LINE_END.split(m["lines"])), cell)
        cell = _SWITCH.sub("", _UNSEEN.sub("", _LINK.sub("", cell)))
        cell = _SYMBOL.sub(lambda m: _SYMBOLS[m[1]], _ACCENT.sub(_accented, cell))
        for _ in range(_MOST_LAYERS):
            cell, n_changed = _STYLE.subn(lambda m: m[1] or m[2] or "", cell)
            if not n_changed:
                break
        cell = re.sub(r"(?<!\\)\$", "", cell)
        cell = re.sub(
            r"\\(?:[,!;: ]|q?quad(?![A-Za-z]))", " ", _ESCAPED.sub(r"\1", cell)
        )
    return tidy(" ".join(cell.replace("~", " ").split()))


def _accented(match: re.Match[str]) -> str:
    if match[1]:
        return unicodedata.normalize("NFC", match[2] + _COMBINING[match[1]])
    return unicodedata.normalize("NFC", match[4] + _LETTER_ACCENTS[match[3]])
