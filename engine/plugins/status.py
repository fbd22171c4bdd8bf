"""Status of each plugin in the plugin host."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel

from renderwright.engine.plugins.info import PluginInfo


class PluginState(StrEnum):
    """State of a plugin."""

    AVAILABLE = "available"
    """Installed and allowed; not enabled yet."""
    ENABLED = "enabled"
    """Its nodes are in the graph."""
    DISABLED = "disabled"
    """Disabled by the user or the environment, or because it does not support the backend."""
    QUARANTINED = "quarantined"
    """It failed at runtime; its nodes have been removed."""
    BROKEN = "broken"
    """It cannot be imported, or its hooks are invalid."""


@dataclass(frozen=True)
class PluginStatus:
    """One plugin at one moment.

    ``reason`` tells why it is disabled, quarantined or broken. ``traceback`` is the full traceback of its exception.
    ``info`` and ``settings`` are None until it is imported, ``hooks`` (the hooks that it implements) and ``file`` (the
    file of its code) empty. ``nodes`` holds the full names of its nodes in the graph, ``shadowed_lights`` what its
    ``PluginGraph`` says.
    """

    name: str
    state: PluginState
    reason: str = ""
    distribution: str = ""
    version: str = ""
    info: PluginInfo | None = None
    settings: BaseModel | None = None
    nodes: tuple[str, ...] = ()
    shadowed_lights: int | None = None
    traceback: str = ""
    hooks: tuple[str, ...] = ()
    file: str = ""

    @property
    def failed(self) -> bool:
        """Whether it is quarantined or broken."""
        return self.state in (PluginState.QUARANTINED, PluginState.BROKEN)
