"""Soft shadows: cascaded shadow maps for the sun, shadow maps for a few local lights."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.sun_maps import SUN_MAP_PLACES
from renderwright.plugins.shadows.banks import banks
from renderwright.plugins.shadows.cascades import CASCADES, sun_map_places
from renderwright.plugins.shadows.lamp_nodes import cull_lamp, draw_lamp, fit_local, follow_lamps, resolve_lamps
from renderwright.plugins.shadows.nodes import cull_cascade, draw_cascade, fit, follow_sun, resolve
from renderwright.plugins.shadows.settings import ShadowSettings

__all__ = ["ShadowSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo(
        "shadows", "0.1.0", "Shadows of sun and local lights: 4 stabilised, blended cascades with soft edges."
    )


@hookimpl
def renderwright_settings() -> type[ShadowSettings]:
    """The settings' model."""
    return ShadowSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: ShadowSettings) -> None:
    """Add nodes that fit and draw the maps and resolve them to ``sun_visibility`` and ``light_visibility``."""
    graph.add_node("follow_sun", follow_sun)
    graph.add_node("fit", lambda reg: fit(reg, settings), facts={SUN_MAP_PLACES: sun_map_places(settings)})
    for number in range(CASCADES):
        graph.add_node(f"cull_{number}", cull_cascade(number))
        graph.add_node(f"cascade_{number}", draw_cascade(number, settings))
        graph.add_node(f"masked_cascade_{number}", draw_cascade(number, settings, masked=True))
    graph.shadowed_lights = settings.lights
    for bank in banks(settings):
        graph.add_node(bank.node("lamps"), follow_lamps(bank))
        graph.add_node(bank.node("fit_local"), fit_local(bank, settings))
        for slot in bank.slots:
            graph.add_node(f"cull_lamp_{slot}", cull_lamp(slot))
            graph.add_node(f"draw_lamp_{slot}", draw_lamp(slot, settings))
            graph.add_node(f"draw_masked_lamp_{slot}", draw_lamp(slot, settings, masked=True))
        graph.add_node(bank.node("resolve_lamps"), resolve_lamps(bank, settings))
    graph.add_node("resolve", lambda reg: resolve(reg, settings))
