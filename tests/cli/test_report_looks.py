"""The report as it is seen and read out: themes, contrast, phones, names, long lists."""

import json
from pathlib import Path

import pytest
from chromium import DESKTOP, PHONE, Page, watched
from report_logs import LINE, documents, groups_of, report_link, write_log

from tableqa_metrics.files.rowfile import RowFile
from tableqa_metrics.report.documents import read_documents
from tableqa_metrics.report.groups import make_groups
from tableqa_metrics.report.page import html_report
from tableqa_metrics.report.runs import read_sample_log


pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_colours_are_different(page):
    page.open()
    colours = page.run(
        """return ['match', 'partial', 'wrong', 'missing', 'extra'].map(name => {
             const node = document.createElement('span');
             node.className = name;
             document.body.append(node);
             return getComputedStyle(node).backgroundColor;
           })"""
    )
    assert len(set(colours)) == 5


def test_bars_have_the_colour_of_their_key(page):
    page.open()
    for number in range(2):
        bar, key = page.run(
            """const of = (selector) => getComputedStyle(document.querySelector(selector));
            return [of(`.chart .color-${arguments[0]} rect`).fill,
                    of(`.keys .color-${arguments[0]}`).backgroundColor];""",
            number,
        )
        assert bar == key
    assert page.texts("figure .keys li")[:2] == ["good", "weak"]


def test_light_and_dark(page):
    def background() -> str:
        return page.run("return getComputedStyle(document.body).backgroundColor")

    page.open(scheme="light")
    light = background()
    page.open(scheme="dark")
    dark = background()
    assert light != dark
    page.find("#theme").click()
    assert page.find("#theme").text == "Theme: light"
    assert background() == light
    page.find("#theme").click()
    assert background() == dark
    page.find("#theme").click()
    assert page.find("#theme").text == "Theme: system"


@pytest.mark.parametrize(("columns", "beside"), [(3, True), (12, False)])
def test_wide_tables_stand_above_each_other(browser, tmp_path, columns, beside):
    """The first column stays in view where the others are scrolled."""
    name, doc = next(iter(documents("tanq").items()))
    header = ["entity", *(f"a long property {i}" for i in range(columns - 1))]
    rows = [[f"row {i}", *(["unbreakable"] * (columns - 1))] for i in range(3)]
    table = "".join("|".join(row) + "\n" for row in [header, *rows])
    docs = {name: {**doc, "answer_table": table}}
    log = write_log(tmp_path, "m", "tanq", {name: table}, docs=docs)
    path = tmp_path / "report.html"
    path.write_text(html_report(groups_of(log)), encoding="utf-8")
    with watched(browser, path) as page:
        page.open(report_link("tanq_sample", name))
        one, other = page.run(
            """return [...document.querySelectorAll("#question .pair > div")].map(
                 (side) => side.getBoundingClientRect().top);"""
        )
        assert (one == other) == beside
        left, cell, scrolled = page.run(
            """const wide = document.querySelector("#question .pair .wide");
            wide.scrollLeft = 1e6;
            const cell = wide.querySelector("tr:last-child td");
            return [wide.getBoundingClientRect().left, cell.getBoundingClientRect().left,
                    wide.scrollLeft];"""
        )
        assert left == pytest.approx(cell, abs=2)
        assert (scrolled > 0) != beside


@pytest.mark.parametrize("name", ["tanq_sample", "tatqa_sample"])
def test_on_a_phone(page, groups, name):
    question = next(iter(groups[name].questions))

    def fits() -> bool:
        return page.run(
            "return document.scrollingElement.scrollWidth <= document.documentElement.clientWidth"
        )

    page.open(size=PHONE)
    assert fits()
    assert page.find("#list").is_displayed()
    assert not page.find("#question").is_displayed()
    page.open(report_link(name, question), size=PHONE)
    assert fits()
    assert not page.find("#list").is_displayed()
    assert page.find("#question-heading").is_displayed()
    page.find(".back").click()
    assert page.find("#list").is_displayed()
    assert question in page.run("return document.activeElement.textContent")


def test_everything_has_a_name(page, groups):
    page.open(report_link("tanq_sample", next(iter(groups["tanq_sample"].questions))))
    nodes = page.command("Accessibility.getFullAXTree")["nodes"]
    named = {"button", "link", "checkbox", "radio", "combobox", "searchbox", "image",
             "region", "article", "navigation", "heading", "table"}  # fmt: skip
    roles = {}
    for node in nodes:
        role = node.get("role", {}).get("value")
        if role in named and not node.get("ignored"):
            name = node.get("name", {}).get("value", "").strip()
            roles.setdefault(role, []).append(name)
    assert {"button", "link", "checkbox", "radio", "image", "heading"} <= roles.keys()
    del roles["table"]  # those of figures are named by the heading before them
    assert [role for role, names in roles.items() if not all(names)] == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "number"), [("tanq_sample", 6), ("tatqa_sample", 0)])
def test_contrast(page, groups, name, number, scheme, size):
    """WCAG AA: 4.5 for text on what is behind it."""
    question = list(groups[name].questions)[number]
    page.open(report_link(name, question), scheme=scheme, size=size)
    pairs = page.run(
        """document.querySelectorAll('details').forEach((each) => { each.open = true; });
        const seen = new Set();
        const behind = (node) => {
          for (; node; node = node.parentElement) {
            const colour = getComputedStyle(node).backgroundColor;
            if (colour !== 'rgba(0, 0, 0, 0)') return colour;
          }
          return 'rgb(255, 255, 255)';
        };
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
          const node = walk.currentNode.parentElement;
          if (!walk.currentNode.data.trim() || !node.checkVisibility()) continue;
          const style = getComputedStyle(node);
          const ink = node.closest('svg') ? style.fill : style.color;
          if (!node.closest('button:disabled')) seen.add(ink + '|' + behind(node));
        }
        return [...seen].map((pair) => pair.split('|'));"""
    )
    assert len(pairs) > 6
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bars_stand_out(page, scheme):
    """WCAG AA: 3 for graphics, and so are the intervals on the bars."""
    page.open(scheme=scheme)
    bars, paper, ink, opacity = page.run(
        """const { backgroundColor, color } = getComputedStyle(document.body);
        const bars = Array.from({ length: 8 }, (_, i) => {
          const node = document.createElement("span");
          node.className = `color-${i}`;
          node.style.background = i === 7 ? "var(--color-7)" : "";
          document.body.append(node);
          return getComputedStyle(node).backgroundColor;
        });
        const bar = document.querySelector(".chart .rect");
        return [bars, backgroundColor, color, Number(getComputedStyle(bar).fillOpacity)];"""
    )
    for bar in bars:
        mixed = [
            opacity * a + (1 - opacity) * b
            for a, b in zip(channels(bar), channels(paper), strict=True)
        ]
        seen = f"rgb({', '.join(map(str, mixed))})"
        assert contrast(seen, paper) >= 3
        assert contrast(seen, ink) >= 3


def channels(colour: str) -> list[float]:
    return [float(c) for c in colour[colour.index("(") + 1 : -1].split(",")[:3]]


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (channel / 255 for channel in channels(colour))
        ]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


THOUGHT = "The table says so in its third row, so let us see what follows from that. "


@pytest.fixture(scope="module")
def large_report(shared, tmp_path_factory) -> Path:
    """Three models on the 1,663 questions of TAT-QA's test set, with long responses."""
    docs = read_documents(RowFile(shared / "data/tatqa/tatqa_dataset_test_gold.json"))
    folder = tmp_path_factory.mktemp("large")
    for model in range(3):
        answers = {}
        for number, (name, doc) in enumerate(docs.items()):
            gold = json.loads(doc["gold"])
            value = (
                gold["answer"] if isinstance(gold["answer"], list) else [gold["answer"]]
            )
            told = "#".join(map(str, value)) if (number + model) % 3 else "7"
            scale = gold["scale"] or "none"
            thoughts = THOUGHT * (5 + (number * 7 + model) % 40)
            answers[name] = (
                f"{thoughts}\n{LINE} {told} #### and its corresponding scale is: {scale}"
            )
        write_log(folder, f"model {model}", "tatqa", answers, docs=docs, task="tatqa")
    logs = [read_sample_log(log) for log in sorted(folder.glob("*/samples_*"))]
    path = folder / "report.html"
    path.write_text(html_report(make_groups(logs)), encoding="utf-8")
    return path


def test_a_large_report_is_small_and_shows_only_what_is_seen(browser, large_report):
    assert large_report.stat().st_size < 15_000_000
    page = Page(browser, large_report)
    page.open()
    assert page.count() == 1663
    rows = "return document.querySelectorAll('#rows a').length"
    assert 5 < page.run(rows) < 60
    page.run(
        "const list = document.getElementById('list'); list.scrollTop = list.scrollHeight"
    )
    page.wait("return document.querySelector('#rows a[aria-posinset=\"1663\"]')")
    assert page.run(rows) < 60
    places = page.run(
        "return [...document.querySelectorAll('#rows a')].map(row => row.ariaPosInSet)"
    )
    # The row that the keys are on is kept, wherever it is.
    assert places == [str(n) for n in (1, *range(1665 - len(places), 1664))]
    page.find("#runs-split").click()
    assert 0 < page.count() < 1663
    page.find("#search").send_keys("revenue third row")
    assert 0 < page.count() < 1000
