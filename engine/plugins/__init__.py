"""The plugin host and the API of plugin authors: ``hookimpl``, ``PluginInfo``, ``PluginGraph``."""

from renderwright.engine.plugins.discovery import FoundPlugin, find_plugins
from renderwright.engine.plugins.graph import NodeSink, PluginGraph
from renderwright.engine.plugins.hookspecs import hookimpl
from renderwright.engine.plugins.host import PluginHost
from renderwright.engine.plugins.info import PluginInfo
from renderwright.engine.plugins.interops import find_interops
from renderwright.engine.plugins.scene_change import SceneChange
from renderwright.engine.plugins.settings import Setting, describe_settings
from renderwright.engine.plugins.status import PluginState, PluginStatus

__all__ = [
    "FoundPlugin",
    "NodeSink",
    "PluginGraph",
    "PluginHost",
    "PluginInfo",
    "PluginState",
    "PluginStatus",
    "SceneChange",
    "Setting",
    "describe_settings",
    "find_interops",
    "find_plugins",
    "hookimpl",
]
