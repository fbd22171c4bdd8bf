"""Whose a file is: a plugin's, the game's, or everybody's; and which folders have to be watched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from renderwright.engine.plugins import PluginHost, PluginStatus
from renderwright.engine.plugins.status import PluginState
from renderwright.engine.reload.modules import code_of, files_of, unimported_file

SHADER_SUFFIXES = (".glsl", ".vert", ".frag", ".comp")


@dataclass(frozen=True)
class PluginPlace:
    """Where the files of a plugin are. ``code`` is what is imported again, ``file`` the file of its module, ``package``
    the folder of its package, None for a single module."""

    name: str
    code: str
    file: Path
    package: Path | None

    def owns(self, path: Path) -> bool:
        """Whether a file is the plugin's."""
        if self.package is not None:
            return path.is_relative_to(self.package)
        return path == self.file or path.is_relative_to(self.file.parent / "glsl")

    def python_files(self) -> frozenset[Path]:
        """The files of its imported modules, and that of a module which cannot be imported."""
        return files_of(self.code) | {self.file}


def plugin_places(host: PluginHost, game: str) -> Iterator[PluginPlace]:
    """The places of all plugins that have been imported, or could not be. ``game`` is the game's module."""
    for status in host.plugins():
        place = _place(status, host.found(status.name).module, game)
        if place is not None:
            yield place


def _place(status: PluginStatus, module: str, game: str) -> PluginPlace | None:
    if not module or not (status.file or status.state is PluginState.BROKEN):
        return None
    file = Path(status.file) if status.file else unimported_file(module)
    if file is None:
        return None
    code = code_of(module, game)
    top = sys.modules.get(code)
    folder = file.parent if code != module or file.name == "__init__.py" or hasattr(top, "__path__") else None
    return PluginPlace(status.name, code, file, folder)


def game_files(folder: Path | None) -> frozenset[Path]:
    """The Python files of imported modules in the game's folder or below it, resolved."""
    if folder is None:
        return frozenset()
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    paths = (Path(file).resolve() for file in files if file is not None and file.endswith(".py"))
    return frozenset(path for path in paths if path.is_relative_to(folder))
