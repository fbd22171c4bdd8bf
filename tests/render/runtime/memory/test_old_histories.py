"""Histories of several frames ago: which copy is whose, when they are valid, and through changes of size and plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import CompileError, GraphError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Buffer, Extent, Texture

FULL: Extent = (64, 32)


class Echo:
    """Frames that make a texture and read that of ``ago`` frames before; ``seen`` are what was written and read, as
    (name of the copy, extent), and whether there was anything to read."""

    def __init__(self, ago: int, **history: str) -> None:
        self.ago = ago
        self.first = history.get("first", "clear")
        self.backend = NullBackend()
        self.graph = FrameGraph()
        self.graph.set_resolution("main", FULL)
        self.graph.add_sink("shown")
        self.graph.add_node("make", self.make)
        self.graph.add_node("show", self.show)
        self.runtime = Runtime(self.graph, self.backend, ShaderLibrary())
        self.made: list[tuple[str, Extent]] = []
        self.read: list[tuple[str, Extent]] = []
        self.valid: list[bool] = []

    def make(self, reg: Registry) -> Callable[[Any], None]:
        voice = reg.create("voice", Texture("rgba8_unorm", reg.resolution("main"))).color(clear=(0.0, 0.0, 0.0, 0.0))
        return lambda cmd: self.made.append((voice.texture.name, voice.extent))

    def show(self, reg: Registry) -> Callable[[Any], None]:
        echo = reg.history("voice", frames=self.ago).sampled().first(self.first)
        reg.create("shown", Texture("rgba8_unorm", FULL)).color(clear=(0.0, 0.0, 0.0, 0.0))

        def execute(cmd: Any) -> None:
            self.read.append((echo.texture.name, echo.extent))
            self.valid.append(echo.valid)

        return execute

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.runtime.render(None)

    def close(self) -> None:
        self.runtime.close()
        assert self.backend.alive == ()


@pytest.mark.parametrize("ago", [1, 2, 3])
def test_a_frame_reads_what_was_made_so_many_frames_ago(ago: int) -> None:
    echo = Echo(ago, first="invalid")
    echo.frames(9)
    assert echo.read[ago:] == echo.made[:-ago]
    assert len(set(echo.made)) == ago + 1
    assert echo.valid == [False] * ago + [True] * (9 - ago)
    echo.close()


@pytest.mark.parametrize("ago", [1, 2, 3])
def test_a_texture_is_read_in_the_size_in_which_it_was_made(ago: int) -> None:
    echo = Echo(ago)
    for size in (FULL, (32, 16), (32, 16), (16, 8), FULL, (16, 8), (32, 16), FULL, FULL, FULL):
        echo.graph.set_dynamic_resolution("main", size)
        echo.frames(1)
        assert echo.made[-1][1] == size
    assert [extent for _, extent in echo.read[ago:]] == [extent for _, extent in echo.made[:-ago]]
    echo.close()


@pytest.mark.parametrize("ago", [1, 2, 3])
def test_they_survive_another_plan(ago: int) -> None:
    echo = Echo(ago, first="invalid")
    echo.frames(4)
    echo.graph.add_sink("voice")
    echo.graph.add_node("more", lambda reg: reg.create("more", Buffer(64)).storage_write("compute") and None)
    echo.graph.add_sink("more")
    echo.frames(4)
    assert echo.valid[ago:] == [True] * (8 - ago)
    echo.close()


def test_they_begin_anew_when_they_are_wanted_from_another_frame() -> None:
    echo = Echo(2, first="invalid")
    echo.frames(4)
    echo.ago = 3
    echo.graph.add_node("show", echo.show)
    echo.frames(4)
    assert echo.valid == [False, False, True, True, False, False, False, True]
    echo.close()


def test_readers_agree_on_the_frame() -> None:
    echo = Echo(2)

    def other(reg: Registry) -> None:
        reg.history("voice").sampled()
        reg.create("other", Texture("rgba8_unorm", FULL)).color()

    echo.graph.add_node("other", other)
    echo.graph.add_sink("other")
    echo.graph.declare()
    failures = []
    echo.runtime._current._failing._on_failure = failures.append
    echo.frames(1)
    assert ['reads the history of "voice"' in str(failure) for failure in failures] == [True]
    assert isinstance(failures[0].error, CompileError)
    echo.close()


@pytest.mark.parametrize("ago", [0, 4])
def test_how_old_a_history_can_be(ago: int) -> None:
    with pytest.raises(GraphError, match=f"cannot be from {ago} frames ago"):
        Registry("node", "").history("voice", frames=ago)
    with pytest.raises(GraphError, match="blobs keep 1"):
        Registry("node", "").history("number", int, frames=2)
