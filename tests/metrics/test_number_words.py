"""Numbers in English words, spelt here and read back."""

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import value_match
from tableqa_metrics.value.reading import read_value
from tableqa_metrics.written.number_words import in_digits


ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelt(number, joint, link):
    """Spell a number below a billion; `joint` in twenty-five, `link` after hundred."""
    for size, word in ((10**6, "million"), (10**3, "thousand")):
        if number >= size:
            rest = number % size
            end = f" {spelt(rest, joint, link)}" if rest else ""
            return f"{spelt(number // size, joint, link)} {word}{end}"
    if number >= 100:
        end = f"{link}{spelt(number % 100, joint, link)}" if number % 100 else ""
        return f"{ONES[number // 100]} hundred{end}"
    if number >= 20:
        end = f"{joint}{ONES[number % 10]}" if number % 10 else ""
        return f"{TENS[number // 10 - 2]}{end}"
    return ONES[number]


@given(
    st.one_of(st.integers(0, 120), st.integers(0, 10**9 - 1)),
    st.sampled_from(["-", " "]),
    st.sampled_from([" ", " and "]),
    st.sampled_from([str, str.upper, str.capitalize]),
)
def test_every_number_is_read_back(number, joint, link, case):
    text = case(spelt(number, joint, link))
    assert read_value(text).value == number
    assert read_value(f"{text} days").unit == "day"
    assert value_match(number, f"**{text}**.")


@pytest.mark.parametrize(
    "text",
    [
        *("", "Oslo", "oneness", "tenth", "twenty-fifth", "twenty fifth", "one-third"),
        *("one third", "five to seven", "one in three", "five and six", "two of them"),
        *("three-year", "one hundredth", "hundred", "a hundred", "1 million", "one's"),
    ],
)
def test_no_number_in_words(text):
    assert in_digits(text) is None


@given(st.text(), st.sampled_from([*ONES, *TENS, "hundred", "million", "and", "-"]))
def test_no_text_raises(text, word):
    for written in (text, f"{word} {text}", f"{text} {word}"):
        digits = in_digits(written)
        assert digits is None or digits[0].isdigit()
