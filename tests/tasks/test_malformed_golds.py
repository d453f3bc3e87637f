"""A reference that `tableqa score` refuses is refused when a task loads it, alike.

Nothing may be asked of a model before that, for what it answers would be lost.
"""

import copy
import json
import re
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from tasks.sweeps import FOLDER
from tasks.tat_runs import load
from tasks.test_data_tat import context, instruction, page, question, report

from lm_eval_tasks.data import finqa, tanq, tatqa
from lm_eval_tasks.errors import DataError
from tableqa_metrics import find_answer, find_program
from tableqa_metrics.scoring import command, golds
from tableqa_metrics.scoring.answer_scores import finqa_program_scores, finqa_scores
from tableqa_metrics.scoring.tatllm_scores import tatllm_scores


GONE = object()  # a field that is not there
NAN, INFINITY = float("nan"), float("inf")

UNLABELLED = {"answer": GONE, "answer_type": GONE}
TAT = [
    *(
        {"scale": value}
        for value in (GONE, None, "millions", "Percent", 5, ["million"])
    ),
    *({"answer": value} for value in (GONE, None, "text", 5, {}, [], [None], [[1]])),
    *({"answer": value} for value in ([{"a": 1}], [1, "a"], [NAN], [10**400])),
    *({"answer_type": value} for value in (GONE, None, "", " ", [], {})),
    *({"uid": value} for value in (GONE, None, "", [])),
    *(
        {"answer_type": "arithmetic", "answer": value}
        for value in (NAN, INFINITY, -INFINITY, 10**400, {}, [], "9" * 5000)
    ),
    *(
        {"answer_type": "count", "answer": value}
        for value in ("two", "", NAN, INFINITY, [3], {}, "9" * 5000)
    ),
    {"answer_type": "multi-span", "answer": "a, b"},
    UNLABELLED,
]
FINQA = [
    *({"exe_ans": value} for value in (GONE, None, NAN, INFINITY, True, [5], {})),
    *({"exe_ans": value} for value in ("", " ", "5.0", "maybe", "yes", 6.0, 10**400)),
    *({"program": value} for value in (GONE, None, "", 5, {}, "foo(1, 2)", "add(1, 2")),
    *({"program": value} for value in ("add(2, 2)", "greater(2, 3)", "add(#0, 3)")),
    *({"program": value} for value in ("divide(5, 0)", "5", ")", "add(2, 3), 1")),
    *({"id": value} for value in (GONE, None, "", [], {})),
    *({"table": value} for value in (GONE, None, "text", {})),
    *({"qa": value} for value in (GONE, None, "text", [])),
]
TANQ = [
    *({"answer_table": value} for value in (GONE, None, "", "  \n", [], {"a": 1})),
    *({"init_qid": value} for value in (GONE, None, "", " ", [])),
]
SOUND = [
    {"answer": ["a", "b"], "answer_type": "multi-span"},
    {"answer": ["a", ""]},
    {"answer": -12.5, "answer_type": "arithmetic", "scale": "million"},
    {"answer": "12", "answer_type": "arithmetic", "scale": "percent"},
    {"answer": "3", "answer_type": "count"},
    {"answer": 3, "answer_type": "count"},
]
SOUND_FINQA = [
    {"exe_ans": 5},
    {"program": "greater(3, 2)", "exe_ans": "yes"},
    {"program": "divide(1, 3)", "exe_ans": 0.33333},
    {"program": "table_sum(revenue, none)", "exe_ans": 5.0},
]


def name_of(changes):
    shown = {k: "gone" if v is GONE else str(v)[:12] for k, v in changes.items()}
    return ",".join(f"{k}={v}" for k, v in shown.items())


def changed(record, changes):
    """Change or take away fields, at the top or in `qa`."""
    record = copy.deepcopy(record)
    for key, value in changes.items():
        holder = record if key in record else record["qa"]
        holder[key] = value
        if value is GONE:
            del holder[key]
    return record


def score(benchmark, references, predictions, capsys):
    """Return what `tableqa score` says of the references, `None` where it scores."""
    argv = [benchmark, "--references", str(references)]
    argv += ["--predictions", str(predictions), "--missing", "zero"]
    status = command.main(argv)
    said = capsys.readouterr().err
    assert status in (0, 1), said
    return said.removeprefix("tableqa: error: ").strip() if status else None


def refusal(task, files):
    """Return what a task says when it loads, `None` where it does."""
    try:
        assert len(load(task, data_files={"test": files}).eval_docs) == 2
    except DataError as error:
        message = str(error)
        assert "\n" not in message
        return " ".join(message.split())
    return None


def both(write, sound, broken, responses):
    """Write references of a sound record and another, and responses to both."""
    path = write("gold.json", [sound, broken])
    lines = [{"id": name, "response": text} for name, text in responses.items()]
    return path, write("predictions.json", lines)


# --- One verdict in one wording --------------------------------------------------------


@pytest.mark.parametrize("changes", [*TAT, *SOUND], ids=name_of)
@pytest.mark.parametrize("family", ["tatqa", "tatdqa"])
def test_tat(write, capsys, family, changes):
    make = page if family == "tatdqa" else context
    line = "The answer is: 5 #### and its corresponding scale is: none"
    broken = make(changed(question("b"), changes))
    gold, predictions = both(write, make(question("a")), broken, {"a": line, "b": line})
    prompts = str(write("prompts.json", [instruction("a"), instruction("b")]))
    files = {"gold": str(gold), "prompts": prompts}
    wanted = score(family, gold, predictions, capsys)
    own = files if family == "tatdqa" else str(gold)
    assert refusal(family, own) == wanted
    assert refusal(f"{family}_zeroshot", own) == wanted
    for style in ("stepwise", "end_to_end"):
        assert refusal(f"tatllm_{family}_{style}", files) == wanted
    assert (wanted is None) is (changes in SOUND)
    if wanted and changes != UNLABELLED:
        assert wanted.startswith(f"{gold}, item 2, question 1")
        assert "uid" in changes or re.search(r"\((id|question) '?b'?\)", wanted)


@pytest.mark.parametrize("changes", [*FINQA, *SOUND_FINQA], ids=name_of)
@pytest.mark.parametrize("form", ["The answer is: 5", "Program: {}"])
def test_finqa(write, capsys, changes, form):
    """Whatever the response is, a program that is not the reference's own included."""
    broken = changed(report("b"), changes)
    qa = broken.get("qa")
    program = qa.get("program") if isinstance(qa, dict) else None
    responses = {"a": "The answer is: 5", "b": form.format(program or "add(2, 3)")}
    gold, predictions = both(write, report("a"), broken, responses)
    wanted = score("finqa", gold, predictions, capsys)
    assert (wanted is None) is (changes in SOUND_FINQA)
    for task in ("finqa", "finqa_zeroshot", "finqa_program"):
        said = refusal(task, str(gold))
        assert said == wanted or (said and "no record of FinQA" in wanted)
    if wanted:
        assert wanted.startswith(f"{gold}, item 2")


def is_complete(changes):
    """Whether a record lacks nothing: TAT-LLM's have no table and no program to check."""
    lacks = any(value is GONE or value is None for value in changes.values())
    return not lacks and {"id", "table", "qa"}.isdisjoint(changes)


@pytest.mark.parametrize(
    "changes", [*filter(is_complete, FINQA), *SOUND_FINQA], ids=name_of
)
@pytest.mark.parametrize("style", ["stepwise", "end_to_end"])
def test_the_gold_of_finqa_under_tat_llms_prompts(write, capsys, changes, style):
    broken = changed(report("b"), changes)
    prompts = str(write("prompts.json", [instruction("a"), instruction("b")]))
    gold = write("gold.json", [report("a"), broken])
    predictions = write("p.json", [{"id": n, "response": "5"} for n in ("a", "b")])
    files = {"gold": str(gold), "prompts": prompts}
    wanted = score("finqa", gold, predictions, capsys)
    assert refusal(f"tatllm_finqa_{style}", files) == wanted


@pytest.mark.parametrize("changes", TANQ, ids=name_of)
def test_tanq(write, capsys, changes):
    lines = (FOLDER / "tanq" / "samples" / "records.jsonl").read_text().splitlines()
    first, second = map(json.loads, lines[:2])
    path = write("gold.jsonl", [first, changed(second, changes)])
    names = [record["init_qid"] for record in (first, second)]
    predictions = write("p.json", [{"id": n, "response": "none"} for n in names])
    wanted = score("tanq", path, predictions, capsys)
    assert wanted is not None
    assert wanted.startswith(f"{path}, line 2")
    for task in ("tanq_closed_book", "tanq_oracle", "tanq_open_book"):
        said = refusal(task, str(path))
        assert said == wanted or (said and "no record of TANQ" in wanted)


# --- What was checked stops no run -----------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["12", "(2.5)", "5%", "a", "", "yes", 10**400, "9" * 5000])
)
NUMBERS = st.from_regex(
    r"[-+($€]{0,2}[0-9]{1,99}[.,eE^*)% ]{0,2}[0-9]{0,4}( ?[a-z]{0,9})?"
)
WORDS = st.lists(
    st.sampled_from(["nine", "hundred", "thousand", "billion", "trillion", "million"])
)
NAMES = st.sampled_from(
    ["inf", "-Infinity", "nan", "NaN %", "1e999", "10^400", "1e400 m"]
)
SPANS = (
    NUMBERS
    | NAMES
    | WORDS.map(" ".join)
    | st.text(alphabet="0123456789eE.,-+()%^*½²٣ ")
)
VALUES = (
    SCALARS
    | st.lists(SCALARS, max_size=3)
    | st.lists(SPANS, min_size=1, max_size=2)
    | st.dictionaries(st.text(), SCALARS)
)
TYPES = st.sampled_from(["span", "multi-span", "arithmetic", "count", "", "date", 5])
SCALES = st.sampled_from(
    ["", "thousand", "million", "billion", "percent", "m", None, 1]
)
REPLIES = (
    "",
    "The answer is: 12 #### and its corresponding scale is: million",
    "| step | output |\n| 1 | Count |\n| 2 | a # b |\n| 3 | 3 |\n| 4 | 2 |\n| 5 | none |",
    '{"answer": ["a", 12], "scale": ""}',
)


def raises(score, *args, **options):
    try:
        score(*args, **options)
    except ValueError:
        return True
    return False


@given(VALUES, TYPES, SCALES)
def test_tat_is_checked_as_it_is_scored(answer, answer_type, scale):
    gold = {"uid": "q", "answer": answer, "answer_type": answer_type, "scale": scale}
    refused = raises(golds.check_tat, gold)
    for reply in REPLIES:
        for dataset in ("tatqa", "tatdqa", "finqa"):
            assert refused is raises(
                tatllm_scores,
                gold,
                reply,
                find_answer(reply),
                dataset=dataset,
                prompted="",
            )


PROGRAMS = st.sampled_from(
    [
        "add(2, 3)",
        "greater(2, 3)",
        "foo(1, 2)",
        "divide(5, 0)",
        "add(1, 2), add(#0, #7)",
    ]
    + ["greater(2, 3), add(#0, 1)", "exp(10, 400)", "table_max(revenue, none)", "add()"]
    + ["add(2, 3), subtract(#0, 5)", "", "add(table_sum(a, none), 3)"]
)


@given(PROGRAMS, SCALARS | st.sampled_from([5.0, 5, "no", "n/a", 0.0]))
def test_finqa_that_was_checked_stops_no_run(program, exe_ans):
    qa = {"program": program, "exe_ans": exe_ans}
    record = {"id": "a", "table": [["revenue", "5"]], "qa": qa}
    with suppress(ValueError):
        golds.check_finqa(record)
        for reply in (*REPLIES, f"Program: {program}", "Program: add(2, 3)", "5", "no"):
            found, said = find_answer(reply), find_program(reply)
            assert not raises(finqa_scores, record, found, said, prompted="")
            assert not raises(finqa_program_scores, record, said, prompted="")


@pytest.mark.parametrize("name", ["tatqa", "finqa"])
def test_every_released_gold_passes(shared, name):
    read = {"tatqa": tatqa.read_file, "finqa": finqa.read_file}[name]
    files = {"tatqa": ("dev", "test_gold"), "finqa": ("dev", "test")}[name]
    counts = {"tatqa": (1668, 1663), "finqa": (862, 1147)}[name]
    for split, count in zip(files, counts, strict=True):
        form = "tatqa_dataset_{}.json" if name == "tatqa" else "finqa_{}_assembled.json"
        path = shared / "data" / name / form.format(split)
        assert len(read(path, strict=split != "dev" or name == "tatqa")) == count


def test_the_official_samples_of_tanq_pass(shared):
    assert len(tanq.read_file(shared / "data" / "tanq" / "test_input.jsonl")) == 10
