"""Interops of plugins, collected before the device is opened."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence

from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.discovery import FoundPlugin, find_plugins, refusal
from renderwright.engine.plugins.loading import PluginLoader
from renderwright.engine.plugins.settings import changed_settings
from renderwright.render.backend.interop import Interop

_log = logging.getLogger("renderwright.plugins")


def find_interops(
    default: Sequence[str],
    choice: PluginChoice,
    found: Sequence[FoundPlugin] | None = None,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Interop]:
    """Interops (hook ``renderwright_interop``) of the plugins that are enabled at the start, by plugin name.

    ``default`` names the game's plugins. A plugin whose import, settings or hook fails has none; the plugin host
    reports the error when it starts the plugin.
    """
    variables = os.environ if environment is None else environment
    plugins = {plugin.name: plugin for plugin in (find_plugins() if found is None else found)}
    loader = PluginLoader()
    interops = {}
    for name in dict.fromkeys((*default, *choice.enable)):
        if name not in plugins or name in choice.disable or refusal(name, variables):
            continue
        try:
            loaded = loader.load(plugins[name])
            settings = loaded.settings
            for change in choice.settings:
                if change.plugin == name:
                    settings = changed_settings(name, settings, change.key, change.value)
            interop = loaded.interop(settings)
        except (Exception, SystemExit) as error:
            _log.debug('plugin "%s" has no interop because of an error: %s', name, error)
        else:
            if interop is not None:
                interops[name] = interop
    return interops
