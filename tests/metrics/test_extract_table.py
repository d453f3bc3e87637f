"""Tables read back from every form that models write, bare and among other text."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from reference.table_forms import FORMS

from tableqa_metrics import Table, extract_table, find_table
from tableqa_metrics.extraction.tables.layout import tidy
from tableqa_metrics.table import parse_serialized


FILMS = Table(
    ("entity", "original language", "genre", "year"),
    (
        ("History of the World, Part I", "English", "comedy film, parody film", "1981"),
        ("Le Fabuleux Destin d'Amélie", "français", "", "2001-04-25"),
        ('"Crocodile" Dundee', "English", "action; comedy", "1986"),
        ("千と千尋の神隠し", "日本語", "アニメ", "2001"),
    ),
)
NUMBERS = Table(
    ("entity", "revenue ($ million)", "change", "share", "note"),
    (
        ("Harbour Lab", "2,310.5", "-12.4", "14.1 %", "(2,310.5)"),
        ("Mill House", "0.10", "−5", "½", "5 * 3"),
        ("S&P 500", "1e3", "+7", "<0.1%", "snake_case_name"),
        ("M*A*S*H", "1977", "0", "12.50%", "#3 @ 7"),
    ),
)
PIPES = Table(("entity", "rule", "n"), (("Rule 4", "p | q", "1"), ("A||B", "|x|", "2")))
ONE_ROW = Table(("movie", "composer"), (("Simha", "Rajan-Nagendra"),))
TABLES = {"films": FILMS, "numbers": NUMBERS, "one row": ONE_ROW}

# A bare pipe cannot stand in a cell of these forms.
RECORDS = ("yaml_list", "key_values", "titled_list")
NO_PIPES = (
    "tanq",
    "tanq_spaced",
    "mysql",
    "rst",
    "psql",
    "wiki",
    "rst_simple",
    *RECORDS,
)
# A lone row in these forms might be prose.
AMBIGUOUS = ("json_lines", *RECORDS)
LANGUAGES = {
    "github": "markdown",
    "wiki": "wikitext",
    "key_values": "yaml",
    "comma": "csv",
    "semicolon": "csv",
    "tab": "tsv",
    "html": "html",
    "latex": "latex",
}


def _language(rule: str) -> str:
    return "json" if rule.startswith("json") else LANGUAGES.get(rule, "")


WRAPS = {
    "bare": "{table}",
    "fenced": "```{language}\n{table}\n```",
    "tildes": "~~~\n{table}\n~~~\n",
    "fence never closed": "Answer:\n```{language}\n{table}\n",
    "prose around": (
        "The films, as far as I know, are these:\n\n{table}\n\n"
        "I hope that this helps; ask me, if anything is unclear!"
    ),
    "prose adjacent": "Sure! Here it is:\n{table}",
    "thought": "<think>\n| a | b |\n|---|---|\n| no | no |\n</think>\n\n{table}",
    "thought opened in the prompt": "so a|b it is</think>{table}",
    "draft first": (
        "A first draft:\n\n| entity | x |\n|---|---|\n| wrong | 1 |\n| wrong | 2 |\n\n"
        "**Final answer:**\n\n{table}"
    ),
    "cut-off repetition": "{table}\n\nAgain:\n\n| entity | x |\n|---|---|\n| wro",
    "next question": (
        "{table}\n\nQuestion: And which of them won?\nAnswer:\n\n"
        "| entity | x |\n|---|---|\n| wrong | 1 |\n| wrong | 2 |\n"
    ),
    "chat token": "{table}\n<|im_end|>\n<|im_start|>user\n| a | b |\n|---|---|\n| 1 | 2 |",
    "heading above": "## Films\n\n{table}\n\n*Source: memory.*",
}


def _cases(tables: dict[str, Table]) -> list:
    return [
        pytest.param(table, form, id=f"{name}-{form}")
        for name, table in tables.items()
        for form in FORMS
        if not (name == "pipes" and form in NO_PIPES)
        if not (name == "one row" and form in AMBIGUOUS)
    ]


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize(("table", "form"), _cases({**TABLES, "pipes": PIPES}))
def test_each_form_in_each_surrounding(table: Table, form: str, wrap: str) -> None:
    writer, rule = FORMS[form]
    written = writer(table).rstrip("\n")
    response = WRAPS[wrap].format(table=written, language=_language(rule))
    found = find_table(response)
    assert found.table == table
    assert found.rule == rule
    assert found.reason is None
    assert parse_serialized(found.text) == parse_serialized(table.serialize())


@pytest.mark.parametrize(("table", "form"), _cases(TABLES))
def test_line_ends_of_windows(table: Table, form: str) -> None:
    writer, _ = FORMS[form]
    assert extract_table("So:\n\n" + writer(table).replace("\n", "\r\n")) == table


LINE_FORMS = [
    form
    for form, (_, rule) in FORMS.items()
    if not rule.startswith("json") and rule not in ("html", "latex")
]


@pytest.mark.parametrize("prefix", ["> ", ">> ", "    "])
@pytest.mark.parametrize("form", LINE_FORMS)
def test_quoted_and_indented(form: str, prefix: str) -> None:
    lines = FORMS[form][0](FILMS).splitlines()
    quoted = "".join(f"{prefix}{line}\n" for line in lines)
    assert extract_table(f"It reads:\n\n{quoted}") == FILMS


@pytest.mark.parametrize("form", FORMS)
def test_gold_tables(shared: Path, form: str) -> None:
    writer, rule = FORMS[form]
    lines = (shared / "data/tanq/test_input.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        gold = parse_serialized(json.loads(line)["answer_table"])
        response = f"These are the ones:\n\n{writer(gold)}\n\nI hope this helps!"
        found = find_table(response)
        assert found.table == gold
        assert found.rule == rule
        assert found.text.strip() == json.loads(line)["answer_table"].strip() or (
            form == "tanq_spaced"
        )


# Cells without marks of Markdown, which begin and end in a letter or digit.
_PLAIN = st.from_regex(
    r"([a-zé世0-9A-Z½]([a-z0-9 ,.;'()/#%+$!?@=−-]{0,8}[a-z0-9])?)?", fullmatch=True
)
_FILLED = st.from_regex(
    r"[a-zé世0-9A-Z½]([a-z0-9 ,.;'()/#%+$!?@=−-]{0,8}[a-z0-9])?", fullmatch=True
)
_QUOTED = st.from_regex(
    r"""([a-z0-9]([a-z0-9 ,;'"\t]{0,8}[a-z0-9])?)?""", fullmatch=True
)
_ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(str.strip)


def _cells_of(form: str) -> st.SearchStrategy[str]:
    rule = FORMS[form][1]
    if rule.startswith("json") and form != "json_text":
        return _ANY.filter(lambda cell: tidy(cell) == cell)
    if rule == "html":
        printable = st.characters(exclude_categories=["C", "Z"])
        return st.lists(st.text(printable, min_size=1, max_size=4)).map(" ".join)
    if rule in ("comma", "semicolon"):
        return _QUOTED
    if rule == "wiki":
        return _PLAIN.filter(lambda cell: "!!" not in cell and "''" not in cell)
    if rule == "latex":
        return _PLAIN.filter(lambda cell: "  " not in cell)
    # a column without any value is none here
    return _FILLED if form in RECORDS else _PLAIN


@st.composite
def _tables(draw: st.DrawFn, form: str) -> Table:
    cells = _cells_of(form)
    words = (
        ("entity", "q", "a", "input", "user", "human")
        if form in RECORDS
        else ("entity",)
    )
    key = cells.filter(lambda cell: cell.strip() and cell.casefold() not in words)
    names = draw(st.lists(key, min_size=1, max_size=4, unique_by=str.casefold))
    row = st.tuples(key, *[cells] * len(names))
    rows = draw(st.lists(row, min_size=2, max_size=5))
    return Table(("entity", *names), tuple(rows))


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_round_trip(form: str, data: st.DataObject) -> None:
    writer, rule = FORMS[form]
    table = data.draw(_tables(form))
    found = find_table(f"I know these:\n\n{writer(table)}\n\nThat is all I found!")
    assert found.table == table
    assert found.rule == rule


@pytest.mark.parametrize("name", ["Rows", "Data", "values", "Records", "table"])
def test_a_column_may_have_the_name_of_a_wrapper(name: str) -> None:
    table = Table(("entity", name), (("Oslo", "7"), ("Rome", "8")))
    found = find_table(json.dumps({"entity": ["Oslo", "Rome"], name: ["7", "8"]}))
    assert (found.table, found.rule) == (table, "json_columns")


def test_quarters_are_columns_not_questions() -> None:
    text = "entity: A\nQ1: 5\nQ2: 6\n\nentity: B\nQ1: 7\nQ2: 8\n"
    table = Table(("entity", "Q1", "Q2"), (("A", "5", "6"), ("B", "7", "8")))
    assert find_table(text).table == table
    for question in ("Q3: Which is largest?", "Q3: Compute it.", "Q: the largest"):
        assert find_table(f"{text}\n{question}\nentity: C\nQ1: 1").table == table


def test_rows_of_numbers_are_a_table_where_a_program_names_their_columns() -> None:
    text = 'df = pd.DataFrame([[2019, 5], [2020, 6]], columns=["Year", "Revenue"])'
    table = Table(("Year", "Revenue"), (("2019", "5"), ("2020", "6")))
    assert find_table(text).table == table
    assert find_table("[[2019, 5], [2020, 6]]").table is None
