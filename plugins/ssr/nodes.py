"""Nodes of screen-space reflections: the eye, the depth pyramid, a ray a texel, the mean over frames, the light."""

from __future__ import annotations

from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.environment import request_environment
from renderwright.engine.renderer.motion import CameraMotion
from renderwright.plugins.ssr.settings import SsrSettings
from renderwright.render import Buffer, Commands, Execute, Registry, Texture

CHAIN = "post_opaque"
FIRST = 2500
"""Priority in the chain: ahead of all that is drawn over lit surfaces, such as lines and fog."""

FORMAT = "rgba16_sfloat"
PATTERNS = 64
"""Numbers of frames by which the directions of rays differ."""


@dataclass(frozen=True)
class Eye:
    """The blob ``ssr/eye``: where surfaces are seen from, in this frame and in the last one, and the frame's number.

    The places are positions in the world (w is 1), or the direction towards the eye of an orthographic camera (w is 0).
    """

    place: glm.vec4
    last_place: glm.vec4
    number: int


def follow_eye(reg: Registry) -> Execute:
    """Count frames, and tell how the eye has moved."""
    camera = reg.read("camera", CameraView)
    last_camera = reg.history("camera", CameraView).bind("last_camera")
    last = reg.history("ssr/eye", Eye).bind("last_eye")
    eye = reg.create("ssr/eye", Eye)

    def execute(cmd: Commands) -> None:
        now = _place(camera.value)
        number = (last.value.number + 1) % PATTERNS if last.valid else 0
        eye.value = Eye(now, _place(last_camera.value) if last_camera.valid else now, number)

    return execute


def _place(camera: CameraView) -> glm.vec4:
    place, w = (-camera.forward, 0.0) if camera.height else (camera.position, 1.0)
    return glm.vec4(place.x, place.y, place.z, w)


def measure_depth(reg: Registry) -> Execute:
    """Make the depth pyramid: the nearest and farthest depth of cells of 2 to 32 texels."""
    reg.queue("compute", "graphics")
    reg.read("depth").sampled(filter="nearest", stage="compute")
    # A level has a quarter of the cells of the one before, rounded up: room for twice the first.
    reg.create("ssr/cells", Buffer(16, reg.resolution("main_view", 0.5))).storage_write("compute")
    reg.stable()
    pipeline = reg.compute("ssr_cells.comp")

    def execute(cmd: Commands) -> None:
        width, height = cmd.resolution("main_view")
        cmd.dispatch(pipeline, (-(-width // 2), -(-height // 2)), width=width, height=height)

    return execute


def trace(reg: Registry, settings: SsrSettings) -> Execute:
    """Trace one ray for each texel. The light is premultiplied with the share of it that is found, in alpha."""
    reg.create("ssr/traced", Texture(FORMAT, reg.resolution("main_view"))).color()
    for name in ("depth", "normal", "material"):
        reg.read(name).sampled(filter="nearest")
    reg.chain_source(CHAIN, "reflect").sampled(filter="nearest").bind("source")
    reg.read("cells").storage_read("fragment")
    reg.read("camera", CameraView)
    reg.read("eye", Eye)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("ssr_trace.frag")
    return lambda cmd: cmd.draw(pipeline)


def accumulate(reg: Registry, settings: SsrSettings) -> Execute:
    """Average the rays over neighbouring texels of a surface, and over frames by motion vectors."""
    size = reg.resolution("main_view")
    reg.create("ssr/reflected", Texture(FORMAT, size)).color().bind("reflected")
    reg.create("ssr/age", Texture("r8_unorm", size)).color().bind("age")
    reg.history("ssr/reflected").sampled().bind("last_reflected")
    reg.history("ssr/age").sampled(filter="nearest").bind("last_age")
    reg.history("depth").sampled(filter="nearest").bind("last_depth")
    for name in ("traced", "depth", "normal", "material", "motion_vectors"):
        reg.read(name).sampled(filter="nearest")
    reg.read("camera_motion", CameraMotion)
    reg.read("camera", CameraView)
    reg.read("eye", Eye)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("ssr_accumulate.frag")
    return lambda cmd: cmd.draw(pipeline)


def reflect(reg: Registry, settings: SsrSettings) -> Execute:
    """Replace the reflection of the environment by what rays have found."""
    reg.chain(CHAIN, priority=FIRST)
    reg.read("ssr/reflected").sampled(filter="nearest")
    for name in ("depth", "normal", "albedo", "material"):
        reg.read(name).sampled(filter="nearest")
    reg.read("ambient_occlusion").sampled(filter="nearest").optional(otherwise=1.0)
    request_environment(reg)
    reg.read("lights", LightSet)
    reg.read("camera", CameraView)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("ssr_reflect.frag")
    return lambda cmd: cmd.draw(pipeline)
