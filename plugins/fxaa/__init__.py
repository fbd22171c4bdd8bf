"""FXAA: smooths edges in the finished picture, after Lottes' FXAA 3.11."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.render import Execute, Registry


class FxaaSettings(BaseModel):
    """What can be chosen. Brightness is perceived brightness from 0 to 1."""

    contrast: float = Field(0.125, ge=0.05, le=0.5, description="least step of an edge, as a share of its bright side")
    floor: float = Field(0.04, ge=0.0, le=0.2, description="least step of an edge at all, so that dark noise stays")
    subpixel: float = Field(0.75, ge=0.0, le=1.0, description="how much single texels are softened: 0 sharp, 1 smooth")
    search: int = Field(12, ge=2, le=32, description="steps along an edge; more smooth flatter slopes")


def smooth_edges(reg: Registry, settings: FxaaSettings) -> Execute:
    """Last of the chain ``tone``: it looks at display colour, where steps are as large as they appear."""
    reg.chain("tone", format="rgba8_srgb", size=reg.resolution("main_view"), priority=-100)
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics("fxaa.frag")
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
    """One member of the chain ``tone``."""
    graph.add_node("smooth", lambda reg: smooth_edges(reg, settings))
