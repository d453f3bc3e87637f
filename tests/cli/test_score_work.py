"""`tableqa score` at work: interrupts, workers, and the harness's own figures."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from once import made_once
from score_cases import GOLDS, QUESTIONS, contexts, question

from lm_eval_tasks import cli
from tableqa_metrics.files import rowfile
from tableqa_metrics.scoring import command, output, plan, questions, sheet


def arguments(references, *predictions, options=()):
    argv = ["score", "tatqa", "--references", references, "--predictions", *predictions]
    return [str(part) for part in (*argv, *options)]


# --- Workers ------------------------------------------------------------------------------


@pytest.fixture
def many(write):
    """Enough predictions for several chunks, some of them extra, some right."""
    questions = [question(f"q{i}", answer=i) for i in range(300)]
    texts = {f"q{i}": f"The answer is: {i * (i % 3)} million" for i in range(330)}
    lines = [{"id": uid, "response": text} for uid, text in texts.items()]
    return write("many_refs.json", contexts(*questions)), write("many.jsonl", lines)


def test_workers_change_nothing(many, tmp_path, capsys):
    contents, texts = [], []
    for workers in (1, 2):
        path = tmp_path / f"out{workers}.json"
        options = ["--workers", workers, "--output", path]
        assert cli.main(arguments(*many, options=options)) == 0
        contents.append(path.read_bytes())
        texts.append(capsys.readouterr())
    assert contents[0] == contents[1]
    assert texts[0] == texts[1]
    assert json.loads(contents[0])["n"] == 300
    assert len(json.loads(contents[0])["extra"]) == 30


def test_where_blocks_end_changes_nothing(many, tmp_path, capsys, monkeypatch):
    contents, texts = [], []
    for rows in (None, 1, 7):
        if rows is not None:
            parts = ((questions, "_AT_ONCE"), (plan, "_GLANCE"), (plan, "_BATCH"))
            for module, name in parts:
                monkeypatch.setattr(module, name, {"rows": rows, "size": 1 << 20})
            monkeypatch.setattr(sheet, "_ROWS", rows)
            monkeypatch.setattr(rowfile, "_LINES", 1)
        path = tmp_path / f"out{rows}.json"
        assert cli.main(arguments(*many, options=["--output", path])) == 0
        contents.append(path.read_bytes())
        texts.append(capsys.readouterr())
    assert contents[0] == contents[1] == contents[2]
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_first_error_of_the_references_is_told(write, capsys, workers):
    """Whether it is one of a record, or that a question is there twice."""
    bad = '{"questions": 3}'
    lines = [json.dumps(record) for n in range(300) for record in contexts(question(n))]
    predictions = write("p.json", GOLDS)
    for place, wanted in (
        (150, "line 152: questions is not a list"),
        (250, "line 202, question 1: "),
    ):
        broken = [*lines]
        broken.insert(200, lines[7])
        broken.insert(place, bad)
        references = write("r.jsonl", "\n".join(["", *broken]))
        argv = arguments(references, predictions, options=["--workers", workers])
        assert cli.main(argv) == 1
        said = capsys.readouterr().err
        assert wanted in said
        assert ("is there twice" in said) == (place == 250)


def test_what_is_wrong_with_a_reference_comes_from_the_worker(write, capsys, many):
    questions = [question(f"q{i}") for i in range(299)]
    broken = contexts(*questions, question("q299", scale="dozen"))
    references = write("broken.json", broken)
    assert cli.main(arguments(references, many[1], options=["--workers", "2"])) == 1
    said = capsys.readouterr()
    assert "broken.json, item 1, question 300: malformed reference" in said.err
    assert said.err.count("\n") == 1


def test_structured_predictions_reach_the_workers(write, tmp_path):
    references = write("r.json", contexts(*QUESTIONS))
    predictions = write("p.json", GOLDS)
    contents = []
    for workers in (1, 2):
        path = tmp_path / f"out{workers}.json"
        options = ["--workers", workers, "--output", path]
        assert cli.main(arguments(references, predictions, options=options)) == 0
        contents.append(json.loads(path.read_text()))
    assert contents[0] == contents[1]
    assert contents[0]["metrics"]["em"]["value"] == 1


# --- Interrupts ----------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, OSError(28, "full")])
def test_an_output_is_written_whole_or_not_at_all(tmp_path, error):
    path = tmp_path / "out.json"
    path.write_text("before")

    def samples():
        yield '{"id": "a"}'
        raise error

    content = {"benchmark": "tatqa", "samples": [], "n": 1}
    with pytest.raises(error if isinstance(error, type) else type(error)):
        output.write_json(path, content, [samples()])
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    output.write_json(path, content, [['{"id": "a"},\n{"id"', ': "b"}']])
    assert json.loads(path.read_text())["samples"] == [{"id": "a"}, {"id": "b"}]
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_while_scoring(write, tmp_path, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "score_file", interrupted)
    references = write("r.json", contexts(*QUESTIONS))
    predictions = write("p.json", GOLDS)
    path = tmp_path / "out.json"
    options = ["--output", path]
    assert cli.main(arguments(references, predictions, options=options)) == 130
    assert capsys.readouterr().err == "tableqa: interrupted\n"
    assert not path.exists()


def test_a_signal_whose_exception_was_lost_is_seen_again():
    with command._stopping() as check:
        check()
        for number, error in (
            (signal.SIGTERM, SystemExit),
            (signal.SIGINT, SystemExit),
        ):
            with pytest.raises(error):
                signal.raise_signal(number)
            with pytest.raises(error) as stop:
                check()
            assert stop.value.code == 143
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


READY = """
import sys, threading, time
from multiprocessing import active_children
from tableqa_metrics.scoring import command, run

plan = run.make_plan
end, when = sys.argv[1:3]

def make_plan(*args):
    if when == "looking":
        ready()
    found = plan(*args)
    if when == "scoring":
        ready()
    return found

def ready():
    print("ready", flush=True)
    if end == "a worker killed":
        threading.Thread(target=kill_a_worker, daemon=True).start()

def kill_a_worker():
    while not active_children():
        time.sleep(0.01)
    active_children()[0].kill()

run.make_plan = make_plan
sys.exit(command.main(sys.argv[3:]))
"""
# What is done to a command at work: the signals that its process or, as from a terminal,
# its whole group gets, and with which status it may end.
ENDS = {
    "Ctrl-C": (os.killpg, [signal.SIGINT], {130}),
    "Ctrl-C twice": (os.killpg, [signal.SIGINT] * 2, {130, -signal.SIGINT}),
    "interrupted alone": (os.kill, [signal.SIGINT], {130}),
    "terminated": (os.kill, [signal.SIGTERM], {143}),
    "all terminated": (os.killpg, [signal.SIGTERM], {143}),
    "killed": (os.kill, [signal.SIGKILL], {-signal.SIGKILL}),
    "a worker killed": (os.kill, [], {1}),
}


@pytest.fixture(scope="module")
def long_work(tmp_path_factory):
    """More than is scored before a signal comes."""
    folder = tmp_path_factory.mktemp("long")
    count = 10_000
    long = "The answer is: 5 million, or so. " * 50
    questions = [question(f"q{i}", answer=i) for i in range(count)]
    references, predictions = folder / "r.json", folder / "p.json"
    references.write_text(json.dumps(contexts(*questions)))
    predictions.write_text(json.dumps({f"q{i}": long for i in range(count)}))
    return references, predictions


@pytest.mark.xdist_group("long_work")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("when", ["looking", "scoring"])
@pytest.mark.parametrize("end", ENDS)
def test_however_it_ends_nothing_is_left(long_work, tmp_path, workers, when, end):
    """No process, no part of an output, no traceback."""
    if end == "a worker killed" and workers == 1:
        workers = 3
    path = tmp_path / "out.json"
    options = ["--workers", workers, "--output", path]
    argv = arguments(*long_work, options=options)[1:]
    process = subprocess.Popen(
        [sys.executable, "-c", READY, end, when, *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout.readline() == "ready\n"
    to, signals, statuses = ENDS[end]
    if when == "scoring" and workers > 1:
        time.sleep(0.5)  # for the workers to start
    for number in signals:
        to(process.pid, number)
        time.sleep(0.01)
    _, err = process.communicate(timeout=120)
    assert process.returncode in statuses
    assert list(tmp_path.iterdir()) == []
    # Python may say that it lost a first exception to an object's removal.
    lines = [line for line in err.splitlines() if "tableqa: " in line]
    if end == "a worker killed":
        assert lines == [err.strip()]
        assert "a worker process died" in err
    elif process.returncode == 130:
        assert lines == ["tableqa: interrupted"]
    elif end == "killed":
        assert err == ""
    # A process that read of the end of its pipe is gone a moment later.
    for _ in range(100):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("a process is left")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("workers", [1, 2])
def test_an_output_that_is_closed_from_the_start(write, tmp_path, closed, workers):
    """As where a scheduler starts a job: what is said is lost, and nothing else."""
    references = write("r.json", contexts(*QUESTIONS))
    predictions = write("p.json", GOLDS)
    options = ["--output", tmp_path / "out.json", "--workers", workers]
    argv = arguments(references, predictions, options=options)
    command = shlex.join([sys.executable, "-m", "lm_eval_tasks.cli", *argv])
    done = subprocess.run(
        ["sh", "-c", f"{command} {closed}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (closed == "2>&-")
    assert json.loads((tmp_path / "out.json").read_text())["n"] == 3


SMALL_DISK = """
import resource, sys
from lm_eval_tasks import cli
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
sys.exit(cli.main(sys.argv[2:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of a file")
@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_what_does_not_fit_is_said_of_the_output(many, tmp_path, share):
    """Whether it is the samples, which are first kept beside it, or the result."""
    path = tmp_path / "out" / "scores.json"
    path.parent.mkdir()
    argv = arguments(*many, options=["--output", path])
    assert cli.main(argv) == 0
    most = int(share * path.stat().st_size)
    path.unlink()
    done = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, str(most), *argv],
        capture_output=True,
        text=True,
        check=False,
    )
    wanted = f"tableqa: error: {path}: cannot be written: File too large\n"
    assert (done.returncode, done.stderr) == (1, wanted)
    assert list(path.parent.iterdir()) == []


def test_a_reader_that_goes_away_gets_no_traceback(write):
    references = write("r.json", contexts(*QUESTIONS))
    predictions = write("p.json", GOLDS)
    read, written = os.pipe()
    os.close(read)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "lm_eval_tasks.cli",
            *arguments(references, predictions),
        ],
        stdout=written,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(written)
    assert (done.returncode, done.stderr) == (1, "")


# --- The harness ------------------------------------------------------------------------------


SAMPLES = {
    "tanq": "records.jsonl",
    "tatqa": "records.json",
    "tatdqa": "records.json",
    "finqa": "records.json",
}


@pytest.fixture(scope="session")
def harness_run(tmp_path_factory):
    """What a run of the embedded samples through the harness wrote."""
    return made_once(tmp_path_factory, "run_of_samples", run_samples) / "out"


def run_samples(folder):
    responses = folder / "responses"
    responses.mkdir()
    tasks = []
    for benchmark in SAMPLES:
        task = f"{benchmark}_sample"
        tasks.append(task)
        shutil.copy(
            cli.TASKS_DIR / benchmark / "samples" / "responses.jsonl",
            responses / f"{task}.jsonl",
        )
    argv = ["run", "--model", "replay", "--model_args", f"responses={responses}"]
    argv += ["--tasks", ",".join(tasks), "--output_path", "out", "--log_samples"]
    done = subprocess.run(
        [sys.executable, "-m", "lm_eval_tasks.cli", *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"},
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.harness
@pytest.mark.parametrize("data_set", SAMPLES)
def test_a_sample_log_is_scored_as_the_harness_scored_it(harness_run, data_set, score):
    """Equal to the last bit: each question's values, the means, the standard errors."""
    task = f"{data_set}_sample"
    (results,) = harness_run.rglob("results_*.json")
    theirs = json.loads(results.read_text())["results"][task]
    (log,) = harness_run.rglob(f"samples_{task}_*.jsonl")
    references = cli.TASKS_DIR / data_set / "samples" / SAMPLES[data_set]
    ours = score(data_set, references, log).content
    for name, each in ours["metrics"].items():
        assert each["value"] == theirs[f"{name},none"], name
        stderr = theirs[f"{name}_stderr,none"]
        assert stderr in ("N/A", each["stderr"]), name
    printed = {
        key.removesuffix(",none")
        for key in theirs
        if key.endswith(",none") and not key.endswith("_stderr,none")
    }
    assert printed == ours["metrics"].keys()
    logged = {
        row["doc"]["id"]: row for row in map(json.loads, log.read_text().splitlines())
    }
    assert logged.keys() == {sample["id"] for sample in ours["samples"]}
    for sample in ours["samples"]:
        for name in printed:
            assert sample[name] == logged[sample["id"]][name]
    assert f"|task:{task}|" in ours["signature"]


def test_every_task_is_known_to_the_scorer():
    """A sample log of each task finds the rule that its prompt asks for."""
    from tableqa_metrics.scoring.tasks import TASKS

    declared = set()
    for yaml in Path(cli.TASKS_DIR).glob("*/*.yaml"):
        lines = yaml.read_text().splitlines()
        task = next((s.split()[1] for s in lines if s.startswith("task: ")), None)
        if task is not None and not any(s.startswith("group: ") for s in lines):
            declared.add(task)
    assert declared <= TASKS.keys()
    assert TASKS.keys() - declared <= {"tanq_open_book"}
