"""Fetching: the user's file, the cache, the download, and what is said when all fail."""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from datasets import DownloadManager
from tasks.http_server import Reply, Running, Server

from lm_eval_tasks.data import fetch, sources
from lm_eval_tasks.data.sources import Source
from lm_eval_tasks.errors import DataError


GOOD = b'[{"id": 1}]\n' * 1000


def blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%s" % (len(content), content)).hexdigest()


def source(*urls: str, content: bytes = GOOD) -> Source:
    return Source(
        dataset="finqa",
        split="test",
        path="finqa/test.json",
        urls=urls,
        licence="MIT",
        blob=blob(content),
    )


def lines(*urls: str, questions: int | None = 3) -> Source:
    return Source("tanq", "test", "tanq/test.jsonl", urls, "CC-BY-4.0", None, questions)


def files_in(downloads: Path) -> list[str]:
    """What of the cache could be taken for data later: all but the locks."""
    return [p.name for p in downloads.iterdir() if not p.name.endswith(".lock")]


# --- the table ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dataset", "split", "place"),
    [
        ("tatqa", "validation", "tatqa/tatqa_dataset_dev.json"),
        ("tatqa", "test", "tatqa/tatqa_dataset_test_gold.json"),
        ("tat_llm/original/tatqa", "test", "tatqa/tatqa_dataset_test_gold.json"),
        ("tat_llm/original/tatdqa", "validation", "tatdqa/tatdqa_dataset_dev.json"),
        ("tat_llm/original/tatdqa", "test", "tatdqa/tatdqa_dataset_test.json"),
        (
            "tat_llm/sft/end_to_end/finqa",
            "validation",
            "tatllm/sft_end_to_end_finqa_dataset_dev.json",
        ),
    ],
)
def test_pinned_ids_are_those_of_the_real_files(shared, dataset, split, place):
    pinned = sources.find_source(dataset, split)
    assert fetch.blob_id(shared / "data" / place) == pinned.blob
    assert fetch.mismatch(shared / "data" / place, pinned) is None


def test_blob_id_is_that_of_git(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"what is up, doc?")
    assert fetch.blob_id(path) == "bd9dbf5aae1a3862dd1526723246b20206e5fc37"


def test_every_pinned_id_is_the_documented_one(shared):
    """DATA.md gives each id after its split, in a list that starts with the folder."""
    text = (shared / "DATA.md").read_text(encoding="utf-8")
    documented = {}
    for folder in ("original", "sft/stepwise", "sft/end_to_end"):
        listed = re.search(rf"`{folder}/`: ([^`|]*)[.|]", text)[1]
        for dataset, ids in re.findall(r"(\w+) ((?:\w+ [0-9a-f]{40},? ?)+)", listed):
            for split, found in re.findall(r"(\w+) ([0-9a-f]{40})", ids):
                documented[f"tat_llm/{folder}/{dataset}", split] = found
    for name, dataset in (("TAT-QA", "tatqa"), ("FinQA", "finqa")):
        row = next(r for r in text.splitlines() if r.startswith(f"| {name} |"))
        for split, found in re.findall(r"(\w+) ([0-9a-f]{40})", row.split("|")[3]):
            documented[dataset, split] = found
    names = sources.SPLIT_NAMES
    assert {
        (dataset, names[split]): found for (dataset, split), found in documented.items()
    } == {(s.dataset, s.split): s.blob for s in sources.SOURCES if s.blob is not None}


def test_no_two_sources_claim_the_same_place():
    places = [place for s in sources.SOURCES for place in (s.path, *s.also_at)]
    assert len(places) == len(set(places))
    assert len({(s.dataset, s.split) for s in sources.SOURCES}) == len(sources.SOURCES)


def test_every_url_names_a_fixed_version():
    for pinned in sources.SOURCES:
        for url in pinned.urls:
            assert re.search(r"/[0-9a-f]{40}/|/tanq/data/v1/", url), url
            assert url.startswith("https://")


# --- download and cache ------------------------------------------------------------


def test_a_download_is_kept_and_needs_no_server_again(running: Running, downloads):
    wanted = source(running.server.url("test.json", Reply(GOOD)))
    assert fetch.locate(wanted).read_bytes() == GOOD
    assert running.server.count() == 1
    running.stop()
    assert fetch.locate(wanted).read_bytes() == GOOD


@pytest.mark.parametrize("status", [403, 404, 500])
def test_a_refusal_names_url_status_check_and_place(server: Server, downloads, status):
    url = server.url("test.json", Reply(b"no", status))
    wanted = source(url)
    with pytest.raises(DataError) as caught:
        fetch.locate(wanted)
    message = str(caught.value)
    assert "\n" not in message
    for part in (url, str(status), wanted.blob, "DIR/finqa/test.json", "data_dir"):
        assert part in message
    assert files_in(downloads) == []


def test_a_server_that_is_not_there(running: Running, downloads):
    url = running.server.url("test.json", Reply(GOOD))
    running.stop()
    with pytest.raises(DataError, match=re.escape(url)):
        fetch.locate(source(url))


def test_an_error_page_behind_a_good_head_is_not_taken_for_data(server, downloads):
    url = server.url("test.json", Reply(b"oops", 500, head_status=200))
    with pytest.raises(DataError, match=re.escape(url)):
        fetch.locate(source(url))
    assert not any(
        (downloads / name).read_bytes() == b"oops" for name in files_in(downloads)
    )
    server.url("test.json", Reply(GOOD))
    assert fetch.locate(source(url)).read_bytes() == GOOD


def test_a_truncated_download_is_no_file(server: Server, downloads):
    url = server.url("test.json", Reply(GOOD, cut_off=True))
    with pytest.raises(DataError, match=re.escape(url)):
        fetch.locate(source(url))
    server.url("test.json", Reply(GOOD))
    assert fetch.locate(source(url)).read_bytes() == GOOD


def test_other_bytes_are_refused_and_not_kept(server: Server, downloads):
    url = server.url("test.json", Reply(GOOD + b" "))
    wanted = source(url)
    with pytest.raises(DataError) as caught:
        fetch.locate(wanted)
    for part in (url, wanted.blob, blob(GOOD + b" "), f"{len(GOOD) + 1:,} bytes"):
        assert part in str(caught.value)
    assert files_in(downloads) == []
    server.url("test.json", Reply(GOOD))
    assert fetch.locate(wanted).read_bytes() == GOOD


def test_a_spoilt_cache_entry_is_replaced(server: Server, downloads):
    wanted = source(server.url("test.json", Reply(GOOD)))
    fetch.locate(wanted).write_bytes(b"spoilt")
    assert fetch.locate(wanted).read_bytes() == GOOD


def test_a_spoilt_cache_entry_is_not_used_when_the_server_is_gone(running, downloads):
    wanted = source(running.server.url("test.json", Reply(GOOD)))
    fetch.locate(wanted).write_bytes(b"spoilt")
    running.stop()
    with pytest.raises(DataError):
        fetch.locate(wanted)
    assert files_in(downloads) == []


def test_the_second_url_helps_where_the_first_fails(server: Server, downloads):
    first = server.url("first.json", Reply(b"no", 403))
    second = server.url("second.json", Reply(GOOD))
    assert fetch.locate(source(first, second)).read_bytes() == GOOD


def test_each_url_that_failed_is_named_with_its_reason(server: Server, downloads):
    first = server.url("first.json", Reply(b"no", 403))
    second = server.url("second.json", Reply(b"no", 404))
    with pytest.raises(DataError) as caught:
        fetch.locate(source(first, second))
    assert re.search(rf"{first}: \S.*403.*{second}: \S.*404", str(caught.value))


# --- files without a published hash ------------------------------------------------


def records(count: int) -> bytes:
    return b"".join(b'{"init_qid": "%d"}\n' % i for i in range(count))


@pytest.mark.parametrize(
    "content",
    [records(3), records(3).rstrip(), records(3) + b"\n"],
    ids=["plain", "no newline at the end", "a blank line"],
)
def test_lines_are_counted(server: Server, downloads, content):
    url = server.url("test.jsonl", Reply(content))
    assert fetch.locate(lines(url)).read_bytes() == content


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (records(2), "2 lines"),
        (records(4), "4 lines"),
        (records(3)[:-5], "last"),
        (b"<html>\n<p>Sign in</p>\n</html>\n", "first"),
        (b"", "0 lines"),
    ],
    ids=["too few", "too many", "cut off", "a page of a proxy", "empty"],
)
def test_an_incomplete_file_of_lines_is_refused(
    server: Server, downloads, content, problem
):
    url = server.url("test.jsonl", Reply(content))
    with pytest.raises(DataError) as caught:
        fetch.locate(lines(url))
    assert problem in str(caught.value)
    assert "3 records" in str(caught.value)
    assert files_in(downloads) == []


def test_lines_of_unknown_number_must_still_be_whole(server: Server, downloads):
    url = server.url("dev.jsonl", Reply(records(2)[:-5]))
    with pytest.raises(DataError, match="the last of which is no JSON record"):
        fetch.locate(lines(url, questions=None))
    server.url("dev.jsonl", Reply(records(2)))
    assert fetch.locate(lines(url, questions=None)).read_bytes() == records(2)


# --- the user's own files ----------------------------------------------------------


def put(folder: Path, content: bytes, place: str = "finqa/test.json") -> Path:
    path = folder / place
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def test_the_users_folder_comes_before_cache_and_download(server, downloads, tmp_path):
    wanted = source(server.url("test.json", Reply(GOOD)))
    fetch.locate(wanted)
    asked = len(server.requests)
    path = put(tmp_path / "mine", GOOD)
    assert fetch.locate(wanted, data_dir=tmp_path / "mine") == path
    assert len(server.requests) == asked


def test_the_variable_names_a_folder_and_data_dir_overrides_it(
    downloads, tmp_path, monkeypatch
):
    first = put(tmp_path / "first", GOOD)
    second = put(tmp_path / "second", GOOD)
    monkeypatch.setenv("TABLEQA_DATA_DIR", str(tmp_path / "first"))
    assert fetch.locate(source()) == first
    assert fetch.locate(source(), data_dir=tmp_path / "second") == second


def test_the_users_own_bytes_are_used_with_a_warning(downloads, tmp_path, warned):
    path = put(tmp_path, b"[]")
    assert fetch.locate(source(), data_dir=tmp_path) == path
    (warning,) = warned
    for part in (str(path), source().blob, blob(b"[]")):
        assert part in warning


def test_a_right_file_of_the_user_gives_no_warning(downloads, tmp_path, warned):
    put(tmp_path, GOOD)
    fetch.locate(source(), data_dir=tmp_path)
    assert warned == []


def test_other_places_in_the_folder_count(downloads, tmp_path):
    wanted = sources.find_source("tat_llm/original/tatdqa", "test")
    path = put(tmp_path, b"[]", "tatdqa/tatdqa_dataset_test.json")
    assert fetch.locate(wanted, data_dir=tmp_path) == path


def test_a_folder_without_the_file_leaves_cache_and_download(
    server, downloads, tmp_path
):
    wanted = source(server.url("test.json", Reply(GOOD)))
    assert fetch.locate(wanted, data_dir=tmp_path).read_bytes() == GOOD
    with pytest.raises(DataError, match=re.escape(str(tmp_path / "finqa/test.json"))):
        fetch.locate(
            source(server.url("gone.json", Reply(status=404))), data_dir=tmp_path
        )


def test_a_folder_that_is_none_is_an_error(downloads, tmp_path, monkeypatch):
    with pytest.raises(DataError, match=r"data_dir: .*nowhere is not a folder"):
        fetch.locate(source(), data_dir=tmp_path / "nowhere")
    monkeypatch.setenv("TABLEQA_DATA_DIR", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match=r"TABLEQA_DATA_DIR: .*nowhere"):
        fetch.locate(source())


# --- several processes, and no network ---------------------------------------------


SCRIPT = """
import sys
from lm_eval_tasks.data import fetch
from lm_eval_tasks.data.sources import Source
from lm_eval_tasks.errors import DataError
url, blob = sys.argv[1:]
source = Source("finqa", "test", "finqa/test.json", (url,), "MIT", blob)
try:
    print(fetch.locate(source))
except DataError as error:
    sys.exit(str(error))
"""


def start(home: Path, wanted: Source, **variables: str) -> subprocess.Popen[str]:
    own = {
        "HF_HOME": str(home),
        "NO_PROXY": "127.0.0.1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    removed = {"HF_DATASETS_CACHE", "HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"}
    removed |= {"TABLEQA_DATA_DIR", "TRANSFORMERS_OFFLINE"}
    kept = {k: v for k, v in os.environ.items() if k not in removed}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, wanted.urls[0], wanted.blob],
        env={**kept, **own, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_processes_share_one_download(server: Server, tmp_path):
    wanted = source(server.url("test.json", Reply(GOOD, seconds=1)))
    ranks = [start(tmp_path, wanted) for _ in range(2)]
    paths = {rank.communicate()[0].strip() for rank in ranks}
    assert [rank.returncode for rank in ranks] == [0, 0]
    (path,) = paths
    assert Path(path).read_bytes() == GOOD
    assert server.count() == 1


def test_many_that_find_a_spoilt_entry_all_get_the_good_file(server: Server, downloads):
    wanted = source(server.url("test.json", Reply(GOOD, seconds=0.05)))
    fetch.locate(wanted).write_bytes(b"spoilt")
    with ThreadPoolExecutor(6) as pool:
        paths = list(pool.map(lambda _: fetch.locate(wanted), range(6)))
    assert all(path.read_bytes() == GOOD for path in paths)


def test_an_entry_that_another_removes_meanwhile_is_fetched_again(
    server: Server, downloads, monkeypatch
):
    wanted = source(server.url("test.json", Reply(GOOD)))
    path = fetch.locate(wanted)
    path.write_bytes(b"spoilt")
    download = DownloadManager.download
    removed = []

    def removed_first(manager, url):
        if not removed:
            removed.append(path)
            path.unlink()
            path.stat()  # what the download does with the file that it has found
        return download(manager, url)

    monkeypatch.setattr(DownloadManager, "download", removed_first)
    assert fetch.locate(wanted).read_bytes() == GOOD
    assert removed == [path]


@pytest.mark.parametrize("switch", ["HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"])
def test_the_offline_switches_forbid_requests_but_not_the_cache(
    server, downloads, tmp_path, switch
):
    wanted = source(server.url("test.json", Reply(GOOD)))
    offline = start(tmp_path, wanted, **{switch: "1"})
    _, message = offline.communicate()
    assert offline.returncode == 1
    for part in ("offline mode is on", wanted.urls[0], wanted.blob, "finqa/test.json"):
        assert part in message
    assert server.requests == []
    fetch.locate(wanted)
    asked = len(server.requests)
    again = start(tmp_path, wanted, **{switch: "1"})
    assert Path(again.communicate()[0].strip()).read_bytes() == GOOD
    assert len(server.requests) == asked


def test_importing_the_table_of_sources_loads_nothing_heavy():
    code = (
        "import sys, json; import lm_eval_tasks.data.sources, lm_eval_tasks.data.fetch;"
        "print(json.dumps([m for m in ('datasets', 'lm_eval', 'numpy') "
        "if m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == []
