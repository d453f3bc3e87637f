"""The page of `tableqa report`: its figures, texts and contexts, its size, and no more."""

import base64
import hashlib
import html
import json
import re

import pytest
from report_logs import (
    SAMPLES,
    documents,
    groups_of,
    report,
    responses,
    unpacked,
    write_log,
)

from lm_eval_tasks import cli
from tableqa_metrics.aggregate import Estimate, estimate
from tableqa_metrics.files.proofs import page_title
from tableqa_metrics.report import page as page_module
from tableqa_metrics.report.charts import bar_chart
from tableqa_metrics.report.page import MAX_BYTES, html_report
from tableqa_metrics.report.payload import shorten, shorten_rows
from tableqa_metrics.report.summary import (
    breakdowns,
    differences,
    losses,
    metric_lines,
)


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> {{ 7*7 }} \0"


@pytest.fixture
def folder(tmp_path):
    """Two models on the samples of TANQ, and one of them on those of TAT-QA."""
    good = responses("tanq")
    weak = {name: text.replace("1987", "1978") for name, text in good.items()}
    first, second, *_ = weak
    weak[first] = HOSTILE + weak[first]
    weak[second] = "I do not know."
    write_log(tmp_path / "runs", "good", "tanq", good)
    write_log(tmp_path / "runs", "weak", "tanq", weak)
    write_log(tmp_path / "runs", "good", "tatqa", responses("tatqa"))
    return tmp_path / "runs"


def test_a_folder_becomes_one_page(folder, tmp_path, capsys):
    out = tmp_path / "report.html"
    assert report(folder, "--output", out) == 0
    assert capsys.readouterr() == ("", "")
    page = out.read_text(encoding="utf-8")
    data = unpacked(page)
    assert [group["name"] for group in data["groups"]] == [
        "tanq_sample",
        "tatqa_sample",
    ]
    assert data["groups"][0]["runs"] == ["good", "weak"]
    assert len(data["groups"][0]["questions"]) == len(responses("tanq"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report.html", "runs"]


def test_nothing_in_the_page_points_outside(folder):
    page = html.unescape(html_report(groups_of(folder)))
    assert "default-src 'none'" in page
    assert "unsafe" not in page
    without_data = re.sub(r'id="data">[^<]*<', "", page)
    for words in (
        "https:",
        "src=",
        "@import",
        "url(",
        "fetch(",
        "XMLHttp",
        "innerHTML",
    ):
        assert words not in without_data
    addresses = set(re.findall(r"http://[\w./]+", without_data))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_the_policy_names_the_script_and_the_style(folder):
    page = html_report(groups_of(folder))
    for tag in ("script", "style"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in html.unescape(page)


def test_hostile_text_stays_text(tmp_path):
    answers = {name: HOSTILE + text for name, text in responses("tanq").items()}
    model = "m<script>alert(3)</script>"
    docs = {
        name: {**doc, "skills": [HOSTILE], "question": HOSTILE}
        for name, doc in documents("tanq").items()
    }
    log = write_log(tmp_path, "m", "tanq", answers, docs=docs)
    (tmp_path / "m" / "results_2026-01-02T03-04-05.678901.json").write_text(
        json.dumps({"model_name": model, "lm_eval_version": "\ud800<b>"})
    )
    page = html_report(groups_of(log))
    page.encode("utf-8")
    assert page.count("<script") == 2
    assert page.count("<img") == page.count("<b>") == 0
    assert "m&lt;script&gt;alert(3)&lt;/script&gt;" in page
    question = unpacked(page)["groups"][0]["questions"][0]
    assert question["text"] == HOSTILE
    assert question["answers"][0]["response"].startswith(HOSTILE)


def test_figures_are_those_of_the_log(folder):
    log = next(folder.glob("weak/samples_tanq*"))
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    (group,) = groups_of(log)
    lines = {line.name: line.values[0] for line in metric_lines(group)}
    for name in ("f1", "rms_f1", "value_f1"):
        expected = estimate([row[name] for row in rows], upper=100.0)
        assert lines[name] == expected
    simple = [row["rms_f1_simple"] for row in rows if row["rms_f1_simple"] is not None]
    assert lines["rms_f1_simple"] == estimate(simple, upper=100.0)
    without = sum(row["no_table"] is not None for row in rows)
    assert lines["no_table"].value == pytest.approx(100 * without / len(rows))


@pytest.mark.parametrize(("name", "metric"), [("tanq", "value_f1"), ("tatqa", "em")])
def test_lost_points_add_up(tmp_path, name, metric):
    log = write_log(tmp_path, "m", name, responses(name))
    (group,) = groups_of(log)
    lines = {line.name: line.values[0].value for line in metric_lines(group)}
    assert sum(line.values[0].value for line in losses(group)) == pytest.approx(
        100 - lines[metric]
    )


def test_outcomes_and_causes_of_tat_qa(tmp_path):
    name, doc = next(
        (n, d) for n, d in documents("tatqa").items() if json.loads(d["gold"])["scale"]
    )
    gold = json.loads(doc["gold"])
    scale, answer = gold["scale"], gold["answer"]
    value = answer[0] if isinstance(answer, list) else answer

    def outcome(response):
        log = write_log(tmp_path, "m", "tatqa", {name: response})
        (group,) = groups_of(log)
        why = group.answers[0][name].explanation
        return why.outcome, list(why.causes)

    line = "The answer is: {} #### and its corresponding scale is: {}"
    other = "billion" if scale != "billion" else "million"
    assert outcome(line.format(value, scale)) == ("right", [])
    assert outcome(line.format(value, other)) == ("wrong", ["wrong_scale"])
    assert outcome(line.format("999999", scale)) == ("wrong", ["wrong_value"])
    assert outcome("") == ("no_answer", ["no_answer"])


def test_scores_of_tanq_show_the_proofs_of_the_references(tmp_path):
    source = SAMPLES / "tanq" / "samples"
    records = source / "records.jsonl"
    scores = tmp_path / "scores.json"
    files = ["--references", str(records)]
    files += ["--predictions", str(source / "responses.jsonl")]
    assert cli.main(["score", "tanq", *files, "--output", str(scores)]) == 0
    out = tmp_path / "report.html"
    assert report(scores, "--output", out) == 0
    data = unpacked(out.read_text(encoding="utf-8"))
    shown = {
        question["id"]: data["contexts"][question["context"]]
        for question in data["groups"][0]["questions"]
    }
    for line in records.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        blocks = shown[record["init_qid"]]
        told = {(b["proof"].split(" › ")[0], b.get("text")) for b in blocks}
        proofs = [
            proof
            for answer in record["answer_list"]
            for extension in answer["extension_answer"]
            for proof in extension["proof"]
        ]
        for proof in proofs:
            if "rows" not in proof:
                text = proof.get("text") or f"{proof['key']}: {proof['value']}"
                assert (page_title(proof["found_in_url"]), text) in told
    blocks = shown["1__wikidata_intersection__test"]
    assert [block["of"] for block in blocks if block["proof"] == "Salt Orchard"] == [
        "for composer",
        "for publication date",
    ]
    failing = [block for block in blocks if "fails the filter" in block["of"]]
    assert 0 < len(failing) < len(blocks)
    tables = [
        block["table"]
        for blocks in shown.values()
        for block in blocks
        if "table" in block
    ]
    assert tables


def test_a_long_table_of_a_context_is_cut_like_a_long_text():
    rows = [["header", "x"], *[["cell", "y"]] * 500]
    assert shorten_rows(rows, 10_000) == rows
    short = shorten_rows(rows, 100)
    assert len(short) == 20
    assert short[:19] == rows[:19]
    assert short[19] == ["[… 482 rows are left out of this report …]"]


def test_what_each_run_was_shown(tmp_path):
    """Closed book, oracle and open book side by side."""
    answers = responses("tanq")
    settings = {"closed": "", "oracle": "own proofs", "open": "passages"}
    for model, context in settings.items():
        docs = {
            name: {key: doc[key] for key in doc if key != "proofs"}
            | {"context": f"{context} of {name}" if context else ""}
            for name, doc in documents("tanq").items()
        }
        write_log(tmp_path, model, "tanq", answers, docs=docs)
    groups = groups_of(*sorted(tmp_path.glob("*/samples_*")))
    data = unpacked(html_report(groups))
    assert data["groups"][0]["runs"] == ["closed", "open", "oracle"]
    for question in data["groups"][0]["questions"]:
        own = [
            answer.get("context", question["context"]) for answer in question["answers"]
        ]
        assert own[0] is None
        assert [[block["text"] for block in data["contexts"][c]] for c in own[1:]] == [
            [f"passages of {question['id']}"],
            [f"own proofs of {question['id']}"],
        ]
        assert [c is None for c in own] == [True, False, False]
    assert len(data["contexts"]) == 2 * len(answers)


def test_retrieval_recall_is_shown(tmp_path, capsys):
    """With its mean over the records that have one, and no score of the others."""
    answers = responses("tanq")
    log = write_log(tmp_path, "m", "tanq", answers, task="tanq_open_book")
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    for place, row in enumerate(rows):
        row["retrieval_recall"] = None if place == 0 else 50.0 if place == 1 else 100.0
        row["metrics"].append("retrieval_recall")
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert report(log, "--markdown", "--output", tmp_path / "r.html") == 0
    mean = (50 + 100 * (len(rows) - 2)) / (len(rows) - 1)
    title = "Needed proofs in the prompt (retrieval recall)"
    assert f"| {title} (`retrieval_recall`) | {mean:.2f} [" in capsys.readouterr().out
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert title in page
    answered = [q["answers"][0] for q in unpacked(page)["groups"][0]["questions"]]
    assert [a["scores"]["retrieval_recall"] for a in answered[:3]] == [
        None,
        50.0,
        100.0,
    ]


def test_markdown(folder, capsys):
    assert (
        report(folder, "--markdown", "--model", "a|b", "--model", "c", "--model", "d")
        == 0
    )
    out = capsys.readouterr().out
    assert out.startswith("All figures are in percent")
    assert "## TANQ, embedded samples" in out
    assert "| Metric | a\\|b (14) |" in out
    assert "| RMS F1, official (`rms_f1`) |" in out
    table = [line for line in out.splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in table]
    assert min(widths) >= 3
    assert "<" not in out.replace("&lt;", "")


@pytest.mark.parametrize(("runs", "pairs"), [(5, 10), (6, 5)])
def test_many_runs_are_compared_with_the_first(tmp_path, capsys, runs, pairs):
    answers = responses("tatqa")
    for number in range(runs):
        write_log(tmp_path, f"m{number}", "tatqa", answers)
    (group,) = groups_of(tmp_path)
    names = [(d.first, d.second) for d in differences(group) if d.metric == "em"]
    assert len(names) == len(set(names)) == pairs
    assert {second for _, second in names} == {f"m{n}" for n in range(1, runs)}
    assert report(tmp_path, "--markdown") == 0
    said = "Each run is compared with the first alone." in capsys.readouterr().out
    assert said == (pairs == runs - 1)


def test_published_figures_stand_beside_the_benchmark_only(tmp_path):
    answers = responses("tatqa")
    sample = write_log(tmp_path, "m", "tatqa", answers)
    whole = write_log(tmp_path, "m", "tatqa", answers, task="tatqa")
    assert "GPT-4" not in html_report(groups_of(sample))
    page = html_report(groups_of(whole))
    assert "GPT-4" in page
    assert "71.92" in page
    assert "TAT-LLM&#39;s own scorer" in page


def test_breakdowns_are_those_of_the_benchmark(tmp_path):
    log = write_log(tmp_path, "m", "tatqa", responses("tatqa"))
    (group,) = groups_of(log)
    found = {(part.facet, part.metric) for part in breakdowns(group)}
    facets = ("Answer type", "Source", "Scale", "Answer type and Source")
    assert found == {(f, m) for f in facets for m in ("em", "value_em")}
    for part in breakdowns(group):
        counted = sum(line.values[0].n for line in part.lines)
        assert counted == len(group.questions)


def test_a_large_report_is_cut_down_to_size(tmp_path, monkeypatch):
    # Digests do not compress.
    noise = "".join(hashlib.sha256(bytes([n])).hexdigest() for n in range(100))
    answers = {name: noise + text for name, text in responses("tanq").items()}
    groups = groups_of(write_log(tmp_path, "m", "tanq", answers))
    whole = html_report(groups)
    most = len(whole) - 2500
    monkeypatch.setattr(page_module, "MAX_BYTES", most)
    monkeypatch.setattr(page_module, "LIMITS", (1_000_000, 6000, 100))
    cut = html_report(groups)
    assert len(cut) <= most
    assert "more than 100 characters are shortened in the middle" in cut
    assert "shortened in the middle" not in whole
    assert MAX_BYTES < 15_000_000


def test_as_little_is_cut_as_will_fit(tmp_path, monkeypatch):
    def noise(name):
        digests = (
            hashlib.sha256(f"{name} {n}".encode()).hexdigest() for n in range(100)
        )
        return "".join(digests)

    answers = {name: noise(name) + text for name, text in responses("tanq").items()}
    groups = groups_of(write_log(tmp_path, "m", "tanq", answers))
    limits = (1_000_000, 5000, 4000, 3000, 2000, 1000)
    sizes = []
    for limit in limits[1:]:
        monkeypatch.setattr(page_module, "MAX_BYTES", 0)
        monkeypatch.setattr(page_module, "LIMITS", (1_000_000, limit))
        sizes.append(len(html_report(groups).encode()))
    assert sizes == sorted(sizes, reverse=True)
    monkeypatch.setattr(page_module, "LIMITS", limits)
    for limit, size in zip(limits[1:], sizes, strict=True):
        monkeypatch.setattr(page_module, "MAX_BYTES", size)
        said = f"more than {limit:,} characters are shortened"
        assert said in html_report(groups)


def test_what_is_left_out_is_said():
    text = "a" * 300 + "b" * 300
    short = shorten(text, 100)
    assert short.startswith("a" * 75)
    assert short.endswith("b" * 25)
    assert "500 characters are left out" in short
    assert shorten("abc", 3) == "abc"


def test_a_chart_has_a_name_and_nothing_of_a_viewer():
    values = [estimate([0.0, 100.0], upper=100.0), None]
    svg = bar_chart(
        "%", ["one\0", "<two>"], {"m & n": values, "o": values}, name='a "b"'
    )
    assert svg.startswith("<svg")
    assert 'role="img"' in svg
    assert 'aria-label="a &quot;b&quot;"' in svg
    assert svg.count("&lt;two&gt;") == 1
    assert "style" not in svg
    assert "script" not in svg


@pytest.mark.parametrize("most", [0.3, 7.0, 18.9, 33.1, 100.0])
def test_the_numbers_of_an_axis_are_few(most):
    """More would run into each other where labels leave the bars a third of the width."""
    estimates = [Estimate(most / 2, 1.0, (0.0, most), 50)]
    svg = bar_chart("points", ["a"], {"m": estimates}, upper=None, name="n")
    texts = re.findall(r"<text[^>]*>([\d.]+)</text>", svg)
    assert 3 <= len(texts) <= 6
    assert float(texts[0]) == 0 and most / 2 < float(texts[-1]) <= most
