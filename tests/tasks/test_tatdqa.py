"""The TAT-DQA tasks, from the YAML files to the numbers that the harness reports.

The released gold is at hand and the text of its pages is not, so that the real questions
are asked here about an invented document.
"""

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
    saved_responses,
)

from lm_eval_tasks.errors import DataError
from tableqa_metrics.arithmetic import evaluate as arithmetic
from tableqa_metrics.tatqa import tatqa_score


SAMPLES = FOLDER / "tatdqa" / "samples"
TASKS = ("tatdqa", "tatdqa_zeroshot", "tatdqa_sample")


def read(name: str) -> list[dict[str, Any]]:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pages() -> list[dict[str, Any]]:
    return read("records.json")


@pytest.fixture(scope="module")
def texts() -> list[dict[str, Any]]:
    return read("prompts.json")


@pytest.fixture
def own_files(write, pages, texts) -> dict[str, Any]:
    """A dev and a test split of two files each, as metadata."""
    files = {
        split: {"gold": str(write(f"{split}.json", some)), "prompts": str(prompts_file)}
        for split, some, prompts_file in (
            ("test", pages[:7], write("test_prompts.json", texts)),
            ("dev", pages[7:], write("dev_prompts.json", texts)),
        )
    }
    return {"data_files": files}


def released(shared: Path, name: str, write: Any) -> dict[str, str]:
    """Return the files of a released split, its pages replaced by one of a sentence."""
    path = shared / "data" / "tatdqa" / f"tatdqa_dataset_{name}.json"
    prompt = "### Document \n\nA page.\n\n### Question \n\n{}\n\n### Response"
    records = [
        {
            "id": question["uid"],
            "user_prompt": prompt.format(question["question"]),
            "resp": "",
        }
        for page in json.loads(path.read_text(encoding="utf-8"))
        for question in page["questions"]
    ]
    return {"gold": str(path), "prompts": str(write(f"{name}.json", records))}


# Prompts


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("shots", [0, 2])
def test_each_task_builds_ten_prompts(task, shots, own_files):
    for prompt in check_prompts(task, shots, own_files):
        assert "###" not in prompt.replace("####", "")


DOCUMENT = """
Castellane Hotels S.A.
Occupancy 2022 2021
Coast 71.5% 48.2%
City 63.0% 39.9%

Question: What was the occupancy of the Coast hotels in 2022 and 2021, respectively?
Answer:"""

GOLDEN_PROMPT = """\
Answer the question with the text below, which is from the pages of a financial report. Reason first if you need to. End with one line of this form:

The answer is: X #### and its corresponding scale is: Y

- X is the answer: words as they stand in the text, a number, or a count.
- Several values are separated by #, as in 2018#2019
- A number that you compute is rounded to two decimals. A decrease is negative, as in -12.6
- Y is the scale of the numbers in X: thousand, million, billion or percent. It is none where they have no scale, and where X is words.
- The scale stands in Y alone: 12.6 million is 12.6 with the scale million, and 14.1% is 14.1 with the scale percent.
"""

GOLDEN_ZEROSHOT_PROMPT = """\
Answer the question with the text below, which is from the pages of a financial report. Write the answer alone, without any other words.

- The answer is words as they stand in the text, a number, or a count.
- Several values are separated by #, as in 2018#2019
- A number that you compute is rounded to two decimals. A decrease is negative, as in -12.6
- Numbers are in the unit of the text and come without it: 12.6 million is 12.6, and 14.1% is 14.1
"""


@pytest.mark.parametrize(
    ("task", "instructions"),
    [("tatdqa", GOLDEN_PROMPT), ("tatdqa_zeroshot", GOLDEN_ZEROSHOT_PROMPT)],
)
def test_golden_prompt(task, instructions, write, pages, texts):
    files = {
        "gold": str(write("test.json", pages[3:4])),
        "prompts": str(write("prompts.json", texts)),
    }
    loaded = load(task, data_files={"test": files})
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 0)
    assert prompt == instructions + DOCUMENT


@pytest.mark.parametrize(
    ("task", "form"), [("tatdqa", LINE), ("tatdqa_zeroshot", "{}")]
)
def test_a_shot_shows_the_reference_as_the_prompt_asks(task, form, own_files):
    loaded = load(task, **own_files)
    loaded.set_fewshot_seed(1)
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 10)
    for question, answer, scale in (
        ("What was the solvency ratio?", "187", "percent"),
        ("How much was paid in total?", "2.3", "million"),
        ("How many classes of shares are there?", "2", "none"),
    ):
        target = form.format(answer, scale)
        assert f"Question: {question}\nAnswer: {target}\n\nAnswer the" in prompt


def test_a_page_without_text_is_named_and_left_out(write, pages, texts, warned):
    files = {
        "gold": str(write("test.json", pages[:2])),
        "prompts": str(write("prompts.json", texts[1:])),
    }
    loaded = load("tatdqa", data_files={"test": files})
    assert len(loaded.eval_docs) == 3
    assert any(texts[0]["id"] in message for message in warned)


def test_gold_without_any_text_is_a_clear_error(write, pages):
    files = {
        "gold": str(write("test.json", pages)),
        "prompts": str(write("p.json", [{"id": "none", "user_prompt": "?"}])),
    }
    with pytest.raises(DataError, match="none of the 23 questions"):
        load("tatdqa", data_files={"test": files})


def test_tags():
    index = manager().task_index
    assert "'tatdqa'" in str(index["tableqa"])
    assert "tatdqa_sample" in str(index["tableqa_sample"])
    assert "tatdqa_zeroshot" not in str(index["tableqa"])


def test_the_folder_works_as_a_copy(tmp_path):
    check_copy("tatdqa", "tatdqa_sample", tmp_path, 23)


@pytest.mark.parametrize("missing", ["tableqa_metrics", "lm_eval_tasks"])
def test_without_the_package_the_folder_says_what_to_install(missing, monkeypatch):
    check_missing_package("tatdqa", missing, monkeypatch)


# Scores


@pytest.mark.parametrize(
    ("name", "questions", "zeros"), [("dev", 1644, 5), ("test", 1663, 12)]
)
def test_every_released_reference(name, questions, zeros, shared, write):
    """In the answer line all are right; as JSON all but the integer 0."""
    files = released(shared, name, write)
    loaded = load("tatdqa", data_files={"test": files})
    assert len(loaded.eval_docs) == questions
    wrong = []
    for document in loaded.eval_docs:
        line = loaded.doc_to_target(document)
        scores = loaded.process_results(document, [line])
        assert scores["em"] == scores["f1"] == scores["em_gold_scale"] == 1, line
        assert scores["value_em"] == 1
        assert scores["scale_acc"] == 1, line
        assert scores["no_answer"] is scores["off_format"] is None, line
        record = gold(document)
        response = json.dumps({"answer": record["answer"], "scale": record["scale"]})
        if loaded.process_results(document, [response])["em"] != 1:
            wrong.append(record["answer"])
    assert wrong == [0] * zeros


def test_replay_of_structured_answers_equals_the_scorer(shared, write, tmp_path):
    """Each question is answered with the reference of the one after it."""
    files = released(shared, "test", write)
    questions = {}
    for page in json.loads(Path(files["gold"]).read_text(encoding="utf-8")):
        questions.update({question["uid"]: question for question in page["questions"]})
    answers = [(q["answer"], q["scale"]) for q in questions.values()]
    shifted = dict(zip(questions, answers[1:] + answers[:1], strict=True))
    path = tmp_path / "shifted.json"
    path.write_text(json.dumps(shifted), encoding="utf-8")
    results, logged = evaluate("tatdqa", path, {"data_files": {"test": files}})
    assert logged.keys() == questions.keys()
    for name, sample in logged.items():
        score = tatqa_score(questions[name], *shifted[name])
        assert (sample["em"], sample["f1"]) == (score.em, score.f1)
        assert sample["scale_acc"] == score.scale_match
    assert 0 < results["em,none"] < 0.1 < results["scale_acc,none"] < 1


@pytest.mark.parametrize("response", ["", "x", LINE.format("120.1", "million")])
def test_values_are_plain_and_every_key_is_always_there(response):
    loaded = load("tatdqa_sample")
    check_values(loaded.process_results(loaded.eval_docs[0], [response]), TAT_KEYS)
    assert loaded.aggregation().keys() == TAT_KEYS


# The embedded samples


def test_samples_cover_what_they_promise(pages):
    questions = [question for page in pages for question in page["questions"]]
    assert len(pages) >= 12

    def values(key: str) -> set[str]:
        return {question[key] for question in questions}

    assert values("answer_type") == {"span", "multi-span", "arithmetic", "count"}
    assert values("scale") == {"", "thousand", "million", "billion", "percent"}
    numbers = [q["answer"] for q in questions if q["answer_type"] == "arithmetic"]
    assert any(number < 0 for number in numbers)
    assert 0 in numbers


def test_samples_have_the_fields_of_the_released_files(pages, texts, shared):
    path = shared / "data" / "tatdqa" / "tatdqa_dataset_test.json"
    gold_file = json.loads(path.read_text(encoding="utf-8"))
    path = shared / "data" / "tatllm" / "sft_end_to_end_finqa_dataset_dev.json"
    prompts_file = json.loads(path.read_text(encoding="utf-8"))
    assert all(page.keys() == gold_file[0].keys() for page in pages)
    assert all(page["doc"].keys() == gold_file[0]["doc"].keys() for page in pages)
    fields = gold_file[0]["questions"][0].keys()
    assert all(q.keys() == fields for page in pages for q in page["questions"])
    assert all(text.keys() == prompts_file[0].keys() for text in texts)
    assert [t["id"] for t in texts] == [q["uid"] for p in pages for q in p["questions"]]


def test_every_sample_answer_follows_from_its_document(pages):
    documents = {d["id"]: d["document"] for d in load("tatdqa_sample").eval_docs}
    for page in pages:
        for question in page["questions"]:
            lines = documents[question["uid"]].split("\n")
            pieces = []
            for block in question["block_mapping"]:
                ((name, (start, end)),) = block.items()
                pieces.append(lines[int(name[-11:])][start:end])
            assert sorted(pieces) == sorted(question["facts"])
            answer = question["answer"]
            if question["answer_type"] == "arithmetic":
                value = arithmetic(question["derivation"].replace(",", ""))
                value *= 100 if question["scale"] == "percent" else 1
                assert answer == round(value, 2)
            elif question["answer_type"] == "count":
                assert int(answer) == len(question["derivation"].split("##"))
            else:
                assert all(part in documents[question["uid"]] for part in answer)


def test_samples_through_the_harness():
    responses = saved_responses("tatdqa")
    results, logged = evaluate("tatdqa_sample", SAMPLES / "responses.jsonl", {})
    assert logged.keys() == responses.keys()
    short = {f"{name[6:8]}-{name[-1]}": sample for name, sample in logged.items()}
    wrong = {name for name, sample in short.items() if not sample["em"]}
    assert wrong >= {
        *("01-2", "11-2"),  # the sign
        "07-1",  # the scale
        "08-1",  # more than the span
        *("10-2", "11-1", "12-2"),  # no answer
    }
    assert short["07-1"]["em_gold_scale"] == 1
    reasons = {name: s["no_answer"] for name, s in short.items() if s["no_answer"]}
    assert reasons == {
        "10-2": "empty",
        "11-1": "unfinished_thought",
        "12-2": "refusal",
    }
    assert results["no_answer,none"] == 3 / 23
    assert results["em,none"] >= 15 / 23
