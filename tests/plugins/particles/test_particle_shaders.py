"""The shaders of particles come compiled: playing the examples requests all that games need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

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

LIGHTS = {"light_clusters", "scene_lights"}


@pytest.fixture(scope="module")
def compiled() -> set[ShaderRequest]:
    library = RecordingLibrary()
    sweep(library, ["particles"], ["particles", "vr"])
    return set(own(completed(library.requests)))


def own(requests: list[ShaderRequest]) -> list[ShaderRequest]:
    return [request for request in requests if request.file.startswith("particles")]


def requests_of(kinds: tuple[Particles, ...], lamps: int) -> list[ShaderRequest]:
    """The requests of a game with emitters of these particles, in views for two eyes."""
    library = RecordingLibrary()
    with played(kinds, lamps, library):
        return own(list(library.requests))


@contextmanager
def played(kinds: tuple[Particles, ...], lamps: int, library: RecordingLibrary) -> Iterator[Session]:
    """A game with emitters of these particles after its first frame."""

    class Game(Yard):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            for kind in kinds:
                context.scene.placed.add(Emitter(kind))
            for _ in range(lamps):
                context.scene.add_light(PointLight())

    backend = NullBackend()
    choice = PluginChoice(enable=("particles", "vr"))
    session = Session(Game, backend, EXTENT, choice=choice, shaders=library, strict=True)
    with closing(session), closing(backend.create_target(EXTENT)) as target:
        session.step()
        session.render(target)
        yield session


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


@pytest.mark.parametrize("lit", [False, True])
def test_particles_use_lights_if_they_are_lit(lit: bool) -> None:
    with played((Particles(lit=lit),), 40, RecordingLibrary()) as session:
        (draw,) = (node for node in session.runtime.plan.graph.nodes if node.declaration.name == "particles/draw")
        used = {use.name for use in draw.uses if use.present}
        assert LIGHTS & used == (LIGHTS if lit else set())
        session.context.scene.placed.add(Emitter(Particles(lit=True)))
        session.step()
        session.render(session.backend.create_target(EXTENT))
        (draw,) = (node for node in session.runtime.plan.graph.nodes if node.declaration.name == "particles/draw")
        assert {use.name for use in draw.uses if use.present} >= LIGHTS
