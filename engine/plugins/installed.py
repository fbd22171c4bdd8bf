"""The installed plugins, and which of them the environment refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from renderwright.engine.plugins.discovery import (
    ALLOW_VARIABLE,
    FoundPlugin,
    refusal,
    report_duplicates,
    unknown_names,
)
from renderwright.engine.plugins.status import PluginState, PluginStatus
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean


class InstalledPlugins:
    """The found plugins by name, without two of one name.

    ``variables`` hold the allow and block lists. Raises ``UsageError`` if the allow list names a plugin that is not
    there, and, if ``strict``, for two plugins of one name.
    """

    def __init__(self, found: Sequence[FoundPlugin], variables: Mapping[str, str], *, strict: bool) -> None:
        self._found = {plugin.name: plugin for plugin in found}
        unknown = unknown_names(self._found, variables)
        if unknown:
            names = ", ".join(f'"{name}"' for name in unknown)
            raise UsageError(
                f"{ALLOW_VARIABLE} names plugins that are not installed: {names}",
                hint=did_you_mean(unknown[0], self._found),
            )
        report_duplicates(self._found.values(), strict=strict)
        refused = {name: refusal(name, variables) for name in self._found}
        self._refused = {name: reason for name, reason in refused.items() if reason}

    def __getitem__(self, name: str) -> FoundPlugin:
        return self._found[name]

    def is_refused(self, name: str) -> bool:
        """Whether the environment refuses a plugin."""
        return name in self._refused

    def require_allowed(self, name: str) -> None:
        """Raise ``UsageError`` for a plugin that the environment refuses."""
        if name in self._refused:
            raise UsageError(f'plugin "{name}" is {self._refused[name]}', hint="change that variable, or unset it")

    def statuses(self) -> dict[str, PluginStatus]:
        """By name, the status of each plugin before it is imported."""
        return {name: self._status(plugin) for name, plugin in self._found.items()}

    def _status(self, plugin: FoundPlugin) -> PluginStatus:
        reason = self._refused.get(plugin.name, "")
        state = PluginState.DISABLED if reason else PluginState.AVAILABLE
        return PluginStatus(plugin.name, state, reason, plugin.distribution, plugin.version)
