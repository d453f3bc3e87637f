"""What may stand beside an id, as users have saved it."""

import json

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.files import read_responses, response_text
from tableqa_metrics.files.batches import is_returned, returned_texts
from tableqa_metrics.files.jsonfile import InputFileError


TEXT = "The answer is: 5"
ASKED = {"role": "user", "content": "How many?"}
RETURNED = {
    "messages": [ASKED, {"role": "assistant", "content": TEXT}],
    "one message": {"role": "assistant", "content": TEXT},
    "messages in an object": {"messages": [{"role": "assistant", "content": TEXT}]},
    "parts": [{"role": "assistant", "content": [{"type": "text", "text": TEXT}]}],
    "chat completion": {
        "choices": [{"message": {"role": "assistant", "content": TEXT}}]
    },
    "choices": [{"message": {"role": "assistant", "content": TEXT}}],
    "completion": {"choices": [{"text": TEXT}]},
    "responses": {
        "object": "response",
        "output": [
            {"type": "reasoning", "summary": []},
            {"type": "message", "content": [{"type": "output_text", "text": TEXT}]},
        ],
    },
    "anthropic": {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "5?"},
            {"type": "text", "text": TEXT},
        ],
    },
    "gemini": {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [{"text": "5?", "thought": True}, {"text": TEXT}],
                }
            }
        ]
    },
}


def write(folder, rows, name="r.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("key", ["response", "prediction"])
@pytest.mark.parametrize("name", RETURNED)
def test_what_an_interface_returned_is_its_text(tmp_path, name, key):
    rows = [{"id": "q", key: RETURNED[name]}]
    assert read_responses(write(tmp_path, rows)).values == {"q": (TEXT,)}
    path = tmp_path / "object.json"
    path.write_text(json.dumps({"q": RETURNED[name], "r": TEXT}), encoding="utf-8")
    assert read_responses(path).values == {"q": (TEXT,), "r": (TEXT,)}


def test_several_choices_are_several_responses(tmp_path):
    choices = {"choices": [{"text": "a"}, {"text": "b"}]}
    path = write(tmp_path, [{"id": "q", "response": choices}])
    assert read_responses(path).values == {"q": ("a", "b")}


def test_what_was_blocked_is_empty(tmp_path):
    blocked = {"candidates": [{"finishReason": "SAFETY"}]}
    path = write(tmp_path, [{"id": "q", "response": blocked}])
    assert read_responses(path).values == {"q": ("",)}


@pytest.mark.parametrize("value", [{"choices": []}, [ASKED], {"candidates": []}])
def test_where_the_model_wrote_nothing_the_response_is_missing(tmp_path, value):
    path = write(tmp_path, [{"id": "q", "response": value}])
    assert read_responses(path).nulls == {"q"}


@pytest.mark.parametrize(
    "value",
    [
        {"choices": [{}]},
        {"choices": [5]},
        {"role": "assistant", "content": 5},
        {"candidates": [5]},
    ],
)
def test_a_damaged_one_is_refused_in_one_line(tmp_path, value):
    path = write(tmp_path, [{"id": "q", "response": value}])
    with pytest.raises(InputFileError, match="line 1: .* holds no text where") as error:
        read_responses(path)
    assert "\n" not in str(error.value)


ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "choices", "message", "text", "type", "candidates"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(ANYTHING)
def test_any_value_has_its_texts_or_is_refused(value):
    if is_returned(value):
        try:
            texts = returned_texts(value)
        except ValueError:
            return
        assert texts is None or all(isinstance(text, str) for text in texts)


PAIRS = {"a": [12.5, "million"], "b": [["x", "y"], ""], "c": ["yes", None]}
READ = {
    "a": ({"answer": 12.5, "scale": "million"},),
    "b": ({"answer": ["x", "y"], "scale": ""},),
    "c": ({"answer": "yes", "scale": ""},),
}


@pytest.mark.parametrize("none", [None, "", "none", "None", "N/A", "nan"])
@pytest.mark.parametrize("known", [True, False])
def test_no_scale_in_pairs(tmp_path, none, known):
    """Also where no pair has a scale at all."""
    pairs = {"a": [12.5, "million" if known else none], "c": [["Dutch"], none]}
    path = tmp_path / "p.json"
    path.write_text(json.dumps(pairs), encoding="utf-8")
    file = read_responses(path)
    assert file.form == "tatqa"
    assert [v[0]["scale"] for v in file.values.values()] == [
        "million" if known else "",
        "",
    ]
    rows = [{"id": name, "prediction": pair} for name, pair in pairs.items()]
    assert read_responses(write(tmp_path, rows)).values == file.values


def test_rows_of_pairs(tmp_path):
    rows = [{"id": name, "prediction": pair} for name, pair in PAIRS.items()]
    assert read_responses(write(tmp_path, rows)).values == READ
    null_first = [{"id": "z", "prediction": None}, *rows]
    assert read_responses(write(tmp_path, null_first)).values == READ
    with pytest.raises(
        InputFileError,
        match=r"line 4: holds .* for 'd' it has 5 \(the first pair: line 1",
    ):
        read_responses(write(tmp_path, [*rows, {"id": "d", "prediction": 5}]))


def test_tokens_are_no_pair(tmp_path):
    path = write(tmp_path, [{"id": "a", "predicted": ["const_1", "million"]}])
    assert read_responses(path).values == {"a": (["const_1", "million"],)}


@pytest.mark.parametrize("column", ["scale", "pred_scale", "predicted_scale"])
def test_a_column_of_scales(tmp_path, column):
    rows = [
        {"id": name, "prediction": answer, column: scale}
        for name, (answer, scale) in PAIRS.items()
    ]
    assert read_responses(write(tmp_path, rows)).values == READ
    rows.append({"id": "d", "prediction": None, column: ""})
    file = read_responses(write(tmp_path, rows))
    assert (file.values, file.nulls) == (READ, {"d"})
    text = f'id,prediction,{column}\na,12.5,million\nb,"[""x"", ""y""]",\nc,yes,none\n'
    path = tmp_path / "p.csv"
    path.write_text(text, encoding="utf-8")
    read = {**READ, "a": ({"answer": "12.5", "scale": "million"},)}
    assert read_responses(path).values == read


def test_a_list_as_python_writes_it_is_refused(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("id,prediction,scale\na,\"['x', 'y']\",\nb,[sic],\n")
    with pytest.raises(
        InputFileError, match="line 2: .* is a list that is not written"
    ):
        read_responses(path)


def test_the_scale_of_the_questions_own_record_is_not_the_predictions(tmp_path):
    row = {"id": "a", "answer": 12.5, "scale": "million", "prediction": "12.5"}
    assert read_responses(write(tmp_path, [row])).values == {"a": ("12.5",)}


def test_a_response_says_its_scale_itself(tmp_path):
    row = {"id": "a", "scale": "million", "response": TEXT}
    assert read_responses(write(tmp_path, [row])).values == {"a": (TEXT,)}


def test_none_is_no_scale_in_an_object_either(tmp_path):
    path = write(tmp_path, [{"id": "a", "prediction": {"answer": 5, "scale": "none"}}])
    (value,) = read_responses(path).values["a"]
    assert response_text(value) == '{"answer": 5, "scale": ""}'
