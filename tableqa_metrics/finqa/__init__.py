r"""Execution accuracy and program accuracy of FinQA, as its released script has them.

FinQA: Chen et al. 2021 (arXiv:2109.00122). The released script is
`code/evaluate/evaluate.py` of czyssrs/FinQA at commit
0f16e2867befa6840783e58be38c9efb9229d742. Its evaluator is reproduced in
`execution` and its program equality in `equality`, each with its deviations;
`finqa_program_score` and `finqa_accuracy` equal `evaluate_result`.

Deviations:

- `evaluate_result` stops with an assertion where a program equals the reference and its
  value is not `exe_ans`; ours raises `ValueError` with the id, since the reference
  contradicts itself. So does a reference whose program does not run, or without
  `exe_ans`, and an id that is unknown or stands twice.
- `evaluate_result` cannot score plain answers. `finqa_answer_correct` does, by its rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ..shown import shown
from .equality import finqa_program_equal
from .execution import DECIMALS, NOT_AVAILABLE, Execution, finqa_execute
from .program import Tokens, program_tokens


@dataclass(frozen=True)
class FinqaProgramScore:
    """Execution accuracy and program accuracy of one prediction, each 0.0 or 1.0."""

    exe_acc: float
    prog_acc: float
    execution: Execution


@dataclass(frozen=True)
class FinqaAccuracy:
    """Mean accuracies in [0, 1] over `count` predictions; `None` where there are none."""

    exe_acc: float | None
    prog_acc: float | None
    count: int


def finqa_program_score(
    record: Mapping[str, Any],
    program: str | Tokens | None,
    *,
    accept_hyphens: bool = False,
) -> FinqaProgramScore:
    """Score a predicted program against a record of the data set.

    Parameters
    ----------
    record
        A record with `table`, `qa.program`, `qa.exe_ans` and, for messages, `id`.
    program, accept_hyphens
        As in `finqa_execute`; `None` where a response holds no program, which scores 0.

    Raises
    ------
    ValueError
        If the record has no program that runs, no `exe_ans` (a number or text), or one
        that its program contradicts although the prediction equals it.

    Examples
    --------
    >>> qa = {"program": "subtract(5829, 5735)", "exe_ans": 94.0}
    >>> score = finqa_program_score({"table": [], "qa": qa}, "add(94, 0)")
    >>> score.exe_acc, score.prog_acc
    (1.0, 0.0)
    """
    if not isinstance(record, Mapping):
        # A value of the data, not of the program: the wrong type is a wrong value.
        raise ValueError(f"no FinQA record: {shown(record)}")  # noqa: TRY004
    tokens = program_tokens(program, accept_hyphens=accept_hyphens)
    table: Any = record.get("table")
    try:
        gold_program, exe_ans = _gold(record)
        execution = finqa_execute(tokens, table)
        gold = finqa_execute(gold_program, table)
        if not gold.valid or gold.value == NOT_AVAILABLE:
            raise ValueError(f"its program {gold_program!r} does not run")
        equal = finqa_program_equal(gold_program, tokens)
    except ValueError as error:
        raise ValueError(f"FinQA record {record.get('id')!r}: {error}") from error
    if equal and execution.value != exe_ans:
        raise ValueError(
            f"FinQA record {record.get('id')!r}: its program gives {execution.value!r},"
            f" its exe_ans is {exe_ans!r}"
        )
    correct = execution.valid and execution.value == exe_ans
    return FinqaProgramScore(float(correct), float(equal), execution)


def finqa_accuracy(
    records: Iterable[Mapping[str, Any]], predictions: Iterable[Mapping[str, Any]]
) -> FinqaAccuracy:
    """Score a file of predicted programs as the released script does.

    Parameters
    ----------
    records
        The data set.
    predictions
        Each with an `id` and its tokens under `predicted`, as in the released
        `example_predictions.json`; without tokens it is wrong.

    Returns
    -------
    FinqaAccuracy
        Means over the predictions, not over the data set: a question without a prediction
        does not count, one with two counts twice.

    Raises
    ------
    ValueError
        If an id stands twice in the data set, or a prediction's id is not in it, or if
        either has none.

    Examples
    --------
    >>> qa = {"program": "add(1, 2)", "exe_ans": 3.0}
    >>> prediction = {"id": "a", "predicted": ["add(", "2", "1", ")", "EOF"]}
    >>> finqa_accuracy([{"id": "a", "table": [], "qa": qa}], [prediction])
    FinqaAccuracy(exe_acc=1.0, prog_acc=1.0, count=1)
    """
    by_id: dict[Any, Mapping[str, Any]] = {}
    for record in records:
        name = _id(record)
        if name in by_id:
            raise ValueError(f"FinQA record {name!r} stands twice in the data")
        by_id[name] = record
    scores = []
    for prediction in predictions:
        name = _id(prediction)
        if name not in by_id:
            raise ValueError(f"there is no FinQA record {name!r}")
        program = prediction.get("predicted")
        scores.append(finqa_program_score(by_id[name], program))
    count = len(scores)
    if not count:
        return FinqaAccuracy(None, None, 0)
    exe_acc = sum(score.exe_acc for score in scores) / count
    prog_acc = sum(score.prog_acc for score in scores) / count
    return FinqaAccuracy(exe_acc, prog_acc, count)


def finqa_answer_correct(exe_ans: float | str, answer: str | None) -> bool:
    """Judge a plain answer by execution accuracy's rules.

    A number is right if it equals `exe_ans` after both are rounded to five decimals;
    nothing is tolerated beyond that. `%` divides by 100 and a scale word multiplies:
    the answer is read by itself (`tableqa_metrics.parse_number`), never in the light
    of the reference. Yes and no are compared as text, in any case and with or without a
    full stop.

    Parameters
    ----------
    exe_ans
        The reference: a number, or `"yes"` or `"no"`. A number that was logged as text
        is one.
    answer
        The answer as extracted from a response; an empty one is wrong, and so is what is
        no text.

    Raises
    ------
    ValueError
        If `exe_ans` is neither a finite number nor a text that says anything.

    Examples
    --------
    >>> finqa_answer_correct(0.141, "14.1%")
    True
    >>> finqa_answer_correct(0.14136, "14.1%")
    False
    >>> finqa_answer_correct("yes", "Yes.")
    True
    """
    from ..written.numbers import parse_number

    _checked_exe_ans(exe_ans)
    if not isinstance(answer, str):
        return False
    number = parse_number(answer)
    if isinstance(exe_ans, str):
        logged = parse_number(exe_ans)
        if logged is None or number is None:
            return answer.strip().rstrip(".!").casefold() == exe_ans.strip().casefold()
        exe_ans = logged.value
    if number is None:
        return False
    return round(number.value, DECIMALS) == round(exe_ans, DECIMALS)


def _id(record: Any) -> str:
    name = record.get("id") if isinstance(record, Mapping) else None
    if not isinstance(name, str):
        message = f"no FinQA record or prediction with an id: {shown(record)}"
        raise ValueError(message)  # noqa: TRY004 - a malformed reference
    return name


def _gold(record: Mapping[str, Any]) -> tuple[str, float | str]:
    qa = record.get("qa")
    if not isinstance(qa, Mapping):
        qa = {}
    program = qa.get("program")
    if not isinstance(program, str):
        raise ValueError("it has no qa.program")  # noqa: TRY004 - a malformed reference
    return program, _checked_exe_ans(qa.get("exe_ans"))


def _checked_exe_ans(exe_ans: Any) -> float | str:
    if isinstance(exe_ans, str):
        known = bool(exe_ans.strip())
    else:
        known = isinstance(exe_ans, int) or (
            isinstance(exe_ans, float) and isfinite(exe_ans)
        )
    if isinstance(exe_ans, bool) or not known:
        message = f"exe_ans is a finite number or text, not {shown(exe_ans)}"
        raise ValueError(message)
    answer: float | str = exe_ans
    return answer
