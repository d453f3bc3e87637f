"""Bar charts as inline SVG, drawn by pygal.

pygal (LGPL, pure Python, an optional dependency) writes plain SVG, so that the report
needs no script to draw, scales with the page and prints. A JavaScript library would add
200 kB (Chart.js, on a canvas that screen readers cannot see) to 1 MB (Vega) of foreign
code to each report. What pygal adds for its own viewer (style sheet, script, tooltips)
is taken out: colours come from the report's style sheet, which knows light and dark.
Each chart stands beside a table of the same figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..aggregate import Estimate


_WIDTH: Final = 380  # a phone's, so that labels are not scaled down there
_FONT: Final = 13  # as in the style sheet: pygal reckons the space for labels with it
_BAR: Final = 15  # height of a bar, in units of which the chart is _WIDTH wide
_GAP: Final = 14  # between two groups of bars
_FRAME: Final = 84  # what axis, title of the axis and margins take
_LABEL: Final = 30  # characters of a label at most
_FOR_VIEWER: Final = ("defs", "style", "script", "desc", "title")


def bar_chart(
    axis: str,
    labels: Sequence[str],
    series: Mapping[str, Sequence[Estimate | None]],
    *,
    upper: float | None = 100.0,
    name: str,
) -> str:
    """Draw horizontal bars, a group for each label and one bar in it for each series.

    Parameters
    ----------
    axis
        What the numbers are.
    labels
        Of the groups, from top to bottom.
    series
        By name, an estimate or nothing for each label. An interval is drawn on its bar.
    upper
        The end of the axis; `None` for the largest number.
    name
        Read out in place of the picture.

    Returns
    -------
    str
        An `svg` element.
    """
    import pygal
    import pygal.style

    bars = len(labels) * (len(series) * _BAR + _GAP)
    chart = pygal.HorizontalBar(
        js=(),
        width=_WIDTH,
        height=bars + _FRAME,
        x_title=axis,
        range=(0, upper if upper is not None else _largest(series)),
        truncate_label=-1,
        disable_xml_declaration=True,
        margin=8,
        margin_right=20,
        spacing=8,
        max_scale=5,  # more numbers would run into each other
        show_legend=False,  # the page has one that wraps
        style=pygal.style.Style(
            label_font_size=_FONT,
            major_label_font_size=_FONT,
            title_font_size=_FONT,
        ),
    )
    if upper is not None:
        chart.y_labels = [upper * part / 5 for part in range(6)]
    # pygal draws the first label at the bottom.
    chart.x_labels = [_short(label) for label in reversed(labels)]
    for label, values in series.items():
        chart.add(label, [_bar(value) for value in reversed(values)])
    return _plain(chart.render_tree(), name)


def _largest(series: Mapping[str, Sequence[Estimate | None]]) -> float:
    ends = [
        value.ci95[1] if value.ci95 else value.value
        for values in series.values()
        for value in values
        if value is not None and value.value is not None
    ]
    return max((end for end in ends if end is not None), default=0.0) or 1.0


def _bar(value: Estimate | None) -> Any:
    if value is None or value.value is None:
        return None
    if value.ci95 is None:
        return {"value": value.value}
    low, high = value.ci95
    return {"value": value.value, "ci": {"low": low, "high": high}}


def _short(text: str) -> str:
    # A character that XML cannot hold would make the whole picture unreadable.
    text = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return text if len(text) <= _LABEL else text[: _LABEL - 1] + "…"


def _plain(root: Any, name: str) -> str:
    from pygal.etree import etree  # of lxml where that is installed, else Python's

    for parent in list(root.iter()):
        for child in list(parent):
            if _for_viewer(child):
                parent.remove(child)
        for attribute in {"id", "style"} & set(parent.keys()):
            del parent.attrib[attribute]
    for attribute, value in (("role", "img"), ("aria-label", name), ("class", "chart")):
        root.set(attribute, value)
    return str(etree.tostring(root, encoding="unicode"))


def _for_viewer(element: Any) -> bool:
    """Whether pygal wrote an element for its own viewer; comments are none of ours."""
    tag = element.tag
    if not isinstance(tag, str) or tag.rpartition("}")[2] in _FOR_VIEWER:
        return True
    return "tooltip-overlay" in (element.get("class") or "")
