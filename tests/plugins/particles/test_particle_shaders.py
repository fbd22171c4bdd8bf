"""The shaders of particles come compiled: playing the examples requests all that games need."""

from __future__ import annotations

from contextlib import closing

import pytest
from particle_scenes import EXTENT, Yard

from renderwright.engine.game import GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.sweep import sweep
from renderwright.engine.precompile.variants import completed
from renderwright.engine.scene import PointLight
from renderwright.engine.session import Session
from renderwright.plugins.particles import Collision, Emitter, Particles
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.shaders.library import ShaderRequest


@pytest.fixture(scope="module")
def compiled() -> set[ShaderRequest]:
    library = RecordingLibrary()
    sweep(library, ["particles"], ["particles", "vr"])
    return set(own(completed(library.requests)))


def own(requests: list[ShaderRequest]) -> list[ShaderRequest]:
    return [request for request in requests if request.file.startswith("particles")]


def requests_of(kinds: tuple[Particles, ...], lamps: int) -> list[ShaderRequest]:
    """The requests of a game with emitters of these particles, in views for two eyes."""

    class Game(Yard):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            for kind in kinds:
                context.scene.placed.add(Emitter(kind))
            for _ in range(lamps):
                context.scene.add_light(PointLight())

    library, backend = RecordingLibrary(), NullBackend()
    choice = PluginChoice(enable=("particles", "vr"))
    session = Session(Game, backend, EXTENT, choice=choice, shaders=library, strict=True)
    with closing(session), closing(backend.create_target(EXTENT)) as target:
        session.step()
        session.render(target)
    return own(list(library.requests))


@pytest.mark.parametrize("lamps", [0, 40])
@pytest.mark.parametrize(
    "kinds",
    [
        (Particles(),),
        (Particles(lit=True),),
        (Particles(additive=False),),
        (Particles(additive=False), Particles(lit=True)),
        (Particles(collision=Collision()),),
    ],
)
def test_every_scene_finds_its_shaders(compiled: set[ShaderRequest], kinds: tuple[Particles, ...], lamps: int) -> None:
    found = requests_of(kinds, lamps)
    assert {"particles_move.comp", "particles.vert", "particles.frag"} <= {request.file for request in found}

    def key(request: ShaderRequest) -> tuple[object, ...]:
        return request.file, request.stage, request.defines

    assert {key(request) for request in found} <= {key(request) for request in compiled}
