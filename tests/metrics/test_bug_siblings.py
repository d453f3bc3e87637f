"""Responses of the same kinds as the public complaints (test_bug_cases), made up here.

Each is extracted blindly and compared by value, as the tasks do.
"""

import pytest
from metrics.bug_checks_answers import value_em


PERCENT = {"scale": "percent"}
MILLION = {"scale": "million"}
THOUSAND = {"scale": "thousand"}
FINQA = {"precision": "coarser"}

RIGHT = {
    "signs (B09 to B13)": [
        (-41260.35, "The loss was GBP (41,260.35)."),
        (-8.2, "Answer: ($8.20)"),
        (-640, "Net: -(640)"),
        (-7.25, "It changed by \u22127.25."),
        (-7.25, "Final answer: \u20137.25"),
        (-1234.5, "The total is (1,234.5)"),
        (-1234.5, "= -1,234.50"),
        (-5, "EUR (5)"),
        (-2310.5, "The net loss is $(2,310.5) thousand.", THOUSAND),
        (-2310.5, "\\boxed{(2,310.5)}"),
        (-12.5, "Answer: (12.5) USD"),
        (-0.35, "Answer: $(0.35)"),
        (-640, "Answer: ($-640)"),
        (-7.25, "Answer: \u2212 7.25"),
        (-7.25, "Answer: \u20117.25"),
        (-1200, "Answer: \u2013$1,200"),
        (-1.7e9, "Answer: ($1.7B)"),
        (-41260.35, "It was a loss of GBP (41,260.35)"),
        (-41260.35, "The result is minus GBP 41,260.35"),
        (-8.2, "Operating loss of $(8.20)"),
        (-8.2, "The difference is minus $8.20"),
        (37, "It is 40 minus 3, so 37."),
    ],
    "fractions (B18)": [
        (-0.5, "-\u00bd"),
        (1.5, "The ratio is 1\u00bd."),
        (1.5, "3/2"),
        (2.25, "Answer: 2 1/4"),
        (0.75, "Answer: \\frac{3}{4}"),
        (1.5, "\\boxed{\\frac{3}{2}}"),
        (-1.5, "Answer: -1 1/2"),
    ],
    "punctuation and Markdown (B16, B19, B25 to B31)": [
        (37, "It comes to 37!"),
        (37, 'Answer: "37"'),
        (37, "Answer: '37'."),
        (3.5, "3.5."),
        (3.5, "Answer: 3.5,"),
        (48, "The total is 48, as the note shows."),
        (1048, "The total is 1,048, as the note shows."),
        (65, "The company sold 65 units, overall."),
        (46500, "net = $90,000 - $43,500 = $46,500."),
        (31, "...so the fee is $31.00."),
        (61, "Final answer: **61**"),
        (61, "Final answer: `61`"),
        (61, "**Final answer:** 61"),
        (61, "Final answer: _61_"),
        (61, "# 61"),
        (37, "It comes to (approximately) 37."),
        (37, "The answer is “37”."),
        (37, "Answer \u2192 37"),
        (3.5, "Answer: [3.5]."),
        (46500, "Answer: 46\u202f500"),
        (46500, "The net is 46,500 dollars."),
        (61, "Final answer: ***61***"),
        (61, "**Answer: 61**"),
        (37, "Result -> 37"),
        (37, "Result => 37"),
        (37, "Total → 37."),
        (37, "-> 37"),
        (37, "It is 37, not 35."),
        (37, "The answer is 37[1]."),
        (37, "about thirty-seven"),
    ],
    "percent (B20 to B22)": [
        (0.141, "\\boxed{14.1\\%}", FINQA),
        (0.141, "\\boxed{14.1}%", FINQA),
        (0.141, "$\\boxed{14.1}$ %", FINQA),
        (0.141, "14.1 percent", FINQA),
        (0.356, "The growth was 35.6%.", FINQA),
        (-0.356, "a decline of -35.6%", FINQA),
        (7, "7%", PERCENT),
        (7, "7 percent", PERCENT),
        (7, "0.07", PERCENT),
        (7, "7", PERCENT),
        (0.141, "$\\boxed{14.1\\%}$", FINQA),
        (0.141, "\\boxed{14.1}\\,\\%", FINQA),
        (0.141, "\\boxed{14.1\\text{ percent}}", FINQA),
        (-0.356, "Revenue declined by 35.6%.", FINQA),
        (7, "Answer: 7 per cent", PERCENT),
        (7, "Seven percent.", PERCENT),
    ],
    "scales (B34, B35, B37 to B39)": [
        (2_000_000, "$2 million"),
        (2e9, "$2 billion"),
        (2000, "$2 thousand"),
        (12_500_000, "$12.5MM"),
        (12_500_000, "12.5mn"),
        (1.25e9, "$1.25bn"),
        (84.2e6, "\u20ac84.2M"),
        (3100, "$3.1k"),
        (845, "Answer: $845 million", MILLION),
        (845, "845 million dollars", MILLION),
        (1.2345, "1234.5 million", {"scale": "billion"}),
        (845, "Answer: 845 (in millions)", MILLION),
        (845, "Answer: $845M", MILLION),
        (845, '{"answer": "845 million", "scale": "million"}', MILLION),
        (1234.5, "Answer: $1.2345 billion", MILLION),
        (12_500_000, "Answer: 12.5 MM USD"),
        (84.2e6, "Answer: \u20ac84.2 M"),
        (12_500_000, "Answer: Rs 1.25 crore"),
    ],
    "lists (B30)": [
        (["3", "5"], "3, 5"),
        (["3", "5"], "Answer: 3 and 5"),
        (["3,500", "4,200"], "Answer: 3,500, 4,200"),
        (["2019", "2018"], "2018, 2019"),
        (["3", "5"], "- 3\n- 5"),
        (["3", "5"], '{"answer": [3, 5]}'),
        (["2019", "2018"], "Answer: 2019 and 2018"),
    ],
    "words (B27) and zero (B08)": [
        ("yes", "Yes."),
        ("yes", "**Yes**, it did."),
        ("no", "The answer is no"),
        (0, "0"),
        (0, "0.0"),
        ("yes", "\\boxed{\\text{yes}}"),
        ("no", "Answer: false"),
        (0, "Answer: zero"),
        (0, "Answer: 0%", PERCENT),
    ],
    "thoughts (B69, B70) and restated questions (B74)": [
        (12.5, "Question: what was revenue? Answer: 12.5"),
        (12.5, "<think>maybe 13</think>The answer is 12.5"),
        (12.5, "<think>\n\nQuestion: 13?\n\n</think>\n\nAnswer: 12.5"),
    ],
}
WRONG = {
    "other numbers (B15, B40, B43)": [
        ("8", "The margin is 48"),
        ("-8", "8"),
        ("2.75", "32.75"),
        (5.0, "5000"),
        (-5.0, "5"),
        (0.0, ""),
        (0.0, "none"),
        (0.0, "N/A"),
        (100, "105.2"),
        (12.34, "12,34"),
        ("2008", "2010"),
        ("2008", "2008.5"),
        ("8", "108"),
        ("2.75", "2,75"),
        (100, "95.2"),
        ("2019", "2019.5"),
    ],
    "bounds, ranges, negations (B17)": [
        (37, ">=37"),
        (37, "at least 37"),
        (37, "<37"),
        (37, "more than 37"),
        (37, "37 or more"),
        (37, "up to 37"),
        (37, "between 30 and 40"),
        (37, "35-40"),
        (37, "not 37"),
        (37, "Answer: \u226537"),
        (37, "Answer: no more than 37"),
        (37, "Answer: 36\u201338"),
        (37, "Answer: 37 or 38"),
        (37, "It is not 37."),
        (37, "It isn't 37."),
        (37, "It did not reach 37."),
        (37, "It never reached 37."),
        (37, "The total is not equal to 37."),
        (37, "It exceeds 37."),
        (37, "It exceeded 37."),
        (37, "It surpasses 37."),
        (37, "The total is in excess of 37."),
        (37, "It is larger than 37."),
        (37, "It is between 30 and 37."),
        (37, "It ranges from 30 to 37."),
        (37, "It fell short of 37."),
    ],
    "scales and percent": [
        (845, "845", MILLION),
        (0.2212, "22.12", FINQA),
        (22.12, "22.12", MILLION),
        (7, "70%", PERCENT),
        (845, "Answer: 845 thousand", MILLION),
        (845, "Answer: 0.845", MILLION),
        (7, "Answer: 0.7", PERCENT),
        (7, "Answer: -7%", PERCENT),
        (140.2, "28.0%", FINQA),
    ],
    "lists (B30, B52)": [
        (["3", "5"], "3,500"),
        (["3", "5"], "35"),
        (["3", "5"], "3"),
        ("Oslo", "Oslo Oslo Oslo"),
        (["3", "5"], "3-5"),
        (["3", "5"], "3.5"),
        ("Oslo", "Oslo, Oslo"),
        ("Oslo", "not Oslo"),
    ],
    "no answer (B70)": [
        (12.5, "<think>revenue was 120 so maybe 12.5"),
        (37, "I cannot answer"),
        ("yes", "no"),
        (12.5, "<think>12.5</think>\nI cannot determine the answer."),
    ],
}


def listed(families):
    return [
        pytest.param(
            *case[:2], case[2] if len(case) > 2 else {}, id=f"{family}: {case[1]}"
        )
        for family, cases in families.items()
        for case in cases
    ]


@pytest.mark.parametrize(("gold", "response", "options"), listed(RIGHT))
def test_right(gold, response, options):
    assert value_em(gold, response, **options) == 1


@pytest.mark.parametrize(("gold", "response", "options"), listed(WRONG))
def test_wrong(gold, response, options):
    assert value_em(gold, response, **options) == 0
