"""Shadow nodes: fit the maps, draw them, and resolve visibility for each texel of the picture."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.engine.renderer.blobs import SHADOW_CHANNELS, CameraView, LightSet
from renderwright.engine.renderer.culling import Frusta, cull_scene
from renderwright.engine.renderer.geometry import DrawSet, MeshPipelines, SceneRequests, draw_scene, request_scene
from renderwright.engine.renderer.lights.shadowed_lights import ShadowedLights
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
from renderwright.plugins.shadows.local_lights import BORDER, COLUMNS, NEAR, ROWS, LampMaps, LocalShadows, tile_place
from renderwright.plugins.shadows.settings import ShadowSettings
from renderwright.render import Commands, Declare, Execute, Registry, Texture

MAP = "d32_sfloat"


def fit(reg: Registry, settings: ShadowSettings) -> Execute:
    """Fit the cascades to a player's whole view, shared by all its eyes, samples and tiles."""
    camera = reg.read("view_camera", CameraView)
    lights = reg.read("lights", LightSet)
    # Cascades of other rates depend on the frame and on their last fit.
    before = reg.history("shadows/cascades", ShadowCascades) if settings.rate > 1 else None
    if before is None:
        reg.stable()
    cascades = reg.create("shadows/cascades", ShadowCascades)
    maps = reg.create(SUN_MAPS, SunMaps)
    single = [reg.create(f"shadows/cascade_{number}", Cascade) for number in range(CASCADES)]
    frusta = [reg.create(f"shadows/frusta_{number}", Frusta) for number in range(CASCADES)]

    def execute(cmd: Commands) -> None:
        sun = Sun(lights.value.sun_direction, lights.value.sun_casts_shadow)
        last = before.value if before is not None and before.valid else None
        cascades.value = next_cascades(last, ViewShape.of(camera.value), sun, settings, cmd.frame)
        maps.value = cascades.value.maps
        for one, frustum, cascade in zip(single, frusta, cascades.value.cascades, strict=True):
            one.value = cascade
            # Casters in front of the near plane are drawn on it. They have the levels of detail that the view has: a
            # surface would be in the shadow of a finer or coarser form of itself.
            frustum.value = Frusta.of((cascade.matrix,), near=False, camera=camera.value)

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
        cascade = reg.read(f"cascade_{number}", Cascade)
        if place.rate > 1:
            reg.when(f"cascade_{number}")
        scene = _request_casters(reg, masked=masked, visible=f"shadows/cascade_{number}")
        pipelines = _pipelines(reg, settings, masked=masked)
        reg.stable()

        def execute(cmd: Commands) -> None:
            if cascade.value.casts:
                matrix = cascade.value.matrix
                draw_scene(cmd, scene, pipelines, materials=masked, shadow_casters_only=True, matrix=matrix, flatten=1)

        return execute

    return declare


def fit_local(reg: Registry, settings: ShadowSettings) -> Execute:
    """Fit the tiles of spot and point lights. Without a light that casts shadows, there is no such node."""
    shadowed = reg.read("shadowed_lights", ShadowedLights)
    draws = reg.read("draws", DrawSet)
    local = reg.create("shadows/local", LocalShadows)
    lamps = [reg.create(f"shadows/lamp_{channel}", LampMaps) for channel in range(settings.lights)]
    frusta = [reg.create(f"shadows/lamp_frusta_{channel}", Frusta) for channel in range(settings.lights)]
    reg.stable()

    def execute(cmd: Commands) -> None:
        local.value = fitted = LocalShadows.of(shadowed.value, settings)
        for channel, (lamp, frustum) in enumerate(zip(lamps, frusta, strict=True)):
            tiles = fitted.tiles_of(channel)
            lamp.value = LampMaps(tiles, shadowed.value.moves[channel], draws.value)
            frustum.value = Frusta.of(tiles, reach=fitted.places[channel])

    return execute


def cull_lamp(channel: int) -> Declare:
    """Declare function of a node that lists the casters within a light's reach, when its maps are drawn."""

    def declare(reg: Registry) -> Execute:
        reg.when(f"shadows/lamp_{channel}")
        frusta, visible = f"shadows/lamp_frusta_{channel}", f"shadows/lamp_{channel}"
        return cull_scene(reg, frusta, visible, shadow_casters_only=True)

    return declare


def draw_lamp(channel: int, settings: ShadowSettings, *, masked: bool = False) -> Declare:
    """Declare function of a node that draws the depth maps of a spot or point light, tile by tile.

    They stay as they are while neither the light nor a caster within its reach moves. A ``masked`` node adds the
    surfaces with alpha masks to what the other has drawn.
    """

    def declare(reg: Registry) -> Execute:
        side, name = settings.light_size, f"shadows/lamp_maps_{channel}"
        if masked:
            reg.modify(name).depth()
            reg.after(f"shadows/draw_lamp_{channel}")
        else:
            reg.create(name, Texture(MAP, (COLUMNS * side, ROWS * side))).depth(clear=0.0)
        lamp = reg.read(f"lamp_{channel}", LampMaps)
        reg.when(f"lamp_{channel}")
        scene = _request_casters(reg, masked=masked, visible=f"shadows/lamp_{channel}")
        pipelines = _pipelines(reg, settings, masked=masked)
        reg.stable()

        def execute(cmd: Commands) -> None:
            for tile, matrix in enumerate(lamp.value.matrices):
                column, row = tile_place(tile)
                cmd.viewport(column * side, row * side, side, side)
                draw_scene(cmd, scene, pipelines, materials=masked, shadow_casters_only=True, matrix=matrix, flatten=0)

        return execute

    return declare


def resolve(reg: Registry, settings: ShadowSettings) -> Execute:
    """Write the visibility of the sun for each texel, from 0 to 1."""
    reg.create("sun_visibility", Texture("r8_unorm", reg.resolution("main_view"))).color()
    textures = max(place.texture for place in map_places(settings)) + 1
    for number in range(textures):
        reg.read(f"{SUN_MAPS}_{number}").sampled().bind(f"maps_{number}")
    reg.read("cascades", ShadowCascades)
    return _resolved(reg, settings, "sun_resolve.frag", {"TEXTURES": textures})


def resolve_lamps(reg: Registry, settings: ShadowSettings) -> Execute:
    """Write the visibility of each local light that casts shadows for each texel, from 0 to 1."""
    reg.create("light_visibility", Texture("rgba8_unorm", reg.resolution("main_view"))).color()
    for channel in range(settings.lights):
        reg.read(f"lamp_maps_{channel}").sampled()
    reg.read("local", LocalShadows)
    defines = {
        "LIGHTS": settings.lights,
        "CHANNELS": SHADOW_CHANNELS,
        "COLUMNS": COLUMNS,
        "ROWS": ROWS,
        "NEAR": NEAR,
        "BORDER": BORDER,
    }
    return _resolved(reg, settings, "lamp_resolve.frag", defines)


def _resolved(reg: Registry, settings: ShadowSettings, shader: str, defines: Mapping[str, float]) -> Execute:
    reg.read("depth").sampled(filter="nearest")
    reg.read("normal").sampled(filter="nearest").optional()
    reg.read("camera", CameraView)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen(shader, defines={"PCSS": int(settings.edges == "pcss"), **defines})

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


def _request_casters(reg: Registry, *, masked: bool, visible: str = "") -> SceneRequests:
    return request_scene(reg, materials=masked, visible=visible, alpha="mask" if masked else "opaque")


def _pipelines(reg: Registry, settings: ShadowSettings, *, masked: bool) -> MeshPipelines:
    bias = (-1.0, -settings.slope_bias)
    fragment, defines = ("masked_depth.frag", {"MASKED": 1, "OF_CAMERA": 0}) if masked else ("", None)
    return MeshPipelines.declare(
        reg, fragment, "shadow.vert", defines=defines, depth_test="greater", depth_write=True, depth_bias=bias
    )
