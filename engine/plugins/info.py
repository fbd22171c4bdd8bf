"""What a plugin says about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PluginInfo:
    """A plugin's own description.

    ``name`` is its entry point's name, which is also the namespace of its nodes. ``backends`` are the backends that it
    can run on (``vulkan``, ``null``, ...); empty means any.
    """

    name: str
    version: str
    summary: str = ""
    backends: tuple[str, ...] = ()
