"""TANQ's records: what is needed, what may be missing, and the proofs."""

import copy
import json
import re

import pytest
from hypothesis import given, settings, strategies as st
from tasks.http_server import Reply

from lm_eval_tasks.data import sources, tanq
from lm_eval_tasks.data.sources import Source
from lm_eval_tasks.errors import DataError
from tableqa_metrics.files.proofs import page_title


WIKI = "https://en.wikipedia.org/wiki/"


def text_proof(text, page="Nordvik_Line", **more):
    return {
        "text": text,
        "section": "History",
        "parent_section": "",
        "found_in_url": WIKI + page,
        "index": 3,
        "proof_type": "text",
        "eval_result": "verified",
        **more,
    }


def infobox_proof(key, value, page="Nordvik_Line", **more):
    return {
        "key": key,
        "value": value,
        "section": "",
        "parent_section": "",
        "found_in_url": WIKI + page,
        "index": 0,
        "proof_type": "infobox",
        "eval_result": "verified",
        **more,
    }


def table_proof(rows, page="List_of_ferry_lines", **more):
    return {
        "rows": [{"cells": [{"cell_value": cell} for cell in row]} for row in rows],
        "caption": "Lines",
        "section": "Current",
        "parent_section": "Lines",
        "found_in_url": WIKI + page,
        "index": 1,
        "proof_type": "table",
        "eval_result": "verified",
        **more,
    }


def column(label, *proofs):
    return {
        "extension_property_id": "P571",
        "extension_property_label": label,
        "extension_entity": {"label": "1921", "time": {"precision": 9}},
        "extension_wikidata_id": "Q1",
        "extension_wikipedia_id": None,
        "proof": list(proofs),
    }


def answer(name, *columns, passes=True, proofs=()):
    return {
        "init_answer_wikidata_id": "Q2",
        "init_answer_wikipedia_id": 17,
        "init_answer_composed": None,
        "extension_answer": list(columns),
        "init_answer_proof": [
            {"proof_text": text, "found_in_url": WIKI + name} for text in proofs
        ],
        "filter_pass": passes,
        "instance_type": ["shipping line"],
    }


def record(**changes):
    """A record in the schema of the released README, invented."""
    return {
        "init_qid": "7__wikidata_simple__test",
        "init_question": "Which ferry lines serve Nordvik?",
        "ext_question": "Which ferry lines serve Nordvik and when (inception)?",
        "ext_question_cleaned": "Which ferry lines serve Nordvik and when?",
        "ext_question_rephrased": "Name the ferry lines of Nordvik and their (inception).",
        "question_properties": ["inception"],
        "answer_list": [
            answer(
                "Nordvik_Line",
                column(
                    "inception",
                    text_proof("It was founded in 1921."),
                    infobox_proof("Founded", "1921"),
                ),
                proofs=["Nordvik Line serves Nordvik."],
            ),
            answer(
                "Sund_Line",
                column("inception", table_proof([["Line", "Since"], ["Sund", "1950"]])),
                passes=False,
            ),
        ],
        "extended_types": ["filter", "time"],
        "answer_table": "entity|inception\nNordvik Line|1921\n",
        **changes,
    }


def read(write, *records):
    return tanq.read_file(write("tanq.jsonl", records))


def proofs_of(write, **changes):
    (document,) = read(write, record(**changes))
    return document["proofs"]


# --- a whole record ------------------------------------------------------------------


def test_a_record_of_the_full_schema(write):
    (document,) = read(write, record())
    assert document["id"] == "7__wikidata_simple__test"
    assert document["question"].endswith("their (inception).")
    assert document["answer_table"] == "entity|inception\nNordvik Line|1921\n"
    assert document["skills"] == ["filter", "time"]
    kept = {k: v for k, v in record().items() if k != "answer_list"}
    assert json.loads(document["gold"]) == kept


def test_the_proofs_of_a_record(write):
    nothing = {
        "page": "Nordvik Line",
        "section": "",
        "parent_section": "",
        "text": "",
        "key": "",
        "value": "",
        "caption": "",
        "rows": [],
        "property": "inception",
        "answer": 0,
        "filter_pass": True,
    }
    assert proofs_of(write) == [
        {
            **nothing,
            "kind": "text",
            "text": "Nordvik Line serves Nordvik.",
            "property": "",
        },
        {
            **nothing,
            "kind": "text",
            "section": "History",
            "text": "It was founded in 1921.",
        },
        {**nothing, "kind": "infobox", "key": "Founded", "value": "1921"},
        {
            **nothing,
            "kind": "table",
            "page": "List of ferry lines",
            "section": "Current",
            "parent_section": "Lines",
            "caption": "Lines",
            "rows": [["Line", "Since"], ["Sund", "1950"]],
            "answer": 1,
            "filter_pass": False,
        },
    ]


def test_each_proof_stands_once_and_passes_if_any_of_its_answers_does(write):
    shared = table_proof([["Line", "Since"], ["Sund", "1950"]])
    twice = [
        answer("A", column("inception", shared, shared), passes=False),
        answer("B", column("inception", {**shared, "index": 9}), passes=True),
    ]
    (proof,) = proofs_of(write, answer_list=twice)
    assert (proof["answer"], proof["filter_pass"]) == (0, True)


def test_the_same_words_on_two_pages_are_two_proofs(write):
    answers = [answer("A", column("x", text_proof("Since 1921.", page="A")))]
    answers.append(answer("B", column("x", text_proof("Since 1921.", page="B"))))
    assert [p["page"] for p in proofs_of(write, answer_list=answers)] == ["A", "B"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("384__wikidata_intersection__test", "intersection"),
        ("32__wikitables_composition__test", "composition"),
        ("959__wikidata_comp__test", "composition"),
        ("12__wikidata_simple__dev", "simple"),
        ("12__wikitables_simple__test", "simple"),
        ("a question about a comp", "simple"),
        ("17", "simple"),
    ],
)
def test_the_question_type_is_in_the_id(write, name, kind):
    (document,) = read(write, record(init_qid=name))
    assert document["question_type"] == kind


@pytest.mark.parametrize(
    ("url", "title"),
    [
        (WIKI + "High_Anxiety", "High Anxiety"),
        (WIKI + "S%C3%A3o_Paulo", "São Paulo"),
        (WIKI + "AC/DC", "AC/DC"),
        (WIKI + "High_Anxiety#Cast", "High Anxiety"),
        ("https://example.org/pages/Some_Page/", "Some Page"),
        ("High_Anxiety", "High Anxiety"),
        ("", ""),
    ],
)
def test_page_titles(url, title):
    assert page_title(url) == title


# --- what may be missing, null or of another type ------------------------------------


@pytest.mark.parametrize(
    "field",
    sorted(set(record()) - {"init_qid", "ext_question_rephrased", "answer_table"}),
)
@pytest.mark.parametrize("value", ["missing", None, 0, "text", [], {}, [None], [[]]])
def test_a_field_that_is_not_needed_may_be_anything(write, field, value):
    changed = record()
    if value == "missing":
        del changed[field]
    else:
        changed[field] = value
    (document,) = read(write, changed)
    assert document["id"] == record()["init_qid"]


def test_numbers_where_texts_are_expected(write):
    (document,) = read(
        write,
        record(
            init_qid=384,
            ext_question_rephrased=1984,
            answer_list=[answer("A", column(7, infobox_proof(1, 2.5)))],
            extended_types=["filter", 3, None],
        ),
    )
    assert document["id"] == "384"
    assert document["question"] == "1984"
    assert document["skills"] == ["filter", "3"]
    (proof,) = document["proofs"]
    assert (proof["key"], proof["value"], proof["property"]) == ("1", "2.5", "7")


def test_nulls_within_the_proofs(write, warned):
    answers = [
        None,
        answer("A", None, column(None, None, text_proof(None)), passes=None),
        {"extension_answer": [{"proof": None}], "init_answer_proof": None},
        answer("B", column("x", infobox_proof("Founded", None, found_in_url=None))),
        answer("C", column("x", table_proof([["a", None], [None]]))),
        answer("D", column("x", {**table_proof([]), "rows": [None, {"cells": None}]})),
    ]
    found = proofs_of(write, answer_list=answers)
    assert [(p["kind"], p["key"], p["value"], p["rows"]) for p in found] == [
        ("infobox", "Founded", "", []),
        ("table", "", "", [["a", ""], [""]]),
    ]
    assert len(warned) == 1
    assert re.search("left out 2 proofs", warned[0])


@pytest.mark.parametrize(
    ("proof", "kind"),
    [
        ({"proof_type": "list", "text": "Since 1921."}, "text"),
        ({"text": "Since 1921."}, "text"),
        ({"proof_type": "list", "key": "Founded", "value": "1921"}, "infobox"),
        ({"proof_type": "text", "rows": [{"cells": [{"cell_value": "a"}]}]}, "table"),
        ({"proof_type": ["text"], "text": "Since 1921."}, "text"),
        ({"proof_type": "table", "rows": [["a", "b"]]}, "table"),
    ],
)
def test_a_proof_of_an_unknown_kind_is_read_by_its_fields(write, proof, kind):
    (found,) = proofs_of(write, answer_list=[answer("A", column("x", proof))])
    assert found["kind"] == kind


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def damaged_records(draw):
    """A whole record in which any value below the needed fields is replaced."""
    damaged = copy.deepcopy(record())
    holders = [(damaged, k) for k in damaged if k in ("answer_list", "extended_types")]
    pending = [damaged["answer_list"]]
    while pending:
        item = pending.pop()
        keys = item if isinstance(item, dict) else range(len(item))
        for key in keys:
            holders.append((item, key))
            if isinstance(item[key], list | dict):
                pending.append(item[key])
    for holder, key in draw(st.lists(st.sampled_from(holders), min_size=1, max_size=3)):
        holder[key] = draw(JSON)
    return damaged


@settings(max_examples=200, deadline=None)
@given(damaged_records())
def test_no_damage_below_the_needed_fields_stops_the_reader(tmp_path_factory, damaged):
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    path.write_text(json.dumps(damaged) + "\n", encoding="utf-8")
    split = tanq.load(data_files=str(path))["test"]
    assert split.features == tanq.FEATURES
    assert split[0]["id"] == damaged["init_qid"]
    for proof in split[0]["proofs"]:
        assert proof["kind"] in ("text", "infobox", "table")
        assert proof["text"] or proof["rows"] or proof["key"] or proof["value"]


def test_texts_that_no_file_can_hold(write):
    path = write("tanq.jsonl", [record(ext_question_rephrased="a \ud800 b \0")])
    assert tanq.load(data_files=str(path))["test"][0]["question"] == "a ? b \0"


# --- what is needed ------------------------------------------------------------------


@pytest.mark.parametrize("field", ["ext_question_rephrased", "answer_table"])
@pytest.mark.parametrize("value", ["missing", None, [], {"a": 1}])
def test_a_record_without_a_needed_field_is_named(write, field, value):
    broken = record(init_qid="8__x__test")
    if value == "missing":
        del broken[field]
    else:
        broken[field] = value
    path = write("tanq.jsonl", [record(), broken])
    with pytest.raises(DataError) as caught:
        tanq.read_file(path)
    message = str(caught.value)
    for part in (str(path), "line 2", "8__x__test", field):
        assert part in message
    assert "\n" not in message


@pytest.mark.parametrize("value", [None, "", "  ", []])
def test_a_record_without_an_id_is_named_by_its_line(write, value):
    path = write("tanq.jsonl", [record(), record(init_qid=value)])
    with pytest.raises(DataError, match=r"line 2.*: .*init_qid"):
        tanq.read_file(path)


def test_a_blank_question_is_none(write):
    path = write("tanq.jsonl", [record(ext_question_rephrased=" \n")])
    with pytest.raises(DataError, match="ext_question_rephrased"):
        tanq.read_file(path)


@pytest.mark.parametrize("value", ["", "  \n"])
def test_a_blank_answer_table_is_none(write, value):
    path = write("tanq.jsonl", [record(answer_table=value)])
    with pytest.raises(DataError, match=r"line 1 .*answer_table is .* no text"):
        tanq.read_file(path)


@pytest.mark.parametrize(
    "line",
    [
        '{"init_qid": "1"',
        "[]",
        "3",
        "null",
        "<html>",
        "\xff",
        "[" * 100_000,
        "9" * 5000,
    ],
    ids=["cut off", "list", "number", "null", "html", "latin", "deep", "long number"],
)
def test_a_line_that_is_no_record_is_named(tmp_path, line):
    path = tmp_path / "tanq.jsonl"
    content = json.dumps(record()) + "\n\n" + line + "\n"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(DataError, match="line 3: .*not") as caught:
        tanq.read_file(path)
    assert str(path) in str(caught.value)


def test_a_byte_order_mark_and_blank_lines_do_no_harm(tmp_path):
    path = tmp_path / "tanq.jsonl"
    path.write_text(f"\n{json.dumps(record())}\r\n\n", encoding="utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().lstrip())
    assert len(tanq.read_file(path)) == 1


# --- load ----------------------------------------------------------------------------


def test_the_official_samples(shared):
    path = shared / "data" / "tanq" / "test_input.jsonl"
    loaded = tanq.load(data_files={"test": str(path)})
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 10
    assert loaded["test"]["id"] == [line["init_qid"] for line in lines]
    assert loaded["test"]["answer_table"] == [line["answer_table"] for line in lines]
    assert not any(loaded["test"]["proofs"])
    assert len(loaded["validation"]) == len(loaded["train"]) == 0
    assert loaded["validation"].features == loaded["test"].features


def test_records_from_a_server(downloads, server, monkeypatch, write):
    def body(*qids):
        lines = (json.dumps(record(init_qid=qid)) for qid in qids)
        return Reply("".join(line + "\n" for line in lines).encode())

    monkeypatch.setattr(
        sources,
        "SOURCES",
        tuple(
            Source("tanq", split, f"tanq/{split}", (url,), "CC-BY-4.0")
            for split, url in [
                ("test", server.url("test.jsonl", body("1__a__test", "2__a__test"))),
                ("validation", server.url("dev.jsonl", body("1__a__dev"))),
            ]
        ),
    )
    loaded = tanq.load()
    assert loaded["test"]["id"] == ["1__a__test", "2__a__test"]
    assert loaded["validation"]["id"] == ["1__a__dev"]
    assert loaded["test"][0]["proofs"] == proofs_of(write)
    on_dev = tanq.load(split="dev")
    assert on_dev["test"]["id"] == ["1__a__dev"]
    assert len(on_dev["validation"]) == 0


def test_an_unusable_record_stops_the_test_split_only(write, warned):
    files = {
        "test": str(write("test.jsonl", [record()])),
        "dev": str(
            write(
                "dev.jsonl", [record(answer_table=None), record(init_qid="8__x__dev")]
            )
        ),
    }
    loaded = tanq.load(data_files=files)
    assert loaded["validation"]["id"] == ["8__x__dev"]
    assert "left out 1 of 2 records" in warned[0]
    with pytest.raises(DataError, match=r"dev\.jsonl, line 1 .*no answer_table"):
        tanq.load(data_files=files, split="dev")
