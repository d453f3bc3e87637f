"""Tables, evidence and references as the text of a prompt.

A context is built from whole pieces of evidence in a fixed order, up to a number of
characters: what does not fit is left out from the end, and no piece is cut in two.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableqa_metrics.scoring.answer_scores import answer_text
from tableqa_metrics.table import table_from_rows


@dataclass(frozen=True)
class Context:
    """The evidence of one prompt, and whether any was left out for its length."""

    text: str
    truncated: bool


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence, ready to print, and where it stands.

    `kind` is `"text"`, `"infobox"` or `"table"`; `page` and `section` may be empty.
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


def distinct(pieces: Iterable[Evidence]) -> Iterator[Evidence]:
    """Yield each piece once that says anything.

    The same words on the same page are the same piece, whatever section they are
    attributed to; the first of them is the one that counts.
    """
    seen: set[tuple[str, str]] = set()
    for piece in pieces:
        if piece.body and (piece.page, piece.body) not in seen:
            seen.add((piece.page, piece.body))
            yield piece


def by_page(pieces: Iterable[Evidence], *, ranked: bool = False) -> list[Evidence]:
    """Put evidence in the order of a prompt, each piece once (see `distinct`).

    Pages are in the order of their titles, whatever order they came in, so that the
    order says nothing about which of them an answer needs; where `ranked`, they are in
    the order in which they first came. What has no page comes first in either order.
    Within a page, what has no section comes first, then the sections and their pieces
    in the order in which they first came.
    """
    pages: dict[str, dict[str, list[Evidence]]] = {}
    for piece in distinct(pieces):
        pages.setdefault(piece.page, {}).setdefault(piece.section, []).append(piece)
    return [
        piece
        for page in sorted(pages, key=bool if ranked else None)
        for section in sorted(pages[page], key=bool)
        for piece in pages[page][section]
    ]


def best_that_fit(ranked: Sequence[Evidence], max_chars: int) -> list[Evidence]:
    """Choose evidence by its rank for a text of at most `max_chars` characters.

    A piece that does not fit beside those before it is left out whole, and the next
    that does is taken.

    Parameters
    ----------
    ranked
        Distinct pieces, the best first. They are printed by `render_pages` in the order
        of `by_page(…, ranked=True)`.
    max_chars
        See `render_pages`.

    Examples
    --------
    >>> bodies = "Oslo is a city.", "It has " + 90 * "very " + "many people.", "Area: 480"
    >>> ranked = [Evidence("Oslo", "", "text", body) for body in bodies]
    >>> [piece.body for piece in best_that_fit(ranked, max_chars=50)]
    ['Oslo is a city.', 'Area: 480']
    """

    def length(pieces: Sequence[Evidence]) -> int:
        ordered = by_page(pieces, ranked=True)
        parts = map(_with_headings, ordered, [None, *ordered])
        return sum(map(len, parts))

    chosen: list[Evidence] = []
    rest = list(ranked)
    while rest:
        # Each piece makes the text longer, so bisection finds the first that does not fit.
        count = bisect_right(
            range(len(rest)),
            max_chars,
            key=lambda last: length([*chosen, *rest[: last + 1]]),
        )
        chosen += rest[:count]
        room = max_chars - length(chosen)
        rest = [piece for piece in rest[count + 1 :] if len(piece.body) <= room]
    return chosen


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
        gap = "" if before is None else "\n\n"
        page = f"## {piece.page}\n" if piece.page else ""
    elif piece.section != before.section:
        gap, page = "\n\n", ""
    else:
        facts = piece.kind == before.kind == "infobox"
        return ("\n" if facts else "\n\n") + piece.body
    section = f"### {piece.section}\n" if piece.section else ""
    return gap + page + section + piece.body
