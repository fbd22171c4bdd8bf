"""Which pipelines the state of a node reaches."""

from __future__ import annotations

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.source import caller_location


def test_state_of_a_node_reaches_no_full_screen_pipeline() -> None:
    reg = Registry("fx/blur", "fx")
    reg.fullscreen("blur.frag")
    reg.state(blend="add")
    line = caller_location().line - 1
    told = r'"fx/blur" sets blend of a full-screen pipeline(.|\n)*reg.graphics'
    with pytest.raises(GraphError, match=told) as caught:
        requested(reg).declaration(caller_location(), 0, True)
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == (__file__, line)


def test_state_of_a_node_with_another_pipeline_is_for_that_one() -> None:
    reg = Registry("fx/blur", "fx")
    reg.state(blend="add")
    reg.fullscreen("blur.frag")
    reg.graphics("glow.frag")
    assert requested(reg).declaration(caller_location(), 0, True).state == (("blend", "add"),)
