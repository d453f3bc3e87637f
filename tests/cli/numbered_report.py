"""Reports whose questions are numbered, and the state that keys bring them into."""

import json
from pathlib import Path

from chromium import Page

from tableqa_metrics.report.groups import make_groups
from tableqa_metrics.report.page import html_report
from tableqa_metrics.report.runs import Run, Sample


FEW, MANY = 30, 5000
# What is open, what the keys of the list are on, what has the focus, what is linked.
STATE = """
const list = document.getElementById("list");
const number = (row) => row ? Number(row.id.slice(4)) : null;
const tag = document.querySelector("#question .tags li");
return {
  open: tag && tag.checkVisibility() ? Number(tag.textContent.slice(1)) : null,
  selected: number(document.querySelector("#rows [aria-selected=true]")),
  active: number(document.getElementById(list.getAttribute("aria-activedescendant"))),
  focus: document.activeElement.id || document.activeElement.tagName,
  linked: Number(location.hash.match(/#q.tatqa.q([0-9]+)$/)?.[1] ?? -1),
  busy: list.ariaBusy === "true",
};
"""
# Dispatches keys within one task of the page: nothing else comes between two of them.
AT_ONCE = """
return arguments[0].map((key) => {
  const event = new KeyboardEvent(
    "keydown", { key, bubbles: true, cancelable: true, ...arguments[1] });
  return !document.activeElement.dispatchEvent(event);
});
"""
LIST_KEYS = [
    "ArrowDown",
    "ArrowUp",
    "PageDown",
    "PageUp",
    "Home",
    "End",
    "Enter",
    " ",
]
LETTERS = ["j", "k", "/"]


def report_of(count: int, path: Path) -> Path:
    """Write a report of so many questions, q0, q1, …, of which every third is right."""
    samples = []
    for number in range(count):
        gold = {"uid": f"q{number}", "answer": ["7"], "answer_type": "span"}
        doc = {
            "id": f"q{number}",
            "question": f"What is number {number}?",
            "table": [["", "sales"], *[["product", "7"]] * 60],
            "paragraphs": [],
            "gold": json.dumps({**gold, "scale": "", "answer_from": "table"}),
        }
        em = float(number % 3 == 0)
        scores = {"em": em, "value_em": em, "no_answer": None}
        told = "7" if em else "8"
        samples.append(Sample(f"q{number}", doc, f"The answer is: {told}", scores))
    run = Run("m", "tatqa", "tatqa", tuple(scores), tuple(samples), path, "0")
    path.write_text(html_report(make_groups([run])), encoding="utf-8")
    return path


def expect(page: Page, **wanted) -> None:
    """Wait until the page is in a state, and show in which it stays if it is not."""
    from selenium.common.exceptions import TimeoutException

    names = list(wanted)
    script = (
        f"const state = (() => {{{STATE}}})();"
        "return arguments[0].every((name, i) => state[name] === arguments[1][i]);"
    )
    try:
        page.wait(script, names, list(wanted.values()))
    except TimeoutException:
        state = page.run(STATE)
        assert {name: state[name] for name in names} == wanted


def settled(page: Page, **wanted) -> None:
    """Expect a state, and that nothing under way has changed it when all is done.

    The address is written last, some time after the last key.
    """
    expect(page, **{"busy": False, **wanted})
    if wanted.get("open") is not None:
        expect(page, linked=wanted["open"])
    state = page.run(
        f"return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame("
        f"() => done((() => {{{STATE}}})()))))"
    )
    assert {name: state[name] for name in wanted} == wanted


def focus(page: Page, name: str) -> None:
    page.run("document.getElementById(arguments[0]).focus()", name)


def in_view(page: Page, number: int) -> bool:
    """Whether a row is seen whole."""
    return page.run(
        """const [row, list] = [`row-${arguments[0]}`, "list"].map(
             (id) => document.getElementById(id).getBoundingClientRect());
           return row.top >= list.top && row.bottom <= list.bottom;""",
        number,
    )
