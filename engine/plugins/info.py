"""The description of a plugin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PluginInfo:
    """A plugin's own description.

    ``name`` is the entry point's name and the namespace of the plugin's nodes. ``backends`` lists the supported
    backends (``vulkan``, ``null``, ...); empty means any.
    """

    name: str
    version: str
    summary: str = ""
    backends: tuple[str, ...] = ()
