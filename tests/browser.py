"""A browser for tests of pages: Chromium by Playwright. A page may say nothing and ask no network for anything."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@contextmanager
def opened_browser() -> Iterator[Any]:
    """Chromium without a window. Skips the test where there is none."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="pages are tested with Playwright: pip install playwright"
    )
    path = os.environ.get("RENDERWRIGHT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("there is no Chromium on the search path, nor in RENDERWRIGHT_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Page:
    """A page of a file, with what its console has said and what it has asked any network for."""

    def __init__(self, browser: Any, file: Path, *, dark: bool = False, width: int = 1280) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        size = {"width": width, "height": width * 9 // 16}
        self.page = browser.new_page(viewport=size, color_scheme="dark" if dark else "light")
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.file = file.resolve().as_uri()
        self.page.goto(self.file)
        self._until_ready()

    def _until_ready(self) -> None:
        """Wait until the page is drawn. What it says meanwhile is an error of its script, behind which it never is."""
        end = time.monotonic() + PATIENCE
        while not self.page.evaluate("() => 'ready' in document.documentElement.dataset"):
            assert not self.said, f"the page does not get ready: {self.said}"
            assert time.monotonic() < end, "the page does not get ready"
            self.page.wait_for_timeout(20)

    def show(self, place: str) -> None:
        """Go to an address within the page, such as ``view=frame&node=light``, and wait until it is drawn."""
        self.page.evaluate("place => { location.hash = place }", place)
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @property
    def address(self) -> str:
        """What the page itself has as its address. ``page.url`` is told later, after a key has been answered."""
        return str(self.page.evaluate("location.href"))

    def text(self, selector: str) -> str:
        """What a part of the page says."""
        return str(self.page.inner_text(selector))

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return int(self.page.locator(selector).count())

    def close(self) -> None:
        """Close it. It must have been quiet."""
        self.page.close()
        assert self.said == [], self.said
        assert {url.partition("#")[0] for url in self.asked} == {self.file}, self.asked
