"""The real watcher, and that it is told how to install what it needs."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import pytest
from patience import PATIENCE

from renderwright.engine.reload import FileWatcher
from renderwright.render.errors import UsageError


def seen_with(watcher: FileWatcher, file: Path) -> frozenset[Path]:
    """All changes up to those of the file."""
    seen: frozenset[Path] = frozenset()
    while file not in seen:
        assert watcher.changed.wait(PATIENCE), "the change is not seen"
        seen |= watcher.take()
    return seen


def test_changes_are_seen(tmp_path: Path) -> None:
    shaders, other = tmp_path / "glsl", tmp_path / "other"
    shaders.mkdir()
    other.mkdir()
    file = shaders / "fog.frag"
    with closing(FileWatcher()) as watcher:
        watcher.watch([shaders, tmp_path / "missing"])
        wait_until_watching(watcher, shaders)
        file.write_text("one", encoding="utf-8")
        seen_with(watcher, file)
        # Editors write beside the name, then rename.
        beside = shaders / "fog.frag.new"
        beside.write_text("two", encoding="utf-8")
        beside.replace(file)
        seen_with(watcher, file)
        watcher.watch([other])
        wait_until_watching(watcher, other)
        file.write_text("three", encoding="utf-8")
        (other / "snow.frag").write_text("four", encoding="utf-8")
        assert file not in seen_with(watcher, other / "snow.frag")


def wait_until_watching(watcher: FileWatcher, folder: Path) -> None:
    """Return when a change in the folder has been seen: the thread takes a moment to begin."""
    for number in range(int(PATIENCE * 10)):
        (folder / f"begin{number}").write_text("", encoding="utf-8")
        if watcher.changed.wait(0.1):
            watcher.take()
            return
    pytest.fail("nothing is seen")


def test_without_watchfiles_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(UsageError, match="watchfiles") as caught:
        FileWatcher()
    assert "renderwright[reload]" in caught.value.hint
