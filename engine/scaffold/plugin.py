"""New plugins."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from renderwright.engine.plugins import find_plugins
from renderwright.engine.scaffold.names import check_name, check_not_installed, distribution_name
from renderwright.engine.scaffold.package import Package, files_of
from renderwright.render.errors import UsageError


class PluginKind(StrEnum):
    """What a new plugin does."""

    FULLSCREEN = "fullscreen"
    """An effect on the picture: one full-screen node in a chain."""
    COMPUTE = "compute"
    """A compute node, and a full-screen node that uses its result."""
    GEOMETRY = "geometry"
    """A mesh of its own in the scene."""
    VIEW = "view"
    """Other rectangles for the views."""


@dataclass(frozen=True)
class _Words:
    """What the texts that all kinds share say of one kind. ``setting`` is an example for ``--set``, ``see`` what the
    picture shows."""

    summary: str
    setting: str
    parts: str
    see: str


_WORDS = {
    PluginKind.FULLSCREEN: _Words(
        "Darkens the corners of the picture.",
        "strength=0.9",
        "the settings, the node and the hooks",
        "Then the corners are dark.",
    ),
    PluginKind.COMPUTE: _Words(
        "Softens the picture, as a soft-focus lens does.",
        "strength=0.9",
        "the settings, both nodes and the hooks",
        "Then edges are soft.",
    ),
    PluginKind.GEOMETRY: _Words(
        "Draws a glowing ball in the scene.",
        "radius=0.5",
        "the settings, the mesh, both nodes and the hooks",
        "Then an orange ball is 1 m above the origin of the scene.",
    ),
    PluginKind.VIEW: _Words(
        "Shows each view in the format of cinemas.",
        "aspect=3.0",
        "the settings and the hooks",
        "Then black bars are above and below the picture, and with `--views 2` around each player's.",
    ),
}

_COMPILING = (
    " `renderwright precompile {name}` compiles the shaders ahead, so that\n"
    "machines without `glslc` can play the plugin."
)


def new_plugin(name: str, kind: PluginKind = PluginKind.FULLSCREEN) -> Package:
    """The package of a plugin. Raises ``UsageError`` if the name cannot be used or is taken."""
    check_name(name)
    for found in find_plugins():
        if found.name == name:
            raise UsageError(
                f'a plugin "{name}" is installed already, by {found.distribution} {found.version}',
                hint="choose another name; renderwright plugins list shows all that are taken",
            )
    distribution, module = distribution_name(name), f"{name}_plugin"
    check_not_installed(distribution, module)
    of_kind = _WORDS[kind]
    words = {
        "name": name,
        "distribution": distribution,
        "module": module,
        "summary": of_kind.summary,
        "setting": f"{name}.{of_kind.setting}",
        "parts": of_kind.parts,
        "see": of_kind.see,
        "compiling": "" if kind is PluginKind.VIEW else _COMPILING.format(name=name),
    }
    commands = (
        f"pip install -e ./{name}",
        f"renderwright play marbles --enable {name} --strict",
        f"python -m pytest ./{name}",
    )
    return Package(name, files_of("plugin", f"plugin_{kind}", words=words), commands)
