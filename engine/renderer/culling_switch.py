"""Adds the nodes that cull to the graph of a scene that is large enough for them, and removes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from renderwright.engine.renderer.culling import (
    BOUNDS,
    DRAWS,
    FRUSTA,
    INSTANCES,
    cull_moved,
    cull_views,
    provide_bounds,
    view_frusta,
)
from renderwright.engine.renderer.draw_commands import MOST_INSTANCES
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.renderer.occlusion import can_occlude, occlusion_nodes
from renderwright.engine.renderer.room import Room
from renderwright.engine.scene.draw_list import DrawList
from renderwright.engine.views.view_set import VIEW
from renderwright.render.graph.declare import Declare
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.types.resources import ResourceDesc


class CullingLimits(Protocol):
    """The instances from which on a scene is culled: by frusta, and by what hides them. None: never."""

    @property
    def culling(self) -> int | None:
        """For frusta and levels of detail."""

    @property
    def occlusion(self) -> int | None:
        """For occlusion. Scenes that are not culled by frusta are not culled by occlusion either."""


class CullingSwitch:
    """Has a graph cull scenes of many instances. Call ``follow`` before each frame.

    ``dimensions`` are the multiplexing dimensions of the skeleton's resources, ``depth`` describes the texture of that
    name in the skeleton.
    """

    def __init__(self, graph: FrameGraph, dimensions: Sequence[str], depth: ResourceDesc | None) -> None:
        self._graph = graph
        players = tuple(dimension for dimension in dimensions if dimension == VIEW)
        nodes: dict[str, Declare] = {BOUNDS: provide_bounds, FRUSTA: view_frusta(players), "cull_views": cull_views}
        if "object_motion" in graph.node_names:
            nodes["cull_moved"] = cull_moved
        self._frusta = NodeGroup(graph, nodes)
        self._occlusion = NodeGroup(graph, occlusion_nodes(players) if can_occlude(depth) else {})
        self._rooms = {INSTANCES: Room(), DRAWS: Room()}
        self._followed: tuple[object, int | None, int | None] | None = None

    def follow(self, draws: DrawList, limits: CullingLimits, *, direct: bool) -> None:
        """Cull a scene with these draws, and have room for them. Devices with ``direct`` draws cannot cull.

        A kind of culling begins at its limit of instances, and goes on until there are only half as many.
        """
        culling, occlusion = (None, None) if direct else (limits.culling, limits.occlusion)
        following = draws.batches, culling, occlusion
        if self._followed is not None and self._followed[0] is following[0] and self._followed[1:] == following[1:]:
            return
        self._followed = following
        instances = len(draws.models)
        culls = _follow(self._frusta, instances, culling)
        _follow(self._occlusion, instances, occlusion if culls else None)
        if culls:
            self._have_room(INSTANCES, most_listed(draws))
            self._have_room(DRAWS, most_commands(draws))

    def _have_room(self, resolution: str, count: int) -> None:
        room = self._rooms[resolution]
        may_wait = room.fit(count)
        self._graph.define_resolution(ResolutionRule(resolution, size=(room.size, 1), may_wait=may_wait))


def _follow(nodes: NodeGroup, instances: int, least: int | None) -> bool:
    """Add or remove the nodes for a number of instances; returns whether they are in the graph."""
    nodes.switch(on=least is not None and instances >= (least // 2 if nodes.on else least))
    return nodes.on


def most_listed(draws: DrawList) -> int:
    """A bound of the instances that are listed, with those of coarser levels of all draws and of shadow casters."""
    return len(draws.models) + 2 * sum(batch.count * len(batch.mesh.levels) for batch in draws.batches)


def most_commands(draws: DrawList) -> int:
    """A bound of the commands of a draw table: those of all draws and those of shadow casters, with a command in front
    of each range and room to grow."""
    batches = len(draws.batches)
    coarser = sum(len(batch.mesh.levels) * (1 + batch.count // MOST_INSTANCES) for batch in draws.batches)
    return 2 * (2 * (batches + len(draws.models) // MOST_INSTANCES + coarser) + batches)
