"""What the metadata may say, and which split is read from where."""

import re

import datasets
import pytest
from tasks.http_server import Reply

from lm_eval_tasks.data import sources, splits, tanq
from lm_eval_tasks.data.request import Request
from lm_eval_tasks.data.sources import Source
from lm_eval_tasks.data.splits import Splits
from lm_eval_tasks.errors import DataError


FEATURES = datasets.Features({"id": splits.TEXT, "question": splits.TEXT})
PARTS = ("gold", "prompts")


def request(metadata, benchmark="tatqa", **options):
    return Request.from_metadata(benchmark, metadata, **options)


def read_from(paths):
    """Read a document a line, and remember what was asked for."""
    asked = []

    def read(split, required):
        asked.append(split)
        names = paths.get(split, [])
        return [{"id": name, "question": f"{name}?"} for name in names]

    return read, asked


# --- data_files ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metadata", "files"),
    [
        ({}, {}),
        ({"data_files": None}, {}),
        ({"data_files": {}}, {}),
        ({"data_files": "a.json"}, {"test": {"records": "a.json"}}),
        (
            {"data_files": "a.json", "split": "dev"},
            {"validation": {"records": "a.json"}},
        ),
        ({"data_files": {"test": "a.json"}}, {"test": {"records": "a.json"}}),
        ({"data_files": {"test_gold": "a.json"}}, {"test": {"records": "a.json"}}),
        (
            {"data_files": {"dev": "a.json", "train": "b.json"}},
            {"validation": {"records": "a.json"}, "train": {"records": "b.json"}},
        ),
        (
            {"data_files": {"tatqa": {"test": "a.json"}, "tanq": {"test": "b.jsonl"}}},
            {"test": {"records": "a.json"}},
        ),
        ({"data_files": {"tatqa": "a.json"}}, {"test": {"records": "a.json"}}),
        ({"data_files": {"tanq": {"test": "b.jsonl"}}}, {}),
    ],
)
def test_forms_of_data_files(metadata, files):
    assert request(metadata).files == files


@pytest.mark.parametrize(
    ("value", "files"),
    [
        ("a.json", {"gold": "a.json"}),
        (
            {"gold": "a.json", "prompts": "b.json"},
            {"gold": "a.json", "prompts": "b.json"},
        ),
        ({"prompts": "b.json"}, {"prompts": "b.json"}),
    ],
)
def test_splits_of_two_parts(value, files):
    wanted = request({"data_files": {"test": value}}, "tatdqa", parts=PARTS)
    assert wanted.files == {"test": files}


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"data_files": 3}, "neither a path nor an object"),
        ({"data_files": ["a.json"]}, "neither a path nor an object"),
        (
            {"data_files": {"tset": "a.json"}},
            "'tset' is no split; choose from train, dev",
        ),
        ({"data_files": {"test": 3}}, "test of tatqa must be a path"),
        ({"data_files": {"test": ["a.json"]}}, "test of tatqa must be a path"),
        ({"data_files": {"test": {"gold": "a"}}}, "which can be: records"),
        (
            {"data_files": {"tatqa": {"test": "a.json"}, "test": "b.json"}},
            "test is no benchmark; choose from tanq, tatqa",
        ),
        ({"split": "tset"}, "'tset' is no split; choose from train, dev, test"),
        ({"split": 3}, "3 is no split"),
        ({"split": ["dev"]}, "is no split"),
        ({"split": {"tadqa": "dev"}}, "tadqa is no benchmark"),
        ({"split": "dev", "data_files": {"test": "a.json"}}, "give a file for dev"),
        ({"data_dir": 3}, "data_dir: 3 is no path"),
        ({"data_dir": "no/such/folder"}, "no/such/folder is not a folder"),
    ],
)
def test_what_cannot_be_meant_is_an_error_of_one_line(metadata, message, downloads):
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        request(metadata)
    assert "\n" not in str(caught.value)


def test_all_else_in_the_metadata_is_ignored():
    others = {"version": 1, "config_source": "x", "responses": "a", "pretrained": "b"}
    others |= {"model": "replay", "parts": 3, "benchmark": "x", "metadata": {}}
    assert request(others) == request({})
    assert request({**others, "split": "dev"}).test_split == "validation"


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        (None, "test"),
        ("dev", "validation"),
        ("validation", "validation"),
        ("train", "train"),
        ({"tatqa": "dev"}, "validation"),
        ({"finqa": "dev"}, "test"),
    ],
)
def test_split_names_what_stands_as_test(split, expected):
    assert request({"split": split}).test_split == expected


# --- which file ----------------------------------------------------------------------


def test_a_named_file_that_is_missing_is_an_error(downloads, tmp_path):
    wanted = request({"data_files": {"test": str(tmp_path / "gone.json")}})
    with pytest.raises(DataError, match=r"data_files: .*gone\.json is not a file"):
        wanted.path("test", "tatqa", required=True)


def test_a_home_folder_is_expanded(downloads, tmp_path, monkeypatch, write):
    path = write("a.json", [])
    monkeypatch.setenv("HOME", str(tmp_path))
    wanted = request({"data_files": "~/a.json"})
    assert wanted.path("test", "tatqa", required=True) == path


def test_a_named_file_comes_before_the_folder(downloads, tmp_path, write):
    in_folder = write("data/tatqa/tatqa_dataset_test_gold.json", [])
    named = write("named.json", [])
    folder = {"data_dir": str(tmp_path / "data")}
    assert request(folder).path("test", "tatqa", required=True) == in_folder
    both = request({**folder, "data_files": {"test": str(named)}})
    assert both.path("test", "tatqa", required=True) == named


@pytest.fixture
def table(monkeypatch):
    """Replace the table of sources."""

    def set_sources(*wanted: Source) -> None:
        monkeypatch.setattr(sources, "SOURCES", wanted)

    return set_sources


def public(dataset, split, *urls):
    return Source(dataset, split, f"{dataset}/{split}.jsonl", urls, "CC-BY-4.0")


def test_a_split_for_examples_stays_empty_where_the_user_named_other_files(
    downloads, server, table, write, tmp_path
):
    line = Reply(b'{"a": 1}\n')
    table(public("tanq", "validation", server.url("dev.jsonl", line)))
    named = {"data_files": {"test": str(write("a.jsonl", []))}}
    folder = {"data_dir": str(tmp_path)}
    for metadata in (named, folder):
        wanted = request(metadata, "tanq")
        assert wanted.path("validation", "tanq", required=False) is None
    assert server.requests == []
    fetched = request({}, "tanq").path("validation", "tanq", required=False)
    assert fetched.read_bytes() == line.body


def test_examples_that_cannot_be_fetched_warn_and_leave_the_split_empty(
    downloads, server, table, warned
):
    url = server.url("dev.jsonl", Reply(status=403))
    table(public("tanq", "validation", url))
    assert request({}, "tanq").path("validation", "tanq", required=False) is None
    (warning,) = warned
    for part in ("tanq", "no few-shot examples", url, "403"):
        assert part in warning
    with pytest.raises(DataError, match="403"):
        request({}, "tanq").path("validation", "tanq", required=True)


def test_a_split_that_nobody_published(downloads):
    wanted = request({}, "tanq")
    assert wanted.path("train", "tanq", required=False) is None
    with pytest.raises(DataError, match="tanq has no public train split"):
        wanted.path("train", "tanq", required=True)


def test_any_of_several_data_sets_will_do(downloads, tmp_path, table, write):
    table(public("a", "test"), public("b", "test"))
    wanted = request({"data_dir": str(tmp_path)})
    second = write("b/test.jsonl", [{}])
    assert wanted.path("test", "a", "b", required=True) == second
    first = write("a/test.jsonl", [{}])
    assert wanted.path("test", "a", "b", required=True) == first


# --- the splits ----------------------------------------------------------------------


def test_only_the_test_split_is_read_before_another_is_asked_for():
    read, asked = read_from({"train": ["a"], "validation": ["b"], "test": ["c"]})
    loaded = Splits(request({}), read, FEATURES)
    assert asked == ["test"]
    assert loaded["test"]["id"] == ["c"]
    assert loaded["train"]["id"] == ["a"]
    assert loaded["train"]["id"] == ["a"]
    assert asked == ["test", "train"]


def test_all_splits_are_there_with_the_same_features():
    read, _ = read_from({"test": ["c"]})
    loaded = Splits(request({}), read, FEATURES)
    assert list(loaded) == ["train", "validation", "test"]
    assert {name: len(split) for name, split in loaded.items()} == {
        "train": 0,
        "validation": 0,
        "test": 1,
    }
    assert all(split.features == FEATURES for split in loaded.values())
    with pytest.raises(KeyError):
        loaded["dev"]


def test_the_split_that_stands_as_test_gives_no_examples():
    read, _ = read_from({"train": ["a"], "validation": ["b"], "test": ["c"]})
    loaded = Splits(request({"split": "dev"}), read, FEATURES)
    assert loaded["test"]["id"] == ["b"]
    assert len(loaded["validation"]) == 0
    assert loaded["train"]["id"] == ["a"]


@pytest.mark.parametrize("split", [None, "dev"])
def test_a_question_that_is_tested_is_no_example(split, warned):
    read, _ = read_from(
        {"train": ["a", "b", "c"], "validation": ["b", "c"], "test": ["c", "d"]}
    )
    loaded = Splits(request({"split": split}), read, FEATURES)
    tested = loaded["test"]["id"]
    assert tested == (["b", "c"] if split else ["c", "d"])
    assert loaded["train"]["id"] == [n for n in ("a", "b", "c") if n not in tested]
    assert loaded["validation"]["id"] == ([] if split else ["b"])
    assert warned[0] == (
        f"tatqa: left out {2 if split else 1} of 3 questions of the train split, which "
        "are tested themselves: no prompt may show its own answer"
    )


def test_a_test_split_without_records_is_an_error():
    read, _ = read_from({"validation": ["b"]})
    with pytest.raises(DataError, match="tatqa: the test split holds no record"):
        Splits(request({}), read, FEATURES)


def test_the_test_split_fails_before_any_other_is_fetched(downloads, server, table):
    table(
        public("tanq", "test", server.url("test.jsonl", Reply(status=404))),
        public("tanq", "validation", server.url("dev.jsonl", Reply(b"{}\n"))),
    )
    with pytest.raises(DataError, match=r"test\.jsonl"):
        tanq.load()
    assert all(path == "/test.jsonl" for _, path in server.requests)


# --- ids -----------------------------------------------------------------------------


def documents(*pairs):
    return [{"id": name, "question": question} for name, question in pairs]


def test_an_id_that_several_questions_share_is_numbered(warned):
    given = documents(("a", "1"), ("b", "2"), ("a", "3"), ("a", "4"))
    named = splits.distinct(given, "tanq")
    assert [document["id"] for document in named] == ["a", "b", "a#2", "a#3"]
    assert [document["question"] for document in named] == ["1", "2", "3", "4"]
    assert warned == [
        "tanq: 2 ids belong to several questions; the later ones are now a#2, a#3"
    ]
    assert given == documents(("a", "1"), ("b", "2"), ("a", "3"), ("a", "4"))


def test_the_same_question_twice_is_an_error():
    with pytest.raises(DataError, match="tanq: the record with id a occurs twice"):
        splits.distinct(documents(("a", "1"), ("b", "2"), ("a", "1")), "tanq")
