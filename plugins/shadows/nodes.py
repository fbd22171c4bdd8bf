"""Nodes of the sun: fit its maps, draw them, and resolve visibility for each texel of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.culling import Frusta, cull_scene
from renderwright.engine.renderer.geometry import MeshPipelines, SceneRequests, draw_scene, request_scene
from renderwright.engine.renderer.sun_maps import SUN_MAPS, SunMaps
from renderwright.plugins.shadows.cascades import (
    CASCADES,
    Cascade,
    ShadowCascades,
    Sun,
    ViewShape,
    map_places,
    next_cascades,
)
from renderwright.plugins.shadows.settings import ShadowSettings
from renderwright.render import Commands, Declare, Execute, Registry, Texture

MAP = "d32_sfloat"


@dataclass(frozen=True)
class SunView:
    """The blob ``shadows/sun_view``: what cascades are fitted to. It stays equal while neither the view nor the sun
    moves, whatever the time and the other lights. ``frusta`` are none, with the levels of detail of the view."""

    shape: ViewShape
    sun: Sun
    frusta: Frusta


def follow_sun(reg: Registry) -> Execute:
    """Tell how the sun falls on a player's whole view, which all its eyes, samples and tiles share."""
    camera = reg.read("view_camera", CameraView)
    lights = reg.read("lights", LightSet)
    view = reg.create("shadows/sun_view", SunView)
    casts = reg.create("shadows/sun_casts", bool)
    reg.stable()

    def execute(cmd: Commands) -> None:
        sun = Sun(lights.value.sun_direction, lights.value.sun_casts_shadow)
        # Casters in front of the near plane are drawn on it. They have the levels of detail that the view has: a
        # surface would be in the shadow of a finer or coarser form of itself.
        view.value = SunView(ViewShape.of(camera.value), sun, Frusta.of((), near=False, camera=camera.value))
        casts.value = sun.casts

    return execute


def fit(reg: Registry, settings: ShadowSettings) -> Execute:
    """Fit the cascades to a player's whole view."""
    view = reg.read("sun_view", SunView)
    # Cascades of other rates depend on the frame and on their last fit.
    before = reg.history("shadows/cascades", ShadowCascades) if settings.rate > 1 else None
    if before is None:
        reg.stable()
    cascades = reg.create("shadows/cascades", ShadowCascades)
    maps = reg.create(SUN_MAPS, SunMaps)
    single = [reg.create(f"shadows/cascade_{number}", Cascade) for number in range(CASCADES)]
    frusta = [reg.create(f"shadows/frusta_{number}", Frusta) for number in range(CASCADES)]

    def execute(cmd: Commands) -> None:
        seen: SunView = view.value
        last = before.value if before is not None and before.valid else None
        cascades.value = fitted = next_cascades(last, seen.shape, seen.sun, settings, cmd.frame)
        maps.value = fitted.maps
        for one, frustum, cascade in zip(single, frusta, fitted.cascades, strict=True):
            one.value = cascade
            frustum.value = replace(seen.frusta, matrices=(cascade.matrix,), count=1)

    return execute


def cull_cascade(number: int) -> Declare:
    """Declare function of a node that lists the casters of a cascade."""
    frusta, visible = f"shadows/frusta_{number}", f"shadows/cascade_{number}"
    return lambda reg: cull_scene(reg, frusta, visible, shadow_casters_only=True)


def draw_cascade(number: int, settings: ShadowSettings, *, masked: bool = False) -> Declare:
    """Declare function of a node that draws a cascade's depth map, in every frame or when the cascade was refitted.

    A ``masked`` one adds the surfaces with alpha masks to what the other has drawn.
    """
    place = map_places(settings)[number]

    def declare(reg: Registry) -> Execute:
        name = f"{SUN_MAPS}_{place.texture}"
        desc = Texture(MAP, (settings.size, settings.size), layers=place.layers)
        if masked:
            reg.modify(name).layer(place.layer).depth()
            reg.after(f"shadows/cascade_{number}")
        elif place.layer == 0:
            reg.create(name, desc).layer(0).depth(clear=0.0)
        else:
            reg.modify(name).layer(place.layer).depth()
        reg.read(f"cascade_{number}", Cascade).bind("cascade")
        casts = reg.read("sun_casts", bool)
        if place.rate > 1:
            reg.when(f"cascade_{number}")
        scene = request_casters(reg, masked=masked, visible=f"shadows/cascade_{number}")
        pipelines = caster_pipelines(reg, settings, scene, masked=masked, of_sun=True)
        reg.stable()

        def execute(cmd: Commands) -> None:
            if casts.value:
                draw_scene(cmd, scene, pipelines, materials=masked, shadow_casters_only=True)

        return execute

    return declare


def resolve(reg: Registry, settings: ShadowSettings) -> Execute:
    """Write the visibility of the sun for each texel, from 0 to 1."""
    reg.create("sun_visibility", Texture("r8_unorm", reg.resolution("main_view"))).color()
    textures = max(place.texture for place in map_places(settings)) + 1
    for number in range(textures):
        reg.read(f"{SUN_MAPS}_{number}").sampled().bind(f"maps_{number}")
    reg.read("cascades", ShadowCascades)
    return resolved(reg, settings, "sun_resolve.frag", {"TEXTURES": textures})


def resolved(reg: Registry, settings: ShadowSettings, shader: str, defines: Mapping[str, float]) -> Execute:
    """Declare a full-screen shader that finds what surfaces see of lights."""
    reg.read("depth").sampled(filter="nearest")
    reg.read("normal").sampled(filter="nearest").optional()
    reg.read("camera", CameraView)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen(shader, defines={"PCSS": int(settings.edges == "pcss"), **defines})

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


def request_casters(reg: Registry, *, masked: bool, visible: str = "") -> SceneRequests:
    """Request the opaque shadow casters, or those with alpha masks."""
    __tracebackhide__ = True
    return request_scene(reg, materials=masked, visible=visible, alpha="mask" if masked else "opaque")


def caster_pipelines(
    reg: Registry, settings: ShadowSettings, scene: SceneRequests, *, masked: bool, of_sun: bool
) -> MeshPipelines:
    """Declare the pipelines that draw their depth: for a cascade of the sun from the block ``cascade``, for a lamp with
    the push constant ``matrix``."""
    bias = (-1.0, -settings.slope_bias)
    fragment, defines = ("masked_depth.frag", {"MASKED": 1, "OF_CAMERA": 0}) if masked else ("", {})
    return MeshPipelines.declare(
        reg,
        fragment,
        "shadow.vert",
        scene=scene,
        defines={"OF_SUN": int(of_sun), **defines},
        depth_test="greater",
        depth_write=True,
        depth_bias=bias,
    )
