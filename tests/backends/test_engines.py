"""`--model vllm` and `--model sglang`: the harness's classes, on stand-ins for a GPU's."""

import importlib
from collections.abc import Iterator

import pytest
from backends import engines
from backends.runs import SAMPLE_TASKS, run, tasks
from backends.tiny_models import saying_model
from tasks.tat_runs import load
from tasks.test_yaml import FILES, read


pytestmark = pytest.mark.backends

# Beside `pretrained`, as in the README.
MODELS = {
    "vllm": "tensor_parallel_size=1,gpu_memory_utilization=0.9,max_model_len=16384",
    "sglang": "tp_size=1,mem_fraction_static=0.8,max_model_len=16384",
}
THINKING = {
    "vllm": "think_end_token=</think>,enable_thinking=True",
    "sglang": "think_end_token=</think>",
}
SETTINGS = {
    f"{path.parent.name}/{path.name}": read(path)["generation_kwargs"]
    for path in FILES
    if "generation_kwargs" in read(path)
}


@pytest.fixture(autouse=True, scope="module")
def stand_ins() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        engines.install(patch)
        yield


def test_each_benchmark_has_settings():
    folders = {name.split("/")[0] for name in SETTINGS}
    assert folders >= {"tanq", "tatqa", "tatdqa", "finqa", "tat_llm"}


@pytest.mark.parametrize("name", SETTINGS)
def test_generation_arguments(name):
    given = SETTINGS[name]
    vllm = importlib.import_module("lm_eval.models.vllm_causallms").VLLM
    rest, until, longest = vllm.modify_gen_kwargs(given, eos="</s>")
    made = engines.SamplingParams(max_tokens=longest, stop=until, **rest).given
    assert (made["temperature"], longest) == (0, given["max_gen_toks"])
    assert made["stop"] == [*given["until"], "</s>"]

    sglang = importlib.import_module("lm_eval.models.sglang_causallms").SGLangLM
    rest = {k: v for k, v in given.items() if k not in ("until", "max_gen_toks")}
    rest = sglang.modify_gen_kwargs(rest)
    made = {**rest, "max_new_tokens": longest, "stop": until}
    engines.check_parameters(made, engines.SGLANG_FIELDS, "max_new_tokens")
    assert made["temperature"] == 0


@pytest.mark.parametrize(
    "wrong", [{"until": [""]}, {"max_gen_toks": 0}, {"do_smaple": False}]
)
def test_the_stand_ins_refuse(wrong):
    given = {"until": ["x"], "max_gen_toks": 5, "do_sample": False, **wrong}
    vllm = importlib.import_module("lm_eval.models.vllm_causallms").VLLM
    rest, until, longest = vllm.modify_gen_kwargs(given, eos="</s>")
    with pytest.raises((TypeError, ValueError)):
        engines.SamplingParams(max_tokens=longest, stop=until, **rest)


@pytest.mark.parametrize("form", [[], ["--apply_chat_template"]])
@pytest.mark.parametrize("model", MODELS)
def test_a_run(model, form, random_model, tmp_path):
    chosen = [*tasks(limit=3), *form, "--gen_kwargs", "max_gen_toks=8"]
    args = f"pretrained={random_model},dtype=auto"
    # All prompts are handed to the engine at once.
    flags = [*chosen, "--batch_size", "auto"]
    made = run(tmp_path / model, model, f"{args},{MODELS[model]}", *flags)
    local = run(tmp_path / "hf", "hf", args, "--device", "cpu", *chosen)
    for task in SAMPLE_TASKS:
        assert made.prompts(task) == local.prompts(task)
        assert made.responses(task) == local.responses(task)
        assert len(set(made.responses(task))) == 3
        assert made.results["results"][task] == local.results["results"][task]


@pytest.mark.parametrize("model", MODELS)
def test_a_reasoning_model(model, tmp_path):
    task = load("tatqa_sample")
    right, wrong = (task.doc_to_target(task.eval_docs[i]) for i in (0, 1))
    thought = ["<think>", f"\n{wrong}\n", "</think>", "\n\n"]
    path = saying_model(tmp_path / "model", [*thought, right])
    chosen = [*tasks(["tatqa_sample"], limit=2), "--apply_chat_template"]
    args = f"pretrained={path}"
    whole = run(tmp_path / "whole", model, args, *chosen)
    assert whole.responses("tatqa_sample") == ["".join(thought) + right] * 2
    cut = run(tmp_path / "cut", model, f"{args},{THINKING[model]}", *chosen)
    assert cut.responses("tatqa_sample") == [right] * 2
    assert cut.results["results"] == whole.results["results"]
    assert whole.samples["tatqa_sample"][0]["value_em"] == 1
