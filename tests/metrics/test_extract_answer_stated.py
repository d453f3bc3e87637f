"""An answer beside a field for its scale is read as any answer is: one table a family.

Each text stands in every form that has such a field, and in forms that have none.
"""

from __future__ import annotations

import json

import pytest

from tableqa_metrics import extract_answer, find_answer
from tableqa_metrics.extraction.answers.scales import read_scale
from tableqa_metrics.tatqa import tatqa_score
from tableqa_metrics.value import value_match


LINE = "The answer is: {} #### and its corresponding scale is: {}"
STEPS = "| step | output |\n| 1 | {kind} |\n| 2 | 5#6 |\n| 3 | N.A. |\n| 4 | {} |\n| 5 | {} |"


def json_with(keys, text, scale):
    return json.dumps({**keys, "answer": text, "scale": scale}, ensure_ascii=False)


FORMS = {
    "answer line": LINE.format,
    "X #### Y": "It is so.\n{} #### {}".format,
    "Answer: X #### Y": "Answer: {} #### {}".format,
    "step table": lambda text, scale: STEPS.format(text, scale, kind="Arithmetic"),
    "step table, span": lambda text, scale: STEPS.format(
        text, scale, kind="Single span"
    ),
    "JSON": lambda text, scale: json_with({"why": "so"}, text, scale),
    "JSON in prose": lambda text, scale: f"So: {json_with({}, text, scale)} as shown.",
    "JSON, a list": lambda text, scale: json_with({"why": "so"}, [text], scale),
    "Python": "{{'answer': '{}', 'scale': '{}'}}".format,
    "call": "final_answer('{}', scale='{}')".format,
    "box": "So \\boxed{{{}}}\nScale: {}".format,
    "tag": "<answer>{}</answer> <scale>{}</scale>".format,
    "marker": "Answer: {}\nScale: {}".format,
    "table": "| Answer | Scale |\n|---|---|\n| {} | {} |".format,
}
STATED = ("answer line", "X #### Y", "Answer: X #### Y")
MINUS_TWELVE = (
    "-12.6",
    "\u221212.6",  # minus
    "\u201312.6",  # en dash
    "\u201412.6",  # em dash
    "- 12.6",
    "\u2212 12.6",
    "≈ \u221212.6",
    "≈-12.6",
    "~ -12.6",
    "about -12.6",
    "approximately \u221212.6",
    "minus 12.6",
    "negative 12.6",
    "-12.60",
    "**-12.6**",
    "-12.6.",
    "-12.6%",
    "\u221212.6%",
    "-12.6 percent",
    "-12.6 percentage points",
    "-12.6 (a decrease)",
    "\u221212.6 (a decrease)",
    "- 12.6 (a decrease)",
    "-12.6 (decrease)",
    "-12.6 [a decrease]",
    "-12.6, a decrease",
    "-12.6 – a decrease",
    "-12.6 - a decrease",
    "-12.6 (rounded)",
    "-12.6 (2019 vs 2018)",
    "-12.6% (i.e., a decrease of 12.6%)",
    "a decrease of 12.6",
    "a decrease of 12.6%",
    "decrease of 12.6%",
    "decreased by 12.6%",
    "a 12.6% decrease",
    "12.6% decrease",
    "down 12.6%",
    "12.6% lower",
    "-12.6% YoY",
    "-12.6% year-over-year",
    "-12.6 percent change",
    "-12.6 percent from 2018",
    "decline of 12.6%",
    "= -12.6",
    "(43.7 - 50) / 50 = -12.6%",
    "(43.7 - 50) / 50 ≈ \u221212.6%",
    "-0.126 = -12.6%",
    "-0.126 or -12.6%",
)
EIGHT_HUNDRED = (
    "800",
    "$800",
    "$ 800",
    "800 USD",
    "800 dollars",
    "800 (in millions)",
    "800 (millions)",
    "800 ($ in millions)",
    "about 800",
    "≈ $800",
    "roughly $800",
    "800 (rounded)",
    "800, as shown",
    "800, which is the total",
    "an increase of 800",
    "an increase of $800 million",
    "a total of 800",
    "the total is 800",
    "The total is $800 million.",
    "x = 800",
    "Total = 800",
    "1,000 - 200 = 800",
    "1,000 \u2212 200 = 800",
    "$1,000 - $200 = $800",
    "1,000 - 200 = 800 million",
    "net = 1,000 - 200 = 800",
    "500 + 300 = 800",
    "2,400 / 3 = 800",
    "2400/3 = 800",
    "2400/3 ≈ 800",
    "(500 + 1100) / 2 = 800",
    "(500 + 1100) / 2 = 1,600 / 2 = 800",
    "800 = 1,000 - 200",
    "800 (1,000 - 200)",
    "800 (= 1,000 - 200)",
    "800M",
    "$800M",
)


def em(text, scale, form, gold):
    answer = extract_answer(FORMS[form](text, scale))
    prediction = answer.raw if answer.raw is not None else list(answer.values)
    question = {"answer_type": "arithmetic", "answer": gold, "scale": scale}
    assert value_match(
        gold, prediction, reference_scale=scale, prediction_scale=answer.scale
    )
    return tatqa_score(question, prediction, answer.scale).em


@pytest.mark.parametrize("text", MINUS_TWELVE)
def test_minus_twelve_percent(text):
    for form in FORMS:
        assert em(text, "percent", form, -12.6) == 1, form


@pytest.mark.parametrize("text", EIGHT_HUNDRED)
def test_eight_hundred_million(text):
    for form in FORMS:
        assert em(text, "million", form, 800) == 1, form


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("\u221212.6", "-12.6"), ("- 12.6", "-12.6"), ("≈ 12.6", "12.6")),
        *(("-12.6 (a decrease)", "-12.6"), ("a decrease of 12.6", "-12.6")),
        *(("1,000 - 200 = 800", "800"), ("about 94", "94"), ("94 dollars", "94")),
        *(("a decrease of 12.6%", "-12.6%"), ("\u221212.6%", "-12.6%")),
        ("$5.1 million (see note 7)", "$5.1 million"),
        ("(500 + 1,100 + 800) / 3 = 2,400 / 3 = 800", "800"),
        # brackets stay, as in the gold spans: the released scorer reads both alike
        *(("(2,310.5)", "(2,310.5)"), ("$(9.8) million", "$(9.8) million")),
    ],
)
def test_a_field_that_states_no_scale(text, value):
    for form in (*STATED, "step table, span"):
        answer = extract_answer(FORMS[form](text, "none"))
        assert (answer.values, answer.scale) == ((value,), ""), form


@pytest.mark.parametrize(
    "text",
    [
        *("approximately 13%", "approximately 70 basis points", "6.14 per cent"),
        *("£59.1m", "approximately USD500 million", "+3.6%", "5 bps", "2.5 years"),
        "(1) Net sales - total",
        "12.5 years as of the acquisition date",
        "2019, maturities of lease liabilities",
        "increase of sales in Europe",
        "Net sales = gross sales less returns",
        "The weighted-average expected long-term rate of return for the assets is 3.3%.",
        "5.00% Notes, due 2024",
        "Level 1 – quoted prices",
        "A decrease in revenue",
        "No. 1 – Audit Fees",
        "5% from related parties",
        "- Audit Fees",
        "- (197 + 101 + 206) / 3",
    ],
)
def test_words_of_the_text_are_kept(text):
    for form in STATED:
        assert extract_answer(FORMS[form](text, "none")).values == (text,), form
    assert extract_answer(FORMS["step table, span"](text, "none")).values == (text,)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("\u22125#6", ("-5", "6")),
        ("≈ 5#- 6", ("5", "-6")),
        ("2019: 5#2018: 4", ("5", "4")),
        ("(265 )#(277 )", ("(265)", "(277)")),
        ("$15.5 million#$16 million", ("$15.5 million", "$16 million")),
        ("Audit Fees#Tax Fees", ("Audit Fees", "Tax Fees")),
        ("Series A#X", ("Series A", "X")),
    ],
)
def test_several_values(text, values):
    for form in ("answer line", "X #### Y"):
        answer = extract_answer(FORMS[form](text, "million"))
        assert answer.values == values, form


@pytest.mark.parametrize("number", ["\u2212298", "\u22121,298", "\u2212$298"])
def test_a_whole_number_with_a_minus_of_its_own_was_copied(number):
    """TAT-QA has such a gold, which its scorer takes for words."""
    for response in (
        f"The answer is: {number} #### and its corresponding scale is: million",
        f"{number} #### million",
        f'So:\n```json\n{{"answer": ["{number}"], "scale": "million"}}\n```',
    ):
        answer = extract_answer(response)
        assert answer.values == (number,), response


def test_an_unchanged_json_answer_keeps_its_type():
    answer = extract_answer('{"why": "so", "answer": ["5", "a"], "scale": "million"}')
    assert answer.raw == ["5", "a"]
    answer = extract_answer(
        '{"why": "so", "answer": ["\u22125.1"], "scale": "million"}'
    )
    assert (answer.raw, answer.values) == (None, ("-5.1",))
    lossless = '{"answer": "\u22125", "scale": "million"}'
    assert extract_answer(lossless).raw == "\u22125"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "7/3 = 2.33",
            "7/3 ≈ 2.33",
            "7 / 3 = 2.33",
            "7/3 = 2.333 ≈ 2.33",
            "7÷3 = 2.33",
        ),
        *("(4+3)/3 = 2.33", "14/6 = 7/3 = 2.33", "7/3 (2.33)", "7/3, or 2.33"),
        *("2.33 (7/3)", "2.33 = 7/3", "2 1/3 = 2.33", "7 × 1/3 = 2.33"),
        *("\\frac{7}{3} = 2.33", "\\frac{7}{3} \\approx 2.33", "\\dfrac{7}{3}=2.33"),
        "\\frac{7}{3} \\approx \\mathbf{2.33}",
    ],
)
@pytest.mark.parametrize(
    "frame",
    [
        *("Answer: {}", "The answer is: {}", "\\boxed{{{}}}", "$\\boxed{{{}}}$"),
        *("<answer>{}</answer>", "**{}**", "{}", "${}$", "$${}$$", "Hence:\n\n{}"),
        *("| Answer | {} |", "The answer is: {} #### none", "It is so.\n{} #### none"),
    ],
)
def test_of_a_value_and_its_result_the_result_counts(text, frame):
    answer = extract_answer(frame.format(text))
    assert (answer.values, answer.scale) == (("2.33",), "")


@pytest.mark.parametrize(
    ("text", "values", "scale"),
    [
        *(("0.126 = 12.6%", "12.6", "percent"), ("12.6% = 0.126", "12.6", "percent")),
        *(("1/8 = 0.125 = 12.5%", "12.5", "percent"),),
        ("$5,234,567 ≈ $5.234567 million", "$5.234567", "million"),
        *(("1/2", "1/2", ""), ("7/3", "7/3", "")),
    ],
)
def test_of_two_forms_the_one_with_a_scale_counts(text, values, scale):
    for frame in ("Answer: {}", "\\boxed{{{}}}", "<answer>{}</answer>"):
        answer = extract_answer(frame.format(text))
        assert (answer.values, answer.scale) == ((values,), scale)


SCALES = {
    "thousand": (
        *("k", "K", "$k", "in K", "thousand", "Thousands", "in thousands", "USD k"),
        *("thousands of dollars", "thousand US dollars", "USD in thousands", "(K)"),
        *("$000", "$000s", "'000", "000s", "(in $000s)", "US$'000", "1000", "1,000"),
        "10^3",
    ),
    "million": (
        *("m", "M", "mm", "MM", "mn", "Mn", "mln", "Mio", "$M", "$m", "US$m", "USD m"),
        *("USD M", "M USD", "MUSD", "EURm", "€m", "m€", "RMB million", "in millions"),
        *("**M**", '"M"', "M.", "in M", "in $M", "$ millions", "$ in millions"),
        *(
            "millions of US dollars",
            "million (USD)",
            "M (million)",
            "10^6",
            "(in millions)",
        ),
    ),
    "billion": (
        *("b", "B", "bn", "Bn", "bln", "$B", "$bn", "USD bn", "billions of yen"),
        *("thousand million", "thousands of millions", "10^9"),
    ),
    "percent": ("%", "\\%", "pct", "per cent", "percentage points", "in percent"),
    "trillion": ("T", "tn", "$T", "trillion", "trillions"),
    "10^4": ("ten thousand", "10 thousand", "10^4"),
    "10^8": ("hundred million", "100 million", "10^8"),
    "lakh": ("lakh", "lakhs", "hundred thousand", "100 thousand"),
    "crore": ("crore", "crores", "ten million"),
    "hundred": ("hundred", "hundreds"),
    "basis points": ("bps", "basis points"),
    "": (
        *("", " ", "none", "None", "N.A.", "N/A", "null", "no scale", "not applicable"),
        *(
            "dollars",
            "USD",
            "shares",
            "years",
            "per share",
            "days",
            "x",
            "Y",
            "t",
            "tons",
        ),
        *("unit", "units", "a", "1", "mmHg", "mill"),
    ),
}


@pytest.mark.parametrize(
    ("text", "scale"),
    [(text, scale) for scale, texts in SCALES.items() for text in texts],
)
def test_every_scale(text, scale):
    assert read_scale(text) == scale
    assert read_scale(scale) == scale
    if text.strip():
        for form in ("answer line", "step table", "JSON", "tag", "marker", "table"):
            response = FORMS[form]("12.5", text)
            assert extract_answer(response).scale == scale, form


@pytest.mark.parametrize(
    ("scale", "factor"),
    [("ten thousand", 1e4), ("thousand million", 1e9), ("hundred million", 1e8)],
)
def test_a_scale_of_two_words_is_its_product(scale, factor):
    for written in (scale, read_scale(scale)):
        assert value_match(5 * factor, 5, prediction_scale=written)
    response = LINE.format("5", scale)
    answer = extract_answer(response)
    gold = {"answer_type": "arithmetic", "answer": 5, "scale": "thousand"}
    assert tatqa_score(gold, ["5"], answer.scale).em == 0


FORM_LINES = [
    *(
        "X",
        "<answer>",
        "[answer]",
        "{X}",
        "<X>",
        "[X]",
        "...",
        "…",
        "___",
        "[your answer]",
    ),
    *(
        "X#X",
        "X1#X2",
        "**X**",
        "`X`",
        '"X"',
        "$X$",
        "X million",
        "XX.XX",
        "<your answer>",
    ),
]


@pytest.mark.parametrize("place", FORM_LINES)
@pytest.mark.parametrize(
    "form",
    [
        *(LINE.format("{0}", "Y"), LINE.format("{0}", "million"), "The answer is: {0}"),
        *(
            "Answer: {0}",
            "**The answer is: {0}**",
            "So I must end with:\n\nAnswer: {0}",
        ),
        LINE.format("{0}", "Y") + "\n" + LINE.format("{0}", "Y"),
        "Revenue grew from 5 to 6.\n\n" + LINE.format("{0}", "Y"),
    ],
)
def test_a_form_that_was_not_filled_in_is_no_answer(place, form):
    found = find_answer(form.format(place))
    assert (found.answer, found.reason) == (None, "nothing_found")


@pytest.mark.parametrize(
    "response",
    [
        *("X", "**X**", "X #### Y", "\\boxed{X}", "\\boxed{answer}", "\\boxed{...}"),
        *("<answer>X</answer>", "<answer>...</answer>", "<answer></answer>"),
        *('{"answer": "X"}', '{"answer": "<answer>", "why": ""}', "final_answer('X')"),
        *("The answer is: <number>", "The answer is: <yes or no>", "Answer: [value]"),
        STEPS.format("X", "Y", kind="Arithmetic"),
        STEPS.format("X", "Y", kind="Single span"),
    ],
)
def test_forms_of_other_kinds(response):
    assert find_answer(response).reason == "nothing_found"


@pytest.mark.parametrize("place", ["X", "<answer>", "..."])
def test_an_answer_beside_the_form_counts(place):
    form = LINE.format(place, "Y")
    for response in (
        f"{LINE.format('5', 'million')}\n\n(form: {form})",
        f"{LINE.format('5', 'million')}\n{form}",
        f"{form}\n{LINE.format('5', 'million')}",
        f"The form is: {form}\n\nAnswer: 5 million",
        f"Answer: 5 million\n\n{form}",
        f"End with:\n\n{form}\n\nRevenue was 5 million.",
        f"{form}\n\n\\boxed{{5}} million",
    ):
        answer = extract_answer(response)
        assert (answer.values, answer.scale) == (("5",), "million")


@pytest.mark.parametrize(
    "text",
    [
        *("Xerox", "X-ray systems", "X (formerly Twitter)", "Y Combinator", "Value"),
        *("Span", "answering services", "Number of shares", "Text messages", "Model X"),
        *("Result for the year", "the answer to all claims", "Series X shares", "Y"),
    ],
)
def test_names_like_places_are_answers(text):
    for form in (
        LINE.format(text, "none"),
        f"Answer: {text}",
        f"<answer>{text}</answer>",
    ):
        assert extract_answer(form).values == (text,)


@pytest.mark.parametrize(
    ("response", "value"),
    [
        ("It was $5.2 billion in 2019 compared with $4.1 billion in 2018, {}.", "26.8"),
        ("It was $5.2 billion in 2019 and $4.1 billion in 2018, {}.", "26.8"),
        ("It was 52 in 2019, compared to 41 in 2018, which is {}.", "26.8"),
        ("It was 52 in 2019 versus 41 in 2018, representing {}.", "26.8"),
        ("It was 52 in 2019 versus 41 in 2018 ({}).", "26.8"),
        ("It was 52 in 2019 and 41 in 2018. That is {}.", "26.8"),
        # said of one number, the change is an aside
        ("The total is 48, which is {}.", "48"),
        ("It was 52 in 2019, {}.", "52"),
        ("The difference between 52 and 41 is 11, which is {}.", "11"),
    ],
)
def test_a_change_of_two_numbers_is_the_answer(response, value):
    answer = extract_answer(response.format("an increase of 26.8%"))
    assert (answer.values, answer.rule) == ((value,), "last_number")
    fall = extract_answer(response.format("a decrease of 26.8%"))
    assert fall.values == ((f"-{value}" if value == "26.8" else value),)


def test_answers_can_be_hashed():
    for response in ('{"answer": [1, 2]}', '{"answer": {"a": []}, "scale": ""}', "5"):
        answer = extract_answer(response)
        assert hash(answer) == hash(extract_answer(response))
        assert {answer: 1}[extract_answer(response)] == 1
