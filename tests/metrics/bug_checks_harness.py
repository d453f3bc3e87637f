"""Checks of the public complaints about data, prompts and the harness (see test_bug_cases).

Each takes the case as the file has it and pytest's request. The harness runs in this
process, on the embedded samples or on a task of a few lines.
"""

from __future__ import annotations

import inspect
import json
import re
import socket
from pathlib import Path

import pytest
import yaml


CHECKS = {}


def check(*names):
    def register(function):
        for name in names:
            assert name not in CHECKS
            CHECKS[name] = function
        return function

    return register


def folder() -> Path:
    import lm_eval_tasks

    return Path(lm_eval_tasks.__file__).parent


def load(task, **metadata):
    """A task of ours as the harness loads it."""
    from tasks.tat_runs import load

    return load(task, **metadata)


def run(task, responses, metadata=(), **options):
    """Results and the sample log of a task of ours on saved responses."""
    from tasks.tat_runs import evaluate

    return evaluate(task, responses, dict(metadata), **options)


def saved(path, responses):
    path.write_text(
        "".join(
            json.dumps({"id": key, "response": text}) + "\n"
            for key, text in responses.items()
        ),
        encoding="utf-8",
    )
    return path


def sample_responses(benchmark):
    return folder() / benchmark / "samples" / "responses.jsonl"


def yaml_files():
    from tasks.test_yaml import FILES, read

    return {path: read(path) for path in FILES}


def tmp(request) -> Path:
    return request.getfixturevalue("tmp_path")


def question(uid="q1", answer="a", **changes):
    return {
        "uid": uid,
        "order": 1,
        "question": "What was revenue?",
        "answer": [answer] if isinstance(answer, str) else answer,
        "derivation": "",
        "answer_type": "span",
        "answer_from": "table",
        "rel_paragraphs": [],
        "req_comparison": False,
        "scale": "",
        **changes,
    }


def tatqa_file(path, questions, table=(("", "2019"), ("Revenue", "5"))):
    context = {
        "table": {"uid": "t", "table": [list(row) for row in table]},
        "paragraphs": [{"uid": "p", "order": 1, "text": "In millions."}],
        "questions": questions,
    }
    path.write_text(json.dumps([context]), encoding="utf-8")
    return path


def finqa_record(name="a-1", **qa):
    gold = {"question": "q", "program": "add(1, 2)", "exe_ans": 3.0, "answer": "3"}
    return {
        "id": name,
        "pre_text": ["before"],
        "post_text": ["after"],
        "table": [["item", "y1"], ["net sales", "5"]],
        "qa": {**gold, **qa},
    }


# --- data


@check("B05")
def the_test_split_is_test_gold(case, request):
    from lm_eval_tasks.data.sources import find_source
    from lm_eval_tasks.data.tatqa import read_file

    expected = case["expected"]
    source = find_source("tatqa", case["input"]["split"])
    assert Path(source.path).name == expected["file"]
    documents = read_file(request.getfixturevalue("shared") / "data" / source.path)
    kinds = [json.loads(document["gold"])["answer_type"] for document in documents]
    counts = {kind: kinds.count(kind) for kind in expected["answer_types"]}
    assert counts == expected["answer_types"]
    assert len(documents) == sum(counts.values()) == expected["questions"]
    assert len({d["context_id"] for d in documents}) == expected["contexts"]
    assert source.questions == expected["questions"]


@check("B06")
def a_file_without_answers(case, request):
    from lm_eval_tasks.data.tatqa import read_file
    from lm_eval_tasks.errors import DataError

    path = tatqa_file(tmp(request) / "tatqa_dataset_test.json", [case["input"]["row"]])
    with pytest.raises(DataError, match="test_gold") as caught:
        read_file(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(DataError, match="test_gold"):
        load("tatqa", data_files={"test": str(path)})


@check("B47")
def finqa_keeps_all_texts_and_says_yes(case, request):
    from tableqa_metrics import finqa_answer_correct, finqa_execute

    asked, expected = case["input"], case["expected"]
    record = finqa_record(program=asked["program"], exe_ans="yes", answer="yes")
    path = tmp(request) / "finqa.json"
    path.write_text(json.dumps([{**record, "pre_text": asked["pre_text"]}]))
    task = load("finqa", data_files={"test": str(path)})
    (document,) = task.eval_docs
    assert expected["prompt_contains"] in task.doc_to_text(document)
    for response in ("The answer is: yes", "Program: greater(5, 3)"):
        scores = task.process_results(document, [response])
        assert scores["exe_acc"] == expected["execution_acc"]
    assert (
        finqa_execute(asked["program"], record["table"]).value == asked["gold_answer"]
    )
    assert finqa_answer_correct("yes", asked["gold_answer"])
    # A display answer of percent is never read.
    assert finqa_answer_correct(0.141, "14.1%")


@check("B66")
def a_key_that_is_not_there(case, request):
    from lm_eval_tasks.errors import TableqaError

    asked, expected = case["input"], case["expected"]
    path = request.getfixturevalue("shared") / "data" / "tanq" / "test_input.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {*asked["row_keys"]} <= rows[0].keys()
    metadata = {"data_files": {"test": str(path)}}
    with pytest.raises(TableqaError) as caught:
        run(
            "tanq_closed_book",
            path,
            metadata,
            id_key="init_qid",
            response_key=asked["prediction_key"],
        )
    assert "\n" not in str(caught.value)
    for key in (asked["prediction_key"], expected["works_with"]):
        assert key in str(caught.value)
    results, _ = run(
        "tanq_closed_book",
        path,
        metadata,
        id_key="init_qid",
        response_key=expected["works_with"],
    )
    for key, name in (
        ("rms_f1", "expected_f1"),
        ("rms_precision", "precision"),
        ("rms_recall", "recall"),
    ):
        assert results[f"{key},none"] == pytest.approx(expected[name], abs=1e-12)


@check("B93")
def no_script_data_sets(case, request):
    from lm_eval_tasks.data.sources import BENCHMARKS, sources_of

    assert case["expected"]["loader"] == "pinned raw JSON, no script"
    sources = [source for benchmark in BENCHMARKS for source in sources_of(benchmark)]
    assert sources
    for source in sources:
        assert source.path.endswith((".json", ".jsonl"))
        for url in source.urls:
            assert case["input"]["path"] not in url
            pinned = re.search("/[0-9a-f]{40}/", url) or "/tanq/data/v1/" in url
            assert pinned
    assert not any("dataset_path" in config for config in yaml_files().values())


@check("B94")
def mixed_types_survive(case, request):
    answers = [row["answer"] for row in case["input"]["rows"]]
    results = [row["exe_ans"] for row in case["input"]["rows"]]
    kinds = ("span", "arithmetic")
    questions = [
        question(f"q{i}", answer, answer_type=kind)
        for i, (answer, kind) in enumerate(zip(answers, kinds, strict=True))
    ]
    path = tatqa_file(tmp(request) / "tatqa.json", questions)
    documents = load("tatqa", data_files={"test": str(path)}).eval_docs
    kept = [json.loads(document["gold"])["answer"] for document in documents]
    assert kept == case["expected"]["answer_roundtrip"] == answers
    assert [type(answer) for answer in kept] == [list, float]
    path = tmp(request) / "finqa.json"
    programs = {0.5: "divide(1, 2)", "yes": "greater(2, 1)"}
    records = [
        finqa_record(f"a-{i}", exe_ans=result, program=programs[result])
        for i, result in enumerate(results)
    ]
    path.write_text(json.dumps(records))
    documents = load("finqa", data_files={"test": str(path)}).eval_docs
    assert [json.loads(d["gold"])["exe_ans"] for d in documents] == results


@check("B95")
def a_column_that_changes_type(case, request):
    titles = [row["title"] for row in case["input"]["rows"]]
    table = [["", *titles], ["Revenue", 1, None]]
    questions = [question("q1", question=titles[0]), question("q2", question=titles[1])]
    path = tatqa_file(tmp(request) / "tatqa.json", questions, table=table)
    documents = load("tatqa", data_files={"test": str(path)}).eval_docs
    assert [d["question"] for d in documents] == case["expected"]["titles"]
    assert documents[0]["table"][0][1:] == case["expected"]["titles"]
    assert documents[0]["table"][1] == ["Revenue", "1", ""]


@check("B96")
def a_column_that_begins_with_nulls(case, request):
    # No scale is "" in the data; a null in another column must not fix its type.
    scales = [row["scale"] for row in case["input"]["rows"]]
    records = [
        {**finqa_record(f"a-{i}"), "pre_text": scale and [scale]}
        for i, scale in enumerate(scales)
    ]
    path = tmp(request) / "finqa.json"
    path.write_text(json.dumps(records))
    documents = load("finqa", data_files={"test": str(path)}).eval_docs
    assert [d["pre_text"] for d in documents] == [[], [], ["million"]]
    questions = [question(f"q{i}", scale=s or "") for i, s in enumerate(scales)]
    path = tatqa_file(tmp(request) / "tatqa.json", questions)
    documents = load("tatqa", data_files={"test": str(path)}).eval_docs
    kept = [json.loads(document["gold"])["scale"] for document in documents]
    assert kept == ["", "", "million"]


@check("B97")
def no_network(case, request):
    monkeypatch = request.getfixturevalue("monkeypatch")
    for name, value in case["input"]["env"].items():
        monkeypatch.setenv(name, value)
    calls = []

    def refuse(_, address):
        calls.append(address)
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for benchmark in ("tanq", "tatqa", "tatdqa", "finqa"):
        results, _ = run(f"{benchmark}_sample", sample_responses(benchmark))
        assert results["value_f1,none" if benchmark == "tanq" else "value_em,none"] > 0
    assert len(calls) == case["expected"]["network_calls"]


@check("B99")
def a_download_that_is_denied(case, request):
    from tasks.http_server import Reply, Running

    from lm_eval_tasks.data import fetch
    from lm_eval_tasks.data.sources import Source
    from lm_eval_tasks.errors import DataError

    monkeypatch = request.getfixturevalue("monkeypatch")
    import datasets

    monkeypatch.setattr(datasets.config, "DOWNLOADED_DATASETS_PATH", tmp(request))
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.delenv("HF_DATASETS_OFFLINE", raising=False)
    monkeypatch.delenv("TABLEQA_DATA_DIR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    running = Running()
    try:
        url = running.server.url(
            "test.jsonl", Reply(b"denied", case["input"]["status"])
        )
        source = Source(
            "tanq", "test", "tanq/test.jsonl", (url,), "CC-BY-4.0", "f" * 40
        )
        with pytest.raises(DataError) as caught:
            fetch.locate(source)
    finally:
        running.stop()
    # The check value is a git blob id: no SHA-256 was ever published.
    for part in (url, "403", source.blob, "DIR/tanq/test.jsonl", "data_dir"):
        assert part in str(caught.value)


# --- reporting


@check("B07")
def every_source_has_a_row(case, request):
    from lm_eval_tasks import cli

    samples, expected = case["input"]["samples"], case["expected"]
    path, capsys = tmp(request), request.getfixturevalue("capsys")
    questions = [
        question(f"q{i}", answer_from=sample["answer_from"])
        for i, sample in enumerate(samples)
    ]
    references = tatqa_file(path / "references.json", questions)
    given = {f"q{i}": ["a" if s["em"] else "b", ""] for i, s in enumerate(samples)}
    (path / "predictions.json").write_text(json.dumps(given))
    arguments = ["--references", str(references)]
    arguments += ["--predictions", str(path / "predictions.json")]
    output = path / "out.json"
    assert cli.main(["score", "tatqa", *arguments, "--output", str(output)]) == 0
    rows = json.loads(output.read_text())["breakdowns"]["answer_type_by_source"]
    spans = [row for row in rows if row["answer_type"] == "span"]
    assert [row["source"] for row in spans] == expected["columns_printed"]
    values = {row["source"]: row["metrics"]["em"]["value"] for row in spans}
    assert values == expected["values"]
    printed = capsys.readouterr().out
    for source in expected["columns_printed"]:
        assert re.search(rf"^span +{source} +1 ", printed, re.MULTILINE)
    assert "..." not in printed


@check("B51")
def every_question_of_a_context_counts(case, request):
    scores, expected = case["input"]["scores"], case["expected"]
    path = tmp(request)
    questions = [question(f"q{i}") for i in range(len(scores))]
    references = tatqa_file(path / "references.json", questions)
    responses = {f"q{i}": "a" if score else "b" for i, score in enumerate(scores)}
    results, _ = run(
        "tatqa",
        saved(path / "responses.jsonl", responses),
        {"data_files": {"test": str(references)}},
    )
    assert results["em,none"] == expected["mean"] != expected["buggy"]


@check("B24")
def a_truncated_prompt_is_counted_apart(case, request):
    expected = case["expected"]
    records = folder() / "tanq" / "samples" / "records.jsonl"
    lines = records.read_text(encoding="utf-8").splitlines()
    ids = [json.loads(line)["init_qid"] for line in lines]
    caplog = request.getfixturevalue("caplog")
    import logging

    monkeypatch = request.getfixturevalue("monkeypatch")
    monkeypatch.setattr(logging.getLogger("lm_eval"), "propagate", True)
    with caplog.at_level("WARNING", logger="lm_eval"):
        results, logged = run(
            "tanq_oracle",
            saved(
                tmp(request) / "r.jsonl",
                dict.fromkeys(ids, case["input"]["prediction"]),
            ),
            {"data_files": {"test": str(records)}, "max_context_chars": 1},
        )
    reasons = [sample["no_table"] for sample in logged.values()]
    assert set(reasons) <= {expected["counted_in"][1], "empty"}
    cut = [s["no_table"] for s in logged.values() if s["doc"]["truncated"]]
    assert cut
    assert set(cut) == {"truncated_prompt"}
    assert results["no_table,none"] == 1.0
    assert results["rms_f1,none"] == expected["em"]
    warnings = [m for m in caplog.messages if m.startswith("no_table: ")]
    assert bool(warnings) == expected["warning"]
    assert f"{len(cut)} truncated_prompt" in warnings[0]


# --- prompts and stop strings


def stop_strings():
    return {
        path: config["generation_kwargs"]["until"]
        for path, config in yaml_files().items()
        if "generation_kwargs" in config
    }


def stopped(text, until):
    """What the harness keeps of a generation."""
    for stop in until:
        text = text.split(stop)[0]
    return text


@check("B73")
def a_line_break_stops_no_table(case, request):
    from tableqa_metrics import extract_table

    text = case["input"]["generation"]
    for until in stop_strings().values():
        assert not {*case["input"]["until"]} & {*until}
        table = extract_table(stopped(text, until))
        assert 1 + len(table.rows) == case["expected"]["rows"]
    # Half of it would be left of the reported one.
    assert "Harbour" not in stopped(text, case["input"]["until"])


@check("B75")
def stop_strings_are_lists(case, request):
    asked, expected = case["input"], case["expected"]
    assert stopped(asked["generation"], expected["fix"]).strip() == expected["answer"]
    assert stopped(asked["generation"], asked["until"]).strip() != expected["answer"]
    assert stop_strings()
    for until in stop_strings().values():
        assert isinstance(until, list)
        assert all(isinstance(stop, str) and stop.strip() for stop in until)


@check("B76")
def prompts_have_real_line_breaks(case, request):
    single = yaml.safe_load(case["input"]["yaml"])["doc_to_text"]
    assert "\\n" in single  # what was reported
    assert "\n" not in single
    for benchmark in ("tanq", "tatqa", "tatdqa", "finqa"):
        task = load(f"{benchmark}_sample")
        for document in task.eval_docs:
            prompt = task.doc_to_text(document)
            assert ("\n" in prompt) == case["expected"][
                "rendered_contains_real_newline"
            ]
            assert "\\n" not in prompt


@check("B77")
def one_beginning_of_sequence(case, request):
    expected = case["expected"]

    def tokens(prompt, add_bos_token):
        """A tokenizer that knows one special token, <bos> (2)."""
        start = [2] if add_bos_token else []
        return start + [2 if part == "<bos>" else 5 for part in split_bos(prompt)]

    def split_bos(prompt):
        return [part for part in re.split("(<bos>)", prompt) if part]

    reported = tokens(case["input"]["prompt"], case["input"]["add_bos_token"])
    assert reported[:2] == expected["not"]
    for benchmark in ("tanq", "tatqa", "tatdqa", "finqa"):
        task = load(f"{benchmark}_sample")
        prompt = task.doc_to_text(task.eval_docs[0])
        found = tokens(prompt, add_bos_token=True)
        assert found[:1] == expected["token_ids_start"]
        assert found[:2] != expected["not"]
        assert not re.search(r"<s>|<bos>|<\|begin_of_text\|>|\[BOS\]", prompt)


# --- the harness


TINY = """
task: tiny
custom_dataset: !function utils.load
output_type: generate_until
test_split: test
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
process_results: !function utils.process_results
generation_kwargs:
  until: ["STOP"]
metric_list:
  - metric: %s
    aggregation: !function utils.%s
    higher_is_better: true
metadata:
  version: 1.0
"""
TINY_UTILS = """
import json
from pathlib import Path

import datasets

from lm_eval_tasks.results import mean_of_present

HERE = Path(__file__).parent


def load(**metadata):
    (HERE / "received.json").write_text(json.dumps(sorted(metadata)))
    rows = [{"id": "d1", "question": "q", "answer": "a"}]
    return {"test": datasets.Dataset.from_list(rows)}


def process_results(doc, results):
    return {%s}


def agg(values):
    (HERE / "aggregated.json").write_text(json.dumps(list(values)))
    return mean_of_present(values)
"""


def tiny_run(path, metric, result, metadata=()):
    """Run a task of one document, whose only score is given as Python source."""
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    from lm_eval_tasks.replay import ReplayLM

    (path / "tiny.yaml").write_text(TINY % (metric, "agg"))
    (path / "utils.py").write_text(TINY_UTILS % result)
    found = simple_evaluate(
        model=ReplayLM(responses=saved(path / "r.jsonl", {"d1": "a"})),
        tasks=["tiny"],
        task_manager=TaskManager(
            include_path=str(path), include_defaults=False, metadata=dict(metadata)
        ),
        bootstrap_iters=0,
    )
    return found


@check("B79")
def our_aggregations_run(case, request):
    (metric,) = case["input"]["metric_list"]
    score = case["input"]["process_results"]
    assert set(score) == {metric["metric"]}
    found = tiny_run(tmp(request), metric["metric"], repr(score)[1:-1])
    assert found["results"]["tiny"]["table_f1,none"] == score["table_f1"]
    aggregated = json.loads((tmp(request) / "aggregated.json").read_text())
    assert aggregated == [score["table_f1"]]
    # In our own tasks each key has the aggregation that its YAML file names.
    for benchmark in ("tanq", "tatqa", "tatdqa", "finqa"):
        task = load(f"{benchmark}_sample")
        path = sample_responses(benchmark)
        responses = [json.loads(line) for line in path.read_text().splitlines()]
        by_id = {row["id"]: row["response"] for row in responses}
        document = task.eval_docs[0]
        scores = task.process_results(document, [by_id[document["id"]]])
        names = {listed["metric"] for listed in task.config.metric_list}
        assert scores.keys() == names == task.aggregation().keys()
        share = "no_table_share" if benchmark == "tanq" else "no_answer_share"
        called = {function.__name__ for function in task.aggregation().values()}
        assert {share, "off_format_share"} <= called


@check("B82")
def scores_are_json(case, request):
    kind = {"int": int}[case["expected"]["json_type"]]
    import numpy

    with pytest.raises(TypeError):
        json.dumps(numpy.int64(1))  # what was reported
    assert type(json.loads(json.dumps(1))) is kind
    for benchmark in ("tanq", "tatqa", "tatdqa", "finqa"):
        _, logged = run(f"{benchmark}_sample", sample_responses(benchmark))
        task = load(f"{benchmark}_sample")
        for sample in logged.values():
            scores = [sample[name] for name in task.aggregation()]
            assert {type(score) for score in scores} <= {float, str, type(None)}
            json.dumps(sample["doc"], allow_nan=False)


@check("B83")
def nothing_to_average(case, request):
    from lm_eval_tasks.results import mean_of_present

    # No metric of ours is NaN: what does not apply is None, and is left out.
    values = [None if value == "nan" else value for value in case["input"]["values"]]
    assert mean_of_present(values) == case["expected"]["nanmean"]
    assert mean_of_present([None for _ in case["input"]["all_nan"]]) is None
    found = tiny_run(tmp(request), "table_f1", "'table_f1': None")
    assert found["results"]["tiny"]["table_f1,none"] is None
    results, _ = run("tanq_sample", sample_responses("tanq"), limit=1)
    empty = [k for k, v in results.items() if k.startswith("rms_f1_") and v is None]
    assert len(empty) == 2  # one question is of one type


@check("B85")
def the_installed_folder_is_found(case, request):
    from lm_eval.tasks import TaskManager

    from lm_eval_tasks import cli

    assert "--include_path" in case["input"]["cmd"]
    capsys = request.getfixturevalue("capsys")
    assert cli.main(["path"]) == 0
    printed = capsys.readouterr().out.strip()
    manager = TaskManager(include_path=printed, include_defaults=False)
    task = case["input"]["cmd"].split()[-1]
    assert (task in manager.all_tasks) == case["expected"]["task_found"]


@check("B86")
def metadata_reaches_the_loader(case, request):
    from lm_eval_tasks.data import finqa, tanq, tatdqa, tatllm, tatqa

    metadata = case["input"]["yaml"]["metadata"]
    found = tiny_run(
        tmp(request), "f1", "'f1': 1.0", {"data_dir": metadata["data_dir"]}
    )
    assert found["results"]["tiny"]["f1,none"] == 1.0
    data = tmp(request) / "data"
    (data / "tatqa").mkdir(parents=True)
    tatqa_file(data / "tatqa" / "tatqa_dataset_test_gold.json", [question()])
    given = {"version": 1, "data_dir": str(data)}
    assert sorted(given) == sorted(case["expected"]["callable_receives"])
    splits = tatqa.load(**given)
    assert splits["test"][0]["id"] == "q1"
    for module in (finqa, tanq, tatdqa, tatllm):
        kinds = [p.kind for p in inspect.signature(module.load).parameters.values()]
        assert inspect.Parameter.VAR_KEYWORD in kinds


@check("B87")
def repeated_keys_are_an_error(case, request):
    from tasks.test_yaml import UniqueKeyLoader

    assert case["expected"]["lint_error"]
    assert yaml.safe_load(case["input"]["yaml"])  # the last one wins, silently
    with pytest.raises(yaml.constructor.ConstructorError, match="repeated"):
        yaml.load(case["input"]["yaml"], Loader=UniqueKeyLoader)
    assert all(yaml_files().values())


@check("B89")
def groups_that_matched_nothing(case, request):
    from tableqa_metrics import find_answer, find_table

    response = case["input"]["generation"]
    groups = re.findall(case["input"]["regex"], response)[0]
    assert [group for group in groups if group] == []  # what the filter indexes
    # No task of ours filters by a pattern; ours name a reason instead of "[invalid]".
    assert case["expected"]["filtered"] == "[invalid]"
    assert not any("filter_list" in config for config in yaml_files().values())
    assert find_table(response).reason == "nothing_found"
    assert find_answer("(alpha)?(beta)?").answer is None


@check("B91")
def log_rows_say_what_they_are(case, request):
    from lm_eval import simple_evaluate
    from tasks.tat_runs import manager

    from lm_eval_tasks.replay import ReplayLM

    found = simple_evaluate(
        model=ReplayLM(responses=sample_responses("tatqa")),
        tasks=["tatqa_sample"],
        task_manager=manager(),
        bootstrap_iters=0,
        log_samples=True,
    )
    rows = found["samples"]["tatqa_sample"]
    assert rows
    for row in rows:
        assert {*case["expected"]["each_log_row_has"]} <= row.keys()
        assert {*row["metrics"]} <= row.keys()


@check("B92")
def logged_answers_are_text(case, request):
    from tableqa_metrics import finqa_answer_correct, tatqa_score, value_match

    (response,), gold = (
        case["input"]["logged_filtered_resps"],
        case["input"]["doc_answer_logged"],
    )
    right = case["expected"]["rescore_em"]
    record = {"answer_type": "arithmetic", "answer": gold, "scale": ""}
    assert tatqa_score(record, response, "").em == right
    assert value_match(gold, response) == right
    assert finqa_answer_correct(float(gold), response) == right
    # The sample log keeps the gold record as JSON text, types and all.
    results, logged = run("tatqa_sample", sample_responses("tatqa"))
    for sample in logged.values():
        assert isinstance(
            json.loads(sample["doc"]["gold"])["answer"], list | int | float | str
        )
    assert results["em,none"] > 0
