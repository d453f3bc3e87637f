r"""Find the answer table in a response.

What counts is the text outside of thoughts (`visible_text`), up to where the model goes
on with a question of its own after its table. Each reader in `READERS` finds the tables
of one form there; the first reader that finds one claims its place in the text. Of
several tables the last is the answer, with the exceptions that `choice` lists. The form of
the prompt, not filled in, is no table; a first column that only counts the rows is none of
its own.

A header without any row is a table in a form that marks headers; a lone `a|b` is not.

To add a form, write a reader `(text) -> list[Candidate]` in a module of its own, linear
in time, and put it into `READERS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ...response import missing_reason, visible_text
from ...table import Table
from .choice import announced, choose
from .columns import read_columns
from .delimited import read_csv, read_tabs
from .html_tables import read_html
from .json_tables import read_json
from .latex_tables import read_latex
from .layout import Candidate
from .pipe_blocks import FIRST_HEADER
from .pipes import read_pipes
from .records import read_records
from .tanq_lines import read_tanq
from .wiki_tables import read_wiki
from .xml_tables import read_xml


@dataclass(frozen=True)
class FoundTable:
    """The answer table of a response, or why there is none.

    Parameters
    ----------
    table
        The table as a reader sees it.
    text
        What TANQ's released scorer is to read: lines that are already in TANQ's form as
        they were written, else `table.serialize()`; empty where there is no table.
    rule
        The name of the form that the table was written in: "github" for a table as
        GitHub's standard has it, "tanq_lines" for TANQ's own; the modules of the
        readers list the others.
    reason
        `None`, or "empty", "unfinished_thought", "refusal" or "nothing_found"
        (`tableqa_metrics.response`).
    """

    table: Table | None
    text: str
    rule: str | None
    reason: str | None


Reader = Callable[[str], list[Candidate]]

# The surer a form is, the earlier it reads.
TEXT_READERS: Final[tuple[Reader, ...]] = (
    read_html,
    read_latex,
    read_wiki,
    partial(read_csv, delimiter=";", named=True),
    partial(read_csv, delimiter=",", named=True),
    read_tabs,
    read_tanq,
    read_pipes,
    partial(read_columns, ruled=True),
    partial(read_csv, delimiter=";", named=False),
    partial(read_csv, delimiter=",", named=False),
)
# Forms that models write seldom, and that notes and reasoning resemble: they are looked
# for only where there is no whole table in another, or none behind the last announcement.
RARE_READERS: Final[tuple[Reader, ...]] = (
    read_xml,
    partial(read_columns, ruled=False),
    read_records,
)
READERS: Final[tuple[Reader, ...]] = (
    lambda text: read_json(text, _find_in_string),
    *TEXT_READERS,
)

# Where a model that should have stopped goes on: tokens of chat templates, and lines
# that begin another turn or question.
_NEXT_TURN = re.compile(
    r"<\|(?:im_start|im_end|endoftext|eot_id|eom_id|start_header_id|end_header_id|user"
    r"|assistant|system|end|return|start)\|>|</s>(?=[ \t]*(?:$|<s>|\[))|\[/?INST\]"
    r"|<(?:start|end)_of_turn>|<｜[^｜\n]{1,40}｜>"
    r"|^[ \t>]{0,8}(?:#{1,6}[ \t]*|\*\*)?(?:(?:next|new|another)[ \t])?"
    r"(?:(?:question|user|human|instruction|input|problem)(?:[ \t]*\d{1,4})?"
    r"(?:\*\*)?[ \t]*[:：][^|\n]*$"
    # Q1 to Q4 are quarters as well, but with numbers behind them
    r"|q(?:\*\*)?[ \t]*[:：][^|\n]*$"
    r"|q[ \t]?\d{1,4}(?:\*\*)?[ \t]*[:：][ \t]*[^\W\d_][^|\n]*$)"
    r"|^[ \t]{0,8}#{1,6}[ \t]*(?:question|user|instruction|input)\b[^|\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
# What one of these must contain: a cheaper look at the texts that have none.
_TOKEN_HINTS: Final = ("<|", "<｜", "</s>", "_of_turn", "inst]")
_LINE_HINTS: Final = (
    *("question", "\nq", " q", "*q", "#q", ">q", "\tq"),
    *("user", "human", "instruction", "input", "problem"),
)
_MARKS_OF_A_LINE: Final = (":", "：", "#")
_NUMBER_HEADERS: Final = ("#", "no", "no.", "nr", "nr.", "№", "s.no.", "row", "index")
# What stands in the form that the prompts show.
_PLACEHOLDERS: Final = frozenset(
    (
        "",
        "entity",
        "attribute",
        "attribute 1",
        "attribute 2",
        "name",
        "value",
        "...",
        "…",
    )
)
_AROUND: Final = ('"""', "'''", '"', "`")
_ANSWER_TAG = re.compile(
    r"<(/?)(?:final_|table_)?(?:answer|output|result|response)>",
    re.IGNORECASE,
)

_ANSWER_TAGS: Final = ("answer>", "output>", "result>", "response>")


def extract_table(response: str, *, thinking: bool = False) -> Table | None:
    r"""Return the answer table of a response, or `None`: a view of `find_table`.

    Examples
    --------
    >>> extract_table("Films:\n\n|entity|year|\n|---|---|\n|High Anxiety|1977|\n").rows
    (('High Anxiety', '1977'),)
    >>> extract_table("I do not know.") is None
    True
    """
    return find_table(response, thinking=thinking).table


def find_table(response: str, *, thinking: bool = False) -> FoundTable:
    r"""Find the answer table in the raw text that a model wrote.

    Any `str` is accepted. Time is linear in the length of the response.

    Parameters
    ----------
    response
        The raw text that a model wrote.
    thinking
        Whether the prompt ended inside a thought; see `visible_text`.

    Raises
    ------
    TypeError
        If `response` is not a `str`.

    Examples
    --------
    >>> found = find_table("<think>hm</think>Answer:\nentity|year\nRent|2005")
    >>> found.text, found.rule
    ('entity|year\nRent|2005', 'tanq_lines')
    >>> find_table("I do not know.").reason
    'refusal'
    """
    visible = visible_text(response, thinking=thinking)
    if visible.reason is not None:
        return FoundTable(None, "", None, visible.reason)
    text = _unwrapped(visible.text)
    if "<" in text and any(map(text.casefold().__contains__, _ANSWER_TAGS)):
        text = _ANSWER_TAG.sub(_as_line, text)
    for part in _parts(text):
        found = choose(part, _candidates(part, READERS))
        if found is not None:
            if found.verbatim is not None:
                return FoundTable(found.table, found.verbatim, found.rule, None)
            table = _without_row_numbers(found.table)
            return FoundTable(table, table.serialize(), found.rule, None)
    return FoundTable(None, "", None, missing_reason(visible.text))


def _without_row_numbers(table: Table) -> Table:
    """Leave out a first column that only counts the rows, as pandas prints one."""
    name, *names = table.header
    is_first = bool(names) and names[0].casefold() == FIRST_HEADER
    if name and not (is_first and name.casefold() in _NUMBER_HEADERS):
        return table
    numbers = [row[0].rstrip(".") for row in table.rows if row]
    counted = [str(n) for n in range(len(table.rows) + 1)]
    if not names or not numbers or numbers not in (counted[:-1], counted[1:]):
        return table
    return Table(tuple(names), tuple(row[1:] for row in table.rows), table.title)


def _unwrapped(text: str) -> str:
    """Take off what is around a whole response: quotes, or those of a JSON string.

    Line ends that are written as two characters become line ends where there are no
    others.
    """
    stripped = text.strip()
    for mark in _AROUND:
        if not (stripped.startswith(mark) and stripped.endswith(mark)):
            continue
        inner = stripped[len(mark) : -len(mark)]
        if mark not in inner:
            text = stripped = inner
            break
    if "\n" in stripped or "|" not in stripped or stripped.count("\\n") < 2:
        return text
    if stripped.startswith('"'):
        try:
            value = json.loads(stripped)
        except ValueError:
            return text
        return str(value)
    return stripped.replace("\\n", "\n")


def _as_line(tag: re.Match[str]) -> str:
    """Put a tag around an answer on a line of its own, as an announcement."""
    return "\n" if tag[1] else "\nAnswer:\n"


def _parts(text: str) -> list[str]:
    """Divide a text where another turn begins."""
    hints: tuple[str, ...] = _TOKEN_HINTS if "<" in text or "]" in text else ()
    if any(map(text.__contains__, _MARKS_OF_A_LINE)):
        hints += _LINE_HINTS
    if not hints or not any(map(text.casefold().__contains__, hints)):
        return [text]
    parts = []
    end = 0
    for turn in _NEXT_TURN.finditer(text):
        parts.append(text[end : turn.start()])
        end = turn.end()
    return [part for part in (*parts, text[end:]) if part.strip()]


def _find_in_string(text: str) -> Candidate | None:
    return choose(text, _candidates(text, TEXT_READERS))


def _candidates(text: str, readers: Sequence[Reader]) -> list[Candidate]:
    candidates: list[Candidate] = []
    for reader in (*readers, *RARE_READERS):
        if reader in RARE_READERS and _has_answer(text, candidates):
            break
        found = [candidate for candidate in reader(text) if _says_something(candidate)]
        if found:
            text = _blank(text, found)
            candidates.extend(found)
    return sorted(candidates, key=lambda candidate: candidate.start)


def _has_answer(text: str, candidates: Sequence[Candidate]) -> bool:
    """Whether there is a whole table behind the last announcement of an answer."""
    whole = [c.start for c in candidates if c.certain and c.complete]
    return bool(whole) and announced(text, len(text)) <= max(whole)


def _says_something(candidate: Candidate) -> bool:
    """Whether a table has a cell, and is not the form of the prompt."""
    table = candidate.table
    for row in (table.header, *table.rows):
        for cell in row:
            if cell.casefold() not in _PLACEHOLDERS:
                return True
    return False


def _blank(text: str, claimed: Sequence[Candidate]) -> str:
    """Take the claimed places out of a text, all other places staying where they are."""
    pieces = []
    end = 0
    for candidate in claimed:
        length = candidate.end - candidate.start
        pieces.append(text[end : candidate.start])
        pieces.append("\n".join(("", " " * max(length - 2, 0), ""))[:length])
        end = candidate.end
    return "".join((*pieces, text[end:]))
