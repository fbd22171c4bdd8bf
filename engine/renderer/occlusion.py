"""Occlusion culling: instances that others hide from all views of a player are not drawn.

Each frame begins with the depth of its occluders: instances that were seen in the last frame and have few triangles for
their size, where they are in this frame. A pyramid of that depth tells which of all instances are hidden. The others
are drawn, in the order of drawing.

The choice of occluders decides how much is found to be hidden, never whether it is: all depths are those of this frame.
So pictures are the same as without occlusion, whatever moves, appears or vanishes.
"""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.culling import BOUNDS, DRAWS, FRUSTA, INSTANCES, VERDICTS, cull_scene
from renderwright.engine.renderer.draw_commands import span
from renderwright.engine.renderer.geometry import DrawSet, MeshPipelines, draw_scene, request_scene
from renderwright.engine.views.view_set import EYE
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer, Extent, Resolution, ResourceDesc, Texture

OCCLUDERS = "occluders"
"""The name of a player's occluders, for ``request_scene``."""

_LEVELS_AT_ONCE = 5
"""Levels that a node adds to the depth pyramid, as in ``depth_pyramid.comp``."""

_PYRAMID = "depth_pyramid"
_PICTURE = Resolution("main_view")
_LANES = 4
"""Invocations that share the instances of a command, as in ``find_hidden.comp``."""


def can_occlude(depth: ResourceDesc | None) -> bool:
    """Whether the shaders can make a pyramid of a depth texture: of floats, with a texel for each of the picture's."""
    return (
        isinstance(depth, Texture)
        and depth.format.startswith("d32_sfloat")
        and (depth.size, depth.layers, depth.samples) == (_PICTURE, 1, 1)
    )


def occlusion_nodes(players: tuple[str, ...]) -> Mapping[str, Declare]:
    """The nodes by name. ``players`` are the dimensions over which the lists of instances repeat."""
    return {
        VERDICTS: _provide_verdicts(players),
        "cull_occluders": _cull_occluders,
        "clear_verdicts": _clear_verdicts,
        "draw_occluders": _draw_occluders,
        _PYRAMID: _begin_pyramid,
        f"{_PYRAMID}_end": _end_pyramid,
        "find_hidden": _find_hidden,
    }


def _provide_verdicts(players: tuple[str, ...]) -> Declare:
    """Declare function of a node for the verdicts of each player as an external resource, which outlives the frame.

    It is not a history: a node that reads one runs after those that make the frame's own contents, and the occluders
    come before them.
    """

    def declare(reg: Registry) -> None:
        reg.multiplex(*players)
        reg.external(VERDICTS, Buffer(0)).storage_read("compute")

    return declare


def _cull_occluders(reg: Registry) -> Execute:
    """List the occluders among what the last frame has seen.

    Without a last frame there are none, and nothing is hidden. Where instances have other numbers than in the last
    frame, other ones are listed, and fewer are hidden.
    """
    reg.modify(VERDICTS).storage_read("compute").bind("last_verdicts").optional()
    reg.before("clear_verdicts")
    return cull_scene(reg, FRUSTA, OCCLUDERS)


def _clear_verdicts(reg: Registry) -> Execute:
    """Take back the verdicts of the last frame."""
    verdicts = reg.modify(VERDICTS).copy_dst()
    reg.before("find_hidden")
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.recorder.fill_buffer(verdicts.buffer)

    return execute


def _draw_occluders(reg: Registry) -> Execute:
    """Draw the depth of the occluders."""
    reg.multiview(EYE)
    reg.modify("depth").depth()
    reg.read("camera", CameraView)
    scene = request_scene(reg, materials=False, visible=OCCLUDERS)
    pipelines = MeshPipelines.declare(reg, "", depth_test="greater", depth_write=True)
    reg.before(_PYRAMID)
    reg.stable()

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines, materials=False)

    return execute


def _begin_pyramid(reg: Registry) -> Execute:
    """Make the finer levels of a view's depth pyramid. Level 1 has half the picture's width and height."""
    reg.modify("depth").sampled(filter="nearest", stage="compute")
    # A level has a quarter of the texels of the one before, rounded up: room for twice the first.
    reg.create(_PYRAMID, Buffer(8, _PICTURE.scaled(0.5))).storage_write("compute")
    reg.before("opaque", "depth_only")
    return _five_levels(reg, 0)


def _end_pyramid(reg: Registry) -> Execute:
    """Make the coarser levels of a view's depth pyramid."""
    reg.modify(_PYRAMID).storage("compute")
    return _five_levels(reg, _LEVELS_AT_ONCE)


def _five_levels(reg: Registry, finer: int) -> Execute:
    pipeline = reg.compute("depth_pyramid.comp", defines={"FINER": finer})
    reg.stable()

    def execute(cmd: Commands) -> None:
        width, height = cmd.resolution(_PICTURE.name)
        cmd.dispatch(pipeline, _level_size((width, height), finer + 1), width=width, height=height)

    return execute


def _level_size(picture: Extent, level: int) -> Extent:
    """As in ``depth_pyramid.glsl``."""
    return -(-picture[0] >> level), -(-picture[1] >> level)


def _find_hidden(reg: Registry) -> Execute:
    """Judge all instances by the depth pyramid of a view: one that no view of a player may see is hidden."""
    reg.cost(0.2)
    reg.read("camera", CameraView)
    reg.read(INSTANCES).storage_read("compute")
    reg.read(DRAWS).storage_read("compute")
    reg.read(BOUNDS).storage_read("compute")
    reg.read(_PYRAMID).storage_read("compute")
    reg.modify(VERDICTS).storage("compute").bind("verdicts")
    draws = reg.read("draws", DrawSet)
    pipeline = reg.compute("find_hidden.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
        shown: DrawSet = draws.value
        first, count = span(shown.ranges, casters_only=False)
        cmd.dispatch(pipeline, (max(1, count), _LANES), first=first, count=count)

    return execute
