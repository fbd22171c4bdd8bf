"""Decals: images that a game projects onto surfaces, such as stains, marks, signs and bullet holes."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.decals.decal import Decal
from renderwright.plugins.decals.nodes import add_decals
from renderwright.plugins.decals.settings import DecalSettings

__all__ = [
    "Decal",
    "DecalSettings",
    "renderwright_info",
    "renderwright_nodes",
    "renderwright_settings",
]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    summary = "Images projected onto opaque surfaces before these are lit (deferred skeleton)."
    return PluginInfo("decals", "0.1.0", summary, placed=(Decal,))


@hookimpl
def renderwright_settings() -> type[DecalSettings]:
    """The settings' model."""
    return DecalSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: DecalSettings) -> None:
    """Add nodes that draw decals into the G-buffer, one for each property of surfaces that decals change."""
    add_decals(graph, settings)
