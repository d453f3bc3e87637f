"""`tanq_open_book`: what is retrieved, what of it is shown, and how much of it counts."""

import gzip
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st
from reference.bm25_plain import bm25_plain
from reference.cost import growth
from tasks.tat_runs import FOLDER, evaluate, load, prompts, read_lines
from tasks.test_tanq import GOLDEN_PROMPT

from lm_eval_tasks import cli
from lm_eval_tasks.context.passages import Corpus, OwnPassages
from lm_eval_tasks.context.retrieval import Bm25, pool, proof_recall, words
from lm_eval_tasks.data import tanq
from lm_eval_tasks.errors import DataError, TableqaError
from lm_eval_tasks.prompts import (
    Evidence,
    best_that_fit,
    by_page,
    distinct,
    render_pages,
)
from tableqa_metrics.files.proofs import page_title


TASK = "tanq_open_book"
SAMPLES = FOLDER / "tanq" / "samples"
RECORDS = SAMPLES / "records.jsonl"
Write = Callable[..., Path]


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return read_lines(RECORDS)


def open_book(**metadata: Any) -> Any:
    return load(TASK, **{"data_files": str(RECORDS)} | metadata)


def by_id(loaded: Any) -> dict[str, dict[str, Any]]:
    return {document["id"]: document for document in loaded.eval_docs}


def text(body: str, page: str = "") -> Evidence:
    return Evidence(page, "", "text", body)


# Prompts


def test_golden_prompt():
    context = """
These passages were found by a search for the question. Some of them are about things that do not belong in the table, and some facts may be missing.

## Copperfin
Copperfin developed and published Lantern Drift.

Copperfin developed and published Moss Kingdom.

Copperfin developed and published Pocket Foundry.

Copperfin developed and published Moss Kingdom II.

## Moss Kingdom
### Infobox
Platforms: Orbis 2
"""
    question = (
        "Which video games for the Orbis 2 were both developed and published by "
        "Copperfin? Also, what were the platform (platform), publication date "
        "(publication_date) and genre (genre) of each?"
    )
    loaded = open_book(top_k=5)
    prompt = loaded.fewshot_context(loaded.eval_docs[9], 0)
    assert prompt == GOLDEN_PROMPT.format(context=context, question=question)


def test_prompts_have_no_white_space_around_them_and_as_many_shots(records, write):
    files = {
        "test": str(write("test.jsonl", records[:10])),
        "dev": str(write("dev.jsonl", records[10:])),
    }
    for shots in (0, 2):
        loaded = open_book(data_files=files)
        for prompt in prompts(loaded, shots):
            assert prompt == prompt.strip()
            assert prompt.count("were found by a search") == shots + 1
            assert prompt.endswith("\nAnswer:")


def test_what_is_asked_without_a_passage_says_nothing_of_passages(records, write):
    path = write("own.jsonl", [{"id": r["init_qid"], "passages": []} for r in records])
    loaded = open_book(passages=str(path))
    prompt = loaded.fewshot_context(loaded.eval_docs[0], 0)
    question = loaded.eval_docs[0]["question"]
    assert prompt == GOLDEN_PROMPT.format(context="", question=question)


def test_the_metrics_are_those_of_the_other_tasks_and_the_recall():
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: node.value)

    def metrics(name: str) -> Any:
        path = FOLDER / "tanq" / name
        return yaml.load(path.read_text("utf-8"), Loader)["metric_list"]

    *others, recall = metrics("tanq_open_book.yaml")
    assert others == metrics("_tanq_template_yaml")
    assert recall["metric"] == "retrieval_recall"


# Search


class Passages(list[Evidence]):
    """A collection for the tests."""


def search(passages: list[Evidence], question: str, top_k: int) -> list[int]:
    return Bm25(Passages(passages), top_k).search(question)


def test_words():
    assert words("José's ＡＢＣ start_time, 1,234.5 m²: Straße") == [
        *("jose", "s", "abc", "start", "time", "1", "234", "5", "m2", "strasse"),
    ]
    assert words("Jose\u0301") == words("JOSÉ")
    assert words(" |-–_*\n") == []


WORD = st.sampled_from(["oslo", "bergen", "river", "film", "1977", "ärger", "x"])
TEXT = st.lists(WORD, max_size=8)


@given(st.lists(TEXT, min_size=1, max_size=12), TEXT, st.integers(1, 14))
def test_the_best_passages_are_those_of_the_definition(passages, question, top_k):
    if not any(passages):
        return
    found = search([text(" ".join(p)) for p in passages], " ".join(question), top_k)
    scores = bm25_plain(passages, question)
    assert len(found) == min(top_k, sum(score > 0 for score in scores))
    assert len(set(found)) == len(found)
    ranked = [scores[number] for number in found]
    # The library computes in single precision.
    assert all(a > b - 1e-5 for a, b in pairwise(ranked))
    others = [score for n, score in enumerate(scores) if n not in found]
    if len(found) == top_k:
        assert max(others, default=0) < ranked[-1] + 1e-5


@given(st.lists(st.sampled_from(["a1 b1", "b1 a1", "c1"]), min_size=1, max_size=40))
def test_equal_scores_are_ranked_in_the_order_of_the_collection(texts):
    passages = [text(body) for body in texts]
    alike = [number for number, body in enumerate(texts) if body != "c1"]
    for top_k in (1, 2, 5, 40):
        assert search(passages, "B1", top_k) == alike[:top_k]


def test_title_and_section_are_searched_and_stop_words_are_not():
    passages = [
        Evidence("Oslo", "", "text", "A city."),
        Evidence("", "The river", "text", "It is long."),
        Evidence("", "", "text", "The and of the."),
    ]
    assert search(passages, "oslo", 3) == [0]
    assert search(passages, "the rivers of the river", 3) == [1]
    assert search(passages, "the of and", 3) == []
    assert search(passages, "", 3) == []


def test_a_word_of_the_question_counts_once():
    passages = [text("time and again"), text("start again"), text("Oslo again")]
    once = search(passages, "Oslo start time", 9)
    assert once == search(passages, "Oslo time (time) start_time", 9) == [0, 1, 2]


def test_the_pool_is_each_proof_once_whatever_the_order_of_the_records(records, write):
    passages = pool(proof for d in tanq.read_file(RECORDS) for proof in d["proofs"])
    assert len({(p.page, p.body) for p in passages}) == len(passages) > 50
    shuffled = random.Random(3).sample(records, len(records))
    again = tanq.read_file(write("test.jsonl", [*shuffled, *shuffled]))
    assert pool(proof for d in again for proof in d["proofs"]) == passages


def test_proofs_of_every_loaded_split_are_searched(records, write, harness_log):
    files = {
        "test": str(write("test.jsonl", records[:10])),
        "dev": str(write("dev.jsonl", records[10:])),
    }
    loaded = open_book(data_files=files)
    assert "Agnes Thorold" not in loaded.eval_docs[0]["context"]
    of_test = open_book(data_files=files["test"])
    both = [r for r in harness_log.messages if "searching" in r]
    counts = [int(message.split()[2]) for message in both]
    assert counts[0] > counts[1]
    assert "10 test records" in both[0]
    assert "4 validation records" in both[0]
    # A comet of a dev record answers best what names it.
    asked = [{**records[0], "ext_question_rephrased": "Comet Thorold?"}]
    files["test"] = str(write("comet.jsonl", asked))
    assert "## Comet Thorold" in open_book(data_files=files).eval_docs[0]["context"]
    assert len(of_test.eval_docs) == 10


def test_contexts_depend_on_no_seed_and_not_on_the_order_of_records(records, write):
    script = (
        "import sys, json\n"
        "from lm_eval_tasks.data import tanq\n"
        "from lm_eval_tasks.context.open_book import open_book\n"
        "splits = tanq.load(data_files=sys.argv[1])\n"
        "test = open_book(splits, max_chars=1500, top_k=9)['test']\n"
        "print(json.dumps({d['id']: d['context'] for d in test}))\n"
    )
    path = write("test.jsonl", random.Random(1).sample(records, len(records)))
    printed = []
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", script, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(json.loads(done.stdout))
    ours = by_id(open_book(max_context_chars=1500, top_k=9))
    contexts = {name: document["context"] for name, document in ours.items()}
    assert printed == [contexts, contexts]
    assert all(contexts.values())


# The length of a context


def test_the_best_passages_stay_where_the_length_is_short(harness_log):
    whole = by_id(open_book(top_k=20))
    assert not any(document["truncated"] for document in whole.values())
    short = by_id(open_book(top_k=20, max_context_chars=500))
    first = by_id(open_book(top_k=1))
    cut = 0
    for name, document in short.items():
        assert len(document["context"]) <= 500
        assert document["truncated"] == (len(whole[name]["context"]) > 500)
        assert first[name]["context"].split("\n")[-1] in document["context"]
        assert document["retrieval_recall"] <= whole[name]["retrieval_recall"]
        cut += document["truncated"]
    assert 0 < cut < 14
    assert f"tanq_open_book: {cut} of 14 contexts of the test split" in harness_log.text


PIECES = st.lists(
    st.builds(
        Evidence,
        st.sampled_from(["", "Page A", "Page B"]),
        st.sampled_from(["", "Infobox", "Plot"]),
        st.sampled_from(["text", "infobox"]),
        st.text("ab", min_size=1, max_size=30),
    ),
    max_size=10,
)


@given(PIECES, st.integers(1, 150))
def test_passages_are_taken_by_rank_where_they_fit(pieces, max_chars):
    def rendered(some: list[Evidence]) -> str:
        return render_pages(by_page(some, ranked=True), 10**9).text

    ranked = list(distinct(pieces))
    expected: list[Evidence] = []
    for piece in ranked:
        if len(rendered([*expected, piece])) <= max_chars:
            expected.append(piece)
    chosen = best_that_fit(ranked, max_chars)
    assert chosen == expected
    assert len(rendered(chosen)) <= max_chars


def test_a_large_passage_before_many_small_ones_costs_no_square():
    def ranked(count: int) -> list[Evidence]:
        return [text("x" * 10**6), *(text(str(n), str(n % 50)) for n in range(count))]

    def choose(some: list[Evidence]) -> None:
        assert len(best_that_fit(some, 10**6 - 1)) == len(some) - 1

    # n log n, in ever more memory: up to 10; a square would be 16
    assert growth(choose, ranked, 2000, 4) < 13


def test_pages_are_shown_by_rank_and_untitled_passages_first():
    ranked = [
        text("b", "Zwolle"),
        text("plain"),
        text("a", "Aachen"),
        text("c", "Zwolle"),
    ]
    assert render_pages(by_page(ranked, ranked=True), 100).text == (
        "plain\n\n## Zwolle\nb\n\nc\n\n## Aachen\na"
    )


@pytest.mark.parametrize("value", [0, -1, None, True, 2.5, "10"])
@pytest.mark.parametrize("key", ["top_k", "max_context_chars"])
def test_a_count_that_is_none_is_a_clear_error(key, value):
    with pytest.raises(DataError, match=f"{key} is {value!r}"):
        open_book(**{key: value})


# Retrieval recall


def proof(body: str, page: str = "Oslo", *, passes: bool = True) -> dict[str, Any]:
    blank = dict.fromkeys(["section", "parent_section", "key", "value", "caption"], "")
    return blank | {
        "kind": "text",
        "page": page,
        "text": body,
        "rows": [],
        "filter_pass": passes,
    }


ROWS = [["Award", "Result"], ["Best | Sound", "Lost"]]


@pytest.mark.parametrize(
    ("proofs", "passages", "expected"),
    [
        ([proof("A b."), proof("C d.")], [text("A b.", "Oslo")], 50),
        ([proof("A b."), proof("A  B")], [text("a b", "Oslo")], 100),
        ([proof("A b.")], [text("x a - *b*, c", "oslo")], 100),
        ([proof("A b.")], [text("A bc", "Oslo")], 0),
        ([proof("A b.")], [text("A", "Oslo"), text("b", "Oslo")], 0),
        ([proof("A b.")], [text("A b.", "Bergen")], 0),
        ([proof("A b.")], [text("A b.")], 100),
        ([proof("A b.", "")], [text("A b.", "Bergen")], 100),
        ([proof("A b.", "High Anxiety")], [text("A b.", "High_anxiety")], 100),
        ([proof("A b."), proof("C d.", passes=False)], [text("A b.")], 100),
        ([proof("C d.", passes=False)], [text("C d.")], None),
        ([proof("—"), proof("A b.")], [text("A b.")], 100),
        ([proof("—")], [text("—")], None),
        ([], [text("A b.")], None),
        ([proof("A b.")], [], 0),
        (
            [{**proof(""), "kind": "infobox", "key": "Area", "value": "480 km²"}],
            [text("Population: 1\nArea: 480 km2", "Oslo")],
            100,
        ),
        (
            [{**proof(""), "kind": "table", "caption": "Awards", "rows": ROWS}],
            [text("Award,Result\n'Best | Sound',Lost", "Oslo")],
            100,
        ),
    ],
)
def test_recall_of_proofs(proofs, passages, expected):
    assert proof_recall(proofs, passages) == expected


def proof_lines(proof: dict[str, Any]) -> list[str]:
    """The lines that a proof takes in a prompt, but for a caption."""
    if "rows" in proof:
        rows = [[c["cell_value"] for c in row["cells"]] for row in proof["rows"]]
        escaped = [[cell.replace("|", r"\|") for cell in row] for row in rows]
        return [f"| {' | '.join(row)} |" for row in escaped]
    if "key" in proof:
        return [f"{proof['key']}: {proof['value']}"]
    return [proof.get("proof_text") or proof["text"]]


def test_recall_counts_what_is_in_the_prompt(records):
    recalls = []
    for document in by_id(open_book(top_k=12, max_context_chars=900)).values():
        (record,) = (r for r in records if r["init_qid"] == document["id"])
        proofs = [
            proof
            for answer in record["answer_list"]
            if answer["filter_pass"]
            for proof in [
                *answer["init_answer_proof"],
                *(p for e in answer["extension_answer"] for p in e["proof"]),
            ]
        ]
        distinct_proofs = {
            (page_title(proof["found_in_url"]), *proof_lines(proof)) for proof in proofs
        }
        there = 0
        for title, *lines in distinct_proofs:
            context = f"\n{document['context']}\n"
            page = context.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
            there += all(line in page for line in lines)
        expected = 100 * there / len(distinct_proofs)
        assert document["retrieval_recall"] == pytest.approx(expected)
        recalls.append(expected)
    assert len(set(recalls)) > 4


def test_an_oracle_context_holds_every_proof():
    contexts = load("tanq_oracle", data_files=str(RECORDS)).eval_docs["context"]
    for document, context in zip(tanq.read_file(RECORDS), contexts, strict=True):
        assert proof_recall(document["proofs"], [text(context)]) == 100


# A run


def test_a_run_through_the_harness(harness_log):
    results, logged = evaluate(
        TASK, SAMPLES / "responses.jsonl", {"data_files": str(RECORDS), "top_k": 10}
    )
    oracle, _ = evaluate(
        "tanq_oracle", SAMPLES / "responses.jsonl", {"data_files": str(RECORDS)}
    )
    shared = {key for key in oracle if "," in key}
    assert {key: results[key] for key in shared} == {key: oracle[key] for key in shared}
    recalls = [sample["retrieval_recall"] for sample in logged.values()]
    assert all(0 <= recall <= 100 for recall in recalls)
    assert len(set(recalls)) > 3
    mean = sum(recalls) / len(recalls)
    assert results["retrieval_recall,none"] == pytest.approx(mean)
    assert {key.split(",")[0] for key in results} >= {"retrieval_recall", "value_f1"}
    for sample in logged.values():
        assert sample["retrieval_recall"] == sample["doc"]["retrieval_recall"]
    assert "bm25s" not in {record.name for record in harness_log.records}


def test_a_sample_log_is_scored_again_with_its_recall(tmp_path, capsys):
    """By `tableqa score`, which has the responses and not the passages."""
    files = {"data_files": str(RECORDS), "top_k": 10}
    results, logged = evaluate(TASK, SAMPLES / "responses.jsonl", files)
    log = tmp_path / f"samples_{TASK}_2026-08-18T00-00-00.000000.jsonl"
    rows = [json.dumps(row, default=str) for row in logged.values()]
    log.write_text("\n".join(rows), encoding="utf-8")
    out = tmp_path / "scores.json"
    argv = ["score", "tanq", "--references", RECORDS, "--predictions", log]
    assert cli.main([str(part) for part in (*argv, "--output", out)]) == 0
    scored = json.loads(out.read_text(encoding="utf-8"))
    printed = {key.removesuffix(",none") for key in results if key.endswith(",none")}
    assert scored["metrics"].keys() == {k for k in printed if "_stderr" not in k}
    for name, each in scored["metrics"].items():
        assert each["value"] == pytest.approx(results[f"{name},none"]), name
    for sample in scored["samples"]:
        recall = logged[sample["id"]]["retrieval_recall"]
        assert sample["retrieval_recall"] == recall
    assert "\nretrieval_recall " in capsys.readouterr().out


@pytest.mark.parametrize("recall", [None, "all", True, -1, 100.5, float("nan"), []])
def test_a_recall_that_is_none_is_not_known(recall, tmp_path, capsys):
    (document,) = (d for d in tanq.read_file(RECORDS) if d["id"] == FIRST["id"])
    row = {"doc_id": 0, "doc": document | {"retrieval_recall": recall}}
    row |= {"resps": [["|entity|\n|---|\n|A|"]], "filtered_resps": ["|entity|"]}
    log = tmp_path / f"samples_{TASK}_2026-08-18T00-00-00.000000.jsonl"
    log.write_text(json.dumps(row, default=str), encoding="utf-8")
    argv = ["score", "tanq", "--references", RECORDS, "--predictions", log]
    out = tmp_path / "scores.json"
    options = ["--missing", "drop", "--output", out]
    assert cli.main([str(part) for part in (*argv, *options)]) == 0
    scored = json.loads(out.read_text(encoding="utf-8"))
    assert scored["metrics"]["retrieval_recall"]["value"] is None
    assert scored["samples"][0]["retrieval_recall"] is None


def test_a_record_without_proofs_has_no_recall(records, write, harness_log):
    path = write("test.jsonl", [{**records[0], "answer_list": None}, *records[1:]])
    responses = SAMPLES / "responses.jsonl"
    results, logged = evaluate(TASK, responses, {"data_files": str(path), "top_k": 10})
    recalls = {name: s["retrieval_recall"] for name, s in logged.items()}
    assert recalls.pop(records[0]["init_qid"]) is None
    mean = sum(recalls.values()) / len(recalls)
    assert results["retrieval_recall,none"] == pytest.approx(mean)
    assert "1 of 14 records of the test split have no proofs" in harness_log.text


def test_no_proof_at_all_is_a_clear_error(shared):
    official = shared / "data" / "tanq" / "test_input.jsonl"
    with pytest.raises(
        DataError, match="10 records.*384__wikidata_intersection.*corpus"
    ):
        open_book(data_files=str(official))


def test_own_passages_for_records_without_proofs(shared, write):
    official = shared / "data" / "tanq" / "test_input.jsonl"
    lines = [
        {"id": record["init_qid"], "passages": [{"title": "T", "text": "It is so."}]}
        for record in read_lines(official)
    ]
    metadata = {
        "data_files": str(official),
        "passages": str(write("own.jsonl", lines)),
    }
    keys = {"id_key": "init_qid", "response_key": "prediction_table"}
    results, logged = evaluate(TASK, official, metadata, **keys)
    assert results["retrieval_recall,none"] is None
    assert results["rms_f1,none"] == pytest.approx(15.634015993848948, abs=1e-12)
    assert all("## T\nIt is so." in s["arguments"][0][0] for s in logged.values())


# Files of users


@pytest.fixture
def own(records: list[dict[str, Any]], write: Write) -> Callable[..., str]:
    """Write a file of passages, the same for each record but where a test says more."""

    def build(*passages: Any, of: dict[str, Any] | None = None) -> str:
        lines = [
            {"id": r["init_qid"], "passages": (of or {}).get(r["init_qid"], passages)}
            for r in records
        ]
        return str(write("own.jsonl", lines))

    return build


def test_own_passages_are_shown_as_they_are(own):
    passages = [
        {
            "title": " Oslo\n(city)",
            "section": "Sights",
            "text": "  *So* |it| is.\n\nYes. ",
        },
        "Without a title.",
        {"title": None, "text": "Without a title."},
        {"id": 7, "score": 3.5, "text": 1977},
    ]
    loaded = open_book(passages=own(*passages))
    assert set(loaded.eval_docs["context"]) == {
        "Without a title.\n\n1977\n\n## Oslo (city)\n### Sights\n*So* |it| is.\n\nYes."
    }
    assert set(loaded.eval_docs["retrieval_recall"]) == {0.0}


def test_own_passages_that_hold_no_proof_are_reported(own, harness_log):
    open_book(passages=own("Nothing of it."))
    assert "no proof of the test split is in any passage" in harness_log.text


def test_own_passages_are_used_up_to_top_k(own, harness_log):
    loaded = open_book(passages=own("one", "one", "two", "three"), top_k=2)
    assert set(loaded.eval_docs["context"]) == {"one\n\ntwo"}
    assert not any(loaded.eval_docs["truncated"])
    assert "14 of 14 questions have more than top_k=2 passages" in harness_log.text


def test_own_passages_have_a_recall(own, records):
    name = records[10]["init_qid"]
    answer = records[10]["answer_list"][0]
    line = {"text": answer["init_answer_proof"][0]["proof_text"]}
    loaded = open_book(passages=own("Nothing.", of={name: [line]}))
    recalls = {d["id"]: d["retrieval_recall"] for d in loaded.eval_docs}
    assert recalls.pop(name) == 50
    assert set(recalls.values()) == {0.0}


def test_own_passages_need_no_library(own, monkeypatch):
    monkeypatch.setitem(sys.modules, "bm25s", None)
    assert len(open_book(passages=own("So.")).eval_docs) == 14
    with pytest.raises(
        TableqaError, match=r'pip install "lm-eval-tableqa\[openbook\]"'
    ):
        open_book()


def test_missing_questions_are_named(records, write):
    lines = [{"id": r["init_qid"], "passages": ["So."]} for r in records[7:]]
    path = write("own.jsonl", lines)
    first = ", ".join(r["init_qid"] for r in records[:5])
    with pytest.raises(DataError, match="7 of 14 questions") as raised:
        open_book(passages=str(path))
    assert f"{first} and 2 more" in str(raised.value)
    assert str(path) in str(raised.value)


def test_examples_without_passages_are_left_out(records, write, harness_log):
    files = {
        "test": str(write("test.jsonl", records[:10])),
        "dev": str(write("dev.jsonl", records[10:])),
    }
    some = [{"id": r["init_qid"], "passages": ["So."]} for r in records[:12]]
    loaded = open_book(data_files=files, passages=str(write("own.jsonl", some)))
    assert len(loaded.dataset["validation"]) == 2
    assert "2 of 4 questions of the validation split" in harness_log.text
    assert len(prompts(loaded, shots=2)) == 10
    with pytest.raises(DataError, match="num_fewshot 3"):
        prompts(loaded, shots=3)


FIRST = {"id": "1__wikidata_intersection__test", "passages": ["So."]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[", "line 2: not valid JSON"),
        ("[" * 100_000, "line 2: cannot be read as JSON"),
        ("[1]", r"line 2: \[1\] is not an object with keys"),
        ({"passages": []}, "line 2: no id"),
        ({"id": ["a"], "passages": []}, "line 2: id is"),
        ({"id": "q"}, r"line 2 \(id q\): no passages"),
        ({"id": "q", "passages": "So."}, r"line 2 \(id q\): passages is not a list"),
        ({"id": "q", "passages": [7]}, r"line 2, passage 1 \(id q\): neither a text"),
        ({"id": "q", "passages": ["a", " "]}, r"line 2, passage 2 \(id q\): text is"),
        ({"id": "q", "passages": [{"title": "a"}]}, r"passage 1 \(id q\): no text"),
        (
            {"id": "q", "passages": [{"text": "a", "title": []}]},
            r"passage 1 \(id q\): title is",
        ),
        (FIRST, r"line 2 \(id 1__wikidata_intersection__test\): .*stood there before"),
    ],
)
def test_broken_passages_say_where(line, message, tmp_path):
    path = tmp_path / "own.jsonl"
    lines = [json.dumps(FIRST), line if isinstance(line, str) else json.dumps(line)]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DataError, match=message) as raised:
        open_book(passages=str(path))
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("key", ["passages", "corpus"])
@pytest.mark.parametrize("value", ["nowhere.jsonl", 5, ["a.jsonl"]])
def test_a_file_that_is_not_there(key, value):
    with pytest.raises(DataError, match=f"{key}: .*(not a file|no path)"):
        open_book(**{key: value})


def test_both_files_are_one_too_many(own):
    with pytest.raises(DataError, match="give one of them"):
        open_book(passages=own("So."), corpus="c.jsonl")


# Corpus


def as_corpus(passages: list[Evidence]) -> list[dict[str, str]]:
    return [{"title": p.page, "section": p.section, "text": p.body} for p in passages]


def test_a_corpus_of_the_proofs_finds_what_the_pool_finds(write):
    passages = pool(p for d in tanq.read_file(RECORDS) for p in d["proofs"])
    path = write("corpus.jsonl", as_corpus(passages))
    of_pool = by_id(open_book(top_k=8))
    of_corpus = by_id(open_book(top_k=8, corpus=str(path)))
    recalls = [d["retrieval_recall"] for d in of_pool.values()]
    assert [d["retrieval_recall"] for d in of_corpus.values()] == recalls
    for name, document in of_corpus.items():
        # The pool's facts of an infobox have no empty line between them.
        shown = document["context"].replace("\n\n", "\n")
        assert shown == of_pool[name]["context"].replace("\n\n", "\n")


def test_a_corpus_has_each_passage_once(tmp_path):
    lines = [
        '\ufeff{"text": "river one", "title": "Ä"}',
        '"river two"',
        "",
        '{"title": "\\u00c4", "text": "river one ", "id": 9}',
        '{"title": "B", "text": "river one"}\r',
        '"river \\ud800 three"',
    ]
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    corpus = Corpus(path)
    passages = [
        text("river one", "Ä"),
        text("river two"),
        text("river one", "B"),
        text("river ? three"),
    ]
    assert list(corpus) == passages
    assert [corpus[number] for number in range(4)] == passages
    assert list(corpus) == passages
    found = Bm25(corpus, 9)({"question": "two"})
    assert found == [text("river two")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not valid JSON"),
        ("[" * 100_000, "line 2: cannot be read as JSON"),
        (b"\xff\xfe", r"line 2: is not text in UTF-8 \(byte 0\)"),
        ("7", "line 2: neither a text"),
        ('{"title": "a"}', "line 2: no text"),
        ('""', "line 2: text is"),
        ('{"text": {"a": 1}}', "line 2: text is"),
        ('{"text": "a", "section": {}}', "line 2: section is"),
    ],
)
def test_a_broken_corpus_says_where(line, message, tmp_path):
    path = tmp_path / "corpus.jsonl"
    line = line if isinstance(line, bytes) else line.encode()
    path.write_bytes(b'"So."\n' + line + b"\n")
    with pytest.raises(DataError, match=message) as raised:
        open_book(corpus=str(path))
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("form", ["lines", "list"])
def test_a_corpus_in_another_form_is_the_same(form, zipped, tmp_path):
    passages = ["one", {"text": "two — [3]", "title": "B"}, "one", "three"]
    written = {
        "list": "\ufeff\n" + json.dumps(passages, indent=1),
        "lines": "\ufeff" + "\n\n".join(map(json.dumps, passages)),
    }
    content = written[form].encode()
    path = tmp_path / "corpus"
    path.write_bytes(gzip.compress(content) if zipped else content)
    corpus = Corpus(path)
    wanted = [
        Evidence("", "", "text", "one"),
        Evidence("B", "", "text", "two — [3]"),
        Evidence("", "", "text", "three"),
    ]
    assert list(corpus) == list(corpus) == wanted
    assert [corpus[number] for number in range(3)] == wanted


@pytest.mark.parametrize("share", [0.1, 0.5, 0.985])
@pytest.mark.parametrize("form", ["lines", "list"])
def test_a_corpus_that_was_cut_off(form, share, tmp_path):
    passages = [f"passage {number}" for number in range(100)]
    lines = "".join(f"{json.dumps(passage)}\n" for passage in passages)
    content = (lines if form == "lines" else json.dumps(passages)).encode()
    path = tmp_path / "corpus.jsonl.gz"
    packed = gzip.compress(content)
    path.write_bytes(packed[: int(len(packed) * share)])
    with pytest.raises(DataError, match=r"corpus\.jsonl\.gz: damaged gzip file"):
        Corpus(path)
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(DataError, match="not valid JSON, cut off"):
        list(Corpus(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"[]", "holds no passage"), (b'["a", 7]', "item 2: neither a text nor")],
)
def test_a_list_that_is_no_corpus(content, message, tmp_path):
    path = tmp_path / "corpus.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(Corpus(path))


def test_own_passages_in_another_form_are_the_same(write, tmp_path):
    records = [{"id": str(n), "passages": [f"So {n}."]} for n in range(3)]
    lines = write("own.jsonl", records)
    wanted = [OwnPassages(lines, 9)({"id": str(n)}) for n in range(3)]
    path = tmp_path / "own.gz"
    for content in (lines.read_bytes(), json.dumps(records).encode()):
        path.write_bytes(gzip.compress(content))
        own = OwnPassages(path, 9)
        assert [own({"id": str(n)}) for n in range(3)] == wanted


def test_a_corpus_without_passages(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n \n")
    with pytest.raises(DataError, match="holds no passage"):
        open_book(corpus=str(path))


def test_a_corpus_without_words(write):
    with pytest.raises(DataError, match="no passage with a word"):
        open_book(corpus=str(write("corpus.jsonl", ["—", "the"])))


def test_questions_without_any_passage_are_reported(write, harness_log):
    loaded = open_book(corpus=str(write("corpus.jsonl", ["Xylophone", "Comet"])))
    empty = [d["id"] for d in loaded.eval_docs if not d["context"]]
    assert 0 < len(empty) < 14
    assert (
        f"{len(empty)} of 14 questions of the test split are asked" in harness_log.text
    )
    assert empty[0] in harness_log.text
