r"""Find the answer table in a response.

What counts is the text outside of thoughts (`visible_text`), up to where the model goes
on with a question of its own after its table. Each reader in `READERS` finds the tables
of one form there; the first reader that finds one claims its place in the text. Of all
tables the last complete one is the answer:

- one after the last announcement ("Answer:", "Final table") before earlier ones;
- a form that is a table for certain before one that might be prose;
- a table that was cut off only where no complete one has as many rows, and a last table
  that only repeats the start of an earlier one counts as cut off.

A header without any row is a table in a form that marks headers; a lone `a|b` is not.

To add a form, write a reader `(text) -> list[Candidate]` in a module of its own, linear
in time, and put it into `READERS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from ..response import missing_reason, visible_text
from ..table import Table
from .delimited import read_csv, read_tabs
from .html_tables import read_html
from .json_tables import read_json
from .latex_tables import read_latex
from .layout import Candidate
from .pipes import read_pipes
from .tanq_lines import read_tanq


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
    partial(read_csv, delimiter=";", named=True),
    partial(read_csv, delimiter=",", named=True),
    read_tabs,
    read_tanq,
    read_pipes,
    partial(read_csv, delimiter=";", named=False),
    partial(read_csv, delimiter=",", named=False),
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
    r"(?:question|q|user|human|instruction|input|problem)(?:[ \t]*\d{1,4})?"
    r"(?:\*\*)?[ \t]*[:：][^|\n]*$"
    r"|^[ \t]{0,8}#{1,6}[ \t]*(?:question|user|instruction|input)\b[^|\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
# What one of these must contain: a cheaper look at the texts that have none.
_TURN_HINTS: Final = (
    *("<|", "<｜", "</s>", "inst]", "_of_turn"),
    *("question", "user", "human", "instruction", "input", "problem"),
    *("\nq", " q", "*q", "#q", ">q", "\tq"),
)
_ANNOUNCEMENT = re.compile(
    r"^[ \t>#*_-]{0,12}(?:(?:so|thus|therefore|hence)\b,?[ \t]*)?"
    r"(?:(?:here|this|the|my|is|are|corrected|complete|full)\b[ \t]*){0,4}"
    r"(?:answers?|final[ \t]{1,4}(?:answer|table|result|output|version))\b[^|\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER_TAG = re.compile(
    r"<(/?)(?:final_|table_)?(?:answer|output|result|response)>",
    re.IGNORECASE,
)


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

    Any string is accepted. Time is linear in the length of the response.

    Parameters
    ----------
    response
        The raw text that a model wrote.
    thinking
        Whether the prompt ended inside a thought; see `visible_text`.

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
    for part in _parts(_ANSWER_TAG.sub(_as_line, visible.text)):
        found = _choose(part, _candidates(part, READERS))
        if found is not None:
            text = found.verbatim
            text = found.table.serialize() if text is None else text
            return FoundTable(found.table, text, found.rule, None)
    return FoundTable(None, "", None, missing_reason(visible.text))


def _as_line(tag: re.Match[str]) -> str:
    """Put a tag around an answer on a line of its own, as an announcement."""
    return "\n" if tag[1] else "\nAnswer:\n"


def _parts(text: str) -> list[str]:
    """Divide a text where another turn begins."""
    folded = text.casefold()
    if not any(hint in folded for hint in _TURN_HINTS):
        return [text]
    parts = []
    end = 0
    for turn in _NEXT_TURN.finditer(text):
        parts.append(text[end : turn.start()])
        end = turn.end()
    return [part for part in (*parts, text[end:]) if part.strip()]


def _find_in_string(text: str) -> Candidate | None:
    return _choose(text, _candidates(text, TEXT_READERS))


def _candidates(text: str, readers: Sequence[Reader]) -> list[Candidate]:
    candidates: list[Candidate] = []
    for reader in readers:
        found = [candidate for candidate in reader(text) if _says_something(candidate)]
        if found:
            text = _blank(text, found)
            candidates.extend(found)
    return sorted(candidates, key=lambda candidate: candidate.start)


def _says_something(candidate: Candidate) -> bool:
    table = candidate.table
    return any(any(row) for row in (table.header, *table.rows))


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


def _choose(text: str, candidates: list[Candidate]) -> Candidate | None:
    if not candidates:
        return None
    if len(candidates) == 1:
        return candidates[0]
    candidates = _flag_repetition(text, candidates)
    announced = 0
    for match in _ANNOUNCEMENT.finditer(text, 0, candidates[-1].start):
        announced = match.start()
    last = [c for c in candidates if c.start >= announced]
    pool = _preferred(last) or _preferred(candidates)
    if not pool:
        return max(candidates, key=lambda c: (c.certain, bool(c.table.rows), c.start))
    answer = pool[-1]
    unfinished = candidates[-1]
    has_more = len(unfinished.table.rows) > len(answer.table.rows)
    if has_more and unfinished.certain and not unfinished.complete:
        return unfinished
    return answer


def _preferred(candidates: list[Candidate]) -> list[Candidate]:
    complete = [c for c in candidates if c.complete]
    return [c for c in complete if c.certain] or complete


def _flag_repetition(text: str, candidates: list[Candidate]) -> list[Candidate]:
    """Mark a last table as cut off that only repeats the start of an earlier one."""
    *earlier, last = candidates
    rows = last.table.rows
    if text[last.end :].strip():
        return candidates
    for candidate in earlier:
        known = candidate.table
        longer = candidate.complete and len(known.rows) > len(rows)
        if longer and (known.header, known.rows[: len(rows)]) == (
            last.table.header,
            rows,
        ):
            return [*earlier, replace(last, complete=False)]
    return candidates
