"""`tableqa report`: what it reads, and what it refuses."""

import json
import re
import subprocess
import sys

import pytest
from report_logs import (
    SAMPLES,
    documents,
    groups_of,
    report,
    responses,
    unpacked,
    write_log,
    write_two_models,
)

from lm_eval_tasks import cli
from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.report import command
from tableqa_metrics.report.inputs import read_runs
from tableqa_metrics.report.runs import sample_logs
from tableqa_metrics.report.score_file import Lookup
from tableqa_metrics.report.summary import metric_lines


@pytest.fixture
def folder(tmp_path):
    write_two_models(tmp_path / "runs")
    return tmp_path / "runs"


def test_scores_with_and_without_the_files_that_they_name(tmp_path, capsys):
    samples = documents("tatqa")
    records = tmp_path / "records.json"
    source = SAMPLES / "tatqa" / "samples"
    records.write_bytes((source / "records.json").read_bytes())
    saved = tmp_path / "answers.jsonl"
    saved.write_bytes((source / "responses.jsonl").read_bytes())
    scores = tmp_path / "scores.json"
    args = ["--references", str(records), "--predictions", str(saved), str(saved)]
    names = ["--model", "A", "--model", "B"]
    assert cli.main(["score", "tatqa", *args, *names, "--output", str(scores)]) == 0
    out = tmp_path / "report.html"
    capsys.readouterr()

    def questions():
        assert report(scores, "--output", out) == 0
        data = unpacked(out.read_text(encoding="utf-8"))
        assert data["groups"][0]["runs"] == ["A", "B"]
        return data["groups"][0]["questions"]

    full = questions()
    assert capsys.readouterr().err == ""
    assert {q["id"] for q in full} == set(samples)
    assert all(q["text"] and q["context"] is not None for q in full)
    texts = responses("tatqa")
    assert {q["id"]: q["answers"][1]["response"] for q in full} == texts

    assert report(scores, "--markdown") == 0
    said = capsys.readouterr().out
    signatures = [run["signature"] for run in json.loads(scores.read_text())["runs"]]
    assert re.findall(r"`(bench:[^`]+)`", said) == signatures
    assert "Paired, on the questions that both runs answered" in said

    records.rename(tmp_path / "moved.json")
    saved.rename(tmp_path / "moved.jsonl")
    bare = questions()
    assert "records.json is not found" in capsys.readouterr().err
    assert all(q["text"] == "" and "response" not in q["answers"][0] for q in bare)
    assert [q["answers"][0]["scores"] for q in bare] == [
        q["answers"][0]["scores"] for q in full
    ]

    found = ["--references", tmp_path / "moved.json"]
    assert report(scores, *found, "--output", out) == 0
    assert "records.json" not in capsys.readouterr().err

    out.unlink()
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes((tmp_path / "moved.json").read_bytes() + b"\n")
    assert report(scores, *found, "--references", wrong, "--output", out) == 1
    said = capsys.readouterr().err
    assert said.startswith(
        f"tableqa: error: {wrong}: no scores that are shown were made"
    )
    assert said.count("\n") == 1
    assert not out.exists()


def test_the_heading_of_the_charts(folder, tmp_path):
    out = tmp_path / "report.html"
    assert report(folder, "--output", out) == 0
    assert "<h3>Where the differences come from</h3>" in out.read_text(encoding="utf-8")
    one = write_log(tmp_path, "m", "tatqa", responses("tatqa"))
    assert report(one, "--output", out) == 0
    page = out.read_text(encoding="utf-8")
    assert "<h3>Where points are lost</h3>" in page
    assert "Where the differences" not in page


def test_the_newest_log_of_each_task_and_model(tmp_path):
    answers = responses("tanq")
    write_log(tmp_path, "m", "tanq", answers, date="2026-01-01T00-00-00.000001")
    newest = write_log(tmp_path, "m", "tanq", answers, date="2026-01-01T00-00-00.5")
    other = write_log(tmp_path, "m", "tanq", answers, task="tanq_oracle")
    assert sample_logs(tmp_path) == sorted([newest, other])
    results = tmp_path / "m" / "results_2026-01-01T00-00-00.000001.json"
    (run,) = read_runs(results, Lookup())
    assert "000001" in run.path.name


def test_two_references_under_one_id(tmp_path):
    answers = responses("tatqa")
    docs = documents("tatqa")
    name = next(iter(docs))
    gold = {
        **json.loads(docs[name]["gold"]),
        "answer_type": "span",
        "answer": ["other"],
    }
    changed = {**docs, name: {**docs[name], "gold": json.dumps(gold)}}
    one = write_log(tmp_path, "a", "tatqa", answers)
    other = write_log(tmp_path, "b", "tatqa", answers, docs=changed)
    with pytest.raises(InputFileError, match=f"different references for the id {name}"):
        groups_of(one, other)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.json", b"", "is empty"),
        ("cut.json", b'{"benchmark": "tatqa", "samples": [', "not valid JSON"),
        ("binary.json", b"\x00\xff\xfe", "not text in UTF-8"),
        ("other.json", b'{"a": 1}', "neither a sample log"),
        ("predictions.json", b'{"uid": ["5", ""]}', "scored first, with tableqa score"),
        ("scores.json", b'{"benchmark": "tatqa", "samples": []}', "not what tableqa"),
        ("mixed.json", b'{"benchmark": "x", "runs": [7]}', "not what tableqa"),
        (
            "samples_tatqa_2026-01-02T03-04-05.6.jsonl",
            b'{"doc_id": 0, "doc": {"id": 1}, "resps": [["x"]], "metrics": ["em"]}',
            "none of the tableqa tasks",
        ),
        (
            "samples_tatqa_2026-01-02T03-04-05.6.jsonl",
            b'{"doc_id": 0, "doc": {}, "resps": [["x"]], "metrics": ["bypass"]}',
            "--predict_only",
        ),
    ],
)
def test_broken_inputs(tmp_path, capsys, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    out = tmp_path / "report.html"
    out.write_text("before")
    assert report(path, "--output", out) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("tableqa: error: ")
    assert printed.err.count("\n") == 1
    assert name in printed.err
    assert message in printed.err
    assert out.read_text() == "before"


def test_broken_rows_are_named(folder, tmp_path, capsys):
    log = next(folder.glob("good/samples_tatqa*"))
    with log.open("a") as file:
        file.write('{"doc_id": 99, "doc"\n')
    assert report(log, "--output", tmp_path / "r.html") == 1
    assert re.search(
        r"samples_tatqa\S+, line \d+: not valid JSON", capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nowhere.json", "--output", "r.html"], "no such file"),
        ([".", "--output", "r.html"], "holds no samples_"),
        ([".", "--output", "."], "is a folder"),
        ([".", "--output", "no/r.html"], "there is no folder"),
    ],
)
def test_wrong_places(tmp_path, monkeypatch, capsys, argv, message):
    monkeypatch.chdir(tmp_path)
    assert report(*argv) == 1
    assert message in capsys.readouterr().err


def test_an_input_is_never_written_over(folder, capsys):
    log = next(folder.glob("good/samples_tanq*"))
    before = log.read_bytes()
    assert report(log, "--output", log) == 1
    assert "is one of the inputs" in capsys.readouterr().err
    assert log.read_bytes() == before


def test_names_must_fit(folder, tmp_path, capsys):
    assert report(folder, "--model", "only one", "--output", tmp_path / "r.html") == 1
    assert "given 1 times for 4 runs" in capsys.readouterr().err


def test_wrong_usage(capsys):
    with pytest.raises(SystemExit) as stop:
        report("somewhere")
    assert stop.value.code == 2
    assert "--output" in capsys.readouterr().err


def test_help_has_an_example_and_the_statuses(capsys):
    with pytest.raises(SystemExit) as stop:
        report("--help")
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert "tableqa report runs --output report.html" in out
    assert "exit status" in out


@pytest.mark.parametrize("library", ["jinja2", "pygal"])
def test_a_missing_library_is_named(folder, tmp_path, library):
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from lm_eval_tasks.cli import main\n"
        f"sys.exit(main(['report', {str(folder)!r}, '--output', 'report.html']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert 'pip install "lm-eval-tableqa[report]"' in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "report.html").exists()


def test_an_interrupted_report_leaves_nothing(folder, tmp_path, monkeypatch, capsys):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "html_report", interrupt)
    assert report(folder, "--output", tmp_path / "r.html") == 130
    assert "interrupted" in capsys.readouterr().err
    assert not (tmp_path / "r.html").exists()


@pytest.mark.harness
def test_a_run_of_the_harness(tmp_path, capsys):
    saved = SAMPLES / "tatqa" / "samples" / "responses.jsonl"
    command = [
        *(sys.executable, "-m", "lm_eval_tasks.cli", "run", "--tasks", "tatqa_sample"),
        *("--model", "replay", "--model_args", f"responses={saved},model=recorded"),
        *("--output_path", str(tmp_path / "out"), "--log_samples"),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (results,) = (tmp_path / "out").rglob("results_*.json")
    printed = json.loads(results.read_text(encoding="utf-8"))["results"]["tatqa_sample"]
    (group,) = groups_of(tmp_path / "out")
    assert group.labels == ("recorded",)
    lines = {line.name: line.values[0] for line in metric_lines(group)}
    names = {key.removesuffix(",none") for key in printed if key.endswith(",none")}
    assert lines.keys() == {name for name in names if not name.endswith("_stderr")}
    for name, line in lines.items():
        assert line.value == pytest.approx(100 * printed[f"{name},none"], abs=1e-9)
    assert report(tmp_path / "out", "--output", tmp_path / "report.html") == 0
