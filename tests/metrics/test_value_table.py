"""`value_table_score`: faithful renderings, wrong cells, keys, bounds, the slow twin."""

import inspect
import json
import random

import pytest
from hypothesis import assume, example, given, settings, strategies as st
from reference import table_forms
from reference.cost import growth
from reference.value_table_plain import value_plain

from tableqa_metrics import PRF, Table, extract_table, value_table_score
from tableqa_metrics.table import parse_serialized, table_from_rows
from tableqa_metrics.value.names import MAX_PAIRS
from tableqa_metrics.value.pairing import pair_tables
from tableqa_metrics.value.reading import read_value


FULL = PRF(1.0, 1.0, 1.0)
NONE = PRF(0.0, 0.0, 0.0)
GOLD = table_from_rows(
    [
        ["entity", "date of opening", "visitors", "languages", "area"],
        ["Harbour Lab", "1987-05-02", "12,500", "Dutch, Frisian, Welsh", "480 km²"],
        ["Mill House (museum)", "May 2006", "-3.5", "Dutch", "12 km²"],
        ["Pier 7", "1999", "$2 million", "", "1.5 km²"],
    ]
)


def changed(table, row, column, text):
    rows = [list(line) for line in (table.header, *table.rows)]
    rows[row][column] = text
    return table_from_rows(rows)


def transposed(table):
    return table_from_rows(list(zip(table.header, *table.rows, strict=True)))


def score(gold, found):
    return value_table_score(table_from_rows(gold), table_from_rows(found))


@pytest.fixture(scope="session")
def golds(shared):
    """The ten public references of TANQ."""
    text = (shared / "data" / "tanq" / "test_input.jsonl").read_text(encoding="utf-8")
    return [parse_serialized(json.loads(r)["answer_table"]) for r in text.splitlines()]


# --- faithful renderings


def shuffled(table, seed):
    """Rows and columns in another order, the key column wherever it falls."""
    rng = random.Random(seed)
    columns = rng.sample(range(len(table.header)), len(table.header))
    rows = rng.sample(table.rows, len(table.rows))
    return table_from_rows([[row[j] for j in columns] for row in (table.header, *rows)])


def each_cell(change):
    def render(table):
        return table_from_rows(
            [[change(cell) for cell in row] for row in (table.header, *table.rows)]
        )

    return render


def each_value(change):
    """Change the cells below the header and beside the row names."""

    def render(table):
        rows = [(row[0], *map(change, row[1:])) for row in table.rows]
        return Table(table.header, tuple(rows))

    return render


def day_in_words(cell):
    """A full date as prose has it; all other cells as they are."""
    year, _, rest = cell.partition("-")
    if len(cell) != 10 or not year.isdigit() or cell.count("-") != 2:
        return cell
    months = "January February March April May June July August September October"
    name = [*months.split(), "November", "December"][int(rest[:2]) - 1]
    return f"{name} {int(rest[3:])}, {year}"


FAITHFUL = {
    "as it is": lambda table: table,
    "rows reversed": lambda table: Table(table.header, table.rows[::-1]),
    "shuffled": lambda table: shuffled(table, 1),
    "shuffled and transposed": lambda table: transposed(shuffled(table, 2)),
    "transposed": transposed,
    "snake case": lambda t: Table(
        tuple(cell.replace(" ", "_") for cell in t.header), t.rows
    ),
    "capitals": each_cell(str.upper),
    "bold": each_cell(lambda cell: f"**{cell}**" if cell else cell),
    "quoted": each_cell(lambda cell: f'"{cell}"'),
    "spaced": each_cell(lambda cell: f"  {cell}\u00a0 "),
    "dates in words": each_cell(day_in_words),
    "blanks named": each_cell(lambda cell: cell or "n/a"),
    "values reversed": each_value(lambda cell: ", ".join(cell.split(", ")[::-1])),
    "values by semicolon": each_value(lambda cell: cell.replace(", ", "; ")),
    "values by and": each_value(lambda cell: " and ".join(cell.rsplit(", ", 1))),
    "key renamed": lambda table: Table(("film", *table.header[1:]), table.rows),
    "with a title": lambda table: Table(table.header, table.rows, title="Answer"),
}


@pytest.mark.parametrize("rendering", FAITHFUL)
def test_a_faithful_rendering_scores_full(rendering, golds):
    for gold in (GOLD, *golds):
        assert value_table_score(gold, FAITHFUL[rendering](gold)) == FULL


FORMS = [
    name
    for name, write in inspect.getmembers(table_forms, inspect.isfunction)
    if write.__module__ == table_forms.__name__ and not name.startswith("_")
]


@pytest.mark.parametrize("form", FORMS)
def test_a_gold_that_was_written_and_extracted_scores_full(form, golds):
    write = getattr(table_forms, form)
    for gold in golds:
        assert value_table_score(gold, extract_table(write(gold))) == FULL


def test_a_list_of_one_row_is_found_in_a_line():
    gold = [["entity"], ["a b"], ["c"]]
    assert score(gold, [["entity", "c", "A B"]]) == FULL


# --- wrong, missing and extra cells


def test_one_wrong_year_of_ten_cells_is_one_tenth():
    gold = Table(("entity", "year"), tuple((f"Film {c}", "1999") for c in "abcdefghij"))
    wrong = value_table_score(gold, changed(gold, 4, 1, "1998"))
    assert wrong.f1 == pytest.approx(0.9, abs=1e-12)


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        (1, "1987-05-03"),
        (1, "1987"),
        (1, ""),
        (2, "12,501"),
        (2, "-12,500"),
        (2, "12.5"),
        (3, "Danish"),
        (3, "Dutch, Frisian, Welsh, Danish, Latin, Greek, Basque, Irish, Manx"),
        (4, "480"),
        (4, "480 km"),
        (4, "480 kg"),
    ],
)
def test_a_wrong_cell_costs_what_it_counts(column, wrong):
    part = 3 * 2 / 12 if wrong.startswith("Dutch") else 0.0
    found = value_table_score(GOLD, changed(GOLD, 1, column, wrong))
    assert found.f1 == pytest.approx((11 + part) / 12, abs=1e-12)


def test_missing_rows_and_columns_cost_recall():
    rows = Table(GOLD.header, GOLD.rows[:2])
    assert value_table_score(GOLD, rows) == PRF(1.0, 8 / 12, 16 / 20)
    columns = Table(GOLD.header[:3], tuple(row[:3] for row in GOLD.rows))
    assert value_table_score(GOLD, columns) == PRF(1.0, 6 / 12, 12 / 18)
    ragged = Table(GOLD.header, (*GOLD.rows[:2], GOLD.rows[2][:2]))
    assert value_table_score(GOLD, ragged) == PRF(1.0, 9 / 12, 18 / 21)


def test_extra_rows_and_columns_cost_precision():
    row = Table(GOLD.header, (*GOLD.rows, ("Other", "1", "2", "3", "4")))
    assert value_table_score(GOLD, row) == PRF(12 / 16, 1.0, 24 / 28)
    column = Table((*GOLD.header, "colour"), tuple((*row, "red") for row in GOLD.rows))
    assert value_table_score(GOLD, column) == PRF(12 / 15, 1.0, 24 / 27)
    ragged = Table(GOLD.header, (*GOLD.rows[:2], (*GOLD.rows[2], "red")))
    assert value_table_score(GOLD, ragged) == PRF(12 / 13, 1.0, 24 / 25)


def test_a_column_of_numbers_before_the_key_costs_precision_only():
    table = Table(
        ("#", "film", *GOLD.header[1:]),
        tuple((str(i), *row) for i, row in enumerate(GOLD.rows, 1)),
    )
    assert value_table_score(GOLD, table) == PRF(12 / 15, 1.0, 24 / 27)


@pytest.mark.parametrize("extra", ["row", "column"])
def test_equal_rows_and_columns_count_each(extra):
    gold = [["entity", "year"], ["Pier", "1987"], ["Pier", "1987"]]
    if extra == "row":
        assert score(gold, gold[:2]) == PRF(1.0, 0.5, 2 / 3)
        assert score(gold[:2], gold) == PRF(0.5, 1.0, 2 / 3)
    else:
        twice = [[*row, row[1]] for row in gold]
        assert score(gold, twice) == PRF(0.5, 1.0, 2 / 3)
    assert score(gold, gold) == FULL


def test_rows_of_the_same_name_are_paired_for_the_best_total():
    gold = [["entity", "year", "role"], ["Pier", "1987", "a"], ["Pier", "1999", "b"]]
    assert score(gold, [gold[0], gold[2], gold[1]]) == FULL
    found = [gold[0], ["Pier", "1999", "x"], ["Pier", "y", "a"], ["Pier", "1987", "z"]]
    # 1999 for one row, and one of "a" and 1987 for the other.
    assert score(gold, found) == PRF(2 / 6, 2 / 4, 4 / 10)


def test_columns_of_the_same_name_are_paired_by_what_they_share():
    gold = [["entity", "n", "n"], ["a", "1", "2"], ["b", "2", "1"]]
    assert score(gold, [["n", "entity", "n"], ["2", "a", "1"], ["1", "b", "2"]]) == FULL


# --- names


@pytest.mark.parametrize(
    ("gold", "found", "likeness"),
    [
        ("High Anxiety", "high  anxiety", 1.0),
        ("High Anxiety", "High Anxeity", 1 - 2 / 12),
        ("High Anxiety", "High Anxiety (film)", 1.0),
        ("High Anxiety (1977 film)", "High Anxiety", 1.0),
        ("High Anxiety (1977 film)", "High Anxiety (1978 film)", 0.0),
        ("1917 (film)", "1917", 1.0),
        ("Episode 12", "Episode 13", 0.0),
        ("Part I", "Part 1", 1 - 1 / 6),
        ("2008", "2010", 0.0),
        ("2008", "2008.0", 1.0),
        ("2008-05-01", "May 1, 2008", 1.0),
        ("ab", "ba", 0.0),
        ("Pier", "", 0.0),
        ("", "", 1.0),
        ("Pier[1]", "Pier [b]", 1.0),
        ("Smith, M", "Smith", 1 - 2 / 7),
        ("5%", "5", 0.0),
        ("margin %", "margin", 1.0),
    ],
)
def test_a_cell_earns_the_likeness_of_its_row_name(gold, found, likeness):
    by_row = [[["entity", "x"], [name, "z"]] for name in (gold, found)]
    by_column = [[["entity", name], ["y", "z"]] for name in (gold, found)]
    for tables in (by_row, by_column):
        assert score(*tables).f1 == pytest.approx(likeness, abs=1e-12)


def test_what_was_paired_is_told_where_it_was_written():
    gold = table_from_rows([["entity", "a", "b"], ["x", "1", "2"], ["y", "3", "4"]])
    found = table_from_rows([["entity", "y", "x"], ["b", "4", "5"], ["c", "6", "7"]])
    pairing = pair_tables(gold, found)
    assert pairing.transposed
    assert pairing.columns == ((2, 1, 1.0),)
    assert pairing.rows == ((1, 2, 1.0), (2, 1, 1.0))
    assert [(c.reference, c.prediction, c.earned) for c in pairing.cells] == [
        ((1, 2), (1, 2), 0.0),
        ((2, 2), (1, 1), 1.0),
    ]
    assert (pairing.wanted, pairing.given) == (4, 4)


@pytest.mark.parametrize(
    ("gold", "found", "right"),
    [
        # header and cell of either table
        (("area", "480 km²"), ("area (km²)", "480"), True),
        (("area (km²)", "480"), ("area", "480 square kilometres"), True),
        (("area (km²)", "480"), ("area (in sq km)", "480 km²"), True),
        (("area (km²)", "480"), ("area", "480"), True),
        (("area (km²)", "480"), ("area (mi²)", "480"), False),
        (("area", "480 km²"), ("area (mi²)", "480"), False),
        (("height (m)", "1.85"), ("height (metres)", "1.85"), True),
        (("height (m)", "1.85"), ("height (ft)", "1.85"), False),
        (("sales", "$85.1 million"), ("sales ($ million)", "$85.1"), True),
        (("sales", "$85.1 million"), ("sales ($ in millions)", "85.1"), True),
        (("sales", "$85.1 million"), ("sales ($ million)", "$85.1 million"), True),
        (("sales ($m)", "85.1"), ("sales ($ thousand)", "85,100"), True),
        (("sales ($m)", "85.1"), ("sales ($ thousand)", "85.1"), False),
        (("sales ($m)", "85.1"), ("sales (€m)", "85.1"), False),
        (("sales ($)", "85.1"), ("sales", "€85.1"), False),
        (("sales", "$85.1"), ("sales (EUR)", "85.1"), False),
        (("sales", "85,100"), ("sales ('000)", "85.1"), True),
        (("share", "5%"), ("share (%)", "5"), True),
        (("share", "5%"), ("share (%)", "0.05"), False),
        (("share (%)", "5"), ("share", "0.05"), True),
        (("length (min)", "120"), ("length (minutes)", "120"), True),
        (("Director(s)", "Bo"), ("director", "Bo"), True),
        # without brackets
        (("area", "480 km²"), ("area, km²", "480"), True),
        (("area", "480 km²"), ("area in km²", "480"), True),
        (("area", "480 km²"), ("area_km2", "480"), True),
        (("area", "480 km²"), ("area_in_sq_km", "480"), True),
        (("area", "480 km²"), ("area, mi²", "480"), False),
        (("area in km²", "480"), ("area in mi²", "480"), False),
        (("area_km2", "480"), ("area", "480 km²"), True),
        (("share", "5%"), ("share %", "5"), True),
        (("share, %", "5"), ("share", "0.05"), True),
        (("sales", "$5 million"), ("sales_usd_million", "5"), True),
        (("sales", "$5 million"), ("sales in $ million", "5"), True),
        (("sales", "$5 million"), ("Sales, $m", "5"), True),
        (("sales", "$5 billion"), ("sales (USD, billions)", "5"), True),
        (("sales", "€5 million"), ("sales, $m", "5"), False),
        (("year of birth", "1999"), ("year_of_birth", "1999"), True),
        (("birth_year", "1999"), ("birth year", "1999-05-01"), True),
        # a unit that is none elsewhere, named by header and cell
        (("power", "5 MW"), ("power (MW)", "5"), True),
        (("power (MW)", "5"), ("power", "5.0 MW"), True),
        (("power", "5 MW"), ("power (kW)", "5"), False),
        (("power", "5 MW"), ("power (net)", "5"), False),
        (("power (net)", "5"), ("power (net)", "5 MW"), False),
        (("inhabitants", "5,000 people"), ("inhabitants (people)", "5000"), True),
        # marks of sources
        (("power[1]", "5"), ("power", "5[a]"), True),
        (("power", "5 MW"), ("power (MW)[2]", "5"), True),
    ],
)
def test_a_unit_may_stand_in_the_header(gold, found, right):
    tables = [[["entity", header], ["a", cell]] for header, cell in (gold, found)]
    assert score(*tables) == (FULL if right else NONE)
    turned = list(map(list, zip(*tables[1], strict=True)))
    assert score(tables[0], turned) == (FULL if right else NONE)


def test_rows_of_different_scales_are_different_rows():
    gold = [["entity", "a"], ["sales ($m)", "5"], ["costs ($m)", "6"]]
    found = [["entity", "a"], ["sales ($ thousand)", "5"], ["costs ($m)", "6"]]
    assert score(gold, found) == PRF(0.5, 0.5, 0.5)


# --- empty tables and single columns

EMPTY = [
    Table((), ()),
    Table(("entity",), ()),
    Table(("entity", "year"), ()),
    Table(("entity", "year"), ((), ())),
    Table((), ((), ())),
]


@pytest.mark.parametrize("empty", EMPTY)
def test_an_empty_table_never_scores(empty):
    for other in (*EMPTY, GOLD, Table(("entity",), (("a",),))):
        assert value_table_score(empty, other) == NONE
        assert value_table_score(other, empty) == NONE
    assert value_table_score(GOLD, None) == NONE


@pytest.mark.parametrize("blank", ["", "n/a", "-"])
def test_a_table_of_blanks_never_scores(blank):
    gold = [["entity", "year"], [blank, blank], [blank, blank]]
    assert (
        score(gold, gold) == score([["entity"], [blank]], [["entity"], [blank]]) == NONE
    )
    named = [["entity", "year"], ["Pier", blank]]
    assert score(named, named) == FULL
    assert score(gold, named) == NONE


def test_row_names_alone_are_no_cells():
    assert score([["entity", "year"], ["Pier", "1987"]], [["entity"], ["Pier"]]) == NONE


def test_one_column_tables_compare_their_cells():
    gold = [["entity"], ["Pier"], ["Pier"], ["1,500"]]
    assert score(gold, [["entity"], ["1500"], ["pier"], ["Pier"]]) == FULL
    assert score(gold, [["name"], ["Pier"], ["Mill"]]) == PRF(1 / 2, 1 / 3, 2 / 5)
    assert score(gold, [["entity"], ["Peir"], ["Piers"]]) == NONE
    both = [["n", "entity"], ["1", "Pier"], ["2", "Pier"], ["3", "1500"]]
    assert score(gold, both) == PRF(1 / 2, 1.0, 2 / 3)


# --- cells of several values


@pytest.mark.parametrize(
    ("gold", "found", "f1"),
    [
        ("Dutch, Frisian, Welsh", "Welsh, Dutch, Frisian", 1.0),
        ("Dutch, Frisian", "Dutch", 2 / 3),
        ("Dutch", "Dutch, Frisian", 2 / 3),
        ("Dutch, Frisian", "Dutch, Danish", 1 / 2),
        ("Dutch, Dutch", "Dutch", 1.0),
        ("Dutch, Frisian and Welsh", "Dutch; Welsh; Frisian", 1.0),
        ("Dutch and Frisian", "Frisian, Dutch", 1.0),
        ("Trinidad and Tobago", "Trinidad", 0.0),
        ("1926-07-21, 1926", "1926, July 21, 1926", 1.0),
        ("July 21, 1926", "21 July 1926", 1.0),
        ("1,500", "1500", 1.0),
        ("3, 5", "3,500", 0.0),
        ("3, 5", "5, 3", 1.0),
        ("3, 5", "5\n3.0", 1.0),
        ("History of the World, Part I", "history of the world part i", 1.0),
        ("", "-", 1.0),
        ("n/a", "unknown", 1.0),
        ("", "0", 0.0),
        ("$5", "5", 1.0),
        ("$5", "€5", 0.0),
        ("22.12%", "0.2212", 1.0),
        ("22.12%", "22.12", 0.0),
        ("120 minutes", "120 minute", 1.0),
        ("120 minutes", "120 min", 1.0),
        ("1.85 m", "1.85 metres", 1.0),
        ("5 kg", "5000 g", 0.0),
        ("5 pounds", "5 lb", 1.0),
        ("£5 million", "5 million pounds", 1.0),
        ("£5", "5 kg", 0.0),
        ("Dutch, Frisian", "Dutch / Frisian", 1.0),
        ("1, 2, 3", "3,1,2", 1.0),
        ("2018, 2019", "2019,2018", 1.0),
        ("1999", "+1999-00-00T00:00:00Z", 1.0),
        ("+1999-00-00T00:00:00Z", "1999", 1.0),
        ("São Paulo", "Sao Paulo", 1.0),
        ("BBB-", "BBB", 0.0),
        ("Class A", "Class", 0.0),
        ("Hummie Mann", "Hummie Man", 0.0),
        ("120 minutes", "120", 0.0),
        ("120 minutes", "120-minute", 1.0),
        ("Dutch, Frisian", "Dutch[1], Frisian[2]", 1.0),
        ("Dutch, Frisian", "both Frisian and Dutch", 1.0),
        ("2006–07", "2006/07", 1.0),
        ("2006–07, 2007–08", "2007-08, 2006-07", 1.0),
        ("2006", "2006–07", 0.0),
        ("", "not available", 1.0),
        ("0", "not available", 0.0),
        ("not applicable", "", 1.0),
    ],
)
def test_a_cell_of_several_values_is_a_set(gold, found, f1):
    tables = [[["entity", "x"], ["a", cell]] for cell in (gold, found)]
    assert score(*tables).f1 == pytest.approx(f1, abs=1e-12)


# --- properties

texts = st.sampled_from(
    [
        *(
            "",
            "1",
            "1.0",
            "1.04",
            "2",
            "0.25",
            "0.3",
            "2008",
            "2009",
            "May 2008",
            "n/a",
        ),
        *("a", "b", "a, b", "b and a", "Posse", "Posse (film)", "possy"),
        *("5 km", "5.0 km", "5", "$5", "€5", "5,000", "5 million", "5%", "0.05"),
    ]
)
headers = st.sampled_from(
    [
        *("entity", "entitys", "director", "director of film", "year", "2008", "area"),
        *("area (km)", "area (kilometres)", "area (mi)", "sum", "sum (%)", "sum ($m)"),
        *("sum ($ thousand)", "sum (EUR)"),
    ]
)
lines = st.tuples(
    st.lists(headers, max_size=3, unique=True),
    st.lists(st.lists(texts, max_size=3), max_size=3),
).map(lambda parts: [parts[0], *parts[1]])


@settings(max_examples=500)
@given(lines, lines)
@example([[], ["5 km"]], [["area (km)"], ["5"]])
@example(
    [["entity", "area", "area (km)"], ["1", "2"]], [["area (km)", "entity"], ["2", "1"]]
)
@example(
    [["entity", "area (kilometres)"], ["2", "1"]],
    [["area (kilometres)", "area (km)"], ["1", "2"]],
)
@example(
    [["entity", "area", "area (kilometres)"], ["1", ""]],
    [["area", "area (km)", "entity"], ["", "1", "1"]],
)
def test_it_equals_every_pairing_tried(gold, found):
    ours = score(gold, found)
    found_by_trying = value_plain(gold, found)
    assert any(
        (ours.precision, ours.recall, ours.f1) == pytest.approx(plain, abs=1e-6)
        for plain in found_by_trying
    ), found_by_trying


@given(
    st.lists(headers, min_size=3, max_size=6, unique=True).flatmap(
        lambda header: st.tuples(
            st.just(header), st.permutations(range(1, len(header)))
        )
    )
)
@example((["city", "population", "population (2010)"], [2, 1]))
@example((["city", "area", "area (km)", "area (mi)"], [3, 1, 2]))
@example((["city", "sum", "sum ($m)", "sum ($ thousand)"], [3, 2, 1]))
def test_the_order_of_columns_costs_nothing_whatever_remarks_they_have(parts):
    header, order = parts
    rows = [
        [name, *map(str, range(start, start + len(header) - 1))]
        for name, start in (("Oslo", 10), ("Rome", 30))
    ]
    gold = [header, *rows]
    found = [[line[0], *(line[place] for place in order)] for line in gold]
    assert score(gold, found).f1 == 1.0


# Numbers and dates are as precise as the reference, so that only these are symmetric.
names = st.text("abc1 ,._-[()]%é", min_size=1, max_size=9).filter(
    lambda name: isinstance(read_value(name), str)
)


@given(names, names, st.booleans())
def test_the_likeness_of_names_is_symmetric(one, other, is_row):
    def table(name):
        lines = (
            [["entity", "x"], [name, "z"]] if is_row else [["entity", name], ["y", "z"]]
        )
        return table_from_rows(lines)

    there = value_table_score(table(one), table(other))
    back = value_table_score(table(other), table(one))
    assert there == back
    assert value_table_score(table(one), table(one)) == FULL


rectangles = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.text("ab1,. -é", max_size=4), min_size=width, max_size=width),
        min_size=2,
        max_size=5,
    )
)


@given(rectangles, st.randoms(use_true_random=False))
def test_order_does_not_matter(table, rng):
    header = [f"column {'abcde'[j] * 3}" for j in range(len(table[0]))]
    assume(any(cell.strip(" ,.-") for row in table[1:] for cell in row))
    gold = table_from_rows([header, *table[1:]])
    assert value_table_score(gold, gold) == FULL
    found = shuffled(gold, rng.random())
    assert value_table_score(gold, found) == FULL
    assert value_table_score(gold, transposed(found)) == FULL


@given(rectangles, rectangles, st.data())
def test_a_wrong_cell_never_raises_precision(gold, found, data):
    before = score(gold, found)
    width = len(found[0])
    kind = data.draw(st.sampled_from(["row", "column", "cell"]))
    if kind == "row":
        name = data.draw(st.sampled_from([*(row[0] for row in found), "no such row"]))
        more = [*found, [name, *["wrong value"] * (width - 1)]]
    elif kind == "column":
        more = [[*row, "wrong value"] for row in found]
        more[0][-1] = "no such column"
    else:
        more = [*found[:-1], [*found[-1], "wrong value"]]
    # more names may decide that it is read the other way
    tables = map(table_from_rows, (gold, found, more))
    reference, *predictions = tables
    ways = {pair_tables(reference, table).transposed for table in predictions}
    assume(len(ways) == 1)
    assert score(gold, more).precision <= before.precision + 1e-12


# --- huge tables


def huge(rows):
    return Table(
        ("entity", "year"),
        tuple((f"Film {i}", str(1900 + i % 100)) for i in range(rows)),
    )


def test_beyond_the_bound_names_must_be_the_same():
    rows = int(MAX_PAIRS**0.5) + 100
    gold = huge(rows)
    assert value_table_score(gold, Table(gold.header, gold.rows[::-1])) == FULL
    late = Table(gold.header, tuple((n, str(int(y) + 1)) for n, y in gold.rows[:50]))
    found = Table(gold.header, (*late.rows, *gold.rows[50:]))
    assert value_table_score(gold, found).f1 == pytest.approx(1 - 50 / rows, abs=1e-12)
    typo = Table(gold.header, (("Fikm 0", "1900"), *gold.rows[1:]))
    assert value_table_score(gold, typo).f1 == pytest.approx(1 - 1 / rows, abs=1e-12)


HOSTILE = {
    "rows": huge,
    "rows of one name": lambda n: Table(
        ("entity", "year"), tuple(("Film 1", f"v{i}") for i in range(n))
    ),
    "one-cell rows": lambda n: Table(("x",), (("x",),) * n),
    "one-cell rows, different": lambda n: Table(
        ("x",), tuple((f"x{i}",) for i in range(n))
    ),
    "one long row": lambda n: Table(("entity",), (("x",) * n,)),
    "a long header": lambda n: Table(tuple(f"x{i}" for i in range(n)), (("x",),)),
    "a long header of one name": lambda n: Table(("year",) * n, (("x",),)),
    "a long line among short ones": lambda n: Table(("a",) * n, (("y",),) * n),
    "a cell of many values": lambda n: Table(
        ("entity", "year"), (("Film 1", ", ".join(map(str, range(n)))),)
    ),
    "a long name": lambda n: Table(("entity", "year"), (("Film" * n, "1901"),)),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_cost_grows_with_the_size(kind):
    gold = huge(20)
    value_table_score(gold, HOSTILE[kind](10))  # imports

    def against_the_gold(table):
        return value_table_score(gold, table)

    assert growth(against_the_gold, HOSTILE[kind], 1_000, 8) < 32
