"""The FinQA tasks, from the YAML files to the numbers that the harness reports."""

import json
from pathlib import Path
from typing import Any

import pytest
from tasks.tat_runs import (
    FOLDER,
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
from tableqa_metrics import finqa_execute, finqa_program_equal


SAMPLES = FOLDER / "finqa" / "samples"
TASKS = ("finqa", "finqa_zeroshot", "finqa_program", "finqa_sample")
KEYS = {
    *("exe_acc", "prog_acc", "value_em", "recipe_em", "recipe_f1"),
    *("no_answer", "off_format"),
}
SCORES = KEYS - {"no_answer", "off_format"}


@pytest.fixture(scope="module")
def test_file(shared) -> str:
    return str(shared / "data" / "finqa" / "finqa_test_assembled.json")


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return json.loads((SAMPLES / "records.json").read_text(encoding="utf-8"))


@pytest.fixture
def own_files(write, records) -> dict[str, Any]:
    """A train and a test file in the released schema, as metadata."""
    return split_files(write, test=records[:10], train=records[10:])


# Prompts


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("shots", [0, 2])
def test_each_task_builds_ten_prompts(task, shots, own_files):
    for prompt in check_prompts(task, shots, own_files):
        assert prompt.count("\n| --- |") == shots + 1


@pytest.mark.parametrize("task", ["finqa", "finqa_zeroshot", "finqa_program"])
def test_the_real_file_builds_prompts(task, test_file):
    built = prompts(load(task, data_files=test_file), 0)
    assert len(set(built)) == 10
    assert all("\n| --- |" in prompt for prompt in built)


CONTEXT = r"""
ilmen transit company pension plan : the plan is invested as follows ( in millions ) .

| asset | 2011 | target |
| --- | --- | --- |
| equity \| funds | $ 64 | 55% |
| bonds | 41 | 40% |
| cash | 7 | 5% |

the plan has no debt .

Question: what portion of the plan is invested in bonds in 2011?
Answer:"""

GOLDEN_PROMPTS = {
    "finqa": """\
Answer the question with the table and the text around it, which are from a financial report. Reason first if you need to. End with one line of this form:

The answer is: X

- X is one number, or yes or no.
- The number is in the unit that the question asks for, else in that of the table or the text, and comes without it: 94, not $94 million.
- A percentage or a ratio is written as a fraction, or with a percent sign: 0.14136 or 14.136%
- The number is rounded to five decimals as a fraction, to three with a percent sign. A decrease is negative, as in -0.05264
""",
    "finqa_zeroshot": """\
Answer the question with the table and the text around it, which are from a financial report. Write the answer alone, without any other words.

- The answer is one number, or yes or no.
- The number is in the unit that the question asks for, else in that of the table or the text, and comes without it: 94, not $94 million.
- A percentage or a ratio is written as a fraction, or with a percent sign: 0.14136 or 14.136%
- The number is rounded to five decimals as a fraction, to three with a percent sign. A decrease is negative, as in -0.05264
""",
    "finqa_program": """\
Write the program that computes the answer to the question from the table and the text around it, which are from a financial report. Reason first if you need to. End with one line of this form:

Program: subtract(5829, 5735), divide(#0, 5735)

- A program is one or more steps, with a comma and a space between two. A step is an operation with two arguments.
- add(a, b), subtract(a, b), multiply(a, b), divide(a, b) compute with two numbers; exp(a, b) is a to the power of b.
- greater(a, b) answers yes or no: whether a is greater than b.
- table_sum(row, none), table_average(row, none), table_max(row, none), table_min(row, none) compute with all numbers of a table row; row is the name in its first cell, as it is written there.
- An argument is a number of the table or the text, without currency and thousands separators (5829; 8.5% is 0.085), a constant (const_100, const_1000, const_1000000; const_m1 is -1), or #n, the result of a step before, #0 that of the first.
""",
}


@pytest.mark.parametrize("task", GOLDEN_PROMPTS)
def test_golden_prompt(task, write, records):
    record = {**records[11], "post_text": ["the plan has no debt ."]}
    loaded = load(task, data_files=str(write("test.json", [record])))
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 0)
    assert prompt == GOLDEN_PROMPTS[task] + CONTEXT


@pytest.mark.parametrize(
    ("task", "shots"),
    [
        ("finqa", ("The answer is: 0.36607", "The answer is: 0")),
        ("finqa_zeroshot", ("0.36607", "0")),
        (
            "finqa_program",
            (
                "Program: add(64, 41), add(#0, 7), divide(41, #1)",
                "Program: subtract(450, 450)",
            ),
        ),
    ],
)
def test_a_shot_shows_the_reference_as_the_prompt_asks(task, shots, own_files):
    loaded = load(task, **own_files)
    loaded.set_fewshot_seed(1)
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 4)
    for shot in shots:
        assert f"?\nAnswer: {shot}\n\n" in prompt


def test_shots_without_a_train_file_are_a_clear_error(test_file):
    loaded = load("finqa", data_files=test_file)
    loaded.set_fewshot_seed(1)
    with pytest.raises(DataError, match="few-shot split"):
        loaded.fewshot_context(loaded.eval_docs[0], 1)


def test_tags():
    index = manager().task_index
    assert "'finqa'" in str(index["tableqa"])
    assert "finqa_sample" in str(index["tableqa_sample"])
    assert "finqa_program" not in str(index["tableqa"])


def test_the_folder_works_as_a_copy(tmp_path):
    check_copy("finqa", "finqa_sample", tmp_path, 14)


@pytest.mark.parametrize("missing", ["tableqa_metrics", "lm_eval_tasks"])
def test_without_the_package_the_folder_says_what_to_install(missing, monkeypatch):
    check_missing_package("finqa", missing, monkeypatch)


# Equality with the released scorer, on its own files


def test_replay_of_the_released_predictions(shared, test_file, reference):
    official = reference("finqa_official_example_predictions.json")
    results, logged = evaluate(
        "finqa_program",
        shared / "data" / "finqa" / "example_predictions.json",
        {"data_files": test_file},
        missing="empty",
        bootstrap_iters=100,
    )
    assert len(logged) == 1147
    assert isinstance(results["prog_acc_stderr,none"], float)
    assert sum(sample["exe_acc"] for sample in logged.values()) == 735
    assert sum(sample["prog_acc"] for sample in logged.values()) == 722
    assert results["exe_acc,none"] == pytest.approx(735 / 1147, abs=1e-12)
    assert results["prog_acc,none"] == pytest.approx(722 / 1147, abs=1e-12)
    scores = {scores["id"]: scores for scores in official["per_example"]}
    assert len(scores) == 1050
    for name, sample in logged.items():
        if name in scores:
            expected = (scores[name]["exe_correct"], scores[name]["prog_correct"])
            assert (sample["exe_acc"], sample["prog_acc"]) == expected
            assert (sample["no_answer"], sample["off_format"]) == (None, "tokens")
        else:
            assert {sample[key] for key in SCORES} == {0.0}
            assert sample["no_answer"] == "empty"
    assert results["no_answer,none"] == 97 / 1147


@pytest.mark.parametrize("task", ["finqa", "finqa_zeroshot", "finqa_program"])
def test_every_reference_is_right(task, test_file):
    loaded = load(task, data_files=test_file)
    assert len(loaded.eval_docs) == 1147
    for document in loaded.eval_docs:
        target = loaded.doc_to_target(document)
        scores = loaded.process_results(document, [target])
        assert scores["exe_acc"] == scores["value_em"] == 1, target
        assert scores["recipe_em"] == scores["recipe_f1"] == 1, target
        assert scores["prog_acc"] == (1 if task == "finqa_program" else None), target
        assert scores["no_answer"] is scores["off_format"] is None, target


def test_every_reference_as_json_is_right(test_file):
    loaded = load("finqa", data_files=test_file)
    for document in loaded.eval_docs:
        response = json.dumps({"answer": gold(document)["exe_ans"], "scale": ""})
        scores = loaded.process_results(document, [response])
        assert scores["exe_acc"] == scores["value_em"] == 1, response
        assert scores["off_format"] == "json"


# What a document's scores hold


def one_record(write, task: str = "finqa", **fields: Any) -> Any:
    record = {
        "id": "r-1",
        "pre_text": ["in millions ."],
        "post_text": [],
        "table": [["", "2012", "2011"], ["net sales", "$ 509.9", "493.0"]],
        "qa": {
            "question": "what was the growth of net sales?",
            "program": "subtract(509.9, 493.0), divide(#0, 493.0)",
            "exe_ans": 0.03428,
            **fields,
        },
    }
    return load(task, data_files=str(write("one.json", [record])))


@pytest.mark.parametrize(
    ("response", "scores"),
    [
        # exe_acc, prog_acc, value_em, off_format
        ("The answer is: 0.03428", (1, None, 1, None)),
        ("The answer is: 3.428%", (1, None, 1, None)),
        ("The answer is: 3.4%", (0, None, 1, None)),
        ("The answer is: -3.428%", (0, None, 0, None)),
        ("The answer is: 3.428", (0, None, 0, None)),
        ("The answer is: 4%", (0, None, 0, None)),
        ('{"answer": 0.03428}', (1, None, 1, "json")),
        ("Program: subtract(509.9, 493.0), divide(#0, 493.0)", (1, 1, 1, "program")),
        ("divide(subtract(509.9, 493.0), 493.0)", (1, 1, 1, "program")),
        ('["divide(", "16.9", "493.0", ")", "EOF"]', (1, 0, 1, "program")),
        ("The answer is: divide(16.9, 493.0)", (1, 0, 1, "program")),
        # The answer is given, and a program beside it.
        (
            "subtract(509.9, 493.0), divide(#0, 493.0)\nThe answer is: 3%",
            (0, 1, 0, None),
        ),
    ],
)
def test_a_plain_answer(response, scores, write):
    loaded = one_record(write)
    result = loaded.process_results(loaded.eval_docs[0], [response])
    check_values(result, KEYS)
    keys = ("exe_acc", "prog_acc", "value_em", "off_format")
    assert tuple(result[key] for key in keys) == scores


@pytest.mark.parametrize(
    ("response", "scores"),
    [
        # exe_acc, prog_acc, no_answer, off_format
        ("Program: subtract(509.9, 493.0), divide(#0, 493.0)", (1, 1, None, None)),
        ("Program: divide(16.9, 493.0)", (1, 0, None, None)),
        ("So\nsubtract(509.9, 493.0), divide(#0, 493.0)", (1, 1, None, "calls")),
        ("Program: divide(509.9, 0)", (0, 0, None, None)),
        ("Program: table_max(gross sales, none)", (0, 0, None, None)),
        ("The answer is: 0.03428", (0, 0, "nothing_found", None)),
    ],
)
def test_a_program(response, scores, write):
    loaded = one_record(write, "finqa_program")
    result = loaded.process_results(loaded.eval_docs[0], [response])
    check_values(result, KEYS)
    keys = ("exe_acc", "prog_acc", "no_answer", "off_format")
    assert tuple(result[key] for key in keys) == scores


@pytest.mark.parametrize(
    ("response", "score"),
    [("yes", 1), ("Yes.", 1), ("The answer is: YES", 1), ("no", 0), ("1", 0)],
)
def test_yes_and_no(response, score, write):
    fields = {"program": "greater(509.9, 493.0)", "exe_ans": "yes"}
    loaded = one_record(write, **fields)
    result = loaded.process_results(loaded.eval_docs[0], [response])
    assert result["exe_acc"] == result["value_em"] == score


@pytest.mark.parametrize("task", ["finqa", "finqa_program"])
@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        ("<think>divide(16.9, 493.0) is 0.03428", "unfinished_thought"),
        ("So the answer is:", "nothing_found"),
    ],
)
def test_a_response_without_an_answer(task, response, reason, write):
    loaded = one_record(write, task)
    result = loaded.process_results(loaded.eval_docs[0], [response])
    check_values(result, KEYS)
    assert (result["no_answer"], result["off_format"]) == (reason, None)
    without = {
        key: None if key == "prog_acc" and task == "finqa" else 0 for key in SCORES
    }
    assert {key: result[key] for key in SCORES} == without


@pytest.mark.parametrize(
    ("task", "fields", "response"),
    [
        ("finqa", {"exe_ans": [1]}, "The answer is: 1"),
        ("finqa", {"exe_ans": [1]}, ""),
        ("finqa_program", {"exe_ans": {}}, "Program: add(1, 2)"),
        ("finqa_program", {"program": "divide(1, 0)"}, "Program: add(1, 2)"),
        ("finqa_program", {"program": "divide(1, 0)"}, ""),
        (
            "finqa_program",
            {"exe_ans": 0.5},
            "Program: divide(subtract(509.9, 493.0), 493.0)",
        ),
    ],
)
def test_a_malformed_reference_is_named(task, fields, response, write):
    """It is refused where it is loaded; a task of somebody's own may load another way."""
    with pytest.raises(DataError, match=r"item 1: FinQA record 'r-1': "):
        one_record(write, task, **fields)
    loaded = one_record(write, task)
    document = with_gold(loaded.eval_docs[0], **fields)
    with pytest.raises(ValueError, match="r-1"):
        loaded.process_results(document, [response])


def with_gold(document, **fields):
    return {**document, "gold": json.dumps({**gold(document), **fields})}


def test_a_broken_program_of_the_reference_does_not_stop_plain_answers(write):
    loaded = one_record(write)
    document = with_gold(loaded.eval_docs[0], program="divide(1, 0)")
    result = loaded.process_results(document, ["The answer is: 3.428%"])
    assert result["exe_acc"] == 1


# The embedded samples


def test_samples_cover_what_they_promise(records):
    assert len(records) >= 12
    programs = " ".join(record["qa"]["program"] for record in records)
    for operation in (
        *("add", "subtract", "multiply", "divide", "exp", "greater"),
        *("table_sum", "table_average", "table_max", "table_min"),
    ):
        assert f"{operation}(" in programs
    answers = [record["qa"]["exe_ans"] for record in records]
    assert {"yes", "no", 0.0} <= set(answers)
    assert any(isinstance(answer, float) and answer < 0 for answer in answers)
    assert "%" in programs
    assert "const_" in programs


def test_samples_have_the_fields_of_a_released_record(records, test_file):
    whole = max(json.loads(Path(test_file).read_text(encoding="utf-8")), key=len)
    fields = whole.keys() - {"_provenance"}
    for record in records:
        assert record.keys() == fields
        assert record["qa"].keys() == whole["qa"].keys()


def test_every_sample_answer_follows_from_its_program(records):
    for record in records:
        qa, table = record["qa"], record["table"]
        execution = finqa_execute(qa["program"], table)
        assert execution.valid
        assert execution.value == qa["exe_ans"]
        assert finqa_program_equal(qa["program"], qa["program"])
        sentences = [*record["pre_text"], *record["post_text"]]
        for name, words in qa["gold_inds"].items():
            kind, index = name.split("_")
            if kind == "text":
                assert sentences[int(index)] == words
            else:
                assert all(cell in words for cell in table[int(index)])


def test_samples_through_the_harness():
    responses = saved_responses("finqa")
    results, logged = evaluate(
        "finqa_sample", SAMPLES / "responses.jsonl", {}, bootstrap_iters=100
    )
    assert logged.keys() == responses.keys()
    wrong = {name for name, sample in logged.items() if not sample["exe_acc"]}
    assert wrong == {
        "OSTL/2014/page_63.pdf-1",  # the sign
        "HLVR/2018/page_52.pdf-1",  # the unit
        *("KSTL/2009/page_17.pdf-1", "ILMN/2011/page_34.pdf-1"),  # few digits
        *("DNMR/2004/page_9.pdf-1", "VLDH/2015/page_22.pdf-1"),  # no answer
    }
    few_digits = {name for name in wrong if logged[name]["value_em"]}
    assert few_digits == {"KSTL/2009/page_17.pdf-1", "ILMN/2011/page_34.pdf-1"}
    assert results["prog_acc,none"] == 1  # of one program
    assert results["prog_acc_stderr,none"] == "N/A"
    assert isinstance(results["exe_acc_stderr,none"], float)
    assert results["no_answer,none"] == 2 / 14


def test_without_any_program_there_is_no_program_accuracy():
    responses = SAMPLES / "responses.jsonl"
    results, logged = evaluate("finqa_sample", responses, {}, limit=3)
    assert len(logged) == 3
    assert results["prog_acc,none"] is None
