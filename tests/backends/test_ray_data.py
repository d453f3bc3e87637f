"""Scoring on a local cluster of Ray with two processors: the figures of `tableqa score`."""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from backends.processes import finished
from pyarrow import parquet

from tableqa_metrics.scoring import command, ray_data


pytestmark = pytest.mark.backends

TABLE = "entity|year\na|1\nb|2\n"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    import ray

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield
        ray.shutdown()


def run(capsys, monkeypatch, *argv):
    """Run the recipe; return its status, the lines that it printed, and its errors."""
    monkeypatch.setattr(sys, "argv", ["ray_data", *map(str, argv)])
    status = ray_data.main()
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


def both(tmp_path, capsys, monkeypatch, benchmark, references, predictions, *options):
    """Score with both; return the JSON of `tableqa score` and the samples of Ray."""
    path, folder = tmp_path / "out.json", tmp_path / "out"
    argv = [benchmark, "--references", references, "--predictions", *predictions]
    status, lines, err = run(capsys, monkeypatch, *argv, *options, "--output", folder)
    assert status == 0, err
    rows = parquet.read_table(folder).to_pylist()
    argv = [str(part) for part in (*argv, *options, "--output", path)]
    assert command.main(argv) == 0
    expected = json.loads(path.read_text(encoding="utf-8"))
    printed = {
        name: (value, stderr) for name, value, stderr, _ in map(str.split, lines[1:])
    }
    assert printed == {
        name: (str(each["value"]), str(each["stderr"]))
        for name, each in expected["metrics"].items()
    }
    samples = {}
    for row in rows:
        row.pop("place")
        row["prediction"] = json.loads(row["prediction"])
        samples[row["id"]] = row
    assert len(samples) == len(rows)
    assert samples == {sample["id"]: sample for sample in expected["samples"]}
    return expected


def test_the_answers_of_tatqa(tmp_path, shared, capsys, monkeypatch):
    folder = shared / "data" / "tatqa"
    found = both(
        *(tmp_path, capsys, monkeypatch),
        *("tatqa", folder / "tatqa_dataset_dev.json"),
        [folder / "sample_prediction.json"],
    )
    assert found["n"] == 1668
    assert round(100 * found["metrics"]["em"]["value"], 2) == 45.92


def test_the_predictions_of_tanq(tmp_path, shared, capsys, monkeypatch):
    file = shared / "data" / "tanq" / "test_input.jsonl"
    found = both(
        *(tmp_path, capsys, monkeypatch, "tanq", file, [file]),
        *("--prediction-key", "prediction_table"),
    )
    assert found["metrics"]["rms_f1"]["value"] == pytest.approx(
        15.634015993848948, abs=1e-12
    )


def write(path: Path, rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def tables(tmp_path):
    """Questions of TANQ, and raw responses to them in several files."""
    rng = random.Random(0)
    golds, responses = [], []
    for number in range(60):
        name = f"{number}__wikidata_intersection__test"
        golds.append(
            {"init_qid": name, "ext_question_rephrased": "?", "answer_table": TABLE}
        )
        text = rng.choice(
            ["", "None.", "| entity | year |\n| - | - |\n| a | 1 |", TABLE]
        )
        responses.append({"id": name, "response": text})
    rng.shuffle(responses)
    files = [
        write(tmp_path / f"part{part}.jsonl", responses[part::3]) for part in range(3)
    ]
    return write(tmp_path / "golds.jsonl", golds), files


def test_raw_responses_in_several_files(tmp_path, tables, capsys, monkeypatch):
    references, files = tables
    whole = tmp_path / "whole.jsonl"
    whole.write_text("".join(file.read_text() for file in files))
    argv = ["tanq", "--references", references]
    for number, given in enumerate((files, [whole])):
        folder = tmp_path / f"out{number}"
        argv = ["tanq", "--references", references, "--predictions", *given]
        status, lines, err = run(capsys, monkeypatch, *argv, "--output", folder)
        assert status == 0, err
        if number == 0:
            first = lines
    assert first == lines
    both(tmp_path, capsys, monkeypatch, "tanq", references, [whole])


def test_the_command_starts_a_cluster_where_there_is_none(tmp_path, tables):
    references, files = tables
    argv = ["tanq", "--references", references, "--predictions", *files]
    argv += ["--output", tmp_path / "out"]
    finished(
        [sys.executable, "-m", "tableqa_metrics.scoring.ray_data", *map(str, argv)],
        tmp_path / "output.txt",
        seconds=120,
        RAY_USAGE_STATS_ENABLED="0",
    )
    assert "rms_f1" in (tmp_path / "output.txt").read_text(encoding="utf-8")
    assert parquet.read_table(tmp_path / "out").num_rows == 60


def test_many_rows_of_one_file_are_scored_by_several_processes(tables):
    references, files = tables
    rows = [
        json.loads(line) for file in files for line in file.read_text().splitlines()
    ]
    many = write(files[0].with_name("many.jsonl"), rows * (3 * ray_data._BLOCK // 60))
    scores = ray_data.score_on_ray("tanq", [str(references)], [str(many)]).materialize()
    assert scores.count() == 60 * (3 * ray_data._BLOCK // 60)
    assert scores.num_blocks() >= 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "1 have no prediction: "),
        (lambda rows: [*rows, rows[0]], " has two predictions"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path, tables, capsys, monkeypatch, change, message
):
    references, files = tables
    rows = [
        json.loads(line) for file in files for line in file.read_text().splitlines()
    ]
    path = write(tmp_path / "changed.jsonl", change(rows))
    argv = ["tanq", "--references", references, "--predictions", path]
    status, _, err = run(capsys, monkeypatch, *argv, "--output", tmp_path / "out")
    assert status == 1
    (line,) = [line for line in err.splitlines() if line.startswith("tableqa: error")]
    assert message in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "other", "response": "None."}, "the references have no question other"),
        ({"id": "other"}, "no key 'response'; there is id"),
        ({"id": "other", "response": 5}, "5 is not a text, which line 1 holds"),
    ],
)
def test_what_is_wrong_with_a_row_is_raised_by_ray(tables, row, message):
    from ray.exceptions import RayTaskError

    references, files = tables
    with files[0].open("a") as file:
        file.write(json.dumps(row) + "\n")
    scores = ray_data.score_on_ray("tanq", [str(references)], [str(files[0])])
    with pytest.raises(RayTaskError, match=message):
        scores.materialize()


def test_files_of_two_formats_are_refused(tmp_path, tables):
    from ray.exceptions import RayTaskError

    references, files = tables
    rows = [{"init_qid": "q", "prediction_table": "entity|year"}]
    other = write(tmp_path / "tanq.jsonl", rows)
    paths = [str(files[0]), str(other)]
    scores = ray_data.score_on_ray("tanq", [str(references)], paths)
    with pytest.raises(RayTaskError, match=r"is read in another way \(format tanq\)"):
        scores.materialize()
