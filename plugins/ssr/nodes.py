"""Nodes of screen-space reflections: the depth pyramid, one ray a texel, the mean over frames, the light."""

from __future__ import annotations

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
    last = reg.history("ssr/pattern", int).bind("last_pattern")
    pattern = reg.create("ssr/pattern", int)
    reg.uniform("settings", settings)
    pipeline = reg.fullscreen("ssr_trace.frag")

    def execute(cmd: Commands) -> None:
        pattern.value = (last.value + 1) % PATTERNS if last.valid else 0
        cmd.draw(pipeline, pattern=pattern.value)

    return execute


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
    reg.uniform("settings", settings)
    pipeline = reg.fullscreen("ssr_accumulate.frag")
    return lambda cmd: cmd.draw(pipeline)


def reflect(reg: Registry, settings: SsrSettings) -> Execute:
    """Replace the reflection of the environment by what rays have found."""
    reg.chain(CHAIN, priority=FIRST)
    reg.read("ssr/reflected").sampled(filter="nearest")
    for name in ("depth", "normal", "albedo", "material"):
        reg.read(name).sampled(filter="nearest")
    reg.read("ambient_occlusion").sampled(filter="nearest").optional()
    request_environment(reg)
    reg.read("lights", LightSet)
    reg.read("camera", CameraView)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("ssr_reflect.frag")
    return lambda cmd: cmd.draw(pipeline)
