"""The hooks that a plugin can implement. Each one names the version that brought it.

A plugin is a module (or any object) that an entry point of group ``framewright`` names. Its hook functions carry
``@hookimpl`` and may leave out arguments that they do not need:

    from engine.plugins import PluginGraph, PluginInfo, hookimpl

    @hookimpl
    def framewright_info() -> PluginInfo:
        return PluginInfo("fog", "1.0", "Exponential height fog.")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from pydantic import BaseModel

    from engine.plugins.graph import PluginGraph
    from engine.plugins.info import PluginInfo
    from engine.views import ViewSet

PROJECT = "framewright"
HOOK_PREFIX = "framewright_"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a plugin's function as the implementation of the hook of the same name."""


@hookspec
def framewright_info() -> PluginInfo:  # type: ignore[empty-body]
    """What this plugin is. Without it, the name and version of the installed distribution stand in.

    Since 0.1.
    """


@hookspec
def framewright_settings() -> type[BaseModel] | None:
    """The pydantic model of this plugin's settings; every field needs a default. None when there are none.

    Since 0.1.
    """


@hookspec
def framewright_nodes(graph: PluginGraph, settings: BaseModel | None) -> None:
    """Add this plugin's nodes to the frame graph.

    Called when the plugin is enabled, and again with new ``settings`` whenever one changes: the nodes added then
    replace the ones from before. ``settings`` is an instance of the model from ``framewright_settings``. If this
    raises, none of the nodes is added and the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def framewright_views(views: ViewSet, settings: BaseModel | None) -> ViewSet:  # type: ignore[empty-body]
    """Arrange the views of a frame: which cameras are shown, where on the output, split into eyes or not.

    Called for every frame, with what the enabled plugins before this one in the alphabet have made of the plainest set:
    the first camera over the whole output. ``views.cameras`` are those of all players. If this raises, or gives views
    that cannot be shown, the plugin is quarantined.

    Since 0.1.
    """
