"""``Recording.VERIFIED`` says which stable nodes it has compared with what they keep, and why others never were."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.recording import Recording
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary


def give(reg: Any) -> Callable[[Any], None]:
    clock = reg.create("clock", int)

    def execute(cmd: Any) -> None:
        clock.value = cmd.frame

    return execute


def reads_nothing(reg: Any) -> Callable[[Any], None]:
    reg.side_effects()
    reg.stable()
    return lambda cmd: None


def reads_the_clock(reg: Any) -> Callable[[Any], None]:
    clock = reg.read("clock", int)
    reg.side_effects()
    reg.stable()

    def execute(cmd: Any) -> None:
        assert clock.value == cmd.frame

    return execute


def played(frames: int, mode: Recording = Recording.VERIFIED) -> Runtime:
    graph = FrameGraph()
    graph.add_node("give", give)
    graph.add_node("rests", reads_nothing)
    graph.add_node("follows", reads_the_clock)
    with closing(Runtime(graph, NullBackend(), ShaderLibrary([]), recording=mode)) as runtime:
        for _ in range(frames):
            assert runtime.render(None) is not None
    return runtime


@pytest.mark.parametrize(
    ("frames", "number", "lacking"),
    [
        (1, 0, {"it recorded its commands only once in each slot": ["follows", "rests"]}),
        (7, 1, {'"clock" had another value in each frame': ["follows"]}),
    ],
)
def test_nodes_that_are_never_compared_are_named(frames: int, number: int, lacking: dict[str, list[str]]) -> None:
    comparisons = played(frames).recordings.comparisons
    assert comparisons is not None
    assert (comparisons.number, comparisons.lacking) == (number, lacking)


@pytest.mark.parametrize("mode", [Recording.KEPT, Recording.ALWAYS])
def test_other_recordings_compare_nothing(mode: Recording) -> None:
    assert played(2, mode).recordings.comparisons is None
