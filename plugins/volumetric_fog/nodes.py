"""Nodes of volumetric fog: the light of each froxel, its sum along each ray, the veil over opaque surfaces."""

from __future__ import annotations

from renderwright.engine.renderer.air_volume import AIR_VOLUME, AIR_VOLUME_LIGHT, AirVolume
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.lights.clusters import request_light_list
from renderwright.engine.renderer.sun_maps import request_sun_maps
from renderwright.plugins.volumetric_fog.settings import VolumetricFogSettings
from renderwright.render import Commands, Execute, Registry, Texture

FORMAT = "rgba16_sfloat"


def describe(reg: Registry, settings: VolumetricFogSettings) -> Execute:
    """Describe the air for all nodes that look through it."""
    value = reg.create(AIR_VOLUME, AirVolume)
    reg.stable()

    def execute(cmd: Commands) -> None:
        value.value = AirVolume(**settings.model_dump(exclude={"lamps", "samples", "detail"}))

    return execute


def light(reg: Registry, settings: VolumetricFogSettings) -> Execute:
    """Compute the light that dense air would scatter towards the eye, for each froxel."""
    reg.queue("compute", "graphics")
    size = reg.resolution("main_view", settings.detail)
    scattered = reg.create("volumetric_fog/scattered", Texture(FORMAT, size)).storage_write()
    reg.read("camera", CameraView)
    reg.read(AIR_VOLUME, AirVolume)
    request_light_list(reg, "compute")
    request_sun_maps(reg)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.compute("froxel_light.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, scattered.extent)

    return execute


def add_up(reg: Registry, settings: VolumetricFogSettings) -> Execute:
    """Sum the light along each ray, from front to back."""
    reg.queue("compute", "graphics")
    size = reg.resolution("main_view", settings.detail)
    sums = reg.create(AIR_VOLUME_LIGHT, Texture(FORMAT, size)).storage_write()
    reg.read("scattered").sampled(stage="compute", filter="nearest")
    reg.read("camera", CameraView)
    reg.read(AIR_VOLUME, AirVolume)
    reg.stable()
    pipeline = reg.compute("froxel_sum.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, sums.extent)

    return execute


def veil(reg: Registry) -> Execute:
    """Blend the air over opaque surfaces and the sky."""
    reg.chain("post_opaque", priority=1400)
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    reg.read("lights", LightSet)
    reg.read(AIR_VOLUME, AirVolume)
    reg.read(AIR_VOLUME_LIGHT).sampled()
    reg.stable()
    pipeline = reg.fullscreen("volumetric_fog.frag")
    return lambda cmd: cmd.draw(pipeline)
