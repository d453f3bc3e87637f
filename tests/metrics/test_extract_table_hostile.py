"""Any text is accepted, at a cost that grows no faster than its length."""

import pytest
from hypothesis import given, settings, strategies as st
from reference.cost import growth
from reference.table_forms import FORMS

from tableqa_metrics import Table, extract_table, find_table
from tableqa_metrics.extraction.tables.layout import LONGEST_KEPT


REPEATED = [
    "|", "|\n", "| ", "a|b\n", "a|b\n\n", "|a|b|\n|-|-|\n", "---|---\n", "|---|---|\n",
    "-", "- ", "- |\n", "> ", "> |\n", ">", "#", ":-", "+-", "+---+\n", "│", "─│\n",
    "`", "```\n", "```\na|b\n", "~~~", "`|", "\\|", "\\", "*", "| **a | *b |\n",
    "| _a_b_ |\n", "|[a](b)|[a](\n", "| [ [ ( ](|\n", "|&amp;|\n", "&", "&amp;", "<", ">",
    "<table>", "<table><tr><td>x", "<td>", "</table>", "<table", "<table a='", "<!--",
    "<table><td colspan=999 rowspan=999>x</table>", "<td><table>", "|<b <b|\n", "<br>",
    "[", "{", "[[", "[{", "{\"", "{'", "{\"a\":", "{a:", "[[\"a\",", "{\"a\":1}\n", "(",
    "[[\"a\",\"b\"],[1", "{\"a\":\"\n", "[\"", "\"", "'", "]", "}", "[{\"a\":", "[[1],[2],",
    ",", ",\n", "a,\"b\n", "a,b\n", "x, y, z.\n", ";", "a;b\n", "\t", "a\tb\n", "\ta\n",
    "\n", " ", " \n", "\r", "\r\n", "\x0b", "\x00", "\ud800", "\u2028", "\u202e", "９",
    "9", "é", "entity\n", "entity|\n", "title|x\n", "Question:\n", "Q: x\n", "Answer:\n",
    "the answer ", "<|im_end|>", "<think>", "</think>", "\\begin{tabular}{l}", "& \\\\ ",
    "\\begin{tabular}[", "| a | b | |---|---| | 1 | 2 | ", "| a | b |\n\n",
    "{|\n", "{|\n! a !! b\n|-\n| c || d\n", "{|\n| a=b |", "a=b ", "| colspan=999 | x ||",
    "\\multirow{9}{*}{x} & ", "\\multicolumn{999}{c}{x} & ", "\\makecell{", "\\textbf{",
    "\\begin{tabular}{", "- a: b\n", "a: b\n", "a: b\n\n", "a:\n", "a:\n- b\n", "a: [b, c]\n",
    "- a\n", "**a**\n", "# a\n", "1. a\n  - b: c\n", "1. **a**\n", "<a>", "</a>", "<a ",
    "<a><b>x</b></a>", "<a b='c'/>", "<a b='", "a  b\n", "a   b   c\n", "a  b  ", "  x",
    "--  --\n", "==  ==\na  b\n", "-- ", "columns=", "columns=['a',", "[[1,2],[3,4]] columns=['a','b'] ",
    "\\n|", "|\\n", "Sources:\n| a | b |\n|---|---|\n| 1 | 2 |\n", "\ufeff", "\u200b|\n",
    "| 1 | 2 |\nAlso\n", "I is a|b in use for all\n\n", "| | |\n", "| ... | ... |\n", "`a|b`\n",
    "**a|b**\n", "<li>a", "a\t\"b\n", "[{\"a\":{\"b\":1}},", "{\"entity\":1,\"a\":",
]  # fmt: skip


# Lines of shorter texts are kept from one call to the next: a second try on one of them
# would be cheaper than its share of the long text.
SHORT = LONGEST_KEPT + 5_000
FACTOR = 8


def _assert_linear(prefix: str, unit: str, suffix: str = "") -> None:
    def response(size: int) -> str:
        return prefix + _repeat(unit, size) + suffix

    # A quadratic cost would grow by the square of the factor, 64.
    assert growth(find_table, response, SHORT, FACTOR) < 3 * FACTOR


def _repeat(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


@pytest.mark.parametrize("unit", REPEATED)
def test_cost_is_linear(unit: str) -> None:
    _assert_linear("", unit)


@pytest.mark.parametrize(
    "prefix", ["| a | b |\n|---|---|\n| ", "[[", "<table><tr><td>"]
)
@pytest.mark.parametrize(
    "unit", ["|", "x", " ", "[", "*", "`", "\\", "&", "<", '"', "\n"]
)
def test_cost_of_one_huge_cell_is_linear(prefix: str, unit: str) -> None:
    _assert_linear(prefix, unit, " |\n")


@pytest.mark.parametrize(
    ("prefix", "unit"),
    [
        ("+---+\n| a |\n+===+\n| b |\n+---+\n", "| x |\n"),
        ("+---+\n| a |\n+===+\n| b |\n+---+\n", "| x |\n+---+\n"),
        ("+---+---+\n| a | b |\n+---+---+\n| c | d |\n", "|   | x |\n"),
        ("| a | b |\n|---|---|\n", "| x\ny | z |\n"),
        ("| a | b |\n|---|---|\n", "| x\n"),
        ("| a | b |\n|---|---|\n", "| 1 | 2 |\nnote\n"),
        ("entity|b\n", "x\n"),
        ("entity|b\nc|d\n\n", "e|f\n\n"),
        ("a,b\n", '"x\n'),
        ('[{"a": 1},', '{"a": 2},\n'),
        ('{"a": {"b": {"c": [', '"x",'),
        ("<table>", "<tr><td rowspan=3 colspan=2>x"),
        ("<table><tr><td>", "<li>x<sup>[1]</sup>"),
        ("| a | b |\n|-|-|\n| 1 | 2 |\n\n", "Answer:\n\n| a | b |\n|---|---|\n"),
        ("", "| a | b |\n|---|---|\n| 1 | 2 |\n\nThen:\n\n"),
        ("", "<answer>a|b\n1|2\n</answer>\n"),
        ("", "Question: x\na|b\n1|2\n"),
    ],
)
def test_cost_of_one_long_table_is_linear(prefix: str, unit: str) -> None:
    _assert_linear(prefix, unit)


@pytest.mark.parametrize(
    "unit", ["|", "a|b\n", "[", '{"', "`", "<td>", "<table>", "\n", '"']
)
def test_megabyte_is_accepted(unit: str) -> None:
    find_table(_repeat(unit, 1_000_000))


@pytest.mark.parametrize("form", FORMS)
def test_twenty_thousand_rows(form: str) -> None:
    header = ("entity", "n", "share")
    rows = tuple((f"row {i}", str(i), f"{i % 100}.5 %") for i in range(20_000))
    writer, rule = FORMS[form]
    found = find_table(writer(Table(header, rows)))
    assert found.rule == rule
    assert found.table == Table(header, rows)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("[", "]"),
        ('{"a":', "}"),
        ('[{"a":', "}]"),
        ("<table><tr><td>", "</td></tr></table>"),
        ("<div>", "</div>"),
        ("<b>", "</b>"),
        ("> ", ""),
        ("<a>", "</a>"),
        ("<a><b>", "</b></a>"),
        ("{|\n|", "\n|}"),
        ("\\textbf{", "}"),
        ("\\begin{tabular}{l}", "\\end{tabular}"),
        ('{"entity": 1, "a":', "}"),
        ("(", ")"),
        ("**", "**"),
        ("[a](", ")"),
        ("<think>", "</think>"),
    ],
)
def test_deep_nesting(opening: str, closing: str) -> None:
    core = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    table = "<table><tr><td>a<td>b<tr><td>1<td>2</table>"
    for inner in (core, table, '[["a", "b"], [1, 2]]', ""):
        nested = opening * 10_000 + inner + closing * 10_000
        find_table(nested)
        found = find_table(f"{nested}\n\nFinal answer:\n\n{core}")
        assert found.table == Table(("a", "b"), (("1", "2"),))


def test_spans_do_not_explode() -> None:
    cell = '<td colspan="1000" rowspan="9999">x</td>'
    table = extract_table(f"<table>{f'<tr>{cell * 50}</tr>' * 50}</table>")
    assert table is not None
    assert sum(map(len, (table.header, *table.rows))) < 100_000


def test_objects_without_a_common_key_do_not_explode() -> None:
    objects = ", ".join(f'{{"k{i}": {i}}}' for i in range(5_000))
    assert extract_table(f"[{objects}]") is None


FRAGMENTS = [
    *REPEATED, "|---|", "| a | b |", "a|b", "1,2", "entity", "x", "```json", "<tr>", "\\|",
    "<th>", "</tr>", "<table>", "</table>", "null", "True", "...", "\\begin{tabular}",
    "\\end{tabular}", "Final answer:", "**Answer**", "|:-:|-|", "===", "┌─┬─┐", "└─┴─┘",
    "title|", "colspan=3", "<caption>", "&nbsp;", "[^1]", "`", "{\"columns\": [", "\"data\":",
    "9" * 5_000, "1e999", "nan", "９９", "\u202eabc", "a\u0301", "\ufeff", "\u200b", "(1 row)",
]  # fmt: skip


def _check(response: str) -> None:
    found = find_table(response)
    assert extract_table(response) == found.table
    if found.table is None:
        assert (found.text, found.rule) == ("", None)
        assert found.reason in (
            "empty",
            "unfinished_thought",
            "refusal",
            "nothing_found",
        )
        return
    assert found.reason is None
    assert found.rule
    assert found.table.header
    assert found.text.strip("\n")
    for row in (found.table.header, *found.table.rows):
        assert all(isinstance(cell, str) and cell == cell.strip() for cell in row)
    if found.rule != "tanq_lines":
        assert found.text.strip() == found.table.serialize().strip()


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_any_text(response: str) -> None:
    _check(response)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=40))
def test_any_sequence_of_fragments(fragments: list[str]) -> None:
    _check("".join(fragments))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40))
def test_any_sequence_of_lines(fragments: list[str]) -> None:
    _check("\n".join(fragments))


@settings(max_examples=200, deadline=None)
@given(data=st.data(), form=st.sampled_from(sorted(FORMS)))
def test_damaged_tables(data: st.DataObject, form: str) -> None:
    table = Table(("entity", "x", "y"), (("A", "1", "b, c"), ("D", "", "2.5 %")))
    text = FORMS[form][0](table)
    for _ in range(data.draw(st.integers(1, 5))):
        i = data.draw(st.integers(0, len(text)))
        j = data.draw(st.integers(i, min(len(text), i + 3)))
        text = text[:i] + data.draw(st.sampled_from(["", *FRAGMENTS])) + text[j:]
    _check(text)
