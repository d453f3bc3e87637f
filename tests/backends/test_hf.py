"""`--model hf`, plain and as a chat, with and without thoughts."""

from pathlib import Path

import pytest
from backends.runs import SAMPLE_TASKS, Run, run, tasks
from backends.tiny_models import saying_model
from tasks.tat_runs import load


pytestmark = pytest.mark.backends

CHAT = "--apply_chat_template"
FORMS = {
    "plain": [],
    "chat": [CHAT],
    "shots": ["--num_fewshot", "2"],
    "chat with turns": [CHAT, "--num_fewshot", "2", "--fewshot_as_multiturn", "true"],
    "system": [CHAT, "--system_instruction", "Be brief."],
}
LONGEST = 16


def hf(folder: Path, model: Path, *flags: str, **model_args: object) -> Run:
    args = ",".join(f"{k}={v}" for k, v in {"pretrained": model, **model_args}.items())
    return run(folder, "hf", args, "--device", "cpu", *flags)


@pytest.fixture(scope="module")
def loaded(random_model):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return (
        AutoModelForCausalLM.from_pretrained(random_model),
        AutoTokenizer.from_pretrained(random_model),
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_run(form, random_model, loaded, tmp_path):
    chosen = [*tasks(limit=5), "--gen_kwargs", f"max_gen_toks={LONGEST}"]
    # Two at a time, so that prompts are sorted by length and padded.
    made = hf(tmp_path, random_model, *chosen, *FORMS[form], "--batch_size", "2")
    for name in SAMPLE_TASKS:
        prompts = made.prompts(name)
        check_prompts(form, load(name), made.samples[name], prompts, loaded[1])
        said = [answer(prompt, *loaded) for prompt in prompts]
        assert made.responses(name) == said
        assert len(set(said)) == 5


def answer(prompt, model, tokenizer) -> str:
    """Return what a model says to a prompt, without the harness."""
    encoded = tokenizer(prompt, return_tensors="pt")
    tokens = model.generate(**encoded, max_new_tokens=LONGEST, do_sample=False)
    new = tokens[0, encoded["input_ids"].shape[1] :]
    return tokenizer.decode(new, skip_special_tokens=True)


def check_prompts(form, task, samples, prompts, tokenizer) -> None:
    for sample, prompt in zip(samples, prompts, strict=True):
        text = task.doc_to_text(sample["doc"])
        if CHAT not in FORMS[form]:
            assert prompt.endswith(text)
            assert prompt == prompt.strip()
            assert prompt.count("\nAnswer:") == (3 if form == "shots" else 1)
            continue
        turn = tokenizer.apply_chat_template(
            [{"role": "user", "content": text}],
            tokenize=False,
            add_generation_prompt=True,
        )
        assert prompt.endswith(turn)
        turns = 3 if form == "chat with turns" else 1
        assert prompt.count("<|im_start|>user\nAnswer the") == turns
        assert prompt.count("<|im_start|>assistant\n") == turns
        system = prompt.startswith("<|im_start|>system\nBe brief.<|im_end|>")
        assert system == (form == "system")


def thought_and_answer(task: str) -> tuple[list[str], str]:
    """Return a thought with a wrong answer, and the right one to the first document."""
    loaded = load(task)
    first, other = loaded.eval_docs[0], loaded.eval_docs[1]
    wrong, right = loaded.doc_to_target(other), loaded.doc_to_target(first)
    return ["<think>", f"\nMaybe\n\n{wrong}\n\nor not.\n", "</think>", "\n\n"], right


@pytest.mark.parametrize("form", ["plain", "chat"])
@pytest.mark.parametrize("task", SAMPLE_TASKS)
def test_a_reasoning_model(task, form, tmp_path):
    thought, right = thought_and_answer(task)
    model = saying_model(tmp_path / "model", [*thought, right])
    # No --gen_kwargs: the model ends by itself within what the task lets it write.
    chosen = [*tasks([task], limit=3), *FORMS[form]]
    whole = hf(tmp_path / "whole", model, *chosen)
    cut = hf(tmp_path / "cut", model, *chosen, think_end_token="</think>")
    assert whole.responses(task) == ["".join(thought) + right] * 3
    assert cut.responses(task) == [right] * 3

    loaded = load(task)
    for thinking, answering in zip(whole.samples[task], cut.samples[task], strict=True):
        scores = loaded.process_results(thinking["doc"], [right])
        assert scores == {key: thinking[key] for key in scores}
        assert scores == {key: answering[key] for key in scores}
    first = whole.samples[task][0]
    assert first["value_f1" if task == "tanq_sample" else "value_em"] in (1, 100)
    assert whole.results["results"] == cut.results["results"]


def test_a_thought_in_special_tokens_is_cut_by_their_id(tmp_path):
    """Decoding drops special tokens: the harness needs the number of the last one."""
    from transformers import AutoTokenizer

    thought, right = thought_and_answer("tatqa_sample")
    model = saying_model(
        tmp_path / "model", [*thought, right], special=["<think>", "</think>"]
    )
    end = AutoTokenizer.from_pretrained(model).convert_tokens_to_ids("</think>")
    chosen = tasks(["tatqa_sample"], limit=1)
    by_id = hf(tmp_path / "id", model, *chosen, think_end_token=end)
    assert by_id.responses("tatqa_sample") == [right]
    by_text = hf(tmp_path / "text", model, *chosen, think_end_token="</think>")
    merged = thought[1] + thought[3] + right
    assert by_text.responses("tatqa_sample") == [merged.lstrip()]


def test_a_thought_that_does_not_end_is_no_answer(tmp_path):
    thought, _ = thought_and_answer("tatqa_sample")
    model = saying_model(tmp_path / "model", thought[:2])
    made = hf(tmp_path / "run", model, *tasks(["tatqa_sample"], limit=2))
    assert {s["no_answer"] for s in made.samples["tatqa_sample"]} == {
        "unfinished_thought"
    }
    assert made.results["results"]["tatqa_sample"]["no_answer,none"] == 1
