"""What is no reference, no prediction and no text, for every public function.

The docstring of `tableqa_metrics` says what is to happen: a reference raises
`ValueError` that shows it, a prediction scores 0, and what reads a text takes only text.
"""

from __future__ import annotations

import pytest

import tableqa_metrics
from tableqa_metrics import (
    PRF,
    Execution,
    FinqaProgramScore,
    RecipeScore,
    Table,
    TatllmScore,
    TatqaScore,
    affected,
    cell_score,
    evaluate,
    extract_answer,
    extract_program,
    extract_table,
    find_answer,
    find_program,
    find_table,
    finqa_accuracy,
    finqa_answer_correct,
    finqa_execute,
    finqa_gold,
    finqa_program_equal,
    finqa_program_score,
    known_defects,
    parse_number,
    recipe_score,
    rms_score,
    tatllm_score,
    tatqa_score,
    value_match,
    value_table_score,
)


TABLE = Table(("entity", "year"), (("Pier", "1987"),))
TEXT = TABLE.serialize()
QUESTION = {"uid": "q1", "answer_type": "arithmetic", "answer": 8, "scale": ""}
PROGRAM = "add(5, 3)"
RECORD = {"id": "f1", "table": [], "qa": {"program": PROGRAM, "exe_ans": 8.0}}

NOTHING = PRF(0.0, 0.0, 0.0)
NOT_RUN = Execution(False, "n/a")

# What each function returns for a prediction that is none.
PREDICTIONS = {
    "cell_score": (lambda x: cell_score(TABLE, x), NOTHING),
    "rms_score": (lambda x: rms_score(TEXT, x), NOTHING),
    "value_table_score": (lambda x: value_table_score(TABLE, x), NOTHING),
    "value_match": (lambda x: value_match(8, x), False),
    "recipe_score": (lambda x: recipe_score("8", x), RecipeScore(0.0, 0.0)),
    "tatqa_score": (lambda x: tatqa_score(QUESTION, x, None), TatqaScore(0.0, 0.0, 0.0)),
    "tatllm_score": (
        lambda x: tatllm_score(QUESTION, x, dataset="tatqa"),
        TatllmScore(0.0, 0.0, 0.0, None, ""),
    ),
    "finqa_answer_correct": (lambda x: finqa_answer_correct(8.0, x), False),
    "finqa_execute": (lambda x: finqa_execute(x, []), NOT_RUN),
    "finqa_program_equal": (lambda x: finqa_program_equal(PROGRAM, x), False),
    "finqa_program_score": (
        lambda x: finqa_program_score(RECORD, x),
        FinqaProgramScore(0.0, 0.0, NOT_RUN),
    ),
    "finqa_accuracy": (
        lambda x: finqa_accuracy([RECORD], [{"id": "f1", "predicted": x}]).exe_acc,
        0.0,
    ),
}  # fmt: skip
NO_PREDICTIONS = [None, b"8", {"answer": 8}, 8 + 0j, ...]


@pytest.mark.parametrize("name", PREDICTIONS)
@pytest.mark.parametrize("prediction", NO_PREDICTIONS, ids=repr)
def test_no_prediction_scores_nothing(name, prediction):
    score, nothing = PREDICTIONS[name]
    assert score(prediction) == nothing


def test_the_reason_is_told():
    assert tatqa_score(QUESTION, None, "").reason == "empty"
    assert tatllm_score(QUESTION, None, dataset="tatqa").reason == "empty"
    assert tatllm_score(QUESTION, 8, dataset="tatqa").reason == "malformed"
    assert tatllm_score(QUESTION, {"a": 8}, dataset="tatqa").reason == "malformed"


@pytest.mark.parametrize("cell", [None, 1987, b"1987"])
def test_a_table_of_other_than_text_is_no_table(cell):
    table = Table(("entity", "year"), (("Pier", cell),))
    for score in (cell_score, value_table_score):
        assert score(TABLE, table) == NOTHING
        with pytest.raises(ValueError, match="Pier"):
            score(table, TABLE)


# Each with a prediction that would do.
REFERENCES = {
    "cell_score": (cell_score, TABLE),
    "rms_score": (rms_score, TEXT),
    "value_table_score": (value_table_score, TABLE),
    "value_match": (value_match, "8"),
    "recipe_score": (recipe_score, "8"),
    "tatqa_score": (lambda x, y: tatqa_score(x, y, ""), "8"),
    "tatllm_score": (lambda x, y: tatllm_score(x, y, dataset="tatqa"), "8"),
    "finqa_answer_correct": (finqa_answer_correct, "8"),
    "finqa_execute": (lambda x, y: finqa_execute(y, x), PROGRAM),
    "finqa_program_equal": (finqa_program_equal, PROGRAM),
    "finqa_program_score": (finqa_program_score, PROGRAM),
    "finqa_accuracy": (
        lambda x, y: finqa_accuracy([x], [{"id": "shown", "predicted": y}]),
        PROGRAM,
    ),
    "finqa_gold": (lambda x, y: finqa_gold(x), None),
    "known_defects": (lambda x, y: known_defects(x), None),
    "affected": (lambda x, y: affected(x, []), None),
}


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        (None, "None"),
        (b"shown", "shown"),
        (8 + 0j, "8"),
        ({"id": "shown"}, "shown"),
    ],
)
def test_no_reference_is_shown(name, reference, shown):
    score, prediction = REFERENCES[name]
    # an empty prediction does not hide it
    for given in (prediction, None):
        with pytest.raises(ValueError, match=shown):
            score(reference, given)


@pytest.mark.parametrize("name", REFERENCES)
def test_an_integer_too_long_to_print_is_no_reference(name):
    if name in ("finqa_gold", "finqa_answer_correct"):
        return  # a number is one
    with pytest.raises(ValueError, match="too long to show"):
        score, prediction = REFERENCES[name]
        score(10**5000, prediction)


READERS = {
    "extract_answer": extract_answer,
    "extract_program": extract_program,
    "extract_table": extract_table,
    "find_answer": find_answer,
    "find_program": find_program,
    "find_table": find_table,
    "parse_number": parse_number,
    "evaluate": evaluate,
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("text", [None, b"8", 8, ["8"]], ids=repr)
def test_what_reads_text_takes_only_text(name, text):
    with pytest.raises(TypeError, match=f"must be str, not {type(text).__name__}"):
        READERS[name](text)


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        (lambda: value_match(8, "8", precision="coarse"), "coarse"),
        (lambda: value_match(8, "8", reference_scale="dozen"), "dozen"),
        (lambda: value_match(8, "8", reference_scale=None), "None"),
        (lambda: tatqa_score(QUESTION, "8", "", variant="tat"), "'tat'"),
        (lambda: tatllm_score(QUESTION, "8", dataset="tat"), "'tat'"),
        (lambda: tatqa_score({**QUESTION, "scale": None}, "8", ""), "q1.*None"),
        (lambda: finqa_program_score({**RECORD, "qa": None}, PROGRAM), "f1"),
        (lambda: finqa_program_score({**RECORD, "table": None}, PROGRAM), "f1.*None"),
        (lambda: finqa_gold("maybe", uid="f1"), "f1.*maybe"),
        (lambda: finqa_answer_correct(" ", ""), "' '"),
        (lambda: finqa_accuracy([RECORD], [{"id": "f2"}]), "f2"),
        (lambda: finqa_accuracy([RECORD], [None]), "None"),
    ],
)
def test_what_a_function_does_not_know_is_shown(call, shown):
    with pytest.raises(ValueError, match=shown):
        call()


def test_every_public_function_is_here():
    functions = {
        name
        for name in tableqa_metrics.__all__
        if not isinstance(getattr(tableqa_metrics, name), type)
    }
    assert PREDICTIONS.keys() | REFERENCES.keys() | READERS.keys() == functions
    # what scores takes a reference as well
    assert PREDICTIONS.keys() <= REFERENCES.keys()
