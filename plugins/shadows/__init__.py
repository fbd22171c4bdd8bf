"""Soft shadows: cascaded shadow maps for the sun, shadow maps for a few spot and point lights."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.shadows.cascades import CASCADES
from renderwright.plugins.shadows.nodes import (
    cull_cascade,
    cull_lamp,
    draw_cascade,
    draw_lamp,
    fit,
    fit_local,
    resolve,
    resolve_lamps,
)
from renderwright.plugins.shadows.settings import ShadowSettings

__all__ = ["ShadowSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo(
        "shadows", "0.1.0", "Shadows of sun, spot and point lights: 4 stabilised, blended cascades with soft edges."
    )


@hookimpl
def renderwright_settings() -> type[ShadowSettings]:
    """The settings' model."""
    return ShadowSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: ShadowSettings) -> None:
    """Add nodes that fit and draw the maps and resolve them to ``sun_visibility`` and ``light_visibility``."""
    graph.add_node("fit", lambda reg: fit(reg, settings))
    for number in range(CASCADES):
        graph.add_node(f"cull_{number}", cull_cascade(number))
        graph.add_node(f"cascade_{number}", draw_cascade(number, settings))
        graph.add_node(f"masked_cascade_{number}", draw_cascade(number, settings, masked=True))
    if settings.lights:
        graph.add_node("fit_local", lambda reg: fit_local(reg, settings))
        for channel in range(settings.lights):
            graph.add_node(f"cull_lamp_{channel}", cull_lamp(channel))
            graph.add_node(f"draw_lamp_{channel}", draw_lamp(channel, settings))
            graph.add_node(f"draw_masked_lamp_{channel}", draw_lamp(channel, settings, masked=True))
        graph.add_node("resolve_lamps", lambda reg: resolve_lamps(reg, settings))
    graph.add_node("resolve", lambda reg: resolve(reg, settings))
