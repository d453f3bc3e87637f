"""A headless Chromium that looks at files, and says what it wanted from outside."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = (1300, 900)
PHONE = (360, 740)


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """Start it with an empty profile; skip where it is not installed, but not in CI."""
    from selenium import webdriver

    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        reason = "needs chromium and chromedriver (Debian: chromium, chromium-driver)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability(
        "goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"}
    )
    service = webdriver.ChromeService(executable_path=driver)
    started = webdriver.Chrome(options=options, service=service)
    try:
        yield started
    finally:
        started.quit()


@contextmanager
def watched(browser: Any, path: Path) -> Iterator["Page"]:
    """The report; nothing is asked of the network, nothing complained of, nothing run."""
    page = Page(browser, path)
    yield page
    console, asked = page.logs()
    assert console == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert page.run("return window.hacked") is None


class Page:
    """The report in the browser.

    Everything is asked for with scripts: one round trip, and the page as it is.
    """

    def __init__(self, browser: Any, path: Path) -> None:
        self.browser, self.address = browser, path.as_uri()

    def open(
        self,
        fragment: str = "",
        *,
        size: tuple[int, int] = DESKTOP,
        scheme: str = "light",
    ) -> None:
        """Load the page anew."""
        width, height = size
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=size == PHONE,
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.command("Emulation.setEmulatedMedia", features=[feature])
        self.browser.get("about:blank")
        self.logs()
        self.browser.get(self.address + fragment)
        self.wait("return document.documentElement.dataset.ready === 'true'")

    def command(self, name: str, **arguments: Any) -> Any:
        return self.browser.execute_cdp_cmd(name, arguments)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: Any) -> Any:
        """Wait until a script returns something that is true."""
        from selenium.webdriver.support.wait import WebDriverWait

        wait = WebDriverWait(self.browser, 60, poll_frequency=0.05)
        return wait.until(lambda _: self.run(script, *arguments))

    def find(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def texts(self, selector: str) -> list[str]:
        script = (
            "return [...document.querySelectorAll(arguments[0])].map(n => n.innerText)"
        )
        return self.run(script, selector)

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def choose(self, selector: str, value: str) -> None:
        from selenium.webdriver.support.select import Select

        Select(self.find(selector)).select_by_value(value)

    def count(self) -> int:
        """How many questions the filters leave, once the list shows them."""
        self.wait("return document.getElementById('list').ariaBusy === 'false'")
        return int(self.find("#count").text.split()[0])

    def logs(self) -> tuple[list[str], list[str]]:
        """What was written to the console since, and which addresses were asked for."""
        console = [entry["message"] for entry in self.browser.get_log("browser")]
        events = [
            json.loads(entry["message"])["message"]
            for entry in self.browser.get_log("performance")
        ]
        asked = [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
        return console, asked
