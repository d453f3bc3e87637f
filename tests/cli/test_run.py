"""`tableqa run`: lm_eval run, with our tasks and the replay model."""

import functools
import json
import os
import subprocess
import sys

import pytest
import yaml
from tiny_tasks import write_jsonl, write_tasks

from lm_eval_tasks import cli, link as linking


OURS = str(cli.TASKS_DIR)


@pytest.fixture(autouse=True)
def no_handler(monkeypatch):
    """Keep the harness from a handler that outlives the stream of a captured test."""
    import lm_eval.utils

    monkeypatch.setattr(lm_eval.utils, "setup_logging", lambda: None)


@pytest.fixture(autouse=True)
def harness(monkeypatch, tmp_path):
    """Where `tableqa link` would write, were it called: no test depends on a real link."""
    monkeypatch.setattr(linking, "harness_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def own_index(monkeypatch):
    """Leave the harness's 13,000 files out of its index; all else is `lm_eval run`."""
    import lm_eval.tasks

    manager = functools.partial(lm_eval.tasks.TaskManager, include_defaults=False)
    monkeypatch.setattr(lm_eval.tasks, "TaskManager", manager)
    monkeypatch.setattr(sys, "argv", ["tableqa"])
    # The harness sets these for the whole process.
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")


def parsed(*argv, config=None):
    """The configuration that the harness runs with."""
    from lm_eval._cli import HarnessCLI
    from lm_eval.config.evaluate_config import EvaluatorConfig

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["lm-eval", "run", *argv])
        args = HarnessCLI().parse_args()
        cli._add_ours(args, argv)
        return EvaluatorConfig.from_cli(args)


def test_our_folder_is_included():
    assert parsed("--tasks", "x").include_path == [OURS]


def test_linked_tasks_are_not_included_twice(harness):
    linking.link(cli.TASKS_DIR, harness)
    assert not parsed("--tasks", "x").include_path
    assert parsed("--tasks", "x", "--include_path", "a").include_path == ["a"]
    (harness / linking.FOLDER / "tanq.yaml").unlink()
    assert parsed("--tasks", "x").include_path == [OURS]


@pytest.mark.parametrize(
    ("argv", "theirs"),
    [
        (["--include_path", "a"], ["a"]),
        (["--include_path=a"], ["a"]),
        (["--include_path", "a", "--tasks", "x", "--include_path", "b"], ["a", "b"]),
        (["--incl", "a"], ["a"]),
        (["--include_path", OURS], []),
    ],
)
def test_the_users_folders_are_kept_and_win(argv, theirs):
    assert parsed("--tasks", "x", *argv).include_path == [OURS, *theirs]


@pytest.mark.parametrize(
    ("in_config", "argv", "theirs"),
    [
        ("a", [], ["a"]),
        (["a", "b"], [], ["a", "b"]),
        ("a", ["--include_path", "b"], ["b"]),
        (None, [], []),
    ],
)
def test_the_folders_of_a_config_file_are_kept(tmp_path, in_config, argv, theirs):
    config = tmp_path / "run.yaml"
    config.write_text(yaml.safe_dump({"tasks": ["x"], "include_path": in_config}))
    for flag in ("--config", "-C"):
        assert parsed(flag, str(config), *argv).include_path == [OURS, *theirs]


def test_every_other_flag_is_kept(tmp_path):
    """With and without ours, all else is the same configuration."""
    from dataclasses import asdict

    from lm_eval._cli import HarnessCLI
    from lm_eval.config.evaluate_config import EvaluatorConfig

    argv = [
        *(
            "--model",
            "dummy",
            "--model_args",
            "pretrained=x,n=1",
            "--tasks",
            "a,b",
            "c",
        ),
        *("--num_fewshot", "3", "--limit", "0.5", "--batch_size", "auto:4"),
        *("--gen_kwargs", "temperature=0.8", "top_p=0.9", "--seed", "1,2,3,4"),
        *("--output_path", str(tmp_path), "-s", "-x", "-w", "--show_config"),
        *("--apply_chat_template", "--fewshot_as_multiturn", "true"),
        *("--system_instruction", "Be brief.", "--use_cache", "db"),
        *("--metadata", '{"data_dir": "d"}', "--trust_remote_code"),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["lm-eval", "run", *argv])
        plain = asdict(EvaluatorConfig.from_cli(HarnessCLI().parse_args()))
    ours = asdict(parsed(*argv))
    assert ours.pop("include_path") == [OURS]
    assert plain.pop("include_path") is None
    assert ours == plain


@pytest.mark.parametrize("given", [[], ["model=mine"], ["missing=empty"]])
def test_the_replay_model_is_named_after_its_file(tmp_path, responses, given):
    model_args = [f"responses={responses}", *given]
    name = "mine" if "model=mine" in given else "responses"
    argv = ["--model", "replay", "--tasks", "x", "--model_args", *model_args]
    args = parsed(*argv).model_args
    assert args["model"] == name
    assert args["responses"] == str(responses)
    assert ("missing" in args) == ("missing=empty" in given)

    for saved in (",".join(model_args), args | {"model": name}):
        config = tmp_path / "run.yaml"
        config.write_text(
            yaml.safe_dump({"model": "replay", "tasks": ["x"], "model_args": saved})
        )
        assert parsed("--config", str(config)).model_args == args


def test_a_file_for_each_task_may_be_named_in_json(responses):
    files = {"tatqa": str(responses), "tatdqa": str(responses)}
    argv = ["--model", "replay", "--tasks", "x", "--model_args"]
    args = parsed(*argv, json.dumps({"responses": files})).model_args
    assert args == {"responses": files, "model": "replay"}


def test_another_models_arguments_are_left_alone():
    argv = ["--model", "dummy", "--tasks", "x", "--model_args", "responses=a.json"]
    assert parsed(*argv).model_args == {"responses": "a.json"}


def test_a_run_end_to_end(own_index, tasks, tmp_path, responses, capsys):
    out = tmp_path / "out"
    status = cli.main(
        [
            *("run", "--model", "replay", "--model_args", f"responses={responses}"),
            *("--include_path", str(tasks), "--tasks", "capitals"),
            *("--output_path", str(out), "--log_samples"),
        ]
    )
    assert status == 0
    assert "|capitals|" in capsys.readouterr().out
    assert sys.argv == ["tableqa"]
    (results,) = (out / "responses").glob("results_*.json")
    saved = json.loads(results.read_text())
    assert saved["results"]["capitals"]["exact,all"] == 0.8
    assert saved["model_name"] == "responses"
    (log,) = (out / "responses").glob("samples_capitals_*.jsonl")
    assert len(log.read_text().splitlines()) == 5

    again = ["run", "--model", "replay", "--model_args", f"responses={out}"]
    assert cli.main([*again, "--include_path", str(tasks), "--tasks", "capitals"]) == 0
    assert "0.8" in capsys.readouterr().out


def test_our_tasks_are_known(own_index, capsys, tmp_path):
    with pytest.raises(ValueError, match="Tasks not found: no_such_task"):
        cli.main(["run", "--model", "dummy", "--tasks", "tanq_sample,no_such_task"])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--model_args", "missing=empty"], "--model_args responses=PATH"),
        (["--model_args", "responses=nope.json"], "nope.json: there is no such file"),
        (["--model_args", "responses=x", "--use_cache", "db"], "--use_cache"),
    ],
)
def test_what_the_user_can_put_right_is_one_line(
    own_index, tasks, capsys, argv, message
):
    run = ["run", "--model", "replay", "--tasks", "capitals"]
    assert cli.main([*run, "--include_path", str(tasks), *argv]) == 1
    (line,) = [s for s in capsys.readouterr().err.splitlines() if "tableqa: " in s]
    assert message in line


def test_an_error_of_a_tasks_data_is_one_line(own_index, tmp_path, capsys):
    write_tasks(tmp_path)
    (tmp_path / "utils.py").write_text(
        "from lm_eval_tasks.errors import DataError\n\n\n"
        "def load(**metadata):\n    raise DataError('data.json: fetch it by hand')\n\n\n"
        "def process_results(doc, results): ...\n"
    )
    run = ["run", "--model", "dummy", "--include_path", str(tmp_path)]
    assert cli.main([*run, "--tasks", "capitals"]) == 1
    err = capsys.readouterr().err
    assert "tableqa: error: data.json: fetch it by hand\n" in err
    assert "Traceback" not in err


def test_a_cache_named_in_a_config_file_is_refused(tmp_path, capsys):
    config = tmp_path / "run.yaml"
    settings = {"model": "replay", "tasks": ["x"], "use_cache": "db"}
    config.write_text(yaml.safe_dump(settings))
    assert cli.main(["run", "--config", str(config)]) == 1
    assert "--use_cache" in capsys.readouterr().err


def test_wrong_flags_are_the_harnesss_to_report(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", "--no_such_flag"])
    assert stop.value.code == 2
    assert "--no_such_flag" in capsys.readouterr().err


def test_run_alone_and_its_help_are_the_harnesss(capsys):
    for argv in (["run"], ["run", "--help"]):
        with pytest.raises(SystemExit) as stop:
            cli.main(argv)
        assert stop.value.code == 0
        assert "--include_path" in capsys.readouterr().out


@pytest.mark.harness
def test_the_installed_command(tasks, tmp_path, answers):
    """Nothing patched: the whole index, a config file, another folder to run in."""
    folder = tmp_path / "saved"
    folder.mkdir()
    rows = [{"id": key, "response": text} for key, text in answers.items()]
    write_jsonl(folder / "capitals.jsonl", rows)
    config = {
        "model": "replay",
        "model_args": {"responses": str(folder), "missing": "empty"},
        "include_path": str(tasks),
        "tasks": ["capitals"],
        "log_samples": True,
        "apply_chat_template": True,
        "output_path": "out",
    }
    (tmp_path / "run.yaml").write_text(yaml.safe_dump(config))
    done = subprocess.run(
        [sys.executable, "-m", "lm_eval_tasks.cli", "run", "-C", "run.yaml"],
        cwd=tmp_path,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (results,) = (tmp_path / "out" / "saved").glob("results_*.json")
    saved = json.loads(results.read_text())
    assert saved["results"]["capitals"]["exact,all"] == 0.8
    assert saved["config"]["model_name"] == "saved"
    assert "message.role" in saved["chat_template"]
    (log,) = (tmp_path / "out" / "saved").glob("samples_capitals_*.jsonl")
    samples = [json.loads(line) for line in log.read_text().splitlines()]
    assert {s["doc"]["id"]: s["resps"][0][0] for s in samples} == answers
