"""Order-independent transparency: blended surfaces are added up with weights, in no order, instead of being sorted.

After McGuire and Bavoil 2013 ("Weighted Blended Order-Independent Transparency").
"""

from __future__ import annotations

from pydantic import BaseModel, Field

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

    reach: float = Field(
        5.0, ge=0.01, le=10000.0, description="distance at which a surface has the weight 1, in metres"
    )


def gather(reg: Registry, settings: OitSettings) -> Execute:
    """Add up the weighted light of all blended surfaces, and the logarithms of what they let through."""
    reg.replaces("blended")
    reg.multiview("eye")
    size = reg.resolution("main_view")
    reg.create("oit/light", Texture("rgba16_sfloat", size)).color(clear=(0.0, 0.0, 0.0, 0.0))
    reg.create("oit/thickness", Texture("r16_sfloat", size)).color(clear=(0.0, 0.0, 0.0, 0.0))
    reg.read("depth").depth_read()
    reg.read("camera", CameraView)
    request_lights(reg)
    request_air(reg)
    reg.read(BEHIND_GLASS).sampled().optional(otherwise=0.0)
    request_environment(reg)
    request_sun_maps(reg, "fragment")
    scene = request_scene(reg, visible=VISIBLE, alpha="blend")
    request_any_surfaces(reg)
    reg.uniform("settings", settings)
    reg.stable()
    pipelines = MeshPipelines.declare(
        reg, "transparent.frag", scene=scene, defines={"UNORDERED": 1}, depth_test="greater_equal", blend="add"
    )

    def execute(cmd: Commands) -> None:
        draw_scene(cmd, scene, pipelines)

    return execute


def combine(reg: Registry) -> Execute:
    """Draw the weighted mean of the surfaces over what is behind them."""
    reg.modify("hdr").color()
    reg.read("light").sampled(filter="nearest")
    reg.read("thickness").sampled(filter="nearest")
    reg.stable()
    pipeline = reg.graphics("oit_combine.frag", blend="transparent")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    summary = "Transparent surfaces without an order: nothing pops, at the price of exactness."
    return PluginInfo("oit", "0.1.0", summary, waits=True)


@hookimpl
def renderwright_settings() -> type[OitSettings]:
    """The settings' model."""
    return OitSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: OitSettings) -> None:
    """Replace the engine's node ``blended`` by two."""
    graph.add_node("gather", lambda reg: gather(reg, settings))
    graph.add_node("combine", combine)
