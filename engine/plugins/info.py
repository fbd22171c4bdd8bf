"""The description of a plugin."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass

from renderwright.engine.options import BackendName
from renderwright.engine.scene.placements import Placed
from renderwright.engine.scene.surface_shader import SurfaceShader
from renderwright.render.errors import PluginError
from renderwright.render.suggest import one_of

SUPPORTED_APIS = ("1",)
"""The versions of the plugin API that this version of renderwright has."""


@dataclass(frozen=True)
class PluginInfo:
    """A plugin's own description.

    ``name`` is the entry point's name and the namespace of the plugin's nodes. ``backends`` lists the supported
    backends (``vulkan``, ``opengl``, ``null``); empty means any. ``placed`` has the kinds of things that the plugin
    draws where a game places them (``Scene.placed``). ``surfaces`` has the surface functions that it brings for
    materials, with the values that their parameters have by default; their files are in its folder ``glsl``. ``waits``
    says that it waits for something else of a scene, such as transparent surfaces. A plugin with any of these may add
    nothing to a frame.
    ``api`` is the version of the plugin API that the plugin is written for; a plugin whose version is not in
    ``SUPPORTED_APIS`` is broken.
    """

    name: str
    version: str
    summary: str = ""
    backends: tuple[str, ...] = ()
    placed: tuple[type[Placed], ...] = ()
    waits: bool = False
    api: str = "1"
    surfaces: tuple[SurfaceShader, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``PluginError`` for a value of a wrong type, and for an unknown backend."""
        for field in ("name", "version", "summary", "api"):
            self._require(field, "a str", isinstance(getattr(self, field), str))
        backends, placed = self.backends, self.placed
        self._require(
            "backends", "a tuple of str", _is_tuple(backends) and all(isinstance(one, str) for one in backends)
        )
        known = tuple(BackendName)
        for unknown in (one for one in backends if one not in known):
            raise PluginError(
                f'backends of PluginInfo has "{unknown}", which is no backend', hint=one_of(unknown, known)
            )
        self._require("placed", "a tuple of types", _is_tuple(placed) and all(isinstance(one, type) for one in placed))
        surfaces = self.surfaces
        self._require(
            "surfaces",
            f'a tuple of SurfaceShader with plugin="{self.name}"',
            _is_tuple(surfaces) and all(isinstance(one, SurfaceShader) and one.plugin == self.name for one in surfaces),
        )
        self._require("waits", "a bool", isinstance(self.waits, bool))

    def _require(self, field: str, expected: str, fits: bool) -> None:
        if not fits:
            given = reprlib.repr(getattr(self, field))
            raise PluginError(f"{field} of PluginInfo is {given}, which is not {expected}", hint=f"give {expected}")


def _is_tuple(value: object) -> bool:
    return isinstance(value, tuple | list)
