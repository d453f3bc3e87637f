"""The report's list and address: what stays open, active and focused, whatever changes."""

import pytest
from chromium import PHONE, watched
from numbered_report import (
    AT_ONCE,
    FEW,
    LIST_KEYS,
    MANY,
    expect,
    focus,
    in_view,
    settled,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_the_list_is_one_stop_of_the_tab_key(few):
    few.open()
    few.find("#filters button[type=reset]").click()
    few.press(Keys.TAB)
    expect(few, focus="list", active=0)
    few.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.TAB)
    settled(few, open=2, focus="previous")
    chain = ActionChains(few.browser)
    chain.key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    settled(few, open=2, active=2, focus="list")


def test_a_question_that_a_filter_takes_out_stays_open(few):
    few.open("#q/tatqa/q4")
    few.choose("#outcome", "right")
    settled(few, open=4, selected=None, active=6)
    assert few.count() == FEW // 3
    focus(few, "question-heading")
    few.press("j")
    settled(few, open=6, selected=6, active=6, focus="question-heading")


def test_the_one_before_a_question_that_a_filter_took_out(few):
    few.open("#q/tatqa/q4")
    few.choose("#outcome", "right")
    focus(few, "question-heading")
    few.press("k")
    settled(few, open=3, selected=3, active=3, focus="question-heading")


def test_without_the_filter_the_keys_are_on_the_open_question_again(few):
    few.open("#q/tatqa/q4")
    few.choose("#outcome", "right")
    expect(few, active=6)
    few.choose("#outcome", "")
    settled(few, open=4, selected=4, active=4)


def test_the_last_one_found_is_active_where_none_comes_after(few):
    few.open(f"#q/tatqa/q{FEW - 1}")
    few.choose("#outcome", "right")
    settled(few, open=FEW - 1, selected=None, active=FEW - 3)
    assert few.find("#next").get_attribute("disabled")
    assert not few.find("#previous").get_attribute("disabled")


def test_an_empty_list_takes_the_focus_and_all_keys(few):
    few.open("#q/tatqa/q4")
    few.press("/", "nowhere")
    expect(few, busy=False)
    assert few.count() == 0
    few.press(Keys.ESCAPE, *"nowhere")
    expect(few, busy=False, active=None)
    focus(few, "list")
    few.run(AT_ONCE, [*LIST_KEYS, "j", "k"])
    settled(few, open=4, selected=None, active=None, focus="list")
    assert few.run("return document.querySelectorAll('#rows a').length") == 0
    few.press("/", Keys.BACKSPACE)
    settled(few, open=4, selected=4, active=4, focus="search")


def test_a_list_of_one(browser, numbered):
    with watched(browser, numbered[1]) as page:
        page.open()
        focus(page, "list")
        page.run(AT_ONCE, [key for key in LIST_KEYS if key not in ("Enter", " ")])
        settled(page, open=0, selected=0, active=0, focus="list")
        page.press("j", "k", Keys.ENTER)
        settled(page, open=0, selected=0, focus="question-heading")
        assert page.find("#next").get_attribute("disabled")
        assert page.find("#previous").get_attribute("disabled")


def test_a_row_that_is_scrolled_out_of_view_stays_active(many):
    many.open("#q/tatqa/q5")
    many.press(Keys.ESCAPE)
    expect(many, focus="list", active=5)
    many.run("document.getElementById('list').scrollTop = 1e9")
    many.wait("return document.getElementById(arguments[0])", f"row-{MANY - 1}")
    settled(many, open=5, selected=5, active=5, focus="list")
    assert not in_view(many, 5)
    assert many.run("return document.querySelectorAll('#rows a').length") < 60
    many.press(Keys.ARROW_DOWN)
    settled(many, open=6, selected=6, active=6, focus="list")
    assert in_view(many, 6)


def test_rows_are_in_order_and_numbered(many):
    many.open("#q/tatqa/q2500")
    many.press(Keys.ESCAPE, Keys.PAGE_DOWN, Keys.ARROW_UP)
    many.run("document.getElementById('list').scrollTop = 0")
    many.wait("return document.getElementById('row-0')")
    rows = many.run(
        """return [...document.querySelectorAll("#rows a")].map((row) =>
             [Number(row.id.slice(4)), row.ariaPosInSet, row.ariaSetSize, row.tabIndex]);"""
    )
    assert rows == sorted(rows)
    assert {(place, size, stop) for _, place, size, stop in rows} == {
        (str(number + 1), str(MANY), -1) for number, *_ in rows
    }


def test_a_link_opens_its_question(many):
    many.open("#q/tatqa/q4321")
    settled(many, open=4321, selected=4321, active=4321, focus="question-heading")
    assert in_view(many, 4321)


def test_an_address_that_is_changed_leaves_the_focus_in_the_list(few):
    few.open("#q/tatqa/q3")
    few.press(Keys.ESCAPE)
    few.run("location.hash = '#q/tatqa/q7'")
    settled(few, open=7, selected=7, active=7, focus="list")


def test_an_address_that_is_changed_takes_the_focus_along_in_the_question(few):
    few.open("#q/tatqa/q3")
    focus(few, "next")
    few.run("location.hash = '#q/tatqa/q7'")
    settled(few, open=7, selected=7, active=7, focus="question-heading")


def test_a_link_to_nothing_closes_the_question(few):
    few.open("#q/tatqa/q3")
    few.run("location.hash = '#q/tatqa/nowhere'")
    settled(few, open=None, selected=None, active=3, focus="list")
    assert few.find("#trouble").is_displayed()
    few.press(Keys.ARROW_DOWN)
    settled(few, open=4, selected=4, active=4, focus="list")
    assert not few.find("#trouble").is_displayed()


def test_back_and_forward_between_questions(few):
    few.open()
    few.find("#row-2").click()
    settled(few, open=2, focus="list")
    few.find("#row-5").click()
    settled(few, open=5, focus="list")
    few.browser.back()
    settled(few, open=2, selected=2, active=2, focus="list")
    few.browser.forward()
    settled(few, open=5, selected=5, active=5, focus="list")


def test_back_skips_what_keys_have_passed(few):
    few.open()
    few.find("#row-2").click()
    few.run(
        f"(function () {{{AT_ONCE}}})(['ArrowDown', 'ArrowDown']);"
        "document.getElementById('row-8').click();"
    )
    settled(few, open=8, focus="list")
    few.browser.back()
    settled(few, open=4, selected=4, focus="list")
    few.browser.back()
    settled(few, open=None, selected=None, active=4, focus="list")


def test_back_at_once_after_a_key(few):
    few.open()
    few.find("#row-2").click()
    few.find("#row-5").click()
    settled(few, open=5)
    few.run(f"(function () {{{AT_ONCE}}})(['ArrowDown']); history.back();")
    settled(few, open=2, selected=2, active=2, focus="list")


def test_arrows_go_on_from_a_row_that_is_clicked(few):
    few.open()
    few.find("#row-4").click()
    few.press(Keys.ARROW_DOWN)
    settled(few, open=5, selected=5, active=5, focus="list")


@pytest.mark.parametrize("modifier", ["ctrlKey", "metaKey", "shiftKey", "altKey"])
def test_a_click_that_opens_another_tab_is_the_browsers(few, modifier):
    few.open()
    prevented = few.run(
        """let prevented;
           window.addEventListener("click", (event) => {
             prevented = event.defaultPrevented;
             event.preventDefault();
           }, { once: true });
           document.getElementById("row-4").dispatchEvent(new MouseEvent(
             "click", { bubbles: true, cancelable: true, [arguments[0]]: true }));
           return prevented;""",
        modifier,
    )
    assert prevented is False
    settled(few, open=None)
    assert few.find("#row-4").get_attribute("href").endswith("#q/tatqa/q4")


def test_previous_and_next_keep_the_focus(few):
    few.open("#q/tatqa/q1")
    focus(few, "next")
    few.press(Keys.ENTER, Keys.ENTER)
    settled(few, open=3, focus="next")
    focus(few, "previous")
    few.press(Keys.ENTER, Keys.ENTER)
    settled(few, open=1, focus="previous")
    few.press(Keys.ENTER)
    settled(few, open=0, focus="question-heading")


def test_the_next_question_is_shown_from_its_top(few):
    few.open("#q/tatqa/q1")
    few.press(Keys.ESCAPE)
    expect(few, focus="list")
    few.run("document.getElementById('question').scrollIntoView({block: 'end'})")
    top = "return document.getElementById('question').getBoundingClientRect().top"
    assert few.run(top) < 0
    few.press(Keys.ARROW_DOWN)
    settled(few, open=2, focus="list")
    assert 0 <= few.run(top) < 100


def test_the_skip_link_leaves_the_question_open(few):
    few.open("#q/tatqa/q1")
    few.run("document.querySelector('.skip').focus()")
    few.press(Keys.ENTER)
    few.wait("return location.hash === '#filters'")
    few.press(Keys.TAB)
    expect(few, open=1, selected=1, focus="search")


def test_on_a_phone_arrows_move_and_enter_opens(few):
    few.open(size=PHONE)
    focus(few, "list")
    few.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    settled(few, open=None, selected=None, active=2, focus="list")
    few.press(Keys.ENTER)
    settled(few, open=2, selected=2, focus="question-heading")
    assert not few.find("#list").is_displayed()
    few.browser.back()
    settled(few, open=None, selected=None, active=2, focus="list")


def test_on_a_phone_escape_closes_the_question(few):
    few.open("#q/tatqa/q4", size=PHONE)
    few.press("j", Keys.ESCAPE)
    settled(few, open=None, selected=None, active=5, focus="list", linked=-1)
    assert few.find("#list").is_displayed()
    few.press(Keys.ARROW_UP, Keys.ENTER)
    settled(few, open=4, focus="question-heading")


def test_on_a_phone_j_goes_on_in_the_question(few):
    few.open(size=PHONE)
    focus(few, "list")
    few.press("j", "j")
    settled(few, open=1, selected=1, focus="question-heading")


def test_the_list_says_what_it_is_on(few):
    few.open("#q/tatqa/q1")
    few.press(Keys.ESCAPE, Keys.ARROW_DOWN)
    settled(few, open=2, focus="list")
    nodes = few.command("Accessibility.getFullAXTree")["nodes"]
    by_role: dict[str, list[dict]] = {}
    for node in nodes:
        by_role.setdefault(node.get("role", {}).get("value"), []).append(node)
    (listbox,) = by_role["listbox"]
    assert listbox["name"]["value"] == "Questions found"
    told = {each["name"]: each["value"] for each in listbox["properties"]}
    assert told["focused"]["value"] is True
    related = told["activedescendant"]["relatedNodes"]
    assert [each["idref"] for each in related] == ["row-2"]
    names = [node["name"]["value"] for node in by_role["option"]]
    assert names[2].split() == ["What", "is", "number", "2?", "m:", "wrong.", "q2"]
