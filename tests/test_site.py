"""The documentation as a site: its pages, and the check of its links."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("site_pages")


def pages_of(nav: list[dict[str, Any]]) -> Iterator[str]:
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from pages_of(value)


def test_every_page_is_in_the_table_of_contents_once(site: ModuleType, tmp_path: Path) -> None:
    site.gather(tmp_path / "pages")
    nav = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    gathered = sorted(str(page.relative_to(tmp_path / "pages")) for page in (tmp_path / "pages").rglob("*.md"))
    assert sorted(pages_of(nav)) == gathered


def test_links_to_the_top_of_the_repository_lead_to_pages(site: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    site.gather(folder)
    for page in folder.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", target):
                assert (page.parent / target).exists(), f"{page.relative_to(folder)}: {target}"


def test_the_gallery_shows_every_picture_of_the_documentation() -> None:
    gallery = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = {ROOT / "docs" / target for target in re.findall(r"!\[[^]]+\]\(([^)]+)\)", gallery)}
    assert shown == set((ROOT / "docs" / "images").rglob("*.png"))


def test_links_that_lead_nowhere_are_told(site: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="folder/page.html#there">1</a><a href="folder/page.html#missing">2</a><a href="gone.html">3</a>'
        '<img src="picture.png"><a href="https://example.com/gone">4</a><a href="#here">5</a><p id="here"></p>'
    )
    (tmp_path / "folder" / "page.html").write_text('<h1 id="there"></h1><a href="../index.html#nowhere">1</a>')
    assert sorted(site.broken_links(tmp_path)) == [
        "folder/page.html: ../index.html#nowhere has no such anchor",
        "index.html: folder/page.html#missing has no such anchor",
        "index.html: gone.html leads nowhere",
        "index.html: picture.png leads nowhere",
    ]
