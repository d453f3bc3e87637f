"""Every example in a docstring runs and prints what it says."""

import doctest
import importlib
import pkgutil

import pytest

import lm_eval_tasks
import tableqa_metrics


# A task's utils.py is loaded by path, as the harness does, and has no examples; the
# module of several processes needs torch, which is an extra, and has none either.
MODULES = [
    module.name
    for package in (tableqa_metrics, lm_eval_tasks)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if module.name != "lm_eval_tasks.processes"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_the_public_functions_have_examples():
    finder = doctest.DocTestFinder(recurse=False)
    for name in tableqa_metrics.__all__:
        member = getattr(tableqa_metrics, name)
        if not isinstance(member, type):
            assert any(t.examples for t in finder.find(member, name)), name
