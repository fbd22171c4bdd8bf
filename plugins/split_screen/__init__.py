"""Split screen: the views of up to four players on one output, each with its HUD.

With one player nothing changes. Views are of one size, so that they share their textures' resolution; what no view
covers has the separators' colour.
"""

from __future__ import annotations

from engine.plugins import PluginGraph, PluginInfo, hookimpl
from engine.views import View, ViewSet
from plugins.split_screen.layout import MOST_PLAYERS, rectangles
from plugins.split_screen.nodes import separators
from plugins.split_screen.settings import SplitScreenSettings

__all__ = ["SplitScreenSettings", "framewright_info", "framewright_nodes", "framewright_settings", "framewright_views"]


@hookimpl
def framewright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("split_screen", "0.1.0", "Two to four players on one screen, each with a view and a HUD.")


@hookimpl
def framewright_settings() -> type[SplitScreenSettings]:
    """The settings' model."""
    return SplitScreenSettings


@hookimpl
def framewright_views(views: ViewSet, settings: SplitScreenSettings) -> ViewSet:
    """A rectangle for each of the first four cameras."""
    cameras = views.cameras[:MOST_PLAYERS]
    if len(cameras) == 1:
        return views
    places = rectangles(settings.layout, len(cameras), views.output, settings.gap(views.output))
    pairs = zip(cameras, places, strict=True)
    return views.showing(tuple(View.of(camera, place, player) for player, (camera, place) in enumerate(pairs)))


@hookimpl
def framewright_nodes(graph: PluginGraph, settings: SplitScreenSettings) -> None:
    """One node, behind the views' pictures."""
    graph.add_node("separators", lambda reg: separators(reg, settings))
