"""Mirrors: flat glass that a game places, which shows the scene at a rate of its own."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.mirrors.mirror import Mirror
from renderwright.plugins.mirrors.nodes import add_mirrors
from renderwright.plugins.mirrors.settings import MirrorSettings

__all__ = [
    "Mirror",
    "MirrorSettings",
    "renderwright_info",
    "renderwright_nodes",
    "renderwright_settings",
]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("mirrors", "0.1.0", "Flat mirrors that show the scene at a rate of their own.", placed=(Mirror,))


@hookimpl
def renderwright_settings() -> type[MirrorSettings]:
    """The settings' model."""
    return MirrorSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: MirrorSettings) -> None:
    """Add the nodes that take a mirror's picture, and the one that shows it."""
    add_mirrors(graph, settings)
