"""What a game may do with plugins while it runs: switch them and change their settings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from renderwright.engine.caller import caller_location
from renderwright.engine.options import SettingChange

if TYPE_CHECKING:
    from renderwright.engine.session import Session


class Effects(Protocol):
    """The plugins of a running game. A user may switch them, too, so a game asks before it shows a state."""

    def is_on(self, plugin: str) -> bool:
        """Whether a plugin is on, or will be once its code has been imported. Raises ``UsageError`` for no plugin."""

    def switch(self, plugin: str, *, on: bool) -> None:
        """Switch a plugin on or off; its settings stay. Raises ``UsageError`` if the environment refuses it."""

    def set(self, plugin: str, key: str, value: object) -> None:
        """Change a setting. A plugin that was never on begins with it. Raises ``UsageError`` for an invalid value, of a
        plugin whose code has not been imported only when it is switched on, and then only if strict."""


class NoEffects:
    """Those of a host without plugins: what a game has switched ``on``, and its ``settings`` by plugin and key."""

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.settings: dict[tuple[str, str], object] = {}

    def is_on(self, plugin: str) -> bool:
        """Whether the game has switched it on."""
        return plugin in self.on

    def switch(self, plugin: str, *, on: bool) -> None:
        """Remember it."""
        (self.on.add if on else self.on.discard)(plugin)

    def set(self, plugin: str, key: str, value: object) -> None:
        """Remember it."""
        self.settings[plugin, key] = value


class SessionEffects:
    """Those of a session. What changes shows when the plan of the frame is ready."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_on(self, plugin: str) -> bool:
        """See ``Effects``."""
        return self._session.plugins.is_enabled(plugin) or self._is_arriving(plugin)

    def switch(self, plugin: str, *, on: bool) -> None:
        """See ``Effects``."""
        if self.is_on(plugin) != on:
            self._session.toggle(plugin)

    def set(self, plugin: str, key: str, value: object) -> None:
        """See ``Effects``."""
        host = self._session.plugins
        host.status(plugin)  # refuses an unknown one
        if host.found(plugin).module in sys.modules and not self._is_arriving(plugin):
            host.load(plugin)  # imports nothing anew, and knows its settings
        if host.loaded(plugin) is None:
            host.remembered = (*host.remembered, SettingChange(plugin, key, value, caller_location()))
        else:
            host.set(plugin, key, value)

    def _is_arriving(self, plugin: str) -> bool:
        """Whether a thread is importing its code; the game does not wait for that."""
        return self._session.arrivals is not None and plugin in self._session.arrivals.names
