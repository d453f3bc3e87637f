"""The `tableqa` command itself: help, path, demo, exit statuses."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from once import made_once
from tiny_tasks import CHOICE, write_tasks

from lm_eval_tasks import cli
from lm_eval_tasks.demo import recorded_responses, run_demo


def tableqa(*argv, **options):
    return subprocess.run(
        [sys.executable, "-m", "lm_eval_tasks.cli", *argv],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    for command in ("run", "demo", "path", "data", "link", "unlink"):
        assert f"\n    {command} " in out
    assert "Exit status" in out


def test_version_says_what_figures_depend_on(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    ours, harness, data = capsys.readouterr().out.strip().split(", ")
    assert ours.startswith("lm-eval-tableqa ")
    assert (harness, data) == (
        f"lm-eval {version('lm-eval')}",
        f"datasets {version('datasets')}",
    )


def test_path_is_the_folder_of_the_tasks(capsys):
    assert cli.main(["path"]) == 0
    folder = Path(capsys.readouterr().out.removesuffix("\n"))
    assert folder.is_absolute()
    assert (folder / "tanq" / "tanq_sample.yaml").is_file()


@pytest.mark.parametrize("argv", [[], ["no-such-command"], ["path", "extra"]])
def test_wrong_usage(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(argv)
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("usage: tableqa")


def test_the_demo_evaluates_what_has_recorded_responses(tmp_path, capsys):
    folder = tmp_path / "my tasks"
    samples = folder / "capitals" / "samples"
    samples.mkdir(parents=True)
    write_tasks(folder / "capitals")
    yaml = folder / "capitals" / "capitals.yaml"
    yaml.write_text(yaml.read_text().replace("task: capitals", "task: capitals_sample"))
    saved = samples / "responses.jsonl"
    ids = ["fr", "it", "es", "pt", "no"]
    saved.write_text("".join(f'{{"id": "{i}", "response": "Rome"}}\n' for i in ids))
    (folder / "unanswered" / "samples").mkdir(parents=True)
    (folder / "unanswered" / "choices.yaml").write_text(CHOICE)

    assert recorded_responses(folder) == {"capitals_sample": saved}
    before = sorted(tmp_path.rglob("*"))
    run_demo(folder)
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if "capitals_sample" in line)
    assert "0.2" in row
    assert f"--model_args 'responses={saved}'" in out
    assert [p for p in sorted(tmp_path.rglob("*")) if "__pycache__" not in p.parts] == [
        p for p in before if "__pycache__" not in p.parts
    ]


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """What the real demo prints."""
    made = made_once(tmp_path_factory, "demo", show_demo)
    return (made / "printed").read_text(encoding="utf-8")


def show_demo(folder):
    """Run the demo in an empty folder, without network."""
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    done = tableqa("demo", cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == []
    (folder / "printed").write_text(done.stdout, encoding="utf-8")


def test_the_demo_shows_each_sample_task(demo):
    tasks = recorded_responses(cli.TASKS_DIR)
    assert "tanq_sample" in tasks
    for task in tasks:
        assert f"|{task}" in demo
    assert "rms_f1" in demo


@pytest.mark.harness
def test_the_command_that_the_demo_names_works(demo, tmp_path):
    commands = [s.strip() for s in demo.splitlines() if s.startswith("  tableqa run")]
    replay = commands[0].replace("tableqa", f"{sys.executable} -m lm_eval_tasks.cli", 1)
    done = subprocess.run(
        ["bash", "-c", replay],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown, ran = (
        {
            tuple(cell.strip() for cell in line.split("|")[5:8])
            for line in out.splitlines()
            if "|none " in line
        }
        for out in (demo, done.stdout)
    )
    assert ran
    assert ran <= shown
    assert len(list(tmp_path.glob("runs/responses/samples_*_sample_*.jsonl"))) == 1


def test_the_harness_knows_the_flags_that_the_demo_names(demo):
    from lm_eval._cli import HarnessCLI

    lines = [s.split() for s in demo.splitlines() if s.startswith("  tableqa run")]
    assert len(lines) == 2
    for line in lines:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", line)
            assert HarnessCLI().parse_args().tasks[0].endswith("_sample")
