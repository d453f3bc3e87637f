"""Words beside numbers and dates: none is missing among those that rule out parsers."""

from __future__ import annotations

import itertools
import re
import string

import pytest
from hypothesis import example, given, settings, strategies as st

from tableqa_metrics.written import money, number_form
from tableqa_metrics.written.dates import parse_date, parse_named_year
from tableqa_metrics.written.first_words import (
    AFTER_DIGITS,
    BEFORE_ANYTHING,
    BEFORE_BARE_DIGITS,
    BEFORE_DIGITS,
)
from tableqa_metrics.written.number_words import in_digits
from tableqa_metrics.written.numbers import parse_number


# Texts that begin with a word, or have one behind digits, and the words that are listed.
FORMS = {
    ("{}5", "{} 5", "{} 2019", "{}2019", "{} 5 2019"): BEFORE_BARE_DIGITS,
    ("{}.5", "{}. 5", "{}.2019", "{} 5-19", "{}.d. 5"): BEFORE_DIGITS,
    ("{}$5", "{} €5", "{}¥5", "{} $ 2019", "{} 5, 2019", "{}: 5%"): BEFORE_ANYTHING,
    ("5{}", "5 {}", "5-{}", "2019 {}", "5 {} 2019", "5-{}-19", "5{} May"): AFTER_DIGITS,
}


def reads(text):
    readers = (parse_number, parse_date, parse_named_year, in_digits)
    return any(read(text) is not None for read in readers)


def cases(word):
    return word, word.upper()


@pytest.mark.parametrize("first", string.ascii_lowercase)
def test_no_short_word_is_missing(first):
    for rest in itertools.chain.from_iterable(
        itertools.product(string.ascii_lowercase, repeat=length) for length in (0, 1, 2)
    ):
        word = first + "".join(rest)
        for forms, listed in FORMS.items():
            if word not in listed:
                texts = [form.format(case) for form in forms for case in cases(word)]
                assert not any(map(reads, texts)), texts


longer = st.sampled_from(
    [
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("wednes", "thurs", "january", "february", "march", "june", "august"),
        *(
            "september",
            "sept",
            "october",
            "november",
            "december",
            "fiscal",
            "financial",
        ),
        *("calendar", "year", "during", "dated", "as of", "as at", "the"),
        *("approximately", "approx.", "about", "around", "roughly", "circa", "exactly"),
        *("precisely", "minus", "negative", "twenty", "seventeen", "ninety-nine"),
        *("hundred", "thousands", "lakh", "crores", "million", "billions", "trillion"),
        *("percent", "per cent", "percentage points", "percentpoint", "basis points"),
        *("permille", "per mille", "in millions", "in billions of dollars", "mill"),
        *("dollars", "euros", "rupees", "roubles", "pesos", "reais", "pounds sterling"),
        *("US dollars", "U.S. dollars", "American dollars", "New Zealand dollars"),
        *("Hong Kong dollars", "South African rand", "Swedish kronor", "Swiss francs"),
        *("British pounds", "Indian rupees", "South Korean won", "zloty", "renminbi"),
        *(
            "a.d.",
            "c.e.",
            "Sterling",
            "Taiwan dollars",
            "p.p",
            "ppts",
            "st",
            "nd",
            "th",
        ),
        *money.WORDS_BEFORE,
        *money.WORDS_AFTER,
        *money.WORDS_BEFORE_A_SIGN,
        *number_form.WORDS_BEFORE,
        *number_form.WORDS_AFTER,
    ]
)
parts = st.one_of(
    longer,
    longer.map(str.upper),
    longer.map(str.title),
    st.sampled_from(["5", "12", "2019", "1,234", "1.5", "-", "5e3", "10", "$", "€"]),
    st.text("abdegikmnoprstuyx", min_size=1, max_size=4),
)
texts = st.lists(
    st.tuples(parts, st.sampled_from(["", " ", " ", "-", "."])), max_size=4
)
texts = texts.map(lambda found: "".join(part + gap for part, gap in found))


@settings(max_examples=1000)
@given(texts)
@example("5 South Korean won")
@example("5 percentage points")
@example("Wednesday 5 June 2019")
def test_what_is_read_begins_with_a_word_that_is_listed(text):
    if not reads(text):
        return
    text = text.lower().strip()
    if first := re.match("[a-z]+", text):
        assert first[0] in BEFORE_ANYTHING
        if re.fullmatch("[a-z0-9 .-]+", text):
            assert first[0] in BEFORE_DIGITS
        if re.fullmatch("[a-z0-9 ]+", text):
            assert first[0] in BEFORE_BARE_DIGITS
    elif later := re.fullmatch(r"[0-9][0-9 .-]*([a-z]+)[0-9a-z .-]*", text):
        assert later[1] in AFTER_DIGITS


@given(longer, st.sampled_from(["5 {}", "5{}", "5-{}", "5 ({})", "5 in {}", "{}"]))
def test_what_may_follow_digits_ends_in_no_digit(word, form):
    text = form.format(word)
    patterns = (
        number_form._IN_BRACKETS,
        number_form._IN_WORDS,
        number_form._UNIT_AFTER,
        number_form._SCALE_AFTER,
        number_form._NO_COINS,
        money.MONEY_AFTER,
    )
    for pattern in patterns:
        match = pattern.search(text)
        assert match is None or not match[0][-1:].isdigit()
