"""TAT-QA, TAT-DQA, FinQA and TAT-LLM's prompts: real files, and records like them."""

import json
import re

import pytest

from lm_eval_tasks.data import finqa, prompts, tatdqa, tatllm, tatqa
from lm_eval_tasks.data.sources import find_source
from lm_eval_tasks.errors import DataError


def question(uid="q1", **changes):
    return {
        "uid": uid,
        "order": 1,
        "question": "What was revenue in 2019?",
        "answer": ["$1.9 million"],
        "derivation": "",
        "answer_type": "span",
        "answer_from": "text",
        "rel_paragraphs": ["2"],
        "req_comparison": False,
        "scale": "",
        **changes,
    }


def context(*questions, **changes):
    return {
        "table": {"uid": "t1", "table": [["", "2019"], ["Revenue", "1.9"]]},
        "paragraphs": [
            {"uid": "p2", "order": 2, "text": "Second."},
            {"uid": "p1", "order": 1, "text": "First."},
        ],
        "questions": list(questions),
        **changes,
    }


def page(*questions):
    return {
        "doc": {"uid": "d1", "page": 1, "source": "company_2019.pdf"},
        "questions": list(questions),
    }


def instruction(name, document="Revenue\n5 million", asked="What was revenue in 2019?"):
    return {
        "id": name,
        "user_prompt": (
            "Below is an instruction, paired with an input document.\n\n\n\n"
            "### Instruction\n\nGiven a document, answer the question.\n\n\n\n"
            f"### Document \n\n{document}\n\n\n\n\n"
            f"### Question \n\n{asked}\n\n\n\n### Response"
        ),
        "resp": "The answer is: 5 #### and its corresponding scale is: million",
    }


# The types that a JSON field of these data sets holds, and some that it might.
MIXED = [["a"], ["a", "b"], 0, 12, -3.5, 1e-7, "4", "", 10**20, True, ["a", ""]]


# --- TAT-QA --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("split", "name"), [("dev", "dev"), ("test", "test_gold"), (None, "test_gold")]
)
def test_the_real_tatqa_loses_nothing(shared, downloads, split, name):
    data = shared / "data"
    loaded = tatqa.load(data_dir=str(data), split=split)["test"]
    text = (data / "tatqa" / f"tatqa_dataset_{name}.json").read_text(encoding="utf-8")
    documents = iter(loaded)
    for real in json.loads(text):
        paragraphs = sorted(real["paragraphs"], key=lambda p: p["order"])
        for gold in real["questions"]:
            document = next(documents)
            assert json.loads(document["gold"]) == gold
            assert document["id"] == gold["uid"]
            assert document["question"] == gold["question"]
            assert document["table"] == real["table"]["table"]
            assert document["context_id"] == real["table"]["uid"]
            assert document["paragraphs"] == [p["text"] for p in paragraphs]
    assert next(documents, None) is None
    split_name = "validation" if split == "dev" else "test"
    assert len(loaded) == find_source("tatqa", split_name).questions


def test_paragraphs_are_in_their_order(write):
    (document,) = tatqa.read_file(write("tatqa.json", [context(question())]))
    assert document["paragraphs"] == ["First.", "Second."]


def test_order_is_a_number_even_if_written_as_text(write):
    many = [{"order": str(i), "text": str(i)} for i in (10, 9, 1)]
    path = write("tatqa.json", [context(question(), paragraphs=many)])
    assert tatqa.read_file(path)[0]["paragraphs"] == ["1", "9", "10"]


def test_mixed_types_in_one_field_survive(write):
    golds = [
        question(
            f"q{i}",
            answer=value,
            answer_type="span" if isinstance(value, list) else "arithmetic",
        )
        for i, value in enumerate(MIXED)
    ]
    path = write("tatqa.json", [context(*golds)])
    loaded = tatqa.load(data_files=str(path))["test"]
    answers = [json.loads(gold)["answer"] for gold in loaded["gold"]]
    assert [repr(a) for a in answers] == [repr(value) for value in MIXED]


def test_the_unlabelled_test_file_names_the_labelled_one(shared, downloads):
    path = shared / "data" / "tatqa" / "tatqa_dataset_test.json"
    with pytest.raises(DataError, match=r"tatqa_dataset_test_gold\.json") as caught:
        tatqa.load(data_files={"test": str(path)})
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("field", ["uid", "question", "answer", "answer_type"])
@pytest.mark.parametrize("value", ["missing", None])
def test_a_tatqa_question_without_a_needed_field_is_named(write, field, value):
    broken = question("q2")
    broken[field] = value
    if value == "missing":
        del broken[field]
    path = write("tatqa.json", [context(question()), context(question("q1b"), broken)])
    with pytest.raises(DataError) as caught:
        tatqa.read_file(path)
    wanted = [str(path), "item 2, question 2", field]
    for part in [*wanted, *(["q2"] if field != "uid" else [])]:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"table": None}, "item 1: no table"),
        ({"table": [["a"]]}, "no table of rows and list of paragraphs"),
        ({"table": {"uid": "t"}}, "no table of rows and list of paragraphs"),
        ({"paragraphs": "text"}, "no table of rows and list of paragraphs"),
        ({"paragraphs": ["text"]}, "a paragraph is not a JSON object"),
        ({"paragraphs": [{"text": "a", "order": "x"}]}, "order is no number"),
        ({"paragraphs": [{"text": "a"}]}, "no order"),
        ({"questions": None}, "no questions"),
        ({"questions": "q"}, "questions is not a list"),
        ({"questions": [3]}, "question 1: not a JSON object"),
    ],
)
def test_a_context_of_another_form_is_an_error(write, changes, message):
    path = write("tatqa.json", [context(question(), **changes)])
    with pytest.raises(DataError, match=re.escape(message)):
        tatqa.read_file(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("{}", "is an empty object"),
        ("[3]", "item 1: 3 is not an object"),
    ],
)
@pytest.mark.parametrize(
    "read", [tatqa.read_file, finqa.read_file, prompts.read_prompts]
)
def test_a_file_that_is_no_list_of_records(tmp_path, read, text, message):
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)


def test_the_file_of_another_benchmark_is_an_error(shared, downloads):
    other = str(shared / "data" / "finqa" / "finqa_test_assembled.json")
    with pytest.raises(DataError, match="no paragraphs"):
        tatqa.load(data_files=other)
    with pytest.raises(DataError, match=r"item 1: no init_qid"):
        from lm_eval_tasks.data import tanq

        tanq.load(data_files=other)


# --- TAT-DQA -------------------------------------------------------------------------


def tatdqa_files(write, golds, texts):
    return {
        "gold": str(write("gold.json", golds)),
        "prompts": str(write("prompts.json", texts)),
    }


def test_text_and_gold_of_tatdqa_are_joined(write):
    files = tatdqa_files(
        write,
        [page(question("a"), question("b", answer=5, answer_type="arithmetic"))],
        [instruction("b", "Page b"), instruction("a", "Page a\n\n1 | 2")],
    )
    loaded = tatdqa.load(data_files={"test": files})
    assert loaded["test"]["id"] == ["a", "b"]
    assert loaded["test"]["document"] == ["Page a\n\n1 | 2", "Page b"]
    first = loaded["test"][0]
    assert first["document_id"] == "d1"
    assert (first["source"], first["page"]) == ("company_2019.pdf", "1")
    assert json.loads(first["gold"]) == question("a")
    assert loaded["validation"].features == loaded["test"].features


def test_questions_without_a_text_are_counted_and_named(write, warned):
    files = tatdqa_files(
        write,
        [page(question("a"), question("b"), question("c"))],
        [instruction("b"), instruction("d")],
    )
    assert tatdqa.load(data_files={"test": files})["test"]["id"] == ["b"]
    (warning,) = warned
    assert "left out 2 of 3 questions" in warning
    assert warning.endswith(": a, c")


def test_no_question_with_a_text_is_an_error(write):
    files = tatdqa_files(write, [page(question("a"))], [instruction("z")])
    with pytest.raises(DataError, match="none of the 1 questions"):
        tatdqa.load(data_files={"test": files})


def test_the_real_gold_of_tatdqa_joins(shared, downloads, write):
    """Its text is not at hand, so each question gets one of its own."""
    for name, split in (("dev", "validation"), ("test", "test")):
        gold = shared / "data" / "tatdqa" / f"tatdqa_dataset_{name}.json"
        real = json.loads(gold.read_text(encoding="utf-8"))
        golds = [q for c in real for q in c["questions"]]
        texts = [instruction(q["uid"], f"Page of {q['uid']}") for q in golds]
        documents = tatdqa.read_files(gold, write("prompts.json", texts))
        assert [json.loads(d["gold"]) for d in documents] == golds
        assert [d["document"] for d in documents] == [
            f"Page of {q['uid']}" for q in golds
        ]
        assert len(documents) == find_source("tat_llm/original/tatdqa", split).questions


def test_either_style_of_prompts_gives_the_text(downloads, tmp_path, write):
    write("tatdqa/tatdqa_dataset_test.json", [page(question("a"))])
    stepwise = "tat_llm/sft/stepwise/tatdqa/tatdqa_dataset_test.json"
    write(stepwise, [instruction("a", "Page a")])
    assert tatdqa.load(data_dir=str(tmp_path))["test"]["document"] == ["Page a"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("Revenue: 5", "Revenue: 5"),
        ("a\n\n### Note\n\nb", "a\n\n### Note\n\nb"),
        ("a\n### Question \nb", "a\n### Question \nb"),
        ("  a\n  ### Document, continued\n", "a\n  ### Document, continued"),
    ],
)
def test_the_document_of_a_prompt(document, expected):
    text = instruction("a", document)["user_prompt"]
    assert prompts.section(text, "Document", before="Question") == expected


@pytest.mark.parametrize(
    "text", ["", "### Document\n\na", "### Question\n### Document\n"]
)
def test_a_prompt_without_document_has_none(text):
    assert prompts.section(text, "Document", before="Question") is None


# --- FinQA ---------------------------------------------------------------------------


def report(name="A/2019/page_1.pdf-1", **changes):
    return {
        "pre_text": ["before ."],
        "post_text": ["after ."],
        "filename": "A/2019/page_1.pdf",
        "table_ori": [["", "2019"]],
        "table": [["", "2019"], ["revenue", "$ 5"]],
        "qa": {
            "question": "what was revenue ?",
            "answer": "5",
            "explanation": "",
            "ann_table_rows": [1],
            "ann_text_rows": [],
            "steps": [{"op": "add1-1", "arg1": "2", "arg2": "3", "res": "5"}],
            "program": "add(2, 3)",
            "gold_inds": {"table_1": "the revenue of 2019 is $ 5 ;"},
            "exe_ans": 5.0,
            "tfidftopn": {"text_0": "before ."},
            "program_re": "add(2, 3)",
            "model_input": [["table_1", "the revenue of 2019 is $ 5 ;"]],
        },
        "id": name,
        "table_retrieved": [],
        **changes,
    }


def test_a_record_of_finqa(write):
    (document,) = finqa.read_file(write("finqa.json", [report()]))
    gold = json.loads(document.pop("gold"))
    assert document == {
        "id": "A/2019/page_1.pdf-1",
        "question": "what was revenue ?",
        "pre_text": ["before ."],
        "table": [["", "2019"], ["revenue", "$ 5"]],
        "post_text": ["after ."],
    }
    dropped = ("model_input", "tfidftopn")
    assert gold == {k: v for k, v in report()["qa"].items() if k not in dropped}


def test_the_real_finqa(shared, downloads):
    path = shared / "data" / "finqa" / "finqa_test_assembled.json"
    loaded = finqa.load(data_files={"test": str(path)})["test"]
    real = json.loads(path.read_text(encoding="utf-8"))
    assert len(loaded) == find_source("finqa", "test").questions
    for document, record in zip(loaded, real, strict=True):
        gold = json.loads(document["gold"])
        assert document["id"] == record["id"]
        assert document["table"] == record["table"]
        assert document["pre_text"] == (record["pre_text"] or [])
        assert document["post_text"] == (record["post_text"] or [])
        assert gold["program"] == record["qa"]["program"]
        assert repr(gold["exe_ans"]) == repr(record["qa"]["exe_ans"])


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("add(2, 3)", 5.0),
        ("subtract(0.75, 1)", -0.25),
        ("add(1, 2)", 3),
        ("greater(2, 1)", "yes"),
        ("greater(1, 2)", "no"),
        ("divide(1, 100000)", 1e-5),
    ],
)
def test_the_executed_answer_keeps_its_type(write, program, value):
    changed = {**report()["qa"], "program": program, "exe_ans": value}
    records = [report("a"), report("b", qa=changed)]
    loaded = finqa.load(data_files=str(write("finqa.json", records)))["test"]
    assert repr(json.loads(loaded[1]["gold"])["exe_ans"]) == repr(value)


@pytest.mark.parametrize(
    "field", ["id", "table", "qa", "question", "program", "exe_ans"]
)
@pytest.mark.parametrize("value", ["missing", None])
def test_a_finqa_record_without_a_needed_field(write, warned, field, value):
    broken = report("b")
    holder = broken if field in broken else broken["qa"]
    holder[field] = value
    if value == "missing":
        del holder[field]
    path = write("finqa.json", [report("a"), broken])
    with pytest.raises(DataError, match=rf"finqa\.json, item 2.*no {field}") as caught:
        finqa.load(data_files={"test": str(path)})
    if field != "id":
        assert "(id b)" in str(caught.value)
    files = {"test": str(write("good.json", [report("c")])), "dev": str(path)}
    assert finqa.load(data_files=files)["validation"]["id"] == ["a"]
    (warning,) = warned
    for part in (str(path), "left out 1 of 2 records", "item 2", f"no {field}"):
        assert part in warning


def test_what_is_left_out_of_the_real_dev_split(shared, downloads, warned):
    folder = shared / "data" / "finqa"
    files = {
        "test": str(folder / "finqa_test_assembled.json"),
        "dev": str(folder / "finqa_dev_assembled.json"),
    }
    loaded = finqa.load(data_files=files)
    assert len(loaded["validation"]) == 883 - 21
    assert "left out 21 of 883 records" in warned[0]
    with pytest.raises(DataError, match=r"item 31: no id"):
        finqa.load(data_files={"dev": files["dev"]}, split="dev")


# --- TAT-LLM -------------------------------------------------------------------------


def test_real_prompts_with_the_gold_that_they_state(shared, downloads, warned):
    """Yes and no are TAT-LLM's True and False; all 848 agree with FinQA's own gold."""
    data = shared / "data"
    path = str(data / "tatllm" / "sft_end_to_end_finqa_dataset_dev.json")
    stated = tatllm.load("finqa", "end_to_end", data_files=path)["test"]
    assert len(stated) == 848
    assert "no gold file was named" in warned[0]
    gold = str(data / "finqa" / "finqa_dev_assembled.json")
    both = {"prompts": path, "gold": gold}
    joined = tatllm.load("finqa", "end_to_end", data_files={"test": both})["test"]
    assert joined["id"] == stated["id"]
    answers = [json.loads(g)["answer"] for g in joined["gold"]]
    assert answers == [json.loads(g)["answer"] for g in stated["gold"]]
    assert sum(isinstance(answer, str) for answer in answers) == 10
    assert {a for a in answers if isinstance(a, str)} == {"True", "False"}
    with open(path, encoding="utf-8") as file:
        real = json.load(file)
    assert stated["prompt"] == [record["user_prompt"] for record in real]
    assert stated["response"] == [record["resp"] for record in real]
    assert stated[0]["question"].startswith("what is the average payment volume")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [(94.0, 94.0), (3, 3), ("yes", "True"), ("No", "False"), ("True", "True")],
)
@pytest.mark.parametrize("nested", [True, False])
def test_finqa_gold_in_either_schema(write, answer, expected, nested):
    own = {"id": "a", "question": "how much ?", "answer": answer}
    qa = {**report()["qa"], "exe_ans": answer, "program": None}
    gold = report("a", qa=qa) if nested else own
    files = {
        "prompts": str(write("prompts.json", [instruction("a")])),
        "gold": str(write("gold.json", [gold])),
    }
    loaded = tatllm.load("finqa", "stepwise", data_files={"test": files})["test"]
    found = json.loads(loaded[0]["gold"])
    assert repr(found["answer"]) == repr(expected)
    assert (found["answer_type"], found["scale"]) == ("arithmetic", "")


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("The answer is: 127.4", 127.4),
        ("The answer is: -3", -3.0),
        ("The answer is: False", "False"),
        ("| step | output |\n| 1 | 2#3 |\n\nThe answer is: 5.0 \n", 5.0),
    ],
)
def test_the_answer_that_a_response_states(write, response, answer):
    prompt = {**instruction("a"), "resp": response}
    path = write("prompts.json", [prompt])
    loaded = tatllm.load("finqa", "stepwise", data_files=str(path))["test"]
    assert repr(json.loads(loaded[0]["gold"])["answer"]) == repr(answer)


@pytest.mark.parametrize(
    "response", [None, "", "5", "The answer is: five", "The answer is: nan"]
)
def test_a_response_that_states_no_number(write, warned, response):
    path = write("p.json", [instruction("a") | {"resp": response}])
    with pytest.raises(DataError, match="none of the 1 prompts"):
        tatllm.load("finqa", "stepwise", data_files=str(path))
    good = instruction("b") | {"resp": "The answer is: 5"}
    path = write("p.json", [instruction("a") | {"resp": response}, good])
    loaded = tatllm.load("finqa", "stepwise", data_files=str(path))["test"]
    assert loaded["id"] == ["b"]
    assert any("left out 1 of 2 prompts" in w and w.endswith(": a") for w in warned)


@pytest.mark.parametrize("dataset", ["tatqa", "tatdqa"])
def test_prompts_and_gold_of_the_tat_data_sets_are_joined(write, warned, dataset):
    golds = [
        question("b", answer=5, answer_type="arithmetic"),
        question("a"),
        question("z"),
    ]
    make = context if dataset == "tatqa" else page
    names = ["a", "b", "c"]
    files = {
        "prompts": str(write("prompts.json", [instruction(name) for name in names])),
        "gold": str(write("gold.json", [make(*golds)])),
    }
    loaded = tatllm.load(dataset, "end_to_end", data_files={"test": files})["test"]
    assert loaded["id"] == ["a", "b"]
    assert [json.loads(g) for g in loaded["gold"]] == [golds[1], golds[0]]
    assert loaded["question"] == ["What was revenue in 2019?"] * 2
    assert loaded["prompt"][0] == instruction("a")["user_prompt"]
    (warning,) = warned
    assert "left out 1 of 3 prompts" in warning
    assert warning.endswith(": c")


def test_the_layout_of_a_tat_llm_folder(downloads, tmp_path, write):
    write("tat_llm/original/tatqa/tatqa_dataset_test.json", [context(question("a"))])
    write("tat_llm/original/tatqa/tatqa_dataset_dev.json", [context(question("b"))])
    for split, name in (("test", "a"), ("dev", "b")):
        place = f"tat_llm/sft/stepwise/tatqa/tatqa_dataset_{split}.json"
        write(place, [instruction(name)])
    loaded = tatllm.load("tatqa", "stepwise", data_dir=str(tmp_path))
    assert {k: v["id"] for k, v in loaded.items()} == {
        "train": [],
        "validation": ["b"],
        "test": ["a"],
    }


@pytest.mark.parametrize("field", ["id", "user_prompt"])
def test_a_prompt_without_a_needed_field(write, field):
    path = write("prompts.json", [instruction("a"), instruction("b") | {field: None}])
    with pytest.raises(DataError, match=rf"item 2.*no {field}"):
        tatllm.load("finqa", "stepwise", data_files=str(path))


def test_a_run_that_mixes_benchmarks(write, downloads):
    """`--metadata` reaches every task of a run."""
    metadata = {
        "split": {"finqa": "dev"},
        "data_files": {
            "tatqa": {"test": str(write("tatqa.json", [context(question("a"))]))},
            "finqa": {"dev": str(write("finqa.json", [report("b")]))},
            "tatllm_finqa_stepwise": str(
                write("p.json", [instruction("c") | {"resp": "The answer is: 5"}])
            ),
        },
        "responses": "x.jsonl",
    }
    assert tatqa.load(**metadata)["test"]["id"] == ["a"]
    assert finqa.load(**metadata)["test"]["id"] == ["b"]
    loaded = tatllm.load("finqa", "stepwise", **metadata)
    assert loaded["test"]["id"] == ["c"]


# --- splits for examples -------------------------------------------------------------


def files_of(write, name, kind, ids, broken):
    """Write a file of records of which the last has no question."""
    if kind == "prompts":
        records = [instruction(i) for i in ids]
        if broken:
            records[-1]["user_prompt"] = None
    elif kind == "finqa":
        records = [report(i) for i in ids]
        if broken:
            records[-1]["qa"]["question"] = None
    else:
        make = context if kind == "tatqa" else page
        golds = [question(i) for i in ids]
        if broken:
            golds[-1]["question"] = None
        records = [make(gold) for gold in golds]
    return str(write(f"{name}.json", records))


@pytest.mark.parametrize("broken", ["tatqa", "finqa", "tatdqa", "prompts"])
def test_an_unusable_record_stops_the_test_split_only(write, warned, broken):
    """Nobody should have to repair a file of examples to score a test set."""
    ids, others = ("a", "b"), ("c", "d")
    first = files_of(write, "first", broken, ids, True)
    if broken == "prompts":
        gold = files_of(write, "gold", "tatqa", ids + others, False)
        good = files_of(write, "good", broken, others, False)
        split, good = {"prompts": first, "gold": gold}, {"prompts": good, "gold": gold}

        def load(**metadata):
            return tatllm.load("tatqa", "stepwise", **metadata)

    elif broken == "tatdqa":
        texts = files_of(write, "texts", "prompts", ids + others, False)
        good = files_of(write, "good", broken, others, False)
        split, good = (
            {"gold": first, "prompts": texts},
            {"gold": good, "prompts": texts},
        )
        load = tatdqa.load
    else:
        split, good = first, files_of(write, "good", broken, others, False)
        load = {"tatqa": tatqa.load, "finqa": finqa.load}[broken]
    with pytest.raises(DataError, match=r"item 2.*no (question|user_prompt)"):
        load(data_files={"test": split})
    loaded = load(data_files={"test": good, "dev": split})
    assert loaded["test"]["id"] == ["c", "d"]
    assert loaded["validation"]["id"] == ["a"]
    assert "left out 1 of 2 records" in warned[0]
    assert "first.json, item 2" in warned[0]


def test_examples_that_do_not_join_leave_the_split_empty(write, warned):
    test = tatdqa_files(write, [page(question("a"))], [instruction("a")])
    dev = {
        "gold": str(write("d.json", [page(question("b"))])),
        "prompts": test["prompts"],
    }
    loaded = tatdqa.load(data_files={"test": test, "dev": dev})
    assert len(loaded["validation"]) == 0
    assert "left out 1 of 1 questions" in warned[0]
