"""Pairs of tables as text, with whatever the table metric has to read in them."""

from __future__ import annotations

from hypothesis import strategies as st


WORDS = ["a", "b", "row 1", "row 2", "row 3", "high anxiety", "High Anxeity", "year"]
NUMBERS = ["0", "0.0", "50%", "0.5", "nan", "inf", "1e3", "1,000", "1998", "1999", "%"]
ODD = [
    "",
    "  ",
    "İ",
    "ΑΣ",
    "e\u0301",
    "\U0001f600",
    "\ud800",
    "title",
    "٣",
    "\x1f",
    "\0",
]
BREAKS = ["\n"] * 8 + [
    "\r\n",
    "\v",
    "\f",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\r",
]

cells = st.lists(st.sampled_from(WORDS + NUMBERS + ODD), min_size=1, max_size=2).map(
    " ".join
)
tables = st.lists(st.lists(cells, max_size=5), max_size=6)
titles = st.sampled_from(["", "", "", "title|", "Title|a|b\n", "title |\n"])


@st.composite
def written(draw, table) -> str:
    pipe = draw(st.sampled_from(["|", " | "]))
    lines = [pipe.join(row) + draw(st.sampled_from(BREAKS)) for row in table]
    return draw(titles) + "".join(lines)


@st.composite
def table_pairs(draw) -> tuple[str, str]:
    """A table and another or the same one changed: mixed up, cut, turned, misspelt."""
    gold = draw(tables)
    other = draw(tables) if draw(st.booleans()) else [list(row) for row in gold]
    if draw(st.booleans()):
        other = other[:1] + draw(st.permutations(other[1:]))
    if draw(st.booleans()):
        other = [list(column) for column in zip(*other)]  # noqa: B905 - cut to fit
    for row in other:
        for j in range(len(row)):
            change = draw(st.integers(0, 6))
            if change == 0:
                row[j] = draw(cells)
            elif change == 1:
                row[j] += draw(st.sampled_from("x1 "))
    return draw(written(gold)), draw(written(other))


@st.composite
def tables_of(draw, names, headers=None) -> str:
    """A table of such names, some of them there twice, some rows short."""
    if headers is None:
        headers = names
    header, row_names = (
        draw(st.lists(some.map(str.strip), min_size=1, max_size=5))
        for some in (headers, names)
    )
    numbers = st.lists(st.sampled_from("12"), max_size=len(header))
    lines = [["", *header], *([name, *draw(numbers)] for name in row_names)]
    return "\n".join(map("|".join, lines))


# Keys of few letters and of few digits, of which many are as far apart as others.
of_letters = tables_of(st.text("ab", max_size=9))
of_digits = tables_of(st.text("012a ", max_size=5))
# Where only row names have digits.
of_numbered_rows = tables_of(
    st.text("012a ", max_size=5), headers=st.sampled_from(["a", "ba", "aab", "c a"])
)
# Long names from equal to wholly different ones.
of_long_names = tables_of(
    st.integers(0, 20).map(lambda n: "a" * n + "b" * (20 - n)),
    headers=st.text("ab", max_size=1),
)

texts = st.lists(st.sampled_from([*"ab1.%|", *BREAKS, "\ud800", "İ", "title|"])).map(
    "".join
)
pairs_of_texts = st.one_of(
    table_pairs(),
    st.tuples(texts, texts),
    st.tuples(of_letters, of_letters),
    st.tuples(of_digits, of_digits),
    st.tuples(of_numbered_rows, of_numbered_rows),
    st.tuples(of_long_names, of_long_names),
)
