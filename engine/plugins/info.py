"""The description of a plugin."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.scene.placements import Placed

SUPPORTED_APIS = ("1",)
"""The versions of the plugin API that this version of renderwright has."""


@dataclass(frozen=True)
class PluginInfo:
    """A plugin's own description.

    ``name`` is the entry point's name and the namespace of the plugin's nodes. ``backends`` lists the supported
    backends (``vulkan``, ``null``, ...); empty means any. ``placed`` has the kinds of things that the plugin draws
    where a game places them (``Scene.placed``). ``waits`` says that it waits for something else of a scene, such as
    transparent surfaces. A plugin with either may add nothing to a frame. ``api`` is the version of the plugin API that
    the plugin is written for; a plugin whose version is not in ``SUPPORTED_APIS`` is broken.
    """

    name: str
    version: str
    summary: str = ""
    backends: tuple[str, ...] = ()
    placed: tuple[type[Placed], ...] = ()
    waits: bool = False
    api: str = "1"
