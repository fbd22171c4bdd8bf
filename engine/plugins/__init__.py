"""The plugin host, and what a plugin author needs: ``hookimpl``, ``PluginInfo``, ``PluginGraph``."""

from engine.plugins.discovery import FoundPlugin, find_plugins
from engine.plugins.graph import NodeSink, PluginGraph
from engine.plugins.hookspecs import hookimpl
from engine.plugins.host import PluginHost
from engine.plugins.info import PluginInfo
from engine.plugins.interops import find_interops
from engine.plugins.settings import Setting, describe_settings
from engine.plugins.status import PluginState, PluginStatus

__all__ = [
    "FoundPlugin",
    "NodeSink",
    "PluginGraph",
    "PluginHost",
    "PluginInfo",
    "PluginState",
    "PluginStatus",
    "Setting",
    "describe_settings",
    "find_interops",
    "find_plugins",
    "hookimpl",
]
