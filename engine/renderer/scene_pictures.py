"""Pictures of the lit scene as a camera of a plugin sees it, in a texture: for mirrors, portals and screens.

The plugin has a node that creates two blobs, the camera and the sun's map around what it sees (``SunBox``). The nodes
here draw opaque and masked surfaces and the sky behind them, in the frames in which the camera is another value than in
their last run: so the plugin decides at which rate. Textures repeat over the dimensions of the camera's blob.

Surfaces have the light of all suns and lamps, of the surroundings and of probes. The first sun has shadows; lamps have
none, for their maps belong to the views, and nothing is darkened by ambient occlusion. Layers of surfaces and blended
surfaces are not in the picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.environment import request_environment
from renderwright.engine.renderer.geometry import MeshPipelines, draw_scene, request_scene
from renderwright.engine.renderer.lights.area_table import AREA_TABLE
from renderwright.engine.renderer.lights.clusters import SCENE_LIGHTS, request_patterns
from renderwright.engine.renderer.lights.light_set import LightSet
from renderwright.engine.renderer.sun_box import sun_box
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture

SUN_SIZE = 1024
"""Texels along a side of the sun's shadow map."""


@dataclass(frozen=True)
class SunBox:
    """The sun's shadow map of a picture. Its members fill the uniform block of ``scene_picture.frag``.

    ``matrix`` transforms world space to the clip space of the map; ``texel`` is the size of its texels in metres, or 0
    if the sun casts no shadow.
    """

    matrix: glm.mat4
    texel: float

    @classmethod
    def of(cls, lights: LightSet, middle: glm.vec3, radius: float) -> SunBox:
        """The map for a sphere around what is in the picture."""
        texel = 2.0 * radius / SUN_SIZE if lights.sun_casts_shadow else 0.0
        return cls(sun_box(middle, radius, lights.sun_direction), texel)


def scene_picture(name: str, *, camera: str, sun: str, scale: float = 1.0) -> Mapping[str, Declare]:
    """The nodes of a picture by name: they create the texture ``name``, linear light, of ``scale`` times the size of
    ``main_view``.

    ``camera`` and ``sun`` are the names of the blobs, a ``CameraView`` and a ``SunBox``.
    """
    return {
        "draw_sun": partial(_draw_sun, name=name, camera=camera, sun=sun),
        "draw_depth": partial(_draw_depth, name=name, camera=camera, scale=scale),
        "draw_opaque": partial(_draw_opaque, name=name, camera=camera, sun=sun, scale=scale),
        "end_depth": partial(_end_depth, name=name),
        "draw_masked": partial(_draw_masked, name=name, camera=camera, sun=sun),
    }


def _draw_sun(reg: Registry, *, name: str, camera: str, sun: str) -> Execute:
    """Draw the shadow map of the sun."""
    reg.create(f"{name}_sun_map", Texture("d32_sfloat", (SUN_SIZE, SUN_SIZE))).depth(clear=0.0)
    box = reg.read(sun, SunBox)
    reg.when(camera)
    scene = request_scene(reg, materials=False)
    pipelines = MeshPipelines.declare(reg, "", "probe.vert", depth_test="greater", depth_write=True)

    def execute(cmd: Commands) -> None:
        if box.value.texel:
            matrix = box.value.matrix
            draw_scene(cmd, scene, pipelines, materials=False, shadow_casters_only=True, matrix=matrix, flatten=1)

    return execute


def _draw_depth(reg: Registry, *, name: str, camera: str, scale: float) -> Execute:
    """Draw the depth of opaque surfaces, so that each texel is lit once."""
    reg.create(f"{name}_depth", Texture("d32_sfloat", reg.resolution("main_view", scale))).depth(clear=0.0)
    reg.read(camera, CameraView).bind("camera")
    reg.when(camera)
    scene = request_scene(reg, materials=False)
    pipelines = MeshPipelines.declare(reg, "", depth_test="greater", depth_write=True)

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines, materials=False)

    return execute


def _draw_opaque(reg: Registry, *, name: str, camera: str, sun: str, scale: float) -> Execute:
    """Light opaque surfaces, and draw the sky behind them."""
    size = reg.resolution("main_view", scale)
    reg.create(name, Texture("rgba16_sfloat", size)).color(clear=(0.0, 0.0, 0.0, 1.0))
    reg.read(f"{name}_depth").depth_read()
    _request_light(reg, name=name, camera=camera, sun=sun)
    scene = request_scene(reg)
    pipelines = MeshPipelines.declare(reg, "scene_picture.frag", scene=scene, depth_test="equal")
    sky = reg.graphics("sky.frag", depth_test="equal")

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines)
        cmd.draw(sky)

    return execute


def _end_depth(reg: Registry, *, name: str) -> None:
    """Have masked surfaces drawn after opaque ones, into the same depth."""
    reg.rename(f"{name}_depth", f"{name}_masked_depth")


def _draw_masked(reg: Registry, *, name: str, camera: str, sun: str) -> Execute:
    """Draw and light surfaces with alpha masks."""
    reg.modify(name).color()
    reg.modify(f"{name}_masked_depth").depth()
    _request_light(reg, name=name, camera=camera, sun=sun)
    scene = request_scene(reg, alpha="mask")
    pipelines = MeshPipelines.declare(
        reg, "scene_picture.frag", scene=scene, defines={"MASKED": 1}, depth_test="greater", depth_write=True
    )

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines)

    return execute


def _request_light(reg: Registry, *, name: str, camera: str, sun: str) -> None:
    """Request what ``scene_picture.frag`` lights surfaces with."""
    reg.read(camera, CameraView).bind("camera")
    reg.read(sun, SunBox).bind("picture_sun")
    reg.when(camera)
    reg.read(f"{name}_sun_map").sampled(filter="nearest", stage="fragment").bind("picture_sun_map")
    reg.read("lights", LightSet)
    reg.read(SCENE_LIGHTS).storage_read("fragment").bind("every_light").optional()
    reg.read(AREA_TABLE).sampled(stage="fragment").optional()
    request_patterns(reg)
    request_environment(reg)
