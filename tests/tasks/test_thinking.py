"""What is no answer in any task: thoughts of `--metadata '{"thinking": true}'`, `None`."""

import ast
import json
from pathlib import Path

import lm_eval
import pytest
from tasks.sweeps import DATA_FILES, FOLDER, tat_llm_files
from tasks.tat_runs import evaluate, load

from lm_eval_tasks.data import metadata as given
from lm_eval_tasks.errors import DataError


TASKS = sorted(path.stem for path in FOLDER.glob("*/*_*.yaml")) + ["tatqa", "finqa"]
TASKS = [name for name in (*TASKS, "tatdqa") if name != "tat_llm"]
THOUGHT = "The revenue was 12.5 in 2019, so the answer may be 94. The answer is: 94"
# What scores of no answer may be: TANQ's official ones of an empty prediction.
EMPTY_TABLE = {"rms_precision": 100.0}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return {**DATA_FILES, **tat_llm_files(tmp_path_factory.mktemp("tat_llm"))}


def scores(task, document, response):
    return task.process_results(document, [response])


@pytest.mark.parametrize("name", TASKS)
class TestTask:
    """Every task takes the key, and hands it to extraction."""

    def test_an_unfinished_thought_is_no_answer(self, name, files):
        task = load(name, data_files=files, thinking=True)
        for document in task.test_docs():
            found = scores(task, document, THOUGHT)
            reason = found.pop("no_table" if name.startswith("tanq") else "no_answer")
            assert reason == "unfinished_thought"
            assert found.pop("off_format") is None
            found.pop("retrieval_recall", None)
            allowed = {key: (0.0, EMPTY_TABLE.get(key), None) for key in found}
            assert {k: v for k, v in found.items() if v not in allowed[k]} == {}
            assert any(value == 0.0 for value in found.values())

    def test_a_finished_one_is_scored_by_what_follows_it(self, name, files):
        task = load(name, data_files=files, thinking=True)
        plain = load(name, data_files=files)
        for thinks, does_not in zip(task.test_docs(), plain.test_docs(), strict=True):
            answer = plain.doc_to_target(does_not)
            expected = scores(plain, does_not, answer)
            assert scores(task, thinks, f"{THOUGHT}</think>\n\n{answer}") == expected

    def test_a_response_that_is_none_is_an_empty_one(self, name, files):
        task = load(name, data_files=files)
        for document in task.test_docs():
            found = scores(task, document, None)
            assert found == scores(task, document, "")
            assert found.get("no_answer", found.get("no_table")) == "empty"

    def test_without_the_key_nothing_changes(self, name, files):
        plain = load(name, data_files=files)
        off = load(name, data_files=files, thinking=False)
        assert list(plain.test_docs()) == list(off.test_docs())
        for document in plain.test_docs():
            assert "thinking" not in document
            found = scores(plain, document, THOUGHT)
            assert found.get("no_answer", found.get("no_table")) != "unfinished_thought"

    def test_documents_say_it_in_every_split(self, name, files):
        task = load(name, data_files=files, thinking=True)
        features = [split.features for split in task.dataset.values()]
        assert all("thinking" in each for each in features)
        assert all(document["thinking"] is True for document in task.test_docs())
        prompts = [
            list(map(each.doc_to_text, each.test_docs()))
            for each in (task, load(name, data_files=files))
        ]
        assert prompts[0] == prompts[1]


def test_every_task_is_here():
    defined = {path.stem for path in FOLDER.glob("*/*.yaml")}
    assert set(TASKS) == defined - {"tanq", "tat_llm"}


# --- Through the harness ----------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    """Right answers after a thought and without one, and thoughts that never end."""
    task = load("tatqa_sample")
    rows = []
    for number, document in enumerate(task.test_docs()):
        answer = task.doc_to_target(document)
        response = (f"{THOUGHT}</think>{answer}", answer, THOUGHT)[number % 3]
        rows.append({"id": document["id"], "response": response})
    path = tmp_path / "responses.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_run_counts_them(saved, harness_log):
    def counted():
        lines = [m for m in harness_log.messages if m.startswith("no_answer")]
        harness_log.clear()
        return lines

    results, logged = evaluate("tatqa_sample", saved, {"thinking": True})
    # What has no closing tag is a thought, however right it would be as an answer.
    for sample in logged.values():
        ended = "</think>" in sample["resps"][0][0]
        assert sample["no_answer"] == (None if ended else "unfinished_thought")
        assert sample["value_em"] == float(ended)
        assert sample["doc"]["thinking"] is True
    assert results["no_answer,none"] == 22 / 34
    assert results["value_em,none"] == 12 / 34
    assert counted() == [
        "no_answer: 22 of 34 responses to tatqa_sample (22 unfinished_thought)"
    ]
    results, logged = evaluate("tatqa_sample", saved, {})
    assert results["no_answer,none"] == 0
    right = {name for name, sample in logged.items() if sample["value_em"]}
    assert right >= {
        name for name, sample in logged.items() if sample["resps"][0][0] != THOUGHT
    }
    assert counted() == []


def test_a_run_of_thoughts_alone_says_what_may_be_wrong(tmp_path, harness_log):
    path = tmp_path / "responses.json"
    ids = [document["id"] for document in load("finqa_sample").test_docs()]
    path.write_text(json.dumps(dict.fromkeys(ids, THOUGHT)))
    evaluate("finqa_sample", path, {"thinking": True})
    (line,) = [m for m in harness_log.messages if m.startswith("no_answer")]
    assert f"({len(ids)} unfinished_thought); no response got past its thought" in line


# --- What a user may write --------------------------------------------------------------


@pytest.mark.parametrize("value", ["true", "yes", 1, 0, None, [], {"tatqa": True}])
def test_it_is_true_or_false(value):
    with pytest.raises(DataError, match="thinking is .*, and must be true or false"):
        load("tatqa_sample", thinking=value)


@pytest.mark.parametrize("token", ["</think>", 151668])
def test_the_harness_must_not_take_thoughts_off(token):
    """Model arguments reach a task beside the metadata, and so does this one."""
    with pytest.raises(DataError, match="leave think_end_token out"):
        load("tatqa_sample", thinking=True, think_end_token=token)
    assert load("tatqa_sample", think_end_token=token)
    assert load("tatqa_sample", thinking=True, think_end_token=None)


def test_what_the_harness_leaves_cannot_be_told_apart():
    """The reason for the error: a finished thought and an unfinished one look the same."""
    from lm_eval.models.utils import postprocess_generated_text

    def left(text):
        return postprocess_generated_text(text, ["<|im_end|>"], "</think>")

    assert left("5 or 94</think> The answer is 94") == "The answer is 94"
    assert left("5, or is the answer 94") == "5, or is the answer 94"


@pytest.fixture
def slips(warned):
    given._warn_of_slip.cache_clear()
    yield warned
    given._warn_of_slip.cache_clear()


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        *[("thinkng", "thinking"), ("Thinking", "thinking"), ("datadir", "data_dir")],
        *[("data-dir", "data_dir"), ("data_file", "data_files"), ("splits", "split")],
        *[("max_context_char", "max_context_chars"), ("passage", "passages")],
    ],
)
def test_a_slip_is_warned_of_once(key, meant, slips):
    load("tatqa_sample", **{key: True})
    load("tanq_sample", **{key: True})
    (slip,) = slips
    assert slip == (
        f"--metadata: the table tasks know no key {key!r}, and ignore it; did you mean "
        f"{meant!r}?"
    )


def test_what_others_call_their_keys_is_no_slip(slips):
    """Nor is any argument of the harness's models, which reach a task too."""
    folder = Path(lm_eval.__file__).parent / "models"
    arguments = {
        argument.arg
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for argument in (*node.args.args, *node.args.kwonlyargs)
    }
    assert {"pretrained", "enable_thinking", "data_parallel_size"} <= arguments
    others = {
        *("version", "config_source", "max_seq_lengths", "tokenizer", "num_fewshot"),
        *("base_url", "max_length", "responses", "id_key", "response_key", "missing"),
    }
    given.warn_of_slips(dict.fromkeys(arguments | others))
    assert slips == []


def test_our_own_keys_are_no_slips(slips):
    given.warn_of_slips(dict.fromkeys(given.KEYS))
    assert slips == []


# --- Nothing else scores a response that is not there ----------------------------------------


@pytest.mark.parametrize("name", [task for task in TASKS if task[:4] != "tanq"])
def test_an_empty_response_scores_0_in_every_metric(name, files):
    """Of TANQ alone the released scorer gives it more; see its README."""
    task = load(name, data_files=files)
    for document in task.test_docs():
        found = scores(task, document, "")
        assert found.pop("no_answer") == "empty"
        assert set(found.values()) <= {0.0, None}


@pytest.mark.parametrize("folder", sorted({p.parent for p in FOLDER.glob("*/*.yaml")}))
def test_each_readme_says_how(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert """`--metadata '{"thinking": true}'`""" in text
    assert "`think_end_token`" in text
