"""Texts to fuzz with: what models write, cut, glued and damaged at random."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st
from reference.table_forms import FORMS

from tableqa_metrics import Table


CORPUS = Path(__file__).parent / "corpus" / "texts.jsonl"


def corpus() -> list[str]:
    """Return the committed texts; lone surrogates are kept, as JSON escapes."""
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


# What one character or a few can upset.
MARKS = [
    *("|", "\n", " ", "\t", "\r\n", ",", ";", "#", "####", "*", "**", "_", "__", "`"),
    *("```", "```json\n", "~~~", "{", "}", "[", "]", "(", ")", "<", ">", "&", "&amp;"),
    *('"', "'", "\\", "\\|", "$", "$$", "%", "\\%", "-", "--", "–", "−", "+", "=", ":"),
    *(
        "^",
        "/",
        ".",
        "…",
        "?",
        "!",
        "~",
        "≈",
        "½",
        "1/2",
        "5",
        "５",
        "٥",
        "a",
        "é",
        "漢",
    ),
    *("\x00", "\u0301", "\u202e", "\u200f", "\u200b", "\ufeff", "\u00a0", "\u2028"),
    *("\ud800", "\udfff", "\U0001f600", "\x1f", "\x0b", "\x85"),
]
WORDS = [
    *(
        "The answer is: ",
        " #### ",
        "and its corresponding scale is: ",
        "million",
        "none",
    ),
    *("Answer:", "**Answer**", "### Final answer\n", "A: ", "Scale: percent", "Result"),
    *("\\boxed{", "\\text{", "\\frac{1}{2}", "<answer>", "</answer>", "[Answer]"),
    *("<think>", "</think>", "`</think>`", "<thinking>", "[/THINK]", "assistantfinal"),
    *(
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
        "</s>",
        "<|im_end|>",
    ),
    *("Question: ", "\nQ: ", "User: ", "Wait, ", "Therefore, ", "I cannot ", "find "),
    *("cannot be determined", "N/A", "I don't know", "not given in the table", "but "),
    *(
        "| step | output |\n",
        "| 1 | Arithmetic |\n",
        "| 3 | (5 - 4) / 4 |\n",
        "| 4 | 1 |",
    ),
    *(
        "| 2 | a#b |\n",
        "| 5 | percent |\n",
        "|---|---|\n",
        "| a | b |\n",
        "a|b\n",
        "entity|",
    ),
    *(
        "title|x\n",
        "<table>",
        "<tr><td>",
        "</td>",
        "</table>",
        "<td colspan=9 rowspan=9>",
    ),
    *(
        "<br>",
        "<!--",
        "\\begin{tabular}{ll}",
        " & ",
        " \\\\ ",
        "\\end{tabular}",
        "+---+\n",
    ),
    *('{"answer": ', '"scale": ', '{"a": 1}', "[[", "null", "True", "NaN", "Infinity"),
    *(
        "divide(",
        "subtract(5829, 5735)",
        "add(",
        "#0",
        "#1",
        "table_sum(revenue, none)",
    ),
    *(
        "const_100",
        "exp(2, ",
        "greater(",
        "EOF",
        "Program: ",
        "['add(', '1', '2', ')']",
    ),
    *("yes", "No, ", "true", "5 million", "(5)", "-5%", "$ 1,234.5", "EUR 3", "12 bps"),
    *(
        "over 37",
        ">= 37",
        "5-10",
        "2019",
        "May 31, 2019",
        "2019-05-31",
        "31/12/19",
        "Q4",
    ),
    *(
        "1e999",
        "1e-999",
        "9**9**9",
        "2**10000**10000",
        "0.0000001",
        "1 2/3",
        "12 34 567",
    ),
    *("decreased by ", "an increase of ", "lower", "is ", "was ", "= ", "respectively"),
    *("9" * 4301, "1" + "0" * 400, "0." + "9" * 5000, "x" * 600, "Step 2: ", "Note: "),
]
ANSWER_FORMS = [
    "The answer is: {} #### and its corresponding scale is: {}",
    "**Answer:** {} {}",
    "So we get $\\boxed{{{}}}$ {}.",
    "<answer>{} {}</answer>",
    '{{"answer": "{}", "scale": "{}"}}',
    "{{'answer': '{}', 'scale': '{}'}}",
    "| step | output |\n| 1 | Arithmetic |\n| 3 | {0} |\n| 4 | {0} |\n| 5 | {1} |",
    "| step | output |\n| 1 | Multiple spans |\n| 4 | {} |\n| 5 | {} |",
    "In the end it is **{}** {}.",
    "The total was {} {}, as the note shows.",
    "| Answer | Scale |\n|---|---|\n| {} | {} |",
    "Program: subtract({}, {}), divide(#0, 2)",
    "{} {}",
]

pieces = st.sampled_from(MARKS) | st.sampled_from(WORDS) | st.text(max_size=8)
cells = st.text(max_size=6) | st.sampled_from(WORDS[:40] + MARKS)
written_numbers = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-", "−", "(", "$", "$ (", "USD ", "~", "about ", "over "]),
    st.sampled_from(
        ["0", "12.5", "1,234", "12,34,567", "1.234,5", ".5", "5.", "１２", "½"]
    )
    | st.integers(-(10**30), 10**30).map(str)
    | st.floats().map(repr),
    st.sampled_from(
        ["", "%", " %", "k", " million", "bn", " bps", ")", ") million", "+"]
    ),
    st.sampled_from(
        ["", ".", "!", " dollars", " km", " in 2019", " or more", " years"]
    ),
)
answer_forms = st.builds(
    lambda form, value, scale: form.format(value, scale),
    st.sampled_from(ANSWER_FORMS),
    written_numbers | cells,
    st.sampled_from(["", "million", "percent", "thousands", "%", "none", "\ud800"]),
)


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A table in any form; its rows may be ragged where the form allows it."""
    width = draw(st.integers(2, 4))
    rows = st.lists(cells, min_size=width, max_size=width).map(tuple)
    header = draw(rows)
    form = draw(st.sampled_from(sorted(FORMS)))
    # columns without a value have no form
    body = draw(st.lists(rows, min_size=form == "json_columns", max_size=5))
    writer, _ = FORMS[form]
    return writer(Table(header, tuple(body)))


@st.composite
def expressions(draw: st.DrawFn) -> str:
    """Arithmetic or a program, of any operators in any order."""
    numbers = st.sampled_from(
        ["1", "0", "2.5", "#0", "const_100", "9", "1e308", "-3", "("]
    )
    signs = st.sampled_from(
        ["+", "-", "*", "/", "//", "**", "^", ", ", ")", "add(", "exp("]
    )
    parts = draw(st.lists(numbers | signs, max_size=30))
    return "".join(parts)


@st.composite
def damaged(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with pieces cut out, put in, doubled or swapped."""
    text = draw(texts)
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 40)))
        match draw(st.integers(0, 4)):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + draw(pieces) + text[start:]
            case 2:
                text = text[:end] + text[start:end] + text[end:]
            case 3:
                text = text[:start]
            case _:
                text = text[end:] + text[:start]
    return text


def hostile_texts(known: list[str]) -> st.SearchStrategy[str]:
    """Any of the texts above, alone or glued together; `known` are built on as well."""
    glued = st.lists(pieces, max_size=25).map("".join)
    whole = st.one_of(
        damaged(tables()),
        damaged(answer_forms),
        damaged(st.sampled_from(known)),
        glued,
        expressions(),
        written_numbers,
        st.text(st.characters(exclude_categories=()), max_size=60),
    )
    several = st.lists(whole, min_size=1, max_size=4)
    joined = st.builds(
        lambda glue, parts: glue.join(parts),
        st.sampled_from(["", "\n", "\n\n", "</think>", " and "]),
        several,
    )
    # a run of one piece finds what is quadratic
    runs = st.builds(
        lambda before, piece, n, after: before + piece * n + after,
        pieces,
        st.lists(pieces, min_size=1, max_size=3).map("".join).map(lambda t: t[:20]),
        st.integers(1, 1500),
        pieces,
    )
    return joined | joined | joined | runs
