"""Nodes of ambient occlusion: depth downsample, search, denoise, upsample."""

from __future__ import annotations

from renderwright.engine.renderer.blobs import CameraView
from renderwright.plugins.ssao.settings import SsaoSettings
from renderwright.render import Commands, Execute, PipelineHandle, Registry, Resolution, Texture


def downsample(reg: Registry, settings: SsaoSettings) -> Execute:
    """Downsample depth to the search resolution by picking one texel, without filtering."""
    reg.create("ssao/small_depth", Texture("r32_sfloat", _search_size(reg, settings))).color()
    reg.read("depth").sampled(filter="nearest")
    return _full_screen(reg, reg.fullscreen("ssao_downsample.frag", defines=_defines(settings)))


def search(reg: Registry, settings: SsaoSettings) -> Execute:
    """Estimate the visible share of each texel's hemisphere from a few slices. Single estimates may exceed 1."""
    reg.create("ssao/noisy", Texture("r16_sfloat", _search_size(reg, settings))).color()
    reg.read("small_depth").sampled(filter="nearest")
    reg.read("depth").sampled(filter="nearest")
    reg.read("normal").sampled(filter="nearest").optional()
    reg.read("camera", CameraView)
    reg.uniform("settings", settings)
    return _full_screen(reg, reg.fullscreen("ssao_search.frag", defines=_defines(settings)))


def denoise(reg: Registry, settings: SsaoSettings) -> Execute:
    """Average over the pattern of directions, along surfaces only."""
    reg.create("ssao/smoothed", Texture("r8_unorm", _search_size(reg, settings))).color()
    reg.read("noisy").sampled(filter="nearest")
    reg.read("small_depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    return _full_screen(reg, reg.fullscreen("ssao_denoise.frag"))


def upsample(reg: Registry, settings: SsaoSettings) -> Execute:
    """Upsample to ``ambient_occlusion`` and add the light of bounces.

    Red, green and blue hold the visibility of diffuse light including bounces. Alpha holds the visibility itself.
    """
    reg.create("ambient_occlusion", Texture("rgba8_unorm", reg.resolution("main_view"))).color()
    reg.read("smoothed").sampled(filter="nearest")
    reg.read("small_depth").sampled(filter="nearest")
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    if settings.multi_bounce:
        reg.read("albedo").sampled(filter="nearest").optional()
    defines = {**_defines(settings), "MULTI_BOUNCE": int(settings.multi_bounce)}
    reg.uniform("settings", settings)
    return _full_screen(reg, reg.fullscreen("ssao_upsample.frag", defines=defines))


def _search_size(reg: Registry, settings: SsaoSettings) -> Resolution:
    return reg.resolution("main_view", 1.0 / settings.quality.step)


def _defines(settings: SsaoSettings) -> dict[str, int]:
    return {"STEP": settings.quality.step}


def _full_screen(reg: Registry, pipeline: PipelineHandle) -> Execute:
    reg.queue("compute", "graphics")
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
