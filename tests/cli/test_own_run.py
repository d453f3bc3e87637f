"""`tableqa run` leaves the harness's own tasks out of its index where none can be meant."""

import dataclasses
import json
import os
import re
import subprocess
import sys

import pytest
import yaml

from lm_eval_tasks import cli, own_run


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
    assert own_run.is_enough(tasks, OURS)


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
    assert not own_run.is_enough(tasks, OURS)


def test_our_groups_hold_only_our_tasks():
    groups = 0
    for path in OURS.glob("*/*.yaml"):
        text = path.read_text(encoding="utf-8")
        if text.startswith("group:"):
            groups += 1
            assert own_run.is_enough(yaml.safe_load(text)["task"], OURS)
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
    assert run("--tasks", "tanq_sample") == 0
    assert "|tanq_sample|" in capsys.readouterr().out
    assert managers == [False, False]  # to look whether it is enough, and the run's


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


@pytest.mark.parametrize("name", ["wandb_args", "trackio_args"])
def test_loggers_of_services_are_left_to_the_harness(name):
    given = {name: {"project": "mine"}}
    assert not own_run.is_understood(given.get)
    assert own_run.is_understood({}.get)


def test_a_setting_of_a_newer_harness_is_left_to_it(monkeypatch):
    from lm_eval.config import evaluate_config

    @dataclasses.dataclass
    class Newer(evaluate_config.EvaluatorConfig):
        new_setting: bool = False

    monkeypatch.setattr(evaluate_config, "EvaluatorConfig", Newer)
    assert not own_run.is_understood({}.get)


CONFIG = {
    "model": "dummy",
    "tasks": ["tanq_sample", "tatqa_sample"],
    "limit": 2,
    "metadata": {"thinking": True},
    "gen_kwargs": {"temperature": 0.5},
    "log_samples": True,
    "output_path": "out",
    "cache_requests": {"cache_requests": True},
}
ONE = ("--tasks", "tanq_sample", "--model", "dummy")


@pytest.mark.parametrize(
    "argv",
    [
        ONE,
        ("--tasks", "tanq_sample,tatqa_sample", "finqa_sample", "--model", "dummy"),
        ("--tasks", "tatqa_sample,tatqa_sample", "--model", "dummy"),
        ("--tasks", "tableqa_sample", "--model", "dummy", "--model_args", "a=1,b=x"),
        (*ONE, "--limit", "0.5", "--num_fewshot", "0", "--seed", "1,2,3,4"),
        (*ONE, "--seed", "None", "--batch_size", "auto", "--max_batch_size", "8"),
        (*ONE, "--log_samples", "--output_path", "out", "--write_out"),
        (*ONE, "--predict_only", "--output_path", "out", "--check_integrity"),
        (*ONE, "--samples", '{"tanq_sample": [0, 3]}', "--device", "cpu"),
        (*ONE, "--gen_kwargs", "temperature=0.5,do_sample=true", "--show_config"),
        (*ONE, "--system_instruction", "Be brief.", "--apply_chat_template"),
        (*ONE, "--apply_chat_template", "default", "--fewshot_as_multiturn"),
        (*ONE, "--metadata", '{"thinking": true}', "--use_cache", "cached"),
        (*ONE, "--trust_remote_code", "--confirm_run_unsafe_code"),
        ("--config", "run.yaml"),
        ("--config", "run.yaml", "--limit", "1", "--tasks", "finqa_sample"),
    ],
)
def test_the_harness_is_asked_for_the_same(
    argv, managers, tmp_path, monkeypatch, capsys
):
    """What `lm_eval run` and `tableqa run` ask of `simple_evaluate`, and then print."""
    import lm_eval

    (tmp_path / "run.yaml").write_text(yaml.safe_dump(CONFIG))
    monkeypatch.chdir(tmp_path)
    asked = []

    def record(**options):
        del options["task_manager"]
        tracker = vars(options.pop("evaluation_tracker"))
        tracker["general_config_tracker"] = None  # it holds the time of day
        asked.append((options, {k: v for k, v in tracker.items() if k != "api"}))

    monkeypatch.setattr(lm_eval, "simple_evaluate", record)
    assert [run_it(["run", *argv]) for run_it in (cli.main, without_ours)] == [0, 0]
    ours, theirs = asked
    assert ours == theirs
    assert managers.count(False) == 2  # both of `tableqa run`


def without_ours(argv):
    """`tableqa run` if it left the run to the harness."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_run, "is_enough", lambda tasks, folder: False)
        return cli.main(argv)


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
