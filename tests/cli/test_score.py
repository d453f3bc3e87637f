"""`tableqa score`: what it reads, writes and says."""

import csv
import gzip
import hashlib
import json
import math
import sys
from pathlib import Path

import pytest
from score_cases import GOLDS, LINES, QUESTIONS, contexts, question

from lm_eval_tasks import cli


# --- Formats, raw and extracted --------------------------------------------------------


def rows(key, values, name="id"):
    return [{name: uid, key: value} for uid, value in values.items()]


EXTRACTED = {uid: {"answer": a, "scale": s} for uid, (a, s) in GOLDS.items()}
FORMATS = {
    "tatqa.json": ("tatqa", GOLDS),
    "rows.jsonl": ("predictions", rows("prediction", EXTRACTED)),
    "object.json": ("predictions", EXTRACTED),
    "pot.jsonl": (
        "program-of-thoughts",
        [
            {"question_id": uid, "pred_answer": a, "pred_scale": s}
            for uid, (a, s) in GOLDS.items()
        ],
    ),
    "replies.json": ("tatllm", rows("prediction", LINES)),
    "responses.jsonl": ("responses", rows("response", LINES, "uid")),
    "texts.json": ("responses", LINES),
    "samples_tatqa_2026-01-02T03-04-05.6.jsonl": (
        "samples",
        [
            {"doc_id": 0, "doc": {"id": uid}, "resps": [[text]], "filter": "none"}
            for uid, text in LINES.items()
        ],
    ),
    "openai.jsonl": (
        "batch",
        [
            {
                "id": f"batch_req_{uid}",
                "custom_id": uid,
                "response": {
                    "status_code": 200,
                    "body": {"choices": [{"index": 0, "message": {"content": text}}]},
                },
                "error": None,
            }
            for uid, text in LINES.items()
        ],
    ),
    "anthropic.jsonl": (
        "batch",
        [
            {
                "custom_id": uid,
                "result": {
                    "type": "succeeded",
                    "message": {"content": [{"type": "text", "text": text}]},
                },
            }
            for uid, text in LINES.items()
        ],
    ),
}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_found_by_looking(score, references, write, name, zipped):
    wanted, content = FORMATS[name]
    path = write(name, content)
    if zipped:
        path = write(f"{name}.gz", gzip.compress(path.read_bytes()))
    found = score("tatqa", references, path)
    assert found.content["files"][-1]["format"] == wanted
    assert found.value("em") == found.value("value_em") == 1
    assert ("tatllm_em" in found.content["metrics"]) == (wanted == "tatllm")
    named = score("tatqa", references, path, options=["--format", wanted])
    assert named.content == found.content


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_csv_holds_responses(score, references, tmp_path, delimiter):
    path = tmp_path / "r.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(("id", "note", "response"))
        writer.writerows((uid, "-", f"So,\n{text}") for uid, text in LINES.items())
    zipped = tmp_path / "r.csv.gz"
    zipped.write_bytes(gzip.compress(path.read_bytes()))
    for file in (path, zipped):
        found = score("tatqa", references, file)
        assert found.value("em") == 1
        assert found.content["files"][-1]["format"] == "responses"


def test_an_extracted_answer_is_not_searched_again(score, references, write):
    """The text of an answer line is a right response, and a wrong answer."""
    path = write("lines.json", LINES)
    assert score("tatqa", references, path).value("em") == 1
    named = score("tatqa", references, path, options=["--format", "predictions"])
    assert named.value("em") == 0
    assert named.sample("q2")["prediction"]["answer"] == LINES["q2"]
    assert {sample["rule"] for sample in named.content["samples"]} == {None}
    assert "off_format" not in named.content["metrics"]


def test_a_table_of_tanq_is_scored_as_written(score, write):
    table = "entity|year\nHigh Anxiety|1977\n"
    github = "| entity | year |\n|---|---|\n| High Anxiety | 1977 |"
    golds = [{"init_qid": "1__x__test", "answer_table": table}]
    references = write("gold.jsonl", golds)
    path = write("p.jsonl", [{"init_qid": "1__x__test", "prediction": github}])
    extracted = score("tanq", references, path)
    assert extracted.value("rms_f1") < 100
    assert extracted.sample("1__x__test")["prediction"] == github
    raw = score("tanq", references, path, options=["--format", "responses"])
    assert raw.value("rms_f1") == raw.value("value_f1") == 100
    assert raw.sample("1__x__test")["rule"] == "github"
    response = write("r.jsonl", [{"init_qid": "1__x__test", "response": github}])
    assert score("tanq", references, response).value("rms_f1") == 100
    column = write("c.jsonl", [{**golds[0], "closed": table, "prediction_table": "x"}])
    named = score("tanq", references, column, options=["--prediction-key", "closed"])
    assert named.value("rms_f1") == 100


def test_what_was_assumed_is_said(score, references, predictions, write):
    assert "extracted answers" in score("tatqa", references, predictions).out
    raw = score("tatqa", references, write("r.json", LINES))
    assert "raw responses" in raw.out
    assert "|input:raw|" in raw.content["signature"]


def test_finqa_answers_and_programs(score, write):
    qa = {"program": "subtract(5829, 5735)", "exe_ans": 94.0, "question": "?"}
    records = [{"id": name, "table": [["a", "1"]], "qa": qa} for name in "abcd"]
    references = write("finqa.json", records)
    mixed = {
        "a": ["subtract(", "5829", "5735", ")", "EOF"],
        "b": "add(94, 0)",
        "c": 94,
        "d": "94",
    }
    path = write("p.json", mixed)
    found = score("finqa", references, path, options=["--format", "predictions"])
    assert [s["exe_acc"] for s in found.content["samples"]] == [1, 1, 1, 1]
    assert [s["prog_acc"] for s in found.content["samples"]] == [1, 0, None, None]

    texts = {"a": "Program: subtract(5829, 5735)", "b": "The answer is: 94"}
    raw = write("r.json", texts)
    answers = score("finqa", references, raw, options=["--missing", "drop"])
    assert answers.value("exe_acc") == 1
    assert answers.sample("b")["prog_acc"] is None
    programs = score(
        "finqa",
        references,
        raw,
        options=["--missing", "drop", "--task", "finqa_program"],
    )
    assert programs.sample("b")["prog_acc"] == programs.sample("b")["exe_acc"] == 0
    assert programs.sample("a")["prediction"] == mixed["a"]


# --- Ids ------------------------------------------------------------------------------


def test_ids_are_counted_and_listed(score, references, write):
    content = [
        {"id": "q1", "prediction": EXTRACTED["q1"]},
        {"id": "zz", "prediction": 1},
        {"id": "q1", "prediction": 0},
        {"id": "q2", "prediction": None},
    ]
    path = write("p.jsonl", content)
    found = score("tatqa", references, path, options=["--missing", "zero"])
    assert found.content["missing"] == ["q2", "q3"]
    assert found.content["extra"] == ["zz"]
    assert found.content["duplicates"] == ["q1"]
    assert [s["id"] for s in found.content["samples"]] == ["q1", "q2", "q3"]
    assert found.sample("q1")["em"] == 1
    assert found.sample("q3")["reason"] == "missing"
    assert found.value("em") == pytest.approx(1 / 3)
    for line in ("missing (scored 0): 2 (q2, q3)", "extra (not scored): 1 (zz)"):
        assert line in found.out
    assert "duplicates (the first is scored): 1 (q1)" in found.out
    dropped = score("tatqa", references, path, options=["--missing", "drop"])
    assert dropped.value("em") == dropped.content["n"] == 1


def test_no_id_moves_the_cursor_or_ends_a_line(score, references, write, capsys):
    odd = "odd\x1b[2J\nid\u202e"
    found = score("tatqa", references, write("p.json", {**GOLDS, odd: ["1", ""]}))
    assert "extra (not scored): 1 (odd\ufffd[2J id\ufffd)\n" in found.out
    assert found.content["extra"] == [odd]
    argv = ["score", "tatqa", "--references", str(references), "--predictions"]
    assert cli.main([*argv, str(write("q.json", {odd: ["1", ""]}))]) == 1
    assert "It has odd\ufffd[2J id\ufffd, " in capsys.readouterr().err


def test_a_key_that_stands_twice_is_a_duplicate(score, references, write):
    path = write("p.json", '{"q1": [12.5, "million"], "q1": [1, ""]}')
    found = score("tatqa", references, path, options=["--missing", "drop"])
    assert found.content["duplicates"] == ["q1"]
    assert found.value("em") == 1


def test_missing_scores_0_in_every_metric(score, write):
    """An empty table has the official precision 100; a missing one has not."""
    golds = [
        {"init_qid": f"{n}__x__test", "answer_table": "entity|a\nx|1\n"} for n in (1, 2)
    ]
    references = write("gold.jsonl", golds)
    path = write("p.jsonl", [{"init_qid": "1__x__test", "prediction": ""}])
    found = score("tanq", references, path, options=["--missing", "zero"])
    assert found.sample("1__x__test")["rms_precision"] == 100
    missing = found.sample("2__x__test")
    for name, value in missing.items():
        if name in found.content["metrics"] and isinstance(value, float):
            assert value == 0, name
    assert missing["rms_f1_simple"] == 0
    assert missing["rms_f1_composition"] is None


def test_questions_that_share_an_id_are_told_apart_by_their_text(score, write):
    golds = [
        {
            "init_qid": "1__x__test",
            "ext_question_rephrased": f"Question {n}?",
            "answer_table": f"entity|a\nx|{n * 1000}\n",
        }
        for n in (1, 2, 3)
    ]
    references = write("gold.jsonl", golds)
    answers = [{**gold, "prediction": gold["answer_table"]} for gold in golds]
    path = write("p.jsonl", reversed(answers))
    found = score("tanq", references, path)
    assert found.value("rms_f1") == 100
    ids = {sample["id"] for sample in found.content["samples"]}
    assert ids == {"1__x__test", "1__x__test#2", "1__x__test#3"}


@pytest.mark.parametrize("batch", [False, True])
def test_of_several_responses_the_first_is_scored_and_it_is_said(
    score, references, write, batch
):
    lines = []
    for uid, line in LINES.items():
        texts = [line, "no"] if uid != "q2" else [line]
        choices = [{"message": {"content": text}} for text in texts]
        response = {"status_code": 200, "body": {"choices": choices}}
        one_of_batch = {"custom_id": uid, "response": response, "error": None}
        logged = {"doc": {"id": uid}, "doc_id": 0, "resps": [texts], "filter": "none"}
        lines.append(one_of_batch if batch else logged)
    found = score("tatqa", references, write("many.jsonl", lines))
    assert found.value("em") == 1
    assert "\nseveral responses (the first is scored): 2\n" in found.out


def test_a_log_of_several_filters_holds_each_response_once(score, references, write):
    log = [
        {"doc_id": 0, "doc": {"id": uid}, "resps": [[text]], "filter": name}
        for uid, text in LINES.items()
        for name in ("strict", "flexible")
    ]
    found = score("tatqa", references, write("log.jsonl", log))
    assert found.content["duplicates"] == []
    assert found.content["n"] == 3


def test_a_cut_context_is_the_reason(score, write):
    golds = [{"init_qid": "1__x__test", "answer_table": "entity|a\nx|1\n"}]
    log = [
        {
            "doc_id": 0,
            "doc": {"id": "1__x__test", "truncated": True},
            "resps": [["The pages do not name them."]],
        }
    ]
    found = score("tanq", write("g.jsonl", golds), write("log.jsonl", log))
    assert found.sample("1__x__test")["reason"] == "truncated_prompt"


# --- The result -------------------------------------------------------------------------


def test_the_keys_of_the_output(score, references, predictions):
    found = score("tatqa", references, predictions, options=["--model", "Model A"])
    assert list(found.content) == [
        *("benchmark", "signature", "options", "n", "metrics", "breakdowns"),
        *("samples", "missing", "extra", "duplicates", "files", "versions"),
    ]
    assert found.content["benchmark"] == "tatqa"
    assert found.content["metrics"]["em"].keys() == {"value", "stderr", "ci95"}
    names = {*found.content["metrics"], "id", "prediction", "rule", "reason"}
    assert all(sample.keys() == names for sample in found.content["samples"])
    for file, path in zip(
        found.content["files"], (references, predictions), strict=True
    ):
        assert file["name"] == str(path)
        assert file["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.content["files"][1]["model"] == "Model A"
    assert "Model A" in found.out
    assert found.content["versions"]["python"] in sys.version


def test_tanq_breakdowns(score, write):
    golds = [
        ("1__wikidata_intersection__test", ["filter", "unit"], 1),
        ("2__wikidata_comp__test", ["filter"], 20),
        ("3__wikidata__test", None, 60),
    ]
    records = [
        {
            "init_qid": name,
            "answer_table": "entity|a\n" + "".join(f"r{i}|{i}\n" for i in range(count)),
            "extended_types": skills,
        }
        for name, skills, count in golds
    ]
    path = write("gold.jsonl", records)
    found = score("tanq", path, path, options=["--prediction-key", "answer_table"])
    counts = {
        name: {next(iter(row.values())): row["n"] for row in rows_of}
        for name, rows_of in found.content["breakdowns"].items()
    }
    assert counts == {
        "question_type": {"simple": 1, "intersection": 1, "composition": 1},
        "skill": {"filter": 2, "unit": 1, "unknown": 1},
        "table_size": {"1-10": 1, "26-50": 1, "101 or more": 1},
        "known_defect": {"no known defect": 3},
    }
    assert all(
        row["metrics"]["rms_f1"]["value"] == 100
        for rows_of in found.content["breakdowns"].values()
        for row in rows_of
    )


def test_values_that_json_cannot_hold_are_shown_as_text(score, references, write):
    path = write(
        "p.json", '{"q1": [Infinity, ""], "q2": [NaN, ""], "q3": ["\\ud800", ""]}'
    )
    found = score("tatqa", references, path)
    assert "Infinity" in found.sample("q1")["prediction"]
    assert found.sample("q3")["prediction"]["answer"] == "\ud800"
    assert all(
        math.isfinite(each["value"]) for each in found.content["metrics"].values()
    )


# --- Comparison --------------------------------------------------------------------------


def test_several_files_are_compared_with_the_first(score, references, write):
    good = write("good.json", GOLDS)
    bad = write("bad.json", {**GOLDS, "q1": [-12.5, "million"], "q3": [["c"], ""]})
    names = ["--model", "Good", "--model", "Bad", "--model", "Again"]
    found = score("tatqa", references, good, bad, good, options=names)
    assert list(found.content) == ["benchmark", "runs", "comparisons"]
    assert [run["files"][-1]["model"] for run in found.content["runs"]] == names[1::2]
    assert [len(run["samples"]) for run in found.content["runs"]] == [3, 3, 3]
    first, second = found.content["comparisons"]
    assert (first["first"], first["second"], second["second"]) == (0, 1, 2)
    em = first["metrics"]["em"]
    assert em["difference"] == pytest.approx(-2 / 3)
    assert (em["test"], em["p"], em["n"]) == ("mcnemar", 0.5, 3)
    assert em["ci95"][0] < em["difference"] < em["ci95"][1]
    assert em["needed"] >= 3
    assert second["metrics"]["em"]["p"] == 1
    assert second["metrics"]["em"]["needed"] is None
    assert not {"no_answer", "off_format"} & first["metrics"].keys()
    assert "Bad (second) against Good (first)" in found.out
    assert "10000 samples, seed 1234" in found.out
    again = score("tatqa", references, good, bad, good, options=names)
    assert again.content == found.content and again.out == found.out


def test_only_questions_that_both_answer_are_compared(score, references, write):
    one = write("one.json", {"q1": GOLDS["q1"], "q2": GOLDS["q2"]})
    two = write("two.json", {"q2": GOLDS["q2"], "q3": [["c"], ""]})
    found = score("tatqa", references, one, two, options=["--missing", "drop"])
    em = found.content["comparisons"][0]["metrics"]["em"]
    assert (em["n"], em["difference"], em["ci95"]) == (1, 0, None)


def test_without_questions_in_common_the_comparison_says_so(score, references, write):
    one = write("one.json", {"q1": GOLDS["q1"]})
    two = write("two.json", {"q2": GOLDS["q2"]})
    found = score("tatqa", references, one, two, options=["--missing", "drop"])
    assert found.content["comparisons"] == [{"first": 0, "second": 1, "metrics": {}}]
    said = f"{two} (second) against {one} (first)\n\nno question has a score from both"
    assert found.out.rstrip().endswith(said)


def test_no_file_is_scored_before_all_were_checked(
    references, write, capsys, monkeypatch
):
    from tableqa_metrics.scoring import command

    monkeypatch.setattr(command, "score_file", pytest.fail)
    good, short = write("good.json", GOLDS), write("short.json", {"q1": [1, ""]})
    argv = ["score", "tatqa", "--references", str(references), "--predictions"]
    assert cli.main([*argv, str(good), str(short)]) == 1
    assert f"{short}: 2 of 3 questions have no prediction" in capsys.readouterr().err


def test_nothing_to_score(score, references, write):
    path = write("p.jsonl", [{"id": "q1", "response": None}])
    found = score("tatqa", references, path, options=["--missing", "drop"])
    assert found.content["n"] == 0
    assert found.content["metrics"] == {}
    assert found.content["missing"] == ["q1", "q2", "q3"]


# --- Broken inputs ------------------------------------------------------------------------

OTHER_SPLIT = {"x1": [1, ""], "x2": [2, ""]}
BROKEN = {
    "truncated.json": (json.dumps(GOLDS, indent=1)[:60], "line 9: not valid JSON"),
    "truncated.jsonl": (
        '{"id": "q1", "response": "a"}\n{"id": "q2", "respo',
        "line 2: not valid JSON, cut off perhaps",
    ),
    "keys.jsonl": (
        '{"id": "q1", "response": "a"}\n{"id": "q2", "prediction": "b"}\n',
        "line 2: no key 'response'; there is id, prediction",
    ),
    "kinds.jsonl": (
        '{"id": "q1", "response": "a"}\n{"id": "q2", "response": [1]}\n',
        "line 2: [1] is not a text",
    ),
    "logs.jsonl": (
        '{"doc_id": 0, "doc": {"id": "q1"}, "resps": [["a"]]}\n{"id": "q2", "r": 1}\n',
        "line 2: no key 'doc'",
    ),
    "pairs.json": ('{"q1": [1, "million"], "q2": "text"}', "for 'q2' it has \"text\""),
    "split.json": (json.dumps(OTHER_SPLIT), "none of its 2 ids is in"),
    "finqa.json": ('[{"id": "q1", "predicted": ["EOF"]}]', "which FinQA predictions"),
    "tanq.jsonl": ('{"init_qid": "q1", "prediction": ""}', "which TANQ predictions"),
    "samples_finqa_2026-01-02T03-04-05.jsonl": (
        '{"doc_id": 0, "doc": {"id": "q1"}, "resps": [["a"]]}\n',
        "sample log of the task finqa, which is not of tatqa",
    ),
    "empty.json": ("", "is empty"),
    "blank.jsonl": ("\n \n", "is empty"),
    "none.json": ("[]", "is an empty list"),
    "binary.json": (b"\x89PNG\r\n\x1a\n\x00\xff", "is not text in UTF-8"),
    "zeros.json": (b"\0" * 100, "not valid JSON"),
    "damaged.json.gz": (gzip.compress(b"{}" * 99)[:-9], "damaged gzip file"),
    "no_id.jsonl": ('{"response": "a"}\n', "(name one with --id-key)"),
    "id.jsonl": ('{"id": [1], "response": "a"}\n', "line 1: [1] is not an id"),
    "gold.json": (json.dumps(contexts(*QUESTIONS)), "none of the keys"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_predictions_give_one_line(score, references, write, name):
    content, message = BROKEN[name]
    path = write(name, content)
    found = score("tatqa", references, path)
    assert found.status == 1
    assert found.err.startswith(f"tableqa: error: {path}")
    assert message in found.err
    assert found.err.count("\n") == 1
    assert found.out == ""


BROKEN_REFERENCES = {
    "truncated.json": (json.dumps(contexts(*QUESTIONS))[:99], "not valid JSON"),
    "empty.json": ("", "is empty"),
    "binary.json": (b"\xff\xfe\0", "is not text in UTF-8"),
    "predictions.json": (json.dumps(GOLDS), "no record of TAT-QA; its fields are q1"),
    "finqa.json": ('[{"id": "a", "qa": {}, "table": []}]', "a record of FinQA, not of"),
    "tanq.jsonl": ('{"init_qid": "a", "answer_table": ""}', "a record of TANQ, not of"),
    "tatdqa.json": ('[{"doc": {}, "questions": []}]', "a record of TAT-DQA, not of"),
    "mixed.json": (
        json.dumps([*contexts(*QUESTIONS), {"id": "a", "qa": {}}]),
        "item 2: a record of FinQA, not of TAT-QA",
    ),
    "unlabelled.json": (
        json.dumps(contexts({"uid": "q1", "question": "?"})),
        "tatqa_dataset_test_gold.json",
    ),
    "twice.json": (
        json.dumps(contexts(*QUESTIONS, question("q1"))),
        "item 1, question 4: the question with id q1 is there twice",
    ),
    "no_question.json": (json.dumps(contexts()), "no question"),
    "no_answer.json": (
        json.dumps(contexts(*QUESTIONS[:2], question("q3", answer=None))),
        "item 1, question 3 (id q3): no answer",
    ),
    "no_scale.json": (
        json.dumps(contexts(*QUESTIONS[:2], question("q3", scale="dozen"))),
        "item 1, question 3: malformed reference (question 'q3'): the scale 'dozen'",
    ),
}


@pytest.mark.parametrize("name", BROKEN_REFERENCES)
def test_broken_references_give_one_line(score, predictions, write, name):
    content, message = BROKEN_REFERENCES[name]
    path = write(name, content)
    found = score("tatqa", path, predictions)
    assert found.status == 1
    assert found.err.startswith(f"tableqa: error: {path}")
    assert message in found.err
    assert found.err.count("\n") == 1


def test_an_unusable_reference_matters_where_it_counts(score, write):
    references = write("r.json", contexts(*QUESTIONS[:2], question("q3", answer=None)))
    right = {uid: GOLDS[uid] for uid in ("q1", "q2")}
    path = write("p.json", right)
    found = score("tatqa", references, path, options=["--missing", "drop"])
    assert found.value("em") == 1
    assert "references left out: 1 (q3)" in found.out
    assert score("tatqa", references, path, options=["--missing", "zero"]).status == 1
    asked = write("asked.json", GOLDS)
    found = score("tatqa", references, asked, options=["--missing", "drop"])
    assert "question 3 (id q3): no answer" in found.err


@pytest.mark.parametrize("role", ["references", "predictions"])
def test_files_that_are_none(score, references, predictions, tmp_path, role):
    for path, message in (
        (tmp_path / "nope.json", "there is no such file"),
        (tmp_path, "is a folder"),
    ):
        files = {"references": references, "predictions": predictions, role: path}
        found = score("tatqa", files["references"], files["predictions"])
        assert found.err.startswith(f"tableqa: error: {path}: {message}")


def test_a_wrong_prediction_key_lists_the_keys(shared, score):
    """B66: the key of TANQ's README is not in its file."""
    path = shared / "data" / "tanq" / "test_input.jsonl"
    found = score(
        "tanq",
        path,
        path,
        options=["--prediction-key", "result_closedbook_proofs_False"],
    )
    assert found.status == 1
    for key in (
        "init_qid",
        "ext_question_rephrased",
        "answer_table",
        "--prediction-key",
    ):
        assert key in found.err


@pytest.mark.parametrize(
    "options",
    [
        ["--model", "A", "--model", "B"],
        ["--workers", "0"],
        ["--format", "xml"],
        ["--missing", "maybe"],
        ["--task", "finqa"],
        ["--unknown"],
    ],
)
def test_wrong_usage(references, predictions, capsys, options):
    argv = ["score", "tatqa", "--references", str(references)]
    argv += ["--predictions", str(predictions)]
    with pytest.raises(SystemExit) as stop:
        cli.main([*argv, *options])
    assert stop.value.code == 2
    assert "tableqa score: error" in capsys.readouterr().err


def test_help_has_examples_and_says_what_the_statuses_are(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["score", "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert "examples:\n  tableqa score tatqa --references" in out
    assert "exit status:" in out


def test_the_output_may_not_be_an_input_or_a_folder(references, predictions, capsys):
    argv = ["score", "tatqa", "--references", str(references)]
    argv += ["--predictions", str(predictions), "--output"]
    before = predictions.read_bytes()
    for path in (predictions, references.parent, references.parent / "no" / "o.json"):
        assert cli.main([*argv, str(path)]) == 1
        assert capsys.readouterr().err.startswith(f"tableqa: error: {path}: ")
    assert predictions.read_bytes() == before


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.is_char_device(), reason="needs a device that is full")
def test_an_output_that_is_full_is_named(references, predictions, capsys):
    argv = ["score", "tatqa", "--references", str(references)]
    argv += ["--predictions", str(predictions), "--output", str(FULL)]
    assert cli.main(argv) == 1
    reason = "cannot be written: No space left on device"
    assert capsys.readouterr().err == f"tableqa: error: {FULL}: {reason}\n"


def test_without_output_nothing_is_written(references, predictions, capsys):
    folder = Path(references).parent
    before = sorted(folder.iterdir())
    argv = ["score", "tatqa", "--references", str(references)]
    assert cli.main([*argv, "--predictions", str(predictions)]) == 0
    assert sorted(folder.iterdir()) == before
    said = capsys.readouterr()
    assert "em" in said.out and said.err == ""
