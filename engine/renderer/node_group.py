"""Nodes that join and leave a graph together."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.graph.declare import Declare
from renderwright.render.graph.frame_graph import FrameGraph


class NodeGroup:
    """Nodes by name that are in a graph while something needs them."""

    def __init__(self, graph: FrameGraph, nodes: Mapping[str, Declare]) -> None:
        self._graph = graph
        self._nodes = nodes
        self.on = False

    def switch(self, *, on: bool) -> None:
        """Add the nodes to the graph, or remove them."""
        if on is self.on:
            return
        for name, declare in self._nodes.items():
            if on:
                self._graph.add_node(name, declare)
            else:
                self._graph.remove_node(name)
        self.on = on
