"""Our tasks in sweeps: beside others, by tag, group and glob, with the harness's flags."""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from tasks.sweeps import (
    DATA_FILES,
    FOLDER,
    RECENT,
    SAMPLES,
    NotingLM,
    Sweep,
    write_local_task,
)

from lm_eval_tasks import cli, link


METADATA = ("--metadata", json.dumps({"data_files": DATA_FILES}))


@pytest.fixture
def sweep(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Sweep]:
    """Run `tableqa run` with the noting model; the index holds our tasks and the user's.

    All else is the harness's own command.
    """
    import lm_eval.tasks
    import lm_eval.utils

    manager = functools.partial(lm_eval.tasks.TaskManager, include_defaults=False)
    monkeypatch.setattr(lm_eval.tasks, "TaskManager", manager)
    # Its handler would outlive the stream of a captured test.
    monkeypatch.setattr(lm_eval.utils, "setup_logging", lambda *_, **__: None)
    monkeypatch.setattr(sys, "argv", ["tableqa"])
    monkeypatch.setattr(link, "harness_folder", lambda: tmp_path)
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    monkeypatch.delenv("TABLEQA_DATA_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    runs = iter(range(100))

    def run(*argv: str, model: str | None = "noting") -> Sweep:
        monkeypatch.setattr(NotingLM, "asked", [])
        out = tmp_path / f"out{next(runs)}"
        given = [] if model is None else ["--model", model]
        command = ["run", *given, "--output_path", str(out), "--log_samples", *argv]
        assert cli.main(command) == 0
        (path,) = out.rglob("results_*.json")
        saved = json.loads(path.read_text(encoding="utf-8"))
        samples = {}
        for log in out.rglob("samples_*.jsonl"):
            task = log.name.removeprefix("samples_").rsplit("_", 1)[0]
            lines = log.read_text(encoding="utf-8").splitlines()
            samples[task] = [json.loads(line) for line in lines]
        return Sweep(capsys.readouterr().out, saved, samples, NotingLM.asked)

    return run


@pytest.fixture
def local(tmp_path) -> Path:
    return write_local_task(tmp_path / "local tasks")


def scores(run):
    """The figures of a run, by task and then by metric and filter."""
    return {
        task: {
            key: value
            for key, value in result.items()
            if "," in key and "_stderr" not in key
        }
        for task, result in run.results.items()
    }


# --- which tasks -------------------------------------------------------------------


def test_beside_other_tasks_in_one_call(sweep, local):
    beside = ("--include_path", str(local), "--tasks")
    run = sweep(*beside, "gsm8k_like_local,tanq_sample,tatqa_sample")
    assert run.results.keys() == {"gsm8k_like_local", "tanq_sample", "tatqa_sample"}
    assert run.results["gsm8k_like_local"]["exact_match,strict-match"] == 0.5
    for task in run.results:
        alone = sweep(*beside, task)
        assert scores(alone)[task] == scores(run)[task]
        assert alone.samples[task] == run.samples[task]
        assert f"|{task}" in run.printed


def test_as_separate_words_and_as_a_path(sweep, local):
    words = ("--tasks", "tanq_sample", str(local / "local.yaml"))
    if not RECENT:  # a path fails there, whatever stands beside it
        with pytest.raises(KeyError, match="gsm8k_like_local"):
            sweep(*words)
        words = ("--tasks", "tanq_sample", "local", "--include_path", str(local))
    assert sweep(*words).results.keys() == {"gsm8k_like_local", "tanq_sample"}


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ("tableqa_sample", set(SAMPLES)),
        ("*_sample", set(SAMPLES)),
        ("tat*qa_sample", {"tatqa_sample", "tatdqa_sample"}),
        ("tanq_sample,tanq_sample", {"tanq_sample"}),
        ("tanq_s*,tableqa_sample", set(SAMPLES)),
    ],
)
def test_the_samples_by_tag_and_glob(sweep, tasks, expected):
    run = sweep("--tasks", tasks, "--limit", "2")
    assert run.results.keys() == expected
    assert {task: len(rows) for task, rows in run.samples.items()} == dict.fromkeys(
        expected, 2
    )


def test_the_main_tasks_by_their_tag(sweep):
    """Each finds its own files in one `data_files` for all."""
    run = sweep("--tasks", "tableqa", *METADATA)
    expected = {"tanq_closed_book", "tanq_oracle", "tatqa", "tatdqa", "finqa"}
    assert run.results.keys() == expected
    samples = sweep("--tasks", "tableqa_sample")
    for task in expected - {"tanq_closed_book"}:
        sample = f"{task.split('_')[0]}_sample"
        assert scores(run)[task] == scores(samples)[sample]


def test_the_group_of_tanq(sweep):
    run = sweep("--tasks", "tanq", *METADATA)
    tasks = {"tanq_closed_book", "tanq_oracle"}
    assert run.samples.keys() == tasks
    assert set(run.saved["group_subtasks"]["tanq"]) == tasks
    # No mean of two settings.
    assert not any("," in key for key in run.results.get("tanq", {}))


def test_the_tasks_of_tanq_by_glob(sweep):
    run = sweep("--tasks", "tanq_*", *METADATA, "--limit", "2")
    listed = {path.stem for path in (FOLDER / "tanq").glob("tanq_*.yaml")}
    assert run.results.keys() == listed
    # What the scores of the open book cannot be read without.
    (row,) = [row for row in run.printed.splitlines() if "retrieval_recall" in row]
    recalls = [s["retrieval_recall"] for s in run.samples["tanq_open_book"]]
    assert float(row.split("|")[7]) == pytest.approx(sum(recalls) / 2, abs=1e-4)


@pytest.mark.parametrize("tasks", ["tanq*", "tanq,tanq_oracle", "tanq,tableqa"])
def test_a_group_together_with_its_members_is_refused(sweep, tasks):
    """As the README says of recent harnesses; older ones run each task once."""
    ask = ("--tasks", tasks, *METADATA, "--limit", "2")
    if RECENT:
        with pytest.raises(ValueError, match="Duplicate task 'tanq_"):
            sweep(*ask)
        return
    run = sweep(*ask)
    assert run.samples.keys() >= {"tanq_closed_book", "tanq_oracle"}
    assert {len(rows) for rows in run.samples.values()} == {2}


def test_from_a_config_file(sweep, local, tmp_path):
    examples = str(tmp_path / "train.json")
    records = Path(DATA_FILES["tatqa"]).read_text(encoding="utf-8")
    Path(examples).write_text(records.replace('"uid": "', '"uid": "train-'))
    config = {
        "model": "noting",
        "tasks": ["gsm8k_like_local", "tanq_sample", "tatqa"],
        "include_path": str(local),
        "num_fewshot": 1,
        "limit": 3,
        "gen_kwargs": {"max_gen_toks": 9},
        "metadata": {
            "data_files": {"tatqa": {"test": DATA_FILES["tatqa"], "train": examples}}
        },
    }
    (tmp_path / "run.yaml").write_text(yaml.safe_dump(config))
    told = sweep("--config", "run.yaml", model=None)
    assert told.results.keys() == set(config["tasks"])
    flags = (
        *("--tasks", "gsm8k_like_local,tanq_sample,tatqa"),
        *("--include_path", str(local), "--num_fewshot", "1", "--limit", "3"),
        *("--gen_kwargs", "max_gen_toks=9"),
        *("--metadata", json.dumps(config["metadata"])),
    )
    same = sweep(*flags)
    assert same.samples == told.samples
    assert scores(same) == scores(told)
    assert {request.args[1]["max_gen_toks"] for request in told.asked} == {9}


# --- which documents ---------------------------------------------------------------


@pytest.mark.parametrize(("limit", "count"), [("3", 3), ("0.5", 7), ("999", 14)])
def test_limit(sweep, limit, count):
    run = sweep("--tasks", "tanq_sample", "--limit", limit)
    assert [row["doc_id"] for row in run.samples["tanq_sample"]] == list(range(count))
    assert run.saved["n-samples"]["tanq_sample"] == {"original": 14, "effective": count}


def test_chosen_samples(sweep):
    whole = sweep("--tasks", "tanq_sample,tatqa_sample")
    chosen = {"tanq_sample": [0, 5, 13], "tatqa_sample": [2]}
    run = sweep("--tasks", "tanq_sample,tatqa_sample", "--samples", json.dumps(chosen))
    for task, numbers in chosen.items():
        rows = {row["doc"]["id"]: row for row in whole.samples[task]}
        wanted = [whole.samples[task][number]["doc"]["id"] for number in numbers]
        assert [row["doc"]["id"] for row in run.samples[task]] == wanted
        for row in run.samples[task]:
            same = rows[row["doc"]["id"]]
            assert {**row, "doc_id": None} == {**same, "doc_id": None}


# --- how they are asked ------------------------------------------------------------


@pytest.mark.parametrize("shots", [0, 1, 3])
def test_shots_are_other_documents_with_their_references(sweep, shots):
    run = sweep("--tasks", ",".join(SAMPLES), "--num_fewshot", str(shots))
    for task in SAMPLES:
        assert len(run.prompts(task)) == len(run.samples[task]) > 10
        for row in run.samples[task]:
            prompt = row["arguments"]["gen_args_0"]["arg_0"]
            assert prompt == prompt.strip()
            assert prompt.endswith("\nAnswer:")
            # Every example asks its question as the document itself does.
            assert prompt.count("\nQuestion: ") == shots + 1
            asked = f"\nQuestion: {row['doc']['question'].strip()}\nAnswer:"
            assert prompt.count(asked) == 1
    if shots:
        none = sweep("--tasks", "tanq_sample", "--limit", "2")
        for with_shots, without in zip(
            run.prompts("tanq_sample"), none.prompts("tanq_sample"), strict=False
        ):
            assert with_shots.endswith(without)
            assert "\n| --- |" in with_shots.removesuffix(without)


def test_shots_are_the_same_in_every_run(sweep):
    ask = ("--tasks", "finqa_sample", "--num_fewshot", "3")
    prompts = sweep(*ask).prompts("finqa_sample")
    assert sweep(*ask).prompts("finqa_sample") == prompts
    assert sweep(*ask, "--seed", "0,1,2,3").prompts("finqa_sample") != prompts


def test_a_system_instruction_stands_first(sweep):
    told = "You are a financial analyst."
    ask = ("--tasks", ",".join(SAMPLES), "--limit", "2")
    plain = sweep(*ask)
    run = sweep(*ask, "--system_instruction", told)
    chat = sweep(*ask, "--system_instruction", told, "--apply_chat_template")
    for task in SAMPLES:
        for bare, prompt, messages in zip(
            plain.prompts(task), run.prompts(task), chat.prompts(task), strict=True
        ):
            assert prompt.startswith(told)
            assert prompt.removeprefix(told).strip() == bare
            assert json.loads(messages) == [["system", told], ["user", bare]]
    assert run.saved["system_instruction"] == told


@pytest.mark.parametrize("multiturn", [True, False])
def test_shots_as_turns_of_a_chat(sweep, multiturn):
    ask = ("--tasks", ",".join(SAMPLES), "--limit", "3")
    plain = sweep(*ask)
    shots = (*ask, "--num_fewshot", "3", "--apply_chat_template")
    run = sweep(*shots, *([] if multiturn else ["--fewshot_as_multiturn", "false"]))
    for task in SAMPLES:
        for bare, prompt in zip(plain.prompts(task), run.prompts(task), strict=True):
            roles, texts = zip(*json.loads(prompt), strict=True)
            assert texts[-1].endswith(bare)
            if multiturn:
                assert roles == ("user", "assistant") * 3 + ("user",)
                assert texts[-1] == bare
                for text in texts:
                    assert text == text.strip() != ""
                for question in texts[::2]:
                    assert question.endswith("\nAnswer:")
            else:
                assert roles == ("user",)


def test_multiturn_may_be_asked_for_by_its_flag(sweep):
    ask = ("--tasks", "tatqa_sample", "--limit", "3", "--num_fewshot", "1")
    default = sweep(*ask, "--apply_chat_template")
    flag = sweep(*ask, "--apply_chat_template", "--fewshot_as_multiturn")
    assert flag.prompts("tatqa_sample") == default.prompts("tatqa_sample")


def test_generation_arguments_are_added_to_the_tasks(sweep):
    ask = ("--tasks", ",".join(SAMPLES), "--limit", "1")
    plain = {request.task_name: request.args[1] for request in sweep(*ask).asked}
    given = {"max_gen_toks": 16384, "temperature": 0.6, "do_sample": True}
    words = [f"{key}={value}" for key, value in given.items()]
    run = sweep(*ask, "--gen_kwargs", ",".join(words))
    for request in run.asked:
        assert request.args[1] == {**plain[request.task_name], **given}
        assert request.args[1]["until"]


# --- how they are run --------------------------------------------------------------


def test_predictions_only(sweep):
    run = sweep("--tasks", ",".join(SAMPLES), "--predict_only")
    whole = sweep("--tasks", ",".join(SAMPLES))
    for task in SAMPLES:
        assert {key.split(",")[0] for key in scores(run)[task]} == {"bypass"}
        for predicted, row in zip(run.samples[task], whole.samples[task], strict=True):
            for key in ("doc_id", "doc", "target", "arguments", "resps"):
                assert predicted[key] == row[key]


def test_predictions_can_be_scored_later(sweep, tmp_path):
    """With no model in between: the sample log of the first run is replayed."""
    run = sweep("--tasks", "tatqa_sample,finqa_sample", "--predict_only")
    folder = next((tmp_path / "out0").rglob("samples_*.jsonl")).parent
    replayed = sweep(
        *(
            "--tasks",
            "tatqa_sample,finqa_sample",
            "--model_args",
            f"responses={folder}",
        ),
        model="replay",
    )
    whole = sweep("--tasks", "tatqa_sample,finqa_sample")
    assert scores(replayed) == scores(whole)
    assert len(run.asked) == len(whole.asked) > 0
    assert replayed.asked == []


def test_a_cache_of_responses(sweep, tmp_path):
    ask = ("--tasks", ",".join(SAMPLES), "--use_cache", str(tmp_path / "cache"))
    first = sweep(*ask)
    again = sweep(*ask)
    assert len(first.asked) == sum(map(len, first.samples.values()))
    assert again.asked == []
    assert scores(again) == scores(first)
    assert again.samples == first.samples


def test_a_cache_of_requests(sweep, tmp_path, monkeypatch, capsys):
    from lm_eval.caching import cache

    monkeypatch.setattr(cache, "PATH", str(tmp_path / "requests"))
    ask = ("--tasks", ",".join(SAMPLES), "--num_fewshot", "1")
    plain = sweep(*ask)
    if not RECENT:  # it refuses each of the values that its help names
        with pytest.raises(SystemExit):
            sweep(*ask, "--cache_requests", "true")
        assert "--cache_requests: invalid choice" in capsys.readouterr().err
        return
    written = []
    for how in ("refresh", "true"):
        run = sweep(*ask, "--cache_requests", how)
        assert run.samples == plain.samples
        assert scores(run) == scores(plain)
        files = (tmp_path / "requests").iterdir()
        written.append({path.name: path.stat().st_mtime_ns for path in files})
    # The second run read what the first one wrote.
    assert written[0] == written[1]
    assert len(written[0]) >= len(SAMPLES)
    # The documents that are scored are not those of the cache.
    thinking = ("--metadata", json.dumps({"thinking": True}))
    run = sweep(*ask, "--cache_requests", "true", *thinking)
    assert run.asked
    for sample in (each for samples in run.samples.values() for each in samples):
        assert sample["doc"]["thinking"] is True
        assert "unfinished_thought" in (sample.get("no_answer"), sample.get("no_table"))


def test_writing_prompts_out_changes_nothing(sweep):
    ask = ("--tasks", "tanq_sample,finqa_sample", "--limit", "3")
    plain = sweep(*ask)
    run = sweep(*ask, "--write_out")
    assert run.samples == plain.samples
    assert scores(run) == scores(plain)


def test_every_log_is_json_without_nan(sweep):
    """As strict readers and other languages take it."""
    run = sweep("--tasks", ",".join(SAMPLES), "--num_fewshot", "1", "--write_out")
    json.dumps([run.results, run.samples], allow_nan=False)


def test_no_tracker_is_loaded_unless_asked_for(sweep):
    before = {"wandb", "trackio"} & sys.modules.keys()
    sweep("--tasks", "tanq_sample", "--limit", "1")
    assert {"wandb", "trackio"} & sys.modules.keys() == before


# --- the whole command, nothing patched --------------------------------------------

# The harness's dummy model asks for a tokenizer from the network up to 0.4.11.
UNPATCHED = """
import sys
from lm_eval.models import dummy
from lm_eval_tasks.cli import main

dummy.DummyLM.tokenizer = None
sys.exit(main())
"""


@pytest.mark.harness
def test_the_whole_command(local, tmp_path):
    """With the harness's own index, and from another folder."""
    config = {"tasks": ["gsm8k_like_local", "tanq_sample"], "include_path": str(local)}
    (tmp_path / "run.yaml").write_text(yaml.safe_dump(config))
    done = subprocess.run(
        [
            *(sys.executable, "-c", UNPATCHED, "run", "--model", "dummy"),
            *("--config", "run.yaml", "--num_fewshot", "1", "--limit", "3"),
            *("--tasks", "gsm8k_like_local,tanq_sample", "tableqa_sample"),
            *("--system_instruction", "Be brief.", "--gen_kwargs", "temperature=0"),
            *("--write_out", "--show_config", "--output_path", "out", "--log_samples"),
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, sys.path)),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    (path,) = (tmp_path / "out").rglob("results_*.json")
    results = json.loads(path.read_text(encoding="utf-8"))["results"]
    assert results.keys() == {"gsm8k_like_local", *SAMPLES}
    assert len(list((tmp_path / "out").rglob("samples_*.jsonl"))) == 5
    assert "Question: " in done.stderr  # the prompts, written out
    assert '"max_gen_toks": 2048' in done.stdout  # the configuration
