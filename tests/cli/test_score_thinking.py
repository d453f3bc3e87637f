"""`tableqa score` on thoughts whose opening tag stood in the prompt, and its options."""

import json

import pytest
from score_cases import GOLDS, LINES

from lm_eval_tasks import cli
from tableqa_metrics.files.rowfile import RowFile
from tableqa_metrics.report.questions import Question
from tableqa_metrics.report.runs import Sample
from tableqa_metrics.report.score_file import Lookup, runs_of_scores
from tableqa_metrics.report.scored import Scored, scored


THOUGHT = "Revenue may be 12.5 million. The answer is: 12.5"
# Finished, unfinished, none: of the last two, nothing but the tag tells them apart.
TEXTS = {"q1": f"{THOUGHT}</think>{LINES['q1']}", "q2": THOUGHT, "q3": LINES["q3"]}
EXTRACTED = {uid: {"answer": a, "scale": s} for uid, (a, s) in GOLDS.items()}


def reasons(found):
    return {sample["id"]: sample["reason"] for sample in found.content["samples"]}


def log(texts, **said):
    return [
        {"doc_id": 0, "doc": {"id": uid, **said}, "resps": [[text]], "filter": "none"}
        for uid, text in texts.items()
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_has_no_closing_tag_is_an_unfinished_thought(
    score, references, write, workers
):
    path = write("r.json", TEXTS)
    plain = score("tatqa", references, path)
    assert reasons(plain) == dict.fromkeys(TEXTS)
    assert plain.sample("q2")["prediction"]["answer"] == ["12.5"]
    options = ["--thinking", "--workers", workers]
    found = score("tatqa", references, path, options=options)
    unfinished = dict.fromkeys(("q2", "q3"), "unfinished_thought")
    assert reasons(found) == {"q1": None, **unfinished}
    assert found.sample("q1") == plain.sample("q1")
    for name in unfinished:
        sample = found.sample(name)
        assert sample["prediction"] is sample["rule"] is None
        scored = [sample[name] for name in ("em", "f1", "value_em", "recipe_f1")]
        assert scored == [0, 0, 0, 0]
    assert found.value("no_answer") == 2 / 3
    assert "no_answer: 2 of 3 (2 unfinished_thought)\n" in found.out


def test_the_output_says_so(score, references, write):
    path = write("r.json", TEXTS)
    plain, found = (
        score("tatqa", references, path, options=options)
        for options in ([], ["--thinking"])
    )
    assert "thinking" not in plain.content["signature"]
    assert "|input:raw|thinking:yes|" in found.content["signature"]
    assert plain.content["options"]["thinking"] is False
    assert found.content["options"]["thinking"] is True


def test_a_sample_log_says_it_itself(score, references, write):
    by_flag = score("tatqa", references, write("r.json", TEXTS), options=["--thinking"])
    found = score("tatqa", references, write("log.jsonl", log(TEXTS, thinking=True)))
    assert found.content["samples"] == by_flag.content["samples"]
    assert found.content["options"]["thinking"] is True
    assert "|thinking:yes|" in found.content["signature"]
    for said in ({}, {"thinking": False}, {"thinking": "a text"}):
        plain = score("tatqa", references, write("log.jsonl", log(TEXTS, **said)))
        assert reasons(plain) == dict.fromkeys(TEXTS)
        forced = score(
            *("tatqa", references, write("log.jsonl", log(TEXTS, **said))),
            options=["--thinking"],
        )
        assert forced.content["samples"] == by_flag.content["samples"]


def test_logs_of_two_runs_are_not_mixed(score, references, write):
    rows = [*log({"q1": TEXTS["q1"]}, thinking=True), *log({"q2": THOUGHT})]
    found = score("tatqa", references, write("log.jsonl", rows))
    assert found.status == 1
    assert "log.jsonl, line 2: its document says thinking false" in found.err
    assert found.err.count("\n") == 1


def test_a_thought_beside_a_response_is_no_option(score, references, write):
    """Files of an API often have the thought in a key of its own."""
    rows = [
        {"id": uid, "response": text, "thinking": True} for uid, text in LINES.items()
    ]
    found = score("tatqa", references, write("r.jsonl", rows))
    assert reasons(found) == dict.fromkeys(LINES)
    assert found.content["options"]["thinking"] is False


@pytest.mark.parametrize(
    ("name", "content", "format_name"),
    [
        ("tatqa.json", GOLDS, "tatqa"),
        ("object.json", EXTRACTED, "predictions"),
        (
            "pot.jsonl",
            [
                {"question_id": uid, "pred_answer": a, "pred_scale": s}
                for uid, (a, s) in GOLDS.items()
            ],
            "program-of-thoughts",
        ),
    ],
)
def test_extracted_answers_have_no_thoughts(
    score, references, write, name, content, format_name
):
    path = write(name, content)
    found = score("tatqa", references, path, options=["--thinking"])
    assert found.status == 1
    assert f"{name}: --thinking is for raw responses" in found.err
    assert f"(format {format_name}); leave it out" in found.err
    assert found.err.count("\n") == 1


def test_of_several_files_none_may_be_extracted(score, references, write):
    raw, extracted = write("r.json", TEXTS), write("p.json", GOLDS)
    found = score("tatqa", references, raw, extracted, options=["--thinking"])
    assert found.status == 1
    assert "p.json: --thinking is for raw responses" in found.err


def test_tatllms_own_scorer_is_given_what_follows_the_thought(score, references, write):
    """It takes the first answer line, and any number near the reference."""
    stray = f"The answer is: 99\n{THOUGHT}"
    texts = {name: f"{stray}</think>{line}" for name, line in LINES.items()}
    options = ["--thinking", "--format", "tatllm"]
    found = score("tatqa", references, write("r.json", texts), options=options)
    assert found.value("tatllm_em") == found.value("em") == 1
    cut = dict.fromkeys(LINES, "12.5, or Oslo")
    found = score("tatqa", references, write("r.json", cut), options=options)
    assert found.value("tatllm_em") == found.value("tatllm_f1") == 0
    assert set(reasons(found).values()) == {"unfinished_thought"}
    assert "no response got past its thought" in found.out


def test_programs_and_tables(score, write):
    qa = {"program": "subtract(5829, 5735)", "exe_ans": 94.0, "question": "?"}
    records = [{"id": name, "table": [["a", "1"]], "qa": qa} for name in "ab"]
    program = "Program: subtract(5829, 5735)"
    texts = write(
        "p.json", {"a": f"{program}, or add(1, 2)</think>{program}", "b": program}
    )
    for task in ("finqa", "finqa_program"):
        found = score(
            *("finqa", write("finqa.json", records), texts),
            options=["--thinking", "--task", task],
        )
        assert reasons(found) == {"a": None, "b": "unfinished_thought"}
        assert [s["exe_acc"] for s in found.content["samples"]] == [1, 0]
    names = [f"{n}__x__test" for n in (1, 2)]
    gold = "entity|year\nHigh Anxiety|1977\n"
    table = "| entity | year |\n|---|---|\n| High Anxiety | 1977 |"
    golds = [{"init_qid": name, "answer_table": gold} for name in names]
    texts = dict(zip(names, (f"A table?</think>{table}", table), strict=True))
    found = score(
        *("tanq", write("gold.jsonl", golds), write("r.json", texts)),
        options=["--thinking"],
    )
    assert reasons(found) == {names[0]: None, names[1]: "unfinished_thought"}
    assert found.sample(names[0])["rms_f1"] == 100
    assert found.sample(names[1])["rms_f1"] == found.sample(names[1])["value_f1"] == 0


# --- What the report shows of them ----------------------------------------------------------


def test_the_report_finds_no_answer_in_an_unfinished_thought(score, references, write):
    texts = {name: THOUGHT for name in LINES}
    path = write("log.jsonl", log(texts, thinking=True))
    scores = score("tatqa", references, path).content["samples"]
    question = Question("q1", "?", {}, 12.5, "million", {}, (), (), ())
    for each in scores:
        sample = Sample(each["id"], None, THOUGHT, {"no_answer": each["no_answer"]})
        for benchmark in ("tatqa", "finqa"):
            shown = scored(benchmark, question, sample, program=False)
            assert shown == Scored(reason="unfinished_thought")


def test_the_report_finds_responses_by_the_keys_that_were_named(
    score, references, write, tmp_path
):
    rows = [{"n": {"uid": uid}, "text": text} for uid, text in LINES.items()]
    given = ["--id-key", "n.uid", "--prediction-key", "text"]
    score("tatqa", references, write("r.jsonl", rows), options=given)
    lookup = Lookup()
    (run,) = runs_of_scores(RowFile(tmp_path / "out.json"), lookup)
    assert {sample.id: sample.response for sample in run.samples} == LINES
    assert lookup.lacking == {}


# --- Options that change figures ----------------------------------------------------------


def test_the_options_of_a_figure_stand_in_one_place(score, references, write):
    rows = [{"n": {"uid": uid}, "text": text} for uid, text in TEXTS.items()]
    path = write("r.jsonl", rows[:2])
    given = ["--id-key", "n.uid", "--prediction-key", "text", "--missing", "zero"]
    given += ["--task", "tatqa_zeroshot", "--thinking"]
    found = score("tatqa", references, path, options=given)
    assert found.content["options"] == {
        "format": "responses",
        "id_key": "n.uid",
        "prediction_key": "text",
        "task": "tatqa_zeroshot",
        "missing": "zero",
        "thinking": True,
    }


FOUND = {
    "tatqa.json": (GOLDS, None, None),
    "object.json": (EXTRACTED, None, None),
    "texts.json": (LINES, None, None),
    "pot.jsonl": (
        [
            {"question_id": uid, "pred_answer": a, "pred_scale": s}
            for uid, (a, s) in GOLDS.items()
        ],
        "question_id",
        None,
    ),
    "log.jsonl": (log(LINES), None, None),
    "replies.json": (
        [{"uid": uid, "prediction": text} for uid, text in LINES.items()],
        "uid",
        "prediction",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_they_are_there_as_found_and_give_the_same_again(
    score, references, write, name
):
    content, id_key, prediction_key = FOUND[name]
    path = write(name, content)
    found = score("tatqa", references, path)
    options = found.content["options"]
    assert (options["id_key"], options["prediction_key"]) == (id_key, prediction_key)
    again = []
    for key, value in options.items():
        flag = f"--{key.replace('_', '-')}"
        if value is True:
            again.append(flag)
        elif value not in (None, False):
            again += [flag, value]
    assert score("tatqa", references, path, options=again).content == found.content


def test_each_of_several_files_has_its_own(score, references, write):
    raw, extracted = write("r.json", LINES), write("p.json", GOLDS)
    runs = score("tatqa", references, raw, extracted).content["runs"]
    assert [run["options"]["format"] for run in runs] == ["responses", "tatqa"]


# --- None, and empty ------------------------------------------------------------------------


def test_missing_is_not_empty(score, write, tmp_path, capsys):
    """`zero` scores 0 in every metric; an empty response has official scores of its own.

    The released scorer gives an empty table precision 100, and a replay of empty
    responses is scored so.
    """
    golds = cli.TASKS_DIR / "tanq" / "samples" / "records.jsonl"
    lines = golds.read_text(encoding="utf-8").splitlines()
    name = json.loads(lines[0])["init_qid"]
    some = write("some.jsonl", [{"id": name, "response": ""}])
    zero = score("tanq", golds, some, options=["--missing", "zero"])
    assert zero.value("rms_precision") == pytest.approx(100 / len(lines))
    assert {*reasons(zero).values()} == {"empty", "missing"}
    ids = [sample["id"] for sample in zero.content["samples"]]
    empty = score("tanq", golds, write("all.json", dict.fromkeys(ids, "")))
    assert empty.value("rms_precision") == 100
    assert empty.value("rms_f1") == zero.value("rms_f1") == 0
    assert {*reasons(empty).values()} == {"empty"}
