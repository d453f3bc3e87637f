"""`tableqa data`: what is listed, where files are found, what is fetched."""

import dataclasses
import hashlib
from pathlib import Path

import pytest
from tasks.http_server import Reply, Server

from lm_eval_tasks import cli
from lm_eval_tasks.data import (
    fetch,
    finqa,
    request,
    sources,
    status,
    tanq,
    tatdqa,
    tatllm,
    tatqa,
)
from lm_eval_tasks.data.sources import BENCHMARKS, SOURCES
from lm_eval_tasks.errors import DataError


GOOD = b'[{"id": 1}]\n'


@pytest.fixture
def served(server: Server, downloads: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The files of FinQA, from a server of the test's own."""
    blob = hashlib.sha1(b"blob %d\0%s" % (len(GOOD), GOOD)).hexdigest()
    own = tuple(
        dataclasses.replace(
            source, urls=(server.url(source.path, Reply(GOOD)),), blob=blob
        )
        for source in sources.sources_of("finqa")
    )
    monkeypatch.setattr(sources, "SOURCES", own)
    monkeypatch.setattr(status, "SOURCES", own)
    return server


def data(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """Run the command; return its exit status and what it said."""
    code = cli.main(["data", *argv])
    return code, *capsys.readouterr()


def test_the_table_names_every_file_and_asks_no_server(served, capsys):
    code, out, err = data(capsys)
    assert (code, err) == (0, "")
    assert served.requests == []
    for source in sources.SOURCES:
        (line,) = [s for s in out.splitlines() if s.startswith(f"{source.path} ")]
        assert line.split()[1:] == [
            source.split,
            f"{source.questions:,}",
            source.licence,
            "-",
        ]
    assert "data_dir: none" in out
    assert "downloads" in out.splitlines()[-1]


def test_the_real_table_has_a_line_for_every_source(downloads, capsys):
    code, out, _ = data(capsys)
    assert code == 0
    lines = out.splitlines()
    assert lines[lines.index("") :] == ["", *lines[-2:]]
    assert [line.split()[0] for line in lines[1 : lines.index("")]] == [
        source.path for source in SOURCES
    ]


def test_a_benchmark_is_shown_with_addresses_and_checks(served, capsys):
    code, out, _ = data(capsys, "finqa")
    assert code == 0
    assert served.requests == []
    for source in sources.SOURCES:
        for part in (source.path, source.urls[0], source.check, source.licence):
            assert part in out
    assert out.count("found  no") == 3


def test_what_was_fetched_is_found_in_the_cache(served, downloads, capsys):
    code, out, _ = data(capsys, "finqa", "--download")
    assert code == 0
    paths = dict(line.split(": ") for line in out.splitlines())
    assert paths.keys() == {source.path for source in sources.SOURCES}
    for path in paths.values():
        assert Path(path).parent == downloads
        assert Path(path).read_bytes() == GOOD
    assert served.count() == 3

    asked = len(served.requests)
    assert data(capsys, "finqa", "--download")[1] == out
    _, shown, _ = data(capsys, "finqa")
    for path in paths.values():
        assert f"found  {path} (cache)" in shown
    assert data(capsys)[1].count(" cache\n") == 3
    assert len(served.requests) == asked

    Path(paths["finqa/dev.json"]).write_bytes(b"spoilt")
    assert data(capsys)[1].count(" cache\n") == 2


def test_the_users_file_comes_first_and_is_compared(
    served, downloads, write, tmp_path, capsys, monkeypatch
):
    folder = tmp_path / "mine"
    write("mine/finqa/test.json", [])
    (folder / "finqa" / "dev.json").write_bytes(GOOD)
    for argv in (["--data_dir", str(folder)], []):
        _, out, _ = data(capsys, *argv)
        found = {line.split()[0]: line for line in out.splitlines() if "finqa/" in line}
        assert found["finqa/test.json"].endswith("data_dir, not the released file")
        assert found["finqa/dev.json"].endswith("  data_dir")
        assert found["finqa/train.json"].endswith("  -")
        assert f"data_dir: {folder}" in out
        _, out, _ = data(capsys, "finqa", *argv)
        assert f"found  {folder / 'finqa' / 'test.json'} (data_dir)" in out
        assert "not the released file: git blob id" in out
        monkeypatch.setenv("TABLEQA_DATA_DIR", str(folder))

    code, out, _ = data(capsys, "finqa", "--download")
    assert code == 0
    assert f"finqa/test.json: {folder}" in out
    assert served.count() == 1


def test_a_file_that_cannot_be_had_is_told_and_the_others_are_fetched(served, capsys):
    served.url("finqa/dev.json", Reply(b"no", 403))
    code, out, err = data(capsys, "finqa", "--download")
    assert code == 1
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "finqa/train.json",
        "finqa/test.json",
    ]
    # After the progress bars of the two that were fetched.
    last = err.splitlines()[-1]
    assert last.startswith("tableqa: error: finqa/dev.json could not be fetched.")
    assert "403" in last


def test_each_file_that_cannot_be_had_has_a_line(served, capsys):
    for source in sources.SOURCES:
        served.url(source.path, Reply(b"no", 404))
    code, out, err = data(capsys, "finqa", "finqa", "--download")
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 3


@pytest.mark.parametrize("argv", [["nope"], ["finqa", "nope", "--download"]])
def test_an_unknown_name_lists_the_known_ones(served, capsys, argv):
    code, out, err = data(capsys, *argv)
    assert (code, out) == (1, "")
    assert "no benchmark nope; choose from tanq, tatqa, tatdqa, finqa, " in err
    assert served.requests == []


def test_a_folder_that_is_not_there(capsys, tmp_path):
    code, _, err = data(capsys, "--data_dir", str(tmp_path / "gone"))
    assert code == 1
    assert "gone is not a folder" in err


def test_tat_llm_stands_for_its_six_benchmarks():
    chosen = status.choose(["tat_llm"])
    assert {source.dataset.split("/")[-1] for source in chosen} == {
        *("finqa", "tatqa", "tatdqa")
    }
    assert len(set(chosen)) == len(chosen) == 18
    assert status.choose([]) == SOURCES


LOADERS = {
    "tanq": tanq.load,
    "tatqa": tatqa.load,
    "tatdqa": tatdqa.load,
    "finqa": finqa.load,
    **{
        f"tatllm_{dataset}_{style}": (
            lambda dataset=dataset, style=style, **metadata: tatllm.load(
                dataset, style, **metadata
            )
        )
        for dataset in sources.TAT_LLM_DATASETS
        for style in sources.TAT_LLM_STYLES
    },
}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_what_is_listed_for_a_benchmark_is_what_its_tasks_read(
    name, downloads, write, monkeypatch
):
    """Each split in turn stands as test; every file is there, and of no use."""
    useless = write("useless.json", [{"id": "a", "user_prompt": "?"}])
    asked = set()

    def note(source, **_):
        asked.add(source)
        return useless

    monkeypatch.setattr(request, "locate", note)
    listed = sources.sources_of(name)
    for split in sorted({source.split for source in listed}):
        with pytest.raises(DataError):
            LOADERS[name](split=split)
    assert asked == set(listed)
    assert fetch.locate is not note
