"""Files of saved responses: every form is found by looking, every fault says where."""

import gzip
import json
import os
import threading

import pytest
from hypothesis import given, strategies as st

from tableqa_metrics.files import find_responses, read_responses, response_text
from tableqa_metrics.files.atomic import replacing
from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.files.rowfile import RowFile


def openai(body, status=200):
    """Return a row of the results of OpenAI's batch interface."""
    response = {"status_code": status, "body": body}
    return {"id": "batch_1", "custom_id": "q", "response": response, "error": None}


def anthropic(content):
    """Return a row of the results of Anthropic's batch interface."""
    result = {"type": "succeeded", "message": {"content": content}}
    return {"custom_id": "q", "result": result}


FORMS = {
    "rows.jsonl": '{"id": 1, "response": "a\u2028b"}\r\n\n{"id": "2", "response": ""}\n',
    "rows.json": '[{"uid": 1, "prediction": "a\u2028b"},\n {"uid": 2, "prediction": ""}]',
    "lines.json": '{"id": 1, "response": "a\u2028b"}\n{"id": 2, "response": ""}',
    "list.jsonl": '[\n{"id": 1, "response": "a\u2028b"},\n{"id": 2, "response": ""}\n]',
    "oneline.jsonl": '[{"id": 1, "response": "a\u2028b"}, {"id": 2, "response": ""}]',
    "rows.csv": 'id,response\r\n1,a\u2028b\r\n\r\n2,""\r\n',
    "rows.tsv": "response\tother\tid\na\u2028b\tc\t1\n\td\t2\n",
    "csv.txt": '"uid";"prediction"\n"1";"a\u2028b"\n2;\n',
    "object.json": '{"1": "a\u2028b", "2": ""}',
    "object.txt": '{\n  "1": "a\u2028b",\n  "2": ""\n}',
}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_each_form_is_found_by_looking(tmp_path, name, zipped):
    data = FORMS[name].encode()
    path = tmp_path / (name + ".gz" * zipped)
    path.write_bytes(gzip.compress(data) if zipped else data)
    assert read_responses(path).values == {"1": ("a\u2028b",), "2": ("",)}


@pytest.mark.parametrize("name", ["one.jsonl", "one.json", "one.txt"])
def test_one_row_is_not_an_object_of_ids(tmp_path, name):
    path = _write(tmp_path / name, '{"id": "q", "response": "text"}\n')
    assert read_responses(path).values == {"q": ("text",)}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bom.jsonl", b'{"id": 1, "response": "x"}'),
        ("bom.json", b'[{"id": 1, "response": "x"}]'),
        ("bom.json", b'{"1": "x"}'),
        ("bom.csv", b"id,response\r\n1,x\r\n"),
        ("bom.csv", b'"id";"response"\n1;x\n'),
        ("bom.tsv", b"id\tresponse\n1\tx\n"),
    ],
)
def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path, name, content, pack):
    path = tmp_path / name
    path.write_bytes(pack(b"\xef\xbb\xbf" + content))
    assert read_responses(path).values == {"1": ("x",)}


@pytest.mark.parametrize(
    ("row", "keys"),
    [
        ({"key": "q", "out": "text"}, {"id_key": "key", "response_key": "out"}),
        ({"a.b": "q", "c.d": "text"}, {"id_key": "a.b", "response_key": "c.d"}),
        (
            {"custom_id": "q", "response": {"choices": [{"content": "text"}]}},
            {"id_key": "custom_id", "response_key": "response.choices.0.content"},
        ),
        ({"id": "q", "response": "no", "raw": "text"}, {"response_key": "raw"}),
        (openai({"choices": [{"message": {"content": "text"}}]}), {}),
        (
            {**openai({"choices": [{"text": "text"}]}), "custom_id": "-", "n": "q"},
            {"id_key": "n"},
        ),
        (anthropic([{"type": "text", "text": "text"}]), {}),
        ({"id": "no", "other": "q", "response": "text"}, {"id_key": "other"}),
    ],
)
def test_named_keys(tmp_path, row, keys):
    for name, text in (
        ("r.jsonl", json.dumps(row)),
        ("r.json", json.dumps(row)),
        ("l.json", json.dumps([row])),
    ):
        path = _write(tmp_path / name, text)
        assert read_responses(path, **keys).values == {"q": ("text",)}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (openai({"choices": [{"text": "a"}, {"text": "b"}]}), ("a", "b")),
        (openai({"choices": [{"message": {"content": None}}]}), ("",)),
        (
            openai({"choices": [{"message": {"content": None, "refusal": "No."}}]}),
            ("No.",),
        ),
        (
            openai(
                {"choices": [{"message": {"content": [{"type": "text", "text": "a"}]}}]}
            ),
            ("a",),
        ),
        (
            openai(
                {
                    "output": [
                        {"type": "reasoning", "summary": []},
                        {
                            "type": "message",
                            "content": [
                                {"type": "output_text", "text": "a"},
                                {"type": "output_text", "text": "b"},
                            ],
                        },
                    ]
                }
            ),
            ("ab",),
        ),
        (
            anthropic(
                [
                    {"type": "thinking", "thinking": "5?"},
                    {"type": "text", "text": "a"},
                    {"type": "tool_use", "input": {}},
                ]
            ),
            ("a",),
        ),
        (anthropic([]), ("",)),
        # Requests that failed
        ({"custom_id": "q", "response": None, "error": {"code": "expired"}}, None),
        (openai({"error": {"message": "overloaded"}}, status=500), None),
        (openai(None), None),
        (openai({"choices": []}), None),
        ({**openai({"choices": [{"text": "a"}]}), "error": {"code": "x"}}, None),
        ({"custom_id": "q", "result": {"type": "errored", "error": {}}}, None),
        ({"custom_id": "q", "result": {"type": "expired"}}, None),
    ],
)
def test_results_of_batches(tmp_path, row, expected):
    """Beside one that went well, and alone, in each kind of JSON file."""
    well = {**openai({"choices": [{"text": "x"}]}), "custom_id": "0"}
    for name, content in (
        ("one.json", json.dumps(row)),
        ("list.json", json.dumps([well, row])),
        ("rows.jsonl", f"{json.dumps(well)}\n{json.dumps(row)}\n"),
    ):
        file = read_responses(_write(tmp_path / name, content))
        assert file.form == "batch"
        assert file.values.get("q") == expected
        assert file.nulls == (set() if expected else {"q"})


@pytest.mark.parametrize(
    "row",
    [
        openai({"data": []}),
        openai({"choices": [{"message": {}}]}),
        openai({"choices": [{"text": 5}]}),
        openai({"choices": ["text"]}),
        openai({"output": "text"}),
        openai("text"),
        anthropic("text"),
        anthropic([{"type": "text"}]),
        {"custom_id": "q", "result": {"type": "succeeded"}},
    ],
)
def test_a_damaged_result_of_a_batch_is_refused(tmp_path, row):
    well = {**openai({"choices": [{"text": "x"}]}), "custom_id": "0"}
    path = _write(tmp_path / "r.jsonl", f"{json.dumps(well)}\n{json.dumps(row)}\n")
    with pytest.raises(
        InputFileError, match=r"r\.jsonl, line 2: is no result of a batch"
    ):
        read_responses(path)


def test_a_response_below_a_null_is_null(tmp_path):
    rows = [{"id": "q", "out": {"text": "a"}}, {"id": "r", "out": None}]
    path = _write(tmp_path / "r.jsonl", "\n".join(map(json.dumps, rows)))
    file = read_responses(path, response_key="out.text")
    assert (file.values, file.nulls) == ({"q": ("a",)}, {"r"})
    with pytest.raises(InputFileError, match=r"line 1: no key 'out\.id'"):
        read_responses(path, id_key="out.id", response_key="id")


def test_the_key_of_tanqs_readme_is_not_in_its_file(shared):
    """B66: the error lists the keys that are there."""
    path = shared / "data" / "tanq" / "test_input.jsonl"
    with pytest.raises(InputFileError) as error:
        read_responses(path, response_key="result_closedbook_proofs_False")
    message = str(error.value)
    assert "line 1" in message
    for key in ("init_qid", "ext_question_rephrased", "answer_table"):
        assert key in message
    rows = [row.read() for row in RowFile(path).rows()]
    assert read_responses(
        path, id_key="init_qid", response_key="prediction_table"
    ).values == {row.data["init_qid"]: (row.data["prediction_table"],) for row in rows}
    assert len(rows) == 10


def test_tatqa_predictions_keep_their_types(shared):
    path = shared / "data" / "tatqa" / "sample_prediction.json"
    file = read_responses(path)
    assert file.form == "tatqa"
    pairs = json.loads(path.read_text())
    assert len(pairs) == 1668
    assert {uid: response_text(v[0]) for uid, v in file.values.items()} == {
        uid: json.dumps({"answer": answer, "scale": scale})
        for uid, (answer, scale) in pairs.items()
    }


def test_program_of_thoughts_answers_keep_their_types(shared):
    path = shared / "data" / "pot" / "tatqa_dev_program_of_thoughts.jsonl"
    file = read_responses(path)
    assert file.form == "program-of-thoughts"
    assert len(file.values) == 1667
    assert file.values["d9eba295-6903-457d-924d-663e41d20b46"] == (
        {"answer": {"2019": 48881, "2018": 51896}, "scale": "thousand"},
    )


def test_finqa_programs_are_replayed_as_their_tokens(shared):
    path = shared / "data" / "finqa" / "example_predictions.json"
    file = read_responses(path)
    predictions = json.loads(path.read_text())
    assert len(file.values) == len(predictions) == 1050
    assert {i: response_text(v[0]) for i, v in file.values.items()} == {
        row["id"]: json.dumps(row["predicted"]) for row in predictions
    }


def test_tatllm_replies_are_replayed_whole(shared):
    path = shared / "data" / "tatllm" / "tatqa_responses_tat_llm_7b_fft.json"
    rows = json.loads(path.read_text())
    assert {i: response_text(v[0]) for i, v in read_responses(path).values.items()} == {
        row["uid"]: row["response"] for row in rows
    }
    assert len(rows) == 1000


def test_pairs_are_told_from_lists_of_two_answers(tmp_path):
    path = _write(tmp_path / "a.json", '{"q": ["Dutch", "Frisian"], "r": ["Welsh"]}')
    file = read_responses(path)
    assert file.form == "object"
    assert file.values == {"q": (["Dutch", "Frisian"],), "r": (["Welsh"],)}

    odd_scale = _write(tmp_path / "b.json", '{"q": [1, "thousand"], "r": [2, "yard"]}')
    assert read_responses(odd_scale).values["r"] == ({"answer": 2, "scale": "yard"},)

    mixed = _write(tmp_path / "c.json", '{"q": [1, "thousand"], "r": [2]}')
    with pytest.raises(InputFileError, match=r"pairs, but for 'r' it has \[2\]"):
        read_responses(mixed)


def test_a_null_answer_is_a_prediction_and_a_null_response_is_none(tmp_path):
    path = _write(tmp_path / "a.json", '{"q": [null, ""]}')
    assert read_responses(path).values == {"q": ({"answer": None, "scale": ""},)}
    path = _write(tmp_path / "b.json", '{"q": null, "r": "x"}')
    file = read_responses(path)
    assert file.values == {"r": ("x",)}
    assert file.nulls == {"q"}


def test_a_sample_log(tmp_path):
    rows = [
        {"doc_id": 0, "doc": {"id": 5}, "resps": [["a"]], "filter": "strict"},
        {"doc_id": 0, "doc": {"id": 5}, "resps": [["a"]], "filter": "flexible"},
        {"doc_id": 1, "doc": {"q": "?"}, "doc_hash": "f00", "resps": [["b", "c"]]},
    ]
    name = "samples_tat_qa_2026-01-02T03-04-05.678901.jsonl"
    file = read_responses(_write(tmp_path / name, _jsonl(rows)))
    assert (file.form, file.task) == ("samples", "tat_qa")
    assert file.values == {"5": ("a",), "f00": ("b", "c")}

    by_question = {"doc": {"id": 5, "q": 9}, "doc_id": 0, "resps": [["a"]]}
    path = _write(tmp_path / "log.jsonl", _jsonl([by_question]))
    assert read_responses(path, id_key="q").values == {"9": ("a",)}
    assert read_responses(path).task is None


@pytest.mark.parametrize(
    "resps", [[["a"], ["b"]], [[["-1.5", "False"]]], [], [[]], "a", None]
)
def test_a_sample_log_without_one_text_a_document(tmp_path, resps):
    row = {"doc_id": 0, "doc": {"id": 5}, "resps": resps}
    path = _write(tmp_path / "log.jsonl", _jsonl([row]))
    with pytest.raises(
        InputFileError, match=r"log\.jsonl, line 1: resps does not hold"
    ):
        read_responses(path)


def test_a_cell_of_csv_may_hold_line_breaks_and_be_long(tmp_path):
    text = 'a "b",\n\n' * 100_000
    quoted = text.replace('"', '""')
    path = _write(tmp_path / "r.csv", f'id,response\n1,"{quoted}"\n2,x\n')
    assert read_responses(path).values == {"1": (text,), "2": ("x",)}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["r.csv", "r.txt"])
def test_lines_of_csv_end_as_they_do_anywhere(tmp_path, name, end):
    text = f'id;response{end}1;"a{end}b, c, d"{end}{end}2;e'
    for content in (text, text + end):
        path = tmp_path / name
        path.write_bytes(content.encode())
        values = read_responses(path).values
        assert values == {"1": (f"a{end}b, c, d",), "2": ("e",)}


def test_a_pipe_can_be_read(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(
        target=path.write_text, args=('{"id": 1, "response": "a"}\n',)
    )
    writer.start()
    assert read_responses(path).values == {"1": ("a",)}
    writer.join()


BROKEN = {
    "empty.jsonl": (b" \n", "is empty"),
    "list.json": (b"[]", "is an empty list"),
    "object.json": (b"{}", "is an empty object"),
    "text.json": (b'"words"', "is not an object with keys"),
    "text.jsonl": (
        b'{"id": 1, "response": ""}\n[1]',
        r"line 2: \[1\] is not an object",
    ),
    "cut.jsonl": (
        b'{"id": 1, "response": "a"}\n{"id": 2, "resp',
        r"line 2: not valid JSON, cut off perhaps",
    ),
    "cut_first.jsonl": (b'{"id": 1, "resp\n{"id": 2}', "line 1: not valid JSON"),
    "cut.json": (b'[{"id": 1,\n "response": "a"},\n{"id"', "line 3: not valid JSON"),
    "cut.csv": (b'id,response\n1,a\n2,"b\n', "line 3: not valid CSV, cut off perhaps"),
    "ragged.csv": (b"id,response\n1,a\n2,b,c\n", "line 3: 3 values under 2 columns"),
    "same.csv": (b"id,id\n1,a\n", "line 1: a column's name stands twice"),
    "no_key.csv": (b"id,text\n1,a\n", "none of the keys response, prediction"),
    "header.csv": (b"id,response\n", "holds no row"),
    "prose.txt": (b"Sorry, no responses\nhere", "line 2: 1 values under 2 columns"),
    "late.jsonl": (
        b'{"id": 1, "response": "a"}\n{"id": 2, "response": "\xff"}',
        r"line 2: is not text in UTF-8",
    ),
    "binary.json": (b"\x89PNG\r\n\x1a\n", r"is not text in UTF-8 \(byte 0\)"),
    "cut.gz": (gzip.compress(b'{"a": "b"}')[:-9], "damaged gzip file"),
    "mixed.jsonl": (
        b'{"id": 1, "response": "a"}\n{"id": 2, "prediction": "b"}',
        "line 2: no key 'response'; there is id, prediction",
    ),
    "no_id.jsonl": (b'{"key": 1, "response": "a"}', "none of the keys id, uid"),
    "no_response.jsonl": (b'{"id": 1}', "none of the keys response, prediction"),
    "null_id.jsonl": (b'{"id": null, "response": "a"}', "line 1: null is not an id"),
    "true_id.jsonl": (b'{"id": true, "response": "a"}', "line 1: true is not an id"),
    "twice.jsonl": (
        b'{"id": 1, "response": 1}\n{"id": "1", "response": 1.0}',
        "1 of the ids stand there twice with different responses: '1'",
    ),
    "twice_null.jsonl": (
        b'{"id": 1, "response": null}\n{"id": 1, "response": "a"}',
        "1 of the ids stand there twice",
    ),
    "twice.json": (b'{"q": "a", "q": "b"}', "1 of the ids stand there twice with"),
    "deep.json": (b"[" * 100_000, "cannot be read as JSON"),
    "digits.jsonl": (b'{"id": 1, "response": %b}' % (b"9" * 5000), "cannot be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_file_is_said_in_one_line(tmp_path, name):
    data, message = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputFileError, match=message) as error:
        read_responses(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    with pytest.raises(InputFileError, match="there is no such file"):
        read_responses(tmp_path / "nope.json")
    with pytest.raises(InputFileError, match="is a folder"):
        read_responses(tmp_path)


def test_an_object_of_ids_has_no_named_keys(tmp_path):
    ids = {str(n): "a" for n in range(50)}
    path = _write(tmp_path / "object.json", json.dumps(ids))
    with pytest.raises(InputFileError, match=r"no key 'out'; there is 0, .* 30 more"):
        read_responses(path, response_key="out")


def test_equal_responses_may_stand_twice(tmp_path):
    path = _write(tmp_path / "twice.jsonl", _jsonl([{"id": 1, "response": "a"}] * 2))
    assert read_responses(path).values == {"1": ("a",)}


def test_files_of_a_folder(tmp_path):
    with pytest.raises(InputFileError, match="there is nothing"):
        find_responses(tmp_path, "tatqa")
    run = tmp_path / "model"
    run.mkdir()
    older = _write(run / "samples_tatqa_2026-01-02T03-04-05.9.jsonl", "")
    newer = _write(run / "samples_tatqa_2026-01-02T03-04-06.jsonl", "")
    _write(run / "samples_tatqa_zeroshot_2026-01-02T03-04-07.jsonl", "")
    assert find_responses(tmp_path, "tatqa") == newer
    newer.unlink()
    assert find_responses(run, "tatqa") == older
    named = _write(tmp_path / "tatqa.json.gz", "")
    assert find_responses(tmp_path, "tatqa") == named
    _write(tmp_path / "tatqa.jsonl", "")
    with pytest.raises(InputFileError, match=r"tatqa\.jsonl, tatqa\.json\.gz all hold"):
        find_responses(tmp_path, "tatqa")
    with pytest.raises(
        InputFileError, match="no responses to finqa: .*there is model, "
    ):
        find_responses(tmp_path, "finqa")


@given(st.text())
def test_any_text_can_be_written_as_utf_8(text):
    written = response_text(text)
    written.encode("utf-8")
    surrogates = any("\ud800" <= char <= "\udfff" for char in text)
    assert surrogates or written == text


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(_json.filter(lambda value: not isinstance(value, str)))
def test_structured_values_come_back_from_their_text(value):
    assert repr(json.loads(response_text(value))) == repr(value)


def _write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def _jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_link_stays_a_link_to_the_new_content(tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("before")
    link.symlink_to(target)
    with replacing(link) as file:
        file.write("after")
    assert link.is_symlink()
    assert target.read_text() == "after"
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    """As is a device: to replace /dev/null by a file would break the machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(pipe) as file:
        file.write("content")
    assert os.read(reader, 99) == b"content"
    os.close(reader)
    assert list(tmp_path.iterdir()) == [pipe]
    assert pipe.is_fifo()
