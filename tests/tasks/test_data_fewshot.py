"""Few-shot examples through the harness's own task class."""

import pytest
from lm_eval.api.task import ConfigurableTask

from lm_eval_tasks.data import tatqa
from lm_eval_tasks.data.fewshot import FewShotSampler
from lm_eval_tasks.errors import DataError


def contexts(*names):
    return [
        {
            "table": {"uid": name, "table": [["a"]]},
            "paragraphs": [],
            "questions": [
                {
                    "uid": name,
                    "question": f"Question {name}?",
                    "answer": [name],
                    "answer_type": "span",
                    "scale": "",
                }
            ],
        }
        for name in names
    ]


def prompts(shots, **metadata):
    task = ConfigurableTask(
        config={
            "task": "trial",
            "custom_dataset": tatqa.load,
            "test_split": "test",
            "fewshot_split": "train",
            "fewshot_config": {"sampler": FewShotSampler},
            "doc_to_text": "{{question}}",
            "doc_to_target": "{{id}}",
            "output_type": "generate_until",
            "generation_kwargs": {"until": ["\n"]},
            "metric_list": [
                {
                    "metric": "exact_match",
                    "aggregation": "mean",
                    "higher_is_better": True,
                }
            ],
            "metadata": {"version": 1.0, "pretrained": "a model", **metadata},
        }
    )
    task.set_config("num_fewshot", shots)
    task.set_fewshot_seed(1)
    task.build_all_requests()
    return [instance.args[0] for instance in task.instances]


def test_examples_come_from_the_few_shot_split(write):
    files = {
        "train": str(write("train.json", contexts("a", "b"))),
        "test": str(write("test.json", contexts("x", "y"))),
    }
    first, second = prompts(2, data_files=files)
    assert first.endswith("Question x?")
    assert second.endswith("Question y?")
    for prompt in (first, second):
        assert {"Question a? a", "Question b? b"} <= set(prompt.split("\n\n"))


@pytest.mark.parametrize("there", [(), ("a",)])
def test_too_few_examples_are_a_clear_error(write, there):
    files = {"test": str(write("test.json", contexts("x")))}
    if there:
        files["train"] = str(write("train.json", contexts(*there)))
    with pytest.raises(
        DataError, match=rf"--num_fewshot 2, but .* {len(there)} records"
    ):
        prompts(2, data_files=files)
    assert prompts(0, data_files=files) == ["Question x?"]


def test_no_question_is_an_example_for_itself(write):
    files = {"train": str(write("train.json", contexts("a", "b")))}
    assert len(prompts(0, data_files=files, split="train")) == 2
    with pytest.raises(DataError, match="0 records"):
        prompts(1, data_files=files, split="train")


def test_one_file_for_test_and_examples_shows_no_prompt_its_own_answer(write, warned):
    file = str(write("both.json", contexts("a", "b", "c")))
    own = str(write("train.json", contexts("b", "x", "y", "z")))
    files = {"test": file, "train": own}
    built = prompts(3, data_files=files)
    assert len(built) == 3
    assert not any("Question b? b" in prompt for prompt in built)
    assert "left out 1 of 4 questions of the train split" in warned[-1]
    with pytest.raises(DataError, match="few-shot split of this task holds 0 records"):
        prompts(1, data_files={"test": file, "train": file})
    assert "left out 3 of 3 questions of the train split" in warned[-1]
