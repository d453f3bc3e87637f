"""Tables as chat and reasoning models give them, in every form and among other text."""

from __future__ import annotations

import json

import pytest

from tableqa_metrics import Table, extract_table, find_table


TABLE = Table(
    ("entity", "genre", "year"),
    (("Rent", "musical, drama", "2005"), ("High Anxiety", "comedy", "1977")),
)
MD = (
    "| entity | genre | year |\n| --- | --- | --- |\n"
    "| Rent | musical, drama | 2005 |\n| High Anxiety | comedy | 1977 |\n"
)
BARE = "".join(line.strip("| ") + "\n" for line in MD.splitlines())
TANQ = TABLE.serialize()
RULE = "| --- | --- | --- |"
HEAD = "| entity | genre | year |\n"


def tagged(head: str, row: str, cell: str, last: str = "") -> str:
    rows = (
        row.format("".join(cell.format(text) for text in texts)) for texts in TABLE.rows
    )
    return head + "".join(rows) + last


ROWS = '[["Rent", "musical, drama", 2005], ["High Anxiety", "comedy", 1977]]'
HTML_HEAD = "<tr><th>entity</th><th>genre</th><th>year</th></tr>"
HTML = tagged(HTML_HEAD, "<tr>{}</tr>", "<td>{}</td>")
LATEX = r"Rent & musical, drama & 2005 \\ High Anxiety & comedy & 1977 \\"
WIKI = "| Rent || musical, drama || 2005\n|-\n| High Anxiety || comedy || 1977\n|}"

# fmt: off
SAME = {
    "cells of Markdown": [
        MD.replace(RULE, "|:---:|---:|:---|"), MD.replace(RULE, "|:-:|-:|:-|"),
        MD.replace(RULE, "|—|—|—|"), MD.replace(RULE, "|–––|–––|–––|"),
        MD.replace(RULE, "|======|=====|====|"), MD.replace(RULE, "|------+-----+-----|"),
        MD.replace("musical, drama", "musical<br>drama"),
        MD.replace("musical, drama", "- musical<br/>- drama"),
        MD.replace("musical, drama", "<ul><li>musical</li><li>drama</li></ul>"),
        MD.replace("musical, drama", "<p>musical</p><p>drama</p>"),
        MD.replace(HEAD, "| **entity** | *genre* | `year` |\n"),
        MD.replace("Rent", "**Rent**"), MD.replace("Rent", "[Rent](https://example.org/a_(b))"),
        MD.replace("2005", "2005[^1]") + "\n[^1]: The film.\n",
        MD.replace("Rent", "[Rent][1]") + "\n[1]: https://example.org\n",
        MD.replace("Rent", "Re\u200bnt"), MD.replace(" | ", "\u00a0|\u00a0"),
    ],
    "frames of Markdown": [
        *("".join(line.rstrip(" |") + "\n" for line in MD.splitlines()),),
        *(BARE, MD.replace("|", "｜"), MD.replace("\n", "\r\n"), MD.replace("\n", "\r")),
        *(MD.replace("\n", "\n\n"), MD.replace("|\n", "|  \n"), MD.replace("\n", "\n\u00a0")),
        *("\ufeff" + text for text in (MD, BARE, TANQ)), MD.replace("\n", "\n\u200b"),
        *("".join(f"{mark}{line}\n" for line in MD.splitlines()) for mark in ("> ", "\t", "   ")),
        "".join(f"`{line}`\n" for line in TANQ.splitlines()),
        f"**{HEAD.strip('| ').rstrip(' |' + chr(10))}**\n" + "".join(BARE.splitlines(True)[2:]),
        MD.replace(HEAD, "| entity | genre | year ||\n"),
        f"| | | |\n{RULE}\n" + MD.replace(RULE + "\n", ""),
        f"| Films | | |\n{RULE}\n" + MD.replace(RULE + "\n", ""),
        f"**Table 1: Films**\n{MD}", f"{MD}*Table 1: Films*\n", f"{MD}\n: Films and years\n",
        "Answer: " + MD.replace("\n", " "),
        "- entity: Rent | genre: musical, drama | year: 2005\n- entity: High Anxiety | genre: comedy | year: 1977\n",
        "| entity: Rent | genre: musical, drama | year: 2005 |\n| entity: High Anxiety | genre: comedy | year: 1977 |\n",
        MD + "| ... | ... | ... |\n", MD + "| … | | |\n",
        f"1. Here:\n\n{''.join('   ' + line for line in MD.splitlines(True))}\n2. Done",
        MD.replace("| e", "| # | e").replace("| -", "| - | -", 1).replace("| R", "| 1 | R").replace("| H", "| 2 | H"),
        MD.replace("| e", "| No. | e").replace("| -", "| - | -", 1).replace("| R", "| 1. | R").replace("| H", "| 2. | H"),
    ],
    "around the whole": [
        *(f'"{TANQ.strip()}"', f"`{TANQ.strip()}`", f'"""\n{MD}"""', f"'''{TANQ}'''"),
        *(MD.replace("\n", "\\n"), TANQ.replace("\n", "\\n")),
        '"' + MD.replace("\n", "\\n") + '"', '"' + MD.replace("\n", "\\n") + ' \\"x\\""',
        *(f"```markdown\n{MD}```", f"```\n{MD}", f"````\n```\n{MD}```\n````"),
        *(f"<answer>{MD}</answer>", f"<table>\n{MD}</table>", f"<div>\n\n{MD}\n</div>"),
        *(f"Answer: {MD}", f"**Answer:** {TANQ}", f"# Answer\n{MD}"),
    ],
    "text below": [
        f"{BARE}\nNote that a year is the year of release.\n",
        f"{BARE}\nThese are all the films\n", f"{BARE}\nNote that a | b | c is a guess.\n",
        f"{BARE}\nI used the form a | b | c for all of them\n",
        f"{TANQ}\nI used a|b|c for both of them here\n", f"{TANQ}\nSources: a|b|c\n",
        f"{TANQ}\nThese are all the films\n\nHope it helps\n", f"{TANQ}These are all the films I know.\n",
        f"{MD}\n- *Rent*: see [1]\n- *High Anxiety*: see [2]\n",
    ],
    "other tables beside it": [
        f"{MD}\n**Sources:**\n\n| entity | source |\n|---|---|\n| Rent | Wikipedia |\n",
        f"{MD}\nLegend:\n\n| symbol | meaning |\n|---|---|\n| - | unknown |\n",
        f"{MD}\n### Notes\n| film | note |\n|---|---|\n| Rent | a |\n| Rent | b |\n| Rent | c |\n",
        f"{MD}\nWhere I looked:\n\n| page | part |\n|---|---|\n| Rent | lead |\n",
        f"First, the facts:\n\n| fact | value |\n|---|---|\n| a | 1 |\n\nNow the answer:\n\n{MD}",
        f"| entity | attribute | attribute |\n{RULE}\n| name | value | value |\n\n{MD}",
        f"| entity | attribute | attribute |\n{RULE}\n| name | value | value |\n\nQuestion: a?\nAnswer:\n{MD}",
        f"{MD.replace('2005', '1999')}\nWait, the year is wrong. Corrected table:\n\n{MD}",
        f"{TANQ.replace('2005', '1999')}\nFormatted:\n\n{MD}", f"{MD}\n{MD}",
        f"Rent:\n- genre: musical\n- year: 1\n\nHigh Anxiety:\n- genre: comedy\n- year: 2\n\n{MD}",
        f"entity   genre   year\nRent     a       1\n\n{MD}",
        f"<think>\n| entity | x |\n|---|---|\n| no | 1 |\n| no | 2 |\n</think>\n{TANQ}",
    ],
    "HTML": [
        f"<table>{HTML}</table>", f"<table><caption>Films</caption>{HTML}</table>",
        f'<table><tr><th colspan="3">Films</th></tr>{HTML}</table>',
        f'<table><tr><td colspan=3>Films</td></tr><tr><th colspan=3>known</th></tr>{HTML}</table>',
        f"<table><tr><th>Films</th></tr>{HTML}</table>", f"\ufeff<table>{HTML}</table>",
    ],
    "LaTeX": [
        rf"\begin{{tabular}}{{|l|l|r|}}\hline \textbf{{entity}} & genre & year \\ \hline {LATEX} \end{{tabular}}",
        rf"\begin{{tabular}}{{lll}}\toprule \multicolumn{{3}}{{c}}{{Films}} \\ \midrule entity & genre & year \\ {LATEX} \bottomrule\end{{tabular}}",
        rf"\begin{{tabular}}{{@{{}}l>{{\raggedright}}p{{3cm}}r@{{}}}} entity & genre & year \\ {LATEX} \end{{tabular}}",
        rf"\begin{{tabularx}}{{\textwidth}}{{XXX}} entity & genre & year \\ {LATEX} \end{{tabularx}}",
        rf"\begin{{tabular}}{{lll}} entity & genre & year \\ {LATEX.replace('musical, drama', chr(92) + 'makecell{musical, ' + chr(92) * 2 + ' drama}')} \end{{tabular}}",
        rf"\begin{{longtable}}{{lll}}\caption{{Films}}\\ entity & genre & year \\ \endfirsthead entity & genre & year \\ \endhead {LATEX} \end{{longtable}}",
        rf"\begin{{tabular}}{{lll}} entity & genre & year \\ \rowcolor{{gray!20}} {LATEX.replace('High', '{' + chr(92) + 'bf High}')} % comment & more" + "\n\\end{tabular}",
        rf"\begin{{array}}{{|c|c|c|}} \text{{entity}} & \text{{genre}} & \text{{year}} \\[2pt] {LATEX} \end{{array}}",
    ],
    "MediaWiki": [
        '{| class="wikitable"\n|-\n! entity !! genre !! year\n|-\n' + WIKI,
        '{| class="wikitable sortable"\n|+ Films\n! scope="col" | entity\n! genre\n! year\n|-\n' + WIKI,
        "{|\n! entity !! genre !! year\n|-\n" + WIKI.replace("Rent", "[[Rent (film)|Rent]]").replace("High", "'''High").replace("ety", "ety'''"),
        '{|\n! colspan="3" | Films\n|-\n! entity !! genre !! year\n|-\n' + WIKI.replace("musical, ", "musical\n* "),
        "```wikitext\n{|\n! entity !! genre !! year\n|-\n" + WIKI.replace("| Rent ||", '| style="a" | Rent<ref>b</ref> ||') + "\n```",
    ],
    "grids": [
        "+-----+\n| entity | genre | year |\n+-----+\n| Rent | musical, drama | 2005 |\n| High Anxiety | comedy | 1977 |\n+-----+\n2 rows in set",
        "  entity | genre | year\n---------+-------+------\n Rent | musical, drama | 2005\n High Anxiety | comedy | 1977\n(2 rows)\n",
        MD.replace(RULE, "|---+---+---|"), MD.replace(RULE, "├───┼───┼───┤").replace("|", "│"),
    ],
    "columns set apart by blanks": [
        "============  ==============  ====\nentity        genre           year\n============  ==============  ====\nRent          musical, drama  2005\nHigh Anxiety  comedy          1977\n============  ==============  ====\n",
        "entity        genre           year\n------------  --------------  ----\nRent          musical, drama  2005\nHigh Anxiety  comedy          1977\n",
        "entity        genre           year\nRent          musical, drama  2005\nHigh Anxiety  comedy          1977\n",
        "```\n         entity           genre  year\n0          Rent  musical, drama  2005\n1  High Anxiety          comedy  1977\n```",
    ],
    "separated": [
        'entity,genre,year\nRent,"musical, drama",2005\nHigh Anxiety,comedy,1977\n',
        '```csv\nentity,genre,year\n"Rent","musical, drama",2005\n"High Anxiety","comedy",1977\n```',
        "entity;genre;year\nRent;musical, drama;2005\nHigh Anxiety;comedy;1977\n",
        "```tsv\nentity\tgenre\tyear\nRent\tmusical, drama\t2005\nHigh Anxiety\tcomedy\t1977\n```",
        'entity\tgenre\tyear\nRent\t"musical, drama"\t2005\nHigh Anxiety\tcomedy\t1977\n',
        '"entity"\t"genre"\t"year"\n"Rent"\t"musical, drama"\t2005\n"High Anxiety"\t"comedy"\t1977\n',
    ],
    "JSON and Python": [
        '[{"entity": "Rent", "genre": ["musical", "drama"], "year": 2005}, {"entity": "High Anxiety", "genre": ["comedy"], "year": 1977}]',
        '[{"entity": "Rent", "info": {"genre": "musical, drama", "year": 2005}}, {"entity": "High Anxiety", "info": {"genre": "comedy", "year": 1977}}]',
        '{"answer": "' + MD.replace("\n", "\\n") + '"}',
        f"df = pd.DataFrame({ROWS}, columns=['entity', 'genre', 'year'])",
        f"columns = ['entity', 'genre', 'year']\ndata = {ROWS}\nprint(pd.DataFrame(data, columns=columns))",
        f"data = {ROWS}\ndf = pd.DataFrame(data)\ndf.columns = ('entity', 'genre', 'year')",
        "```python\ntable = [\n    ['entity', 'genre', 'year'],\n    ['Rent', 'musical, drama', 2005],\n    ['High Anxiety', 'comedy', 1977],\n]\n```",
    ],
    "records": [
        "```yaml\n- entity: Rent\n  genre:\n    - musical\n    - drama\n  year: 2005\n- entity: High Anxiety\n  genre: [comedy]\n  year: 1977\n```",
        "films:\n- entity: 'Rent'\n  genre: \"musical, drama\"\n  year: 2005\n- entity: High Anxiety\n  genre: comedy\n  year: 1977\n",
        "**entity:** Rent\n**genre:** musical, drama\n**year:** 2005\n\n**entity:** High Anxiety\n**genre:** comedy\n**year:** 1977\n",
        "1. **Rent**\n   - genre: musical, drama\n   - year: 2005\n2. **High Anxiety**\n   - genre: comedy\n   - year: 1977\n",
        "### Rent\n- **genre:** musical, drama\n- **year:** 2005\n\n### High Anxiety\n- **genre:** comedy\n- **year:** 1977\n\nI hope this helps.",
        "Rent:\n  genre: musical, drama\n  year: 2005\nHigh Anxiety:\n  genre: comedy\n  year: 1977\n",
        tagged("<films>", "<film>{}</film>", "<{}>", "</films>").replace("<Rent>", "<entity>Rent</entity>").replace("<musical, drama>", "<genre>musical</genre><genre>drama</genre>").replace("<2005>", "<year>2005</year>").replace("<High Anxiety>", "<entity>High Anxiety</entity>").replace("<comedy>", "<genre>comedy</genre>").replace("<1977>", "<year>1977</year>"),
        '```xml\n<rows>\n  <row entity="Rent" genre="musical, drama" year="2005"/>\n  <row entity="High Anxiety" genre="comedy" year="1977"/>\n</rows>\n```',
    ],
}
# fmt: on


@pytest.mark.parametrize(
    "response", [response for family in SAME.values() for response in family]
)
def test_the_same_table_in_every_form(response: str) -> None:
    assert extract_table(response) == TABLE


@pytest.mark.parametrize("family", SAME)
def test_nothing_is_read_inside_a_thought(family: str) -> None:
    for response in SAME[family]:
        if "<think>" not in response:
            found = find_table(f"<think>{response}</think>I know of no films.")
            assert (found.table, found.reason) == (None, "nothing_found"), response


@pytest.mark.parametrize(
    ("response", "rows"),
    [
        (
            f"{MD}\nAnd continuing:\n| Annie | drama | 1982 |\n",
            (*TABLE.rows, ("Annie", "drama", "1982")),
        ),
        (
            f"{MD}\nMore of them:\n\n| Annie | drama | 1982 |\n| A | b | 1 |\n",
            (*TABLE.rows, ("Annie", "drama", "1982"), ("A", "b", "1")),
        ),
        (
            MD.replace("comedy", r"a \| b"),
            (TABLE.rows[0], ("High Anxiety", "a | b", "1977")),
        ),
        (
            MD.replace("comedy", "`a|b`"),
            (TABLE.rows[0], ("High Anxiety", "a|b", "1977")),
        ),
        # what is left out or too much stays visible
        (
            MD.replace("musical, drama", "musical | drama"),
            (("Rent", "musical", "drama", "2005"), TABLE.rows[1]),
        ),
        (MD.replace("| comedy ", ""), (TABLE.rows[0], ("High Anxiety", "1977"))),
        # a line break in a quoted cell
        (
            'entity,genre,year\nRent,"musical,\ndrama",2005\n',
            (("Rent", "musical,\ndrama", "2005"),),
        ),
        (
            'entity\tgenre\tyear\nRent\t"musical,\ndrama"\t2005\n',
            (("Rent", "musical,\ndrama", "2005"),),
        ),
        # several rows of a cell
        (
            f"<table>{HTML_HEAD}<tr><td rowspan=2>Rent<td>a<td>1<tr><td>b<td>2</table>",
            (("Rent", "a", "1"), ("Rent", "b", "2")),
        ),
        (
            (
                r"\begin{tabular}{lll} entity & genre & year \\ \multirow{2}{*}{Rent} & a & 1 \\"
                r" & \multicolumn{2}{c}{b} \\ \end{tabular}"
            ),
            (("Rent", "a", "1"), ("Rent", "b", "b")),
        ),
        (
            (
                "{|\n! entity !! genre !! year\n|-\n| rowspan=2 | Rent || a || 1\n|-\n"
                "| colspan=2 | b\n|}"
            ),
            (("Rent", "a", "1"), ("Rent", "b", "b")),
        ),
        # marks of LaTeX
        (
            (
                r"\begin{tabular}{lll} entity & genre & year \\ Am\'elie & R\&B & 100\,\% \\"
                r" \textcolor{red}{X} & \href{http://a_b}{c} & \num{5}--6 \\ \end{tabular}"
            ),
            (("Amélie", "R&B", "100 %"), ("X", "c", "5--6")),
        ),
        # objects in the rows of JSON
        (
            (
                '[{"entity": "Rent", "genre": {"value": 5, "unit": "km"}, "year": '
                '[{"name": "A", "role": "x"}, {"name": "B"}]}]'
            ),
            (("Rent", "5 km", "A, B"),),
        ),
        # a row without one of the keys
        (
            (
                "- entity: Rent\n  genre: a\n  year: 1\n- entity: X\n  year: 2\n"
                "- entity: Y\n  genre:\n  year: 3\n"
            ),
            (("Rent", "a", "1"), ("X", "", "2"), ("Y", "", "3")),
        ),
    ],
)
def test_rows(response: str, rows: tuple[tuple[str, ...], ...]) -> None:
    assert extract_table(response) == Table(TABLE.header, rows)


def test_an_object_inside_a_row_gets_columns_of_its_own() -> None:
    rows = '[{"name": "A", "born": {"year": 1, "place": "x"}, "died": {"year": 2}}]'
    assert extract_table(rows) == Table(
        ("name", "born year", "place", "died year"), (("A", "1", "x", "2"),)
    )


@pytest.mark.parametrize(
    "response",
    [
        "The ratio a | b is small in 2019\nThe ratio c | d is large in 2018\n",
        "The ratio a | b is small in 2019.\nThe ratio c | d is large in 2018.\n",
        "P(A | B) equals 0.5 here\nP(B | A) equals 0.7 there\n",
        "P(A | B) = 0.5\nP(B | A) = 0.7\n",
        "Rent - musical - 2005\nHigh Anxiety - comedy - 1977",
        "1. Rent (2005)\n2. High Anxiety (1977)",
        "entity: Rent\ngenre: drama\nyear: 2005",
        "- Rent: 2005\n- High Anxiety: 1977\n",
        (
            "1. **Identify films**\n   - Rent: yes\n   - Annie: no\n"
            "2. **Find years**\n   - Rent: 2005\n   - Annie: 1982\n"
        ),
        "Step 1:\n- Rent: yes\n- Annie: no\nStep 2:\n- Rent: 1\n- Annie: 2\n",
        "I counted   two   of them\nand then    three   more",
        "Revenue 2019      1,496.5\nRevenue 2018      1,202.9\n",
        "<b>Rent</b><b>Annie</b> and <i>one</i><i>two</i>",
        "Use <name>, then <name/> and </name>.",
        "```\nx = 5    # five\ny = 6    # six\n```",
        "Title  -- a   --- b\n",
        "one:\n  a: 1\none:\n  b: 2\n",
        "| entity | attribute |\n| --- | --- |\n| name | value |\n",
    ],
)
def test_no_table(response: str) -> None:
    found = find_table(response)
    assert (found.table, found.text, found.reason) == (None, "", "nothing_found")


@pytest.mark.parametrize("name", ["headers", "Fields", "data", "rows", "columns"])
def test_a_column_may_have_any_name(name: str) -> None:
    for cells in (["x", "y"], ["]", "5"]):
        response = json.dumps({"entity": ["A", "B"], name: cells})
        rows = (("A", cells[0]), ("B", cells[1]))
        assert extract_table(response) == Table(("entity", name), rows)


@pytest.mark.parametrize("response", [None, 5, b"a|b\n1|2", [("a", "b")]])
@pytest.mark.parametrize("function", [extract_table, find_table])
def test_what_is_no_text_is_refused(function, response) -> None:
    name = type(response).__name__
    with pytest.raises(TypeError, match=f"^response must be str, not {name}$"):
        function(response)
