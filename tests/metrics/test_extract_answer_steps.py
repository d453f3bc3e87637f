"""`extract_answer` on the step tables of TAT-LLM."""

from __future__ import annotations

import pytest

from tableqa_metrics import Answer, extract_answer


STEPS = "| step | output |\n| 1 | {} |\n| 2 | {} |\n| 3 | {} |\n| 4 | {} |\n| 5 | {} |"


@pytest.mark.parametrize(
    ("rows", "values", "scale"),
    [
        (("Single span", "a", "N.A.", "$12.5 million", "none"), ("$12.5 million",), ""),
        (("Multiple spans", "a#b", "N.A.", "a # b", "none"), ("a", "b"), ""),
        (("Count", "a#b", "N.A.", "2", "none"), ("2",), ""),
        (("Arithmetic", "5#4", "5 - 4", "2", "million"), ("1",), "million"),
        (("arithmetic", "5#4", "(5 − 4) ÷ 4", "1", "None"), ("0.25",), ""),
        (("Arithmetic", "", "(1,609 - 1,164) / $1,164", "38", "percent"), "38.23", ""),
        (("Arithmetic", "", "(4 - 5) / 5", "-20", "percent"), ("-20",), "percent"),
        (("Arithmetic", "", "(4 - 5) / 5", "-0.2", "percent"), ("-0.2",), "percent"),
        (("Arithmetic", "", "(4 - 5) / 5 * 100", "-2", "percent"), ("-20",), "percent"),
        (("Arithmetic", "", "0.07 * 1", "7", "percent"), ("7",), "percent"),
        (("Arithmetic", "", "0.3 / 4", "7.5%", "none"), ("7.5",), "percent"),
        (("Arithmetic", "", "5 / 0", "7", "million"), ("7",), "million"),
        (("Arithmetic", "", "9**9**9", "7", "million"), ("7",), "million"),
        (("Arithmetic", "", "N.A.", "$7 million", "none"), ("$7",), "million"),
        (("Arithmetic", "", "2 / 1000000", "0", "none"), ("0.000002",), ""),
        (("Arithmetic", "", "5 - 4 = 1", "1", "none"), ("1",), ""),
        (("Arithmetic", "", "50% * 8", "4", "none"), ("4",), ""),
        (("Arithmetic", "", "__import__('os')", "4", "none"), ("4",), ""),
    ],
)
def test_step_tables(rows, values, scale):
    answer = extract_answer(STEPS.format(*rows) + "\n\nThe answer is: 999")
    if values == "38.23":
        assert abs(float(answer.values[0]) - 38.2302405498) < 1e-9
    else:
        assert answer == Answer(values, scale, "step_table")


@pytest.mark.parametrize(
    ("rows", "values", "scale"),
    [
        ("| 1 | 5#4 |\n| 2 | (5 - 4) / 4 |\n| 3 | 0.25 |", ("0.25",), ""),
        ("| 1 | 5#4 |\n| 2 | (5 - 4) / 4 |\n| 3 | 26% |", ("25",), "percent"),
        ("| 1 | 5#4 |\n| 2 | 5 > 4 |\n| 3 | yes |", ("yes",), ""),
        ("| 1 | 5#4 |\n| 2 | N.A. |\n| 3 | 0.25 |", ("0.25",), ""),
    ],
)
def test_finqa_step_tables(rows, values, scale):
    response = f"| step | output |\n{rows}\n\nThe answer is: 999"
    assert extract_answer(response) == Answer(values, scale, "step_table")


def test_the_last_step_table_counts():
    first = STEPS.format("Count", "a", "N.A.", "1", "none")
    second = STEPS.format("Count", "a#b", "N.A.", "2", "none")
    assert extract_answer(f"{first}\n\nAgain:\n\n{second}").values == ("2",)


def test_an_ordinary_table_is_no_step_table():
    table = "| year | sales |\n| 1 | 5 |\n| 2 | 6 |\n| 3 | 7 |\n\nThe answer is: 18"
    assert extract_answer(table) == Answer(("18",), "", "plain_answer_line")
