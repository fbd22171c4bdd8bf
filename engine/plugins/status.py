"""What the plugin host knows about each plugin."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel

from renderwright.engine.plugins.info import PluginInfo


class PluginState(StrEnum):
    """Where a plugin is in its life."""

    AVAILABLE = "available"
    """Installed and allowed; not switched on yet."""
    ENABLED = "enabled"
    """Its nodes are in the graph."""
    DISABLED = "disabled"
    """Switched off, by a person, the environment, or for want of the right backend."""
    QUARANTINED = "quarantined"
    """It failed while it ran; its nodes were taken out."""
    BROKEN = "broken"
    """It cannot be imported, or its hooks are wrong."""


@dataclass(frozen=True)
class PluginStatus:
    """One plugin at one moment.

    ``reason`` says in words why it is disabled, quarantined or broken; ``traceback`` is the whole traceback of what it
    raised. ``info`` and ``settings`` are None until it is imported. ``nodes`` are full names, in the graph right now.
    """

    name: str
    state: PluginState
    reason: str = ""
    distribution: str = ""
    version: str = ""
    info: PluginInfo | None = None
    settings: BaseModel | None = None
    nodes: tuple[str, ...] = ()
    traceback: str = ""
