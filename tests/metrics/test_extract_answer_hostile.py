"""`find_answer` on text that nobody would write: no exception, no run-away time."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings, strategies as st
from reference.cost import growth

from tableqa_metrics import Answer, FoundAnswer, find_answer


RULES = {
    *("answer_line", "plain_answer_line", "step_table", "boxed", "answer_tag"),
    *("json", "answer_marker", "bold", "bare", "last_number"),
}
PIECES = [
    *("The answer is: ", " #### ", "and its corresponding scale is: ", "million", "%"),
    *(
        "| step | output |\n",
        "| 1 | Arithmetic |\n",
        "| 3 | (5 - 4) / 4 |\n",
        "| 4 | 1 |",
    ),
    *(
        "\\boxed{",
        "}",
        "{",
        "<answer>",
        "</answer>",
        "**",
        "__",
        "`",
        "```json\n",
        "```",
    ),
    *(
        '{"answer": ',
        '"scale"',
        ": ",
        '"',
        ", ",
        "[",
        "]",
        "null",
        "1e999",
        "-",
        "−",
        "$",
    ),
    *("Answer:", "Final answer", "### Answer\n", "A: ", "\n", " ", "Question: ", "yes"),
    *(
        "3, 5",
        " and ",
        "#",
        ";",
        "1,234.5",
        "½",
        "9**9**9",
        "<think>",
        "</think>",
        "</s>",
    ),
    *(
        "\x00",
        "\ud800",
        "\u202e",
        "\u0301",
        "５",
        "- item\n",
        "(48)",
        "over 37",
        "May 31",
    ),
    *(
        "#### million",
        "scale: ",
        "Wait, it is ",
        "1. a ",
        "'a', ",
        "<li>",
        "~~",
        "(in %)",
    ),
    *("X", "<your answer>", "[answer]", "...", "7/3 = 2.33", "1,000 - 200 = ", "≈ "),
    *("- 12.6 (a decrease)", "an increase of 5%", "$000", "ten thousand", "USD m"),
    *(
        "I cannot ",
        "The total is ",
        "\\frac{1}{2}",
        "\\text{",
        "\\",
        "2019",
        "Step 2: ",
    ),
]


def check(found):
    assert isinstance(found, FoundAnswer)
    if found.answer is None:
        assert found.reason in (
            "empty",
            "unfinished_thought",
            "refusal",
            "nothing_found",
        )
        return
    assert found.reason is None
    assert isinstance(found.answer, Answer)
    assert found.answer.rule in RULES
    assert all(isinstance(value, str) for value in found.answer.values)
    assert found.answer.values or found.answer.rule == "json"
    assert isinstance(found.answer.scale, str)


@settings(max_examples=400)
@given(st.text())
def test_any_text(response):
    check(find_answer(response))


@settings(max_examples=800)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_mixture_of_marks(response):
    check(find_answer(response))


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        *(("[", "]"), ("(", ")"), ('{"a": ', "}"), ('{"answer": ', "}"), ("{", "}")),
        *(('[{"answer": ', "}]"), ('{"answer": {"value": ', "}}"), ("#### ", "")),
        *(("0 or ", ""), ("~~", "~~"), ("<li>", "</li>"), ("'", "'"), ("1. ", "")),
        *(("\\boxed{", "}"), ("\\text{", "}"), ("**", "**"), ("<answer>", "</answer>")),
    ],
)
def test_nesting_ten_thousand_deep(opening, closing):
    text = opening * 10_000 + "1" + closing * 10_000
    check(find_answer(text))
    check(find_answer(f"Answer: {text}"))
    check(find_answer(json.dumps({"answer": "1", "scale": text})))


@pytest.mark.parametrize(
    "number",
    ["9" * 5000, "-" + "9" * 5000, "0." + "9" * 5000, "1e999", "NaN", "Infinity"],
)
def test_numbers_beyond_every_limit(number):
    for form in ("{}", "Answer: {}", "It is {}.", '{{"answer": {}, "scale": ""}}'):
        check(find_answer(form.format(number)))
    steps = "| 1 | Arithmetic |\n| 2 | a |\n| 3 | {} |\n| 4 | {} |\n| 5 | percent |"
    check(find_answer(steps.format(number, number)))


LINES = {
    *("1", "1 ", "1,", "1 and ", "2019, ", "a", "a ", "a\n", "\n", " ", "é", "½", "\\"),
    *(
        "#",
        "####",
        "{",
        "}",
        "[",
        "(",
        "|",
        "`",
        "_",
        "*",
        "$",
        "%",
        "=",
        "-",
        '"',
        "'",
    ),
    *(
        "\\boxed{",
        "\\boxed{}",
        "\\boxed{1}, ",
        "\\text{",
        "\\frac{",
        "<answer>",
        "**a**",
    ),
    *(
        "</answer>",
        "<think>",
        "</think>",
        '{"answer": ',
        '{"answer": 1} ',
        "- a\n",
        "is ",
    ),
    *("Answer:", "Answer: 1\n", "the final answer ", "The answer is: 1 ####\n", "yes "),
    *(
        "#### and its corresponding scale is: x\n",
        "its scale is ",
        "| 1 | a |\n",
        "May 1, ",
    ),
    *("Question:\n", "\nQuestion: 1\n", "A:\n", "over ", "x=1\n", "['a', ", "; "),
    *(
        "12 #### million\n",
        "#### ",
        "## ",
        "12#13 ",
        "Answer: - a\n- b\n",
        "1. a ",
        "(1) a ",
    ),
    *("Answer: 1. a 2. b ", "a) b\n", "'a', ", "**a**, ", '"a" and ', "\\text{a}, "),
    *("Wait, it is 5. ", "Wait, ", "Actually, the answer is 5. ", "\\boxed{5}\nWait, "),
    *(
        "Scale: million\n",
        "<scale>a</scale>",
        "<li>a</li>",
        "<b>",
        "~~a~~ ",
        "~~",
        "↓ ",
    ),
    *(
        "(million) ",
        "in millions ",
        "12.5, million ",
        "5 MM ",
        "Answer (in millions): ",
    ),
    *(
        '"answer": "a", ',
        "\\#",
        "✓",
        "answer = 5\n",
        "ans = '",
        "ans = [1",
        "ans = x\n",
        "x = 5\n",
        "$\\$",
        "down 5% ",
        "5 (a), ",
    ),
    *("Answer: X\n", "Answer: X ####", "Answer: <answer>\n5\n", "<answer> </answer>"),
    *(
        "The answer is: ...\n",
        "1 + 1 = ",
        "5 #### thousand million\n",
        "Answer: [your ",
    ),
    *("5 in 2019, 4 in 2018, an increase of 25%. ", "- 12 (a ", "__", "\\boxed{X}"),
}


@pytest.mark.parametrize("piece", sorted(LINES))
def test_cost_is_linear(piece):
    def find(text):
        check(find_answer(text))

    # Quadratic time would grow 64 times.
    assert growth(find, lambda size: piece * (size // len(piece)), 40_000, 8) < 30


def test_importing_stays_light():
    code = (
        "import sys, tableqa_metrics; tableqa_metrics.extract_answer('48'); "
        "heavy = {'numpy', 'scipy', 'lxml', 'rapidfuzz', 'markdown_it'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("separator", ["#", ";", "\n- "])
def test_more_than_a_thousand_values_are_no_answer(separator):
    def count(values):
        answer = find_answer("Answer:\n- " + separator.join(["5"] * values)).answer
        return len(answer.values)

    assert count(1000) == 1000
    assert count(1001) == 1
