"""What cannot be attached to a render pass: last frame's copy, all instances at once, a second depth buffer."""

from __future__ import annotations

from declare_helpers import DEPTH, create, gather, graph, history, node, problem, read, removal

from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.types.usages import Usage


def drawn(name: str = "depth", **more):
    return node("draw", create(name, DEPTH, usage=Usage.DEPTH), **more)


def test_the_history_of_a_depth_buffer_cannot_be_tested_against() -> None:
    result = resolve(graph(drawn(), node("late", history("depth", usage=Usage.DEPTH_READ), sink=True)))
    assert "`late` wants the history of `depth` as depth_read, but" in removal(result, "late").message
    assert problem(result, "usage").hint == "read it as sampled, or copy it into a resource of this frame"


def test_all_instances_of_a_depth_buffer_cannot_be_tested_against() -> None:
    asker = node("all", gather("depth", usage=Usage.DEPTH_READ), sink=True)
    result = resolve(graph(drawn(mode="view"), asker, counts=(("view", 1),)))
    assert "`all` wants to gather `depth` as depth_read, but" in removal(result, "all").message
    assert problem(result, "usage").hint == "gather it as sampled"


def test_a_node_has_one_depth_buffer() -> None:
    two = node("two", create("other", DEPTH, usage=Usage.DEPTH), read("depth", usage=Usage.DEPTH_READ), sink=True)
    result = resolve(graph(drawn(), two))
    assert "`two` uses `depth` and `other` as depth buffers" in removal(result, "two").message
    one = node("one", read("depth", usage=Usage.DEPTH_READ), read("depth", usage=Usage.SAMPLED), sink=True)
    assert not resolve(graph(drawn(), one)).removed
