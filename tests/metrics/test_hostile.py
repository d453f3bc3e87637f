"""Any text costs no more than it must: every public function, by ratio between sizes.

n is the length of the text that a model wrote, r the size of the reference.

=====================================  ===========================================
function                               bound
=====================================  ===========================================
`visible_text`, `find_answer`,         linear in n
`find_table`, `find_program`
`parse_number`, `parse_date`,          linear in n for the white space around it, else
`finqa_answer_correct`                 constant: what is longer than 500 (80)
                                       characters is no number (date)
`evaluate`, `finqa_execute`            linear in n
`finqa_program_equal`                  linear in n, and a fixed budget of operations
`recipe_score`, `cell_score`,          linear in n + r
`tatqa_score`, `tatllm_score`
`value_match`                          linear in n + r; two lists of equal length are
                                       compared value by value
`rms_score`, `value_table_score`       n times r: each cell or key against each; more than
                                       their docstrings say is not compared
=====================================  ===========================================

References here are small, so that all of it is linear in n. Four times the text may take
`MOST` times as long, where a quadratic cost would take sixteen times; what takes less
than `NOISE` seconds is not measured. `tests/fuzz` looks for what is not listed here.
"""

from __future__ import annotations

import random
from functools import partial
from time import process_time
from unittest.mock import patch

import pytest
from fuzz.fuzz import Finding, run_all
from fuzz.targets import (
    ARITHMETIC,
    COUNT,
    FINQA,
    ROWS,
    SPANS,
    TABLE,
    TARGETS,
    check_plain,
    check_scores,
    same,
)
from fuzz.texts import corpus, hostile_texts
from hypothesis import given, settings
from reference.cost import growth

import tableqa_metrics
from tableqa_metrics import (
    cell_score,
    evaluate,
    extract_answer,
    extract_program,
    extract_table,
    finqa_answer_correct,
    finqa_execute,
    finqa_program_equal,
    finqa_program_score,
    parse_number,
    recipe_score,
    rms_score,
    tatllm_score,
    tatqa_score,
    value_match,
    value_table_score,
)
from tableqa_metrics.extraction.tables import layout, plain_github
from tableqa_metrics.response import missing_reason, visible_text
from tableqa_metrics.table import parse_serialized
from tableqa_metrics.written.dates import parse_date


SMALL, FACTOR = 10_000, 4
MOST = 8
NOISE = 0.04
GOLD = parse_serialized(TABLE)

FUNCTIONS = {
    "visible_text": lambda t: (visible_text(t), missing_reason(t)),
    "extract_answer": extract_answer,
    "extract_table": extract_table,
    "extract_program": extract_program,
    "parse_number": parse_number,
    "parse_date": parse_date,
    "evaluate": evaluate,
    "finqa_execute": lambda t: finqa_execute(t, ROWS),
    "finqa_program_score": lambda t: finqa_program_score(FINQA, t),
    "finqa_program_equal": lambda t: finqa_program_equal(FINQA["qa"]["program"], t),
    "finqa_answer_correct": lambda t: finqa_answer_correct(0.5, t),
    "recipe_score": lambda t: recipe_score("12.5 million", t),
    "rms_score": lambda t: rms_score(TABLE, t),
    "cell_score": lambda t: cell_score(GOLD, parse_serialized(t)),
    "value_table_score": lambda t: value_table_score(GOLD, parse_serialized(t)),
    "value_match": lambda t: (value_match(5, t), value_match(["3", "5"], t)),
    "tatqa_score": lambda t: tatqa_score(SPANS, [t, "x"], t),
    "tatqa_score, tatllm": lambda t: tatqa_score(
        ARITHMETIC, t, "percent", variant="tatllm"
    ),
    "tatllm_score": lambda t: tatllm_score(COUNT, t, dataset="tatqa"),
}

UNITS = [
    *("|", "|\n", "a|b\n", "| ", "|-", "9", "9 ", "9,", "9.", "1e9 ", "-", "- ", "[", "(", ")"),
    *("{", "[{", "[[", '{"a":', '{"answer": ', "{'answer': '", "[['", "<", "< ", "<think>"),
    *("</think>", "<think></think>", "<think ", "`<think>`", "<think> tag ", "[THINK]"),
    *("<|channel|>", "assistantfinal", "analysis", '"', "'", "\\", "$", "$a$", "$ 5 ", "%"),
    *(",", ", ", ";", "#", "####", "*", "**", "** a", "**5**\n", "- **a**\n", "_", "`"),
    *("```\n", "\n", " ", "\t", "\u00a0", "\r\n", "\u2028", "Answer:", "Answer: 1\n"),
    *("The answer is ", "scale: ", "its scale is ", "\\boxed{", "\\boxed{1} ", "\\text{"),
    *("\\frac{1}{2}", "<answer>", "</answer>", "<table>", "<table><tr><td>", "<td>", "&"),
    *("&amp;", "<br>", "<!--", "\\begin{tabular}", "& \\\\ ", "e\u0301", "\u202e", "５", "½"),
    *("\ud800", "\x00", "漢", "divide(", "add(1, 2), ", "add(#0, 1), ", "#0 ", "EOF", "['add("),
    *("9**", "9**9**", "1+", "1/2 ", "not ", "I cannot ", "cannot be ", "there is no "),
    *("decreased by ", "5% lower ", "is 5 ", "= 5 ", "2019 ", "2019: 5\n", "5 (2019), "),
    *("- 5\n", "1. a\n", "| 1 | a |\n", "Question: ", "</s>", "<|im_end|>", "yes ", "(5) "),
    *("12 #### million\n", "#### its scale is ", "Scale: million\n", "Wait, it is 5. "),
    *("Answer: 1. a 2. b ", "a) b\n", "'a', ", "**a** and ", "~~a~~", "5 MM ", "<li>"),
    *("{|\n! a !! b\n", "a: b\n", "- a: b\n", "<a><b>x</b></a>", "a  b\n", "--  --\n"),
    *("columns=['a', ", "\\makecell{", "\\multirow{9}{*}{x} & ", "a = add(1, 2)\n", "\\n|"),
    *("5 million ", "May 1, ", "title|", "entity|a\n", "a\tb\n", "a;b\n", "a,b\n", "x", "."),
]  # fmt: skip
_CHOICE = random.Random(4)
MIXTURES = [
    # pieces by turns, and a run of one between others
    *("".join(_CHOICE.sample(UNITS, 2)) for _ in range(20)),
    *(tuple(_CHOICE.sample(UNITS, 3)) for _ in range(20)),
]


def text_of(unit, size):
    first, unit, last = ("", unit, "") if isinstance(unit, str) else unit
    return first + (unit * (size // len(unit) + 1))[:size] + last


@patch.object(layout, "LONGEST_KEPT", 0)
@patch.object(plain_github, "LONGEST_KEPT", 0)
def is_linear(function, unit):
    """Whether cost is linear, without what is kept of the text that was read before.

    A machine that gets busy makes it look like more now and then, but not three times.
    """
    text = text_of(unit, SMALL * FACTOR)
    start = process_time()
    function(text)
    if process_time() - start < NOISE:
        return True
    make = partial(text_of, unit)
    return any(growth(function, make, SMALL, FACTOR) < MOST for _ in range(3))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_cost_is_linear(name):
    assert [unit for unit in UNITS if not is_linear(FUNCTIONS[name], unit)] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_cost_of_mixtures_is_linear(name):
    assert [unit for unit in MIXTURES if not is_linear(FUNCTIONS[name], unit)] == []


def test_the_measure_tells_quadratic_from_linear():
    def quadratic(text):
        return sum(text.count("ab", i) for i in range(0, len(text), 10))

    assert is_linear(lambda text: list(map(str.upper, text * 20)), "a")
    assert not is_linear(quadratic, "a")


@pytest.mark.parametrize(
    "unit",
    ["|", "9", "[", "<think>", '"', "\\", "\n", " "],
)
def test_a_megabyte_is_taken(unit):
    text = text_of(unit, 1_000_000)
    for name in ("visible_text", "extract_answer", "extract_table", "extract_program"):
        FUNCTIONS[name](text)


NESTED = [
    *(("(", ")"), ("[", "]"), ("{", "}"), ('{"a":', "}"), ('{"answer":', "}"), ("[[", "]]")),
    *(("<table><tr><td>", "</td></tr></table>"), ("<div>", "</div>"), ("<think>", "</think>")),
    *(("\\boxed{", "}"), ("\\text{", "}"), ("divide(", ", 2)"), ("add(1, ", ")"), ("**", "**")),
    *(("-", ""), ("(-", ")"), ("> ", ""), ("  - ", ""), ("\\left(", "\\right)"), ("'", "'")),
]  # fmt: skip


@pytest.mark.parametrize(("opening", "closing"), NESTED)
def test_nesting_ten_thousand_deep(opening, closing):
    text = opening * 10_000 + "1" + closing * 10_000
    for function in FUNCTIONS.values():
        function(text)
    extract_answer(f"Answer: {text}")
    extract_table(f"Answer:\n\na|b\n1|{text}")


NUMBERS = [
    *("9**9**9", "2**10000**10000", "(2**1000)**1000", "1/0", "0**-1", "(-8)**0.5"),
    *("NaN", "nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "1e-999", "0e0", "-0"),
    *("9" * 4301, "-" + "9" * 4301, "9" * 4301 + "%", "0." + "0" * 4301 + "1", "٣" * 4301),
    *("1e" + "9" * 4301, "9" * 309, "exp(9, exp(9, 9))", "exp(2, 1e999)", "divide(1, 0)"),
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_beyond_every_limit(number):
    forms = [
        "{}",
        "Answer: {}",
        "It is {} million.",
        '{{"answer": {}, "scale": "percent"}}',
    ]
    forms += [
        "a|b\n{}|{}",
        "add({0}, {0})",
        "| 1 | Arithmetic |\n| 3 | {0} |\n| 4 | {0} |",
    ]
    for form in forms:
        for target in TARGETS.values():
            target(form.format(number, number))


@pytest.mark.parametrize("columns", [1, 2, 8])
def test_twenty_thousand_rows(columns):
    text = "".join("|".join([f"row {i}"] * columns) + "\n" for i in range(20_000))
    for name in ("extract_answer", "rms_score", "cell_score", "value_table_score"):
        FUNCTIONS[name](text)
    table = extract_table(text)
    assert (table is None) if columns == 1 else (len(table.rows) == 19_999)


@pytest.mark.parametrize("target", TARGETS)
def test_corpus(target):
    for text in corpus():
        TARGETS[target](text)


@settings(max_examples=25)
@given(hostile_texts(corpus()))
def test_texts_as_the_fuzzer_makes_them(text):
    run_all(text, TARGETS)


@pytest.mark.parametrize(
    ("target", "what"),
    [
        (lambda text: int(text), "invalid literal"),
        (lambda text: check_plain({"f1": float("nan")}), "AssertionError"),
        (lambda text: check_scores({"f1": 1.5}, 1, set()), "AssertionError"),
        (lambda text: same(object(), object()), "AssertionError"),
    ],
)
def test_the_fuzzer_reports_what_must_not_be(target, what):
    with pytest.raises(Finding, match=what) as caught:
        run_all("5x", {"broken": target})
    assert (caught.value.target, caught.value.text) == ("broken", "5x")


def test_the_fuzzer_reports_what_takes_too_long(monkeypatch):
    monkeypatch.setattr("fuzz.fuzz.SECONDS", 0)
    monkeypatch.setattr("fuzz.fuzz.SECONDS_A_CHARACTER", 0)
    with pytest.raises(Finding, match=" s for 2 characters"):
        run_all("5x", {"slow": lambda text: sum(range(1_000_000))})


def test_every_public_function_is_a_target():
    functions = {
        name
        for name in tableqa_metrics.__all__
        if callable(value := getattr(tableqa_metrics, name))
        and not isinstance(value, type)
    }
    targets = (TARGETS["find_answer"].__globals__.keys()) & functions
    # no text of a model reaches these
    assert functions - targets == {"finqa_gold", "affected", "known_defects"}
