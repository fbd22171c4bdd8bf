"""Pipelines and nodes that test or write depth need a request for depth that allows it."""

from __future__ import annotations

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.source import caller_location

READS_DEPTH = 'add .depth() or .depth_read() to a request, such as reg.read("depth").depth_read()'
WRITES_DEPTH = 'add .depth() to a request, such as reg.modify("depth").depth()'


def build(reg: Registry) -> NodeDeclaration:
    return requested(reg).declaration(caller_location(), 0, True)


@pytest.mark.parametrize(
    ("state", "words", "hint"),
    [
        ({"depth_test": "greater"}, "depth_test='greater'", READS_DEPTH),
        ({"depth_test": "greater", "depth_write": False}, "depth_test='greater'", READS_DEPTH),
        ({"depth_test": "greater", "depth_write": True}, "depth_test='greater'", WRITES_DEPTH),
        ({"depth_write": True}, "depth_write=True", WRITES_DEPTH),
    ],
)
def test_a_pipeline_that_uses_depth_needs_a_request_for_depth(state: dict[str, object], words: str, hint: str) -> None:
    reg = Registry("fx/wall", "fx")
    reg.modify("hdr").color()
    reg.graphics("wall.frag", **state)
    here = caller_location()
    with pytest.raises(GraphError, match=f'"fx/wall" sets {words} for a pipeline, but requests no depth') as caught:
        build(reg)
    assert caught.value.where is not None
    assert caught.value.where.line == here.line - 1
    assert caught.value.hint == hint
    reg.modify("depth").depth().optional()
    assert build(reg).pipelines


@pytest.mark.parametrize(
    ("depth", "state", "words"),
    [
        (False, {"depth_test": "greater"}, "depth_test='greater' for its pipelines, but requests no depth"),
        (False, {"depth_write": True}, "depth_write=True for its pipelines, but requests no depth"),
        (True, {"depth_test": "greater", "depth_write": True}, 'requests "depth" for reading only'),
    ],
)
def test_the_state_of_a_node_needs_a_request_for_depth(depth: bool, state: dict[str, object], words: str) -> None:
    reg = Registry("fx/wall", "fx")
    reg.modify("hdr").color()
    if depth:
        reg.read("depth").depth_read()
    here = caller_location()
    reg.state(**state)
    reg.graphics("wall.frag")
    with pytest.raises(GraphError, match=words) as caught:
        build(reg)
    assert caught.value.where is not None
    assert caught.value.where.line == here.line + 1


def test_state_of_a_node_that_its_pipelines_precede_needs_no_depth() -> None:
    reg = Registry("fx/wall", "fx")
    reg.modify("hdr").color()
    reg.state(depth_test="greater", depth_write=True)
    reg.graphics("wall.frag", depth_test="none", depth_write=False)
    reg.fullscreen("sky.frag")
    assert build(reg).pipelines


def test_a_pipeline_that_writes_depth_needs_a_request_that_writes_it() -> None:
    reg = Registry("fx/wall", "fx")
    reg.modify("hdr").color()
    reg.read("depth").depth_read()
    reg.graphics("wall.frag", depth_test="greater", depth_write=True)
    here = caller_location()
    with pytest.raises(
        GraphError, match='"fx/wall" sets depth_write=True for a pipeline, but requests "depth" for'
    ) as caught:
        build(reg)
    assert caught.value.where is not None
    assert caught.value.where.line == here.line - 1
    assert 'reg.modify("depth").depth()' in caught.value.hint
    writes = Registry("fx/wall", "fx")
    writes.modify("depth").depth()
    writes.graphics("wall.frag", depth_test="greater", depth_write=True)
    assert build(writes).pipelines


def test_state_that_uses_no_depth_needs_no_request_for_depth() -> None:
    reg = Registry("fx/wall", "fx")
    reg.modify("hdr").color()
    reg.graphics("wall.frag", depth_test="none", depth_write=False)
    assert build(reg).pipelines
