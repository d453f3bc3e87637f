"""The report in a real browser: it filters, searches, opens and colours as it says."""

import pytest
from chromium import watched
from report_logs import (
    ATTACK,
    NEEDLE,
    documents,
    report_link,
    write_log,
)
from selenium.webdriver.common.keys import Keys

from tableqa_metrics.report.groups import make_groups
from tableqa_metrics.report.page import html_report
from tableqa_metrics.report.runs import read_sample_log
from tableqa_metrics.report.summary import metrics_disagree, models_disagree


pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


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
    kinds = page.texts("#facets select[data-facet='Known defect'] option")
    assert kinds[1:] == ["none"]  # behind the one that filters nothing
    page.choose("#facets select[data-facet='Scale']", "million")
    expected = sum(q.scale == "million" for q in group.questions.values())
    assert page.count() == expected > 0


def test_another_benchmark_closes_the_question(page, groups):
    page.open(report_link("tanq_sample", list(documents("tanq"))[4]))
    page.choose("#group", "tatqa_sample")
    page.wait("return location.hash === '#questions'")
    assert page.texts("#question") == ["Choose a question."]
    assert page.texts("#rows [aria-selected=true]") == []
    first = next(iter(groups["tatqa_sample"].questions))
    page.run("document.activeElement.blur()")
    page.press("j")
    page.wait(
        "return location.hash === arguments[0]", report_link("tatqa_sample", first)
    )
    assert page.texts("#question .tags li")[0] == first


def test_another_benchmark_at_once_after_a_key(page):
    """The question that the key opened is not drawn into the other benchmark."""
    page.open(report_link("tanq_sample", list(documents("tanq"))[4]))
    page.run(
        """const list = document.getElementById("list");
        list.focus();
        list.dispatchEvent(
          new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
        const group = document.getElementById("group");
        group.value = "tatqa_sample";
        group.dispatchEvent(new Event("change", { bubbles: true }));
        return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));"""
    )
    assert page.texts("#question") == ["Choose a question."]


def test_a_link_into_another_benchmark(page, groups):
    page.open(report_link("tanq_sample", list(documents("tanq"))[4]))
    third = list(groups["tatqa_sample"].questions)[2]
    page.run("location.hash = arguments[0]", report_link("tatqa_sample", third))
    page.wait(
        "return document.querySelector('#question .tags li').textContent === arguments[0]",
        third,
    )
    assert page.find("#group").get_attribute("value") == "tatqa_sample"
    assert third in page.find("#rows a[aria-selected=true]").text
    assert page.count() == len(groups["tatqa_sample"].questions)


@pytest.mark.parametrize("words", [NEEDLE, f"{NEEDLE.lower()}  know"])
def test_search_in_answers(page, words):
    page.open()
    page.find("#search").send_keys(words)
    page.wait("return document.getElementById('count').textContent.startsWith('1 of')")
    (row,) = page.texts("#rows a")
    assert list(documents("tanq"))[1] in row


def test_search_in_contexts_and_for_nothing(page, groups):
    group = groups["tatqa_sample"]
    page.open(report_link("tatqa_sample", next(iter(group.questions))))
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
        page.open(report_link("tanq_sample", name))
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


def test_a_cell_says_what_it_was_paired_with(page):
    name = "7__wikitables_composition__test"
    page.open(report_link("tanq_sample", name))
    page.find("#question td[data-status=wrong_value]").click()
    hint = page.texts("#question .hint")[0]
    assert hint == "24000 (read as 24,000): wrong value, paired with row 3, column 3."
    lit = page.texts("#question .box:first-child .lit")
    assert [text.split()[-2] for text in lit] == ["24000", "24120"]


def test_arrow_keys_go_from_cell_to_cell(page):
    page.open(report_link("tanq_sample", "7__wikitables_composition__test"))
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
    page.open(report_link("tanq_sample", "1__wikidata_intersection__test"))
    assert page.texts("#question .context > summary") == [
        "Proofs that the references give"
    ]
    headings = page.texts("#question .context h4")
    assert headings[:2] == ["Mara Quillfeather", "The Paper Lantern Thief"]
    assert len(headings) == len({*headings}) > 1
    assert "Music by: Odo Brannick (for composer)" in page.texts("#question .context p")


def test_what_each_run_was_shown(browser, tmp_path):
    name, doc = next(iter(documents("tanq").items()))
    doc = {key: value for key, value in doc.items() if key != "proofs"}
    for model, context in (("a", "own proofs"), ("b", "passages"), ("c", "")):
        docs = {name: {**doc, "context": context}}
        write_log(tmp_path, model, "tanq", {name: "I do not know."}, docs=docs)
    logs = [read_sample_log(log) for log in sorted(tmp_path.glob("*/samples_*"))]
    path = tmp_path / "report.html"
    path.write_text(html_report(make_groups(logs)), encoding="utf-8")
    with watched(browser, path) as page:
        page.open(report_link("tanq_sample", name))
        page.run(
            "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
        )
        own, other, none = page.texts("#question .runs > section")
        assert "What this run was shown" not in own
        assert "What this run was shown\npassages" in other.replace("\n\n", "\n")
        assert "This run was asked without a context." in none
        assert page.texts("#question > .context") == ["Context\n\nown proofs"]
        page.find("#search").send_keys("passages")
        assert page.count() == 1


def test_both_sides_of_a_number_are_shown_as_they_were_read(page, groups):
    group = groups["tatqa_sample"]
    name = next(iter(group.questions))
    assert group.answers[1][name].explanation.causes == {"wrong_sign": 1.0}
    page.open(report_link("tatqa_sample", name))
    read = page.texts("#question .runs > section:nth-child(2) .read")
    assert read == ["read as 509,900,000 ±50,000", "read as -509,900,000 ±50,000"]
    statuses = page.run(
        """return [...document.querySelectorAll('#question td[data-status]')]
             .map(cell => cell.dataset.status)"""
    )
    assert statuses == ["match", "match", "wrong", "wrong"]


def test_model_text_stays_text(page):
    name = next(iter(documents("tanq")))
    page.open(report_link("tanq_sample", name))
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
    page.open(report_link("tanq_sample", names[4]))
    assert names[4] in page.find("#question .tags").text
    current = page.find("#rows a[aria-selected=true]")
    assert names[4] in current.text
    here = page.find("#question .bar a").get_attribute("href")
    assert here.endswith(report_link("tanq_sample", names[4]))
    # The address changes a moment before the question does.
    shown = (
        "return location.hash.includes(arguments[0])"
        " && document.querySelector('#question .tags').innerText.includes(arguments[0])"
    )
    page.find("#rows a:nth-child(2)").click()
    page.wait(shown, names[1])
    page.browser.back()
    page.wait(shown, names[4])


@pytest.mark.parametrize(
    "fragment", ["#q/tanq_sample/nowhere", "#q/%E0%A4%A/x", "#q/x/y"]
)
def test_links_to_nothing(page, fragment):
    page.open(fragment)
    assert "no question" in page.find("#trouble").text
    assert page.count() == len(documents("tanq"))
