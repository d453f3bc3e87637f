"""Tables, evidence and references as the text of a prompt.

A context is built from whole pieces of evidence in a fixed order, up to a number of
characters: what does not fit is left out from the end, and no piece is cut in two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableqa_metrics.answer_scores import answer_text
from tableqa_metrics.table import table_from_rows


@dataclass(frozen=True)
class Context:
    """The evidence of one prompt, and whether any was left out for its length."""

    text: str
    truncated: bool


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence, ready to print, and where it stands.

    `kind` is `"text"`, `"infobox"` or `"table"`; `section` may be empty.
    """

    page: str
    section: str
    kind: str
    body: str


def markdown_table(rows: Iterable[Sequence[str]]) -> str:
    r"""Write rows, the first of which is the header, as a GitHub table.

    Pipes in cells are escaped, line breaks become spaces, short rows are padded. No
    rows give the empty string.

    Examples
    --------
    >>> print(markdown_table([("year", "a | b"), ("2019", "7")]))
    | year | a \| b |
    | --- | --- |
    | 2019 | 7 |
    """
    return table_from_rows(rows).to_markdown()


def answer_line(gold: Mapping[str, Any]) -> str:
    """Write a TAT-QA reference as the answer line that the prompts ask for.

    Examples
    --------
    >>> answer_line({"answer": ["12.5", "13"], "scale": "million"})
    'The answer is: 12.5#13 #### and its corresponding scale is: million'
    """
    scale = gold.get("scale") or "none"
    return (
        f"The answer is: {hash_line(gold['answer'])} "
        f"#### and its corresponding scale is: {scale}"
    )


def hash_line(answer: object) -> str:
    """Write an answer on one line, several values with `#` between two of them.

    Examples
    --------
    >>> hash_line(["2018", "2019"]), hash_line(-12.6), hash_line(94.0)
    ('2018#2019', '-12.6', '94')
    """
    values = answer if isinstance(answer, list) else [answer]
    return "#".join(" ".join(answer_text(value).split()) for value in values)


def evidence(proof: Mapping[str, Any]) -> Evidence:
    """Print one proof of a TANQ document (see `lm_eval_tasks.data.tanq`)."""
    kind = proof["kind"]
    section = " > ".join(
        part for part in (proof["parent_section"], proof["section"]) if part
    )
    if kind == "table":
        caption, rows = proof["caption"], proof["rows"]
        body = "\n\n".join(part for part in (caption, markdown_table(rows)) if part)
    elif kind == "infobox":
        section = section or "Infobox"
        body = f"{proof['key']}: {proof['value']}"
    else:
        body = proof["text"].strip()
    return Evidence(proof["page"], section, kind, body)


def by_page(pieces: Iterable[Evidence]) -> list[Evidence]:
    """Put evidence in the order of a prompt, each piece once.

    Pages are in the order of their titles, whatever order they came in, so that the
    order says nothing about which of them an answer needs. Within a page, what has no
    section comes first, then the sections and their pieces in the order in which they
    first came. The same words on the same page are the same piece, whatever section
    they are attributed to.
    """
    pages: dict[str, dict[str, list[Evidence]]] = {}
    seen: set[tuple[str, str]] = set()
    for piece in pieces:
        if piece.body and (piece.page, piece.body) not in seen:
            seen.add((piece.page, piece.body))
            pages.setdefault(piece.page, {}).setdefault(piece.section, []).append(piece)
    return [
        piece
        for page in sorted(pages)
        for section in sorted(pages[page], key=bool)
        for piece in pages[page][section]
    ]


def render_pages(pieces: Sequence[Evidence], max_chars: int) -> Context:
    r"""Print evidence that is in the order of `by_page`, under headings.

    Parameters
    ----------
    pieces
        Evidence, all of a page and all of a section together.
    max_chars
        How long the text may be, headings included. The first piece that does not fit
        and all that follow it are left out.

    Examples
    --------
    >>> pieces = [
    ...     Evidence("Oslo", "", "text", "Oslo is a city."),
    ...     Evidence("Oslo", "Infobox", "infobox", "Area: 480 km²"),
    ... ]
    >>> print(render_pages(pieces, max_chars=100).text)
    ## Oslo
    Oslo is a city.
    <BLANKLINE>
    ### Infobox
    Area: 480 km²
    >>> render_pages(pieces, max_chars=30)
    Context(text='## Oslo\nOslo is a city.', truncated=True)
    """
    parts: list[str] = []
    length = 0
    before: Evidence | None = None
    for piece in pieces:
        part = _with_headings(piece, before)
        if length + len(part) > max_chars:
            return Context("".join(parts), truncated=True)
        parts.append(part)
        length += len(part)
        before = piece
    return Context("".join(parts), truncated=False)


def _with_headings(piece: Evidence, before: Evidence | None) -> str:
    if before is None or piece.page != before.page:
        gap, page = "" if before is None else "\n\n", f"## {piece.page}\n"
    elif piece.section != before.section:
        gap, page = "\n\n", ""
    else:
        facts = piece.kind == before.kind == "infobox"
        return ("\n" if facts else "\n\n") + piece.body
    section = f"### {piece.section}\n" if piece.section else ""
    return gap + page + section + piece.body
