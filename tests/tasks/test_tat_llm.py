"""The TAT-LLM tasks: its own prompts, its own scorer, and blind scores beside it.

Of its prompts only the end-to-end ones of FinQA's dev are at hand. The others are written
here, in the same schema.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from lm_eval import simple_evaluate
from tasks.tat_runs import (
    FOLDER,
    LINE,
    TAT_KEYS,
    check_missing_package,
    check_values,
    evaluate,
    gold,
    load,
    manager,
    prompts,
)

from lm_eval_tasks.errors import DataError
from lm_eval_tasks.replay import ReplayLM


KEYS = TAT_KEYS | {"tatllm_em", "tatllm_f1"}
STYLES = ("stepwise", "end_to_end")
TASKS = tuple(
    f"tatllm_{name}_{style}"
    for name in ("finqa", "tatqa", "tatdqa")
    for style in STYLES
)


@pytest.fixture(scope="module")
def finqa_prompts(shared) -> Path:
    return shared / "data" / "tatllm" / "sft_end_to_end_finqa_dataset_dev.json"


def prompt(question: str, heading: str = "Text") -> str:
    """Write a prompt with the headings of the released ones."""
    return (
        "### Instruction\n\nAnswer the question.\n\n\n\n"
        f"### {heading} \n\n1 {{braces}} and {{{{more}}}} stay.\n\n\n\n\n"
        f"### Question \n\n{question}\n\n\n\n### Response"
    )


def contexts(count: int) -> list[dict[str, Any]]:
    """Write contexts of TAT-QA, a question each, that ask for their own number."""
    return [
        {
            "table": {"uid": f"t{i}", "table": [["", "2019"], ["Sales", str(i)]]},
            "paragraphs": [],
            "questions": [
                {
                    "uid": f"q{i}",
                    "order": 1,
                    "question": f"How much was it in year {i}?",
                    "answer": i,
                    "derivation": str(i),
                    "answer_type": "arithmetic",
                    "answer_from": "table",
                    "rel_paragraphs": [],
                    "req_comparison": False,
                    "scale": "million",
                }
            ],
        }
        for i in range(1, count + 1)
    ]


def pages(count: int) -> list[dict[str, Any]]:
    """Write the same questions in the schema of TAT-DQA."""
    return [
        {
            "doc": {"uid": f"d{i}", "page": 1, "source": "a.pdf"},
            "questions": [
                {
                    **{k: v for k, v in question.items() if k not in ("answer_from",)},
                    "facts": [],
                    "block_mapping": [],
                }
                for question in context["questions"]
            ],
        }
        for i, context in enumerate(contexts(count), 1)
    ]


def records(count: int) -> list[dict[str, Any]]:
    """Write the same questions in FinQA's schema."""
    return [
        {
            "id": f"q{i}",
            "pre_text": [],
            "post_text": [],
            "table": [["", "2019"], ["sales", str(i)]],
            "qa": {
                "question": f"How much was it in year {i}?",
                "program": f"add({i}, 0)",
                "exe_ans": float(i),
            },
        }
        for i in range(1, count + 1)
    ]


GOLD: Mapping[str, Callable[[int], list[dict[str, Any]]]] = {
    "tatqa": contexts,
    "tatdqa": pages,
    "finqa": records,
}


@pytest.fixture
def own_files(write) -> Callable[[str], dict[str, Any]]:
    """Return the metadata of a task on questions that are written here."""

    def files(task: str, count: int = 12) -> dict[str, Any]:
        name = task.split("_")[1]
        asked = [
            {
                "id": f"q{i}",
                "user_prompt": prompt(f"How much was it in year {i}?"),
                "resp": f"The answer is: {i}"
                + ("" if name == "finqa" else LINE.format(i, "million")[-45:]),
            }
            for i in range(1, count + 1)
        ]
        gold_file = write(f"{task}_gold.json", GOLD[name](count))
        splits = {"test": asked[: count - 2], "dev": asked[count - 2 :]}
        return {
            "data_files": {
                split: {
                    "prompts": str(write(f"{task}_{split}.json", some)),
                    "gold": str(gold_file),
                }
                for split, some in splits.items()
            }
        }

    return files


# Prompts


@pytest.mark.parametrize("task", TASKS)
def test_each_task_asks_the_prompts_of_the_data_verbatim(task, own_files):
    built = prompts(load(task, **own_files(task)), 0)
    assert built == [prompt(f"How much was it in year {i}?") for i in range(1, 11)]


@pytest.mark.parametrize("task", TASKS)
def test_a_shot_shows_the_reply_of_the_data(task, own_files):
    built = prompts(load(task, **own_files(task)), 2)
    for text in built:
        assert text == text.strip()
        for i in (11, 12):
            assert (
                f"{prompt(f'How much was it in year {i}?')}\nThe answer is: {i}" in text
            )


def test_the_real_prompts_are_asked_verbatim(finqa_prompts):
    saved = json.loads(finqa_prompts.read_text(encoding="utf-8"))
    loaded = load("tatllm_finqa_end_to_end", data_files=str(finqa_prompts))
    assert prompts(loaded, 0) == [record["user_prompt"] for record in saved[:10]]
    assert all(d["question"] for d in loaded.eval_docs)


def test_group():
    text = (FOLDER / "tat_llm" / "tat_llm.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(text)["task"] == list(TASKS)
    index = manager().task_index
    assert {"tat_llm", *TASKS} < index.keys()
    assert "tatllm" not in str(index["tableqa"])


def test_the_group_runs_each_of_its_tasks_on_its_own_files(own_files, write):
    files = {task: own_files(task)["data_files"] for task in TASKS}
    responses = {
        task: write(
            f"{task}.jsonl",
            [
                {"id": f"q{i}", "response": STEPWISE[task.split("_")[1]]}
                for i in range(1, 11)
            ],
        )
        for task in TASKS
    }
    run = simple_evaluate(
        model=ReplayLM(responses=responses),
        tasks=["tat_llm"],
        task_manager=manager(data_files=files),
        bootstrap_iters=0,
    )
    assert run["results"].keys() >= set(TASKS)
    for task in TASKS:
        # Each replay answers 3, which is right for the third question.
        assert run["results"][task]["tatllm_em,none"] == 0.1
        assert run["results"][task]["em,none"] == 0.1


def test_prompts_without_gold_are_a_clear_error(write):
    asked = [{"id": "other", "user_prompt": prompt("How much?"), "resp": ""}]
    files = {
        "prompts": str(write("p.json", asked)),
        "gold": str(write("g.json", contexts(2))),
    }
    with pytest.raises(DataError, match="none of the 1 prompts"):
        load("tatllm_tatqa_stepwise", data_files={"test": files})


@pytest.mark.parametrize("missing", ["tableqa_metrics", "lm_eval_tasks"])
def test_without_the_package_the_folder_says_what_to_install(missing, monkeypatch):
    check_missing_package("tat_llm", missing, monkeypatch)


# Scores


@pytest.mark.parametrize("task", TASKS)
def test_the_reply_of_the_data_is_right(task, own_files):
    loaded = load(task, **own_files(task))
    for document in loaded.eval_docs:
        scores = loaded.process_results(document, [document["response"]])
        check_values(scores, KEYS)
        assert scores["tatllm_em"] == scores["em"] == scores["value_em"] == 1
        end_to_end = task.endswith("end_to_end")
        assert (scores["off_format"] is None) == end_to_end
    assert loaded.aggregation().keys() == KEYS


TABLE = "| step | output |\n{}\n\n"
STEPWISE = {
    "finqa": TABLE.format("| 1 | 5#2 |\n| 2 | 5 - 2 |\n| 3 | 3 |") + "The answer is: 3",
    "tatqa": TABLE.format(
        "| 1 | Arithmetic |\n| 2 | 5#2 |\n| 3 | 5 - 2 |\n| 4 | 3 |\n| 5 | million |"
    )
    + LINE.format("3", "million"),
}
STEPWISE["tatdqa"] = STEPWISE["tatqa"]


@pytest.mark.parametrize("name", STEPWISE)
def test_a_step_table_is_in_the_form_of_the_stepwise_prompts_only(name, own_files):
    for style in STYLES:
        task = f"tatllm_{name}_{style}"
        loaded = load(task, **own_files(task))
        scores = loaded.process_results(loaded.eval_docs[2], [STEPWISE[name]])
        assert scores["tatllm_em"] == scores["em"] == 1
        expected = None if style == "stepwise" else "step_table"
        assert scores["off_format"] == expected


@pytest.mark.parametrize("task", TASKS)
def test_why_the_scorer_that_reads_the_reference_is_never_primary(task, own_files):
    loaded = load(task, **own_files(task))
    document = loaded.eval_docs[2]  # 3
    scores = loaded.process_results(document, ["The answer is: 7, or -299, or 3 or 8"])
    assert (scores["tatllm_em"], scores["em"], scores["value_em"]) == (
        1 if "finqa" in task else 0,  # the scale is missing
        0,
        0,
    )
    wrong_sign = "The answer is: -3 #### and its corresponding scale is: million"
    scores = loaded.process_results(document, [wrong_sign])
    assert (scores["tatllm_em"], scores["value_em"]) == (1, 0)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    ("response", "reason"),
    [("", "empty"), ("<think>3", "unfinished_thought"), ("Answer:", "nothing_found")],
)
def test_a_response_without_an_answer(task, response, reason, own_files):
    loaded = load(task, **own_files(task))
    scores = loaded.process_results(loaded.eval_docs[0], [response])
    check_values(scores, KEYS)
    assert (scores["no_answer"], scores["off_format"]) == (reason, None)
    assert scores["em"] == scores["value_em"] == 0


# Real replies


def test_replaying_the_released_replies_to_finqa(finqa_prompts):
    results, logged = evaluate(
        "tatllm_finqa_end_to_end",
        finqa_prompts,
        {"data_files": str(finqa_prompts)},
        response_key="resp",
    )
    assert len(logged) == 848
    for key in ("tatllm_em", "tatllm_f1", "em", "f1", "value_em"):
        assert sum(sample[key] for sample in logged.values()) == 848
        assert results[f"{key},none"] == 1
    assert all(sample["off_format"] is None for sample in logged.values())
    assert results["no_answer,none"] == results["off_format,none"] == 0
    truths = {gold(sample["doc"])["answer"] for sample in logged.values()}
    assert {"True", "False"} < truths


@pytest.fixture(scope="module")
def real_replies(shared, tmp_path_factory) -> tuple[Path, dict[str, Any]]:
    """The 1,000 replies of TAT-LLM 7B, and files that ask their questions."""
    replies = shared / "data" / "tatllm" / "tatqa_responses_tat_llm_7b_fft.json"
    folder = tmp_path_factory.mktemp("tatllm")
    both = [
        context
        for name in ("dev", "test_gold")
        for context in json.loads(
            (shared / "data" / "tatqa" / f"tatqa_dataset_{name}.json").read_text(
                encoding="utf-8"
            )
        )
    ]
    asked = [
        {"id": row["uid"], "user_prompt": prompt(row["gold"]["question"]), "resp": ""}
        for row in json.loads(replies.read_text(encoding="utf-8"))
    ]
    files = {}
    for part, content in (("gold", both), ("prompts", asked)):
        files[part] = folder / f"{part}.json"
        files[part].write_text(json.dumps(content), encoding="utf-8")
    return replies, {
        "data_files": {"test": {part: str(path) for part, path in files.items()}}
    }


def test_replaying_the_replies_of_tatllm_7b(real_replies, reference):
    official = reference("tatllm_real_7b_tatqa_1000.json")
    results, logged = evaluate("tatllm_tatqa_stepwise", *real_replies, id_key="uid")
    assert len(logged) == len(official["per_example"]) == 1000
    for scores in official["per_example"]:
        sample = logged[scores["uid"]]
        assert (sample["tatllm_em"], sample["tatllm_f1"]) == (
            scores["em"],
            scores["f1"],
        )
    assert results["tatllm_em,none"] == pytest.approx(0.779, abs=1e-12)
    assert results["em,none"] >= 0.75
    assert results["off_format,none"] < 0.01
    # What each scorer alone calls right: they are different measures.
    pairs = Counter((s["tatllm_em"], s["em"]) for s in logged.values())
    assert pairs[1, 0] > pairs[0, 1]
