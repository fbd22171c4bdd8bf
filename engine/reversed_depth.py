"""Finds depth tests that count depth from the wrong end: it is reversed, 1 is near and 0 infinitely far.

Tests for what lies behind something are right in nodes that only read depth, such as silhouettes behind walls. These
are not: a test that no fragment can pass against the value to which the node clears, and one that replaces the depth
of other nodes by what lies behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration, PipelineRequest, Request, Verb
from renderwright.render.types.usages import Usage

_FAR, _NEAR = 0.0, 1.0
_FAILS: Mapping[str, float] = {"less": _FAR, "greater": _NEAR}
"""The tests that no depth passes against a value: depths lie between 0 and 1."""


@dataclass(frozen=True)
class ReversedDepth:
    """A node of a plugin whose depth test is the wrong way around; ``where`` is the line of its pipeline."""

    plugin: str
    message: str
    hint: str
    where: SourceLocation


def reversed_depths(plan: Plan) -> Iterator[ReversedDepth]:
    """The depth tests of plugins' nodes that are the wrong way around, those of a node once."""
    nodes = {node.declaration.name: node.declaration for node in plan.graph.nodes}
    far = {
        request.name: node.plugin
        for node in nodes.values()
        for request in node.requests
        if request.verb is Verb.CREATE and _cleared_to(request) == _FAR
    }
    for node in nodes.values():
        depth = next((request for request in node.requests if request.usage is Usage.DEPTH), None)
        if depth is None or not node.plugin:
            continue
        if depth.verb is Verb.CREATE:
            found = _never_passed(node, depth)
        else:
            found = _replacing(node, depth) if far.get(depth.name, node.plugin) != node.plugin else None
        if found is not None:
            yield found


def _never_passed(node: NodeDeclaration, depth: Request) -> ReversedDepth | None:
    """The finding on a node all of whose pipelines fail against the depth to which it clears; None if one may pass."""
    drawing, cleared = _drawing(node), _cleared_to(depth)
    if (
        cleared is None
        or not drawing
        or not all(_FAILS.get(_state(node, each)["depth_test"]) == cleared for each in drawing)
    ):
        return None
    test = _state(node, drawing[0])["depth_test"]
    return ReversedDepth(
        node.plugin,
        f'`{node.name}` clears {depth.words} to {cleared:g} and draws with depth_test="{test}": nothing passes',
        "depth is reversed, 1 is near and 0 infinitely far: clear to 0, and test greater",
        drawing[0].source,
    )


def _replacing(node: NodeDeclaration, depth: Request) -> ReversedDepth | None:
    """The finding on a node that writes what lies behind the depth of other nodes; None if it does not."""
    for pipeline in _drawing(node):
        state = _state(node, pipeline)
        if state["depth_test"] == "less" and state["depth_write"]:
            return ReversedDepth(
                node.plugin,
                f'`{node.name}` writes to {depth.words} with depth_test="less": it draws only what lies behind what is '
                "there",
                'depth is reversed, 1 is near and 0 infinitely far: test "greater"; a node that shows what is behind '
                f'others only reads depth, reg.read("{depth.name}").depth_read()',
                pipeline.source,
            )
    return None


def _drawing(node: NodeDeclaration) -> Sequence[PipelineRequest]:
    return [pipeline for pipeline in node.pipelines if pipeline.kind == "graphics" and not pipeline.fullscreen]


def _state(node: NodeDeclaration, pipeline: PipelineRequest) -> Mapping[str, Any]:
    """The state of a pipeline as far as it is about depth."""
    return {"depth_test": "none", "depth_write": False, **dict(node.state), **dict(pipeline.state)}


def _cleared_to(depth: Request) -> float | None:
    """The depth to which a creator clears, None if it does not."""
    return depth.clear[0] if depth.clear is not None and depth.usage is Usage.DEPTH else None
