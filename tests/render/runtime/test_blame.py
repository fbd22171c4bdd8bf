"""Who leaves when a graph has no plan, or no memory for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.protocol import Heap
from renderwright.render.errors import CompileError, OutOfMemoryError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.node_requests import requested
from renderwright.render.runtime.failures import FailurePhase, NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Buffer

ROOM = 1 << 20


class Small(NullBackend):
    """A device whose heaps have a megabyte at most."""

    def create_heap(self, memory_class: str, size: int, name: str) -> Heap:
        if size > ROOM:
            raise OutOfMemoryError(f"{size} bytes are too many")
        return super().create_heap(memory_class, size, name)


def creating(size: int, name: str = "thing") -> Callable[[Any], Callable[[Any], None]]:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create(name, Buffer(size)).storage()
        reg.side_effects()
        return lambda cmd: None

    return declare


class Running:
    def __init__(self) -> None:
        self.backend, self.graph = Small(), FrameGraph()
        self.failures: list[NodeFailure] = []
        self.runtime = Runtime(self.graph, self.backend, ShaderLibrary(), on_failure=self.failures.append)

    def frame(self) -> list[str]:
        """The nodes of a frame."""
        assert self.runtime.render(None) is not None
        return sorted(node.id for node in self.runtime.plan.graph.nodes)


@pytest.fixture
def running() -> Running:
    return Running()


def test_the_plugin_with_the_largest_resource_leaves_a_first_plan_without_room(running: Running) -> None:
    running.graph.add_node("own", creating(4096, "own"))
    running.graph.add_node("p/small", creating(ROOM // 2, "small"), plugin="p")
    running.graph.add_node("q/large", creating(2 * ROOM, "large"), plugin="q")
    assert running.frame() == ["own", "p/small"]
    (failure,) = running.failures
    assert (failure.node, failure.plugin, failure.phase) == ("q/large", "q", FailurePhase.COMPILE)
    assert f'`large` of node "q/large" takes {2 * ROOM} bytes' in str(failure.error)
    assert "bytes are too many" in str(failure.error)


def test_the_skeleton_s_own_needs_are_nobody_else_s_fault(running: Running) -> None:
    running.graph.add_node("own", creating(2 * ROOM, "own"))
    running.graph.add_node("p/small", creating(4096, "small"), plugin="p")
    with pytest.raises(OutOfMemoryError):
        running.frame()
    assert not running.failures


def test_a_running_plan_waits_for_memory_rather_than_blame(running: Running) -> None:
    running.graph.add_node("own", creating(4096, "own"))
    assert running.frame() == ["own"]
    running.graph.add_node("q/large", creating(2 * ROOM, "large"), plugin="q")
    assert running.frame() == ["own"]
    assert not running.failures


def test_only_nodes_of_plugins_are_reported_for_mistakes(running: Running) -> None:
    running.graph.add_node("a", creating(4096, "x"))
    running.graph.add_node("b", creating(4096, "x"))
    running.graph.add_node("p/c", creating(4096, "x"), plugin="p")
    assert running.frame() == ["a"]
    (failure,) = running.failures
    assert failure.node == "p/c"
    assert isinstance(failure.error, CompileError)
    assert failure.error.where is not None
    assert failure.error.where.file == __file__


def costing(cost: object) -> Callable[[Any], Callable[[Any], None]]:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.side_effects()
        requested(reg).cost = cost  # its verb would refuse a text
        return lambda cmd: None

    return declare


def test_the_plugin_that_no_rule_foresees_leaves_and_the_others_stay(running: Running) -> None:
    running.graph.add_node("own", costing(1.0))
    for number, cost in enumerate([1.0, 1.0, "high", 1.0, "low"]):
        running.graph.add_node(f"p{number}/node", costing(cost), plugin=f"p{number}")
    assert running.frame() == ["own", "p0/node", "p1/node", "p3/node"]
    assert [(failure.node, failure.phase) for failure in running.failures] == [
        ("p2/node", FailurePhase.COMPILE),
        ("p4/node", FailurePhase.COMPILE),
    ]
    assert "fails with TypeError because of node" in str(running.failures[0].error)
    assert __file__ in str(running.failures[0].error)


def test_what_the_engine_does_wrong_is_no_plugins_fault(running: Running) -> None:
    running.graph.add_node("own", costing("high"))
    running.graph.add_node("p/node", costing("high"), plugin="p")
    with pytest.raises(TypeError):
        running.frame()
    assert running.failures == []
