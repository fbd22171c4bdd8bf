"""Facts that nodes of plugins state, for the declare functions of others."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_samples import host_of, nodes_plugin

from renderwright.render.graph.frame_graph import FrameGraph


@pytest.mark.parametrize("facts", [("tiles",), {3: 4}, {"": 4}])
def test_facts_without_names_are_refused(facts: Any) -> None:
    host = host_of({"bad": nodes_plugin(lambda graph: graph.add_node("state", lambda reg: None, facts=facts))})
    assert 'plugin "bad": node "state" cannot state the facts' in host.enable("bad").reason


def test_facts_of_a_plugin_are_stated_while_it_is_on() -> None:
    answers: list[object] = []
    graph = FrameGraph()
    graph.add_node("ask", lambda reg: answers.append(reg.fact("tiles")))
    lay = nodes_plugin(lambda nodes: nodes.add_node("lay", lambda reg: None, facts={"tiles": 9}))
    host = host_of({"mosaic": lay}, graph)  # type: ignore[arg-type]
    for switch in (host.enable, host.disable, host.enable):
        switch("mosaic")
        graph.declare()
    assert answers == [9, None, 9]
