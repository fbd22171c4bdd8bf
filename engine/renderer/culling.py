"""Culling and levels of detail on the GPU: nodes that list the instances which a pass may see, by level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.draw_commands import MOST_INSTANCES, span
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.scene.draw_list import DrawList
from renderwright.engine.scene.layers import ALL_LAYERS
from renderwright.engine.views.view_set import VIEW
from renderwright.render.backend.protocol import INDIRECT_BYTES
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer

MOST_VIEWS = 16
"""The most matrices of ``Frusta``, as in ``cull.comp``."""

VISIBLE = "view"
"""The name of what a player's views may see, for ``request_scene``."""

VISIBLE_MOVED = "view_moved"
"""The same of meshes with an instance that has moved since the previous frame."""

_BOUNDS = "scene_bounds"
_FRUSTA = "view_frusta"
_INSTANCES, _DRAWS, _MOVED_DRAWS = "scene_instances", "scene_draws", "scene_moved_draws"


@dataclass(frozen=True)
class Frusta:
    """A blob for ``cull_scene``: world-to-clip matrices. An instance is drawn if one of them may see it.

    Without matrices everything is drawn. If ``near`` is 0, so is what lies in front of the near plane. Instances in
    none of ``layers`` are left out. Sizes on the screen are those seen from ``eye`` with ``slope``, the tangent of
    half the vertical field of view. With 0 everything is large: the finest levels are drawn.
    """

    matrices: tuple[glm.mat4, ...]
    count: int
    near: int = 1
    layers: int = ALL_LAYERS
    eye: glm.vec3 = field(default_factory=glm.vec3)
    slope: float = 0.0

    @classmethod
    def of(
        cls,
        matrices: Sequence[glm.mat4],
        *,
        near: bool = True,
        layers: int = ALL_LAYERS,
        camera: CameraView | None = None,
    ) -> Frusta:
        """The frusta of these matrices; of none if they are more than ``MOST_VIEWS``.

        ``camera`` chooses the levels of detail. Passes whose depths are compared, such as those of the eyes of a player
        and of their shadow maps, give the same one.
        """
        few = tuple(matrices) if len(matrices) <= MOST_VIEWS else ()
        frusta = cls(few or (glm.mat4(1.0),), len(few), int(near), layers)
        return frusta if camera is None else replace(frusta, eye=camera.position, slope=math.tan(camera.fov_y / 2))


def cull_scene(
    reg: Registry, frusta: str, visible: str, *, shadow_casters_only: bool = False, moved_only: bool = False
) -> Execute:
    """Declare a node that lists what the ``Frusta`` of a blob may see, for ``request_scene(visible=...)``.

    Each instance is listed for one level of its mesh. ``moved_only`` leaves out meshes none of which has moved since
    the previous frame. The node is left out of the frame where the scene has too few instances for it. The order of
    drawing stays the same, and so do pictures of meshes without levels.
    """
    reg.queue("graphics", "compute")
    reg.cost(0.1)
    reg.read(_INSTANCES).storage_read("compute")
    reg.read(_MOVED_DRAWS if moved_only else _DRAWS).storage_read("compute").bind(_DRAWS)
    reg.read(_BOUNDS).storage_read("compute")
    reg.read(frusta, Frusta).bind("frusta")
    draws = reg.read("draws", DrawSet)
    instances = Buffer(4, reg.resolution(_INSTANCES))
    reg.create(f"{visible}_instances", instances).storage_write("compute").bind("culled_instances")
    commands = Buffer(INDIRECT_BYTES, reg.resolution(_DRAWS))
    reg.create(f"{visible}_draws", commands).storage_write("compute").bind("culled_draws")
    pipeline = reg.compute("cull.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
        shown: DrawSet = draws.value
        first, count = span(shown.ranges, casters_only=shadow_casters_only)
        cmd.dispatch(pipeline, (max(1, count), 1), first=first, count=count)

    return execute


class CullingSwitch:
    """Has a graph cull scenes of many instances. Call ``follow`` before each frame.

    ``dimensions`` are the multiplexing dimensions of the skeleton's resources.
    """

    def __init__(self, graph: FrameGraph, dimensions: Sequence[str]) -> None:
        self._graph = graph
        players = tuple(dimension for dimension in dimensions if dimension == VIEW)
        self._nodes: dict[str, Declare] = {
            _BOUNDS: _provide_bounds,
            _FRUSTA: _view_frusta(players),
            "cull_views": lambda reg: cull_scene(reg, _FRUSTA, VISIBLE),
        }
        if "object_motion" in graph.node_names:
            self._nodes["cull_moved"] = lambda reg: cull_scene(reg, _FRUSTA, VISIBLE_MOVED, moved_only=True)
        self._on = False
        self._followed: tuple[object, int | None] | None = None

    def follow(self, draws: DrawList, least: int | None) -> None:
        """Cull scenes of ``least`` instances or more (None: none), with room for these draws.

        It goes on until there are only half as many.
        """
        if self._followed is not None and self._followed[0] is draws.batches and self._followed[1] == least:
            return
        self._followed = draws.batches, least
        instances = len(draws.models)
        on = least is not None and instances >= (least // 2 if self._on else least)
        if on:
            self._graph.set_resolution(_INSTANCES, (_room(most_listed(draws)), 1))
            self._graph.set_resolution(_DRAWS, (_room(most_commands(draws)), 1))
        for name, declare in self._nodes.items():
            if on and not self._on:
                self._graph.add_node(name, declare)
            elif self._on and not on:
                self._graph.remove_node(name)
        self._on = on


def _provide_bounds(reg: Registry) -> None:
    """Declare the bounding spheres of the draws as an external resource. The application provides them."""
    reg.external(_BOUNDS, Buffer(0)).storage_read("compute")


def _view_frusta(players: tuple[str, ...]) -> Declare:
    """Declare function of a node that creates the frusta of all eyes, samples and tiles of a player."""

    def declare(reg: Registry) -> Execute:
        reg.multiplex(*players)
        cameras = reg.gather("camera", CameraView)
        whole = reg.read("view_camera", CameraView)
        frusta = reg.create(_FRUSTA, Frusta)
        reg.stable()

        def execute(cmd: Commands) -> None:
            matrices = [camera.view_projection for camera in cameras.values]
            frusta.value = Frusta.of(matrices, layers=whole.value.layers, camera=whole.value)

        return execute

    return declare


def _room(count: int) -> int:
    return max(256, 1 << (count - 1).bit_length())


def most_listed(draws: DrawList) -> int:
    """A bound of the instances that are listed, with those of coarser levels of all draws and of shadow casters."""
    return len(draws.models) + 2 * sum(batch.count * len(batch.mesh.levels) for batch in draws.batches)


def most_commands(draws: DrawList) -> int:
    """A bound of the commands of a draw table: those of all draws and those of shadow casters, with a command in front
    of each range and room to grow."""
    batches = len(draws.batches)
    coarser = sum(len(batch.mesh.levels) * (1 + batch.count // MOST_INSTANCES) for batch in draws.batches)
    return 2 * (2 * (batches + len(draws.models) // MOST_INSTANCES + coarser) + batches)
