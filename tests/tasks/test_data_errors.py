"""What a user may get wrong about the data: one line that says what to do."""

import gzip
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest
from tasks.sweeps import FOLDER
from tasks.tat_runs import load as load_task, prompts

from lm_eval_tasks.data import finqa, sources, tanq, tatdqa, tatllm, tatqa
from lm_eval_tasks.errors import DataError


LOADERS = {
    "tanq": tanq.load,
    "tatqa": tatqa.load,
    "tatdqa": tatdqa.load,
    "finqa": finqa.load,
    "tatllm_tatqa_stepwise": partial(tatllm.load, "tatqa", "stepwise"),
}
SAMPLES = {
    "tanq": FOLDER / "tanq" / "samples" / "records.jsonl",
    **{
        name: FOLDER / name / "samples" / "records.json"
        for name in ("tatqa", "tatdqa", "finqa")
    },
}
NAMES = {"tanq": "TANQ", "tatqa": "TAT-QA", "tatdqa": "TAT-DQA", "finqa": "FinQA"}


@pytest.fixture
def offline(downloads, monkeypatch):
    """An empty cache, and no network."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


def error_of(benchmark, **metadata):
    with pytest.raises(DataError) as caught:
        LOADERS[benchmark](**metadata)
    message = str(caught.value)
    assert "\n" not in message
    return message


def name_of(value):
    """Name a test; the bytes of a file may be none that a name can have."""
    return value if isinstance(value, str) else "bytes"


# --- Nothing at hand ----------------------------------------------------------------------


@pytest.mark.parametrize("ours", LOADERS)
def test_offline_it_says_what_to_put_where(ours, offline):
    message = error_of(ours)
    assert "not in the cache, and offline mode is on" in message
    listed = sources.sources_of(ours)
    source = next(each for each in listed if each.path in message)
    for part in (*source.urls, source.check, f"save the file as DIR/{source.path}"):
        assert part in message
    assert '--metadata \'{"data_dir": "DIR"}\' or set TABLEQA_DATA_DIR' in message


@pytest.mark.parametrize("ours", LOADERS)
def test_a_folder_without_the_file(ours, offline, tmp_path):
    message = error_of(ours, data_dir=str(tmp_path))
    assert f"{tmp_path} has no " in message
    assert f"save the file as {tmp_path}/" in message


@pytest.mark.parametrize("place", [".", "TAT-QA"])
def test_a_file_at_another_place_of_the_folder(offline, tmp_path, place):
    (tmp_path / place).mkdir(exist_ok=True)
    there = tmp_path / place / "tatqa_dataset_test_gold.json"
    there.write_bytes(SAMPLES["tatqa"].read_bytes())
    message = error_of("tatqa", data_dir=str(tmp_path))
    assert f"has no tatqa/{there.name}, but there is {there}: is that it? " in message


@pytest.mark.parametrize("value", ["no/such/folder", str(SAMPLES["tatqa"])])
def test_no_folder(offline, value):
    assert error_of("tatqa", data_dir=value) == f"data_dir: {value} is not a folder"


def test_a_benchmark_that_data_files_leaves_out(offline):
    message = error_of("tatqa", data_files={"tanq": str(SAMPLES["tanq"])})
    assert message.startswith(
        "data_files names no records of the test split of tatqa; "
    )


def test_a_part_that_data_files_leaves_out(offline):
    message = error_of("tatdqa", data_files=str(SAMPLES["tatdqa"]))
    assert message.startswith(
        "data_files names no prompts of the test split of tatdqa; "
    )
    assert "could not be fetched" in message


# --- Names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"split": "tset"}, "split: 'tset' is no split; choose from train, dev, test"),
        (
            {"split": {"tatqq": "dev"}},
            "split: tatqq is no benchmark; choose from tanq, ",
        ),
        ({"data_files": {"tset": "a"}}, "data_files: 'tset' is no split; choose from "),
        (
            {"data_files": {"tatqq": "a"}},
            "or, in a run that mixes benchmarks, from tanq,",
        ),
        ({"data_files": {"tatqa": {"tset": "a"}}}, "data_files: 'tset' is no split"),
        ({"data_files": "no.json"}, "data_files: no.json is not a file"),
        ({"data_files": {"test": "/"}}, "data_files: / is not a file"),
    ],
)
def test_a_name_that_is_none(metadata, said, offline):
    assert said in error_of("tatqa", **metadata)


# --- Files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize(("ours", "other"), permutations(SAMPLES, 2))
def test_the_file_of_another_benchmark(ours, other, keyed, offline):
    """Named for all tasks of a run, a file is right for one benchmark only."""
    path = str(SAMPLES[other])
    message = error_of(ours, data_files={ours: path} if keyed else path)
    names = f"{path} holds records of {NAMES[other]}, not of {NAMES[ours]}"
    assert message.startswith(names)
    hint = f'data_files names the files of each: {{"data_files": {{"{other}": …, "'
    assert (hint in message) is not keyed


@pytest.mark.parametrize("other", SAMPLES)
def test_records_in_the_place_of_prompts(other, offline):
    """A file named for all tasks of a run is no file of TAT-LLM's prompts."""
    ours, path = "tatllm_tatqa_stepwise", str(SAMPLES[other])
    said = f"{path} holds records of {NAMES[other]}, not prompts of TAT-LLM"
    assert error_of(ours, data_files={ours: path}).startswith(f"{said} (")
    hint = f'{{"data_files": {{"{other}": …, "{ours}": …}}}}'
    message = error_of(ours, data_files=path)
    assert message.startswith(f"{said}; in a run that mixes benchmarks, ")
    assert hint in message


@pytest.mark.parametrize("ours", SAMPLES)
def test_prompts_in_the_place_of_records(ours, offline, tmp_path):
    path = tmp_path / "prompts.json"
    path.write_text('[{"id": "a", "user_prompt": "5?", "resp": "5"}]')
    message = error_of(ours, data_files=str(path))
    said = f"{path} holds prompts of TAT-LLM, not records of {NAMES[ours]}; in a run "
    assert message.startswith(said)
    assert f'{{"data_files": {{"tatllm_…": …, "{ours}": …}}}}' in message


@pytest.mark.parametrize("keyed", [False, True])
def test_the_parts_of_another_benchmark(keyed):
    parts = {"test": {"prompts": "a", "gold": "b"}}
    message = error_of("tatqa", data_files={"tatqa": parts} if keyed else parts)
    assert "paths by name, which can be: records" in message
    assert ('{"data_files": {"tatqa": …}}' in message) is not keyed


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("ours", ["tanq", "tatqa", "finqa"])
def test_a_file_that_was_cut_off(ours, zipped, share, tmp_path):
    content = SAMPLES[ours].read_bytes().rstrip()
    if zipped:
        content = gzip.compress(content)
    path = tmp_path / "cut.json"
    path.write_bytes(content[: int(len(content) * share)])
    message = error_of(ours, data_files=str(path))
    assert message.startswith(str(path))
    assert ("damaged gzip file" if zipped else "not valid JSON, cut off") in message


def test_damage_in_the_middle_is_named_by_its_line(tmp_path):
    path = tmp_path / "damaged.json"
    path.write_bytes(SAMPLES["tatqa"].read_bytes().replace(b'"uid"', b"uid", 1))
    message = error_of("tatqa", data_files=str(path))
    assert f"{path}, line 4: not valid JSON" in message
    assert "Expecting property name" in message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ": is empty"),
        (b" \n ", ": is empty"),
        (gzip.compress(b"[]"), ": is an empty list"),
        (b"<!DOCTYPE html><p>Log in</p>", "it is a web page or XML"),
        (b'{"a": 1}\n{"a": 2}\n', "line 1: no "),
        (b'[\n{"a": 1}]', "item 1: no "),
        (b"{}", ": is an empty object"),
        (b"[]", ": is an empty list"),
        (b"[1]", "item 1: 1 is not an object with keys"),
        (b'{"a": 1}', "the one object: no "),
        (b"a,b\n1,2\n", "line 2: no "),
        (b"\xff\xfe[\0]\0", "line 1: is not text in UTF-8 (byte 0)"),
    ],
    ids=name_of,
)
@pytest.mark.parametrize("ours", ["tanq", "tatqa", "finqa"])
def test_what_has_no_records(ours, content, said, tmp_path):
    path = tmp_path / "file.json"
    path.write_bytes(content)
    assert said in error_of(ours, data_files=str(path))


# --- Few-shot examples ---------------------------------------------------------------------


def test_too_few_examples_name_the_file_that_is_not_there(tmp_path, downloads):
    """A `data_dir` without the file is no error before examples are asked for."""
    place = tmp_path / "tatqa" / "tatqa_dataset_test_gold.json"
    place.parent.mkdir()
    place.write_bytes(SAMPLES["tatqa"].read_bytes())
    task = load_task("tatqa", data_dir=str(tmp_path))
    assert len(prompts(task, 0)) == 10
    with pytest.raises(DataError) as caught:
        prompts(task, 2)
    assert "put tatqa/tatqa_dataset_train.json into data_dir" in str(caught.value)


def test_a_question_of_the_same_split_is_no_example_for_itself():
    """The harness draws one more; of too few, it would say nothing that helps."""
    task = load_task("tatqa_sample")
    assert len(prompts(task, 33, limit=1)) == 1
    with pytest.raises(DataError, match="34 records that it tests: at most 33"):
        prompts(task, 34, limit=1)


@pytest.mark.parametrize("name", ["tanq", "tatqa", "tatdqa", "finqa", "tat_llm"])
def test_the_files_that_a_sampler_names_are_those_of_its_split(name):
    task = {"tanq": "tanq_sample", "tat_llm": None}.get(name, f"{name}_sample")
    text = (FOLDER / name / "utils.py").read_text(encoding="utf-8")
    files = text.partition("    files = ")[2].partition("\n\n")[0]
    named = [part.strip('"() ') for part in files.replace(" and ", "\n").split()]
    known = {source.path for source in sources.SOURCES}
    known |= {place for source in sources.SOURCES for place in source.also_at}
    expanded = {
        path.replace("STYLE", style).replace("/D", f"/{data}")
        for path in named
        if "/" in path
        for style in sources.TAT_LLM_STYLES
        for data in sources.TAT_LLM_DATASETS
    }
    assert expanded
    assert expanded <= known
    template = next((FOLDER / name).glob("_*template_yaml")).read_text()
    suffix = "train" if "fewshot_split: train" in template else "dev"
    assert all(Path(path).stem.endswith(suffix) for path in expanded)
    assert task is None or load_task(task).sampler.files != ""
