"""The same number, however it is written, in whatever form the answer is given."""

from __future__ import annotations

from hypothesis import example, given, strategies as st

from tableqa_metrics import extract_answer, parse_number


FORMS = [
    "{}",
    "{}.",
    "**{}**",
    "The answer is: {}",
    "The answer is: {} #### and its corresponding scale is: none",
    "Answer: {}",
    "**Final answer:** {}.",
    "### Answer\n{}\n",
    "The final answer is **{}**.",
    "So it is $\\boxed{{{}}}$.",
    "<answer>{}</answer>",
    "Hence we get **{}** here.",
    "The total is {}.",
    "The total was {} in 2019, up from 3 in 2018.",
    "We add 5 and 7.\n\n5 + 7 = {}",
    "I looked at 3 rows.\n\n{}",
    "<think>It is 9.</think>\n{}",
    '{{"answer": "{}"}}',
]


def numbers():
    core = st.decimals(0, 10**9, places=2).map(lambda d: f"{d:,.2f}")
    core |= st.integers(0, 10**9).map(str)
    written = st.tuples(
        st.sampled_from(["", "-", "−", "–"]),
        st.sampled_from(["", "$", "€", "US$", "USD "]),
        core,
        st.sampled_from(
            ["", "%", " %", " percent", " million", "bn", "k", " thousand"]
        ),
    ).map("".join)
    brackets = core.map("({})".format) | core.map("$({})".format)
    return written | brackets


def value(values, scale):
    assert len(values) == 1
    unit = "%" if scale == "percent" else f" {scale}"
    return parse_number(values[0] + unit)


@given(numbers(), st.sampled_from(FORMS))
def test_the_same_number_in_every_form(number, form):
    answer = extract_answer(form.format(number))
    assert value(answer.values, answer.scale) == parse_number(number)


# A loss in brackets behind a number is not that number written once more.
@example(["0.00", "(0.00)"], "; ")
@example(["$5", "$(5)"], ", ")
@given(st.lists(numbers(), min_size=2, max_size=4), st.sampled_from(["#", "; ", ", "]))
def test_several_numbers(written, separator):
    for form in ("{}", "Answer: {}", "\\boxed{{{}}}", "<answer>{}</answer>"):
        answer = extract_answer(form.format(separator.join(written)))
        assert len(answer.values) == len(written)
        if not answer.scale:
            assert list(map(parse_number, answer.values)) == list(
                map(parse_number, written)
            )


@given(
    st.integers(1, 10**6), st.sampled_from([">= {}", "<{}", "over {}", "{}+", "{}-{}1"])
)
def test_a_bound_or_a_range_is_never_read_as_a_number(number, form):
    bound = form.format(number, number)
    for frame in FORMS:
        answer = extract_answer(frame.format(bound))
        assert not any(map(parse_number, answer.values)), frame
