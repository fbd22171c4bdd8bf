"""Contact shadows: a short ray towards the sun for each texel, through the depth of the picture.

The picture does not show how thick things are: they are taken to be about as thick as they are wide.
"""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.render import Commands, Execute, Registry, Texture


class ContactShadowSettings(BaseModel):
    """User settings."""

    length: float = Field(0.15, ge=0.01, le=10.0, description="length of the rays, in metres")
    thickness: float = Field(0.15, ge=0.01, le=10.0, description="largest thickness of what is seen, in metres")
    steps: int = Field(24, ge=4, le=128, description="depth samples along a ray")
    bias: float = Field(1.0, ge=0.0, le=4.0, description="offset of rays along the normal, in texels")
    strength: float = Field(1.0, ge=0.0, le=1.0, description="share of the sunlight that is taken away")


def march(reg: Registry, settings: ContactShadowSettings) -> Execute:
    """Write the share of the sun that each texel sees past what is near it, from 0 to 1."""
    reg.create("contact_visibility", Texture("r8_unorm", reg.resolution("main_view"))).color()
    reg.read("depth").sampled(filter="nearest")
    reg.read("normal").sampled(filter="nearest").optional()
    reg.read("camera", CameraView)
    lights = reg.read("lights", LightSet)
    # "length" is a function of GLSL.
    reg.uniform("settings", {**settings.model_dump(exclude={"length"}), "length_": settings.length})
    reg.queue("compute", "graphics")
    reg.stable()
    pipeline = reg.fullscreen("contact_shadows.frag")

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline, casts=int(lights.value.sun_casts_shadow))

    return execute


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo(
        "contact_shadows", "0.1.0", "Fine shadows of the sun where things touch, from the picture's depth."
    )


@hookimpl
def renderwright_settings() -> type[ContactShadowSettings]:
    """The settings' model."""
    return ContactShadowSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: ContactShadowSettings) -> None:
    """Add a node that makes ``contact_visibility``, which the engine's lighting reads."""
    graph.add_node("march", lambda reg: march(reg, settings))
