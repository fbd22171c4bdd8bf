"""Nodes of volumetric fog: the light of each froxel, its sum along each ray, the veil over opaque surfaces."""

from __future__ import annotations

from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.air_volume import AIR_VOLUME, AIR_VOLUME_LIGHT, AirVolume
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.jitter import halton
from renderwright.engine.renderer.lights.clusters import request_light_list
from renderwright.engine.renderer.sun_maps import request_sun_maps
from renderwright.plugins.volumetric_fog.settings import VolumetricFogSettings
from renderwright.render import Commands, Execute, Registry, Texture

FORMAT = "rgba16_sfloat"
FRAMES = 16
"""Frames over which ``temporal`` averages light, and after which the places repeat."""


@dataclass(frozen=True)
class Past:
    """The blob ``volumetric_fog/past``: the froxels of the last frame, and the places of this one's samples.

    A point of the world was at ``view_projection``; rays began at ``position``, and those of an orthographic camera
    (``parallel`` is 1, else 0) went along ``forward``. ``range`` is the setting of that frame. ``place``, from 0
    to 1 along the ray, is that of this frame's samples in their parts of froxels. These fill the uniform block
    ``past``. ``number`` is the frame's among those of other places.
    """

    view_projection: glm.mat4
    position: glm.vec3
    parallel: float
    forward: glm.vec3
    range: float
    place: float
    number: int


def look_back(reg: Registry) -> Execute:
    """Tell how the view has changed since the last frame, and choose the places of the samples."""
    camera = reg.read("camera", CameraView)
    last_camera = reg.history("camera", CameraView).bind("last_camera")
    last = reg.history("volumetric_fog/past", Past).bind("last_past")
    air = reg.read(AIR_VOLUME, AirVolume)
    last_air = reg.history(AIR_VOLUME, AirVolume).bind("last_air")
    past = reg.create("volumetric_fog/past", Past)

    def execute(cmd: Commands) -> None:
        goes_on = last.valid and last_camera.valid and last_air.valid
        before: CameraView = last_camera.value if goes_on else camera.value
        number = (last.value.number + 1) % FRAMES if goes_on else 0
        past.value = Past(
            before.view_projection,
            before.position,
            float(before.height > 0.0),
            before.forward,
            last_air.value.range if goes_on else air.value.range,
            halton(number + 1, 2),
            number,
        )

    return execute


def describe(reg: Registry, settings: VolumetricFogSettings) -> Execute:
    """Describe the air for all nodes that look through it."""
    value = reg.create(AIR_VOLUME, AirVolume)
    reg.stable()

    def execute(cmd: Commands) -> None:
        value.value = AirVolume(**settings.model_dump(exclude={"lamps", "samples", "detail", "temporal"}))

    return execute


def light(reg: Registry, settings: VolumetricFogSettings) -> Execute:
    """Compute the light that dense air would scatter towards the eye, for each froxel.

    With ``temporal`` it is the mean over frames, by way of the froxels of the last one.
    """
    reg.queue("compute", "graphics")
    size = reg.resolution("main_view", settings.detail)
    scattered = reg.create("volumetric_fog/scattered", Texture(FORMAT, size)).storage_write()
    reg.read("camera", CameraView)
    reg.read(AIR_VOLUME, AirVolume)
    request_light_list(reg, "compute")
    request_sun_maps(reg)
    reg.uniform("settings", settings)
    if settings.temporal:
        reg.history("volumetric_fog/scattered").sampled(stage="compute").bind("last_scattered")
        reg.read("past", Past)
    reg.stable()
    pipeline = reg.compute("froxel_light.comp", defines={"TEMPORAL": int(settings.temporal), "FRAMES": FRAMES})

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
