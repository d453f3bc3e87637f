"""`visible_text`: thoughts in every form; `after_refusal`: what declines to answer."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.response import (
    EMPTY,
    UNFINISHED_THOUGHT,
    Visible,
    after_refusal,
    missing_reason,
    visible_text,
)


# opening, closing
TAGS = [
    *(("<think>", "</think>"), ("<THINK>", "</THINK>"), ("<Think>", "</think>")),
    *(("<thinking>", "</thinking>"), ("<thought>", "</thought>")),
    *(("<thoughts>", "</thoughts>"), ("<reasoning>", "</reasoning>")),
    *(("<scratchpad>", "</scratchpad>"), ("<reflection>", "</reflection>")),
    *(("<analysis>", "</analysis>"), ("<seed:think>", "</seed:think>")),
    *(("[THINK]", "[/THINK]"), ("[think]", "[/think]"), ("◁think▷", "◁/think▷")),
    *(('<think time="3">', "</think>"), ("<think >", "</think >")),
    *(("< think >", "< / think >"), ("<think\n>", "</think\n>")),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    (
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
    (
        "<|channel|>commentary to=functions.f <|constrain|>json<|message|>",
        "<|call|><|start|>assistant<|channel|>final <|constrain|>json<|message|>",
    ),
]
ANSWER = "The answer is: 48"


@pytest.mark.parametrize(("opening", "closing"), TAGS)
def test_thoughts_in_every_form(opening, closing):
    thought = f"{opening}It may be 47.{closing}"
    assert visible_text(f"{thought}{ANSWER}") == Visible(ANSWER, None)
    assert visible_text(f"\n{thought}\n\n{thought}{ANSWER}") == Visible(ANSWER, None)
    assert visible_text(f"{opening}{thought}{ANSWER}") == Visible(ANSWER, None)
    assert visible_text(f"{opening}{thought}{closing}{ANSWER}") == Visible(ANSWER, None)
    # the opening tag stood in the prompt
    assert visible_text(f"It may be 47.{closing}{ANSWER}") == Visible(ANSWER, None)
    assert visible_text(f"It may be 47.{closing}  ") == Visible("", EMPTY)
    assert visible_text(thought) == Visible("", EMPTY)
    assert visible_text(f"{opening}It may be 47.") == Visible("", UNFINISHED_THOUGHT)
    assert visible_text(opening) == Visible("", UNFINISHED_THOUGHT)
    assert visible_text(thought + opening + "48") == Visible("", UNFINISHED_THOUGHT)


@pytest.mark.parametrize(("opening", "closing"), TAGS)
def test_what_stands_before_a_finished_thought_counts_where_nothing_follows(
    opening, closing
):
    thought = f"{opening}It may be 47.{closing}"
    assert visible_text(f"{ANSWER}{thought}") == Visible(ANSWER, None)
    assert visible_text(f"{thought}{ANSWER}{thought}\n") == Visible(ANSWER, None)
    # a closing tag once more
    assert visible_text(f"{thought}{ANSWER}{closing}") == Visible(ANSWER, None)
    assert visible_text(f"{thought}First.{closing}{ANSWER}") == Visible(ANSWER, None)


@pytest.mark.parametrize(("opening", "closing"), TAGS)
def test_a_prompt_that_ended_inside_a_thought(opening, closing):
    unfinished = Visible("", UNFINISHED_THOUGHT)
    assert visible_text("It may be 47.", thinking=True) == unfinished
    assert visible_text(ANSWER, thinking=True) == unfinished
    assert visible_text(f"{opening}It may be 47.", thinking=True) == unfinished
    for thought in ("It may be 47.", f"{opening}It may be 47.", ""):
        response = f"{thought}{closing}{ANSWER}"
        assert visible_text(response, thinking=True) == Visible(ANSWER, None)
    assert visible_text(" \n", thinking=True) == Visible("", EMPTY)


def test_channels_without_their_special_tokens():
    response = "analysisWe add 20 and 28.assistantfinalThe answer is: 48"
    assert visible_text(response) == Visible(ANSWER, None)
    twice = (
        "analysisWe add.assistantcommentaryf(20)assistantanalysisSo.assistantfinal48"
    )
    assert visible_text(twice) == Visible("48", None)
    assert visible_text("analysisWe add 20").reason == UNFINISHED_THOUGHT
    assert visible_text("analysis of revenue").text == "analysis of revenue"


@pytest.mark.parametrize(
    "text",
    [
        "I use no `<think>` here. The answer is: 48",
        'Without "<think>" it is 48.',
        "The <think> tag is not needed: 48",
        "The </think> token ends it. 48",
        "I put it between `<think>` and `</think>`. The answer is: 48",
        "Between <think> and </think> tags nothing stands. 48",
        "<think/>The answer is: 48",
        "<thinker>48",
        "think>48",
        "<unthink>48",
    ],
)
def test_tags_that_are_only_mentioned(text):
    assert visible_text(text) == Visible(text, None)


def test_a_tag_mentioned_in_a_thought_does_not_end_it():
    response = "<think>I must write `</think>` before I answer 47.</think>48"
    assert visible_text(response).text == "48"
    response = "<think>The </think> tag comes next. It may be 47"
    assert visible_text(response).reason == UNFINISHED_THOUGHT


@given(st.text(), st.booleans())
def test_text_without_tags_counts_whole(text, thinking):
    visible = visible_text(f"{text}</think>{text}", thinking=thinking)
    if "think" not in text.lower() and not any(c in text for c in "`'\"“”‘’"):
        assert visible.text in (text, "")
        assert visible.reason == (None if text.strip() else EMPTY)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I cannot answer this.",
        "I am unable to determine the growth.",
        "We can't reliably calculate it.",
        "I don't know.",
        "I do not have enough information.",
        "I’m not sure.",
        "The change cannot be determined from the given table.",
        "It couldn't be found.",
        "Only 2018 is shown. So it is impossible to calculate the change.",
        "There is no information about 2017.",
        "There isn't enough: insufficient data.",
        "The figure for 2017 is not provided in the table.",
        "The figure isn't explicitly mentioned in the given text.",
        "The provided document does not contain the 2017 revenue.",
        "x" * 5000 + "\nThus I cannot determine it.",
    ],
)
def test_declining(text):
    assert after_refusal(text) == ""
    assert missing_reason(text) == "refusal"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "48",
        "The Company does not expect a material effect.",
        "Revenue did not rise.",
        "Not applicable to the segment",
        "I paid $5.",
        "No impairment was found.",
        "Options are not included in diluted shares.",
        "Assets that could not be sold",
    ],
)
def test_not_declining(text):
    assert after_refusal(text) is None
    assert missing_reason(text) == "nothing_found"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("I'm sorry for the confusion. The total is 48.", "The total is 48."),
        ("I cannot be exact, but I know the total is 48.", "I know the total is 48."),
        ("I don't know the rate.\n\n48", "48"),
        ("It cannot be found. I don't know it! It is 48", "It is 48"),
    ],
)
def test_what_follows_a_refusal(text, rest):
    assert after_refusal(text) == rest


@pytest.mark.parametrize("response", [None, 5, b"48", ["48"]])
@pytest.mark.parametrize("thinking", [False, True])
def test_what_is_no_text_is_refused(response, thinking):
    with pytest.raises(TypeError, match=f"must be str, not {type(response).__name__}"):
        visible_text(response, thinking=thinking)


@pytest.mark.parametrize("mark", ["\ufeff", "\u200b", "\u2060", "\ufeff\u200b"])
def test_what_is_invisible_is_no_text(mark):
    assert visible_text(mark) == visible_text(f"{mark}\n {mark}") == Visible("", EMPTY)
    assert visible_text(f"<think>5</think>{mark}") == Visible("", EMPTY)
    assert visible_text(mark, thinking=True) == Visible("", EMPTY)
    assert visible_text(mark + ANSWER) == Visible(ANSWER, None)
    assert visible_text(f"<think>5</think>{mark}{ANSWER}") == Visible(ANSWER, None)
    assert visible_text(ANSWER + mark).reason is None
