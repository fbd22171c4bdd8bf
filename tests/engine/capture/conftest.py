"""A browser, and the page of a small frame that was not played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from capture_frames import captured

from renderwright.engine.capture.files import write_page
from tests.browser import Page, opened_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with opened_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return captured(tmp_path_factory.mktemp("frame"))


@pytest.fixture
def page(browser: Any, document: dict[str, Any], tmp_path: Path) -> Iterator[Page]:
    file = tmp_path / "page.html"
    write_page(file, document)
    opened = Page(browser, file)
    yield opened
    opened.close()


@pytest.fixture
def changed(browser: Any, document: dict[str, Any], tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens the page of the document with other fields."""
    pages: list[Page] = []

    def opened(**fields: Any) -> Page:
        file = tmp_path / f"changed{len(pages)}.html"
        write_page(file, {**document, **fields})
        pages.append(Page(browser, file))
        return pages[-1]

    yield opened
    for page in pages:
        page.close()
