"""The hooks that a plugin can implement. Each docstring names the version that introduced the hook.

A plugin is a module (or any object) named by an entry point of group ``renderwright``. Its hook functions are decorated
with ``@hookimpl`` and may omit arguments that they do not need:

    from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl

    @hookimpl
    def renderwright_info() -> PluginInfo:
        return PluginInfo("fog", "1.0", "Exponential height fog.")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar, overload

import pluggy

if TYPE_CHECKING:
    from pydantic import BaseModel

    from renderwright.engine.game import Hud
    from renderwright.engine.plugins.graph import PluginGraph
    from renderwright.engine.plugins.info import PluginInfo
    from renderwright.engine.plugins.scene_change import SceneChange
    from renderwright.engine.views import ViewSet
    from renderwright.render.backend.interop import Interop

PROJECT = "renderwright"

_Hook = TypeVar("_Hook", bound=Callable[..., object])


class HookMarker(Protocol):
    """The type of ``hookimpl``. It keeps a hook's type for type checkers that cannot see pluggy."""

    @overload
    def __call__(self, function: _Hook) -> _Hook: ...

    @overload
    def __call__(
        self, *, optionalhook: bool = ..., specname: str | None = ..., tryfirst: bool = ..., trylast: bool = ...
    ) -> Callable[[_Hook], _Hook]: ...


hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl: HookMarker = pluggy.HookimplMarker(PROJECT)
"""Marks a plugin's function as the implementation of the hook of the same name."""


@hookspec
def renderwright_info() -> PluginInfo:  # type: ignore[empty-body]
    """Describe this plugin. The default is the entry point's name and the distribution's version.

    Since 0.1.
    """


@hookspec
def renderwright_settings() -> type[BaseModel] | None:
    """The pydantic model of this plugin's settings, or None. Every field needs a default.

    Since 0.1.
    """


@hookspec
def renderwright_interop(settings: BaseModel | None) -> Interop | None:
    """The interop of another API that shares the device with the graph, or None.

    Called once before the device is opened, if the plugin is enabled at the start of the game, because device
    extensions cannot be enabled later. The plugin's other hooks receive the result as ``interop``; it is None if this
    hook was not called. It lives as long as the game. See ``renderwright.render.backend.interop``.

    Since 0.1.
    """


@hookspec
def renderwright_nodes(graph: PluginGraph, settings: BaseModel | None, interop: Interop | None) -> None:
    """Add this plugin's nodes to the frame graph.

    Called when the plugin is enabled, and again after each change of a setting; the new nodes replace the previous
    ones. ``settings`` is an instance of the model from ``renderwright_settings``. If this raises, none of the nodes is
    added and the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_setting_changed(key: str, settings: BaseModel | None, interop: Interop | None) -> None:
    """Called after a setting of this plugin has changed while the plugin is enabled: in the panel, or by ``--set``.

    ``settings`` has the new value of the field ``key``; ``renderwright_nodes`` has been called with it. If this raises,
    the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_begin_frame(time: float, settings: BaseModel | None, interop: Interop | None) -> None:
    """Called at the beginning of each frame, behind the game's steps and before views are arranged.

    ``time`` is how long the game has played, in seconds; it stands still while the game is paused. The end of the frame
    is ``renderwright_end_frame``. If this raises, the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_scene_changed(change: SceneChange, settings: BaseModel | None, interop: Interop | None) -> None:
    """Called at the beginning of a frame, behind ``renderwright_begin_frame``, if entities have come or gone.

    The first call after the plugin was enabled has all entities of the scene. If this raises, the plugin is
    quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_hud(hud: Hud, player: int, settings: BaseModel | None, interop: Interop | None) -> None:
    """Draw over the HUD of a player, counted from 0, when the game has drawn it.

    Called for each player in each frame, and once more if a HUD's size changes. ``hud`` is empty in each frame but for
    what the game and the plugins before have drawn. If this raises, the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_views(  # type: ignore[empty-body]
    views: ViewSet, settings: BaseModel | None, interop: Interop | None
) -> ViewSet:
    """Arrange the views of a frame: the cameras, their rectangles on the output, and splits such as eyes.

    Called in every frame. Each plugin receives the previous one's result. The initial set has the first camera on the
    whole output. ``views.cameras`` holds the cameras of all players. The hook is called again in the same frame if the
    size of a player's HUD changes. If this raises or returns invalid views, the plugin is quarantined.

    The order is that of names, in three groups: ``@hookimpl(tryfirst=True)`` for plugins that divide the output among
    players, a plain ``@hookimpl`` for plugins that change or split views, and ``@hookimpl(trylast=True)`` for displays,
    which show the views that they receive in their own way.

    Since 0.1.
    """


@hookspec
def renderwright_end_frame(rendered: bool, settings: BaseModel | None, interop: Interop | None) -> None:
    """Called at the end of each frame; ``renderwright_begin_frame`` is its beginning.

    ``rendered`` tells whether all of the frame's commands have been submitted. If it is false, none of them will run.
    If this raises, the plugin is quarantined.

    Since 0.1.
    """


@hookspec
def renderwright_disabled(settings: BaseModel | None, interop: Interop | None) -> None:
    """Called after this plugin has been disabled or quarantined and its nodes have been removed.

    Earlier frames may still use the plugin's resources on the device. Exceptions are logged.

    Since 0.1.
    """
