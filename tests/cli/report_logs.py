"""Sample logs as the harness writes them, made without it, and reports of them."""

import base64
import gzip
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lm_eval_tasks import cli
from tableqa_metrics import find_answer, find_table
from tableqa_metrics.files.records import tanq_question_type
from tableqa_metrics.files.rowfile import RowFile
from tableqa_metrics.report.documents import read_documents
from tableqa_metrics.report.groups import Group, make_groups
from tableqa_metrics.report.inputs import read_runs
from tableqa_metrics.report.score_file import Lookup
from tableqa_metrics.scoring.answer_scores import tat_scores
from tableqa_metrics.scoring.table_scores import tanq_scores


SAMPLES = Path(__file__).parents[2] / "lm_eval_tasks"
DATE = "2026-01-02T03-04-05.678901"
ATTACK = (
    "</script><script>window.hacked = 1</script>"
    "<img src='https://example.invalid/x' onerror='window.hacked = 2'>"
)
NEEDLE = "Zebrafinch"  # a word of one answer
LINE = "The answer is:"


def documents(benchmark: str) -> dict[str, Mapping[str, Any]]:
    """The documents of the embedded samples, by id."""
    name = "records.jsonl" if benchmark == "tanq" else "records.json"
    return read_documents(RowFile(SAMPLES / benchmark / "samples" / name))


def responses(benchmark: str) -> dict[str, str]:
    """The recorded responses, by id."""
    path = SAMPLES / benchmark / "samples" / "responses.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row["response"] for row in rows}


def tanq_row(doc: Mapping[str, Any], response: str) -> dict[str, Any]:
    return tanq_scores(
        doc["answer_table"],
        find_table(response),
        question_type=tanq_question_type(doc["id"]),
    )


def tatqa_row(doc: Mapping[str, Any], response: str) -> dict[str, Any]:
    gold = json.loads(doc["gold"])
    return tat_scores(gold, find_answer(response), prompted="answer_line")


SCORES: dict[str, Callable[..., dict[str, Any]]] = {
    "tanq": tanq_row,
    "tatqa": tatqa_row,
}


def write_log(
    folder: Path,
    model: str,
    benchmark: str,
    answers: Mapping[str, str],
    *,
    docs: Mapping[str, Mapping[str, Any]] | None = None,
    task: str | None = None,
    date: str = DATE,
) -> Path:
    """Write one model's answers as the harness does, with its file of results."""
    task = task or f"{benchmark}_sample"
    docs = documents(benchmark) if docs is None else docs
    rows = []
    for number, (name, response) in enumerate(answers.items()):
        scores = SCORES[benchmark](docs[name], response)
        rows.append(
            {
                "doc_id": number,
                "doc": docs[name],
                "resps": [[response]],
                "filtered_resps": [response],
                "filter": "none",
                "metrics": list(scores),
                **scores,
            }
        )
    place = folder / model
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"samples_{task}_{date}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    results = {
        "model_name": model,
        "lm_eval_version": "0.4.13",
        "n-shot": {task: 0},
        "config": {"gen_kwargs": {"temperature": 0}, "limit": None},
    }
    (place / f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")
    return path


def write_two_models(folder: Path) -> None:
    """Write two models on TANQ's samples, one a little worse, and two on TAT-QA's."""
    good = responses("tanq")
    weak = {name: text.replace("1987", "1978") for name, text in good.items()}
    first, second, third, *_ = weak
    weak[first] = f"{ATTACK}\n\n{weak[first]}"
    weak[second] = f"I do not know, but {NEEDLE} might."
    weak[third] = weak[third].replace("1972", "-1972")
    write_log(folder, "good", "tanq", good)
    write_log(folder, "weak", "tanq", weak)
    spoken = responses("tatqa")
    write_log(folder, "good", "tatqa", spoken)
    write_log(
        folder,
        "weak",
        "tatqa",
        {
            **spoken,
            next(
                iter(spoken)
            ): f"{LINE} $(509.9) #### and its corresponding scale is: million",
        },
    )


def report_link(group: str, question: str) -> str:
    """The fragment that opens a question."""
    return f"#q/{group}/{question}"


def groups_of(*paths: Path) -> list[Group]:
    """Read runs and take them apart."""
    lookup = Lookup()
    return make_groups([run for path in paths for run in read_runs(path, lookup)])


def unpacked(page: str) -> dict[str, Any]:
    """The data of a page."""
    packed = re.search(
        r'<script type="application/octet-stream" id="data">([^<]*)<', page
    )
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))


def report(*argv) -> int:
    """Run `tableqa report`."""
    return cli.main(["report", *map(str, argv)])
