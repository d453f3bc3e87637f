"""`local-completions` and `local-chat-completions` against `transformers serve`."""

import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from backends.processes import started
from backends.runs import SAMPLE_TASKS, Run, run, tasks
from backends.tiny_models import saying_model
from tasks.tat_runs import load


pytestmark = pytest.mark.backends

LONGEST = 16
SHORT = ["--gen_kwargs", f"max_gen_toks={LONGEST}"]
START = 120  # seconds


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve whichever checkpoint a request names."""
    port = free_port()
    output = tmp_path_factory.mktemp("server") / "output.txt"
    command = [
        *(sys.executable, "-m", "transformers.cli.transformers", "serve"),
        *("--device", "cpu", "--host", "127.0.0.1", "--port", str(port)),
    ]
    with started(command, output) as process:
        url = f"http://127.0.0.1:{port}"
        for _ in range(START):
            assert process.poll() is None, output.read_text(encoding="utf-8")
            try:
                with urllib.request.urlopen(f"{url}/health", timeout=5):
                    break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(1)
        else:
            pytest.fail(f"no answer within {START} s: {output.read_text()}")
        yield url


def completions(
    folder: Path, address: str, model: Path, as_text: str, *flags: str
) -> Run:
    return run(
        folder,
        "local-completions",
        f"model={model},base_url={address}/v1/completions,{as_text},num_concurrent=2",
        *flags,
    )


def chat(folder: Path, address: str, model: Path, *flags: str, **args: str) -> Run:
    return run(
        folder,
        "local-chat-completions",
        f"model={model},base_url={address}/v1/chat/completions,num_concurrent=2"
        + "".join(f",{name}={value}" for name, value in args.items()),
        "--apply_chat_template",
        *flags,
    )


def hf(folder: Path, model: Path, *flags: str) -> Run:
    return run(folder, "hf", f"pretrained={model}", "--device", "cpu", *flags)


def same_figures(served: Run, local: Run) -> None:
    for task in SAMPLE_TASKS:
        assert served.responses(task) == local.responses(task)
        assert len(set(local.responses(task))) == 5
        assert served.results["results"][task] == local.results["results"][task]


# The second needs no tokenizer, and so no transformers, beside the harness.
@pytest.mark.parametrize(
    "as_text", ["tokenized_requests=False", "tokenizer_backend=None"]
)
def test_completions_are_those_of_hf(as_text, address, random_model, tmp_path):
    chosen = [*tasks(limit=5), *SHORT]
    served = completions(tmp_path / "served", address, random_model, as_text, *chosen)
    same_figures(served, hf(tmp_path / "local", random_model, *chosen))


@pytest.mark.parametrize(
    "form", [[], ["--num_fewshot", "1", "--fewshot_as_multiturn", "true"]]
)
def test_chats_are_those_of_hf(form, address, random_model, tmp_path):
    chosen = [*tasks(limit=5), *SHORT, *form]
    served = chat(tmp_path / "served", address, random_model, *chosen)
    local = hf(tmp_path / "local", random_model, *chosen, "--apply_chat_template")
    same_figures(served, local)


@pytest.mark.parametrize("task", SAMPLE_TASKS)
def test_a_reasoning_model(task, address, tmp_path):
    loaded = load(task)
    right, wrong = (loaded.doc_to_target(loaded.eval_docs[i]) for i in (0, 1))
    thought = ["<think>", f"\n{wrong}\n", "</think>", "\n\n"]
    model = saying_model(tmp_path / "model", [*thought, right])
    chosen = tasks([task], limit=2)
    whole = chat(tmp_path / "whole", address, model, *chosen)
    assert whole.responses(task) == ["".join(thought) + right] * 2
    cut = chat(tmp_path / "cut", address, model, *chosen, think_end_token="</think>")
    assert cut.responses(task) == [right] * 2
    assert cut.results["results"] == whole.results["results"]
    first = whole.samples[task][0]
    assert first["value_f1" if task == "tanq_sample" else "value_em"] in (1, 100)
