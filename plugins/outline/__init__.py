"""Outlines: lines at discontinuities of depth and normal."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.blobs import CameraView
from renderwright.render import Execute, Registry


class OutlineSettings(BaseModel):
    """User settings."""

    color: tuple[float, float, float] = Field((0.01, 0.008, 0.006), description="colour of the lines, linear")
    opacity: float = Field(0.9, ge=0.0, le=1.0, description="opacity of the lines")
    thickness: int = Field(1, ge=1, le=4, description="width of the lines, in texels")
    depth: float = Field(0.006, ge=0.001, le=1.0, description="depth threshold, as a share of the distance")
    angle: float = Field(0.6, ge=0.05, le=3.1, description="threshold of the angle between normals, in radians")


def draw_lines(reg: Registry, settings: OutlineSettings) -> Execute:
    """Draw lines. Early in the chain ``post_opaque``: all that follows treats lines as part of surfaces."""
    reg.chain("post_opaque", priority=2000)
    reg.read("depth").sampled(filter="nearest")
    reg.read("normal").sampled(filter="nearest").optional()
    reg.read("camera", CameraView)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("outline.frag")
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("outline", "0.1.0", "Dark lines at the edges and creases of surfaces, as in a drawing.")


@hookimpl
def renderwright_settings() -> type[OutlineSettings]:
    """The settings' model."""
    return OutlineSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: OutlineSettings) -> None:
    """Add one member of the chain ``post_opaque``."""
    graph.add_node("draw", lambda reg: draw_lines(reg, settings))
