"""`extract_answer`: one family of responses a table, rule and values checked."""

from __future__ import annotations

import pytest

import tableqa_metrics
from tableqa_metrics import Answer, extract_answer, find_answer, parse_number
from tableqa_metrics.extraction.answers.scales import read_scale


LINE = "The answer is: {} #### and its corresponding scale is: {}"

# response: (values, scale)
ANSWER_LINE = {
    LINE.format("12.5", "million"): (("12.5",), "million"),
    LINE.format("12.5", "MILLION."): (("12.5",), "million"),
    LINE.format("12.5", "Millions"): (("12.5",), "million"),
    LINE.format("12.5", '"percent"'): (("12.5",), "percent"),
    LINE.format("12.5", "**%**"): (("12.5",), "percent"),
    LINE.format("12.5", "none"): (("12.5",), ""),
    LINE.format("12.5", "N.A."): (("12.5",), ""),
    LINE.format("12.5", ""): (("12.5",), ""),
    LINE.format("12.5", "US dollars"): (("12.5",), ""),
    LINE.format("12.5", "million US dollars"): (("12.5",), "million"),
    LINE.format("**12.5**", "none"): (("12.5",), ""),
    LINE.format("\\boxed{12.5}", "none"): (("12.5",), ""),
    LINE.format("31.00.", "none"): (("31.00",), ""),
    LINE.format("14.1\\%", "percent"): (("14.1%",), "percent"),
    LINE.format("(2,310.5)", "none"): (("(2,310.5)",), ""),
    LINE.format("2018#2019", "none"): (("2018", "2019"), ""),
    LINE.format("2018 # 2019#", "none"): (("2018", "2019"), ""),
    LINE.format("2018; 2019", "none"): (("2018", "2019"), ""),
    LINE.format("3, 5", "none"): (("3", "5"), ""),
    LINE.format("2018 and 2019", "none"): (("2018", "2019"), ""),
    LINE.format("Audit Fees; Tax Fees", "none"): (("Audit Fees", "Tax Fees"), ""),
    LINE.format("3,500", "none"): (("3,500",), ""),
    LINE.format("May 31, 2019", "none"): (("May 31, 2019",), ""),
    LINE.format("research and sales, net", "none"): (("research and sales, net",), ""),
    # both stay: three gold answers of TAT-QA are written so
    LINE.format("$845 million", "million"): (("$845 million",), "million"),
    LINE.format("1", "none") + "\n\nWait.\n" + LINE.format("2", "none"): (("2",), ""),
    "The answer is:\n12.5\n#### and its corresponding scale is: million": (
        ("12.5",),
        "million",
    ),
    "The answer is: 12.5 and its corresponding scale is: million": (
        ("12.5",),
        "million",
    ),
}

PLAIN_ANSWER_LINE = {
    "The answer is: 0.14111": (("0.14111",), ""),
    "The answer is: 14.1%": (("14.1",), "percent"),
    "The answer is: yes": (("yes",), ""),
    "the answer is: 94.0</s>": (("94.0",), ""),
    "The answer is: 12#13": (("12", "13"), ""),
    "The answer is:\n\\[ 48 \\]": (("48",), ""),
    "The answer is: \n\n**48**": (("48",), ""),
}

BOXED = {
    "The change is \\boxed{14.1}\\%": (("14.1",), "percent"),
    "The change is $\\boxed{14.1\\%}$.": (("14.1",), "percent"),
    "$$\\boxed{48}\\text{ million}$$": (("48",), "million"),
    "It is $\\boxed{48}$ million.": (("48",), "million"),
    "\\boxed{\\text{Operating activities}}": (("Operating activities",), ""),
    "\\boxed{\\$46{,}500}": (("$46,500",), ""),
    "\\boxed{\\frac{3}{2}}": (("3/2",), ""),
    "\\boxed{\\mathbf{7}}": (("7",), ""),
    "\\boxed{3} and \\boxed{5}": (("3", "5"), ""),
    "\\boxed{3, 5}": (("3", "5"), ""),
    "First \\boxed{3}, but no: \\boxed{5}": (("5",), ""),
    "\\boxed{3} and then \\boxed{5": (("3",), ""),
    "\\boxed{\\boxed{3}}": (("3",), ""),
    "The answer is \\boxed{yes}.": (("yes",), ""),
}

ANSWER_TAG = {
    "so\n<answer>48</answer>": (("48",), ""),
    "<answer>1</answer> no: <ANSWER>$48</ANSWER> million": (("$48",), "million"),
    "<final_answer>48%</final_answer>": (("48",), "percent"),
    "<answer>48": (("48",), ""),
    "<answer>\nAudit Fees\nTax Fees\n</answer>": (("Audit Fees", "Tax Fees"), ""),
    "<answer>\n- Audit Fees\n- Tax Fees\n</answer>": (("Audit Fees", "Tax Fees"), ""),
    "<answer>\n(31) million\n</answer>": (("(31)",), "million"),
    "<answer>48</answer>\n\nThe final figure above is 48, not 50.": (("48",), ""),
}

ANSWER_MARKER = {
    "Question: what was revenue? Answer: 12.5": (("12.5",), ""),
    "Answer: 1\nNo.\nAnswer: 2": (("2",), ""),
    "Final answer: **61**": (("61",), ""),
    "**Answer:** $12.5 million": (("$12.5",), "million"),
    "**Answer**: 1.2bn": (("1.2",), "billion"),
    "### Answer\n\n48 million\n\nExplanation: so it is.": (("48",), "million"),
    "**Final Answer**\n48": (("48",), ""),
    "The final answer is 14.1%.": (("14.1",), "percent"),
    "So the answer is 48.\n\nLet me know if you need more.": (("48",), ""),
    "A: 48": (("48",), ""),
    "Result: 37?": (("37",), ""),
    "Answer: 48, because 20 + 28 is 48": (("48",), ""),
    "Answer: $46,500. This is the net of 90,000 and 43,500.": (("$46,500",), ""),
    "Answer: The total revenue was $48 million in 2019.": (("$48",), "million"),
    "Answer: 2.5 years": (("2.5 years",), ""),
    "Answer: Yes, it rose.": (("Yes",), ""),
    "Answer: No significant amounts": (("No significant amounts",), ""),
    "Answer: ['2019', '2018']": (("2019", "2018"), ""),
    "Answer: $24.6 million and $25.1 million": (("$24.6", "$25.1"), "million"),
    "Answer: 5.2 and 6.1 million": (("5.2", "6.1"), "million"),
    "Answer: $5 million and 6%": (("$5 million", "6%"), ""),
    "Answer: December 31, 2018 and May 31, 2019": (
        ("December 31, 2018", "May 31, 2019"),
        "",
    ),
    "Answer:\n1. Audit Fees\n2. Tax Fees": (("Audit Fees", "Tax Fees"), ""),
    "Answer: The types are:\n- A\n- B\n\nThat is all.": (("A", "B"), ""),
    "Answer:\n- 5": (("5",), ""),
    "Answer: -5": (("-5",), ""),
    "Answer: >=37": ((">=37",), ""),
    "Answer: approximately 14.1%": (("14.1",), "percent"),
    "Answer: USD 5 million": (("USD 5",), "million"),
    "Answer: 5 million dollars": (("5",), "million"),
    "Answer: 1.2 trillion": (("1.2 trillion",), ""),
    "**Answer: $12.5 million**": (("$12.5",), "million"),
    "**Final Answer: Level 1.**": (("Level 1.",), ""),
    "\\(\\text{Answer: } 48\\)": (("48",), ""),
    "Answer: 1,234.5 (in thousands)": (("1,234.5",), "thousand"),
    "Answer: The years are 2018 and 2019.": (("2018", "2019"), ""),
    "Answer: They were $5 and $6 million, respectively.": (("$5", "$6"), "million"),
    "Answer: negative 5.2%": (("-5.2",), "percent"),
    "**Answer:** 12.5\n**Scale:** Millions": (("12.5",), "million"),
    "Answer: 12.5 million\nScale: million": (("12.5",), "million"),
    'Answer: "Audit Fees", "Tax Fees"': (("Audit Fees", "Tax Fees"), ""),
}

BOLD = {
    "So we get **48 million** in the end.": (("48",), "million"),
    "**Revenue**: it rose. **Total = 14.1%** as above": (("14.1",), "percent"),
    "In **2019** the total was **$48** million.": (("$48",), "million"),
    "**Step 1:** add.\nIt is __61__": (("61",), ""),
    "It is <b>61</b>.": (("61",), ""),
    "It was **Operating activities** that grew.": (("Operating activities",), ""),
}

BARE = {
    "48": (("48",), ""),
    "0": (("0",), ""),
    "37.": (("37",), ""),
    ">=37": ((">=37",), ""),
    "<37": (("<37",), ""),
    "3, 5": (("3", "5"), ""),
    "3,500": (("3,500",), ""),
    "$845 million": (("$845",), "million"),
    "yes": (("yes",), ""),
    "Operating activities": (("Operating activities",), ""),
    "Audit Fees#Tax Fees": (("Audit Fees", "Tax Fees"), ""),
    "Audit Fees; Tax Fees": (("Audit Fees", "Tax Fees"), ""),
    "research, sales and other": (("research, sales and other",), ""),
    "Audit Fees\nTax Fees": (("Audit Fees", "Tax Fees"), ""),
    "The types are:\n- Audit Fees\n- Tax Fees": (("Audit Fees", "Tax Fees"), ""),
    "48\n\nThe total is the sum of 20 and 28.": (("48",), ""),
    "I add 20 and 28.\n48": (("48",), ""),
    "Level 1": (("Level 1",), ""),
    "Yes, it rose by 5.": (("Yes",), ""),
}

LAST_NUMBER = {
    "The total is 48, as the note shows.": (("48",), ""),
    "net = $90,000 - $43,500 = $46,500.": (("$46,500",), ""),
    "The growth was 35.6%.": (("35.6",), "percent"),
    "It comes to 37!": (("37",), ""),
    "It comes to [37].": (("37",), ""),
    "The margin is 48": (("48",), ""),
    "The value is (48).": (("(48)",), ""),
    "The company sold 65 units, overall.": (("65",), ""),
    "...so the fee is $31.00.": (("$31.00",), ""),
    "The result is over 37.": (("over 37",), ""),
    "It fell by 5-10%.": (("5-10%",), ""),
    "The change was negative 5.2%.": (("-5.2",), "percent"),
    "The ratio is 1 1/2.": (("1 1/2",), ""),
    "The total is 1\u202f234\u202f567.": (("1 234 567",), ""),
    "Step 1: add 5 and 6.\nStep 2: that gives 11 in 2019.": (("11",), ""),
    "We compare 5 and 4.\nSo it holds, yes.": (("yes",), ""),
    "$$x = \\frac{1}{2} = 0.5$$": (("0.5",), ""),
    "Revenue: $48 million": (("$48",), "million"),
}

FAMILIES = {
    "answer_line": ANSWER_LINE,
    "plain_answer_line": PLAIN_ANSWER_LINE,
    "boxed": BOXED,
    "answer_tag": ANSWER_TAG,
    "answer_marker": ANSWER_MARKER,
    "bold": BOLD,
    "bare": BARE,
    "last_number": LAST_NUMBER,
}


@pytest.mark.parametrize(
    ("rule", "response", "expected"),
    [(r, text, e) for r, family in FAMILIES.items() for text, e in family.items()],
)
def test_families(rule, response, expected):
    assert extract_answer(response) == Answer(*expected, rule)


@pytest.mark.parametrize("rule", FAMILIES)
def test_thoughts_are_not_read(rule):
    for response, expected in FAMILIES[rule].items():
        thought = f"<think>The answer is: 999 \\boxed{{998}}</think>\n{response}"
        assert extract_answer(thought) == Answer(*expected, rule)
        assert find_answer(f"<think>{response}").reason == "unfinished_thought"
        assert find_answer(f"{response}</think>  ").reason == "empty"


@pytest.mark.parametrize("rule", ["answer_line", "plain_answer_line", "boxed"])
@pytest.mark.parametrize(
    "next_question",
    [
        "\n\nQuestion: What was sold?\nThe answer is: 5\nAnswer: 6 \\boxed{7}",
        "\n### Question 2:\n\\boxed{7}",
        "\nQ: next?\nA: 7\n<answer>7</answer>",
        "\nUser: and in 2018?\nAnswer: 7",
        "\n\nBelow is an instruction that describes a task.\nThe answer is: 7",
        "</s>The answer is: 7 #### and its corresponding scale is: billion",
        "<|im_end|>\n<|im_start|>user\nAnswer: 7",
    ],
)
def test_a_hallucinated_next_question_is_cut_off(rule, next_question):
    for response, expected in FAMILIES[rule].items():
        if "<" not in response:
            assert extract_answer(response + next_question) == Answer(*expected, rule)


@pytest.mark.parametrize(
    ("response", "values"),
    [
        ("48\n\nQuestion: What is next?\nAnswer: 50", ("48",)),
        ("Operating activities\n\nQ: next?\nA: foo", ("Operating activities",)),
        ("Let me restate.\nQuestion: what was revenue?\nAnswer: 12.5", ("12.5",)),
        ("Question: what was revenue?\n\nAnswer: 12.5", ("12.5",)),
    ],
)
def test_a_restated_question_is_not_cut_off(response, values):
    assert extract_answer(response).values == values


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("<think>done</think>", "empty"),
        ("<think>revenue was 120 so maybe 12.5", "unfinished_thought"),
        ("I cannot answer this question.", "refusal"),
        ("I'm sorry, but the table has 12 rows and no revenue.", "refusal"),
        ("The answer cannot be determined from the 3 tables.", "refusal"),
        ("Answer: N/A", "refusal"),
        ("Answer: not given in the text", "refusal"),
        ("The answer is 5.\nFinal answer: cannot be determined", "refusal"),
        ("\\boxed{\\text{Cannot be determined}}", "refusal"),
        ("Answer:", "nothing_found"),
        ("We add 5 and 6.\n\nThe answer is:", "nothing_found"),
        ("What was the revenue in 2019?", "nothing_found"),
        ("Revenue rose because of sales.\nIt also fell.", "nothing_found"),
        ("| step | output |\n| 1 | Arithmetic |\n| 2 | 24#24#", "nothing_found"),
        ("...", "nothing_found"),
    ],
)
def test_reasons(response, reason):
    found = find_answer(response)
    assert (found.answer, found.reason) == (None, reason)
    assert extract_answer(response) is None


def test_public_complaints(reference):
    cases = {case["id"]: case["input"] for case in reference("bug_cases.json")}

    def value(response):
        answer = extract_answer(response)
        assert len(answer.values) == 1
        unit = "%" if answer.scale == "percent" else f" {answer.scale}"
        number = parse_number(answer.values[0] + unit)
        return number and number.value

    expected_values = {"B21": 0.141, "B22": 0.356, "B25": 48, "B26": 65, "B28": 46500}
    expected_values |= {"B29": 31, "B31": 61, "B34": 845e6}
    for case, expected in expected_values.items():
        assert value(cases[case]["prediction"]) == expected, case
    assert [value(p) for p in cases["B16"]["predictions"]] == [37, 37, 37]
    assert [value(p) for p in cases["B17"]["predictions"]] == [None, None]
    assert [value(p) for p in cases["B19"]["predictions"]] == [3.5, 3.5, 3.5]
    assert value(cases["B15"]["cases"][0]["prediction"]) == 48
    assert extract_answer(cases["B20"]["prediction"]) == Answer(
        ("7",), "percent", "bare"
    )
    assert extract_answer(cases["B27"]["prediction"]).values == ("yes",)
    assert extract_answer(cases["B30"]["prediction"]).values == ("3", "5")
    assert find_answer(cases["B24"]["prediction"]).reason == "empty"
    assert find_answer(cases["B70"]["generation"]).reason == "unfinished_thought"
    assert value(cases["B74"]["generation"]) == 12.5


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        *(("none", ""), ("", ""), ("N.A.", ""), ("null", ""), ("euros", "")),
        *(("Thousands", "thousand"), ("in millions", "million"), ("bn", "billion")),
        *(("%", "percent"), ("\\%", "percent"), ("per cent", "percent")),
        *(("percentage", "percent"), ("hundred", "hundred"), ("trillion", "trillion")),
    ],
)
def test_read_scale(text, scale):
    assert read_scale(text) == scale


def test_names_are_public():
    assert {"Answer", "extract_answer", "find_answer"} <= set(tableqa_metrics.__all__)
