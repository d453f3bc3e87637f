"""Shortcuts in table extraction find what the long way finds."""

from unittest.mock import patch

import pytest
from hypothesis import example, given, settings, strategies as st

from tableqa_metrics import FoundTable, find_table
from tableqa_metrics.extraction.tables import pipes, tanq_lines
from tableqa_metrics.extraction.tables.plain_github import plain_github


def _the_long_way(text: str) -> FoundTable:
    with (
        patch.object(pipes, "plain_github", return_value=None),
        patch.object(tanq_lines, "plain_github", return_value=None),
    ):
        return find_table(text)


TABLE = "| entity | year |\n|---|:--:|\n| Rent | 2005 |\n| Annie | 1982 |"
PLAIN = [
    TABLE,
    TABLE + "\n",
    f"Here is the table.\n\n{TABLE}\n\nNote: made up.",
    f"```\n{TABLE}\n```",
    f"So:\n```markdown\n{TABLE}\n```\nDone.",
    TABLE.replace("Rent", "**Rent** &amp; *x*"),
    TABLE.replace("Rent", "Zoë\xa0\u200b–"),
    TABLE.replace(" ", ""),
    TABLE.replace("| Rent | 2005 |", "| Rent |"),
    TABLE.replace("entity", ""),
    TABLE.replace("entity | year", "Films |  ").replace("Rent | 2005", "entity | year"),
]
NOT_PLAIN = [
    "",
    "entity|year\nRent|2005",
    TABLE.replace("Rent", "a \\| b"),
    TABLE.replace("Rent", "`a|b`"),
    TABLE.replace("Rent", "--"),
    TABLE.replace("Rent | 2005", "- | -"),
    TABLE.replace("entity | year", "- | -"),
    TABLE.replace("Rent | 2005", "... | ..."),
    TABLE.replace("|---|:--:|\n", ""),
    TABLE.replace("|---|", "|"),
    TABLE.replace("---", "-"),
    TABLE.replace("\n", "\r\n"),
    TABLE.replace("\n", "\n\n"),
    TABLE.replace("Rent", "a\u2028|b"),
    TABLE + " x",
    TABLE + "\n|",
    TABLE + "\n\n" + TABLE,
    "a | b\n\n" + TABLE,
    "- " + TABLE,
    "+---+\n" + TABLE,
    TABLE + "\n\n│a│b│",
    f"```python\n{TABLE}\n```",
    f"```\nx\n```\n{TABLE}",
    f"~~~\n{TABLE}\n~~~",
]


@pytest.mark.parametrize("text", PLAIN)
def test_most_tables_take_the_shortcut(text: str) -> None:
    assert plain_github(text) is not None
    assert find_table(text) == _the_long_way(text)
    assert find_table(text).rule == "github"


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_what_needs_a_second_look_takes_none(text: str) -> None:
    assert plain_github(text) is None


PIECES = (
    *("Rent", "1977", "entity", "title", "5", "a, b", "Zoë", "Answer", "#", "1", "2"),
    *("", " ", "-", "--", "—", ":-:", "...", "*", "**x**", "`", "~~~", "\\", "<b>"),
    *("&amp;", "\xa0", "\u200b", "\ufeff", "\x1d", "\x1f", "\u2028", "\r", "│", "┼"),
    *("+", "=", "_", "[1]", "║x", ">", ":"),
)
CELL = st.one_of(
    *[st.sampled_from(PIECES[:8])] * 3,
    st.sampled_from(PIECES),
    st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
)
AROUND = st.sampled_from(
    (
        *(
            "",
            "",
            "So:\n\n",
            "Here it is:\n",
            "```\n",
            "```md\n",
            "```python\n",
            "~~~\n",
        ),
        *(
            "---\n",
            "+---+\n",
            "│a│b│\n",
            "> a\n",
            "\n",
            "entity\n",
            "\n\n(continued)\n",
        ),
        *(
            "\n```\n",
            "\n---\n",
            "\nx|y\n",
            "\n| 1 | 2 |\n",
            "| Rent | 1 |\n",
            "|",
            "\v",
        ),
    )
)


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Lines between two pipes, some with other numbers of cells, in some text."""
    width = draw(st.integers(1, 3))
    row = st.lists(CELL, min_size=width, max_size=width)
    dashes = draw(st.sampled_from((["---"], [":--"], ["-----"], ["-"], ["=="])))
    rows = [draw(row), dashes * width, *draw(st.lists(row, max_size=3))]
    if draw(st.integers(0, 5)) == 0:
        rows.insert(draw(st.integers(0, len(rows))), draw(st.lists(CELL, max_size=4)))
    pad = draw(st.sampled_from((" ", "")))
    lines = [f"|{pad}{f'{pad}|{pad}'.join(row)}{pad}|" for row in rows]
    return draw(AROUND) + "\n".join(lines) + draw(st.just("\n") | AROUND)


@example(TABLE + "\n" + TABLE)
@given(tables())
@settings(max_examples=400)
def test_the_shortcut_finds_what_the_long_way_finds(text: str) -> None:
    assert find_table(text) == _the_long_way(text)
