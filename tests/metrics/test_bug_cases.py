"""The 67 public complaints of this field (`bug_cases.json`), each with its check.

A check passes the case's own input through the public functions and compares with the
case's expected value; where the complaint is about data or the harness, it reproduces
the complaint. None of the cases is judged wrong. Where a case leaves the form open, ours
is:

- B04: which TableBench item it is was never said; the report is in the list of defects.
- B43: `value_match` has no tolerance but the precision that the reference is written
  with, and takes the reference first, so that nothing can be swapped.
- B45: `finqa_execute` is the official one, for which `table-average` is no operation;
  `extract_program` reads a response's as `table_average`, and the prompts say that.
- B52: no metric of ours gives the F1 of multisets; the check computes it by pairing off
  the words.
- B83: a value that does not apply is `None`, never NaN; so is the mean of none.
- B89: no task of ours filters by a pattern; what has no answer has a reason for it.
- B99: the check value is a git blob id, or a count of records, as no hash was published.
"""

import inspect

import pytest
from metrics import bug_checks_answers, bug_checks_harness


CHECKS = bug_checks_answers.CHECKS | bug_checks_harness.CHECKS


@pytest.fixture(scope="module")
def cases(reference):
    return {case["id"]: case for case in reference("bug_cases.json")}


def test_every_case_has_one_check(cases):
    assert len(cases) == 67
    assert CHECKS.keys() == cases.keys()
    assert not bug_checks_answers.CHECKS.keys() & bug_checks_harness.CHECKS.keys()


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_case(name, cases, request):
    check = CHECKS[name]
    needs_request = len(inspect.signature(check).parameters) == 2
    check(cases[name], *([request] if needs_request else []))
