"""`local-completions` and `local-chat-completions` against a server that fails.

What a failing server costs is time, never an answer or the place of one; where the
harness gives up, the run ends in an error and leaves no figures behind.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from backends.openai_server import BROKEN, Fault, Faulty, Running, answer_to
from backends.runs import SAMPLE_TASKS, Run, run, tasks


pytestmark = pytest.mark.backends

LIMIT = 5
ALL = LIMIT * len(SAMPLE_TASKS)
# By the number of the request.
FAULTS: dict[int, Fault] = {2: "500", 5: "cut", 9: "half", 13: "drop", 14: "500"}
MODELS = ("local-completions", "local-chat-completions")


@pytest.fixture
def server() -> Iterator[Faulty]:
    running = Running()
    yield running.state
    running.stop()


def ask(
    server: Faulty, model: str, folder: Path, *flags: str, at_once: int, **args: Any
) -> Run:
    chat = model == "local-chat-completions"
    given = {
        "model": "tiny",
        "base_url": f"{server.address}/{'chat/' if chat else ''}completions",
        "tokenizer_backend": "none",
        "num_concurrent": at_once,
        **args,
    }
    model_args = ",".join(f"{name}={value}" for name, value in given.items())
    form = ["--apply_chat_template"] if chat else []
    return run(folder, model, model_args, *form, *flags)


def asked(prompt: Any) -> Any:
    """Return what a logged prompt stands for: itself, or the messages of a chat."""
    return prompt if isinstance(prompt, str) else json.loads(prompt[0])


@pytest.mark.parametrize("at_once", [1, 6])
@pytest.mark.parametrize("model", MODELS)
def test_each_answer_arrives_at_its_document(model, at_once, server, tmp_path, caplog):
    server.fault = lambda number, _: FAULTS.get(number)
    made = ask(server, model, tmp_path, *tasks(limit=LIMIT), at_once=at_once)
    assert len(server.bodies) == ALL + len(FAULTS)
    assert (server.most_at_once == 1) == (at_once == 1)
    assert server.most_at_once <= at_once
    for task in SAMPLE_TASKS:
        expected = [answer_to(asked(prompt)) for prompt in made.prompts(task)]
        assert len(set(expected)) == LIMIT
        assert made.responses(task) == expected
        assert [s["doc_id"] for s in made.samples[task]] == list(range(LIMIT))
        assert made.results["n-samples"][task]["effective"] == LIMIT
    assert caplog.text.count(BROKEN) == 2


@pytest.mark.parametrize("at_once", [1, 6])
@pytest.mark.parametrize("model", MODELS)
def test_a_server_that_stays_broken_ends_the_run(model, at_once, server, tmp_path):
    question = "Which films published after 1985"
    server.fault = lambda _, prompt: "500" if question in json.dumps(prompt) else None
    chosen = tasks(["tanq_sample"], limit=LIMIT)
    with pytest.raises(Exception, match="500.*completions") as error:
        ask(server, model, tmp_path, *chosen, at_once=at_once, max_retries=2)
    assert type(error.value).__name__ in ("HTTPError", "ClientResponseError")
    broken = [body for body in server.bodies if question in json.dumps(body)]
    assert len(broken) == 2
    assert list(tmp_path.rglob("*.json*")) == []


@pytest.mark.parametrize("at_once", [1, 6])
@pytest.mark.parametrize(
    ("model", "fault"),
    [
        ("local-completions", "null"),
        ("local-chat-completions", "null"),
        ("local-chat-completions", "no choices"),
    ],
)
def test_an_answer_without_content_is_counted(model, fault, at_once, server, tmp_path):
    """As after a thought that took all tokens, or where a filter stopped the answer."""
    question = json.dumps("What were total sales in 2021?")[1:-1]
    server.fault = lambda _, prompt: fault if question in json.dumps(prompt) else None
    chosen = tasks(["tatqa_sample"], limit=LIMIT)
    made = ask(server, model, tmp_path, *chosen, at_once=at_once)
    reasons = [sample["no_answer"] for sample in made.samples["tatqa_sample"]]
    assert reasons == ["empty", None, None, None, None]
    figures = made.results["results"]["tatqa_sample"]
    assert figures["no_answer,none"] == 1 / LIMIT


def test_a_chat_model_without_the_flag_is_told_which(server, tmp_path):
    with pytest.raises(AssertionError, match="--apply_chat_template"):
        run(
            tmp_path,
            "local-chat-completions",
            f"model=tiny,base_url={server.address}/chat/completions,max_retries=1",
            *tasks(["tatqa_sample"], limit=1),
        )
    assert server.bodies == []


@pytest.mark.parametrize("turns", ["true", "false"])
def test_what_a_chat_server_is_sent(turns, server, tmp_path):
    flags = [
        *("--num_fewshot", "1", "--fewshot_as_multiturn", turns),
        *("--system_instruction", "Be brief."),
    ]
    chosen = [*tasks(limit=2), *flags]
    ask(server, "local-chat-completions", tmp_path, *chosen, at_once=1)
    roles = ["system", "user", *(["assistant", "user"] if turns == "true" else [])]
    assert len(server.bodies) == 2 * len(SAMPLE_TASKS)
    for body in server.bodies:
        check_settings(body, "messages")
        assert [message["role"] for message in body["messages"]] == roles
        texts = [message["content"] for message in body["messages"]]
        assert [text.strip() for text in texts] == texts
        assert "" not in texts
        assert texts[0] == "Be brief."
        assert texts[-1].endswith("\nAnswer:")


def test_what_a_completions_server_is_sent(server, tmp_path):
    ask(server, "local-completions", tmp_path, *tasks(limit=2), at_once=1)
    assert len(server.bodies) == 2 * len(SAMPLE_TASKS)
    for body in server.bodies:
        check_settings(body, "prompt")
        assert body["prompt"] == body["prompt"].strip()
        assert body["prompt"].endswith("\nAnswer:")


def check_settings(body: dict[str, Any], prompt: str) -> None:
    """Check that nothing is sent but what each such server knows."""
    known = {"model", prompt, "max_tokens", "temperature", "stop", "seed"}
    assert body.keys() == known
    assert (body["max_tokens"], body["temperature"]) == (2048, 0)
    assert 1 <= len(body["stop"]) <= 4
    assert all(isinstance(stop, str) and stop.strip() for stop in body["stop"])
