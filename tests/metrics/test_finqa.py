"""FinQA's evaluator and accuracies: equal to the released script, on any program."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, strategies as st
from reference.cost import growth
from reference.finqa_plain import plain_execute

from tableqa_metrics import (
    Execution,
    FinqaAccuracy,
    finqa_accuracy,
    finqa_answer_correct,
    finqa_execute,
    finqa_program_score,
)
from tableqa_metrics.finqa.execution import cell_number, row_numbers
from tableqa_metrics.finqa.program import tokenize_program


INVALID = Execution(False, "n/a")
TABLE = [
    ["", "2015", "2014"],
    ["net revenue", "$ 5829", "$ 5735"],
    ["net loss", "-32 ( 32 )", "-35 ( 35 )"],
    ["margin", "12.5%", "11%"],
    ["cash , cash equivalents", "5", "6"],
    ["words", "n/a", "5"],
    ["constant", "const_x", "5"],
    ["no cells"],
    ["total", "1", "2"],
    ["total", "3", "4"],
]


def record(program="add(1, 2)", exe_ans=3.0, table=TABLE, name="a"):
    return {
        "id": name,
        "table": table,
        "qa": {"program": program, "exe_ans": exe_ans},
    }


# The released script's own answers


@pytest.fixture(scope="module")
def quirks(reference):
    def of(function: str):
        cases = reference("quirks_finqa.json")
        found = [case for case in cases if case["name"].split(":")[0] == function]
        assert found
        return found

    return of


@pytest.fixture(scope="module")
def gold_records(shared):
    path = shared / "data/finqa/finqa_test_assembled.json"
    records = json.loads(path.read_text(encoding="utf-8"))
    assert len(records) == 1147
    return records


def test_programs_run_as_released(quirks):
    for case in quirks("eval_program"):
        program, official = case["inputs"], case["official"]
        execution = finqa_execute(program["tokens"], program["table"])
        if program["program"] is not None:
            assert repr(finqa_execute(program["program"], program["table"])) == repr(
                execution
            )
        assert execution.valid == (not official["invalid_flag"]), case["id"]
        if case["id"] == "finqa:eval_program:exp_negative_root":  # complex there
            assert execution == INVALID
        else:
            expected = official["result"]
            value = expected if expected in ("yes", "no", "n/a") else float(expected)
            assert repr(execution.value) == repr(value), case["id"]


def test_numbers_rows_and_tokens_are_read_as_released(quirks):
    for case in quirks("str_to_num"):
        official = None if case["official"] == "n/a" else float(case["official"])
        assert repr(cell_number(*case["inputs"]["args"])) == repr(official), case["id"]
    for case in quirks("process_row"):
        official = None if case["official"] == "n/a" else case["official"]
        assert row_numbers(*case["inputs"]["args"]) == official, case["id"]
    for case in quirks("program_tokenization"):
        assert tokenize_program(*case["inputs"]["args"]) == case["official"]


def test_accuracies_are_as_released(quirks):
    refused = []
    for case in quirks("evaluate_result"):
        inputs, official = case["inputs"], case["official"]
        if not inputs["predictions"]:  # the released script divides by zero
            assert finqa_accuracy(inputs["gold"], []) == FinqaAccuracy(None, None, 0)
        elif "exception" in official:
            with pytest.raises(ValueError, match=r"'(a|zz)'"):
                finqa_accuracy(inputs["gold"], inputs["predictions"])
            refused.append(case["name"].split(":")[1])
        else:
            accuracy = finqa_accuracy(inputs["gold"], inputs["predictions"])
            assert accuracy.exe_acc == official["exe_acc"], case["id"]
            assert accuracy.prog_acc == official["prog_acc"], case["id"]
    assert refused == [
        "unknown_id",
        "duplicate_gold_id",
        "program_equal_but_exe_ans_differs",
    ]


@pytest.mark.parametrize(
    "file",
    ["finqa_official_example_predictions.json", "finqa_gold_programs_1147.json"],
)
def test_real_predictions_score_as_released(reference, gold_records, file):
    records = {record["id"]: record for record in gold_records}
    for case in reference(file)["per_example"]:
        score = finqa_program_score(records[case["id"]], case["predicted"])
        assert score.execution == Execution(not case["invalid"], case["exe_res"])
        assert score.exe_acc == float(case["exe_correct"]), case["id"]
        assert score.prog_acc == float(case["prog_correct"]), case["id"]


def test_figures_of_the_released_predictions(shared, gold_records):
    path = shared / "data/finqa/example_predictions.json"
    predictions = json.loads(path.read_text(encoding="utf-8"))
    accuracy = finqa_accuracy(gold_records, predictions)
    assert accuracy.count == 1050
    assert accuracy.exe_acc == pytest.approx(0.7, abs=1e-12)
    assert accuracy.prog_acc == pytest.approx(0.6876190476190476, abs=1e-12)
    missing = [{"id": r["id"], "predicted": None} for r in gold_records]
    answered = {prediction["id"] for prediction in predictions}
    missing = [prediction for prediction in missing if prediction["id"] not in answered]
    everywhere = finqa_accuracy(gold_records, [*predictions, *missing])
    assert everywhere == FinqaAccuracy(735 / 1147, 722 / 1147, 1147)


def test_gold_programs_run_to_their_answer(gold_records):
    for gold in gold_records:
        execution = finqa_execute(gold["qa"]["program"], gold["table"])
        assert execution == Execution(True, gold["qa"]["exe_ans"]), gold["id"]


# Programs


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("add(5%3, 0)", 0.53),  # `%` goes, wherever it stands
        ("add(%, 0)", None),
        ("add(1_000, 0)", 1000.0),
        ("add(const_5%, 0)", None),
        ("add(const_m1, const_2.5)", 1.5),
        ("add(constant, 1)", None),
        ("exp(2, -1)", 0.5),
        ("exp(0, -1)", None),
        ("exp(-8, 0.5)", None),
        ("multiply(1e308, 10)", math.inf),
        ("greater(inf, 1)", "yes"),
        ("greater(nan, 1)", "no"),
        ("add(1, 2), add(#0, #0)", 6.0),
        ("add(1, 2), add(##0, 0#)", 6.0),  # `#` goes, wherever it stands
        ("add(1, 2), add(#1, 2)", None),
        ("add(1, 2), add(#01, 2)", None),
        ("greater(1, 2), greater(3, 2), greater(#1, #0)", "yes"),  # as text
        ("greater(2, 1), greater(3, 2), add(#1, #0)", None),  # "yesyes"
        ("table_sum(margin, none)", 0.235),
        ("table_min(net loss, none)", -35.0),
        ("table_sum(total, none)", 7.0),
        ("table_sum(no cells, none)", 0.0),
        ("table_average(no cells, none)", None),
        ("table_max(words, none)", None),
        ("table_max(constant, none)", None),
        ("table_max(cash , cash equivalents, none)", None),
        ("table_max(#0, none)", None),  # no row was read before
        ("add(1, 2), table_max(#0, none)", None),
        ("table_sum(total, none), table_max(#0, none)", 4.0),
        ("table_sum(total, none), table_max(#1, none)", None),
        ("add(1, 2), divide(5", 3.0),
        ("", "n/a"),
    ],
)
def test_programs(program, value):
    execution = finqa_execute(program, TABLE)
    assert execution.valid == (value is not None)
    if value is not None:
        assert execution.value == value


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("add(1, 2), divide(#0, 0)", 3.0),
        ("divide(1, 3), divide(#0, 0)", 1 / 3),  # raised before it was rounded
        ("divide(1, 3), divide(#0, x)", 0.33333),  # given up in good order
        ("greater(5, 3), add(#0, 1)", "yes"),
    ],
)
def test_an_invalid_program_keeps_the_value_of_its_last_step(program, value):
    assert finqa_execute(program, TABLE) == Execution(False, value)


@pytest.mark.parametrize(
    "tokens",
    [
        ["add(", "1", "2", ")", "EOF", "x"],
        ["add", "1", "2", ")", "EOF"],
        ["add(", "(1", "2", ")", "EOF"],
        ["(add(", "1", "2", ")", "EOF"],
        ["add(", "1", "2", "3", ")", "EOF"],
        ["add(", 1, 2, ")", "EOF"],
        [["add(", "1", "2", ")"], "EOF"],
        None,
        5,
        {"add(": 1},
        b"add(1, 2)",
    ],
)
def test_what_is_no_program_is_invalid(tokens):
    assert not finqa_execute(tokens, TABLE).valid


def test_the_last_token_is_dropped_unread():
    for last in ("EOF", "", ")", None, 5):
        assert finqa_execute(["add(", "1", "2", ")", last], TABLE).value == 3.0
    assert finqa_execute(["add(", "1", "2", ")"], TABLE) == Execution(True, "n/a")


def test_tokens_may_hold_what_text_cannot():
    tokens = ["table_max(", "cash , cash equivalents", "none", ")", "EOF"]
    assert finqa_execute(tokens, TABLE) == Execution(True, 6.0)
    assert finqa_execute(tuple(tokens), TABLE) == Execution(True, 6.0)
    # One token that the released script cuts into two steps when it has joined them.
    cut = ["add(", "1", "2)multiply(#0|4", ")", "EOF"]
    assert finqa_execute(cut, TABLE) == Execution(True, 12.0)
    # An operation without its bracket finds one in its argument: no step at all.
    assert finqa_execute(["add", "1(2", "3", ")", "EOF"], TABLE).value == "n/a"


def test_hyphens_are_read_on_demand():
    table = [["item", "y1", "y2"], ["net sales", "$ 120.5", "$ 100.0"]]
    program = "table-average(net sales, none)"
    assert finqa_execute(program, table) == INVALID
    tokens = tokenize_program(program)
    for form in (program, tokens):
        execution = finqa_execute(form, table, accept_hyphens=True)
        assert execution == Execution(True, 110.25)
    assert tokens == tokenize_program(program)  # not written into
    gold = record("table_average(net sales, none)", 110.25, table)
    assert finqa_program_score(gold, program).exe_acc == 0
    score = finqa_program_score(gold, program, accept_hyphens=True)
    assert (score.exe_acc, score.prog_acc) == (1, 1)
    assert not finqa_execute("other-name(1, 2)", [], accept_hyphens=True).valid


@pytest.mark.parametrize(
    "table", [None, "text", 5, [["a", 1]], [None], ["row"], {"a": "b"}, [["a", None]]]
)
def test_a_malformed_table_is_refused(table):
    with pytest.raises(ValueError, match="list of rows of text"):
        finqa_execute("add(1, 2)", table)


NAMES = {"total": ["3", "-4.5"], "net": ["$ 1,200", "7 ( 7 )", "5%"]}
ARGUMENTS = st.sampled_from(["1", "2.5", "-3", "1,000", "7%", "const_100", "const_m1"])
STEPS = st.one_of(
    st.tuples(
        st.sampled_from(["add", "subtract", "multiply", "divide", "exp", "greater"]),
        ARGUMENTS | st.integers(0, 2).map("#{}".format),
        ARGUMENTS | st.integers(0, 2).map("#{}".format),
    ),
    st.tuples(
        st.sampled_from(["table_max", "table_min", "table_sum", "table_average"]),
        st.sampled_from(sorted(NAMES)),
        st.just("none"),
    ),
)


@given(st.lists(STEPS, min_size=1, max_size=4))
def test_programs_equal_a_plain_evaluator(steps):
    program = ", ".join(f"{name}({a}, {b})" for name, a, b in steps)
    table = [[name, *cells] for name, cells in NAMES.items()]
    execution = finqa_execute(program, table)
    try:
        expected = plain_execute(program, table)
    except (ArithmeticError, LookupError, TypeError):
        assert not execution.valid
    else:
        assert execution.valid
        assert repr(execution.value) == repr(expected)


@given(st.text() | st.lists(st.text()) | st.lists(st.text(alphabet="ad(1), #|%")))
def test_no_program_raises(program):
    execution = finqa_execute(program, TABLE)
    assert isinstance(execution.value, float) or execution.value in ("yes", "no", "n/a")
    score = finqa_program_score(record(), program)
    assert {score.exe_acc, score.prog_acc} <= {0.0, 1.0}


@pytest.mark.parametrize(
    "hostile",
    [
        lambda n: "add(" * n,
        lambda n: "(" * n + ")" * n,
        lambda n: ", " * n,
        lambda n: "add(" + "9" * n + ", 1)",
        lambda n: "add(1, 2), add(#" + "9" * n + ", 1)",
        lambda n: "exp(9, 9), " + "exp(9, #0), " * n,
        lambda n: "add(1, 2), " * n,
        lambda n: "\ud800\0１" * n,
    ],
)
def test_time_is_linear(hostile):
    def execute(program: str) -> None:
        finqa_execute(program, TABLE)

    # Quadratic time would grow 64 times.
    assert growth(execute, hostile, 20_000, 8) < 40


# Scores


def test_a_missing_program_scores_nothing():
    score = finqa_program_score(record(), None)
    assert (score.exe_acc, score.prog_acc) == (0, 0)
    assert score.execution == INVALID


def test_scores_are_plain_floats():
    score = finqa_program_score(record(), "add(2, 1)")
    assert (score.exe_acc, score.prog_acc) == (1, 1)
    assert {type(score.exe_acc), type(score.prog_acc)} == {float}
    assert type(score.execution.value) is float


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (record(program="divide(1, 0)"), "does not run"),
        (record(program="add(1, 2"), "does not run"),
        (record(program=None), "no qa.program"),
        (record(exe_ans=None), "exe_ans"),
        (record(exe_ans=True), "exe_ans"),
        (record(exe_ans=[3.0]), "exe_ans"),
        (record(exe_ans=3.1), "its exe_ans is 3.1"),
        (record(table=None), "rows of text"),
        ({"id": "a", "table": TABLE}, "no qa.program"),
        ({"id": "a", "table": TABLE, "qa": "add(1, 2)"}, "no qa.program"),
    ],
)
def test_a_malformed_record_is_refused_with_its_id(gold, message):
    with pytest.raises(ValueError, match=f"'a': .*({message})"):
        finqa_program_score(gold, "add(1, 2)")


# Plain answers


@pytest.mark.parametrize(
    ("exe_ans", "answer", "right"),
    [
        (94.0, "94", True),
        (94.0, "94.000001", True),  # five decimals
        (94.0, "94.00001", False),
        (94.0, "$ 94.00", True),
        (-94.0, "(94)", True),
        (-94.0, "−94", True),
        (94.0, "-94", False),
        (1375.0, "1,375", True),
        (0.141, "14.1%", True),
        (0.141, "14.1", False),
        (14.1, "14.1%", False),
        (0.14136, "14.1%", False),  # no tolerance
        (0.356, "35.6%", True),
        (12_500_000.0, "$12.5 million", True),
        (12.5, "$12.5 million", False),
        (0.0, "-0", True),
        (1e-05, "0.00001", True),
        (94.0, "between 90 and 94", False),
        (94.0, "", False),
        (94.0, "yes", False),
        (94.0, "nan", False),
        (94, "94.0", True),
        ("yes", "yes", True),
        ("yes", "Yes.", True),
        ("no", " NO ", True),
        ("yes", "no", False),
        ("yes", "true", False),
        ("yes", "1", False),
        ("no", "", False),
    ],
)
def test_plain_answers(exe_ans, answer, right):
    assert finqa_answer_correct(exe_ans, answer) is right


@pytest.mark.parametrize("exe_ans", [None, True, [94.0], math.nan, math.inf])
def test_a_malformed_answer_reference_is_refused(exe_ans):
    with pytest.raises(ValueError, match="exe_ans"):
        finqa_answer_correct(exe_ans, "94")


def test_gold_answers_are_right(gold_records):
    for gold in gold_records:
        exe_ans = gold["qa"]["exe_ans"]
        assert finqa_answer_correct(exe_ans, str(exe_ans)), gold["id"]
        if isinstance(exe_ans, float):
            assert finqa_answer_correct(exe_ans, f"{exe_ans:,.5f}"), gold["id"]
            assert finqa_answer_correct(exe_ans, f"{exe_ans * 100:.3f}%"), gold["id"]


@given(st.text(), st.sampled_from([94.0, 0.0, "yes", 10**5000]))
def test_no_answer_raises(answer, exe_ans):
    assert finqa_answer_correct(exe_ans, answer) in (True, False)
