"""FXAA: edge smoothing of the tone-mapped picture in one pass.

After Timothy Lottes, "FXAA 3.11" (NVIDIA, 2011); coverage from the shapes of runs after Alexander Reshetov,
"Morphological Antialiasing" (High Performance Graphics 2009).
"""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.render import Execute, Registry


class FxaaSettings(BaseModel):
    """User settings. Contrast is that of the colour channel that differs most, as perceived, from 0 to 1."""

    contrast: float = Field(0.125, ge=0.05, le=0.5, description="edge threshold, as a share of the brighter side")
    floor: float = Field(0.04, ge=0.0, le=0.2, description="absolute edge threshold, to ignore noise in the dark")
    subpixel: float = Field(0.75, ge=0.0, le=1.0, description="subpixel smoothing: 0 sharp, 1 smooth")
    search: int = Field(12, ge=2, le=32, description="search steps along an edge; more smooth flatter slopes")


def smooth_edges(reg: Registry, settings: FxaaSettings) -> Execute:
    """Smooth edges. Late in the chain ``tone``: FXAA needs display colour, where contrast is perceived contrast."""
    reg.chain("tone", format="rgba8_srgb", size=reg.resolution("picture"), priority=-100)
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("fxaa.frag")
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("fxaa", "0.1.0", "Smooths jagged edges in the finished picture, in one cheap pass.")


@hookimpl
def renderwright_settings() -> type[FxaaSettings]:
    """The settings' model."""
    return FxaaSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: FxaaSettings) -> None:
    """Add one member of the chain ``tone``."""
    graph.add_node("smooth", lambda reg: smooth_edges(reg, settings))
