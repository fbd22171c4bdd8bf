"""Shadows of the sun: cascaded shadow maps, filtered."""

from engine.plugins import PluginGraph, PluginInfo, hookimpl
from plugins.shadows.nodes import fit, render, resolve
from plugins.shadows.settings import ShadowSettings

__all__ = ["ShadowSettings", "framewright_info", "framewright_nodes", "framewright_settings"]


@hookimpl
def framewright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("shadows", "0.1.0", "Shadows of the sun: 4 stabilised, blended cascades with soft edges.")


@hookimpl
def framewright_settings() -> type[ShadowSettings]:
    """The settings' model."""
    return ShadowSettings


@hookimpl
def framewright_nodes(graph: PluginGraph, settings: ShadowSettings) -> None:
    """Fit the cascades, render them, and resolve them to the resource ``sun_visibility``."""
    graph.add_node("fit", lambda reg: fit(reg, settings))
    graph.add_node("render", lambda reg: render(reg, settings))
    graph.add_node("resolve", lambda reg: resolve(reg, settings))
