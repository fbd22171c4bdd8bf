"""Captures by RenderDoc: through a table of functions like RenderDoc's, and without one."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine import renderdoc
from renderwright.engine.cli import main

PLAY = ["play", "marbles", "--headless", "--backend", "null", "--size", "48x32", "--no-preferences"]
FUNCTIONS = 32


class FakeTable:
    """A table with functions that note their calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        anything = (ctypes.c_void_p, ctypes.c_void_p)
        self._kept: list[Any] = [
            ctypes.CFUNCTYPE(ctypes.c_uint32)(lambda: len([call for call in self.calls if call == "end"])),
            ctypes.CFUNCTYPE(None, *anything)(lambda device, window: self.calls.append("start")),
            ctypes.CFUNCTYPE(ctypes.c_uint32, *anything)(lambda device, window: self._end()),
        ]
        self._table = (ctypes.c_void_p * FUNCTIONS)()
        for place, function in zip((13, 19, 21), self._kept, strict=True):
            self._table[place] = ctypes.cast(function, ctypes.c_void_p).value

    def _end(self) -> int:
        self.calls.append("end")
        return 1

    def api(self) -> renderdoc.RenderDoc:
        return renderdoc.RenderDoc(ctypes.addressof(self._table))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> FakeTable:
    made = FakeTable()
    monkeypatch.setattr(renderdoc, "loaded_renderdoc", made.api)
    return made


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., int]:
    return lambda *more: main([*PLAY, "--screenshot", str(tmp_path / "picture.png"), *more])


@pytest.mark.parametrize("frame", [0, 2])
def test_one_frame_is_captured(
    frame: int, table: FakeTable, play: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert play("--frames", "5", "--renderdoc", str(frame)) == 0
    assert table.calls == ["start", "end"]
    assert f"Frame {frame} is RenderDoc's capture 1." in capsys.readouterr().err


def test_a_game_that_ends_before_the_frame_is_told(
    table: FakeTable, play: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert play("--frames", "2", "--renderdoc", "9") == 2
    assert table.calls == []
    assert "frame 9 was not captured: the game ended after 2 frames" in capsys.readouterr().err


def test_without_renderdoc_the_way_to_it_is_told(play: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert renderdoc.loaded_renderdoc() is None
    assert play("--frames", "2", "--renderdoc", "1") == 2
    assert "launch the game from RenderDoc" in capsys.readouterr().err
