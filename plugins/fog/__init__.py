"""Exponential height fog with scattered sunlight."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.air import Air
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.render import Commands, Execute, Registry


class FogSettings(BaseModel):
    """User settings."""

    density: float = Field(0.02, ge=0.0, le=1.0, description="extinction per metre at the base height")
    falloff: float = Field(0.15, ge=0.0, le=10.0, description="exponential falloff with height, per metre; 0: none")
    height: float = Field(0.0, ge=-1000.0, le=1000.0, description="base height in metres")
    start: float = Field(0.0, ge=0.0, le=1000.0, description="distance from the camera without fog, in metres")
    reach: float = Field(2000.0, ge=10.0, le=100000.0, description="distance assumed for the sky, in metres")
    opacity: float = Field(1.0, ge=0.0, le=1.0, description="largest opacity")
    color: tuple[float, float, float] = Field((1.0, 1.0, 1.0), description="scattering albedo, linear")
    sun: float = Field(1.0, ge=0.0, le=10.0, description="scale of the scattered sunlight; 1 is physical")
    glow: float = Field(0.7, ge=-0.95, le=0.95, description="forward scattering (Henyey-Greenstein's g)")


def air(reg: Registry, settings: FogSettings) -> Execute:
    """Describe the fog for nodes that draw transparent surfaces."""
    value = reg.create("air", Air)
    reg.stable()

    def execute(cmd: Commands) -> None:
        value.value = Air(**settings.model_dump())

    return execute


def veil(reg: Registry) -> Execute:
    """Blend fog over opaque surfaces and the sky: it is part of the scene, so lens effects follow."""
    reg.chain("post_opaque", priority=1500)
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    reg.read("lights", LightSet)
    reg.read("air", Air)
    reg.stable()
    pipeline = reg.fullscreen("fog.frag")
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("fog", "0.1.0", "Fog that thins out with height and glows around the sun.")


@hookimpl
def renderwright_settings() -> type[FogSettings]:
    """The settings' model."""
    return FogSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: FogSettings) -> None:
    """Add the blob ``air`` and one member of the chain ``post_opaque``."""
    graph.add_node("air", lambda reg: air(reg, settings))
    graph.add_node("veil", veil)
