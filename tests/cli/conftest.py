"""What a test needs to run the real harness in its own process."""

import logging
from pathlib import Path

import pytest
from tiny_tasks import DOCS, write_jsonl, write_tasks


@pytest.fixture(scope="session")
def tasks(tmp_path_factory) -> Path:
    """The folder of tiny tasks."""
    return write_tasks(tmp_path_factory.mktemp("tasks"))


@pytest.fixture
def answers() -> dict[str, str]:
    """A response to each document, right but for the last, in another order."""
    responses = {doc["id"]: doc["answer"] for doc in reversed(DOCS)}
    return responses | {"no": "Bergen"}


@pytest.fixture
def responses(tmp_path, answers) -> Path:
    """The answers as JSONL."""
    return write_jsonl(
        tmp_path / "responses.jsonl",
        [{"id": key, "response": text} for key, text in answers.items()],
    )


@pytest.fixture
def log(caplog):
    """What our loggers say at info level, whether or not the harness has set them up."""
    harness = logging.getLogger("lm_eval")
    level, propagate = harness.level, harness.propagate
    harness.setLevel(logging.INFO)
    harness.propagate = False
    harness.addHandler(caplog.handler)
    yield caplog
    harness.removeHandler(caplog.handler)
    harness.setLevel(level)
    harness.propagate = propagate


@pytest.fixture
def evaluate(tasks):
    """Evaluate tiny tasks with the replay model in this process."""
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    import lm_eval_tasks.replay  # noqa: F401 (registers the model)

    manager = TaskManager(include_path=str(tasks), include_defaults=False)

    def run(task: str, model_args: dict, **options):
        return simple_evaluate(
            model="replay",
            model_args=model_args,
            tasks=task.split(","),
            task_manager=manager,
            bootstrap_iters=0,
            **options,
        )

    return run
