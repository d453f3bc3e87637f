"""What a command or an import loads, so that what it does not need costs it no time.

Each case runs in a process of its own and lists the packages that it loaded, those of
Python left out. Nothing but our own may be among them where no case below names more:
that forbids torch, lm_eval, datasets, pandas and sklearn, and whatever comes next.
"""

import subprocess
import sys

import pytest
from score_cases import GOLDS, LINES, QUESTIONS, contexts

import tableqa_metrics


METRICS = {"tableqa_metrics"}
OURS = {"tableqa_metrics", "lm_eval_tasks"}
# What extension modules load under names of their own.
PARTS = ("_cython_", "cython_runtime", "_cyutility", "_csparsetools", "_moduleTNC")

LOADED = """
import sys

before = set(sys.modules)
{work}
names = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(*sorted(names - sys.stdlib_module_names), file=sys.stderr)
"""
COMMAND = """
from lm_eval_tasks.cli import main

try:
    status = main({argv!r})
except SystemExit as end:
    status = end.code
assert status in {statuses}, status
"""


def loaded(work):
    """The packages that this code loads, beside those of Python."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(work=work)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = set(done.stderr.splitlines()[-1].split()) - {"__mp_main__"}
    return {name for name in names if not name.startswith(PARTS)}


def loaded_by_command(*argv, statuses=(0,)):
    argv = [str(part) for part in argv]
    return loaded(COMMAND.format(argv=argv, statuses=statuses))


def test_what_is_loaded_is_seen():
    """This test of tests fails where the others could not."""
    assert loaded("import scipy.optimize") >= {"scipy", "numpy"}


def test_the_import_of_the_metrics_loads_nothing_but_them():
    assert loaded("import tableqa_metrics") == METRICS


@pytest.mark.parametrize("name", tableqa_metrics.__all__)
def test_the_import_of_a_public_name(name):
    needs = {"rapidfuzz"} if name == "rms_score" else set()
    assert loaded(f"from tableqa_metrics import {name}") == METRICS | needs


@pytest.mark.parametrize(
    "argv",
    [
        ["--help"],
        ["path"],
        ["demo", "--help"],
        ["data", "--help"],
        ["link", "--help"],
        ["score", "--help"],
    ],
)
def test_a_command_that_says_a_few_words(argv):
    assert loaded_by_command(*argv) == OURS


def test_the_help_of_the_report_needs_no_template_and_no_chart():
    assert loaded_by_command("report", "--help") <= OURS | {"rapidfuzz"}


def test_wrong_usage():
    assert loaded_by_command("score", "no-such-benchmark", statuses=(2,)) == OURS


def test_linking_looks_for_the_harness_without_loading_it():
    assert loaded_by_command("link", "--status", statuses=(0, 1)) == OURS


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("responses", [GOLDS, LINES], ids=["answers", "responses"])
def test_a_score_of_numbers_and_spans_needs_no_numpy(write, responses, workers):
    """A list of several answers does: which answers which is assigned by scipy."""
    questions = QUESTIONS[:2]
    references = write("references.json", contexts(*questions))
    kept = {each["uid"]: responses[each["uid"]] for each in questions}
    predictions = write("predictions.json", kept)
    argv = ["score", "tatqa", "--references", references, "--predictions", predictions]
    argv += ["--workers", workers, "--output", predictions.with_name("out.json")]
    assert loaded_by_command(*argv) == OURS


def test_a_score_of_programs_needs_no_sympy(write):
    record = {
        "id": "a",
        "table": [["", "2019"], ["revenue", "12"]],
        "qa": {"question": "?", "program": "add(1, 2)", "exe_ans": 3.0},
    }
    program = ["add(", "1", "2", ")", "EOF"]
    references = write("references.json", [record])
    predictions = write("predictions.json", [{"id": "a", "predicted": program}])
    argv = ["score", "finqa", "--references", references, "--predictions", predictions]
    assert loaded_by_command(*argv) == OURS


def test_a_score_of_tables_needs_no_more_than_compares_them(write):
    record = {
        "init_qid": "1__wikidata_comp__test",
        "ext_question_rephrased": "Which?",
        "answer_table": "entity|year|of\nab|1|x\nac|2|y\nad|3|z\n",
        "prediction_table": "entity|year|off\nax|2|x\nay|1|z\n",
    }
    path = write("records.jsonl", [record])
    argv = ["score", "tanq", "--references", path, "--predictions", path]
    found = loaded_by_command(*argv, "--prediction-key", "prediction_table")
    assert {"rapidfuzz", "scipy", "numpy"} <= found
    heavy = {"pandas", "sklearn", "torch", "datasets", "lm_eval", "pyarrow", "sympy"}
    assert not found & heavy
