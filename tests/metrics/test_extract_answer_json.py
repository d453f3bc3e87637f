"""`extract_answer` on JSON: types kept, and a lossless form for structured answers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics import Answer, extract_answer, find_answer
from tableqa_metrics.extraction.answers.scales import is_no_scale


def json_values():
    scalars = st.one_of(
        *(st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.text()),
        st.floats(allow_nan=False),
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )


@given(json_values(), st.text().filter(lambda text: not is_no_scale(text)))
def test_the_lossless_form_keeps_every_type(value, scale):
    answer = extract_answer(json.dumps({"answer": value, "scale": scale}))
    assert json.dumps(answer.raw) == json.dumps(value)
    assert answer.scale == scale
    assert answer.rule == "json"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('{"answer": null, "scale": ""}', Answer((), "", "json", None)),
        ('{"answer": 0, "scale": "percent"}', Answer(("0",), "percent", "json", 0)),
        ('{"answer": "", "scale": ""}', Answer(("",), "", "json", "")),
        ('{"answer": [], "scale": ""}', Answer((), "", "json", [])),
        ('{"answer": [""], "scale": ""}', Answer(("",), "", "json", [""])),
        ('{"answer": [1, "a"], "scale": ""}', Answer(("1", "a"), "", "json", [1, "a"])),
        ('{"answer": 5, "scale": null}', Answer(("5",), "", "json", 5)),
        ('{"answer": 5, "scale": "none"}', Answer(("5",), "", "json", 5)),
        ('{"answer": 5, "scale": "N/A"}', Answer(("5",), "", "json", 5)),
        (
            '{"answer": "<think>", "scale": ""}',
            Answer(("<think>",), "", "json", "<think>"),
        ),
        ('{"answer": 48}', Answer(("48",), "", "json", 48)),
        ('{"answer": "48"}', Answer(("48",), "", "json", "48")),
        ('{"answer": "$4 million"}', Answer(("$4",), "million", "json")),
        ('{"Final_Answer": 1.5, "why": "x"}', Answer(("1.5",), "", "json", 1.5)),
        ('["a", "b"]', Answer(("a", "b"), "", "json", ["a", "b"])),
        ('"48"', Answer(("48",), "", "json", "48")),
        # the only thing that an object says is its answer, and so is one value a year
        ('{"a": 1}', Answer(("1",), "", "json", 1)),
        ('{"growth": "4.1%"}', Answer(("4.1",), "percent", "json")),
        ('{"why": "x", "answer": {"text": "a"}}', Answer(("a",), "", "json", "a")),
        ('{"2019": 5, "2018": 4}', Answer(("5", "4"), "", "json", [5, 4])),
        ('{"years": ["a", "b"]}', Answer(("a", "b"), "", "json", ["a", "b"])),
        ('{"result": {"answer": 4}}', Answer(("4",), "", "json", 4)),
        ('[{"answer": 4}]', Answer(("4",), "", "json", 4)),
        ('[{"answer": 4}, {"answer": 5}]', Answer(("4", "5"), "", "json", [4, 5])),
        (
            'So:\n```json\n{"answer": ["a"], "scale": "None"}\n```\nDone.',
            Answer(("a",), "", "json", ["a"]),
        ),
        (
            'It is {"steps": {"x": 1}, "answer": 4, "scale": "Millions"}.',
            Answer(("4",), "million", "json", 4),
        ),
        ('{"answer": 1} or {"answer": 2}', Answer(("2",), "", "json", 2)),
        ('```json\n["a"]\n```', Answer(("a",), "", "json", ["a"])),
    ],
)
def test_json(response, expected):
    answer = extract_answer(response)
    assert answer == expected
    assert type(answer.raw) is type(expected.raw)


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        *(("{}", "nothing_found"), ("[]", "nothing_found"), ('""', "nothing_found")),
        ('{"scale": "million"}', "nothing_found"),
        ('{"scale": "million", "reasoning": "5 + 4"}', "nothing_found"),
        ('{"old": 5, "new": 4, "change": "-20%"}', "nothing_found"),
        ('{"answer": null}', "nothing_found"),
        ('{"answer": "", "why": "x"}', "nothing_found"),
        ('{"answer": [], "why": "x"}', "nothing_found"),
        ('{"answer": "not provided in the table", "why": "x"}', "refusal"),
    ],
)
def test_json_without_an_answer(response, reason):
    for form in (response, f"```json\n{response}\n```", f"<think>5</think>{response}"):
        found = find_answer(form)
        assert (found.answer, found.reason) == (None, reason)


@pytest.mark.parametrize(
    ("response", "values", "rule"),
    [
        ('"48"', ("48",), "json"),
        ('"The answer is: 48"', ("48",), "plain_answer_line"),
        ('"First, 5.\\n\\n\\\\boxed{48}"', ("48",), "boxed"),
        ('"The answer is: 4#8 #### million"', ("4", "8"), "answer_line"),
    ],
)
def test_a_response_that_is_one_json_string(response, values, rule):
    answer = find_answer(response).answer
    assert (answer.values, answer.rule) == (values, rule)
