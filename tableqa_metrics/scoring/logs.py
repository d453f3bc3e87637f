"""How the responses of a sample log were scored, by what the log itself says.

The name of a log's task says it where the task is one of ours. A task that somebody
derived from one of ours (`include:` in a YAML file) has a name of its own, but its log
holds, of each question, the reference in the form that its prompt asks for (`target`) and
what the harness made of the response. So whatever the name is, the scores are held against
those of the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from ..files.records import FINQA, TANQ
from ..files.response_rows import Responses
from .tasks import TASKS, Scores, Task


Row = Mapping[str, Any]

_NO_SCORE: Final = "bypass"  # what --predict_only logs
_SOME: Final = 64  # rows that say how a task asks for its answers


def logged_metrics(row: Row) -> list[str]:
    """Return the metrics of a row of a sample log; there are none of `--predict_only`."""
    names = row.get("metrics")
    if not isinstance(names, list):
        return []
    return [name for name in names if isinstance(name, str) and name != _NO_SCORE]


def differing(row: Row, scores: Scores) -> list[str]:
    """Return the metrics that have another value than a row of a sample log says.

    Examples
    --------
    >>> row = {"metrics": ["em", "off_format"], "em": 1.0, "off_format": "bare"}
    >>> differing(row, {"em": 1.0, "f1": 1.0, "off_format": None})
    ['off_format']
    """
    return [
        name
        for name in logged_metrics(row)
        if name in scores and row.get(name) != scores[name]
    ]


def first_rows(responses: Responses) -> list[Row]:
    """Return the first rows of a sample log."""
    return [raw.read().data for raw in islice(responses.raw_rows(), _SOME)]


def candidates(benchmark: str, rows: Iterable[Row]) -> list[str]:
    """Return the tasks as which a log may have been scored, the likeliest one first.

    Of tasks that score alike only one is there.

    Parameters
    ----------
    benchmark
        Whose questions they are.
    rows
        Some rows of the log.
    """
    asked: Counter[tuple[str | None, bool]] = Counter()
    metrics: set[str] = set()
    fields: set[str] = set()
    for row in rows:
        asked[_asked_for(benchmark, row.get("target"))] += 1
        metrics.update(logged_metrics(row))
        fields.update(row["doc"] if isinstance(row.get("doc"), dict) else ())
    # The documents of TAT-LLM's tasks hold its prompts, which ours are made from.
    tatllm = "tatllm_em" in metrics if metrics else {"prompt", "response"} <= fields
    retrieval = "retrieval_recall" in (metrics or fields)
    named: dict[Task, str] = {}
    for name, task in TASKS.items():
        alike = (task.tatllm, task.retrieval) == (tatllm, retrieval)
        if task.benchmark == benchmark and alike:
            named.setdefault(task, name)
    return sorted(
        named.values(),
        key=lambda name: -asked[TASKS[name].prompted, TASKS[name].program],
    )


def says_how(benchmark: str, rows: Iterable[Row]) -> bool:
    """Whether the targets of a log are written in a form that a task asks for."""
    rules = {(task.prompted, task.program) for task in TASKS.values()}
    return any(_asked_for(benchmark, row.get("target")) in rules for row in rows)


def notes(
    task: str | None,
    scored_as: str,
    rows: Sequence[Row],
    benchmark: str,
    differ: Mapping[str, int],
    names: Sequence[str],
    n: int,
) -> Iterator[str]:
    """Say what is not as the log says, or cannot be known.

    Parameters
    ----------
    task
        The task that the file's name says, `None` where it says none.
    scored_as
        The task whose scoring was used.
    rows
        The first rows of the log.
    benchmark
        Whose questions they are.
    differ
        Of how many questions each metric has another value than the log.
    names
        The metrics that were scored.
    n
        How many questions were.
    """
    own = task or "a task that its name does not say"
    if differ:
        counts = ", ".join(f"{name} of {count}" for name, count in differ.items())
        yield (
            f"differs from what the log says ({counts} of {n} questions): it is of {own}, "
            f"and was scored as {scored_as} (--task names another task); or it was made "
            "with other references, filters, or another version of this package"
        )
    logged = logged_metrics(rows[0]) if rows else []
    more = [name for name in logged if name not in names]
    if more:
        yield f"the log has metrics that are not scored here: {', '.join(more)}"
    if task not in TASKS and not logged:
        how = (
            "as its targets are written"
            if says_how(benchmark, rows)
            else "for want of anything that says how"
        )
        yield (
            f"holds no scores, and {own} is none of this package's: scored as "
            f"{scored_as}, {how} (--task names another task)"
        )


def _asked_for(benchmark: str, target: Any) -> tuple[str | None, bool]:
    """Return the rule that finds an answer in the form that a prompt asks for.

    And whether it finds a program, which is what was asked for.
    """
    if not isinstance(target, str):
        return None, False
    # Imported when they are used: most files of predictions are no logs.
    if benchmark == TANQ:
        from ..extraction.tables import find_table

        return find_table(target).rule, False
    from ..extraction.answers import find_answer
    from ..extraction.programs import find_program

    program = find_program(target) if benchmark == FINQA else None
    if program is not None and program.rule == "marked":
        return program.rule, True
    answer = find_answer(target).answer
    return (None if answer is None else answer.rule), False
