"""Tables and evidence in prompts: whole pieces, each once, in an order that tells nothing."""

import random

import pytest
from hypothesis import given, strategies as st

from lm_eval_tasks.prompts import (
    Context,
    Evidence,
    by_page,
    evidence,
    markdown_table,
    render_pages,
)


TEXT_PROOF = {
    "kind": "text",
    "page": "Silverado (film)",
    "section": "Plot",
    "parent_section": "",
    "text": " Four riders meet.\n",
    "key": "",
    "value": "",
    "caption": "",
    "rows": [],
}
INFOBOX_PROOF = {
    **TEXT_PROOF,
    "kind": "infobox",
    "section": "",
    "text": "",
    "key": "Music by",
    "value": "Bruce Broughton",
}
TABLE_PROOF = {
    **TEXT_PROOF,
    "kind": "table",
    "section": "Awards",
    "parent_section": "Reception",
    "text": "",
    "caption": "Nominations",
    "rows": [["Award", "Result"], ["Best | Sound", "Lost"], ["Score"]],
}


def test_markdown_table_escapes_pads_and_keeps_a_row_on_its_line():
    table = markdown_table([("a|b", "c"), ("line one\nline two",)])
    assert table.split("\n") == [
        r"| a\|b | c |",
        "| --- | --- |",
        "| line one line two |  |",
    ]


def test_markdown_table_of_nothing():
    assert markdown_table([]) == ""


def test_each_kind_of_proof():
    assert evidence(TEXT_PROOF) == Evidence(
        "Silverado (film)", "Plot", "text", "Four riders meet."
    )
    assert evidence(INFOBOX_PROOF) == Evidence(
        "Silverado (film)", "Infobox", "infobox", "Music by: Bruce Broughton"
    )
    table = evidence(TABLE_PROOF)
    assert table.section == "Reception > Awards"
    assert table.body.split("\n") == [
        "Nominations",
        "",
        "| Award | Result |",
        "| --- | --- |",
        r"| Best \| Sound | Lost |",
        "| Score |  |",
    ]


def test_a_table_without_a_caption_starts_with_its_header():
    assert evidence({**TABLE_PROOF, "caption": ""}).body.startswith("| Award |")


def test_a_page_is_printed_under_one_heading():
    proofs = [INFOBOX_PROOF, {**INFOBOX_PROOF, "key": "Country"}, TEXT_PROOF]
    proofs.insert(1, {**TEXT_PROOF, "page": "Body Heat", "section": ""})
    context = render_pages(by_page(map(evidence, proofs)), max_chars=1000)
    assert context.text == (
        "## Body Heat\n"
        "Four riders meet.\n\n"
        "## Silverado (film)\n"
        "### Infobox\n"
        "Music by: Bruce Broughton\n"
        "Country: Bruce Broughton\n\n"
        "### Plot\n"
        "Four riders meet."
    )
    assert not context.truncated


def test_what_has_no_section_comes_first_on_its_page():
    pieces = [Evidence("P", "Later", "text", "b"), Evidence("P", "", "text", "a")]
    assert render_pages(by_page(pieces), 100).text == "## P\na\n\n### Later\nb"


def test_the_same_words_on_one_page_are_printed_once():
    pieces = [
        Evidence("P", "", "text", "same"),
        Evidence("P", "Plot", "text", "same"),
        Evidence("Q", "", "text", "same"),
    ]
    assert render_pages(by_page(pieces), 100).text == "## P\nsame\n\n## Q\nsame"


def test_nothing_gives_an_empty_context():
    assert render_pages(by_page([]), 10) == Context("", False)
    assert render_pages(by_page([Evidence("P", "", "text", "")]), 10) == Context(
        "", False
    )


def test_a_first_piece_that_is_too_long_leaves_nothing():
    pieces = by_page(
        [Evidence("A", "", "text", "x" * 50), Evidence("B", "", "text", "y")]
    )
    assert render_pages(pieces, 20) == Context("", True)


@pytest.mark.parametrize(("max_chars", "whole"), [(8, False), (9, True)])
def test_headings_count(max_chars, whole):
    pieces = [Evidence("Page", "", "text", "x")]  # "## Page" and a line break are 8
    assert render_pages(pieces, max_chars) == Context("## Page\nx" * whole, not whole)


PIECES = st.lists(
    st.builds(
        Evidence,
        st.sampled_from(["Page A", "Page B", "Øre"]),
        st.sampled_from(["", "Infobox", "Plot > End"]),
        st.sampled_from(["text", "infobox", "table"]),
        st.text(max_size=8),
    ),
    max_size=12,
)


@given(PIECES, st.integers(1, 120))
def test_a_budget_leaves_out_whole_pieces_from_the_end(pieces, max_chars):
    ordered = by_page(pieces)
    context = render_pages(ordered, max_chars)
    kept = next(
        n
        for n in range(len(ordered), -1, -1)
        if len(render_pages(ordered[:n], 10**9).text) <= max_chars
    )
    assert context.text == render_pages(ordered[:kept], 10**9).text
    assert context.truncated == (kept < len(ordered))


@given(PIECES)
def test_every_piece_is_there_once(pieces):
    ordered = by_page(pieces)
    keys = [(piece.page, piece.body) for piece in ordered]
    assert len(keys) == len(set(keys))
    assert set(keys) == {(piece.page, piece.body) for piece in pieces if piece.body}
    text = render_pages(ordered, 10**9).text
    assert all(piece.body in text for piece in ordered)


@given(PIECES, st.randoms(use_true_random=False))
def test_the_order_of_pages_does_not_tell_which_came_first(
    pieces: list[Evidence], rng: random.Random
):
    shuffled = rng.sample(pieces, len(pieces))
    pages = [piece.page for piece in by_page(pieces)]
    assert pages == [piece.page for piece in by_page(shuffled)]
    assert pages == sorted(pages)
