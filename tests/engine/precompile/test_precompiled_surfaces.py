"""Surface functions of plugins are compiled ahead, with the shaders of all nodes that draw surfaces."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from edited_plugins import NAME, installed
from playing import frames_of

from renderwright.engine import Game, GameContext
from renderwright.engine.precompile.command import _of_folder
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.sweep import sweep
from renderwright.engine.precompile.variants import completed
from renderwright.engine.scene import Coat, Material, SurfaceShader
from renderwright.engine.scene.material import ALPHA_MODES
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.shaders.portable import portable_key

PLUGIN = """
from renderwright.engine.plugins import PluginInfo, hookimpl
from renderwright.engine.scene import SurfaceShader

RUST = SurfaceShader("rust.glsl", {"tint": (1.0, 0.5, 0.2)}, plugin="edited")


@hookimpl
def renderwright_info() -> PluginInfo:
    return PluginInfo("edited", "0.1.0", "Rust.", surfaces=(RUST,))
"""


class Rusty(Game):
    plugins = (NAME, "shadows")

    def setup(self, context: GameContext) -> None:
        rust = SurfaceShader("rust.glsl", {"tint": (0.2, 0.5, 0.2)}, plugin=NAME)
        for mode in ALPHA_MODES:
            context.scene.spawn(box(1.0), Material(alpha_mode=mode, surface=rust))
        context.scene.spawn(box(1.0), Material(coat=Coat(), surface=rust))


def test_a_game_finds_the_shaders_of_a_function_compiled(tmp_path: Path) -> None:
    with installed(tmp_path) as files:
        files.python.write_text(PLUGIN)
        folder = files.shader.parent
        (folder / "rust.glsl").write_text(
            "void own_surface(inout Surface surface, SurfacePoint at) { surface.base_color *= parameters.tint; }"
        )
        library = RecordingLibrary()
        sweep(library, [NAME], ["shadows"])
        variants = _of_folder(library.distinct(completed(library.requests)), folder)
        compiled = {portable_key(library.source(variant)) for variant in variants}
        assert all(variant.parts for variant in variants)
        played = RecordingLibrary()
        for skeleton in ("deferred", "forward"):
            game = type("Played", (Rusty,), {"skeleton": skeleton})
            with closing(Session(game, NullBackend(), (64, 64), shaders=played)) as session:
                frames_of(session, 2)
        wanted = {
            portable_key(played.source(request)) for request in played.distinct(list(played.requests)) if request.parts
        }
        files_of = {request.file for request in played.requests if request.parts}
    assert files_of >= {"gbuffer.frag", "forward.frag", "transparent.frag", "masked_depth.frag", "shadow.vert"}
    assert len(wanted) >= 6
    assert wanted <= compiled
