"""Any record and any prediction is scored, or refused in words that say where."""

import json
import math

import pytest
from hypothesis import given, settings, strategies as st

from tableqa_metrics.extraction.answers import find_answer
from tableqa_metrics.files import response_text
from tableqa_metrics.files.blocks import RawRow
from tableqa_metrics.files.jsonfile import InputFileError
from tableqa_metrics.files.layout import Layout
from tableqa_metrics.files.rowfile import RowFile
from tableqa_metrics.scoring.questions import read_questions, record_blocks
from tableqa_metrics.scoring.scorer import Job, Scorer
from tableqa_metrics.scoring.tasks import TASKS, WORDS
from tableqa_metrics.scoring.tat import extracted_answer


LAYOUT = Layout("rows", "id", "response")
REPLIES = (
    "The answer is: 12.5 #### and its corresponding scale is: million",
    "| step | output |\n| 1 | Arithmetic |\n| 3 | 1+2 |\n| 4 | 3 |\n| 5 | million |",
    "|a|b|\n|---|---|\n|1|2|",
    "Program: add(1, 2)",
)
WORTH_TRYING = (
    "12.5",
    "1,000",
    "million",
    "yes",
    "True",
    "add(1, 2)",
    "EOF",
    "a|b\n1|2",
)

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(WORTH_TRYING),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["answer", "scale", "columns"]) | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


def or_anything(*likely):
    return st.sampled_from(likely) | anything


tat_question = st.fixed_dictionaries(
    {
        "uid": st.just("q"),
        "question": st.just("?"),
        "answer": or_anything(["a"], ["a", "b"], 12.5, 0, "3"),
        "answer_type": or_anything("span", "multi-span", "count", "arithmetic"),
        "scale": or_anything("", "million", "percent", "dozen"),
    },
    optional={"answer_from": anything},
)
finqa_record = st.fixed_dictionaries(
    {
        "id": st.just("q"),
        "table": or_anything([["a", "1"]]),
        "qa": st.fixed_dictionaries(
            {
                "program": or_anything("add(1, 2)", "table_sum(a, none)"),
                "exe_ans": or_anything(3.0, "yes"),
                "gold_inds": or_anything({"table_1": "", "text_2": ""}),
            }
        ),
    }
)
tanq_record = st.fixed_dictionaries(
    {
        "init_qid": st.just("q"),
        "answer_table": or_anything("a|b\n1|2\n", ""),
        "extended_types": or_anything(["filter"]),
        "ext_question_rephrased": anything,
    }
)
RECORDS = {
    "tanq": tanq_record,
    "tatqa": tat_question.map(lambda q: {"table": {}, "questions": [q]}),
    "tatdqa": tat_question.map(lambda q: {"doc": {}, "questions": [q]}),
    "finqa": finqa_record,
}


@pytest.mark.parametrize("task", sorted(set(TASKS.values()), key=repr))
@settings(max_examples=50)
@given(data=st.data())
def test_nothing_but_a_broken_reference_stops(tmp_path_factory, task, data):
    record = data.draw(RECORDS[task.benchmark])
    extracted = data.draw(st.booleans())
    if not extracted:
        value = data.draw(st.sampled_from(REPLIES) | st.text(max_size=40))
    else:
        value = data.draw(anything)
    file = tmp_path_factory.getbasetemp() / "record.json"
    file.write_text(json.dumps([record]))
    unusable = {}
    (block,) = record_blocks(RowFile(file))
    questions = list(read_questions(task.benchmark, block, unusable))
    assert len(questions) + len(unusable) == 1
    scorer = Scorer(task, extracted, LAYOUT)
    for question in questions:
        for row in (RawRow("FILE", {"id": "q", "response": value}), None):
            try:
                result = scorer.score(Job("q", question.where, question.gold, row))
            except InputFileError as error:
                assert str(error).startswith(f"{file}, item 1")
                continue
            sample = json.loads(result.sample, parse_constant=pytest.fail)
            assert {
                "id",
                "prediction",
                "rule",
                "reason",
                *result.scores,
            } == sample.keys()
            most = 100 if task.benchmark == "tanq" else 1
            for key, score in result.scores.items():
                if key in WORDS:
                    assert score is None or isinstance(score, str)
                elif score is not None:
                    assert type(score) is float and math.isfinite(score)
                    assert 0 <= score <= (most if row else 0) * (1 + 1e-12)


@given(anything.filter(lambda value: not isinstance(value, (str, int, float))))
def test_an_extracted_answer_is_what_replaying_it_comes_to(value):
    """Replayed as JSON, as the replay model writes it."""
    for scale in ("", "million", "dozen"):
        pair = {"answer": value, "scale": scale}
        replayed = find_answer(response_text(pair)).answer
        taken = extracted_answer(pair).answer
        assert repr(taken.raw) == repr(replayed.raw)
        assert (taken.values, taken.scale) == (replayed.values, replayed.scale)
