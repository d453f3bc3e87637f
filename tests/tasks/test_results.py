"""Aggregations: what is skipped, what is counted, what nothing gives."""

import json

import pytest

from lm_eval_tasks import results


SHARES = [results.no_table_share, results.no_answer_share, results.off_format_share]


def test_mean_skips_documents_without_a_value():
    assert results.mean_of_present([None, 1.0, None, 0.5]) == 0.75


@pytest.mark.parametrize("aggregate", [results.mean_of_present, *SHARES])
def test_nothing_to_average_is_none_and_json(aggregate):
    assert aggregate([]) is None
    assert json.dumps(aggregate([])) == "null"


def test_mean_of_no_values_at_all_is_none():
    assert results.mean_of_present([None, None]) is None


def test_mean_does_not_depend_on_the_order():
    values = [0.1] * 10 + [1e16, 1.0, -1e16]
    assert results.mean_of_present(values) == results.mean_of_present(values[::-1])


@pytest.mark.parametrize("share", SHARES)
def test_share_is_of_all_documents(share):
    assert share([None, "empty", None, None]) == 0.25
    assert share([None, None]) == 0.0
    assert share(["csv"]) == 1.0


@pytest.mark.parametrize(
    ("share", "key"),
    [(results.no_table_share, "no_table"), (results.no_answer_share, "no_answer")],
)
def test_one_warning_line_counts_the_reasons(share, key, harness_log):
    reasons = ["empty", None, "unfinished_thought", "empty", None]
    share(reasons)
    assert [record.getMessage() for record in harness_log.records] == [
        f"{key}: 3 of 5 responses (2 empty, 1 unfinished_thought)"
    ]


@pytest.mark.parametrize("share", SHARES)
def test_nothing_to_report_is_silent(share, harness_log):
    share([None, None])
    assert not harness_log.records


def test_off_format_does_not_warn(harness_log):
    results.off_format_share(["json", None])
    assert not harness_log.records
