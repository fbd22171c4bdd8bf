"""The hooks that a plugin can implement. Each one names the version that brought it.

A plugin is a module (or any object) that an entry point of group ``renderwright`` names. Its hook functions carry
``@hookimpl`` and may leave out arguments that they do not need:

    from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl

    @hookimpl
    def renderwright_info() -> PluginInfo:
        return PluginInfo("fog", "1.0", "Exponential height fog.")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from pydantic import BaseModel

    from renderwright.engine.plugins.graph import PluginGraph
    from renderwright.engine.plugins.info import PluginInfo
    from renderwright.engine.views import ViewSet
    from renderwright.render.backend.interop import Interop

PROJECT = "renderwright"
HOOK_PREFIX = "renderwright_"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a plugin's function as the implementation of the hook of the same name."""


@hookspec
def renderwright_info() -> PluginInfo:  # type: ignore[empty-body]
    """What this plugin is. Without it, the name and version of the installed distribution stand in.

    Since 0.1.
    """


@hookspec
def renderwright_settings() -> type[BaseModel] | None:
    """The pydantic model of this plugin's settings; every field needs a default. None when there are none.

    Since 0.1.
    """


@hookspec
def renderwright_interop(settings: BaseModel | None) -> Interop | None:
    """Who speaks for another API that this plugin brings to the device, or None.

    Called once, before the device is opened, if the plugin is to be on from the start of the game: extensions cannot
    be switched on later. What it returns is given to the plugin's other hooks as ``interop``, which is None if this was
    not called, and lives as long as the game does. See ``renderwright.render.backend.interop``.

    Since 0.1.
    """


@hookspec
def renderwright_nodes(graph: PluginGraph, settings: BaseModel | None, interop: Interop | None) -> None:
    """Add this plugin's nodes to the frame graph.

    Called when the plugin is enabled, and again with new ``settings`` whenever one changes: the nodes added then
    replace the ones from before. ``settings`` is an instance of the model from ``renderwright_settings``. If this
    raises, none of the nodes is added and the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_views(  # type: ignore[empty-body]
    views: ViewSet, settings: BaseModel | None, interop: Interop | None
) -> ViewSet:
    """Arrange the views of a frame: which cameras are shown, where on the output, split into eyes or not.

    Called for every frame, with what the enabled plugins before this one in the alphabet have made of the plainest set:
    the first camera over the whole output. ``views.cameras`` are those of all players. It is called again in the same
    frame when players' HUDs get another size. If this raises, or gives views that cannot be shown, the plugin is
    quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_end_frame(rendered: bool, settings: BaseModel | None, interop: Interop | None) -> None:
    """A frame is over whose views this plugin has arranged.

    ``rendered`` says whether its commands have been submitted, all of them; without, nothing of it will ever run. If
    this raises, the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_disabled(settings: BaseModel | None, interop: Interop | None) -> None:
    """This plugin has just been switched off or quarantined, and its nodes are out of the graph.

    Frames that use what it has made may still be running on the device. What this raises is logged.

    Since 0.1.
    """
