"""Culling and levels of detail on the GPU: nodes that list the instances which a pass may see, by level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.draw_commands import span
from renderwright.engine.renderer.geometry import DrawSet
from renderwright.engine.scene.layers import ALL_LAYERS
from renderwright.render.backend.protocol import INDIRECT_BYTES
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer

MOST_VIEWS = 16
"""The most matrices of ``Frusta``, as in ``cull.comp``."""

VISIBLE = "view"
"""The name of what a player's views may see, for ``request_scene``."""

VISIBLE_MOVED = "view_moved"
"""The same of meshes with an instance that has moved since the previous frame."""

BOUNDS = "scene_bounds"
"""The bounds of the draws, which the application provides."""

FRUSTA = "view_frusta"
"""The ``Frusta`` of a player's views."""

INSTANCES = "scene_instances"
"""The scene's instances, and a resolution: room for so many listed instances."""

DRAWS = "scene_draws"
"""The scene's draw commands, and a resolution: room for so many commands."""

VERDICTS = "view_verdicts"
"""What occlusion culling makes of each instance; see ``occlusion.py``."""

_MOVED_DRAWS = "scene_moved_draws"

_ENDLESS = 1e30


@dataclass(frozen=True)
class Frusta:
    """A blob for ``cull_scene``: world-to-clip matrices. An instance is drawn if one of them may see it.

    Without matrices everything is drawn. If ``near`` is 0, so is what lies in front of the near plane. Instances in
    none of ``layers`` are left out. Sizes on the screen are parts of the picture's height: half of it is ``slope``
    metres for each metre from ``eye`` (perspective), and ``half_height`` metres (orthographic). With both 0 everything
    is large: the finest levels are drawn. ``reach`` is a sphere, its centre and radius:
    what lies outside of it is not drawn.
    """

    matrices: tuple[glm.mat4, ...]
    count: int
    near: int = 1
    layers: int = ALL_LAYERS
    eye: glm.vec3 = field(default_factory=glm.vec3)
    slope: float = 0.0
    half_height: float = 0.0
    reach: tuple[float, float, float, float] = (0.0, 0.0, 0.0, _ENDLESS)

    @property
    def shown(self) -> tuple[glm.mat4, ...]:
        """The matrices, if there are any."""
        return self.matrices[: self.count]

    @classmethod
    def of(
        cls,
        matrices: Sequence[glm.mat4],
        *,
        near: bool = True,
        layers: int = ALL_LAYERS,
        camera: CameraView | None = None,
        reach: tuple[float, float, float, float] = (0.0, 0.0, 0.0, _ENDLESS),
    ) -> Frusta:
        """The frusta of these matrices; of none if they are more than ``MOST_VIEWS``.

        ``camera`` chooses the levels of detail. Passes whose depths are compared, such as those of the eyes of a player
        and of their shadow maps, give the same one.
        """
        few = tuple(matrices) if len(matrices) <= MOST_VIEWS else ()
        frusta = cls(few or (glm.mat4(1.0),), len(few), int(near), layers, reach=reach)
        if camera is None:
            return frusta
        slope, half_height = math.tan(camera.fov_y / 2), camera.height / 2
        return replace(frusta, eye=camera.position, slope=slope, half_height=half_height)


def cull_scene(
    reg: Registry, frusta: str, visible: str, *, shadow_casters_only: bool = False, moved_only: bool = False
) -> Execute:
    """Declare a node that lists what the ``Frusta`` of a blob may see, for ``request_scene(visible=...)``.

    Each instance is listed for one level of its mesh. ``moved_only`` leaves out meshes none of which has moved since
    the previous frame. The node is left out of the frame where the scene has too few instances for it. The order of
    drawing stays the same, and so do pictures of meshes without levels.

    The node may also request verdicts on the instances: ``verdicts`` leaves out hidden ones, ``last_verdicts`` all but
    seen ones.
    """
    reg.queue("graphics", "compute")
    reg.cost(0.1)
    reg.read(INSTANCES).storage_read("compute")
    reg.read(_MOVED_DRAWS if moved_only else DRAWS).storage_read("compute").bind(DRAWS)
    reg.read(BOUNDS).storage_read("compute")
    reg.read(frusta, Frusta).bind("frusta")
    draws = reg.read("draws", DrawSet)
    instances = Buffer(4, reg.resolution(INSTANCES))
    reg.create(f"{visible}_instances", instances).storage_write("compute").bind("culled_instances")
    commands = Buffer(INDIRECT_BYTES, reg.resolution(DRAWS))
    reg.create(f"{visible}_draws", commands).storage_write("compute").bind("culled_draws")
    pipeline = reg.compute("cull.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
        shown: DrawSet = draws.value
        first, count = span(shown.ranges, casters_only=shadow_casters_only)
        cmd.dispatch(pipeline, (max(1, count), 1), first=first, count=count)

    return execute


def cull_views(reg: Registry) -> Execute:
    """List what a player's views may see."""
    _request_verdicts(reg)
    return cull_scene(reg, FRUSTA, VISIBLE)


def cull_moved(reg: Registry) -> Execute:
    """The same of meshes with an instance that has moved."""
    _request_verdicts(reg)
    return cull_scene(reg, FRUSTA, VISIBLE_MOVED, moved_only=True)


def _request_verdicts(reg: Registry) -> None:
    reg.read(VERDICTS).storage_read("compute").bind("verdicts").optional()


def provide_bounds(reg: Registry) -> None:
    """Declare the bounds of the draws as an external resource. The application provides them."""
    reg.external(BOUNDS, Buffer(0)).storage_read("compute")


def view_frusta(players: tuple[str, ...]) -> Declare:
    """Declare function of a node that creates the frusta of all eyes, samples and tiles of a player."""

    def declare(reg: Registry) -> Execute:
        reg.multiplex(*players)
        cameras = reg.gather("camera", CameraView)
        whole = reg.read("view_camera", CameraView)
        frusta = reg.create(FRUSTA, Frusta)
        reg.stable()

        def execute(cmd: Commands) -> None:
            matrices = [camera.view_projection for camera in cameras.values]
            frusta.value = Frusta.of(matrices, layers=whole.value.layers, camera=whole.value)

        return execute

    return declare
