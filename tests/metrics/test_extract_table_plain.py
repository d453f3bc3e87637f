"""Shortcuts in table extraction find what the long way finds."""

from unittest.mock import patch

import pytest
from hypothesis import example, given, settings, strategies as st

from tableqa_metrics import FoundTable, find_table
from tableqa_metrics.extraction.tables import html_tables, pipes, tanq_lines
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


def _mostly(
    usual: st.SearchStrategy[str], odd: st.SearchStrategy[str], *, times: int
) -> st.SearchStrategy[str]:
    """Draw the usual so many times as often as the odd."""
    return st.integers(0, times).flatmap(lambda n: usual if n < times else odd)


WORDS = st.sampled_from(
    ("Rent", "1977", "entity", "year", "5", "a, b", "Zoë", "Answer")
)
PIECES = st.sampled_from(
    (
        *("", " ", "-", "--", "—", ":-:", "...", "*", "**x**", "`", "~~~", "\\", "<b>"),
        *("&amp;", "\xa0", "\u200b", "\ufeff", "\x1d", "\x1f", "\u2028", "\r", "│"),
        *("┼", "+", "=", "_", "[1]", "║x", ">", ":", "#", "1", "2", "title"),
    )
)
CELL = _mostly(WORDS, PIECES | st.lists(PIECES | WORDS).map("".join), times=12)
ABOVE = _mostly(
    st.sampled_from(("", "So:\n\n", "Here it is:\n", "```\n", "```md\n")),
    st.sampled_from(
        (
            *("```python\n", "~~~\n", "---\n", "+---+\n", "│a│b│\n", "> a\n", "a|b\n"),
            *(
                "entity\n",
                "Sources:\n",
                "- ",
                "| Rent | 1 |\n",
                "| a |\n\n",
                "> ",
                "\v",
            ),
        )
    ),
    times=3,
)
BELOW = _mostly(
    st.sampled_from(("", "\n", "\n\nDone.", "\n```\n")),
    st.sampled_from(
        (
            *("\n---\n", "\nx|y\n", "\n| 1 | 2 |\n", "\n\n| 1 | 2 |", "|", " ", "\v"),
            *("\n\n(continued)\n| 1 |\n", "\n\nNote: a | b", "\n─┼─\n", "\n\n│a│b│"),
        )
    ),
    times=3,
)
DASHES = _mostly(st.sampled_from(("---", ":--")), st.sampled_from(("-", "==")), times=5)


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Lines between two pipes, some with other numbers of cells, in some text."""
    width = draw(st.integers(1, 3))
    row = st.lists(CELL, min_size=width, max_size=width)
    rows = [draw(row), [draw(DASHES)] * width, *draw(st.lists(row, max_size=3))]
    if draw(st.integers(0, 5)) == 0:
        rows.insert(draw(st.integers(0, len(rows))), draw(st.lists(CELL, max_size=4)))
    pad = draw(st.sampled_from((" ", "")))
    lines = [f"|{pad}{f'{pad}|{pad}'.join(row)}{pad}|" for row in rows]
    return draw(ABOVE) + "\n".join(lines) + draw(BELOW)


@example(TABLE + "\n" + TABLE)
@given(tables())
@settings(max_examples=400)
def test_the_shortcut_finds_what_the_long_way_finds(text: str) -> None:
    assert find_table(text) == _the_long_way(text)


HTML = (
    "<table>\n<thead>\n<tr><th>entity</th><th>year</th></tr>\n</thead>\n<tbody>\n"
    '<tr>\n  <td class="name">Rent</td>\n  <td>2005</td>\n</tr>\n</tbody>\n</table>'
)
MARKUP = _mostly(
    st.just(""),
    st.sampled_from(
        (
            *("x", "<br>", "<b>x</b>", "<!-- x -->", "<caption>x</caption>", "&amp;"),
            *("&lt;td>", "<p>", "</p>", "</td>", "</tr>", "<tr>", "<td>", "<tbody>"),
            *(
                "</tbody>",
                "</thead>",
                "</table>",
                "<table>",
                "\x00",
                "\ud800",
                "<",
                ">",
            ),
        )
    ),
    times=30,
)
ATTRIBUTE = _mostly(
    st.just(""),
    st.sampled_from(
        (
            *(
                ' class="a b"',
                ' style="color: #000;"',
                " border=1",
                " ",
                ' colspan="2"',
            ),
            *(' rowspan="2"', " class='a'", ' id="', ' CLASS="x"'),
        )
    ),
    times=30,
)
SPACE = st.sampled_from(("", "", "\n", "\n  ", "\r\n", "\t", "\xa0", "\x0b", "\x1c"))


def _as_lxml_reads(text: str) -> FoundTable:
    with patch.object(html_tables, "_read_plain", return_value=[]):
        return find_table(text)


@pytest.mark.parametrize(
    "text",
    [
        HTML,
        "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>",
        "<table><tr><td>Films</td></tr><tr><td>a</td><td>b</td></tr></table>",
        HTML.replace("Rent", " Zoë\xa0\n\u200b "),
        HTML.replace("<table>", '<table border="1" class="x">'),
    ],
)
def test_a_plain_html_table_is_read_without_lxml(text: str) -> None:
    found = _as_lxml_reads(text)
    with patch.object(html_tables, "_read", side_effect=AssertionError):
        assert find_table(text) == found
    assert found.rule == "html"


@st.composite
def html_texts(draw: st.DrawFn) -> str:
    """HTML tables, most of them well-formed."""
    space = draw(SPACE)

    def element(name: str, content: str) -> str:
        opening, closing = f"<{name}{draw(ATTRIBUTE)}>", f"</{name}>"
        return f"{opening}{space}{content}{closing}{space}{draw(MARKUP)}"

    def row(name: str) -> str:
        written = draw(st.lists(CELL, min_size=1, max_size=3))
        return element("tr", "".join(element(name, cell) for cell in written))

    body = "".join(row("td") for _ in range(draw(st.integers(0, 3))))
    if draw(st.booleans()):
        body = element("tbody", body)
    head = row("th")
    if draw(st.booleans()):
        head = element("thead", head)
    return element("table", head + body)


@example(HTML.replace("</tr>", "", 1))
@example(HTML.replace("Rent", "A &amp; B"))
@example(HTML.replace("<td>2005", '<td colspan="2">2005'))
@given(html_texts())
@settings(max_examples=400)
def test_plain_html_is_read_as_lxml_reads_it(text: str) -> None:
    assert find_table(text) == _as_lxml_reads(text)
