"""The surface functions that a game has in its own files."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.game_class import skeleton_file
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.surface_shader import SurfaceShader
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend

SECONDS = 2.0
"""How long a game is played for the functions that its materials have."""
_FRAME = 1.0 / 30.0


@dataclass(frozen=True)
class GameSurfaces:
    """A game's skeleton, the plugins that it plays with, and its surface functions."""

    skeleton: str
    plugins: tuple[str, ...]
    surfaces: tuple[SurfaceShader, ...]

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of the files."""
        return tuple(dict.fromkeys(Path(surface.file).parent for surface in self.surfaces))


def game_surfaces(game: type[Game], module: str) -> GameSurfaces:
    """The surface functions of the materials in the first seconds of a game, and those that its modules have by name:
    ``module`` and those of its package. Functions of plugins and of other packages are left out.

    Propagates what the game raises.
    """
    with_all = dict.fromkeys([*_of_modules(module), *_of_scene(game)])
    own = [surface for surface in with_all if not surface.plugin and _belongs(Path(surface.file), module)]
    return GameSurfaces(str(skeleton_file(game)), tuple(game.plugins), tuple(own))


def _belongs(file: Path, module: str) -> bool:
    """Whether a file is the game's: below its package, or below the folder of its only module without a package in
    between. The folder of another package keeps what its author has compiled for it."""
    of_game = sys.modules[module]
    folder = Path(inspect.getfile(of_game)).resolve().parent
    if not file.is_relative_to(folder):
        return False
    between = [parent for parent in file.parents if parent != folder and parent.is_relative_to(folder)]
    return bool(of_game.__package__) or not any((parent / "__init__.py").is_file() for parent in between)


def _of_modules(module: str) -> Iterator[SurfaceShader]:
    for name, found in sorted(sys.modules.items()):
        if name == module or name.startswith(f"{module}."):
            yield from [value for value in vars(found).values() if isinstance(value, SurfaceShader)]


def _of_scene(game: type[Game]) -> Iterator[SurfaceShader]:
    """Those of the materials of a game that is played without a device, and with nobody at the controls."""
    clock = FixedStepClock(game.step, frame=_FRAME)
    session = Session(game, NullBackend(), (64, 36), choice=PluginChoice(), clock=clock)
    try:
        for _ in range(round(SECONDS / _FRAME)):
            surfaces = [material.surface for material in session.context.scene.materials()]
            yield from [surface for surface in surfaces if surface is not None]
            session.step()
    finally:
        session.close()
