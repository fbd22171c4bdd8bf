"""The shaders of decals come compiled: playing the examples requests all that games need."""

from __future__ import annotations

from contextlib import closing

from decal_scenes import EXTENT, Marked

from renderwright.engine.options import PluginChoice
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.sweep import sweep
from renderwright.engine.precompile.variants import completed
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.shaders.library import ShaderRequest

FILES = {"decals.vert", "decals.frag", "keep_normals.frag"}


def keys(requests: list[ShaderRequest]) -> set[tuple[object, ...]]:
    return {(request.file, request.stage, request.defines) for request in requests if request.file in FILES}


def test_every_scene_finds_its_shaders() -> None:
    compiled = RecordingLibrary()
    sweep(compiled, ["decals"], ["decals", "vr"])
    library, backend = RecordingLibrary(), NullBackend()
    choice = PluginChoice(enable=("decals", "vr"))
    session = Session(Marked, backend, EXTENT, choice=choice, shaders=library, strict=True)
    with closing(session), closing(backend.create_target(EXTENT)) as target:
        session.step()
        session.render(target)
    found = keys(list(library.requests))
    assert {file for file, *_ in found} == FILES
    assert found <= keys(completed(compiled.requests))
