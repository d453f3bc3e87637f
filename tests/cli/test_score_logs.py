"""`tableqa score` of sample logs: the harness's own numbers, whatever the task is called.

Each of our tasks is run once under its own name and once under that of a task which a
user derived from it, on replies in many forms.
"""

import json

import pytest
import yaml
from once import made_once
from tasks.sweeps import DATA_FILES, FOLDER, tat_llm_files

from tableqa_metrics.report.inputs import read_runs
from tableqa_metrics.report.score_file import Lookup
from tableqa_metrics.scoring.tasks import TASKS, WORDS


STEPS = (
    "| step | output |\n| 1 | Arithmetic |\n| 2 | 5#2 |\n| 3 | 5 - 2 |\n| 4 | 3 |\n"
    "| 5 | million |\n\nThe answer is: 3 #### and its corresponding scale is: million"
)
REPLIES = (
    "The answer is: 94 #### and its corresponding scale is: percent",
    "94",
    "I am sorry, but I cannot answer this question.",
    STEPS,
    "Program: subtract(97.3, 104.9)",
    '{"answer": 94, "scale": "percent"}',
    "",
    "| entity | year |\n| --- | --- |\n| a | 1 |",
    "The answer is: 94",
    "entity|year\na|1",
    "Answer: -7.6",
)
DATE = "2026-01-02T03-04-05.6"
YAMLS = {
    path.stem: path
    for path in sorted(FOLDER.glob("*/*.yaml"))
    if "\ngroup: " not in f"\n{path.read_text(encoding='utf-8')}"
}


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """The folder of all logs, and of what the harness printed."""
    return made_once(tmp_path_factory, "logs_of_all_tasks", run_all)


def run_all(folder):
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Replying(LM):
        tokenizer_name = "replying"

        def generate_until(self, requests, disable_tqdm=False):
            return [REPLIES[r.doc_id % len(REPLIES)] for r in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    derived = folder / "derived"
    derived.mkdir()
    for name, path in YAMLS.items():
        config = {"include": str(path), "task": f"my_own_{name}"}
        (derived / f"{name}.yaml").write_text(yaml.safe_dump(config))
    files = {**DATA_FILES, **tat_llm_files(folder)}
    manager = TaskManager(
        include_path=[str(FOLDER), str(derived)],
        include_defaults=False,
        metadata={"data_files": files},
    )
    names = [*YAMLS, *(f"my_own_{name}" for name in YAMLS)]
    run = simple_evaluate(
        model=Replying(),
        tasks=names,
        task_manager=manager,
        bootstrap_iters=0,
    )
    for name in names:
        rows = [json.dumps(row, default=str) + "\n" for row in run["samples"][name]]
        (folder / f"samples_{name}_{DATE}.jsonl").write_text("".join(rows))
    (folder / "results.json").write_text(json.dumps(run["results"]))


def gold_of(name):
    benchmark = TASKS[name].benchmark
    records = "records.jsonl" if benchmark == "tanq" else "records.json"
    return benchmark, FOLDER / benchmark / "samples" / records


@pytest.mark.parametrize("derived", [False, True])
@pytest.mark.parametrize("name", YAMLS)
def test_the_figures_are_those_that_the_harness_printed(logs, score, name, derived):
    task = f"my_own_{name}" if derived else name
    benchmark, gold = gold_of(name)
    found = score(benchmark, gold, logs / f"samples_{task}_{DATE}.jsonl")
    printed = json.loads((logs / "results.json").read_text())[task]
    values = {
        key.removesuffix(",none"): value
        for key, value in printed.items()
        if key.endswith(",none") and "_stderr" not in key
    }
    ours = {key: each["value"] for key, each in found.content["metrics"].items()}
    assert values.items() <= ours.items()
    assert set(ours) - set(values) <= {"exe_acc"}  # of TAT-LLM's replies to FinQA
    assert found.err == ""
    scored_as = found.content["options"]["task"]
    assert TASKS[scored_as] == TASKS[name]
    assert derived or scored_as == name
    n = found.content["n"]
    assert f"\n{n} questions scored as {scored_as}; " in found.out


@pytest.mark.parametrize("name", [name for name in YAMLS if "tatllm" not in name])
def test_a_log_without_scores_is_scored_as_its_targets_are_written(
    logs, score, write, name
):
    """Those of --predict_only."""
    rows = rows_of(logs, f"my_own_{name}")
    for row in rows:
        for metric in row["metrics"]:
            del row[metric]
        row["metrics"] = ["bypass"]
    benchmark, gold = gold_of(name)
    found = score(benchmark, gold, write(f"samples_my_{name}_{DATE}.jsonl", rows))
    expected = score(benchmark, gold, logs / f"samples_{name}_{DATE}.jsonl")
    assert found.content["metrics"] == expected.content["metrics"]
    assert f"my_{name} is none of this package's: scored as " in found.err
    assert "as its targets are written" in found.err
    assert found.err.count("\n") == 1


def rows_of(logs, task):
    log = (logs / f"samples_{task}_{DATE}.jsonl").read_text()
    return [json.loads(line) for line in log.splitlines()]


def test_a_log_that_says_nothing_is_told(logs, score, write):
    rows = [
        {"doc_id": row["doc_id"], "doc": row["doc"], "resps": row["resps"]}
        for row in rows_of(logs, "tatqa_zeroshot")
    ]
    benchmark, gold = gold_of("tatqa")
    found = score(benchmark, gold, write(f"samples_mine_{DATE}.jsonl", rows))
    assert found.content["options"]["task"] == "tatqa"
    assert "scored as tatqa, for want of anything that says how" in found.err


def test_what_differs_from_the_log_is_told(logs, score, write):
    """A filter of the user's, say, or a scorer."""
    rows = rows_of(logs, "my_own_tatqa")
    benchmark, gold = gold_of("tatqa")
    for row in rows[:3]:
        row["em"] = 1 - row["em"]
    for row in rows:
        row["mine"] = 0.5
        row["metrics"].append("mine")
    path = write(f"samples_my_own_tatqa_{DATE}.jsonl", rows)
    found = score(benchmark, gold, path)
    first, second = found.err.splitlines()
    assert f"(em of 3 of {len(rows)} questions): it is of my_own_tatqa" in first
    assert "the log has metrics that are not scored here: mine" in second


def test_another_task_can_be_named_and_the_difference_is_told(logs, score):
    benchmark, gold = gold_of("tatqa")
    log = logs / f"samples_tatqa_zeroshot_{DATE}.jsonl"
    found = score(benchmark, gold, log, options=["--task", "tatqa"])
    assert found.content["options"]["task"] == "tatqa"
    assert "off_format of " in found.err
    assert {name for name in found.content["metrics"] if name in WORDS} == {
        "no_answer",
        "off_format",
    }


@pytest.mark.parametrize("derived", [False, True])
@pytest.mark.parametrize("name", YAMLS)
def test_a_report_knows_how_a_log_was_scored(logs, name, derived):
    task = f"my_own_{name}" if derived else name
    (run,) = read_runs(logs / f"samples_{task}_{DATE}.jsonl", Lookup())
    assert run.benchmark == TASKS[name].benchmark
    assert TASKS[run.scored_as].program == TASKS[name].program
    if "tatllm" not in name:  # whose targets are all end-to-end here
        assert TASKS[run.scored_as] == TASKS[name]
