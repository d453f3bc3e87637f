"""The report as one HTML file, and its summary as Markdown."""

from __future__ import annotations

import base64
import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ..files.records import TANQ
from .baselines import Baseline, baselines
from .charts import bar_chart
from .groups import Group
from .payload import LIMITS, compress, payload
from .summary import (
    Breakdown,
    Difference,
    Line,
    agreement,
    breakdowns,
    differences,
    losses,
    metric_lines,
    metric_title,
)
from .titles import CAUSES


if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


MAX_BYTES: Final = 14_500_000
_SCRIPTS: Final = tuple(
    f"{name}.js" for name in ("store", "cells", "question", "list", "navigate", "main")
)
_NEEDED: Final = (
    'the report needs jinja2 and pygal: pip install "lm-eval-tableqa[report]"'
)


class MissingLibrary(Exception):
    """A library that only the report needs is not installed; the message says which."""


@dataclass(frozen=True)
class Chart:
    """A chart, and the figures that it shows."""

    title: str
    note: str
    first: str
    lines: Sequence[Line]
    svg: Markup


@dataclass(frozen=True)
class View:
    """What the summary of one group shows."""

    group: Group
    headings: Sequence[str]
    main: Sequence[str]
    metrics: Sequence[Line]
    differences: Sequence[Difference]
    baselines: Sequence[Baseline]
    breakdowns: Sequence[Breakdown]
    agreement: Sequence[Line]
    losses: Sequence[Line]
    charts: Sequence[Chart] = ()


def html_report(
    groups: Sequence[Group], *, title: str = "Table question answering"
) -> str:
    """Return the report as HTML that needs nothing else: no network, no other file.

    Parameters
    ----------
    groups
        From `make_groups`.
    title
        The heading.

    Returns
    -------
    str
        A page of less than 15 MB. Where it would be larger, long texts are shortened in
        the middle, which the page says, to as little as the last of `LIMITS`; that is
        enough for tens of thousands of answers.

    Raises
    ------
    MissingLibrary
        If jinja2 or pygal is not installed.
    """
    environment = _environment()
    style = _read("report.css")
    script = '(() => {\n"use strict";\n' + "".join(map(_read, _SCRIPTS)) + "})();\n"
    views = [_view(group, charts=True) for group in groups]

    def page(number: int) -> str:
        limit = LIMITS[number]
        return environment.get_template("report.html.j2").render(
            title=title,
            version=_version(),
            views=views,
            policy=_policy(script, style),
            style=_markup(style),
            script=_markup(script),
            data=compress({**payload(groups, limit), "causes": CAUSES}),
            limit=limit if number else None,
        )

    made: dict[int, str] = {}

    def fits(number: int) -> bool:
        made[number] = page(number)
        return len(made[number].encode(errors="replace")) <= MAX_BYTES

    if fits(0):
        return made[0]
    # The lower the limit, the smaller the page: the highest that fits, else the last.
    number = bisect_left(range(len(LIMITS) - 1), True, lo=1, key=fits)
    return made.get(number) or page(number)


def markdown_summary(groups: Sequence[Group]) -> str:
    """Return the figures of the report as Markdown, for a paper or a pull request.

    Raises
    ------
    MissingLibrary
        If jinja2 is not installed.
    """
    views = [_view(group, charts=False) for group in groups]
    text = (
        _environment()
        .get_template("summary.md.j2")
        .render(version=_version(), views=views)
    )
    return text.strip() + "\n"


def _view(group: Group, *, charts: bool) -> View:
    parts = breakdowns(group)
    agreeing, lost = agreement(group), losses(group)
    return View(
        group=group,
        headings=[
            f"{label} ({len(run.samples)})"
            for label, run in zip(group.labels, group.runs, strict=True)
        ],
        main=[name for name in (group.primary, group.value) if name],
        metrics=metric_lines(group),
        differences=differences(group),
        baselines=[] if group.is_sample else baselines(group.benchmark),
        breakdowns=parts,
        agreement=agreeing,
        losses=lost,
        charts=_charts(group, parts, agreeing, lost) if charts else (),
    )


def _charts(
    group: Group,
    parts: Sequence[Breakdown],
    agreeing: Sequence[Line],
    lost: Sequence[Line],
) -> list[Chart]:
    def chart(
        title: str,
        note: str,
        first: str,
        axis: str,
        lines: Sequence[Line],
        upper: float | None = 100.0,
    ) -> Chart:
        series = {
            label: [line.values[run] for line in lines]
            for run, label in enumerate(group.labels)
        }
        svg = bar_chart(
            axis, [line.title for line in lines], series, upper=upper, name=title
        )
        return Chart(title, note, first, lines, _markup(svg))

    found = []
    if lost:
        metric = "F1 by value" if group.benchmark == TANQ else group.primary
        found.append(
            chart(
                "Where points are lost",
                f"Points of 100 that {metric} misses, by cause",
                "Cause",
                "points",
                lost,
                upper=None,
            )
        )
    if agreeing:
        found.append(
            chart(
                f"Agreement of {group.primary} and {group.value}",
                "Share of the answers",
                "Judgement",
                "% of answers",
                agreeing,
            )
        )
    for part in parts:
        found.append(
            chart(
                f"{metric_title(group, part.metric)}, by {part.facet.lower()}",
                part.metric,
                part.facet,
                "%",
                part.lines,
            )
        )
    return found


def _environment() -> Environment:
    try:
        import jinja2
        import pygal  # noqa: F401 - asked for here, so that the error comes at once
    except ImportError as error:
        raise MissingLibrary(_NEEDED) from error
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tableqa_metrics", "report"),
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "points": lambda value: f"{value:.2f}",
        "signed": lambda value: f"{value:+.2f}",
        "chance": lambda p: "< 0.001" if p < 0.001 else f"{p:.3f}",
        "cell": _markdown_cell,
    }
    return environment


def _markup(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)


def _markdown_cell(text: str) -> str:
    r"""Make a text safe in a cell of a Markdown table.

    Examples
    --------
    >>> _markdown_cell("a|b <i>")
    'a\\|b &lt;i&gt;'
    """
    text = " ".join(text.split())
    for mark, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        text = text.replace(mark, safe)
    return text


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    """Allow this page's own script and style, and nothing from anywhere else."""

    def source(text: str) -> str:
        digest = hashlib.sha256(text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    return (
        f"default-src 'none'; script-src {source(script)}; style-src {source(style)}; "
        f"img-src data:; base-uri 'none'; form-action 'none'"
    )


def _version() -> str:
    try:
        return version("lm-eval-tableqa")
    except PackageNotFoundError:
        return "unknown version"
