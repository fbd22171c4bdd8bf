"""Split screen: the views of up to four players on one output, each with its HUD.

With one player nothing changes. All views have the same size, so that they share one texture resolution. The
separators' colour fills the rest of the output.
"""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.views import View, ViewSet
from renderwright.plugins.split_screen.layout import MOST_PLAYERS, rectangles
from renderwright.plugins.split_screen.nodes import separators
from renderwright.plugins.split_screen.settings import SplitScreenSettings

__all__ = [
    "SplitScreenSettings",
    "renderwright_info",
    "renderwright_nodes",
    "renderwright_settings",
    "renderwright_views",
]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("split_screen", "0.1.0", "Two to four players on one screen, each with a view and a HUD.")


@hookimpl
def renderwright_settings() -> type[SplitScreenSettings]:
    """The settings' model."""
    return SplitScreenSettings


@hookimpl(tryfirst=True)
def renderwright_views(views: ViewSet, settings: SplitScreenSettings) -> ViewSet:
    """Give each of the first four cameras a rectangle of the output."""
    cameras = views.cameras[:MOST_PLAYERS]
    if len(cameras) == 1:
        return views
    places = rectangles(settings.layout, len(cameras), views.output, settings.gap(views.output))
    pairs = zip(cameras, places, strict=True)
    return views.showing(tuple(View.of(camera, place, player) for player, (camera, place) in enumerate(pairs)))


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: SplitScreenSettings) -> None:
    """Add the node that draws the separators."""
    graph.add_node("separators", lambda reg: separators(reg, settings))
