"""The result of `tableqa score` as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..aggregate import Estimate
from ..command_line import in_line
from ..compare import RESAMPLES, SEED, Comparison
from ..files.jsonfile import some_of
from ..files.records import BENCHMARKS, FINQA, TANQ, TATDQA, TATQA
from .reasons import listed, thoughts_hint
from .references import References
from .run import FileScore


# What the breakdowns show; the JSON has every metric.
_SHOWN: Mapping[str, tuple[str, ...]] = {
    TANQ: ("rms_f1", "value_f1"),
    TATQA: ("em", "f1", "scale_acc", "value_em"),
    TATDQA: ("em", "f1", "scale_acc", "value_em"),
    FINQA: ("exe_acc", "prog_acc", "value_em", "em"),
}
_POLICY: Mapping[str, str] = {
    "error": "an error",
    "zero": "scored 0",
    "drop": "left out",
}
_NOTHING = "-"


def name_of(score: FileScore) -> str:
    """Return the name of a model, or of its file where it has none."""
    return score.model or str(score.predictions.responses.file.path)


def result_text(references: References, score: FileScore) -> str:
    """Write the result of one file."""
    return "\n".join(_result_lines(references, score))


def comparison_text(
    first: FileScore, second: FileScore, metrics: Mapping[str, Comparison]
) -> str:
    """Write how two files differ."""
    compared = f"{name_of(second)} (second) against {name_of(first)} (first)"
    if not metrics:
        return f"{compared}\n\nno question has a score from both"
    rows = [
        (
            name,
            _number(found.first),
            _number(found.second),
            f"{found.difference:+.4f}",
            _NOTHING
            if found.ci95 is None
            else f"{found.ci95[0]:+.4f} .. {found.ci95[1]:+.4f}",
            f"{found.p:.4f}" if found.p >= 0.0001 else f"{found.p:.1e}",
            found.test,
            str(found.n),
            _NOTHING if found.needed is None else str(found.needed),
        )
        for name, found in metrics.items()
    ]
    header = ("metric", "first", "second", "difference", "95 % interval", "p", "test")
    table = aligned([(*header, "n", "n needed"), *rows])
    return (
        f"{compared}\n\n{table}\n\n"
        f"difference: second - first, interval of a paired bootstrap ({RESAMPLES} "
        f"samples, seed {SEED}); p: exact McNemar test where scores are all or nothing, "
        "exact permutation test where few differ, else that bootstrap; n needed: "
        "questions that would show the difference with 80 % power at the 5 % level"
    )


def aligned(rows: Sequence[Sequence[str]], *, names: int = 1) -> str:
    """Write rows in columns, the first ones, of names, to the left, others to the right.

    Examples
    --------
    >>> print(aligned([("metric", "value"), ("em", "0.5"), ("f1", "0.75")]))
    metric  value
    em        0.5
    f1       0.75
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column < names else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _result_lines(references: References, score: FileScore) -> Iterator[str]:
    found = score.predictions.format
    kind = (
        "extracted answers, scored as they are"
        if found.extracted
        else "raw responses, in which the answers were looked for"
    )
    yield f"{BENCHMARKS[references.benchmark]}: {name_of(score)}"
    task = score.signature.task
    yield f"{score.n} questions scored as {task}; format {found.name}: {kind}"
    yield ""
    yield aligned(
        [
            ("metric", "value", "stderr", "95 % interval", "n"),
            *(
                (name, *_estimate(each))
                for name, each in score.figures.estimates.items()
            ),
        ]
    )
    for name, counts in score.sheet.words.items():
        if counts:
            hint = thoughts_hint(counts, score.n)
            yield f"{name}: {counts.total()} of {score.n} ({listed(counts)}){hint}"
    yield ""
    yield from _ids(references, score)
    for breakdown, groups in score.figures.groups:
        metrics = [
            name
            for name in _SHOWN[references.benchmark]
            if name in score.figures.estimates
        ]
        rows = [
            [
                *map(in_line, group.labels),
                str(group.n),
                *(_with_interval(group.estimates[name]) for name in metrics),
            ]
            for group in groups
        ]
        yield ""
        header = [*breakdown.columns, "n", *metrics]
        yield aligned([header, *rows], names=len(breakdown.columns))
    yield ""
    yield f"signature: {score.signature}"


def _ids(references: References, score: FileScore) -> Iterator[str]:
    plan = score.plan
    policy = _POLICY[score.signature.missing]
    for name, ids, count in (
        (f"missing ({policy})", references.names(plan.missing), len(plan.missing)),
        ("extra (not scored)", plan.extra, len(plan.extra)),
        ("duplicates (the first is scored)", plan.duplicates, len(plan.duplicates)),
    ):
        yield f"{name}: {count}" + (f" ({_some_of(ids)})" if count else "")
    if plan.several:
        yield f"several responses (the first is scored): {plan.several}"
    if references.unusable:
        some = _some_of(references.unusable)
        yield f"references left out: {len(references.unusable)} ({some})"


def _some_of(ids: Iterable[str]) -> str:
    return in_line(some_of(ids, 3))


def _estimate(each: Estimate) -> tuple[str, str, str, str]:
    interval = _NOTHING
    if each.ci95 is not None:
        interval = f"{each.ci95[0]:.4f} .. {each.ci95[1]:.4f}"
    return _number(each.value), _number(each.stderr), interval, str(each.n)


def _with_interval(each: Estimate) -> str:
    if each.ci95 is None:
        return _number(each.value)
    return f"{_number(each.value)} [{each.ci95[0]:.4f}, {each.ci95[1]:.4f}]"


def _number(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.4f}"
