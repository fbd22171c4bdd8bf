"""Interops of plugins, collected before the device is opened."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence, Set

from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.discovery import FoundPlugin, find_plugins, refusal
from renderwright.engine.plugins.hook_times import HookTimes
from renderwright.engine.plugins.loading import PluginLoader
from renderwright.engine.plugins.remembered import with_remembered
from renderwright.engine.plugins.settings import changed_settings
from renderwright.render.backend.interop import Interop, SharingBackend
from renderwright.render.errors import CODE_FAILURES, PluginError

_log = logging.getLogger("renderwright.plugins")


class FailedInterop:
    """The interop of a plugin whose hook has failed.

    The device opens without it, and the host quarantines the plugin.
    """

    def __init__(self, plugin: str, error: BaseException) -> None:
        self.name = plugin
        self.error = error

    def instance_extensions(self, present: Set[str]) -> Sequence[str]:
        """Raise the hook's error: there is nothing to share the device with."""
        raise PluginError(f"no interop: {self.error}") from self.error

    def physical_device(self, instance: int) -> int:
        """See ``Interop``."""
        return 0

    def device_extensions(self) -> Sequence[str]:
        """See ``Interop``."""
        return ()

    def opened(self, backend: SharingBackend) -> None:
        """See ``Interop``."""

    def closing(self) -> None:
        """See ``Interop``."""

    def refused(self, error: Exception) -> None:
        """See ``Interop``."""


def find_interops(
    default: Sequence[str],
    choice: PluginChoice,
    found: Sequence[FoundPlugin] | None = None,
    environment: Mapping[str, str] | None = None,
    times: HookTimes | None = None,
) -> dict[str, Interop]:
    """Interops (hook ``renderwright_interop``) of the plugins that are enabled at the start, by plugin name.

    ``default`` names the game's plugins. A plugin whose import or settings fail has none; the plugin host reports the
    error when it starts the plugin. One whose hook fails has a ``FailedInterop``. ``times`` collects the hooks'
    times.
    """
    variables = os.environ if environment is None else environment
    plugins = {plugin.name: plugin for plugin in (find_plugins() if found is None else found)}
    loader = PluginLoader(times)
    interops: dict[str, Interop] = {}
    for name in dict.fromkeys((*default, *choice.enable)):
        if name not in plugins or name in choice.disable or refusal(name, variables):
            continue
        try:
            loaded = loader.load(plugins[name])
            settings, _ = with_remembered(name, loaded.settings, choice.remembered)
            for change in choice.settings:
                if change.plugin == name:
                    settings = changed_settings(name, settings, change.key, change.value)
        except CODE_FAILURES as error:
            _log.debug('plugin "%s" has no interop because of an error: %s', name, error)
            continue
        try:
            interop = loaded.interop(settings)
        except CODE_FAILURES as error:
            interop = FailedInterop(name, error)
        if interop is not None:
            interops[name] = interop
    return interops
