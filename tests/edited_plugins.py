"""A plugin in a folder that tests edit while a game runs. Every test may import this."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.reload import PreferencesPlace, Reloader
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.runtime.plans.beside import Worker
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.shaders.source_files import HeldFiles
from renderwright.render.types.resources import Extent

NAME = "edited"
MODULE = "edited_plugin"
EXTENT = (24, 16)

PYTHON = '''"""A plugin that tests edit."""

from pydantic import BaseModel, Field
from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.render import Execute, Registry


class Settings(BaseModel):
    """User settings."""

    strength: float = Field(0.25, ge=0.0, le=1.0)


def lighten(reg: Registry, settings: Settings) -> Execute:
    """Add light."""
    reg.chain("post_hdr")
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("edited.frag")
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info() -> PluginInfo:
    return PluginInfo("edited", "0.1.0", "Adds light.")


@hookimpl
def renderwright_settings() -> type[Settings]:
    return Settings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: Settings) -> None:
    graph.add_node("lighten", lambda reg: lighten(reg, settings))
'''

SHADER = """#version 450
#include "tint.glsl"

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform Settings {
    float strength;
} settings;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    color = texture(source, uv) + vec4(tint() * settings.strength * uv.x, 0.0);
}
"""

TINT = """vec3 tint() {
    return vec3(1.0, 0.5, 0.25);
}
"""


class Empty(Game):
    """Nothing but a background."""

    title = "Empty"
    skeleton = "flat"
    plugins = (NAME,)


class PluginFiles:
    """The files of the plugin."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / MODULE / "__init__.py"
        self.shader = folder / MODULE / "glsl" / "edited.frag"
        self.tint = folder / MODULE / "glsl" / "tint.glsl"
        self.texts = {self.python: PYTHON, self.shader: SHADER, self.tint: TINT}

    def write(self) -> None:
        """Write the original texts, and the entry point."""
        self.shader.parent.mkdir(parents=True)
        for path, text in self.texts.items():
            path.write_text(text, encoding="utf-8")
        entry = self.folder / f"{MODULE}-0.1.0.dist-info"
        entry.mkdir()
        (entry / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: 0.1.0\n", encoding="utf-8")
        (entry / "entry_points.txt").write_text(f"[renderwright]\n{NAME} = {MODULE}\n", encoding="utf-8")


@contextmanager
def installed(folder: Path) -> Iterator[PluginFiles]:
    """The plugin in a folder, found as an installed one until the block ends."""
    files = PluginFiles(folder.resolve())
    files.write()
    sys.path.insert(0, str(files.folder))
    try:
        yield files
    finally:
        sys.path.remove(str(files.folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == MODULE]:
            del sys.modules[name]
        shutil.rmtree(files.folder / MODULE)


class Told:
    """A watcher of which the test says what has changed."""

    def __init__(self) -> None:
        self.folders: frozenset[Path] = frozenset()
        self._changed: set[Path] = set()

    def watch(self, folders: object) -> None:
        self.folders = frozenset(folders)  # type: ignore[call-overload]

    def tell(self, *paths: Path) -> None:
        """These files have changed."""
        self._changed.update(paths)

    def take(self) -> frozenset[Path]:
        changed, self._changed = frozenset(self._changed), set()
        return changed

    def close(self) -> None:
        """Nothing is open."""


class EditedGame:
    """A game that runs while its files are edited; ``lines`` are those for the terminal."""

    def __init__(
        self,
        backend: Backend,
        game: type[Game] = Empty,
        extent: Extent = EXTENT,
        worker: Worker | None = None,
        choice: PluginChoice | None = None,
        preferences: PreferencesPlace | None = None,
        *,
        strict: bool = False,
    ) -> None:
        self.lines: list[str] = []
        self.watcher = Told()
        shaders = HeldFiles()
        self.session = Session(
            game,
            backend,
            extent,
            choice=choice,
            clock=FixedStepClock(game.step, frame=1 / 60),
            shaders=ShaderLibrary([GLSL], files=shaders),
            worker=worker,
            strict=strict,
        )
        self.target = backend.create_target(extent)
        self.reloader = Reloader(self.session, self.watcher, shaders, preferences=preferences, write=self.lines.append)

    def edit(self, path: Path, text: str) -> None:
        """Write a file, and tell of it."""
        path.write_text(text, encoding="utf-8")
        self.watcher.tell(path)

    def frame(self) -> bytes:
        """The picture of the next frame; it is too small for a notice."""
        self.reloader.update()
        self.session.step()
        assert self.session.render(self.target) is not None
        return self.session.picture().tobytes()

    def frames(self, count: int) -> list[bytes]:
        """The pictures of the next frames."""
        return [self.frame() for _ in range(count)]

    @property
    def notice(self) -> str:
        """What is shown over the picture."""
        return self.session._huds.notice.text

    def close(self) -> None:
        self.target.close()
        self.session.close()
