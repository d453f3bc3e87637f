"""What a test needs to run the real harness, or `tableqa score`, in its own process."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Page, chromium, watched
from numbered_report import FEW, MANY, report_of
from report_logs import groups_of, write_two_models
from score_cases import GOLDS, QUESTIONS, Outcome, contexts
from tiny_tasks import DOCS, write_jsonl, write_tasks

from lm_eval_tasks import cli
from tableqa_metrics.report.groups import Group
from tableqa_metrics.report.page import html_report


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One Chromium for all tests of a process."""
    with chromium(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="session")
def groups(tmp_path_factory) -> dict[str, Group]:
    """Two models on the samples of TANQ and of TAT-QA."""
    folder = tmp_path_factory.mktemp("runs")
    write_two_models(folder)
    return {group.name: group for group in groups_of(folder)}


@pytest.fixture(scope="session")
def report(groups, tmp_path_factory) -> Path:
    """The report of those groups."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_report(list(groups.values())), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def numbered(tmp_path_factory) -> dict[int, Path]:
    """Reports whose questions are numbered, by how many there are."""
    folder = tmp_path_factory.mktemp("numbered")
    return {n: report_of(n, folder / f"{n}.html") for n in (1, FEW, MANY)}


@pytest.fixture
def page(browser, report) -> Iterator[Page]:
    """The report of two models, in the browser."""
    with watched(browser, report) as page:
        yield page


@pytest.fixture
def few(browser, numbered) -> Iterator[Page]:
    """A report of numbered questions, in the browser."""
    with watched(browser, numbered[FEW]) as page:
        yield page


@pytest.fixture
def many(browser, numbered) -> Iterator[Page]:
    """A report of very many numbered questions, in the browser."""
    with watched(browser, numbered[MANY]) as page:
        yield page


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


@pytest.fixture
def score(tmp_path, capsys):
    """Run `tableqa score` and return its status, its JSON (if any), and what it said."""

    def run(benchmark, references, *predictions, options=(), output="out.json"):
        path = tmp_path / output
        path.unlink(missing_ok=True)
        listed = references if isinstance(references, list) else [references]
        argv = ["score", benchmark, "--references", *map(str, listed)]
        argv += ["--predictions", *map(str, predictions), "--output", str(path)]
        status = cli.main([*argv, *map(str, options)])
        said = capsys.readouterr()
        assert path.exists() == (status == 0)
        assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
        content = json.loads(path.read_text()) if status == 0 else None
        return Outcome(status, content, said.out, said.err)

    return run


@pytest.fixture
def write(tmp_path):
    def to(name, content):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif name.endswith(".jsonl"):
            path.write_text("".join(json.dumps(row) + "\n" for row in content))
        else:
            path.write_text(json.dumps(content))
        return path

    return to


@pytest.fixture
def references(write):
    return write("references.json", contexts(*QUESTIONS))


@pytest.fixture
def predictions(write):
    return write("predictions.json", GOLDS)
