"""The report under the keyboard: where keys lead, and what has the focus then.

Each test presses keys as a reader does, without waiting in between, and then waits for
what the page must come to.
"""

from pathlib import Path

import pytest
from chromium import Page, watched
from numbered_report import (
    AT_ONCE,
    FEW,
    LETTERS,
    LIST_KEYS,
    MANY,
    STATE,
    expect,
    focus,
    in_view,
    report_of,
    settled,
)
from selenium.webdriver.common.keys import Keys


pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[int, Path]:
    folder = tmp_path_factory.mktemp("keyboard")
    return {n: report_of(n, folder / f"{n}.html") for n in (FEW, MANY)}


@pytest.fixture
def page(browser, reports) -> Page:
    with watched(browser, reports[FEW]) as page:
        yield page


@pytest.fixture
def many(browser, reports) -> Page:
    with watched(browser, reports[MANY]) as page:
        yield page


def test_j_opens_the_first_and_then_the_next(page):
    page.open()
    page.press("j")
    settled(page, open=0, selected=0, active=0, focus="question-heading")
    page.press("j", "j")
    settled(page, open=2, selected=2, active=2, focus="question-heading")


def test_k_opens_the_one_before_and_stops_at_the_first(page):
    page.open("#q/tatqa/q2")
    page.press("k")
    settled(page, open=1, selected=1, focus="question-heading")
    page.press("k", "k", "k")
    settled(page, open=0, selected=0, focus="question-heading")


def test_j_stops_at_the_last(page):
    page.open(f"#q/tatqa/q{FEW - 2}")
    page.press("j", "j", "j")
    settled(page, open=FEW - 1, selected=FEW - 1, focus="question-heading")


def test_j_in_the_list_leaves_the_focus_there(page):
    page.open()
    focus(page, "list")
    page.press("j", "j")
    settled(page, open=1, active=1, focus="list")


def test_arrows_open_what_they_come_to(page):
    page.open()
    focus(page, "list")
    expect(page, active=0, open=None)
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_DOWN)
    settled(page, open=2, selected=2, active=2, focus="list")


def test_arrows_stop_at_both_ends(page):
    page.open()
    focus(page, "list")
    page.press(Keys.ARROW_UP)
    settled(page, open=0, active=0, focus="list")
    page.press(Keys.END, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    settled(page, open=FEW - 1, active=FEW - 1, focus="list")


def test_pages(many):
    many.open()
    focus(many, "list")
    many.press(Keys.PAGE_DOWN)
    expect(many, focus="list", open=many.run(STATE)["active"])
    seen = many.run("return document.getElementById('list').clientHeight") / 68
    size = many.run(STATE)["active"]
    assert seen - 2 <= size <= seen
    assert in_view(many, size)
    many.press(Keys.PAGE_DOWN, Keys.PAGE_DOWN, Keys.PAGE_UP)
    settled(many, open=2 * size, active=2 * size, focus="list")
    many.press(Keys.PAGE_UP, Keys.PAGE_UP, Keys.PAGE_UP)
    settled(many, open=0, active=0, focus="list")
    many.press(Keys.END, Keys.PAGE_DOWN)
    settled(many, open=MANY - 1, active=MANY - 1, focus="list")


def test_end_and_home(many):
    many.open()
    focus(many, "list")
    many.press(Keys.END)
    settled(many, open=MANY - 1, selected=MANY - 1, active=MANY - 1, focus="list")
    assert in_view(many, MANY - 1)
    many.press(Keys.ARROW_UP)
    settled(many, open=MANY - 2, active=MANY - 2, focus="list")
    many.press(Keys.HOME)
    settled(many, open=0, selected=0, active=0, focus="list")
    assert in_view(many, 0)


def test_end_at_once_after_a_search(page):
    """The rows of the search are drawn anew while the keys are on their way."""
    page.open()
    page.press("/", "q1", Keys.BACKSPACE, Keys.BACKSPACE, Keys.ESCAPE, Keys.END)
    settled(page, open=FEW - 1, active=FEW - 1, focus="list")


def test_keys_after_a_search_go_by_what_is_typed(page):
    page.open()
    page.press("/", "number 2", Keys.TAB)
    focus(page, "list")
    page.press(Keys.ARROW_DOWN)
    settled(page, open=12, active=12, focus="list")  # after 2


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.SPACE])
def test_enter_goes_into_the_question(page, key):
    page.open()
    focus(page, "list")
    steps = page.run("return history.length")
    page.press(key)
    settled(page, open=0, selected=0, focus="question-heading")
    assert page.run("return history.length") == steps + 1
    page.browser.back()
    settled(page, open=None, selected=None, active=0, focus="list")


def test_enter_on_the_open_question_goes_into_it(page):
    page.open()
    focus(page, "list")
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    settled(page, open=1, selected=1, focus="question-heading")


def test_escape_goes_from_the_question_to_the_list(page):
    page.open("#q/tatqa/q3")
    expect(page, focus="question-heading")
    page.press(Keys.ESCAPE)
    settled(page, open=3, selected=3, active=3, focus="list")
    page.press(Keys.ARROW_DOWN)
    settled(page, open=4, selected=4, active=4, focus="list")


def test_escape_after_a_click_into_the_question(page):
    page.open("#q/tatqa/q3")
    page.find("#question-heading").click()
    page.run("document.activeElement.blur()")
    page.press(Keys.ESCAPE)
    settled(page, open=3, focus="list")


def test_escape_clears_the_search_and_then_leaves_it(page):
    page.open()
    page.press("/", "number 2", Keys.ESCAPE)
    settled(page, focus="search")
    assert page.find("#search").get_attribute("value") == ""
    assert page.count() == FEW
    page.press(Keys.ESCAPE)
    settled(page, open=None, focus="list")


@pytest.mark.parametrize("name", ["outcome", "theme", "metrics-split"])
def test_escape_elsewhere_is_the_browsers(page, name):
    page.open("#q/tatqa/q3")
    focus(page, name)
    assert page.run(AT_ONCE, ["Escape"]) == [False]
    settled(page, open=3, focus=name)


@pytest.mark.parametrize(
    "name", ["list", "question-heading", "next", "theme", "metrics-split"]
)
def test_slash_goes_to_the_search(page, name):
    page.open("#q/tatqa/q3")
    page.run("document.getElementById('search').value = 'what'")
    focus(page, name)
    page.press("/", "j")
    settled(page, focus="search", open=3)
    assert page.find("#search").get_attribute("value") == "j"


def test_slash_keeps_the_focus_that_a_question_would_have_got(page):
    """A question that is opened by the key before does not take the focus back."""
    page.open()
    assert page.run(AT_ONCE, ["j", "j", "/"]) == [True] * 3
    settled(page, open=1, focus="search")
    page.press("k")
    settled(page, open=1, focus="search")
    assert page.find("#search").get_attribute("value") == "k"


def test_what_is_typed_into_the_search_does_not_navigate(page):
    page.open("#q/tatqa/q3")
    page.press("/", "jk/ ", Keys.HOME, "x", Keys.END, Keys.ARROW_DOWN, Keys.PAGE_DOWN)
    settled(page, open=3, focus="search")
    assert page.find("#search").get_attribute("value") == "xjk/ "


def test_enter_in_the_search_searches_at_once(page):
    page.open()
    focus(page, "search")
    page.press("number 29", Keys.ENTER)
    expect(page, busy=False, focus="search", active=29)
    assert page.count() == 1


def test_what_is_typed_into_a_choice_does_not_navigate(page):
    page.open("#q/tatqa/q3")
    focus(page, "outcome")
    assert page.run(AT_ONCE, [*LETTERS, *LIST_KEYS]) == [False] * 11
    page.press("j", "k", "/")
    settled(page, open=3, focus="outcome")


@pytest.mark.parametrize("modifier", ["ctrlKey", "altKey", "metaKey"])
@pytest.mark.parametrize("name", ["list", "question-heading"])
def test_keys_with_a_modifier_are_the_browsers(page, name, modifier):
    page.open("#q/tatqa/q3")
    focus(page, name)
    keys = [*LETTERS, *LIST_KEYS, "Escape", "f"]
    assert page.run(AT_ONCE, keys, {modifier: True}) == [False] * len(keys)
    settled(page, open=3, focus=name)


@pytest.mark.parametrize("name", ["list", "question-heading"])
def test_keys_with_shift_are_the_browsers(page, name):
    page.open("#q/tatqa/q3")
    focus(page, name)
    keys = ["J", "K", *LIST_KEYS]
    assert page.run(AT_ONCE, keys, {"shiftKey": True}) == [False] * len(keys)
    settled(page, open=3, focus=name)


def test_a_slash_that_needs_shift_is_one(page):
    page.open()
    assert page.run(AT_ONCE, ["/"], {"shiftKey": True}) == [True]
    settled(page, focus="search")


def test_keys_that_compose_a_letter_are_left_alone(page):
    page.open("#q/tatqa/q3")
    assert page.run(AT_ONCE, LETTERS, {"isComposing": True}) == [False] * 3
    settled(page, open=3, focus="question-heading")


def test_letters_can_be_switched_off_and_arrows_stay(page):
    page.open("#q/tatqa/q3")
    page.run("document.getElementById('keys').open = true")
    page.find("#letters").click()
    focus(page, "list")
    assert page.run(AT_ONCE, LETTERS) == [False] * 3
    page.press(*LETTERS, Keys.ARROW_DOWN)
    settled(page, open=4, focus="list")


def test_a_key_that_is_held_down(many):
    """Browsers refuse some hundred changes of the address in a few seconds."""
    many.open("#q/tatqa/q0")
    many.run(
        """window.written = 0;
           const replace = history.replaceState;
           history.replaceState = (...all) => {
             window.written += 1;
             replace.apply(history, all);
           };
           document.getElementById("list").focus();"""
    )
    steps = many.run("return history.length")
    assert many.run(AT_ONCE, ["ArrowDown"] * 300) == [True] * 300
    settled(many, open=300, selected=300, active=300, focus="list")
    assert in_view(many, 300)
    assert many.run("return window.written") == 1
    assert many.run("return history.length") == steps
