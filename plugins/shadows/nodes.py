"""The three nodes of the shadows."""

from __future__ import annotations

from engine.renderer.blobs import CameraView, LightSet
from engine.renderer.geometry import MeshPipelines, draw_scene, request_scene
from plugins.shadows.cascades import CASCADES, ShadowCascades, fit_cascades
from plugins.shadows.settings import ShadowSettings
from render.compiler.declare import Execute
from render.graph.registry import Registry
from render.graph.resources import Texture
from render.runtime.commands import Commands


def fit(reg: Registry, settings: ShadowSettings) -> Execute:
    """Places the cascades around the view."""
    camera = reg.read("camera", CameraView)
    lights = reg.read("lights", LightSet)
    cascades = reg.create("shadows/cascades", ShadowCascades)

    def execute(cmd: Commands) -> None:
        cascades.value = fit_cascades(camera.value, lights.value.sun_direction, settings)

    return execute


def render(reg: Registry, settings: ShadowSettings) -> Execute:
    """Draws depth as the sun sees it: four cascades in the quarters of one texture."""
    side = settings.size
    reg.create("shadows/map", Texture("d32_sfloat", (2 * side, 2 * side))).depth(clear=0.0)
    reg.read("cascades", ShadowCascades)
    lights = reg.read("lights", LightSet)
    scene = request_scene(reg, materials=False)
    pipelines = MeshPipelines.declare(
        reg, "", "shadow.vert", depth_test="greater", depth_write=True, depth_bias=(-1.0, -2.0)
    )

    def execute(cmd: Commands) -> None:
        if not lights.value.sun_casts_shadow:
            return
        for cascade in range(CASCADES):
            cmd.viewport(cascade % 2 * side, cascade // 2 * side, side, side)
            draw_scene(cmd, scene, pipelines, materials=False, shadow_casters_only=True, cascade=cascade)

    return execute


def resolve(reg: Registry, settings: ShadowSettings) -> Execute:
    """How much of the sun each texel of the view sees, from 0 to 1."""
    reg.create("sun_visibility", Texture("r8_unorm", reg.resolution("main_view"))).color()
    reg.read("depth").sampled(filter="nearest")
    reg.read("normal").sampled(filter="nearest").optional()
    reg.read("map").sampled()
    reg.read("cascades", ShadowCascades)
    reg.read("camera", CameraView)
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics("shadow_resolve.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
