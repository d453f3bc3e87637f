"""The TANQ tasks, from the YAML files to the numbers that the harness reports."""

import json
import random
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager, get_task_dict

import lm_eval_tasks
from lm_eval_tasks.errors import DataError
from lm_eval_tasks.replay import ReplayLM
from tableqa_metrics.table import Table, parse_serialized


FOLDER = Path(lm_eval_tasks.__file__).parent
SAMPLES = FOLDER / "tanq" / "samples"
KEYS = {
    *("f1", "precision", "recall", "rms_f1", "rms_precision", "rms_recall"),
    *("rms_f1_simple", "rms_f1_intersection", "rms_f1_composition"),
    *("value_f1", "no_table", "off_format"),
}
TASKS = ("tanq_closed_book", "tanq_oracle", "tanq_sample")


def manager(**metadata: Any) -> TaskManager:
    return TaskManager(
        include_path=str(FOLDER), include_defaults=False, metadata=metadata
    )


def load(task: str, **metadata: Any) -> Any:
    return get_task_dict([task], manager(**metadata))[task]


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def evaluate(
    task: str, responses: Path, metadata: dict[str, Any], **options: Any
) -> Any:
    keys = {
        key: options.pop(key)
        for key in ("id_key", "response_key", "missing")
        if key in options
    }
    return simple_evaluate(
        model=ReplayLM(responses=responses, **keys),
        tasks=[task],
        task_manager=manager(**metadata),
        **options,
    )


@pytest.fixture(scope="module")
def official_samples(shared: Path) -> Path:
    return shared / "data" / "tanq" / "test_input.jsonl"


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return read_lines(SAMPLES / "records.jsonl")


@pytest.fixture
def own_files(tmp_path: Path, records: list[dict[str, Any]]) -> dict[str, Any]:
    """A dev and a test file in the released schema, as metadata."""
    files = {}
    for split, some in (("test", records[:11]), ("dev", records[11:])):
        path = tmp_path / f"{split}.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in some), encoding="utf-8")
        files[split] = str(path)
    return {"data_files": files}


# Loading, prompts


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("shots", [0, 2])
def test_each_task_builds_ten_prompts(task, shots, own_files):
    loaded = load(task, **own_files)
    loaded.set_config("num_fewshot", shots)
    loaded.set_fewshot_seed(1234)
    loaded.build_all_requests(limit=10, rank=0, world_size=1)
    prompts = [instance.args[0] for instance in loaded.instances]
    assert len(prompts) == 10
    for prompt in prompts:
        assert prompt == prompt.strip()
        assert prompt.count("\nQuestion: ") == prompt.count("\nAnswer:") == shots + 1
        assert prompt.endswith("\nAnswer:")
        assert ("## " in prompt) == (task != "tanq_closed_book")


def test_a_shot_shows_the_reference_as_the_prompt_asks(own_files, records):
    loaded = load("tanq_closed_book", **own_files)
    loaded.set_fewshot_seed(1)
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 3)
    for record in records[11:]:
        question = record["ext_question_rephrased"].strip()
        table = parse_serialized(record["answer_table"]).to_markdown()
        assert (
            f"Question: {question}\nAnswer:\n{table}\n\nAnswer the question" in prompt
        )


def test_samples_take_other_samples_as_shots():
    loaded = load("tanq_sample")
    loaded.set_fewshot_seed(1)
    for document in loaded.eval_docs:
        prompt = loaded.fewshot_context(document, 13)
        assert prompt.count(document["question"].strip()) == 1


def test_shots_without_a_dev_file_are_a_clear_error(official_samples):
    loaded = load("tanq_closed_book", data_files=str(official_samples))
    loaded.set_fewshot_seed(1)
    with pytest.raises(DataError, match="few-shot split"):
        loaded.fewshot_context(loaded.eval_docs[0], 1)


GOLDEN_PROMPT = """\
Answer the question with one table in GitHub Markdown, of this form:

| entity | attribute | attribute |
| --- | --- | --- |
| name | value | value |

- The first column is named entity and holds the names of the answers, one row for each of them.
- Each other column holds one attribute that the question asks for, under its name in the question; a name written like (date_of_birth) becomes date of birth.
- Several values in one cell are separated by a comma and a space: a, b
- A cell whose value is not known is left empty.
- Full dates are written as YYYY-MM-DD.
- Nothing follows the table.
{context}
Question: {question}
Answer:"""


def test_golden_closed_book_prompt(official_samples):
    loaded = load("tanq_closed_book", data_files=str(official_samples))
    # This question ends in a line break in the released file.
    question = (
        "What TV show featured a fictional town on the WB network? Provide details about "
        "its distributor (distributed_by), start time (start_time), creator (creator), "
        "number of episodes (number_of_episodes), original language (original_language), "
        "country of origin (country_of_origin), genre (genre), composer (composer), and "
        "end time (end_time)."
    )
    prompt = loaded.fewshot_context(loaded.eval_docs[2], 0)
    assert prompt == GOLDEN_PROMPT.format(context="", question=question)


def test_golden_oracle_prompt():
    context = """
The facts are on these pages. Some of them are about things that do not belong in the table.

## Agnes Thorold
Thorold is remembered as the discoverer of Comet Thorold.

## Comet Thorold
### Discovery
Comet Thorold was discovered on 16 August 1889 with a three-inch refractor.
"""
    question = (
        "Which comet did Agnes Thorold discover, and what was the time of discovery "
        "(time_of_discovery)?"
    )
    loaded = load("tanq_sample")
    prompt = loaded.fewshot_context(loaded.eval_docs[10], 0)
    assert prompt == GOLDEN_PROMPT.format(context=context, question=question)


def test_oracle_shows_distractors_and_does_not_mark_them(records):
    loaded = load("tanq_sample")
    documents = {document["id"]: document for document in loaded.eval_docs}
    failing = 0
    for record in records:
        context = documents[record["init_qid"]]["context"]
        for answer in record["answer_list"]:
            failing += not answer["filter_pass"]
            for proof in answer["init_answer_proof"]:
                assert context.count(proof["proof_text"]) == 1
        assert "filter" not in context.casefold()
    assert failing >= 3


def test_a_budget_cuts_the_context_and_never_the_question(own_files, harness_log):
    loaded = load("tanq_oracle", max_context_chars=400, **own_files)
    cut = 0
    for document in loaded.eval_docs:
        assert len(document["context"]) <= 400
        cut += document["truncated"]
        prompt = loaded.fewshot_context(document, 0)
        assert prompt.endswith(f"\n\nQuestion: {document['question'].strip()}\nAnswer:")
    assert 0 < cut < 11
    said = f"tanq_oracle: {cut} of 11 contexts of the test split are cut"
    assert said in harness_log.text


def test_the_sample_task_warns_under_its_own_name(harness_log):
    load("tanq_sample", max_context_chars=400)
    said = "tanq_sample: 11 of 14 contexts of the test split are cut"
    assert said in harness_log.text
    assert "tanq_oracle:" not in harness_log.text


def test_the_default_budget_cuts_no_sample():
    assert not any(load("tanq_sample").eval_docs["truncated"])


@pytest.mark.parametrize("budget", [0, -5, "many", None, True, 1.5])
def test_a_budget_that_is_no_length_is_a_clear_error(budget, own_files):
    with pytest.raises(DataError, match="max_context_chars"):
        load("tanq_oracle", max_context_chars=budget, **own_files)


def test_oracle_without_any_proof_is_a_clear_error(official_samples):
    with pytest.raises(DataError, match="10 records.*384__wikidata_intersection__test"):
        load("tanq_oracle", data_files=str(official_samples))


def test_oracle_names_records_without_proofs(records, tmp_path, harness_log):
    path = tmp_path / "test.jsonl"
    bare = {**records[0], "answer_list": None}
    lines = [json.dumps(record) + "\n" for record in (bare, records[1])]
    path.write_text("".join(lines), encoding="utf-8")
    loaded = load("tanq_oracle", data_files=str(path))
    assert "1 of 2 records" in harness_log.text
    assert bare["init_qid"] in harness_log.text
    prompts = [loaded.fewshot_context(document, 0) for document in loaded.eval_docs]
    assert ["## " in prompt for prompt in prompts] == [False, True]


def test_without_data_nothing_is_scored(downloads, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_DATASETS_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(DataError, match="tanq/data/v1/test.jsonl"):
        load("tanq_closed_book")


def test_group_tag_and_glob(own_files):
    tasks = manager(**own_files)
    assert {"tanq", "tableqa", "tableqa_sample", *TASKS} <= set(tasks.all_tasks)
    ((group, members),) = get_task_dict(["tanq"], tasks).items()
    assert group.group_name == "tanq"
    assert set(members) == {"tanq_closed_book", "tanq_oracle"}
    assert set(tasks.match_tasks(["tanq_*"])) == {*TASKS, "tanq_open_book"}
    tags = {name: tasks.task_index[name] for name in ("tableqa", "tableqa_sample")}
    assert "tanq_sample" in str(tags["tableqa_sample"])
    for name in ("tanq_closed_book", "tanq_oracle"):
        assert name in str(tags["tableqa"])


def test_the_folder_works_as_a_copy(tmp_path):
    copied = tmp_path / "lm_eval" / "tasks" / "tanq"
    shutil.copytree(FOLDER / "tanq", copied)
    tasks = TaskManager(include_path=str(copied.parent), include_defaults=False)
    loaded = get_task_dict(["tanq_sample"], tasks)["tanq_sample"]
    assert len(loaded.eval_docs) == 14
    document = loaded.eval_docs[0]
    target = loaded.doc_to_target(document)
    assert loaded.process_results(document, [target])["rms_f1"] == 100


@pytest.mark.parametrize("missing", ["tableqa_metrics", "lm_eval_tasks"])
def test_without_the_package_the_folder_says_what_to_install(missing, monkeypatch):
    for name in list(sys.modules):
        if name.split(".")[0] == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match="pip install lm-eval-tableqa"):
        runpy.run_path(str(FOLDER / "tanq" / "utils.py"))


# Scores


def test_replay_equals_the_released_scorer(official_samples, reference, harness_log):
    run = evaluate(
        "tanq_closed_book",
        official_samples,
        {"data_files": {"test": str(official_samples)}},
        id_key="init_qid",
        response_key="prediction_table",
        bootstrap_iters=0,
    )
    official = reference("tanq_official_samples.json")
    results = run["results"]["tanq_closed_book"]
    for name, value in official["aggregate"].items():
        key = name.replace("table_datapoints", "rms")
        assert results[f"{key},none"] == pytest.approx(value, abs=1e-12)
    # Computed once from the definition, apart from this package's metrics.
    assert results["f1,none"] == pytest.approx(17.4441220391265, abs=1e-12)
    logged = {s["doc"]["id"]: s for s in run["samples"]["tanq_closed_book"]}
    assert logged.keys() == official["per_example"].keys()
    for name, scores in official["per_example"].items():
        for key, value in scores.items():
            assert logged[name][f"rms_{key}"] == pytest.approx(100 * value, abs=1e-12)
        assert logged[name]["no_table"] is None
    assert results["no_table,none"] == 0
    assert results["rms_f1_simple,none"] is None
    of_type = {
        kind: [100 * s["f1"] for n, s in official["per_example"].items() if kind in n]
        for kind in ("intersection", "comp")
    }
    for kind, key in (("intersection", "intersection"), ("comp", "composition")):
        mean = sum(of_type[kind]) / len(of_type[kind])
        assert results[f"rms_f1_{key},none"] == pytest.approx(mean, abs=1e-12)
    assert "no_table:" not in harness_log.text
    json.dumps(run["results"], allow_nan=False)


def github(table: Table) -> str:
    return table.to_markdown()


def bare_pipes(table: Table) -> str:
    return re.sub(r"(?m)^\| | \|$", "", table.to_markdown())


def rows_of(table: Table) -> list[list[str]]:
    return [list(row) for row in (table.header, *table.rows)]


def delimited(table: Table, delimiter: str) -> str:
    def cell(text: str) -> str:
        quoted = text.replace('"', '""')
        return f'"{quoted}"' if delimiter in text or '"' in text else text

    return "\n".join(delimiter.join(map(cell, row)) for row in rows_of(table))


def html(table: Table) -> str:
    head, *body = rows_of(table)
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in body]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def transposed(table: Table) -> Table:
    head, *body = zip(*rows_of(table), strict=True)
    return Table(tuple(head), tuple(map(tuple, body)))


def rows_shuffled(table: Table) -> Table:
    rows = random.Random(7).sample(table.rows, len(table.rows))
    return Table(table.header, tuple(rows))


def columns_shuffled(table: Table) -> Table:
    order = list(range(1, len(table.header)))
    random.Random(7).shuffle(order)
    head, *body = [(row[0], *(row[i] for i in order)) for row in rows_of(table)]
    return Table(head, tuple(body))


def objects(table: Table) -> list[dict[str, str]]:
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def data(table: Table) -> dict[str, Any]:
    return {"columns": table.header, "data": table.rows}


DRAFT = "| entity | year |\n| --- | --- |\n| A first guess | 1999 |"

FAITHFUL: dict[str, Callable[[Table], str]] = {
    "github": github,
    "without outer pipes": bare_pipes,
    "without separator": lambda t: re.sub(r"\n\| ---.*", "", github(t)),
    "alignment colons": lambda t: github(t).replace(" --- ", ":---:"),
    "bold names": lambda t: re.sub(r"(?m)^\| ([^|-]+) \|", r"| **\1** |", github(t)),
    "code names": lambda t: re.sub(r"(?m)^\| ([^|-]+) \|", r"| `\1` |", github(t)),
    "TANQ lines": Table.serialize,
    "TANQ lines in prose": lambda t: f"Here it is:\n\n{t.serialize()}\nThat is all.",
    "fenced": lambda t: f"```markdown\n{github(t)}\n```",
    "fenced without a language": lambda t: f"```\n{t.serialize()}```",
    "with prose around": lambda t: (
        f"The table is below.\n\n{github(t)}\n\nAsk for more."
    ),
    "after a thought": lambda t: f"<think>\n{DRAFT}\n</think>\n\n{github(t)}",
    "after a thought opened in the prompt": lambda t: f"hm\n</think>\n{github(t)}",
    "after a draft": lambda t: f"{DRAFT}\n\nFinal answer:\n\n{github(t)}",
    "before another question": lambda t: (
        f"{github(t)}\n\nQuestion: And which year?\nAnswer:\n{DRAFT}"
    ),
    "CSV": lambda t: delimited(t, ","),
    "fenced CSV": lambda t: f"```csv\n{delimited(t, ',')}\n```",
    "tabs": lambda t: delimited(t, "\t"),
    "HTML": html,
    "JSON objects": lambda t: dumps(objects(t)),
    "fenced JSON objects": lambda t: f"```json\n{dumps(objects(t))}\n```",
    "JSON lists": lambda t: dumps(rows_of(t)),
    "JSON columns and data": lambda t: dumps(data(t)),
    "transposed": lambda t: github(transposed(t)),
    "rows shuffled": lambda t: github(rows_shuffled(t)),
    "columns but the first shuffled": lambda t: github(columns_shuffled(t)),
}


@pytest.fixture(scope="module")
def closed_book(official_samples: Path) -> Any:
    return load("tanq_closed_book", data_files=str(official_samples))


@pytest.mark.parametrize("form", FAITHFUL)
def test_a_faithful_rendering_of_the_reference_scores_full(form, closed_book):
    scores = {}
    for document in closed_book.eval_docs:
        response = FAITHFUL[form](parse_serialized(document["answer_table"]))
        result = closed_book.process_results(document, [response])
        assert result["no_table"] is None
        scores[document["id"]] = result["rms_f1"]
    assert scores == pytest.approx(dict.fromkeys(scores, 100), abs=1e-9)


def test_only_github_tables_are_on_format(closed_book):
    document = closed_book.eval_docs[0]
    table = parse_serialized(document["answer_table"])

    def off_format(form: str) -> str | None:
        response = FAITHFUL[form](table)
        return closed_book.process_results(document, [response])["off_format"]

    on_format = ("github", "with prose around", "after a thought", "rows shuffled")
    assert [off_format(form) for form in on_format] == [None] * 4
    others = ("TANQ lines", "CSV", "HTML", "JSON objects", "JSON lists", "tabs")
    assert all(isinstance(off_format(form), str) for form in others)


def test_the_target_is_what_scores_full(closed_book):
    for document in closed_book.eval_docs:
        target = closed_book.doc_to_target(document)
        result = closed_book.process_results(document, [target])
        assert result["f1"] == result["rms_f1"] == 100
        assert result["off_format"] is None


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("<think>I recall that", "unfinished_thought"),
        (f"<think>{DRAFT}", "unfinished_thought"),
        ("Mel Brooks made five films.", "nothing_found"),
    ],
)
def test_a_response_without_a_table(response, reason, closed_book):
    document = closed_book.eval_docs[0]
    result = closed_book.process_results(document, [response])
    assert result.keys() == KEYS
    assert result["no_table"] == reason
    assert result["off_format"] is None
    # The official values of an empty prediction.
    assert (result["rms_precision"], result["rms_recall"], result["rms_f1"]) == (
        100,
        0,
        0,
    )
    assert result["rms_f1_intersection"] == 0
    assert result["rms_f1_simple"] is None
    assert (result["precision"], result["recall"], result["f1"]) == (0, 0, 0)


def test_nothing_found_after_a_cut_context_is_told_apart(own_files):
    loaded = load("tanq_oracle", max_context_chars=400, **own_files)
    whole, cut = (
        next(d for d in loaded.eval_docs if d["truncated"] is truncated)
        for truncated in (False, True)
    )
    for response, reason in (
        ("I cannot say.", "truncated_prompt"),
        ("Five films.", "truncated_prompt"),
        ("", "truncated_prompt"),
        ("<think>Five films", "unfinished_thought"),
    ):
        assert loaded.process_results(cut, [response])["no_table"] == reason
    for response, reason in (
        ("I cannot say.", "refusal"),
        ("Five films.", "nothing_found"),
        ("", "empty"),
    ):
        assert loaded.process_results(whole, [response])["no_table"] == reason
    assert loaded.process_results(cut, [DRAFT])["no_table"] is None


def test_values_are_plain_and_every_key_is_always_there(records):
    loaded = load("tanq_sample")
    responses = {
        r["id"]: r["response"] for r in read_lines(SAMPLES / "responses.jsonl")
    }
    for document in loaded.eval_docs:
        result = loaded.process_results(document, [responses[document["id"]]])
        assert result.keys() == KEYS == loaded.aggregation().keys()
        assert {type(value) for value in result.values()} <= {float, str, type(None)}
        kinds = [
            key
            for key in result
            if key.startswith("rms_f1_") and result[key] is not None
        ]
        assert kinds == [f"rms_f1_{document['question_type']}"]


# The embedded samples


def test_samples_cover_what_they_promise(records):
    kinds = {document["question_type"] for document in load("tanq_sample").eval_docs}
    assert kinds == {"simple", "intersection", "composition"}
    assert len(records) >= 12
    assert len({skill for record in records for skill in record["extended_types"]}) >= 4
    answers = [answer for record in records for answer in record["answer_list"]]
    assert {answer["filter_pass"] for answer in answers} == {True, False}
    proofs = [
        proof["proof_type"]
        for answer in answers
        for extension in answer["extension_answer"]
        for proof in extension["proof"]
    ]
    assert set(proofs) == {"text", "infobox", "table"}
    tables = [parse_serialized(record["answer_table"]) for record in records]
    cells = [cell for table in tables for row in table.rows for cell in row]
    assert "" in cells
    assert any(", " in cell for cell in cells)


def proof_words(proof: dict[str, Any]) -> str:
    if proof["proof_type"] == "table":
        return "\n".join(c["cell_value"] for r in proof["rows"] for c in r["cells"])
    if proof["proof_type"] == "infobox":
        return proof["value"]
    return proof["text"]


def test_every_sample_cell_is_supported(records):
    """The answer table holds the rows that pass, and each value has a proof that says it."""
    for record in records:
        header, *rows = record["answer_table"].splitlines()
        assert header.split("|") == ["entity", *record["question_properties"]]
        passing = [a for a in record["answer_list"] if a["filter_pass"]]
        assert len(rows) == len(passing)
        for row, answer in zip(rows, passing, strict=True):
            by_column: dict[str, list[str]] = {}
            for extension in answer["extension_answer"]:
                entity = extension["extension_entity"]
                column = extension["extension_property_label"]
                by_column.setdefault(column, []).append(entity["label"])
                assert extension["proof"]
                for proof in extension["proof"]:
                    assert entity["mention"] in proof_words(proof)
            values = [
                ", ".join(by_column.get(c, [])) for c in record["question_properties"]
            ]
            assert row.split("|") == [answer["init_answer_wikipedia_id"], *values]
            assert any(
                answer["init_answer_wikipedia_id"] in proof["proof_text"]
                for proof in answer["init_answer_proof"]
            )


def test_samples_through_the_harness(harness_log):
    run = evaluate("tanq_sample", SAMPLES / "responses.jsonl", {})
    results = run["results"]["tanq_sample"]
    logged = {s["doc"]["id"].split("__")[0]: s for s in run["samples"]["tanq_sample"]}
    full = {name for name, sample in logged.items() if sample["rms_f1"] == 100}
    assert full == {"1", "2", "3", "4", "5", "6", "8", "14"}
    for name in ("7", "9", "10"):
        assert 0 < logged[name]["rms_f1"] < 100
        assert 0 < logged[name]["f1"] < 100
    reasons = {name: s["no_table"] for name, s in logged.items() if s["no_table"]}
    assert reasons == {"11": "nothing_found", "12": "empty", "13": "unfinished_thought"}
    assert results["no_table,none"] == 3 / 14
    (line,) = (m for m in harness_log.messages if m.startswith("no_table: "))
    assert line == (
        "no_table: 3 of 14 responses to tanq_sample "
        "(1 nothing_found, 1 empty, 1 unfinished_thought)"
    )
    assert isinstance(results["rms_f1_stderr,none"], float)
    assert results["rms_f1_simple_stderr,none"] == "N/A"
    json.dumps(run["results"], allow_nan=False)


def test_what_is_missing_is_scored_as_an_empty_response(tmp_path):
    """Which has the official precision 100; `tableqa score --missing zero` gives 0."""
    path = tmp_path / "none.jsonl"
    path.write_text('{"id": "of another file", "response": ""}\n')
    run = evaluate("tanq_sample", path, {}, missing="empty", bootstrap_iters=0)
    results = run["results"]["tanq_sample"]
    assert results["rms_precision,none"] == 100
    assert results["rms_f1,none"] == results["value_f1,none"] == 0
    assert results["no_table,none"] == 1
    reasons = {sample["no_table"] for sample in run["samples"]["tanq_sample"]}
    assert reasons == {"empty"}


@pytest.mark.parametrize(
    ("options", "documents"),
    [
        ({"limit": 3}, 3),
        ({"samples": {"tanq_sample": [0, 11]}}, 2),
        ({"num_fewshot": 1}, 14),
    ],
)
def test_options_of_the_harness(options, documents):
    responses = SAMPLES / "responses.jsonl"
    run = evaluate("tanq_sample", responses, {}, bootstrap_iters=0, **options)
    assert len(run["samples"]["tanq_sample"]) == documents
    assert run["results"]["tanq_sample"]["rms_f1,none"] > 0


def test_predict_only():
    responses = SAMPLES / "responses.jsonl"
    run = evaluate("tanq_sample", responses, {}, bootstrap_iters=0, predict_only=True)
    logged = run["samples"]["tanq_sample"]
    saved = {line["id"]: line["response"] for line in read_lines(responses)}
    assert {s["doc"]["id"]: s["resps"][0][0] for s in logged} == saved
