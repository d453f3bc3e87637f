"""The TAT-QA tasks, from the YAML files to the numbers that the harness reports."""

import json
from pathlib import Path
from typing import Any

import pytest
from tasks.tat_runs import (
    FOLDER,
    LINE,
    TAT_KEYS,
    check_copy,
    check_missing_package,
    check_prompts,
    check_values,
    evaluate,
    gold,
    load,
    manager,
    prompts,
    saved_responses,
    split_files,
)

from lm_eval_tasks.errors import DataError
from tableqa_metrics.arithmetic import evaluate as arithmetic
from tableqa_metrics.tatqa import tatqa_score


SAMPLES = FOLDER / "tatqa" / "samples"
TASKS = ("tatqa", "tatqa_zeroshot", "tatqa_sample")


@pytest.fixture(scope="module")
def dev(shared) -> str:
    return str(shared / "data" / "tatqa" / "tatqa_dataset_dev.json")


@pytest.fixture(scope="module")
def test_gold(shared) -> str:
    return str(shared / "data" / "tatqa" / "tatqa_dataset_test_gold.json")


@pytest.fixture(scope="module")
def contexts() -> list[dict[str, Any]]:
    return json.loads((SAMPLES / "records.json").read_text(encoding="utf-8"))


@pytest.fixture
def own_files(write, contexts) -> dict[str, Any]:
    """A train and a test file in the released schema, as metadata."""
    return split_files(write, test=contexts[:6], train=contexts[6:])


# Prompts


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("shots", [0, 2])
def test_each_task_builds_ten_prompts(task, shots, own_files):
    for prompt in check_prompts(task, shots, own_files):
        assert prompt.count("\n| --- |") == shots + 1


@pytest.mark.parametrize("task", ["tatqa", "tatqa_zeroshot"])
def test_the_real_files_build_prompts(task, test_gold):
    built = prompts(load(task, data_files=test_gold), 0)
    assert len(set(built)) == 10
    assert all("\n| --- |" in prompt for prompt in built)


CONTEXT = r"""
| Plan \| region | Subscribers |
| --- | --- |
| Basic \| Nordic | 1,204 |
| Pro \| Nordic | 386 |
| Pro \| Baltic | 92 |

A plan of Quillon Software OÜ breaks even at 300 subscribers.

The main risks are currency movements and the loss of key staff.

Question: How many subscribers have a Pro plan?
Answer:"""

GOLDEN_PROMPT = """\
Answer the question with the table and the text below, which are from a financial report. Reason first if you need to. End with one line of this form:

The answer is: X #### and its corresponding scale is: Y

- X is the answer: words as they stand in the table or the text, a number, or a count.
- Several values are separated by #, as in 2018#2019
- A number that you compute is rounded to two decimals. A decrease is negative, as in -12.6
- Y is the scale of the numbers in X: thousand, million, billion or percent. It is none where they have no scale, and where X is words.
- The scale stands in Y alone: 12.6 million is 12.6 with the scale million, and 14.1% is 14.1 with the scale percent.
"""

GOLDEN_ZEROSHOT_PROMPT = """\
Answer the question with the table and the text below, which are from a financial report. Write the answer alone, without any other words.

- The answer is words as they stand in the table or the text, a number, or a count.
- Several values are separated by #, as in 2018#2019
- A number that you compute is rounded to two decimals. A decrease is negative, as in -12.6
- Numbers are in the unit of the table or the text and come without it: 12.6 million is 12.6, and 14.1% is 14.1
"""


@pytest.mark.parametrize(
    ("task", "instructions"),
    [("tatqa", GOLDEN_PROMPT), ("tatqa_zeroshot", GOLDEN_ZEROSHOT_PROMPT)],
)
def test_golden_prompt(task, instructions, write, contexts):
    loaded = load(task, data_files=str(write("test.json", contexts[6:7])))
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 0)
    assert prompt == instructions + CONTEXT


def test_paragraphs_stand_in_their_order(contexts):
    assert [p["order"] for p in contexts[0]["paragraphs"]] == [2, 1]
    prompt = prompts(load("tatqa_sample"), 0, limit=1)[0]
    assert prompt.index("Norvane Instruments") < prompt.index("closed two mills")


@pytest.mark.parametrize(("task", "form"), [("tatqa", LINE), ("tatqa_zeroshot", "{}")])
def test_a_shot_shows_the_reference_as_the_prompt_asks(task, form, own_files):
    loaded = load(task, **own_files)
    loaded.set_fewshot_seed(1)
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 15)
    targets = {"How many subscribers have a Pro plan?": form.format("478", "none")}
    for question, answer, scale in (
        (
            "What are the main risks?",
            "currency movements#the loss of key staff",
            "none",
        ),
        ("What were net sales in FY3/22?", "1.84", "billion"),
    ):
        targets[question] = form.format(answer, scale)
    for question, target in targets.items():
        assert f"Question: {question}\nAnswer: {target}\n\nAnswer the" in prompt


def test_samples_take_other_samples_as_shots():
    loaded = load("tatqa_sample")
    loaded.set_fewshot_seed(1)
    for document in loaded.eval_docs:
        prompt = loaded.fewshot_context(document, len(loaded.eval_docs) - 1)
        assert prompt.count(f"Question: {document['question']}\n") == 1


def test_shots_without_a_train_file_are_a_clear_error(dev):
    loaded = load("tatqa", data_files=dev)
    loaded.set_fewshot_seed(1)
    with pytest.raises(DataError, match="few-shot split"):
        loaded.fewshot_context(loaded.eval_docs[0], 1)


def test_the_unlabelled_file_names_the_labelled_one(shared):
    path = shared / "data" / "tatqa" / "tatqa_dataset_test.json"
    with pytest.raises(DataError, match="test_gold"):
        load("tatqa", data_files=str(path))


def test_tags():
    index = manager().task_index
    assert "'tatqa'" in str(index["tableqa"])
    assert "tatqa_sample" in str(index["tableqa_sample"])
    assert "tatqa_zeroshot" not in str(index["tableqa"])


def test_the_folder_works_as_a_copy(tmp_path):
    check_copy("tatqa", "tatqa_sample", tmp_path, 34)


@pytest.mark.parametrize("missing", ["tableqa_metrics", "lm_eval_tasks"])
def test_without_the_package_the_folder_says_what_to_install(missing, monkeypatch):
    check_missing_package("tatqa", missing, monkeypatch)


# Equality with the released scorer, on its own files


def test_replay_of_the_released_predictions(shared, dev, reference):
    official = reference("tatqa_dev_sample_prediction.json")
    path = shared / "data" / "tatqa" / "sample_prediction.json"
    results, logged = evaluate("tatqa", path, {"data_files": dev})
    for key, name in (("em", "em"), ("f1", "f1"), ("scale_acc", "scale")):
        assert results[f"{key},none"] == pytest.approx(
            official["aggregate"][name], abs=1e-12
        )
    assert round(results["em,none"], 5) == 0.45923
    assert round(results["f1,none"], 5) == 0.58879
    assert round(results["scale_acc,none"], 5) == 0.90947
    assert logged.keys() == official["per_example"].keys()
    predictions = json.loads(path.read_text(encoding="utf-8"))
    for name, sample in logged.items():
        scores = official["per_example"][name]
        prediction, record = predictions[name][0], gold(sample["doc"])
        assert (sample["em"], sample["f1"]) == (scores["em"], scores["f1"])
        # The released scorer gives nothing for the scale of an empty answer or of 0.
        assert sample["scale_acc"] == float(scores["scale_equal"] and bool(prediction))
        # The two scale protocols side by side: the other grants the reference's scale.
        granted = tatqa_score(record, prediction, record["scale"])
        assert sample["em_gold_scale"] == granted.em
        assert sample["f1_gold_scale"] == granted.f1
    assert results["em_gold_scale,none"] > results["em,none"]


def test_replay_of_program_of_thoughts(shared, dev, reference):
    path = shared / "data" / "pot" / "tatqa_dev_program_of_thoughts.jsonl"
    official = reference("tatqa_dev_pot.json")["tatqa_s0_e-1_11_08_11_09.jsonl"]
    scores = official["official_tatqa(first number)"]
    asked = [d["id"] for d in load("tatqa", data_files=dev).eval_docs]
    places = [i for i, name in enumerate(asked) if name in scores["per_example"]]
    assert len(places) == 1667
    results, logged = evaluate(
        "tatqa", path, {"data_files": dev}, samples={"tatqa": places}
    )
    for key, name in (("em", "em"), ("f1", "f1"), ("scale_acc", "scale")):
        assert results[f"{key},none"] == pytest.approx(scores[name], abs=1e-12)
    assert round(results["em,none"], 5) == 0.68986
    assert round(results["f1,none"], 5) == 0.75903
    assert logged.keys() == scores["per_example"].keys()
    for name, sample in logged.items():
        expected = scores["per_example"][name]
        assert (sample["em"], sample["f1"]) == (expected["em"], expected["f1"])


@pytest.mark.parametrize("split", ["dev", "test_gold"])
def test_every_reference_in_the_answer_line_is_right(split, request):
    loaded = load("tatqa", data_files=request.getfixturevalue(split))
    for document in loaded.eval_docs:
        line = loaded.doc_to_target(document)
        scores = loaded.process_results(document, [line])
        assert scores["em"] == scores["f1"] == scores["em_gold_scale"] == 1, line
        assert scores["value_em"] == scores["scale_acc"] == 1, line
        assert scores["no_answer"] is scores["off_format"] is None, line


@pytest.mark.parametrize(("split", "zeros"), [("dev", 5), ("test_gold", 12)])
def test_every_reference_as_json_is_right_but_for_the_integer_0(split, zeros, request):
    loaded = load("tatqa", data_files=request.getfixturevalue(split))
    wrong = []
    for document in loaded.eval_docs:
        record = gold(document)
        response = json.dumps({"answer": record["answer"], "scale": record["scale"]})
        scores = loaded.process_results(document, [response])
        if scores["em"] != 1:
            wrong.append(record["answer"])
            # An answer all the same, and right by value.
            assert (scores["no_answer"], scores["value_em"]) == (None, 1)
    assert wrong == [0] * zeros


@pytest.mark.parametrize("split", ["dev", "test_gold"])
def test_granting_the_scale_loses_no_reference_written_without_one(split, request):
    loaded = load("tatqa_zeroshot", data_files=request.getfixturevalue(split))
    lost = []
    for document in loaded.eval_docs:
        values = loaded.doc_to_target(document)
        scores = loaded.process_results(document, [values])
        # Spans that extraction itself reads otherwise have a test of their own there.
        if scores["em_gold_scale"] < scores["em"]:
            lost.append(values)
    assert lost == []


# What a document's scores hold


def one_question(write, task: str = "tatqa", **fields: Any) -> Any:
    question = {
        "uid": "q-1",
        "order": 1,
        "question": "How much?",
        "answer": 12.5,
        "derivation": "",
        "answer_type": "arithmetic",
        "answer_from": "table",
        "rel_paragraphs": [],
        "req_comparison": False,
        "scale": "million",
        **fields,
    }
    context = {
        "table": {"uid": "t-1", "table": [["", "2019"], ["Revenue", "12.5"]]},
        "paragraphs": [],
        "questions": [question],
    }
    return load(task, data_files=str(write("one.json", [context])))


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ('{"answer": [], "scale": "million"}', "empty"),
        ('{"answer": null, "scale": ""}', "empty"),
        ("<think>12.5 million", "unfinished_thought"),
        ("So the answer is:", "nothing_found"),
        ("I cannot answer this question.", "refusal"),
        ('{"answer": [1, [2]], "scale": "million"}', "malformed"),
    ],
)
def test_a_response_without_an_answer(response, reason, write):
    loaded = one_question(write)
    scores = loaded.process_results(loaded.eval_docs[0], [response])
    check_values(scores, TAT_KEYS)
    assert scores["no_answer"] == reason
    scored = TAT_KEYS - {"no_answer", "off_format"}
    assert {scores[key] for key in scored} == {0.0}


@pytest.mark.parametrize(
    ("response", "scores"),
    [
        # em, em_gold_scale, scale_acc, value_em, off_format
        (LINE.format("12.5", "million"), (1, 1, 1, 1, None)),
        (LINE.format("12.5", "none"), (0, 1, 0, 0, None)),
        (LINE.format("-12.5", "million"), (0, 0, 1, 0, None)),
        ("The answer is: $12.5 million", (1, 1, 1, 1, "plain_answer_line")),
        ("12.5", (0, 1, 0, 0, "bare")),
        ('{"answer": 12.5, "scale": "million"}', (1, 1, 1, 1, "json")),
        ('{"answer": "12500", "scale": "thousand"}', (1, 0, 0, 1, "json")),
    ],
)
def test_scale_sign_and_form(response, scores, write):
    loaded = one_question(write)
    result = loaded.process_results(loaded.eval_docs[0], [response])
    keys = ("em", "em_gold_scale", "scale_acc", "value_em", "off_format")
    assert tuple(result[key] for key in keys) == scores


@pytest.mark.parametrize(
    ("response", "rule"),
    [
        ("12.5", None),
        ("$12.5 million", None),
        ("The answer is: 12.5", "plain_answer_line"),
    ],
)
def test_the_zeroshot_task_asks_for_the_answer_alone(response, rule, write):
    loaded = one_question(write, task="tatqa_zeroshot")
    result = loaded.process_results(loaded.eval_docs[0], [response])
    check_values(result, TAT_KEYS)
    assert (result["em_gold_scale"], result["off_format"]) == (1, rule)


def test_a_scale_word_in_a_span_without_scale_stays_when_the_scale_is_granted(write):
    fields = {"answer": ["€1.3 billion"], "answer_type": "span", "scale": ""}
    loaded = one_question(write, **fields)
    result = loaded.process_results(loaded.eval_docs[0], ["Answer: €1.3 billion"])
    assert (result["em"], result["em_gold_scale"], result["scale_acc"]) == (1, 1, 0)


def test_the_recipe_compares_texts(write):
    loaded = one_question(write, answer=12.0)
    document = loaded.eval_docs[0]
    for response, scores in (
        (LINE.format("12", "million"), (1, 1)),
        (LINE.format("12.0", "million"), (0, 0.5)),
        (LINE.format("13", "million"), (0, 0)),
    ):
        result = loaded.process_results(document, [response])
        assert (result["recipe_em"], result["recipe_f1"]) == scores


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "twelve", "answer_type": "span"},
        {"scale": "millions"},
        {"answer": [], "answer_type": "span"},
    ],
)
@pytest.mark.parametrize("response", [LINE.format("12.5", "million"), ""])
def test_a_malformed_reference_is_named(fields, response, write):
    """It is refused where it is loaded; a task of somebody's own may load another way."""
    with pytest.raises(DataError, match="question 1: malformed reference .*q-1"):
        one_question(write, **fields)
    loaded = one_question(write)
    document = loaded.eval_docs[0]
    document = {**document, "gold": json.dumps({**gold(document), **fields})}
    with pytest.raises(ValueError, match="q-1"):
        loaded.process_results(document, [response])


# The embedded samples


def test_samples_cover_what_they_promise(contexts):
    questions = [question for context in contexts for question in context["questions"]]
    assert len(contexts) >= 12

    def values(key: str) -> set[str]:
        return {question[key] for question in questions}

    assert values("answer_type") == {"span", "multi-span", "arithmetic", "count"}
    assert values("answer_from") == {"table", "text", "table-text"}
    assert values("scale") == {"", "thousand", "million", "billion", "percent"}
    numbers = [q["answer"] for q in questions if q["answer_type"] == "arithmetic"]
    assert any(number < 0 for number in numbers)
    assert 0 in numbers
    assert len({question["uid"] for question in questions}) == len(questions)
    for context in contexts:
        assert context.keys() == {"table", "paragraphs", "questions"}
        assert context["table"].keys() == {"uid", "table"}
        for paragraph in context["paragraphs"]:
            assert paragraph.keys() == {"uid", "order", "text"}
        for question in context["questions"]:
            assert question.keys() == {
                *("uid", "order", "question", "answer", "derivation", "answer_type"),
                *("answer_from", "rel_paragraphs", "req_comparison", "scale"),
            }


def test_samples_have_the_fields_of_the_released_file(contexts, dev):
    released = json.loads(Path(dev).read_text(encoding="utf-8"))[0]
    sample = contexts[0]
    assert sample.keys() == released.keys()
    for part in ("questions", "paragraphs"):
        assert sample[part][0].keys() == released[part][0].keys()


def test_every_sample_answer_follows_from_its_context(contexts):
    for context in contexts:
        cells = [cell for row in context["table"]["table"] for cell in row]
        texts = {str(p["order"]): p["text"] for p in context["paragraphs"]}
        for question in context["questions"]:
            source = question["answer_from"]
            named = [texts[order] for order in question["rel_paragraphs"]]
            assert bool(named) == (source != "table")
            evidence = [*(cells if source != "text" else []), *named]
            kind, answer = question["answer_type"], question["answer"]
            if kind == "arithmetic":
                value = arithmetic(question["derivation"].replace(",", ""))
                value *= 100 if question["scale"] == "percent" else 1
                assert answer == round(value, 2)
                continue
            if kind == "count":
                parts = question["derivation"].split("##")
                assert int(answer) == len(parts)
            else:
                parts = answer
            for part in parts:
                assert any(part in words for words in evidence), part


def test_samples_through_the_harness():
    responses = saved_responses("tatqa")
    results, logged = evaluate(
        "tatqa_sample", SAMPLES / "responses.jsonl", {}, bootstrap_iters=100
    )
    assert logged.keys() == responses.keys()
    short = {f"{name[11:13]}-{name[-1]}": s for name, s in logged.items()}
    wrong = {name for name, sample in short.items() if not sample["em"]}
    assert wrong == {
        "01-3",  # the sign
        *("03-1", "03-3", "08-3"),  # the scale
        "08-2",  # half the span
        *("04-3", "10-1", "10-2"),  # no answer
    }
    granted = {name for name in wrong if short[name]["em_gold_scale"]}
    assert granted == {"03-1", "03-3", "08-3"}
    reasons = {name: s["no_answer"] for name, s in short.items() if s["no_answer"]}
    assert reasons == {
        "04-3": "unfinished_thought",
        "10-1": "empty",
        "10-2": "refusal",
    }
    rules = {s["off_format"] for s in short.values()}
    assert rules >= {"step_table", "boxed", "answer_tag", "json", "bold", "bare"}
    assert results["no_answer,none"] == 3 / 34
    assert isinstance(results["em_stderr,none"], float)


@pytest.mark.parametrize(
    ("options", "documents"),
    [
        ({"limit": 3}, 3),
        ({"samples": {"tatqa_sample": [0, 11]}}, 2),
        ({"num_fewshot": 1}, 34),
    ],
)
def test_options_of_the_harness(options, documents):
    responses = SAMPLES / "responses.jsonl"
    results, logged = evaluate("tatqa_sample", responses, {}, **options)
    assert len(logged) == documents
    assert results["em,none"] > 0
