"""Tables cut off by the token limit keep their whole rows."""

import pytest
from reference.table_forms import FORMS

from tableqa_metrics import Table, find_table
from tableqa_metrics.extraction.tables import FoundTable


TABLE = Table(
    ("entity", "genre", "year"),
    (
        ("History of the World, Part I", "comedy film, parody film", "1981"),
        ("High Anxiety", "", "1977"),
        ("Spaceballs", "science fiction", "-12.5 %"),
        ("Amélie", "comédie", "2001"),
    ),
)

# How much of a last, unfinished row is kept: nothing where the form marks the end of a
# row, whole cells where it marks the end of a cell, else also the start of a cell.
WHOLE_ROWS = [
    "html_pretty",
    "json_objects",
    "json_objects_wrapped",
    "json_lines",
    "json_lists",
    "json_split",
    "json_header_rows",
    "python_literal",
    "python_tuples",
    "latex",
]
WHOLE_CELLS = [
    "github",
    "github_aligned",
    "github_tight",
    "pipes_without_rule",
    "mysql",
    "rst",
    "box",
    "json_text",
]
PARTS_OF_CELLS = [
    "github_bare",
    "tanq",
    "tanq_spaced",
    "psql",
    "tabs",
    "commas",
    "commas_quoted",
    "semicolons",
    "html_unclosed_cells",
    "wiki",
    "rst_simple",
]
# Here a cut leaves a header that lacks what was still to come, or none.
OTHERS = ["json_columns", "github_bold", "dataframe", "yaml_list", "key_values"]
OTHERS += ["titled_list"]


def test_every_form_is_tested() -> None:
    assert {*WHOLE_ROWS, *WHOLE_CELLS, *PARTS_OF_CELLS, *OTHERS} == set(FORMS)


def _cuts(form: str) -> list[FoundTable]:
    """What is found in each beginning of the written table."""
    written = "These:\n\n" + FORMS[form][0](TABLE).rstrip()
    return [find_table(written[:length]) for length in range(len(written))]


@pytest.mark.parametrize("form", [*WHOLE_ROWS, *WHOLE_CELLS, *PARTS_OF_CELLS])
def test_cut_anywhere(form: str) -> None:
    n_rows = [0]
    for found in _cuts(form):
        table = found.table
        if table is None or not table.rows:
            continue
        assert table.header == TABLE.header
        assert len(table.rows) >= n_rows[-1] - 1
        *whole, last = table.rows
        k = len(whole)
        expected = TABLE.rows[k]
        assert tuple(whole) == TABLE.rows[:k]
        if form in WHOLE_ROWS:
            assert last == expected
        elif form in WHOLE_CELLS:
            assert last == expected[: len(last)]
        else:
            n = len(last) - 1
            assert last[:n] == expected[:n]
            assert expected[n].startswith(last[n])
        n_rows.append(len(table.rows))
    assert max(n_rows) >= len(TABLE.rows) - 1


@pytest.mark.parametrize("form", [*WHOLE_ROWS, *WHOLE_CELLS])
def test_all_rows_but_the_last_survive(form: str) -> None:
    written = FORMS[form][0](TABLE).rstrip()
    cut = find_table(written[: written.rfind("2001")])
    assert cut.table is not None
    assert cut.table.rows[:3] == TABLE.rows[:3]


def test_json_columns_keep_whole_columns() -> None:
    written = FORMS["json_columns"][0](TABLE)
    found = find_table(written[: written.index('"year"')])
    assert found.table is not None
    assert found.table.header == TABLE.header[:2]
    assert found.table.rows == tuple(row[:2] for row in TABLE.rows)


@pytest.mark.parametrize("form", ["yaml_list", "key_values", "titled_list"])
def test_records_keep_what_was_written(form: str) -> None:
    written = FORMS[form][0](TABLE)
    found = find_table(written[: written.rindex("comédie") + 3])
    assert found.table is not None
    assert found.table.header == TABLE.header
    assert found.table.rows[:3] == TABLE.rows[:3]
    assert found.table.rows[3] == ("Amélie", "com", "")


def test_a_program_that_was_cut_off_before_its_columns_has_a_row_for_a_header() -> None:
    written = FORMS["dataframe"][0](TABLE)
    found = find_table(written[: written.index("columns")])
    assert found.table == Table(TABLE.rows[0], TABLE.rows[1:])


def test_unfinished_table_does_not_beat_a_complete_one() -> None:
    complete = FORMS["github"][0](TABLE)
    for cut in range(40, len(complete) - 2):
        again = f"{complete}\nOnce more, with a source:\n\n{complete[:cut]}"
        assert find_table(again).table == TABLE


def test_unfinished_table_with_more_rows_is_the_answer() -> None:
    draft = Table(TABLE.header, TABLE.rows[:1]).to_markdown()
    cut = TABLE.to_markdown()[:-5]
    found = find_table(f"Draft:\n\n{draft}\n\nFinal answer:\n\n{cut}")
    assert found.table == Table(TABLE.header, TABLE.rows[:3])


def test_unfinished_table_alone_is_found() -> None:
    found = find_table("| entity | year |\n|---|---|\n| Spaceballs | 19")
    assert found.table == Table(("entity", "year"), ())
    assert found.text == "entity|year\n"
