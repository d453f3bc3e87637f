"""Prompts with examples and as chats; each task's plain prompt stands in its own test."""

from collections.abc import Mapping
from typing import Any

import pytest
from tasks.sweeps import DATA_FILES, SAMPLES
from tasks.tat_runs import load, manager


# A few-shot split for each benchmark: train for some, dev for the others.
FILES = {
    name: {
        split: files["test"] if isinstance(files, dict) else files for split in SPLITS
    }
    for SPLITS in [("test", "dev", "train")]
    for name, files in DATA_FILES.items()
}
# The prompts of TAT-LLM are those of its data: see `test_tat_llm.py`.
TASKS = sorted(
    task for task in manager().all_subtasks if not task.startswith("tatllm_")
)
SYSTEM = "Be brief."


def build(
    loaded: Any, monkeypatch: pytest.MonkeyPatch, shots: list[int], **form: Any
) -> Any:
    """Build the prompt of the first document, after examples of one's own choice."""
    documents = [loaded.eval_docs[place] for place in shots]
    monkeypatch.setattr(loaded.sampler, "sample", lambda *_, **__: documents)
    return loaded.fewshot_context(loaded.eval_docs[0], len(shots), **form)


def messages(loaded: Any, monkeypatch: pytest.MonkeyPatch, **form: Any) -> list[Any]:
    """Build the same as a chat, and return its messages."""
    return build(
        loaded,
        monkeypatch,
        apply_chat_template=True,
        chat_template=lambda chat, add_generation_prompt: chat,
        **form,
    )


def turns(*texts: str) -> list[Mapping[str, str]]:
    roles = ("user", "assistant")
    return [{"role": roles[i % 2], "content": text} for i, text in enumerate(texts)]


def test_the_tasks():
    assert set(TASKS) >= {*SAMPLES, "tanq_oracle", "tatqa_zeroshot", "finqa_program"}


@pytest.mark.parametrize("task", TASKS)
def test_examples_and_chats_are_made_of_plain_prompts(task, monkeypatch):
    loaded = load(task, data_files=FILES)
    plain, *shots = [loaded.doc_to_text(loaded.eval_docs[place]) for place in (0, 1, 2)]
    targets = [loaded.doc_to_target(loaded.eval_docs[place]) for place in (1, 2)]
    for text in (plain, *shots, *targets):
        assert text
        assert text == text.strip()
    # A table begins a line of its own, as a model writes it.
    gap = "\n" if task.startswith("tanq") else " "
    examples = "".join(
        f"{shot}{gap}{target}\n\n" for shot, target in zip(shots, targets, strict=True)
    )

    assert build(loaded, monkeypatch, []) == plain
    assert build(loaded, monkeypatch, [1, 2]) == examples + plain
    assert messages(loaded, monkeypatch, shots=[]) == turns(plain)
    assert messages(loaded, monkeypatch, shots=[1, 2]) == turns(examples + plain)
    several = [shots[0], targets[0], shots[1], targets[1], plain]
    told = {"system_instruction": SYSTEM, "fewshot_as_multiturn": True}
    assert messages(loaded, monkeypatch, shots=[1, 2], **told) == [
        {"role": "system", "content": SYSTEM},
        *turns(*several),
    ]


@pytest.mark.parametrize("task", TASKS)
def test_what_an_example_shows_is_right_and_in_the_form_of_the_prompt(task):
    loaded = load(task, data_files=FILES)
    for document in loaded.eval_docs:
        target = loaded.doc_to_target(document)
        scores = loaded.process_results(document, [target])
        assert scores["off_format"] is None, target
        keys = {"em", "em_gold_scale", "exe_acc", "rms_f1", "value_f1"} & scores.keys()
        assert keys
        if task.endswith("_zeroshot"):  # ... which does not ask for the scale
            keys.discard("em")
        assert {scores[key] for key in keys} <= {1, 100}, target


SHOWN = {
    "tanq_sample": """\
| entity | composer | publication date | genre |
| --- | --- | --- | --- |
| Salt Orchard | Odo Brannick, Lise Tarrow | 1987-09-04 | drama film, road movie |
| A Clock for Winter | Lise Tarrow | 1991-12-20 | Christmas film |
| Glass Meridian | Odo Brannick | 1996-05-17 | science fiction film, mystery film |""",
    "tatqa_sample": (
        "The answer is: $509.9 #### and its corresponding scale is: million"
    ),
    "tatdqa_sample": "The answer is: 120.1 #### and its corresponding scale is: million",
    "tatqa_zeroshot": "$509.9",
    "tatdqa_zeroshot": "120.1",
    "finqa_sample": "The answer is: -7.6",
    "finqa_zeroshot": "-7.6",
    "finqa_program": "Program: subtract(97.3, 104.9)",
}


@pytest.mark.parametrize("task", SHOWN)
def test_golden_answer_of_an_example(task):
    loaded = load(task, data_files=FILES)
    assert loaded.doc_to_target(loaded.eval_docs[0]) == SHOWN[task]
