"""The report under the keyboard: where keys lead, and what has the focus then.

Each test presses keys as a reader does, without waiting in between, and then waits for
what the page must come to.
"""

import pytest
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
    settled,
)
from selenium.webdriver.common.keys import Keys


pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_j_opens_the_first_and_then_the_next(few):
    few.open()
    few.press("j")
    settled(few, open=0, selected=0, active=0, focus="question-heading")
    few.press("j", "j")
    settled(few, open=2, selected=2, active=2, focus="question-heading")


def test_k_opens_the_one_before_and_stops_at_the_first(few):
    few.open("#q/tatqa/q2")
    few.press("k")
    settled(few, open=1, selected=1, focus="question-heading")
    few.press("k", "k", "k")
    settled(few, open=0, selected=0, focus="question-heading")


def test_j_stops_at_the_last(few):
    few.open(f"#q/tatqa/q{FEW - 2}")
    few.press("j", "j", "j")
    settled(few, open=FEW - 1, selected=FEW - 1, focus="question-heading")


def test_j_in_the_list_leaves_the_focus_there(few):
    few.open()
    focus(few, "list")
    few.press("j", "j")
    settled(few, open=1, active=1, focus="list")


def test_arrows_open_what_they_come_to(few):
    few.open()
    focus(few, "list")
    expect(few, active=0, open=None)
    few.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_DOWN)
    settled(few, open=2, selected=2, active=2, focus="list")


def test_arrows_stop_at_both_ends(few):
    few.open()
    focus(few, "list")
    few.press(Keys.ARROW_UP)
    settled(few, open=0, active=0, focus="list")
    few.press(Keys.END, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    settled(few, open=FEW - 1, active=FEW - 1, focus="list")


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


def test_end_at_once_after_a_search(few):
    """The rows of the search are drawn anew while the keys are on their way."""
    few.open()
    few.press("/", "q1", Keys.BACKSPACE, Keys.BACKSPACE, Keys.ESCAPE, Keys.END)
    settled(few, open=FEW - 1, active=FEW - 1, focus="list")


def test_keys_after_a_search_go_by_what_is_typed(few):
    few.open()
    few.press("/", "number 2", Keys.TAB)
    focus(few, "list")
    few.press(Keys.ARROW_DOWN)
    settled(few, open=12, active=12, focus="list")  # after 2


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.SPACE])
def test_enter_goes_into_the_question(few, key):
    few.open()
    focus(few, "list")
    few.press(key)
    settled(few, open=0, selected=0, focus="question-heading")
    few.browser.back()
    settled(few, open=None, selected=None, active=0, focus="list")


def test_enter_on_the_open_question_goes_into_it(few):
    few.open()
    focus(few, "list")
    assert few.run(AT_ONCE, ["ArrowDown", "Enter"]) == [True] * 2
    settled(few, open=1, selected=1, focus="question-heading")


def test_escape_goes_from_the_question_to_the_list(few):
    few.open("#q/tatqa/q3")
    expect(few, focus="question-heading")
    few.press(Keys.ESCAPE)
    settled(few, open=3, selected=3, active=3, focus="list")
    few.press(Keys.ARROW_DOWN)
    settled(few, open=4, selected=4, active=4, focus="list")


def test_escape_after_a_click_into_the_question(few):
    few.open("#q/tatqa/q3")
    few.find("#question-heading").click()
    few.run("document.activeElement.blur()")
    few.press(Keys.ESCAPE)
    settled(few, open=3, focus="list")


def test_escape_clears_the_search_and_then_leaves_it(few):
    few.open()
    few.press("/", "number 2", Keys.ESCAPE)
    settled(few, focus="search")
    assert few.find("#search").get_attribute("value") == ""
    assert few.count() == FEW
    few.press(Keys.ESCAPE)
    settled(few, open=None, focus="list")


@pytest.mark.parametrize("name", ["outcome", "theme", "metrics-split"])
def test_escape_elsewhere_is_the_browsers(few, name):
    few.open("#q/tatqa/q3")
    focus(few, name)
    assert few.run(AT_ONCE, ["Escape"]) == [False]
    settled(few, open=3, focus=name)


@pytest.mark.parametrize(
    "name", ["list", "question-heading", "next", "theme", "metrics-split"]
)
def test_slash_goes_to_the_search(few, name):
    few.open("#q/tatqa/q3")
    few.run("document.getElementById('search').value = 'what'")
    focus(few, name)
    few.press("/", "j")
    settled(few, focus="search", open=3)
    assert few.find("#search").get_attribute("value") == "j"


def test_slash_keeps_the_focus_that_a_question_would_have_got(few):
    """A question that is opened by the key before does not take the focus back."""
    few.open()
    assert few.run(AT_ONCE, ["j", "j", "/"]) == [True] * 3
    settled(few, open=1, focus="search")
    few.press("k")
    settled(few, open=1, focus="search")
    assert few.find("#search").get_attribute("value") == "k"


def test_what_is_typed_into_the_search_does_not_navigate(few):
    few.open("#q/tatqa/q3")
    few.press("/", "jk/ ", Keys.HOME, "x", Keys.END, Keys.ARROW_DOWN, Keys.PAGE_DOWN)
    settled(few, open=3, focus="search")
    assert few.find("#search").get_attribute("value") == "xjk/ "


def test_enter_in_the_search_searches_at_once(few):
    few.open()
    focus(few, "search")
    few.press("number 29", Keys.ENTER)
    expect(few, busy=False, focus="search", active=29)
    assert few.count() == 1


def test_what_is_typed_into_a_choice_does_not_navigate(few):
    few.open("#q/tatqa/q3")
    focus(few, "outcome")
    assert few.run(AT_ONCE, [*LETTERS, *LIST_KEYS]) == [False] * 11
    few.press("j", "k", "/")
    settled(few, open=3, focus="outcome")


@pytest.mark.parametrize("modifier", ["ctrlKey", "altKey", "metaKey"])
@pytest.mark.parametrize("name", ["list", "question-heading"])
def test_keys_with_a_modifier_are_the_browsers(few, name, modifier):
    few.open("#q/tatqa/q3")
    focus(few, name)
    keys = [*LETTERS, *LIST_KEYS, "Escape", "f"]
    assert few.run(AT_ONCE, keys, {modifier: True}) == [False] * len(keys)
    settled(few, open=3, focus=name)


@pytest.mark.parametrize("name", ["list", "question-heading"])
def test_keys_with_shift_are_the_browsers(few, name):
    few.open("#q/tatqa/q3")
    focus(few, name)
    keys = ["J", "K", *LIST_KEYS]
    assert few.run(AT_ONCE, keys, {"shiftKey": True}) == [False] * len(keys)
    settled(few, open=3, focus=name)


def test_a_slash_that_needs_shift_is_one(few):
    few.open()
    assert few.run(AT_ONCE, ["/"], {"shiftKey": True}) == [True]
    settled(few, focus="search")


def test_keys_that_compose_a_letter_are_left_alone(few):
    few.open("#q/tatqa/q3")
    assert few.run(AT_ONCE, LETTERS, {"isComposing": True}) == [False] * 3
    settled(few, open=3, focus="question-heading")


def test_letters_can_be_switched_off_and_arrows_stay(few):
    few.open("#q/tatqa/q3")
    few.run("document.getElementById('keys').open = true")
    few.find("#letters").click()
    focus(few, "list")
    assert few.run(AT_ONCE, LETTERS) == [False] * 3
    few.press(*LETTERS, Keys.ARROW_DOWN)
    settled(few, open=4, focus="list")


def test_a_key_that_is_held_down(many):
    """Browsers refuse some hundred changes of the address in a few seconds."""
    many.open("#q/tatqa/q0")
    many.run(
        """window.written = [];
           for (const name of ["pushState", "replaceState"]) {
             const write = history[name];
             history[name] = (...all) => {
               window.written.push(name);
               write.apply(history, all);
             };
           }
           document.getElementById("list").focus();"""
    )
    assert many.run(AT_ONCE, ["ArrowDown"] * 300) == [True] * 300
    settled(many, open=300, selected=300, active=300, focus="list")
    assert in_view(many, 300)
    assert many.run("return window.written") == ["replaceState"]
