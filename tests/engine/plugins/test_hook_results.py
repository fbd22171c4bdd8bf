"""Hooks of which nothing is wanted, and that return something."""

from __future__ import annotations

import logging
import reprlib
from collections.abc import Callable
from typing import Any

import pytest
from plugin_samples import RecordingGraph, host_of

from renderwright.engine.plugins import PluginGraph, PluginState, hookimpl
from renderwright.engine.scene import Scene
from renderwright.render.errors import PluginError


def make(reg: Any) -> None:
    """A declare function."""


class ReturnsNodes:
    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> Any:
        return [make]


class ReturnsBesides:
    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> Any:
        graph.add_node("make", make)
        return "make"


class ReturnsTime:
    @hookimpl
    def renderwright_begin_frame(self, time: float) -> Any:
        return time


class ReturnsRendered:
    @hookimpl
    def renderwright_end_frame(self, rendered: bool) -> Any:
        return rendered


class ReturnsGone:
    @hookimpl
    def renderwright_disabled(self) -> Any:
        return "gone"


def line(function: Callable[..., Any]) -> str:
    return f"{__file__}:{function.__code__.co_firstlineno}"


def test_nodes_that_are_returned_are_a_mistake() -> None:
    graph = RecordingGraph()
    status = host_of({"bad": ReturnsNodes()}, graph).enable("bad")
    assert status.state is PluginState.QUARANTINED
    shown = reprlib.repr([make])
    assert status.reason == (
        f"{line(ReturnsNodes.renderwright_nodes)}: renderwright_nodes returns {shown}, which is not used\n"
        '  return nothing; graph.add_node("name", declare) adds a node'
    )
    assert graph.nodes == {}
    with pytest.raises(PluginError, match=r"because of --strict: .*renderwright_nodes returns"):
        host_of({"bad": ReturnsNodes()}, strict=True).enable("bad")


def test_a_hook_that_adds_nodes_and_returns_something_adds_none() -> None:
    graph = RecordingGraph()
    assert "renderwright_nodes returns 'make'" in host_of({"bad": ReturnsBesides()}, graph).enable("bad").reason
    assert graph.nodes == {}


@pytest.mark.parametrize(
    ("plugin", "function", "result"),
    [
        (ReturnsTime(), ReturnsTime.renderwright_begin_frame, "0.5"),
        (ReturnsRendered(), ReturnsRendered.renderwright_end_frame, "True"),
    ],
)
def test_hooks_of_a_frame_return_nothing(plugin: object, function: Callable[..., Any], result: str) -> None:
    host = host_of({"bad": plugin})
    host.enable("bad")
    host.frame_hooks.begin_frame(0.5, Scene())
    host.end_frame(rendered=True)
    status = host.status("bad")
    assert status.state is PluginState.QUARANTINED
    assert status.reason == (
        f"{line(function)}: {function.__name__} returns {result}, which is not used\n  return nothing"
    )


def test_a_hook_that_tells_of_the_end_returns_nothing(caplog: pytest.LogCaptureFixture) -> None:
    host = host_of({"bad": ReturnsGone()})
    host.enable("bad")
    with caplog.at_level(logging.WARNING, "renderwright.plugins"):
        host.disable("bad")
    assert "renderwright_disabled returns 'gone', which is not used" in caplog.text
