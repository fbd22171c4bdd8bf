"""Adds the nodes that only some scenes need to the graph, and removes them."""

from __future__ import annotations

from renderwright.engine.renderer.blended import BlendSwitch
from renderwright.engine.renderer.culling_switch import CullingLimits, CullingSwitch
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.lights.clusters import LightSwitch
from renderwright.engine.renderer.lights.shadow_switch import ShadowSwitch
from renderwright.engine.renderer.masked import masked_nodes
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.renderer.placed import PlacedSwitch
from renderwright.engine.renderer.probes.nodes import ProbeSwitch
from renderwright.engine.renderer.skinning.nodes import skinning_nodes
from renderwright.engine.renderer.sprites import SpriteSwitch
from renderwright.engine.renderer.surface_nodes import SurfaceSwitch
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.draw_list import DrawBatch, DrawList
from renderwright.engine.skeleton import Skeleton
from renderwright.engine.sprites.drawn import DrawnSprites
from renderwright.engine.views.view_set import VIEW
from renderwright.render.graph.frame_graph import FrameGraph


class SceneSwitches:
    """Has a graph, which begins with a skeleton, the nodes that a scene needs. Call ``follow`` before each frame."""

    def __init__(self, graph: FrameGraph, frame: FrameInput, skeleton: Skeleton) -> None:
        players = tuple(dimension for dimension in skeleton.repeated if dimension == VIEW)
        self._frame = frame
        self._blended = BlendSwitch(graph, frame, players)
        self.draws_surfaces = not {"opaque", "forward_opaque"}.isdisjoint(graph.node_names)
        self._masked = NodeGroup(graph, masked_nodes(graph.node_names))
        self._surfaces = SurfaceSwitch(graph)
        self._skinning = NodeGroup(graph, skinning_nodes(frame, motion="object_motion" in graph.node_names))
        depth = skeleton.description("depth")
        self._culling = CullingSwitch(graph, skeleton.repeated, depth)
        self._lights = LightSwitch(graph, players)
        self._sprites = SpriteSwitch(graph, players, lambda: frame.draws.scene.sprites, depth=depth is not None)
        self._placed = PlacedSwitch(graph, frame)
        self._shadowed = ShadowSwitch(graph, frame)
        self._probes = ProbeSwitch(graph)
        self._batches: tuple[DrawBatch, ...] | None = None

    def follow(self, draws: DrawList, sprites: DrawnSprites, limits: CullingLimits, *, direct: bool) -> None:
        """Draw a scene with these draws and sprites; see ``CullingSwitch.follow``."""
        if self.draws_surfaces:
            self._follow_surfaces(draws, limits, direct=direct)
        self._sprites.follow(sprites)

    def _follow_surfaces(self, draws: DrawList, limits: CullingLimits, *, direct: bool) -> None:
        if draws.batches is not self._batches:
            self._batches = draws.batches
            modes = {batch.material.drawn_as for batch in draws.batches}
            self._masked.switch(on="mask" in modes)
            self._surfaces.follow(draws.batches)
            self._skinning.switch(on=any(isinstance(batch.mesh, DeformedMesh) for batch in draws.batches))
            self._blended.follow(draws.batches)
        self._culling.follow(draws, limits, direct=direct)
        self._frame.follow_casters(draws)
        self._lights.follow(self._frame.lights)
        self._shadowed.follow()
        self._placed.follow(self._frame.placed)
        self._probes.follow(self._frame.probes, masked=self._masked.on)
