"""What each form may look like, and what is no table."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from tableqa_metrics import Table, extract_table, find_table


AB = Table(("a", "b"), (("1", "2"),))
ENTITY = Table(("entity", "opened"), (("Harbour Lab", "1987"),))


def _case(bug_cases: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(case for case in bug_cases if case["id"] == name)


class TestBugReports:
    @pytest.mark.parametrize("name", ["B59", "B60"])
    def test_without_outer_pipes_or_rule(self, reference: Any, name: str) -> None:
        case = _case(reference("bug_cases.json"), name)
        table = extract_table(case["input"]["text"])
        assert table is not None
        assert [[*row] for row in (table.header, *table.rows)] == case["expected"][
            "rows"
        ]

    def test_b58_outer_pipes_do_not_ruin_a_perfect_table(self, reference: Any) -> None:
        case = _case(reference("bug_cases.json"), "B58")["input"]
        assert find_table(case["pred_table"]).text.strip() == case["gold_table"]

    def test_b62_unescaped_pipe(self, reference: Any) -> None:
        case = _case(reference("bug_cases.json"), "B62")
        table = extract_table(case["input"]["text"])
        assert table is not None
        assert table.ragged
        assert len(table.header) == case["expected"]["width"]
        assert table.rows == (("U1", "x", "", "398", "900"),)

    def test_b64_escaped_pipe(self, reference: Any) -> None:
        case = _case(reference("bug_cases.json"), "B64")
        line = case["expected"]["line"]
        table = extract_table(f"| rule | text |\n|---|---|\n{line}")
        assert table is not None
        assert [*table.rows[0]] == case["input"]["row"]

    def test_b67_values_stay_in_their_order(self, reference: Any) -> None:
        case = _case(reference("bug_cases.json"), "B67")["input"]
        assert find_table(case["pred_table"]).text == case["pred_table"]

    def test_b69_thought_with_blank_lines(self, reference: Any) -> None:
        case = _case(reference("bug_cases.json"), "B69")
        response, answer = case["input"]["generation"], case["expected"]["answer"]
        assert find_table(response) == find_table(answer)
        assert extract_table(response) == ENTITY

    def test_b70_unfinished_thought(self, reference: Any) -> None:
        case = _case(reference("bug_cases.json"), "B70")
        found = find_table(case["input"]["generation"])
        assert (found.table, found.reason) == (None, "unfinished_thought")

    def test_b73_table_of_two_lines(self, reference: Any) -> None:
        case = _case(reference("bug_cases.json"), "B73")
        assert extract_table(case["input"]["generation"]) == ENTITY

    def test_b74_question_restated(self) -> None:
        response = "Question: what is it?\nAnswer:\n| a | b |\n|---|---|\n| 1 | 2 |"
        assert extract_table(response) == AB


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**61**", "61"),
        ("*61*", "61"),
        ("***61***", "61"),
        ("__61__ and _62_", "61 and 62"),
        ("`x = 1`", "x = 1"),
        ("``a`b``", "a`b"),
        ("[text](https://example.org/a_b)", "text"),
        ('[text](<u v> "title")', "text"),
        ("[**bold** text](u)", "bold text"),
        ("![flag](u) Oman", "flag Oman"),
        ("<https://example.org>", "https://example.org"),
        ("~~1976~~ 1977", "1976 1977"),
        ("High Anxiety[^1]", "High Anxiety"),
        ("Dutch<br>Frisian<br/>Welsh", "Dutch, Frisian, Welsh"),
        ("Dutch,<br />Frisian", "Dutch, Frisian"),
        ("- Dutch<br>- Frisian", "Dutch, Frisian"),
        ("<b>61</b> km<sup>2</sup>", "61 km2"),
        ("S&amp;P&nbsp;500 &lt; x", "S&P 500 < x"),
        ("&#8364;5", "€5"),
        (r"\*\_\#", "*_#"),
        (r"p \| q", "p | q"),
        ("`p \\| q`", "p | q"),
        ("`p|q`", "p|q"),
        ("2\xa0310", "2 310"),
        ("\u200bx\ufeff", "x"),
        # Literal, although CommonMark would take some of them for marks.
        ("snake_case_name", "snake_case_name"),
        ("5 * 3", "5 * 3"),
        ("5*10*3", "5*10*3"),
        ("M*A*S*H", "M*A*S*H"),
        ("*NSYNC", "*NSYNC"),
        ("AT&T", "AT&T"),
        ("AC\\DC", "AC\\DC"),
        ("[REC]", "[REC]"),
        ("1977 [1][2]", "1977 [1][2]"),
        ("[High Anxiety][1] (1977)", "High Anxiety (1977)"),
        ("a < b > c", "a < b > c"),
        ("<Unknown>", "<Unknown>"),
        ("$5", "$5"),
        ("-", "-"),
        ("–", "–"),
        ("**", "**"),
    ],
)
def test_what_a_reader_sees_in_a_cell(written: str, read: str) -> None:
    table = extract_table(f"| entity | x |\n|---|---|\n| Rent | {written} |\n")
    assert table == Table(("entity", "x"), (("Rent", read),))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("| a | b |\n|:--|--:|\n| 1 | 2 |", "github"),
        ("|a|b|\n|-|-|\n|1|2|", "github"),
        ("a | b\n:-: | -\n1 | 2", "github"),
        ("| a | b\n|---|---\n| 1 | 2", "github"),
        ("a | b |\n---|---|\n1 | 2 |", "github"),
        ("| a | b |\n| --- |\n| 1 | 2 |", "pipe_lines"),
        ("| a | b |\n| === | === |\n| 1 | 2 |", "pipe_lines"),
        ("a | b\n------\n1 | 2", "pipe_lines"),
        ("| a | b |\n\n|---|---|\n\n| 1 | 2 |", "github"),
        ("| a | b | |---|---| | 1 | 2 |", "github"),
        ("- | a | b |\n  |---|---|\n  | 1 | 2 |", "github"),
        ("- a | b\n- 1 | 2", "pipe_lines"),
        ("1. | a | b |\n2. | 1 | 2 |", "pipe_lines"),
        ("| a | b |\n|---+---|\n| 1 | 2 |", "grid"),
        ("┏━━━┳━━━┓\n┃ a ┃ b ┃\n┡━━━╇━━━┩\n│ 1 │ 2 │\n└───┴───┘", "grid"),
        ("a ｜ b\n1 ｜ 2", "pipe_lines"),
        ("Answer: a|b\n1|2", "tanq_lines"),
        ("**Answer:** a | b\n1 | 2", "tanq_lines"),
        ("a,b\n1,2", "comma"),
        ("```\na, b\n1, 2\n```", "comma"),
        ("a;b\n1;2", "semicolon"),
        ("  a\tb\n  1\t2", "tab"),
        ("<table><td>a<td>b<tr><td>1<td>2</table>", "html"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr>", "html"),
        ("[{'a': 1, 'b': '2'},]", "json_objects"),
        ('{a: ["1"], b: ["2"]}', "json_columns"),
        ('{"a": {"0": 1}, "b": {"0": 2}}', "json_columns"),
        ('{"table": {"header": ["a", "b"], "rows": [[1, 2]]}}', "json_split"),
        ('{"schema": {}, "data": [{"a": 1, "b": 2}]}', "json_objects"),
        ('{"a": "1", "b": "2"}', "json_record"),
        ('{"answer": "a|b\\n1|2\\n"}', "json_text"),
        (r"\begin{array}{c|c} a & b \\ \hline 1 & 2 \end{array}", "latex"),
    ],
)
def test_other_ways_to_write_a_form(text: str, rule: str) -> None:
    found = find_table(text)
    assert found.table == AB
    assert found.rule == rule


def test_json_values_as_they_are_written() -> None:
    text = """[{"entity": "A", "year": 1977, "share": 0.10, "list": ["x", 2, null],
    "none": null, "bool": true, "exp": 1e3}, {"entity": "Ä", "new": "\\ud83d\\ude00"}]"""
    assert extract_table(text) == Table(
        ("entity", "year", "share", "list", "none", "bool", "exp", "new"),
        (
            ("A", "1977", "0.10", "x, 2", "", "true", "1e3", ""),
            ("Ä", "", "", "", "", "", "", "😀"),
        ),
    )


def test_python_values() -> None:
    text = "result = [{'entity': \"it's\", 'x': None}, {'entity': 'é\\'s', 'x': True}]"
    assert extract_table(text) == Table(
        ("entity", "x"), (("it's", ""), ("é's", "true"))
    )


def test_json_object_of_rows() -> None:
    text = '{"Harbour Lab": {"opened": 1987}, "Mill House": {"staff": 42}}'
    assert extract_table(text) == Table(
        ("entity", "opened", "staff"),
        (("Harbour Lab", "1987", ""), ("Mill House", "", "42")),
    )


def test_html_spans_lists_and_footnotes() -> None:
    text = """<p>Here:</p><table class="x"><thead><tr><th rowspan="2">entity</th>
    <th colspan="2">size</th></tr></thead><tr><td>n<sup>[1]</sup></td><td>km<sup>2</sup>
    </td></tr><tr><td><a href="u">A</a>&nbsp;&amp;<br>B</td><td><ul><li>1</li>
    <li>2</li></ul></td><td><!-- none --></td></tr></table>"""
    assert extract_table(text) == Table(
        ("entity", "size", "size"),
        (("entity", "n", "km2"), ("A &, B", "1, 2", "")),
    )


def test_html_nested_tables() -> None:
    inner = "<table><tr><td>a<td>b<tr><td>1<td>2</table>"
    assert extract_table(f"<table><tr><td>{inner}</table>") == AB
    outer = extract_table(f"<table><tr><td>x<td>y<tr><td>{inner}<td>z</table>")
    assert outer == Table(("x", "y"), (("a, b, 1, 2", "z"),))


def test_grid_with_rows_of_several_lines() -> None:
    text = """
+--------+-------+
| entity | genre |
+========+=======+
| High   | drama |
| Noon   | film  |
+--------+-------+
| Rent   | a     |
|        | b     |
+--------+-------+
"""
    assert extract_table(text) == Table(
        ("entity", "genre"), (("High Noon", "drama film"), ("Rent", "a b"))
    )


@pytest.mark.parametrize(
    "text",
    [
        "| a | b | c |\n|---|---|---|\n| 1 | 2 |\n| 3 | 4 | 5 | 6 |\n| 7 | 8 | 9 |\n",
        "a|b|c\n1|2\n3|4|5|6\n7|8|9\n",
        "a\tb\tc\n1\t2\n3\t4\t5\t6\n7\t8\t9\n",
        "```csv\na,b,c\n1,2\n3,4,5,6\n7,8,9\n```\n",
        '[["a","b","c"],[1,2],[3,4,5,6],[7,8,9]]',
        (
            "<table><tr><td>a<td>b<td>c<tr><td>1<td>2<tr><td>3<td>4<td>5<td>6"
            "<tr><td>7<td>8<td>9</table>"
        ),
    ],
)
def test_ragged_rows_stay_as_written(text: str) -> None:
    table = extract_table(text)
    assert table is not None
    assert table.ragged
    assert [table.header, *table.rows] == [
        ("a", "b", "c"),
        ("1", "2"),
        ("3", "4", "5", "6"),
        ("7", "8", "9"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I do not know the answer.",
        "Use `a|b` or a|b in a sentence.",
        "Either x | y.\n\nOr, as others say, u | v.",
        "- Harbour Lab: 1987\n- Mill House: 2006\n",
        "* entity, opened\n* Harbour Lab, 1987\n",
        "1. Harbour Lab, 1987, 310\n2. Mill House, 2006, 42\n",
        "In 1987, the lab opened.\nIn 1990, it closed.\n",
        "Alice, Bob, and Carol\nDave, Erin, and Frank\n",
        "Revenue was 1,200\nCosts were 1,100\n",
        "Dear Sir,\n\nthank you for your letter, which we read.\n",
        "January 5, 2020\nMarch 3, 2021\n",
        "It was fine; we liked it.\nIt was new; we bought it.\n",
        "Entity: Harbour Lab\nOpened: 1987\n",
        "\tindented text\n\tand more of it\n",
        "f(x, y)\ng(x, y)\n",
        "```python\nx = a | b\ny = c | d\nprint(x, y)\nprint(y, x)\n```",
        "```bash\ncat a | sort\ncat b | uniq\n```",
        "src/\n├── main.py\n│   └── x\n└── y\n",
        "The set {1, 2} and the matrix [[1, 2], [3, 4]].",
        'The answer is {"answer": "12.5", "scale": "million"}.',
        "[1] and [[2]] are references.",
        "Title\n=====\n\nSection\n-------\n\n---\n\nText\n",
        "<p>no table</p><td>cell</td>",
        "|",
        "||||",
        "+---+\n+---+",
        "|---|---|",
        "```\n```",
        "<table></table>",
        "[]{}[[]][{}]",
        "\\begin{tabular}{ll}\\end{tabular}",
    ],
)
def test_no_table(text: str) -> None:
    found = find_table(text)
    assert found.table is None
    reason = "refusal" if text == "I do not know the answer." else "nothing_found"
    assert (found.text, found.rule, found.reason) == ("", None, reason)


@pytest.mark.parametrize("separator", ["\n", " ", "\n\n"])
def test_reports_in_prose_hold_no_table(shared: Path, separator: str) -> None:
    tatqa = json.loads(
        (shared / "data/tatqa/tatqa_dataset_dev.json").read_text("utf-8")
    )
    finqa_file = shared / "data/finqa/finqa_test_assembled.json"
    finqa = json.loads(finqa_file.read_text("utf-8"))
    texts = [[paragraph["text"] for paragraph in c["paragraphs"]] for c in tatqa]
    texts += [
        record[key] or [] for record in finqa for key in ("pre_text", "post_text")
    ]
    assert sum(map(bool, texts)) > 1_000
    for paragraphs in texts:
        assert extract_table(separator.join(paragraphs)) is None


@pytest.mark.parametrize("text", ["", " \n\t", "<think>x</think>\n"])
def test_empty(text: str) -> None:
    assert find_table(text).reason == "empty"


def test_rows_after_a_blank_line_or_a_note_belong_to_the_table() -> None:
    head = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    expected = Table(("a", "b"), (("1", "2"), ("3", "4"), ("5", "6")))
    for between in ("\n", "*(continued)*\n", "\n*(continued)*\n", "...\n"):
        assert extract_table(f"{head}{between}| 3 | 4 |\n| 5 | 6 |\n") == expected


def test_total_below_a_second_rule() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n|---|---|\n| sum | 2 |\n"
    assert extract_table(text) == Table(("a", "b"), (("1", "2"), ("sum", "2")))


class TestSeveralTables:
    def test_the_last_one(self) -> None:
        text = "| a | b |\n|---|---|\n| 9 | 9 |\n\nBetter:\n\na|b\n1|2\n3|4\n"
        assert extract_table(text) == Table(("a", "b"), (("1", "2"), ("3", "4")))

    def test_the_same_header_again_without_a_blank_line(self) -> None:
        table = "| a | b |\n|---|---|\n| 9 | 9 |\n"
        assert extract_table(table + table.replace("9 | 9", "1 | 2")) == AB

    def test_two_in_tanq_form(self) -> None:
        text = "entity|x\nA|1\nB|2\n\nentity|x\nC|3\nD|4\n"
        found = find_table(text)
        assert found.text == "entity|x\nC|3\nD|4\n"

    def test_what_might_be_prose_does_not_beat_a_certain_table(self) -> None:
        table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        notes = "name, source, page\nRent, book, 12\n"
        assert extract_table(f"{table}\nNotes\n\n{notes}") == AB
        final = extract_table(f"{table}\nFinal answer:\n\n{notes}")
        assert final == Table(("name", "source", "page"), (("Rent", "book", "12"),))

    def test_a_header_without_rows_does_not_beat_a_table(self) -> None:
        table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        assert extract_table(f"{table}\nFinal answer:\n\n| x | y |\n|---|---|\n") == AB

    def test_answer_announced_but_given_before(self) -> None:
        table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        assert extract_table(f"{table}\nAnswer: see the table above.") == AB


@pytest.mark.parametrize("tag", ["answer", "final_answer", "result"])
def test_tags_around_the_answer(tag: str) -> None:
    draft = "| a | b |\n|---|---|\n| 9 | 9 |\n\n"
    for table in ("a|b\n1|2", "| a | b |\n|---|---|\n| 1 | 2 |", "a,b\n1,2"):
        for response in (f"<{tag}>{table}</{tag}>", f"<{tag}>\n{table}\n</{tag}>\n"):
            assert extract_table(response) == AB
            assert extract_table(draft + response) == AB


def test_line_break_in_a_cell() -> None:
    text = "| a | b |\n|---|---|\n| x\ny | 1 |\n| z | 2\n3 |\n| u | 4 |\n"
    assert extract_table(text) == Table(
        ("a", "b"), (("x y", "1"), ("z", "2 3"), ("u", "4"))
    )


@pytest.mark.parametrize(
    "turn",
    [
        "Question: next",
        "\nQ: next",
        "\nQ2: next",
        "**Question:** next",
        "### Question\nnext",
        "## Question 2:\nnext",
        "User: next",
        "Human: next",
        "### Instruction:\nnext",
        "<|im_end|>\n<|im_start|>user\nnext",
        "<|eot_id|><|start_header_id|>user<|end_header_id|>\n",
        "</s>[INST] next [/INST]",
        "<end_of_turn>\n<start_of_turn>user\n",
        "<｜User｜>next",
    ],
)
def test_next_turn_is_cut_off(turn: str) -> None:
    for table in ("| a | b |\n|---|---|\n| 1 | 2 |", "a|b\n1|2", "[['a','b'],[1,2]]"):
        response = (
            f"{table}\n{turn}\nAnswer:\n| no | no |\n|---|---|\n| 9 | 9 |\n| 8 | 8 |"
        )
        assert extract_table(response) == AB


_WORD = st.text("abcdeXYZ0129é世", min_size=1, max_size=6)
_MARKED = st.one_of(
    _WORD,
    _WORD.map("**{}**".format),
    _WORD.map("*{}*".format),
    _WORD.map("__{}__".format),
    _WORD.map("`{}`".format),
    _WORD.map("[{}](https://example.org)".format),
    _WORD.map("{}&amp;x".format),
    _WORD.map("\\*{}".format),
    _WORD.map("{} \\| y".format),
)
_CELL = st.lists(_MARKED, max_size=3).map(" ".join)


@given(data=st.data(), width=st.integers(1, 4), height=st.integers(0, 4))
def test_equals_markdown_it_on_well_formed_tables(
    data: st.DataObject, width: int, height: int
) -> None:
    row = st.lists(_CELL, min_size=width, max_size=width)
    header = data.draw(st.lists(_MARKED, min_size=width, max_size=width))
    body = data.draw(st.lists(row, min_size=height, max_size=height))
    lines = [header, ["---"] * width, *body]
    text = "".join("| " + " | ".join(line) + " |\n" for line in lines)

    cells = [
        "".join(part.content for part in token.children or ())
        for token in MarkdownIt("commonmark").enable("table").parse(text)
        if token.type == "inline"
    ]
    expected = [tuple(cells[i : i + width]) for i in range(0, len(cells), width)]
    assert extract_table(text) == Table(expected[0], tuple(expected[1:]))
