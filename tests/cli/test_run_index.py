"""`tableqa run` leaves the harness's own tasks out of its index where none can be meant."""

import json
import os
import re
import subprocess
import sys

import pytest
import yaml

from lm_eval_tasks import cli, own_index


OURS = cli.TASKS_DIR
# What differs between two runs of the same.
OF_THE_RUN = {"date", "start_time", "end_time", "total_evaluation_time_seconds"}


@pytest.mark.parametrize(
    "tasks",
    [
        "tanq_sample",
        "tanq",
        "tableqa",
        "tatqa,finqa_program",
        ["tatqa", "tat_llm,tableqa_sample"],
        ("tanq_open_book",),
    ],
)
def test_our_names_are_known_from_our_folder(tasks):
    assert own_index.is_enough(tasks, OURS)


@pytest.mark.parametrize(
    "tasks",
    [
        None,
        "",
        [],
        "list",
        "gsm8k",
        "tatqa,gsm8k",
        ["tatqa", "gsm8k"],
        "tanq_*",  # may mean tasks of the harness, too
        "tanq_sample,",
        str(OURS / "tanq" / "tanq_sample.yaml"),
        [{"task": "tanq_sample"}],
    ],
)
def test_other_names_need_the_whole_index(tasks):
    assert not own_index.is_enough(tasks, OURS)


def test_our_groups_hold_only_our_tasks():
    groups = 0
    for path in OURS.glob("*/*.yaml"):
        text = path.read_text(encoding="utf-8")
        if text.startswith("group:"):
            groups += 1
            assert own_index.is_enough(yaml.safe_load(text)["task"], OURS)
    assert groups == 2


@pytest.fixture
def managers(monkeypatch, tmp_path):
    """What the harness asked of each task manager that it made; none reads its tasks."""
    import lm_eval.evaluator  # it keeps the manager that it finds
    import lm_eval.tasks
    import lm_eval.utils

    from lm_eval_tasks import link as linking

    asked = []
    manager = lm_eval.tasks.TaskManager

    def record(include_defaults=True, **options):
        asked.append(include_defaults)
        return manager(include_defaults=False, **options)

    monkeypatch.setattr(lm_eval.tasks, "TaskManager", record)
    monkeypatch.setattr(lm_eval.utils, "setup_logging", lambda: None)
    monkeypatch.setattr(linking, "harness_folder", lambda: tmp_path)
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    return asked


def run(*argv):
    responses = OURS / "tanq" / "samples" / "responses.jsonl"
    model = ["--model", "replay", "--model_args", f"responses={responses}"]
    return cli.main(["run", *model, *map(str, argv)])


def test_a_run_of_ours_alone_asks_for_no_other(managers, capsys):
    import lm_eval.tasks

    before = lm_eval.tasks.TaskManager
    assert run("--tasks", "tanq_sample") == 0
    assert "|tanq_sample|" in capsys.readouterr().out
    assert managers == [False, False]  # to look whether it is enough, and the run's
    assert lm_eval.tasks.TaskManager is before


def test_linked_tasks_are_found_too(managers, tmp_path, capsys):
    from lm_eval_tasks import link as linking

    linking.link(OURS, tmp_path)
    assert run("--tasks", "tanq_sample") == 0
    assert "|tanq_sample|" in capsys.readouterr().out


@pytest.mark.parametrize("where", ["flag", "config"])
def test_a_folder_of_the_users_needs_the_whole_index(managers, where, tmp_path, capsys):
    """It may hold another task of that name, or a group with tasks of the harness."""
    theirs, config = tmp_path / "theirs", tmp_path / "run.yaml"
    theirs.mkdir()
    if where == "flag":
        status = run("--tasks", "tanq_sample", "--include_path", theirs)
    else:
        settings = {"tasks": ["tanq_sample"], "include_path": str(theirs)}
        config.write_text(yaml.safe_dump(settings))
        status = run("--config", config)
    assert status == 0
    assert "|tanq_sample|" in capsys.readouterr().out
    assert managers == [True]


def test_an_error_leaves_the_harness_as_it_was():
    import lm_eval.tasks

    before = lm_eval.tasks.TaskManager
    with pytest.raises(RuntimeError), own_index.only():
        assert lm_eval.tasks.TaskManager is not before
        raise RuntimeError
    assert lm_eval.tasks.TaskManager is before


@pytest.mark.harness
def test_scores_and_samples_are_those_of_a_run_with_the_whole_index(tmp_path):
    """In processes of their own, with nothing replaced, for a group and tags at once."""
    responses = tmp_path / "responses"
    responses.mkdir()
    for path in OURS.glob("*/samples/responses.jsonl"):
        name = f"{path.parents[1].name}_sample.jsonl"
        (responses / name).write_text(path.read_text(encoding="utf-8"))
    (tmp_path / "empty").mkdir()
    found = []
    for name, options in (("short", []), ("whole", ["--include_path", "empty"])):
        argv = ["run", "--model", "replay", "--model_args", f"responses={responses}"]
        argv += ["--tasks", "tableqa_sample", "--output_path", name, "--log_samples"]
        done = subprocess.run(
            [sys.executable, "-m", "lm_eval_tasks.cli", *argv, *options],
            cwd=tmp_path,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        (results,) = (tmp_path / name).rglob("results_*.json")
        logs = {
            path.name.rpartition("_")[0]: path.read_text()
            for path in (tmp_path / name).rglob("samples_*.jsonl")
        }
        assert len(logs) == 4
        # The harness writes a function of a configuration with its address.
        saved = json.loads(re.sub(" at 0x[0-9a-f]+>", ">", results.read_text()))
        assert len(saved["results"]) == 4
        table = done.stdout[done.stdout.index("|") :]
        kept = {key: value for key, value in saved.items() if key not in OF_THE_RUN}
        found.append((table, logs, kept))
    assert found[0] == found[1]
