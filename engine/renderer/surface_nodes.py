"""Nodes for surfaces beyond metal and roughness, which are in the graph while a scene has such surfaces.

Vertex colours and second texture coordinates change what a G-buffer holds. Layers (unlit, specular, coat, sheen) do not
fit into one: their surfaces are in the G-buffer as if they had none, for effects that read it, and are drawn again with
forward lighting where their depth is that of the picture.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.renderer.nodes import EngineNodes
from renderwright.engine.renderer.surface_kinds import SurfaceKind, surface_kind
from renderwright.engine.renderer.surface_requests import declare_surface_buffers, declare_surface_rows
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.material import AlphaMode
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry


class _Draw(Protocol):
    def __call__(self, reg: Registry, alpha: AlphaMode, surfaces: Sequence[SurfaceKind]) -> Execute: ...


_MODES: tuple[AlphaMode, ...] = ("opaque", "mask")


class SurfaceSwitch:
    """Has a graph the nodes for the kinds of surfaces that a scene has. Call ``follow`` when its batches change."""

    def __init__(self, graph: FrameGraph) -> None:
        names = graph.node_names
        self._buffers = NodeGroup(graph, {"surface_buffers": declare_surface_buffers})
        self._rows = NodeGroup(graph, {"surface_rows": declare_surface_rows})
        self._attributes = {mode: NodeGroup(graph, attribute_nodes(names, mode)) for mode in _MODES}
        self._layers = {mode: NodeGroup(graph, layer_nodes(names, mode)) for mode in _MODES}

    def follow(self, batches: Sequence[DrawBatch]) -> None:
        """Add and remove nodes for these batches."""
        drawn = {(surface_kind(batch.mesh, batch.material), batch.material.drawn_as) for batch in batches}
        self._rows.switch(on=any(batch.material.surface is not None for batch in batches))
        self._buffers.switch(on=any(kind != "plain" for kind, _ in drawn))
        for mode in _MODES:
            kinds = {kind for kind, alpha in drawn if alpha == mode}
            self._attributes[mode].switch(on=bool(kinds - {"plain"}))
            self._layers[mode].switch(on="layers" in kinds)


def attribute_nodes(others: Collection[str], mode: AlphaMode) -> dict[str, Declare]:
    """The node for surfaces with vertex attributes, for a graph that has the ``others``."""
    name = f"attributes_{mode}"
    if "opaque" in others:
        return {name: _after("opaque", EngineNodes.opaque, mode, ("attributes", "layers"))}
    return {name: _after("forward_opaque", EngineNodes.forward_opaque, mode, ("attributes",))}


def layer_nodes(others: Collection[str], mode: AlphaMode) -> dict[str, Declare]:
    """The node for surfaces with layers, for a graph that has the ``others``."""
    lighting = "deferred_lighting" if "opaque" in others else "forward_opaque"
    return {f"layers_{mode}": _after(lighting, EngineNodes.forward_opaque, mode, ("layers",))}


def _after(node: str, draw: _Draw, mode: AlphaMode, kinds: tuple[SurfaceKind, ...]) -> Declare:
    def declare(reg: Registry) -> Execute:
        reg.after(node)
        return draw(reg, mode, kinds)

    return declare
