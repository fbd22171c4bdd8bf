"""Transparent surfaces: the nodes that draw those of the scene with blended materials, and what joins them."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.renderer.air import request_air
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.culling import FRUSTA, Frusta
from renderwright.engine.renderer.environment import request_environment
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.geometry import (
    DRAWS_OF,
    DrawSet,
    MeshPipelines,
    draw_scene,
    request_scene,
)
from renderwright.engine.renderer.glass import BEHIND_GLASS, glass_nodes
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.engine.renderer.masked import draws_of
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.renderer.sun_maps import request_sun_maps
from renderwright.engine.renderer.surface_requests import request_any_surfaces
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.views.view_set import EYE, VIEW
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer

SORTED = "sorted"
"""The name of a player's blended draws from back to front, for ``request_scene``."""

_SORTED_SET = "sorted_set"


class BlendSwitch:
    """Has a graph the nodes for blended surfaces while a scene has such. Call ``follow`` when its batches change.

    ``players`` are the dimensions over which the order repeats.
    """

    def __init__(self, graph: FrameGraph, frame: FrameInput, players: tuple[str, ...]) -> None:
        nodes: dict[str, Declare] = {
            DRAWS_OF["blend"]: draws_of("blend"),
            "sorted_draws": _sorted_draws(frame, players),
            "blended": draw_blended,
        }
        self._blended = NodeGroup(graph, nodes)
        self._glass = NodeGroup(graph, glass_nodes())

    def follow(self, batches: Sequence[DrawBatch]) -> None:
        """Add and remove nodes for these batches."""
        self._blended.switch(on=any(batch.material.drawn_as == "blend" for batch in batches))
        self._glass.switch(on=any(batch.material.transmission > 0.0 for batch in batches))


def draw_blended(reg: Registry) -> Execute:
    """Draw and light blended surfaces from back to front, over everything opaque."""
    reg.multiview(EYE)
    reg.modify("hdr").color()
    reg.read("depth").depth_read()
    reg.read("camera", CameraView)
    request_lights(reg)
    request_air(reg)
    reg.read(BEHIND_GLASS).sampled().optional(otherwise=0.0)
    request_environment(reg)
    request_sun_maps(reg, "fragment")
    scene = request_scene(reg, visible=SORTED, alpha="blend", draws=_SORTED_SET)
    request_any_surfaces(reg)
    # Another pipeline for two-sided materials would break the order.
    pipelines = MeshPipelines.declare(
        reg, "transparent.frag", scene=scene, culls=False, depth_test="greater_equal", blend="transparent"
    )
    reg.stable()

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines)

    return execute


def _sorted_draws(frame: FrameInput, players: tuple[str, ...]) -> Declare:
    """Declare function of a node for each player's sorted draws. The application provides the buffers."""

    def declare(reg: Registry) -> Execute:
        reg.multiplex(*players)
        reg.external(f"{SORTED}_draws", Buffer(0)).indirect()
        reg.external(f"{SORTED}_instances", Buffer(0)).storage_read(stage="vertex")
        every = reg.read(DRAWS_OF["blend"], DrawSet)
        frusta = reg.read(FRUSTA, Frusta).optional()  # of a scene that is culled
        draws = reg.create(_SORTED_SET, DrawSet)
        reg.priority(1)  # run early, so that it does not split render passes
        reg.stable(frame.revision)

        def execute(cmd: Commands) -> None:
            player = cmd.index.get(VIEW, 0)
            if player < len(frame.sorted):
                draws.value = frame.sorted[player].seen_of(player, frusta.value.shown if frusta.present else ())
            else:
                draws.value = every.value.without_draws()

        return execute

    return declare
