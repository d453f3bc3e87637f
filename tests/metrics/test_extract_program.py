"""FinQA programs in responses: in every form that models write them in."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st
from reference.cost import growth

from tableqa_metrics import (
    FoundProgram,
    extract_program,
    find_program,
    finqa_execute,
    finqa_program_score,
)
from tableqa_metrics.finqa.program import tokenize_program


TWO_STEPS = "subtract(5829, 5735), divide(#0, 5735)"


def text(response: str) -> str | None:
    """Return the program found as text, its arguments joined as they are."""
    tokens = extract_program(response)
    if tokens is None:
        return None
    assert tokens[-1] == "EOF"
    steps = zip(*[iter(tokens[:-1])] * 4, strict=True)
    return ", ".join(f"{name}{first}, {second})" for name, first, second, _ in steps)


@pytest.mark.parametrize(
    "response",
    [
        TWO_STEPS,
        f"Program: {TWO_STEPS}",
        f"**Program:** `{TWO_STEPS}`",
        f"The program is {TWO_STEPS}.",
        f"The answer is: {TWO_STEPS}",
        f"Final answer: ${TWO_STEPS}$",
        f"```\n{TWO_STEPS}\n```",
        f"Program:\n```text\n{TWO_STEPS}\n```\nIt gives 1.6 %.",
        f'{{"program": "{TWO_STEPS}"}}',
        json.dumps(TWO_STEPS.replace("), ", ")|").split("|")),
        f"<think>add(1, 2)</think>\n{TWO_STEPS}",
        "subtract(5829, 5735)\ndivide(#0, 5735)",
        "1. subtract(5829, 5735)\n2. divide(#0, 5735)",
        "Step 1: subtract(5829, 5735)\nStep 2: divide(#0, 5735)",
        "#0 = subtract(5829, 5735)\n#1 = divide(#0, 5735)",
        "#0: subtract(5829, 5735); #1: divide(#0, 5735)",
        "- subtract(5829, 5735) = 94\n- divide(#0, 5735) = 0.0164",
        "subtract(5829, 5735) -> divide(#0, 5735)",
        "First subtract(5829, 5735), and then divide(#0, 5735)",
        "It rose by subtract(5829, 5735) = 94. Relative to 2014: divide(#0, 5735).",
        "divide(subtract(5829, 5735), 5735)",
        "divide((subtract(5829, 5735)), 5735)",
        "divide( subtract(5829,5735) ,5735 )",
        "SUBTRACT(5829, 5735), Divide(#0, 5735)",
        "subtract (5829, 5735), divide (#0, 5735)",
        "subtract(`5829`, '5735'), divide(\\#0, $5735)",
        "subtract（5829，5735），divide（＃0，5735）",
        f"Let me add (both) up. So: {TWO_STEPS}",
        f"add(1, 2) would be wrong.\nAnswer: {TWO_STEPS}\nUnlike multiply(1, 2).",
        f"{TWO_STEPS}, multiply(#1, const_100",  # cut off
        "$\\text{subtract}(5829, 5735), \\mathrm{divide}(\\#0, 5735)$",
        "subtract(5829; 5735); divide(#0; 5735)",
        "subtract(5829, 5735), divide(# 0, 5735)",
        # FinQA's tokens, as a model that was trained on them writes them
        "subtract( 5829 5735 ) divide( #0 5735 ) EOF",
        "subtract(, 5829, 5735, ), divide(, #0, 5735, ), EOF",
        "subtract( , 5829 , 5735 , ) , divide( , #0 , 5735 , ) , EOF",
        # steps referred to by the labels that the text gives them
        "a = subtract(5829, 5735)\nb = divide(a, 5735)",
        "```python\nchange = subtract(5829, 5735)\nprint(divide(change, 5735))\n```",
        "change = subtract(5829, 5735)  # the change\nrate = divide(change, 5735)",
        "Change = subtract(5829, 5735), which is 94. So the rate is divide(change, 5735).",
        "Step 1: subtract(5829, 5735)\nStep 2: divide(step 1, 5735)",
        "Step 1: subtract(5829, 5735)\nStep 2: divide(the result of step 1, 5735)",
        "Step 1: subtract(5829, 5735)\nStep 2: divide(#1, 5735)",
        "#1 = subtract(5829, 5735)\n#2 = divide(#1, 5735)",
        f"#0: add(1, 2)\nNo, that is wrong. Program: {TWO_STEPS}",
        "step_1 = subtract(5829, 5735)\nstep_2 = divide(step_1, 5735)",
        "let a = subtract(5829, 5735) in divide(a, 5735)",
        # a heading is a mark, what explains the program below it is none
        f"### Program\n```\n{TWO_STEPS}\n```\n### Why\nWe use subtract(a, b) first.",
        f"**Program**\n{TWO_STEPS}\n\nHere subtract(5829, 5735) is the change.",
        f"{TWO_STEPS}\n\n### Steps\n1. subtract(5829, 5735): 94\n2. divide(#0, 5735): 1.6 %",
        "#0: subtract(5829, 5735) → 94\n#1: divide(#0, 5735) => 0.0164",
        f"The program is: {TWO_STEPS}\n\nCheck: subtract(5829, 5735) = 94.",
        f'```json\n{{"program": "{TWO_STEPS}", "answer": 0.0164}}\n```',
        '{"steps": [{"op": "subtract(5829, 5735)"}, {"op": "divide(#0, 5735)"}]}',
    ],
)
def test_forms(response):
    assert text(response) == TWO_STEPS


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("divide(5,829, 5,735)", "divide(5,829, 5,735)"),
        ("multiply(5%, CONST_100)", "multiply(5%, const_100)"),
        ("multiply(5\\%, const\\_100)", "multiply(5%, const_100)"),
        ("table-average(net sales, none)", "table_average(net sales, none)"),
        ("TABLE\\_MAX(Net Sales, None)", "table_max(Net Sales, none)"),
        ("table_sum(net sales)", "table_sum(net sales, none)"),
        ("table_max(net (loss) income, none)", "table_max(net (loss) income, none)"),
        ("table_min(cash , other, none)", "table_min(cash , other, none)"),
        ("subtract((32), 5)", "subtract((32), 5)"),
        ("add(1, -5)", "add(1, -5)"),
        ("multiply(5, const 100)", "multiply(5, const_100)"),
        ("multiply(5, const100)", "multiply(5, const_100)"),
        ("divide(const_m1, Const_1000)", "divide(const_m1, const_1000)"),
        ("table_sum( net sales none )", "table_sum(net sales, none)"),
        ("table_sum(, net sales, none, )", "table_sum(net sales, none)"),
        ("exp( (1.05) 3 )", "exp((1.05), 3)"),
        # the name of a step is no name of a row, and a row is no step
        ("a = add(1, 2), table_max(a, none)", "add(1, 2), table_max(a, none)"),
        ("add(1, 2), divide(change, 3)", "add(1, 2), divide(change, 3)"),
        # without labels, the first step is #0
        ("add(1, 2), divide(#1, 3)", "add(1, 2), divide(#1, 3)"),
        # calls inside calls come first, and the model's own numbers follow
        (
            "subtract(1, 2), divide(add(3, 4), #0)",
            "subtract(1, 2), add(3, 4), divide(#1, #0)",
        ),
        (
            "add(multiply(1, 2), divide(3, exp(4, 5))), add(#0, 6)",
            "multiply(1, 2), exp(4, 5), divide(3, #1), add(#0, #2), add(#3, 6)",
        ),
        (
            "add(subtract(1, 2), subtract(1, 2))",
            "subtract(1, 2), subtract(1, 2), add(#0, #1)",
        ),
        (
            "table_sum(a, none), divide(#0, table_max(b, none))",
            "table_sum(a, none), table_max(b, none), divide(#0, #1)",
        ),
        # the last of several, each complete in itself
        ("add(1, 2). Or rather: add(3, 4)", "add(3, 4)"),
        ("Program: add(1, 2). Program: add(3, 4). Not add(5, 6)!", "add(3, 4)"),
        # references that nothing before them answers are kept
        ("add(#0, 5)", "add(#0, 5)"),
        ("add(1, 2). And so on: add(#3, 5)", "add(#3, 5)"),
        # unfinished calls do not swallow what stands in them
        ("We add( everything.\nAnswer: add(1, 2)", "add(1, 2)"),
        ("add (the result of subtract(5, 3) to it)", "subtract(5, 3)"),
    ],
)
def test_arguments_and_steps(response, expected):
    assert text(response) == expected


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("It grew by 94.", "nothing_found"),
        ("We add (the two) and divide (by three).", "nothing_found"),
        ("add(1)", "nothing_found"),
        ("add(1, 2, 3)", "nothing_found"),
        ("add(, 2)", "nothing_found"),
        ("add(1, 2", "nothing_found"),
        ("addition(1, 2)", "nothing_found"),
        ("myadd(1, 2)", "nothing_found"),
        ('["12.5", "14"]', "nothing_found"),
        ("[]", "nothing_found"),
        ("<think>add(1, 2)", "unfinished_thought"),
    ],
)
def test_responses_without_a_program(response, reason):
    assert find_program(response) == FoundProgram(None, None, reason)
    assert extract_program(response) is None


@pytest.mark.parametrize("response", [None, 5, b"add(1, 2)", ["add(1, 2)"]])
def test_what_is_no_text_is_refused(response):
    for function in (extract_program, find_program):
        with pytest.raises(TypeError, match="response must be str, not "):
            function(response)


def test_rules():
    assert find_program('["add(", "1", "2", ")", "EOF"]').rule == "tokens"
    assert find_program("Program: add(1, 2)").rule == "marked"
    assert find_program("add(1, 2)").rule == "calls"


TOKENS = ["table_max(", "cash , [net] (loss)", "none", ")", "add(", "#0", "5%", ")"]


@pytest.mark.parametrize(
    "tokens",
    [
        [*TOKENS, "EOF"],
        TOKENS,
        ["EOF"],
        ["divide(", "3465", "total", ")", "EOF"],
        ["ADD(", "1", "table_max(", "EOF"],
        ["add(", "\ud800", '"\\n', "]", "EOF"],
    ],
)
def test_tokens_are_replayed_as_they_are(tokens):
    response = json.dumps(tokens)
    for form in (response, f"```json\n{response}\n```", json.dumps(tokens, indent=1)):
        assert extract_program(form) == tuple(tokens)


def test_tokens_inside_text_and_in_other_spellings():
    expected = ("subtract(", "5829", "5735", ")", "EOF")
    for response in (
        "['subtract(', '5829', '5735', ')', 'EOF']",
        '["subtract(", 5829, 5735, ")", "EOF"]',
        '{"predicted": ["subtract(", "5829", "5735", ")", "EOF"]}',
        'It is [1] so: ["subtract(", "5829", "5735", ")", "EOF"]. Done.',
    ):
        assert extract_program(response) == expected, response


def test_released_predictions_are_replayed(shared):
    path = shared / "data/finqa/example_predictions.json"
    predictions = json.loads(path.read_text(encoding="utf-8"))
    assert len(predictions) == 1050
    for prediction in predictions:
        response = json.dumps(prediction["predicted"])
        assert extract_program(response) == tuple(prediction["predicted"])


@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "Program: {}",
        "The program is `{}`.",
        "```\n{}\n```",
        "<think>add(1, 2)</think>The answer is: {}",
        '{{"program": "{}"}}',
    ],
)
def test_gold_programs_are_found(shared, form):
    path = shared / "data/finqa/finqa_test_assembled.json"
    for record in json.loads(path.read_text(encoding="utf-8")):
        program = record["qa"]["program"]
        assert extract_program(form.format(program)) == tuple(tokenize_program(program))


def test_nested_gold_programs_score_fully(shared):
    path = shared / "data/finqa/finqa_test_assembled.json"
    nested = 0
    for record in json.loads(path.read_text(encoding="utf-8")):
        program = record["qa"].get("program_re", record["qa"]["program"])
        score = finqa_program_score(record, extract_program(program))
        assert (score.exe_acc, score.prog_acc) == (1, 1), record["id"]
        nested += program != record["qa"]["program"]
    assert nested > 40


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["add(", "table_max(", "(", ")", ",", ", ", "#0", "1", "\n", "`", "[", "]"]
            + ['"', "'", "EOF", "Program:", "= 3", "step 1.", "<think>", "</think>"]
        )
    ).map("".join)
)
def test_no_response_raises(response):
    found = find_program(response)
    if found.tokens is None:
        assert found.rule is None
        assert found.reason in (
            "empty",
            "unfinished_thought",
            "refusal",
            "nothing_found",
        )
    else:
        assert found.reason is None
        assert all(isinstance(token, str) for token in found.tokens)
        finqa_execute(found.tokens, [["1", "2"]])


@pytest.mark.parametrize(
    "hostile",
    [
        lambda n: "add(" * n,
        lambda n: "add(" * n + "1" + ", 2)" * n,
        lambda n: "table_max(" * n + "1" + ", none)" * n,
        lambda n: "add(1, 2), " * n,
        lambda n: "add(#5, 2). " * n,
        lambda n: "add(1, 2) 1)1)1)1)1)1)1)1)1)1)1)1)1)1)1)x " * n,
        lambda n: "add(" + "(" * n,
        lambda n: "(" * n + ")" * n,
        lambda n: ")" * n,
        lambda n: "add(" + "," * n + ")",
        lambda n: "add(" + ", 1" * n + ")",
        lambda n: "[" * n,
        lambda n: '["' * n,
        lambda n: '["add(","EOF",' * n,
        lambda n: "[" + "'a'," * n + "EOF]",
        lambda n: "['" * n + "EOF]",
        lambda n: "EOF]" * n,
        lambda n: "program " * n + "add(1, 2)",
        lambda n: "Program: " * n + "add(1, 2)",
        lambda n: "`" * n + "add(1, 2)",
        lambda n: "add(1, 2)" + " " * n + "add(3, 4)",
        lambda n: "add(#" + "9" * n + ", 1)",
        lambda n: "table" * n,
        lambda n: "\\_" * n,
        lambda n: "<think>" * n,
        lambda n: "a = add(1, 2)\n" * n,
        lambda n: "a = add(b, c). " * n,
        lambda n: "a = add(" * n + "a, 1" + ")" * n,
        lambda n: "a = " * n + "add(1, 2)",
        lambda n: "add(" * n + ")" * n,
        lambda n: "table_max(" * n + ")" * n,
        lambda n: "add(, " * n + ")" * n,
        lambda n: "add( " + "1 " * n + ")",
        lambda n: "table_max( " + "a " * n + "none )",
        lambda n: "add(" + ", " * n + ")",
        lambda n: "add(" + "; " * n + ")",
        lambda n: "add(# " + " " * n + "1, 2)",
        lambda n: "\\text{" * n + "add}(1, 2)",
    ],
)
def test_time_is_linear(hostile):
    # Quadratic time would grow 64 times.
    assert growth(find_program, hostile, 5_000, 8) < 40
