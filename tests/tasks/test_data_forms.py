"""A user's files, in each form in which `tableqa score` takes references."""

import gzip
import json

import pytest
from tasks.sweeps import FOLDER
from tasks.tat_runs import load

from lm_eval_tasks.data import fetch, status, tanq, tatqa
from lm_eval_tasks.data.sources import Source, find_source


FORMS = {
    "list": lambda records: json.dumps(records),
    "pretty list": lambda records: json.dumps(records, indent=2),
    "lines": lambda records: "".join(f"{json.dumps(r)}\n" for r in records),
    "lines without an end": lambda records: "\n".join(map(json.dumps, records)),
    "lines with blank ones": lambda records: "\r\n\n".join(map(json.dumps, records)),
    "a byte order mark": lambda records: "\ufeff" + json.dumps(records),
}
TASKS = {
    "tanq_closed_book": ("tanq", "records"),
    "tatqa": ("tatqa", "records"),
    "finqa": ("finqa", "records"),
    "finqa_program": ("finqa", "records"),
    "tatdqa": ("tatdqa", "gold"),
    "tatllm_tatdqa_stepwise": ("tatdqa", "gold"),
}


def samples(benchmark, name="records"):
    path = FOLDER / benchmark / "samples" / f"{name}.json"
    if benchmark == "tanq":
        lines = path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]
    return json.loads(path.read_text(encoding="utf-8"))


def files_of(folder, task, form, zipped):
    """Write the samples of a task in a form; return what names them in `data_files`."""
    benchmark, part = TASKS[task]
    names = {part: samples(benchmark)}
    if part == "gold":
        names["prompts"] = samples(benchmark, "prompts")
    named = {}
    for name, records in names.items():
        # The name says nothing.
        named[name] = folder / f"{name}.json"
        content = FORMS[form](records).encode()
        named[name].write_bytes(gzip.compress(content) if zipped else content)
    return {name: str(path) for name, path in named.items()}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("task", TASKS)
def test_every_form_gives_the_same_documents(task, zipped, tmp_path):
    found = []
    for form in FORMS:
        files = files_of(tmp_path, task, form, zipped)
        found.append(list(load(task, data_files={"test": files}).eval_docs))
    assert len(found[0]) > 10
    assert all(documents == found[0] for documents in found)


def test_a_file_of_one_record_is_that_record(write):
    path = write("one.json", samples("tatqa")[0])
    (whole,) = [samples("tatqa")[0]["questions"]]
    documents = tatqa.load(data_files=str(path))["test"]
    assert documents["id"] == [question["uid"] for question in whole]


# --- A folder --------------------------------------------------------------------------


def put(folder, benchmark, split, content):
    place = folder / f"{find_source(benchmark, split).path}.gz"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(gzip.compress(content))
    return place


def test_a_folder_may_hold_gzipped_files(downloads, tmp_path, warned):
    text = FORMS["lines"](samples("tanq"))
    place = put(tmp_path, "tanq", "test", text.encode())
    loaded = tanq.load(data_dir=str(tmp_path))["test"]
    assert loaded["id"] == [record["init_qid"] for record in samples("tanq")]
    assert f"{place} is not the released file" in warned[0]
    plain = place.with_suffix("")
    plain.write_text(FORMS["lines"](samples("tanq")[:1]), encoding="utf-8")
    assert len(tanq.load(data_dir=str(tmp_path))["test"]) == 1


def test_a_released_file_is_known_when_it_is_gzipped(
    shared, downloads, tmp_path, warned
):
    source = find_source("tatqa", "validation")
    content = (shared / "data" / source.path).read_bytes()
    place = put(tmp_path, "tatqa", "validation", content)
    assert fetch.blob_id(place) == source.blob
    assert fetch.mismatch(place, source) is None
    assert len(tatqa.load(data_dir=str(tmp_path), split="dev")["test"]) == 1668
    assert warned == []
    (line,) = [
        line
        for line in status.overview([source], str(tmp_path)).splitlines()
        if line.startswith(source.path)
    ]
    assert "not the released file" not in line
    assert "folder" in line or "data_dir" in line


@pytest.mark.parametrize("blob", [None, "0" * 40])
def test_a_damaged_file_is_not_the_released_one(blob, tmp_path):
    source = Source("tanq", "test", "tanq/test.jsonl", (), "CC-BY-4.0", blob=blob)
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 1000)[:-9])
    assert fetch.mismatch(path, source) == "a damaged gzip file"
