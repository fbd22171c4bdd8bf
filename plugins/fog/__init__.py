"""Fog: thins out with height, glows around the sun."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.render import Execute, Registry


class FogSettings(BaseModel):
    """What can be chosen."""

    density: float = Field(0.02, ge=0.0, le=1.0, description="light lost per metre at the base height")
    falloff: float = Field(0.15, ge=0.0, le=10.0, description="how fast it thins out upwards, per metre; 0: not at all")
    height: float = Field(0.0, ge=-1000.0, le=1000.0, description="the base height, in metres")
    start: float = Field(0.0, ge=0.0, le=1000.0, description="metres from the camera that stay clear")
    reach: float = Field(2000.0, ge=10.0, le=100000.0, description="how far away the sky counts as, in metres")
    opacity: float = Field(1.0, ge=0.0, le=1.0, description="the most that it may hide")
    color: tuple[float, float, float] = Field((1.0, 1.0, 1.0), description="what it scatters of the light, linear")
    sun: float = Field(1.0, ge=0.0, le=10.0, description="how much of the sun's light it scatters; 1 is natural")
    glow: float = Field(0.7, ge=-0.95, le=0.95, description="how much it scatters onward (Henyey-Greenstein's g)")


def veil(reg: Registry, settings: FogSettings) -> Execute:
    """Early in the chain ``post_hdr``: fog belongs to the scene, so lenses and bloom come after it."""
    reg.chain("post_hdr", priority=1500)
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    reg.read("lights", LightSet)
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics("fog.frag")
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
    """One member of the chain ``post_hdr``."""
    graph.add_node("veil", lambda reg: veil(reg, settings))
