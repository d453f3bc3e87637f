"""How commands end: a reader that has gone, Ctrl-C, errors; what their help says of it."""

import os
import re
import signal
import subprocess
import sys

import pytest

from lm_eval_tasks import cli, demo, link
from lm_eval_tasks.data import status
from lm_eval_tasks.errors import DataError
from tableqa_metrics.command_line import exit_status


SAMPLES = cli.TASKS_DIR / "tatqa" / "samples"
RUN = ["run", "--tasks", "tatqa_sample", "--model", "replay", "--model_args"]
RUN += [f"responses={SAMPLES / 'responses.jsonl'}"]
SCORE = ["score", "tatqa", "--references", str(SAMPLES / "records.json")]
SCORE += ["--predictions", str(SAMPLES / "responses.jsonl")]


@pytest.fixture(autouse=True)
def no_handler(monkeypatch):
    """Keep the harness from a handler that outlives the stream of a captured test."""
    import lm_eval.utils

    monkeypatch.setattr(lm_eval.utils, "setup_logging", lambda: None)


def without_a_reader(argv, buffered=True):
    """Run a command whose stdout nobody reads."""
    read, written = os.pipe()
    os.close(read)
    env = {**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"}
    done = subprocess.run(
        [sys.executable, "-m", "lm_eval_tasks.cli", *argv],
        stdout=written,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**env, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"},
    )
    os.close(written)
    return done


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize(
    "argv",
    [
        *[["--help"], ["run", "--help"], ["score", "--help"], ["report", "--help"]],
        *[["data", "--help"], ["path"], ["data"], ["data", "tanq"]],
        *[["link", "--status"], SCORE],
    ],
    ids=lambda argv: " ".join(argv[:2]),
)
def test_a_reader_that_has_gone_gets_no_traceback(argv, buffered):
    """As `| head -1` goes, once it has its line."""
    done = without_a_reader(argv, buffered)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.harness
def test_nor_does_it_of_a_run():
    done = without_a_reader(RUN)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_the_pipe_of_another_is_no_reader_that_has_gone():
    def broken():
        raise BrokenPipeError(32, "of a server")

    with open(os.devnull, "w") as stdout, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stdout)
        with pytest.raises(BrokenPipeError, match="of a server"):
            exit_status(broken, errors=(OSError,))


PLACES = {
    "demo": (demo, "run_demo"),
    "data": (status, "overview"),
    "link": (link, "link"),
    "unlink": (link, "unlink"),
}


@pytest.mark.parametrize("command", PLACES)
def test_ctrl_c_is_one_line(command, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(link, "harness_folder", lambda: tmp_path)
    monkeypatch.setattr(
        *PLACES[command], lambda *_, **__: signal.raise_signal(signal.SIGINT)
    )
    assert cli.main([command]) == 130
    assert capsys.readouterr().err == "tableqa: interrupted\n"


def test_ctrl_c_in_a_run(monkeypatch, capsys):
    from lm_eval_tasks import own_run

    def execute(*_):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(own_run, "evaluate", execute)
    assert cli.main(RUN) == 130
    assert capsys.readouterr().err.endswith("tableqa: interrupted\n")


def test_what_the_harness_raises_in_a_run_is_its_own(monkeypatch):
    from lm_eval_tasks import own_run

    def execute(*_):
        raise FileNotFoundError(2, "of the harness", "a/file")

    monkeypatch.setattr(own_run, "evaluate", execute)
    with pytest.raises(FileNotFoundError, match="of the harness"):
        cli.main(RUN)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DataError("two\nlines"), "two lines"),
        (
            PermissionError(13, "Permission denied", "a/cache"),
            "a/cache: Permission denied",
        ),
        (OSError("no space"), "no space"),
    ],
)
def test_an_error_is_one_line(error, said, monkeypatch, capsys):
    def fails(*_):
        raise error

    monkeypatch.setattr(status, "overview", fails)
    assert cli.main(["data"]) == 1
    assert capsys.readouterr().err == f"tableqa: error: {said}\n"


COMMANDS = ("score", "report", "demo", "path", "data", "link", "unlink")


@pytest.mark.parametrize("command", [*COMMANDS, ""])
def test_help_has_an_example_and_the_exit_statuses(command, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main([*command.split(), "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    examples, statuses = re.split("exit status", out, flags=re.IGNORECASE)[-2:]
    assert re.search(rf"examples?:\n  .*tableqa {command}", examples, re.IGNORECASE)
    for number in (0, 1, 2, 130):
        assert re.search(rf"(^|\W){number} \w", statuses)


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_usage_is_2(command, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main([command, "--no-such-flag"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("usage: tableqa")
