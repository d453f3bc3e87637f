"""Cheap looks before a pattern leave out only what the pattern would not find."""

import re

import pytest
from hypothesis import example, given, settings, strategies as st

from tableqa_metrics import response
from tableqa_metrics.extraction import marks
from tableqa_metrics.extraction.answers import (
    calculations,
    changes,
    forms,
    lists,
    markers,
    prose,
    reading,
    scales,
)
from tableqa_metrics.extraction.answers.answer_line import _SCALE
from tableqa_metrics.written.numbers import parse_number, split_scale


PIECES = (
    *("5", "-5", "$5", "-$1,234.5", "$-5.0", "$", "$$", "\\$", "12%", "2019", "0.125"),
    *(
        "(2019)",
        "48",
        "½",
        "1 1/2",
        "٥",
        "5 million",
        "$5 billion",
        "5 M",
        "5MM",
        "7 K",
    ),
    *(
        "million",
        "thousands",
        "percent",
        "(in millions)",
        "[thousand]",
        "of U.S. dollars",
    ),
    *(
        "in 2019",
        "for FY2018",
        "during",
        "was",
        "is",
        "=",
        "or",
        "i.e.",
        "and",
        "&",
        "|",
    ),
    *(", ", ",", ";", "#", ".", ":", "：", "(", ")", "[", "]", "{", "}", "\\", "~~"),
    *(
        "respectively",
        "Respectively.",
        "decreased by",
        "fell",
        "an increase of",
        "down",
    ),
    *("shrank", "rise", "gain of", "reduction of", "at least", "no more than", "minus"),
    *("negative", "over", "USD", "Rs.", "Scale: million", "unit is", "the units: %"),
    *(
        "revenue",
        "The",
        "kept",
        "x",
        "n't",
        "\n",
        " ",
        "  ",
        "\xa0",
        "**",
        "'a'",
        '"b"',
    ),
    *("“c”", "`d`", "\\text{e}", "ſcale: percent", "decreaſed by", "5\u2009000", "é"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).flatmap(
    lambda pieces: st.sampled_from((" ", "")).map(lambda gap: gap.join(pieces))
)
many = settings(max_examples=200)


def _close_gap_plainly(text: str) -> str:
    stated = marks._STATED.search(text[-marks._LONGEST_SCALE :])
    if stated is None:
        return marks._GAP.sub("", text)
    end = len(text) - len(stated[0])
    return f"{text[:end]} {stated[str(stated.lastgroup)].lower()}"


@example("5 (in millions)\n")
@example("5 M")
@given(TEXTS)
@many
def test_scale_behind_a_number(text: str) -> None:
    assert marks.close_gap(text) == _close_gap_plainly(text)


@given(TEXTS)
@many
def test_inline_mathematics(text: str) -> None:
    struck = marks._STRUCK.sub("", text)
    assert marks.unwrap_math(text) == marks._MATH.sub(marks._math, struck)


@given(TEXTS)
@many
def test_scale_in_a_field(text: str) -> None:
    assert (scales.scale_field(text) is None) == (scales._BESIDE.search(text) is None)


@given(TEXTS)
@many
def test_words_for_a_change(text: str) -> None:
    found = changes._FALL_BEFORE.search(text) or prose._CHANGED.search(text)
    assert changes.may_tell_change(text) or not found


@pytest.mark.parametrize("stem", [prose.CHANGE, changes._FALL, changes._RISE])
def test_each_word_for_a_change_has_a_stem(stem: str) -> None:
    words = re.findall(r"[a-z]+", re.sub(r"\(\?:[^()]*\)\??", "", stem))
    assert len(words) > 5
    assert all(map(changes.may_tell_change, words))


SAID = (
    *(
        "i",
        "We",
        "'m",
        "’re",
        " am",
        "n't",
        " cannot",
        "can't ",
        " do not",
        " fully",
        "is",
    ),
    *(
        " determine",
        " find",
        " be",
        " calculated",
        "unable to",
        "impossible to",
        "there",
    ),
    *(
        " is",
        " are",
        " not",
        " no ",
        "enough ",
        "information",
        "data",
        "missing from the",
    ),
    *(
        "unclear from the",
        " table",
        "text",
        " does",
        " lacks the",
        "more ",
        " is needed",
    ),
    *("given", "in the ", "answer", "Answers", "ans.", "result", "final ", "correct "),
    *(
        "the ",
        "my ",
        "our",
        "A:",
        "答案是",
        "정답:",
        "réponse est :",
        "Ответ:",
        "anſwer",
    ),
    *(
        "wait, ",
        "actually ",
        "sorry.",
        "hold on",
        "it is ",
        "the total is ",
        "yes",
        "no",
    ),
    *(":", "：", "= ", "=> ", "#", "##", "####", "**", "__", "_", "*", "and ", "with "),
    *("its ", "corresponding ", "scale ", "ıts scale", "of", "million", "5", "$5", "x"),
    *(" ", "  ", "\n", "\n\n", "\t", ".", "é", "İ", "(in million)", "[1]", "'a'"),
)
SENTENCES = st.lists(st.sampled_from(SAID), max_size=10).map("".join)


@pytest.mark.parametrize(
    ("pattern", "look", "texts"),
    [
        (prose._TOKEN, r"(?![cdeijkp-tv-z])", TEXTS),
        (markers._MARKER, r"(?<!\w)(?=[acfhmorstw\u043e#*_\s])", SENTENCES),
        (_SCALE, r"(?:(?=[#\n])|(?<!\w)(?=[aitw]))", SENTENCES),
        (response._DECLINES, r"(?<!\w)(?=[ac-imn-uw])", SENTENCES),
    ],
    ids=["numbers", "markers", "scales", "refusals"],
)
@given(st.data())
@many
def test_where_a_pattern_may_begin(
    pattern: re.Pattern[str],
    look: str,
    texts: st.SearchStrategy[str],
    data: st.DataObject,
) -> None:
    assert pattern.pattern.count(look) == 1
    whole = re.compile(pattern.pattern.replace(look, ""), pattern.flags)
    text = data.draw(texts)
    found = [(match.span(), match.groups()) for match in pattern.finditer(text)]
    assert found == [(match.span(), match.groups()) for match in whole.finditer(text)]


@given(
    st.from_regex(reading._USUAL, fullmatch=True, alphabet=st.characters(codec="ascii"))
)
@many
def test_usual_numbers(text: str) -> None:
    assert parse_number(text) is not None
    assert reading._number(text) == split_scale(text)


@given(TEXTS)
@many
def test_a_number_said_twice(text: str) -> None:
    match = calculations._TWICE.fullmatch(text)
    if (
        match
        and len(text) <= calculations._LONGEST_TWICE
        and parse_number(match["first"])
    ):
        assert calculations.MAYBE_DIGIT.search(text, 0, calculations._LONGEST_FIRST)


@given(TEXTS)
@many
def test_list_that_a_sentence_ends_in(text: str) -> None:
    *_, last = lists._LINK.split(lists._RESPECTIVELY.sub("", text))
    has_link = lists._LINK.search(lists._RESPECTIVELY.sub("", text)) is not None
    parts = lists.number_list(last.strip()) if has_link else []
    assert lists.linked_list(text) == parts


@given(TEXTS)
@many
def test_marked_lists(text: str) -> None:
    is_list = lists._MARKED_LIST.fullmatch(text) is not None
    assert is_list <= (text[:1] in lists._FIRST_MARKS)


TAGS = st.lists(
    st.sampled_from(
        (
            *("<think>", "</think>", "< reasoning >", "[THINK]", "[/think]", "◁think▷"),
            *("<|begin_of_thought|>", "<|channel|>final<|message|>", "analysis", "We"),
            *(
                "assistantfinal",
                "assistant",
                "analysisWe",
                "commentary",
                "Analysis",
                "5",
            ),
            *("<|inner_suffix|>", "<Seed:think>", "◁/think▷", " ", "\n"),
        )
    ),
    max_size=4,
).map("".join)


@given(TAGS)
@many
def test_tags_of_thoughts(text: str) -> None:
    may_think = any(map(text.__contains__, response._TAG_MARKS))
    if response._TAG.search(text):
        assert may_think or text.startswith("analysis")
        assert any(map(text.lower().__contains__, response._TAG_WORDS))


FORM_PIECES = (
    *("The answer is: ", "Answer: ", "ANSWER: ", "**Final answer:** ", "\\boxed{", "}"),
    *("<answer>", "</answer>", "final_answer('", 'finish("', "submit('", "')", '")'),
    *(
        "X",
        "X1#X2",
        "XX.XX",
        "[",
        "]",
        "<",
        ">",
        "{",
        "your answer",
        "answer",
        "answer 1",
    ),
    *(
        "number",
        "the value here",
        "yes or no",
        "...",
        "…",
        "____",
        "$",
        " million",
        "%",
    ),
    *(
        " #### ",
        "and its corresponding scale is: Y",
        "\n",
        " ",
        "5",
        "**",
        "`",
        "\\text{",
    ),
)


@given(st.lists(st.sampled_from(FORM_PIECES), max_size=12).map("".join))
@example("Answer: answer")
@example("ANSWER: ANSWER")
@many
def test_forms(text: str) -> None:
    assert forms._may_hold_a_form(text) or not forms._FORM.search(text)
