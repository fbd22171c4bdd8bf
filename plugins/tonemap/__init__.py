"""Tone mapping: from linear HDR to display colour."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.tonemap.nodes import adapt, begin, measure, tonemap
from renderwright.plugins.tonemap.settings import TonemapSettings

__all__ = ["TonemapSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("tonemap", "0.1.0", "HDR to display colour: AgX, ACES or PBR Neutral, with exposure and dither.")


@hookimpl
def renderwright_settings() -> type[TonemapSettings]:
    """The settings' model."""
    return TonemapSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: TonemapSettings) -> None:
    """Add one member of the chain ``tone``; with ``auto_exposure``, also three nodes that compute its exposure."""
    if settings.auto_exposure:
        graph.add_node("begin", begin)
        graph.add_node("measure", lambda reg: measure(reg, settings))
        graph.add_node("adapt", lambda reg: adapt(reg, settings))
    graph.add_node("tonemap", lambda reg: tonemap(reg, settings))
