"""Frustum culling on the GPU: nodes that list the instances which a pass may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.draw_commands import MOST_INSTANCES, span
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.scene.draw_list import DrawList
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

_BOUNDS = "scene_bounds"
_FRUSTA = "view_frusta"
_INSTANCES, _DRAWS = "scene_instances", "scene_draws"


@dataclass(frozen=True)
class Frusta:
    """A blob for ``cull_scene``: world-to-clip matrices. An instance is drawn if one of them may see it.

    Without matrices everything is drawn. If ``near`` is 0, so is what lies in front of the near plane.
    """

    matrices: tuple[glm.mat4, ...]
    count: int
    near: int = 1

    @classmethod
    def of(cls, matrices: Sequence[glm.mat4], *, near: bool = True) -> Frusta:
        """The frusta of these matrices; of none if they are more than ``MOST_VIEWS``."""
        few = tuple(matrices) if len(matrices) <= MOST_VIEWS else ()
        return cls(few or (glm.mat4(1.0),), len(few), int(near))


def cull_scene(reg: Registry, frusta: str, visible: str, *, shadow_casters_only: bool = False) -> Execute:
    """Declare a node that lists what the ``Frusta`` of a blob may see, for ``request_scene(visible=...)``.

    It is left out of the frame where the scene has too few instances for it. The order of drawing stays the same, and
    so do pictures.
    """
    reg.queue("graphics", "compute")
    reg.cost(0.1)
    reg.read(_INSTANCES).storage_read("compute")
    reg.read(_DRAWS).storage_read("compute")
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
        self._on = False
        self._followed: tuple[object, int | None] | None = None

    def follow(self, draws: DrawList, least: int | None) -> None:
        """Cull scenes of ``least`` instances or more (None: none), with room for these draws.

        It goes on until there are only half as many.
        """
        if self._followed is not None and self._followed[0] is draws.batches and self._followed[1] == least:
            return
        self._followed = draws.batches, least
        instances, batches = len(draws.models), len(draws.batches)
        on = least is not None and instances >= (least // 2 if self._on else least)
        if on:
            self._graph.set_resolution(_INSTANCES, (_room(instances), 1))
            self._graph.set_resolution(_DRAWS, (_room(_most_commands(instances, batches)), 1))
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
        frusta = reg.create(_FRUSTA, Frusta)

        def execute(cmd: Commands) -> None:
            frusta.value = Frusta.of([camera.view_projection for camera in cameras.values])

        return execute

    return declare


def _room(count: int) -> int:
    return max(256, 1 << (count - 1).bit_length())


def _most_commands(instances: int, batches: int) -> int:
    """A bound of the commands of a draw table: those of all draws and those of shadow casters, with a command in front
    of each range and room to grow."""
    return 2 * (2 * (batches + instances // MOST_INSTANCES) + batches)
