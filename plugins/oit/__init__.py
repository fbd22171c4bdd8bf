"""Order-independent transparency: blended surfaces are drawn twice in no order, instead of once in the right one.

First they add up what they absorb, and its moments by depth. These tell how much of its light reaches the camera.

After Muenstermann, Krumpen, Klein and Peters 2018 ("Moment-Based Order-Independent Transparency").
"""

from __future__ import annotations

from pydantic import BaseModel, Field, model_validator

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.air import request_air
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.culling import VISIBLE
from renderwright.engine.renderer.environment import request_environment
from renderwright.engine.renderer.geometry import MeshPipelines, draw_scene, request_scene
from renderwright.engine.renderer.glass import BEHIND_GLASS
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.engine.renderer.sun_maps import request_sun_maps
from renderwright.engine.renderer.surface_requests import request_any_surfaces
from renderwright.render import Commands, Execute, Registry, Texture


class OitSettings(BaseModel):
    """User settings."""

    nearest: float = Field(
        0.5, ge=0.01, le=1000.0, description="least distance at which surfaces are told apart, in metres"
    )
    farthest: float = Field(100.0, ge=0.1, le=100000.0, description="largest distance at which they are, in metres")

    @model_validator(mode="after")
    def _in_order(self) -> OitSettings:
        if self.farthest < 2.0 * self.nearest:
            raise ValueError("`farthest` is at least twice `nearest`")
        return self


def absorb(reg: Registry, settings: OitSettings) -> Execute:
    """Add up the absorbance of all blended surfaces, and its moments by depth."""
    size = reg.resolution("main_view")
    reg.create("oit/absorbance", Texture("r32_sfloat", size)).color(clear=(0.0, 0.0, 0.0, 0.0))
    reg.create("oit/moments", Texture("rgba32_sfloat", size)).color(clear=(0.0, 0.0, 0.0, 0.0))
    return _draw_surfaces(reg, settings, "oit_absorb.frag")


def gather(reg: Registry, settings: OitSettings) -> Execute:
    """Add up the light of all blended surfaces that reaches the camera."""
    reg.replaces("blended")
    reg.create("oit/light", Texture("rgba16_sfloat", reg.resolution("main_view"))).color(clear=(0.0, 0.0, 0.0, 0.0))
    reg.read("absorbance").sampled(filter="nearest")
    reg.read("moments").sampled(filter="nearest")
    request_lights(reg)
    request_air(reg)
    reg.read(BEHIND_GLASS).sampled().optional(otherwise=0.0)
    request_environment(reg)
    request_sun_maps(reg, "fragment")
    return _draw_surfaces(reg, settings, "transparent.frag", UNORDERED=1)


def _draw_surfaces(reg: Registry, settings: OitSettings, fragment: str, **defines: int) -> Execute:
    """Draw all blended surfaces that no opaque one hides, and add up what the fragment shader makes of them."""
    reg.multiview("eye")
    reg.read("depth").depth_read()
    reg.read("camera", CameraView)
    scene = request_scene(reg, visible=VISIBLE, alpha="blend")
    request_any_surfaces(reg)
    reg.uniform("settings", settings)
    reg.stable()
    pipelines = MeshPipelines.declare(
        reg, fragment, scene=scene, defines=defines, depth_test="greater_equal", blend="add"
    )

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines)

    return execute


def combine(reg: Registry) -> Execute:
    """Draw the light of the surfaces over what passes through them."""
    reg.modify("hdr").color()
    reg.read("light").sampled(filter="nearest")
    reg.read("absorbance").sampled(filter="nearest")
    reg.stable()
    pipeline = reg.graphics("oit_combine.frag", blend="transparent")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    summary = "Transparent surfaces without an order: nothing pops, and what crosses is right."
    return PluginInfo("oit", "0.2.0", summary, waits=True)


@hookimpl
def renderwright_settings() -> type[OitSettings]:
    """The settings' model."""
    return OitSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: OitSettings) -> None:
    """Replace the engine's node ``blended`` by three."""
    graph.add_node("absorb", lambda reg: absorb(reg, settings))
    graph.add_node("gather", lambda reg: gather(reg, settings))
    graph.add_node("combine", combine)
