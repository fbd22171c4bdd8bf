"""The base of a game's frame graph: what the skeleton declares, the engine's nodes, and what the scene and the views
change about them."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.graph_shape import GraphShape
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.nodes import add_engine_nodes
from renderwright.engine.renderer.scene_switches import SceneSwitches
from renderwright.engine.skeleton import VIEWPORT, Skeleton
from renderwright.render.graph.frame_graph import FrameGraph, GraphBase
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class _Replaced:
    skeleton: Skeleton
    shape: GraphShape
    switches: SceneSwitches
    base: GraphBase


class FrameBase:
    """The base of a graph that ``begin_graph`` has begun. ``shape`` follows the views, ``switches`` the scene."""

    def __init__(self, graph: FrameGraph, skeleton: Skeleton, frame: FrameInput) -> None:
        self._graph = graph
        self._frame = frame
        self._replaced: _Replaced | None = None
        self._use(skeleton)

    def _use(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.shape = GraphShape(self._graph, skeleton)
        self.switches = SceneSwitches(self._graph, self._frame, skeleton)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions that the skeleton repeats over."""
        return self.skeleton.repeated

    def replace(self, skeleton: Skeleton) -> None:
        """Begin the graph with another skeleton. The plugins' nodes stay."""
        self._replaced = _Replaced(self.skeleton, self.shape, self.switches, self._graph.base)
        output = self._graph.resolution("output")
        self._graph.replace_base(GraphBase())
        begin_graph(self._graph, skeleton, output, self._frame)
        self._use(skeleton)

    def take_back(self) -> None:
        """Undo the last ``replace``, with the present size of the output."""
        assert self._replaced is not None
        before, self._replaced = self._replaced, None
        output = self._graph.resolution("output")
        self._graph.replace_base(before.base)
        self._graph.set_resolution("output", output)
        self.skeleton, self.shape, self.switches = before.skeleton, before.shape, before.switches


def begin_graph(graph: FrameGraph, skeleton: Skeleton, output: Extent, frame: FrameInput) -> None:
    """Add a skeleton and the engine's nodes to a graph, for an output of this size."""
    add_skeleton(graph, skeleton)
    graph.set_resolution("output", output)
    created = [request.creates for node in skeleton.nodes for request in node.requests]
    add_engine_nodes(graph, frame, created, skeleton.repeated)


def add_skeleton(graph: FrameGraph, skeleton: Skeleton) -> None:
    """Add everything that a skeleton declares to a graph."""
    graph.set_dimensions(skeleton.dimensions)
    graph.define_resolution(VIEWPORT)
    graph.define_resolution(skeleton.picture)
    for rule in skeleton.resolutions:
        graph.define_resolution(rule)
    for slot, resource in skeleton.slots:
        graph.set_slot(slot, resource)
    for chain in skeleton.chains:
        graph.add_chain(chain)
    for sink in skeleton.sinks:
        graph.add_sink(sink)
    for node in skeleton.nodes:
        graph.add_declaration(node)
