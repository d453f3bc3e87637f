"""Whatever a model writes can be explained, packed and shown."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from report_logs import documents

from tableqa_metrics.report.explain import explain
from tableqa_metrics.report.groups import make_groups
from tableqa_metrics.report.page import html_report
from tableqa_metrics.report.questions import read_question
from tableqa_metrics.report.runs import Run, Sample


BENCHMARKS = ("tanq", "tatqa", "finqa")
SCORES = {
    "tanq": {"rms_f1": 0.0, "value_f1": 0.0, "no_table": None},
    "tatqa": {"em": 0.0, "value_em": 0.0, "em_gold_scale": 0.0, "no_answer": None},
    "finqa": {"exe_acc": 0.0, "value_em": 0.0, "no_answer": None, "off_format": None},
}
LONG = 200_000
RESPONSES = [
    "",
    "\0\ud800\u202e|\ud800|\n",
    "|" * LONG,
    "| a " * LONG,
    "|a|b|\n|-|-|\n" + "|1|2|\n" * 20_000,
    "a|b\n" + "1|2\n" * 20_000,
    "entity|x\n" + "|".join(["y"] * 20_000),
    "[" * LONG,
    '{"answer": ' + "[" * 900 + "1" + "]" * 900 + "}",
    '{"answer": ' + "9" * 5000 + "}",
    '{"answer": 1e999, "scale": "million"}',
    '{"answer": NaN}',
    "The answer is: " + "9" * LONG + " #### and its corresponding scale is: million",
    "The answer is: " + "#".join(["7"] * 5000),
    "9**9**9",
    "Program: " + "add(1, 2), " * 5000,
    "Program: exp(99999, 99999)",
    '["divide(", "1", "0", ")", "EOF"]',
    "<think>" * 10_000,
    "</script><!--" * 1000,
]


def question_of(benchmark):
    name, doc = next(iter(documents(benchmark).items()))
    return doc, read_question(benchmark, name, doc)


def run_of(benchmark, doc, responses):
    samples = tuple(
        Sample(f"{doc['id']}-{n}", doc, text, SCORES[benchmark])
        for n, text in enumerate(responses)
    )
    metrics = tuple(SCORES[benchmark])
    return Run("m", benchmark, benchmark, metrics, samples, Path("samples"), "0")


@pytest.mark.parametrize("benchmark_name", BENCHMARKS)
def test_hostile_responses(benchmark_name):
    doc, _ = question_of(benchmark_name)
    page = html_report(make_groups([run_of(benchmark_name, doc, RESPONSES)]))
    assert len(page) < 3_000_000


@pytest.mark.parametrize("benchmark_name", BENCHMARKS)
@given(text=st.text(max_size=60) | st.text("|-\n 12.,()%#$\\", max_size=60))
def test_any_response(benchmark_name, text):
    _, question = question_of(benchmark_name)
    for program in (False, True):
        sample = Sample("q", None, text, SCORES[benchmark_name])
        why = explain(benchmark_name, question, sample, program=program)
        assert 0.0 <= sum(why.causes.values()) <= 1.0 + 1e-9
        assert why.outcome in ("right", "partly", "wrong", "no_answer")


values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(
    values,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["answer", "scale", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("benchmark_name", BENCHMARKS)
@given(prediction=anything)
def test_any_saved_prediction(benchmark_name, prediction):
    _, question = question_of(benchmark_name)
    sample = Sample("q", None, None, SCORES[benchmark_name], prediction=prediction)
    why = explain(benchmark_name, question, sample)
    json.dumps(why.scored.text)
