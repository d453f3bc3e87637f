"""The report in a real browser: it filters, searches, opens and colours as it says."""

import json
from pathlib import Path

import pytest
from chromium import DESKTOP, PHONE, Page, watched
from report_logs import documents, responses, write_log
from selenium.webdriver.common.keys import Keys

from tableqa_metrics.files.rowfile import RowFile
from tableqa_metrics.report.documents import read_documents
from tableqa_metrics.report.groups import Group, make_groups
from tableqa_metrics.report.page import html_report
from tableqa_metrics.report.runs import read_sample_log
from tableqa_metrics.report.summary import metrics_disagree, models_disagree


pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

ATTACK = (
    "</script><script>window.hacked = 1</script>"
    "<img src='https://example.invalid/x' onerror='window.hacked = 2'>"
)
NEEDLE = "Zebrafinch"
LINE = "The answer is:"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two models on TANQ's samples, one a little worse, and two on TAT-QA's."""
    folder = tmp_path_factory.mktemp("runs")
    good = responses("tanq")
    weak = {name: text.replace("1987", "1978") for name, text in good.items()}
    first, second, third, *_ = weak
    weak[first] = f"{ATTACK}\n\n{weak[first]}"
    weak[second] = f"I do not know, but {NEEDLE} might."
    weak[third] = weak[third].replace("1972", "-1972")
    write_log(folder, "good", "tanq", good)
    write_log(folder, "weak", "tanq", weak)
    spoken = responses("tatqa")
    write_log(folder, "good", "tatqa", spoken)
    write_log(
        folder,
        "weak",
        "tatqa",
        {
            **spoken,
            next(
                iter(spoken)
            ): f"{LINE} $(509.9) #### and its corresponding scale is: million",
        },
    )
    return folder


@pytest.fixture(scope="module")
def groups(folder) -> dict[str, Group]:
    logs = [read_sample_log(log) for log in sorted(folder.glob("*/samples_*"))]
    return {group.name: group for group in make_groups(logs)}


@pytest.fixture(scope="module")
def report(groups, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_report(list(groups.values())), encoding="utf-8")
    return path


@pytest.fixture
def page(browser, report) -> Page:
    with watched(browser, report) as page:
        yield page


def link(group: str, question: str) -> str:
    return f"#q/{group}/{question}"


def test_it_opens_from_disk_and_asks_for_nothing(page):
    page.open()
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.count() == len(documents("tanq"))
    assert page.find("#browser").is_displayed()


def test_filters(page, groups):
    group = groups["tanq_sample"]
    page.open()
    everything = len(group.questions)

    def expect(wanted):
        answers = [
            [of_run[name] for of_run in group.answers] for name in group.questions
        ]
        expected = sum(map(wanted, answers))
        assert 0 < expected < everything
        assert page.count() == expected

    def reset():
        page.find("#filters button[type=reset]").click()
        assert page.count() == everything

    page.choose("#outcome", "no_answer")
    expect(lambda pair: any(a.explanation.outcome == "no_answer" for a in pair))
    page.choose("#run", "0")
    expect(lambda pair: pair[0].explanation.outcome == "no_answer")
    reset()
    page.choose("#rule", "github")
    expect(lambda pair: any(a.explanation.scored.rule == "github" for a in pair))
    reset()
    page.choose("#cause", "missing_row")
    expect(lambda pair: any("missing_row" in a.explanation.causes for a in pair))
    reset()
    page.choose("#facets select[data-facet='Question type']", "composition")
    expect(lambda pair: "_comp" in pair[0].sample.id)
    reset()
    page.find("#metrics-split").click()
    expect(lambda pair: any(metrics_disagree(group, answer) for answer in pair))
    reset()
    page.find("#runs-split").click()
    expect(lambda pair: models_disagree(group, pair[0].sample.id))
    page.choose("#outcome", "right")
    expect(
        lambda pair: (
            models_disagree(group, pair[0].sample.id)
            and any(a.explanation.outcome == "right" for a in pair)
        )
    )


def test_another_benchmark(page, groups):
    page.open()
    page.choose("#group", "tatqa_sample")
    group = groups["tatqa_sample"]
    assert page.count() == len(group.questions)
    facets = page.run(
        "return [...document.querySelectorAll('#facets select')].map(s => s.dataset.facet)"
    )
    assert facets == ["Answer type", "Source", "Scale", "Known defect"]
    page.choose("#facets select[data-facet='Scale']", "million")
    expected = sum(q.scale == "million" for q in group.questions.values())
    assert page.count() == expected > 0


@pytest.mark.parametrize("words", [NEEDLE, f"{NEEDLE.lower()}  know"])
def test_search_in_answers(page, words):
    page.open()
    page.find("#search").send_keys(words)
    page.wait("return document.getElementById('count').textContent.startsWith('1 of')")
    (row,) = page.texts("#rows a")
    assert list(documents("tanq"))[1] in row


def test_search_in_contexts_and_for_nothing(page, groups):
    group = groups["tatqa_sample"]
    page.open(link("tatqa_sample", next(iter(group.questions))))
    page.find("#search").send_keys("paper industry")
    expected = sum(
        any("paper industry" in block.get("text", "") for block in question.context)
        or any(
            "paper industry" in answers[name].sample.response
            for answers in group.answers
        )
        for name, question in group.questions.items()
    )
    assert page.count() == expected > 0
    page.find("#search").send_keys(" no such words")
    assert page.count() == 0
    assert page.texts("#rows a") == []


@pytest.mark.parametrize("metric", ["value_f1", "rms_f1", "f1"])
def test_cells_are_coloured_as_the_metric_matched_them(page, groups, metric):
    group = groups["tanq_sample"]
    for name, question in list(group.questions.items())[:9]:
        page.open(link("tanq_sample", name))
        assert page.find("#question-heading").text == question.text.strip()
        page.find(f"input[name=metric][value={metric}]").click()
        shown = page.run(
            """return [...document.querySelectorAll('#question .pair')].map(pair =>
              [...pair.querySelectorAll('table')].map(table => Object.fromEntries(
                [...table.querySelectorAll('[data-status]')].map(cell =>
                  [cell.dataset.place, [cell.dataset.status, cell.classList[0]]]))))"""
        )
        expected = [
            [
                {
                    f"{i},{j}": [cell.status, colour(cell.status)]
                    for (i, j), cell in side.items()
                    if cell.status != "uncounted" and i >= 0
                }
                for side in (match.reference_cells, match.prediction_cells)
            ]
            for answers in group.answers
            if (match := answers[name].explanation.tables.get(metric))
        ]
        assert shown == expected


def colour(status: str) -> str:
    kinds = {"match": "match", "partial": "partial", "other_name": "partial"}
    return kinds.get(status, status.partition("_")[0])


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


def test_a_cell_says_what_it_was_paired_with(page):
    name = "7__wikitables_composition__test"
    page.open(link("tanq_sample", name))
    page.find("#question td[data-status=wrong_value]").click()
    hint = page.texts("#question .hint")[0]
    assert hint == "24000 (read as 24,000): wrong value, paired with row 3, column 3."
    lit = page.texts("#question .box:first-child .lit")
    assert [text.split()[-2] for text in lit] == ["24000", "24120"]


def test_arrow_keys_go_from_cell_to_cell(page):
    page.open(link("tanq_sample", "7__wikitables_composition__test"))
    grid = page.find("#question .box:first-child .pair .wide")
    lit = "#question .box:first-child .lit"

    def expect(place: str, hint: str, count: int) -> None:
        page.wait(
            "return document.querySelector('#question .here')?.dataset.place === arguments[0]",
            place,
        )
        assert page.texts("#question .hint")[0] == hint
        assert len(page.texts(lit)) == count

    grid.send_keys(Keys.ARROW_RIGHT)
    expect("0,0", "entity: does not count.", 1)
    grid.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    paired = "wrong value, paired with row 3, column 3."
    expect("2,2", f"24000 (read as 24,000): {paired}", 2)
    grid.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    expect("3,2", "18000 (read as 18,000): missing row.", 1)
    grid.send_keys(*[Keys.ARROW_LEFT] * 4, *[Keys.ARROW_UP] * 5)
    expect("0,0", "entity: does not count.", 1)


def test_proofs_stand_under_the_page_that_they_are_of(page):
    page.open(link("tanq_sample", "1__wikidata_intersection__test"))
    assert page.texts("#question .context > summary") == [
        "Proofs that the references give"
    ]
    headings = page.texts("#question .context h4")
    assert headings[:2] == ["Mara Quillfeather", "The Paper Lantern Thief"]
    assert len(headings) == len({*headings}) > 1
    assert "Music by: Odo Brannick (for composer)" in page.texts("#question .context p")


def test_both_sides_of_a_number_are_shown_as_they_were_read(page, groups):
    group = groups["tatqa_sample"]
    name = next(iter(group.questions))
    assert group.answers[1][name].explanation.causes == {"wrong_sign": 1.0}
    page.open(link("tatqa_sample", name))
    read = page.texts("#question .runs > section:nth-child(2) .read")
    assert read == ["read as 509,900,000 ±50,000", "read as -509,900,000 ±50,000"]
    statuses = page.run(
        """return [...document.querySelectorAll('#question td[data-status]')]
             .map(cell => cell.dataset.status)"""
    )
    assert statuses == ["match", "match", "wrong", "wrong"]


def test_model_text_stays_text(page):
    name = next(iter(documents("tanq")))
    page.open(link("tanq_sample", name))
    raw = page.texts("#question .raw")
    assert raw[1].startswith(ATTACK)
    assert (
        page.run(
            "return document.querySelectorAll('#question img, #question script').length"
        )
        == 0
    )


def test_links(page):
    names = list(documents("tanq"))
    page.open(link("tanq_sample", names[4]))
    assert names[4] in page.find("#question .tags").text
    current = page.find("#rows a[aria-selected=true]")
    assert names[4] in current.text
    here = page.find("#question .bar a").get_attribute("href")
    assert here.endswith(link("tanq_sample", names[4]))
    page.find("#rows a:nth-child(2)").click()
    page.wait("return location.hash.includes(arguments[0])", names[1])
    assert names[1] in page.find("#question .tags").text
    page.browser.back()
    page.wait("return location.hash.includes(arguments[0])", names[4])
    assert names[4] in page.find("#question .tags").text


@pytest.mark.parametrize(
    "fragment", ["#q/tanq_sample/nowhere", "#q/%E0%A4%A/x", "#q/x/y"]
)
def test_links_to_nothing(page, fragment):
    page.open(fragment)
    assert "no question" in page.find("#trouble").text
    assert page.count() == len(documents("tanq"))


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
    page.open(link(name, question), size=PHONE)
    assert fits()
    assert not page.find("#list").is_displayed()
    assert page.find("#question-heading").is_displayed()
    page.find(".back").click()
    assert page.find("#list").is_displayed()
    assert question in page.run("return document.activeElement.textContent")


def test_everything_has_a_name(page, groups):
    page.open(link("tanq_sample", next(iter(groups["tanq_sample"].questions))))
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
    page.open(link(name, question), scheme=scheme, size=size)
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
