"""`tableqa score`: what a file of predictions holds is told by all of it."""

import json

import pytest
from score_cases import GOLDS, LINES, contexts, question


TEXTS = list(LINES.items())
VALUES = {
    "a number": 12.5,
    "a list": ["Oslo"],
    "an object": {"answer": 12.5, "scale": "million"},
    "a truth": True,
}


@pytest.fixture(params=["rows", "list", "object"])
def save(request, write):
    """Write values by id in one of the forms that hold any."""

    def to(values, key="response"):
        if request.param == "object":
            return write("p.json", dict(values))
        rows = [{"id": name, key: value} for name, value in values]
        return write("p.jsonl" if request.param == "rows" else "p.json", rows)

    return to


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("kind", VALUES)
def test_texts_and_values_in_one_file_are_refused(score, references, save, kind, place):
    """Wherever the other one stands; the line names both kinds and both places."""
    for other, rest in ((VALUES[kind], dict(TEXTS)), ("a text", with_values(kind))):
        values = [
            (name, other if number == place else value)
            for number, (name, value) in enumerate(rest.items())
        ]
        path = save(values)
        found = score("tatqa", references, path)
        assert found.status == 1
        assert found.err.count("\n") == 1
        wrong, first = (1, 0) if place == 0 else (place, 0)
        for number in (wrong, first):
            assert any(
                named in found.err
                for named in (
                    f"line {number + 1}",
                    f"item {number + 1}",
                    f"'q{number + 1}'",
                )
            )
        assert "is not" in found.err
        assert "holds both raw responses and extracted answers" in found.err
        named = score("tatqa", references, path, options=["--format", "predictions"])
        assert named.status == 0


def with_values(kind):
    return dict.fromkeys(LINES, VALUES[kind])


ROWS = {
    "rows": {"id": "q1", "response": LINES["q1"]},
    "samples": {"doc_id": 0, "doc": {"id": "q1"}, "resps": [[LINES["q1"]]]},
    "program-of-thoughts": {
        "question_id": "q1",
        "pred_answer": 12.5,
        "pred_scale": "million",
    },
    "batch": {
        "custom_id": "q1",
        "response": {"body": {"choices": [{"message": {"content": LINES["q1"]}}]}},
    },
}


@pytest.mark.parametrize("second", ROWS)
@pytest.mark.parametrize("first", ROWS)
def test_rows_of_two_forms_are_refused(score, references, write, first, second):
    if first == second:
        return
    path = write("p.jsonl", [ROWS[first], ROWS[second]])
    found = score("tatqa", references, path)
    assert found.status == 1
    assert f"line 2: is a row of form {second}, and line 1 is one of form {first}" in (
        found.err
    )
    assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    "pair", [[12.5, "million"], [["a"], "percent"], ["b", "thousand"]]
)
def test_answers_with_and_without_their_scale_are_refused(
    score, references, write, pair
):
    """Whichever comes first."""
    alone = {"id": "q1", "prediction": ["Oslo"]}
    paired = {"id": "q2", "prediction": pair}
    for rows in ([alone, paired], [paired, alone]):
        found = score("tatqa", references, write("p.jsonl", rows))
        assert found.status == 1
        assert "line 2: " in found.err
        assert "line 1" in found.err


def as_rows(make):
    return [{"id": name, **make(*pair)} for name, pair in GOLDS.items()]


SHAPES = {
    "pairs with null": {name: [a, s or None] for name, (a, s) in GOLDS.items()},
    "pairs with none": {name: [a, s or "none"] for name, (a, s) in GOLDS.items()},
    "rows of pairs": as_rows(lambda a, s: {"prediction": [a, s]}),
    "column": as_rows(lambda a, s: {"prediction": a, "scale": s}),
    "objects": as_rows(
        lambda a, s: {"prediction": {"answer": a, "scale": s or "none"}}
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_answers_with_scales_as_users_have_them(score, references, write, name):
    content = SHAPES[name]
    path = write("p.json" if isinstance(content, dict) else "p.jsonl", content)
    found = score("tatqa", references, path)
    assert found.value("em") == found.value("scale_acc") == found.value("value_em") == 1
    assert found.content["files"][-1]["input"] == "extracted"
    assert found.err == ""
    wanted = found.content["files"][-1]["format"]
    named = score("tatqa", references, path, options=["--format", wanted])
    assert named.content == found.content


def test_scales_in_a_csv_file(score, references, write):
    text = 'id,prediction,scale\nq1,12.5,million\nq2,Oslo,\nq3,"[""a"", ""b""]",none\n'
    found = score("tatqa", references, write("p.csv", text))
    assert found.value("em") == 1
    assert found.content["files"][-1]["format"] == "predictions"


def test_a_whole_response_beside_a_scale_is_told(score, references, write):
    """Such a column may be what somebody else extracted."""
    rows = [{**row, "scale": "million"} for row in rows_of(TEXTS, "prediction")]
    path = write("p.jsonl", rows)
    found = score("tatqa", references, path)
    assert found.status == 1
    assert "line 1: " in found.err
    assert "is a whole response, and stands where an extracted answer is" in found.err
    assert found.err.count("\n") == 1
    searched = score("tatqa", references, path, options=["--format", "responses"])
    assert searched.value("em") == 1
    assert searched.err == ""


def test_a_list_of_responses_is_told(score, references, write):
    for count in (1, 2):
        rows = [{"id": name, "response": [text] * count} for name, text in TEXTS]
        path = write("p.jsonl", rows)
        found = score("tatqa", references, path)
        assert found.status == 1
        assert "line 1: " in found.err
        assert "is a whole response" in found.err
        assert found.err.count("\n") == 1


def test_an_object_may_say_more_than_the_answer(score, references, write):
    rows = [
        {"id": name, "prediction": {"reasoning": "?", "answer": a, "scale": s or None}}
        for name, (a, s) in GOLDS.items()
    ]
    found = score("tatqa", references, write("p.jsonl", rows))
    assert found.value("em") == 1
    assert found.err == ""


def test_answers_under_a_key_of_their_own(score, references, write):
    rows = [{"id": n, "answer": a, "scale": s} for n, (a, s) in GOLDS.items()]
    path = write("p.jsonl", rows)
    found = score("tatqa", references, path, options=["--prediction-key", "answer"])
    assert found.value("em") == 1
    assert found.err == ""


def test_a_row_without_the_scale_has_none(score, references, write):
    rows = [
        {"id": name, "prediction": answer, **({"scale": scale} if scale else {})}
        for name, (answer, scale) in GOLDS.items()
    ]
    assert score("tatqa", references, write("p.jsonl", rows)).value("em") == 1


def test_messages_and_completions_are_responses(score, references, write):
    messages = [
        {"id": name, "response": [{"role": "assistant", "content": text}]}
        for name, text in TEXTS
    ]
    bodies = [
        {"id": name, "prediction": {"choices": [{"message": {"content": text}}]}}
        for name, text in TEXTS
    ]
    for rows in (messages, bodies, [messages[0], *rows_of(TEXTS[1:])]):
        found = score("tatqa", references, write("p.jsonl", rows))
        assert found.value("em") == 1
        assert found.content["files"][-1]["input"] == "raw"


def rows_of(texts, key="response"):
    return [{"id": name, key: text} for name, text in texts]


def test_what_is_no_answer_is_told(score, references, write):
    strange = {"value": 5}
    rows = [{"id": "q1", "prediction": strange}, {"id": "q2", "prediction": ["Oslo"]}]
    rows += [{"id": "q3", "prediction": ["a", "b"]}]
    found = score("tatqa", references, write("p.jsonl", rows))
    assert found.value("em") == pytest.approx(2 / 3)
    assert '1 of its values are no answers, the first one: line 1: {"value": 5}' in (
        found.err
    )
    assert found.err.count("\n") == 1
    all_of_it = [{**row, "prediction": strange} for row in rows]
    refused = score("tatqa", references, write("p.jsonl", all_of_it))
    assert refused.status == 1
    assert 'line 1: {"value": 5} is no answer, and nor is any other' in refused.err
    assert refused.err.count("\n") == 1


def test_a_scale_that_is_not_used_is_told(score, references, write):
    rows = [{**row, "scale": "million"} for row in rows_of(TEXTS)]
    found = score("tatqa", references, write("p.jsonl", rows))
    assert found.value("em") == 1
    assert "its column scale is not used" in found.err
    assert found.err.count("\n") == 1
    records = [{**row, "answer": 12.5} for row in rows]
    assert score("tatqa", references, write("p.jsonl", records)).err == ""


def test_a_table_of_tanq_is_a_text(score, write):
    golds = [
        {"init_qid": f"{n}__x__test", "answer_table": "entity|year\na|1\n"}
        for n in range(2)
    ]
    references = write("gold.jsonl", golds)
    for value in ([["entity"], ["a"]], 5, {"answer": "a", "scale": ""}):
        rows = [{"id": gold["init_qid"], "prediction": value} for gold in golds]
        for options in ([], ["--format", "predictions"]):
            found = score("tanq", references, write("p.jsonl", rows), options=options)
            assert found.status == 1
            assert "line 1: " in found.err
            assert "is no answer, and nor is any other value of the file" in found.err
            assert found.err.count("\n") == 1
        rows[0]["prediction"] = golds[0]["answer_table"]
        for first, second in (rows, reversed(rows)):
            path = write("p.jsonl", [first, second])
            refused = score("tanq", references, path)
            assert refused.status == 1
            assert "line 2: " in refused.err
            assert "line 1" in refused.err
            named = score("tanq", references, path, options=["--format", "predictions"])
            assert named.value("rms_f1") == 50
            assert "1 of its values are no answers" in named.err


# --- Replies of TAT-LLM ---------------------------------------------------------------


STEPS = (
    "| step | output |\n| 1 | Single span |\n| 2 | Oslo |\n| 3 | N.A. |\n| 4 | {} |\n"
    "| 5 | none |\n\nThe answer is: {} #### and its corresponding scale is: none"
)
NAMES = tuple("abcdefgh")


@pytest.fixture
def spans(write):
    golds = [
        question(name, answer=["Oslo"], answer_type="span", scale="") for name in NAMES
    ]
    return write("spans.json", contexts(*golds))


def figures(found):
    return {name: each["value"] for name, each in found.content["metrics"].items()}


@pytest.mark.parametrize("place", range(len(NAMES)))
@pytest.mark.parametrize("form", ["stepwise", "end_to_end"])
def test_a_refusal_does_not_change_the_format(score, spans, write, form, place):
    line = "The answer is: Oslo #### and its corresponding scale is: none"
    reply = STEPS.format("Oslo", "Oslo") if form == "stepwise" else line
    texts = [(name, reply) for name in NAMES]
    texts[place] = (NAMES[place], "I am sorry, but I cannot answer this.")
    found = score("tatqa", spans, write("p.json", rows_of(texts, "prediction")))
    assert found.content["files"][-1]["format"] == "tatllm"
    assert f"|task:tatllm_tatqa_{form}|" in found.content["signature"]
    assert found.value("tatllm_em") == found.value("em") == 7 / 8
    assert found.value("off_format") == 0


@pytest.mark.parametrize("form", ["stepwise", "end_to_end"])
def test_the_key_changes_no_figure(score, spans, write, form):
    line = "The answer is: Oslo #### and its corresponding scale is: none"
    reply = STEPS.format("Oslo", "Oslo") if form == "stepwise" else line
    texts = [(name, reply) for name in NAMES]
    first = score("tatqa", spans, write("p.json", rows_of(texts, "prediction")))
    second = score("tatqa", spans, write("r.json", rows_of(texts, "response")))
    assert figures(second).items() <= figures(first).items()
    for found in (first, second):
        names = list(found.content["metrics"])
        assert names[0] == "em"
        assert names[-2:] == ["no_answer", "off_format"]
        assert found.value("off_format") == 0


def test_replies_to_finqa(shared, score, tmp_path):
    prompts = shared / "data" / "tatllm" / "sft_end_to_end_finqa_dataset_dev.json"
    records = json.loads(prompts.read_text())
    golds = shared / "data" / "finqa" / "finqa_dev_assembled.json"
    path = tmp_path / "replies.json"
    path.write_text(
        json.dumps([{"id": r["id"], "prediction": r["resp"]} for r in records])
    )
    found = score("finqa", golds, path, options=["--missing", "drop"])
    assert found.content["files"][-1]["format"] == "tatllm"
    assert "|task:tatllm_finqa_end_to_end|" in found.content["signature"]
    assert found.content["n"] == 848
    assert found.value("tatllm_em") == 1
    assert found.value("off_format") == 0
    assert next(iter(found.content["metrics"])) == "exe_acc"


def test_a_line_that_says_yes_is_none_of_tatllms(score, write):
    """Its models say True and False."""
    golds = [("a", 5.0), ("b", 7.0), ("c", "yes")]
    records = [
        {
            "id": name,
            "table": [],
            "qa": {
                "program": "greater(2, 1)" if gold == "yes" else f"add({gold - 1}, 1)",
                "exe_ans": gold,
            },
        }
        for name, gold in golds
    ]
    texts = [(name, f"The answer is: {gold}") for name, gold in golds]
    path = write("p.json", rows_of(texts, "prediction"))
    found = score("finqa", write("gold.json", records), path)
    assert found.content["files"][-1]["format"] == "responses"
    assert found.value("exe_acc") == found.value("value_em") == 1
