"""Games with particles, sessions that play them, and the particles that these have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.plugins.particles import Emitter, Particles
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (96, 54)
STATE = np.dtype(
    [
        ("position", np.float32, 3),
        ("age", np.float32),
        ("velocity", np.float32, 3),
        ("lifetime", np.float32),
        ("emitter", np.uint32),
        ("row", np.uint32),
        ("step", np.uint32),
        ("flown", np.float32),
    ]
)
SPARKS = Particles(
    lifetime=(0.2, 0.5),
    speed=(1.0, 3.0),
    direction=(0.3, 1.0, 0.1),
    spread=0.8,
    radius=0.1,
    drag=0.5,
    sizes=(0.2, 0.1),
    colors=((4.0, 2.0, 1.0, 1.0), (1.0, 0.2, 0.1, 0.0)),
)


class Yard(Game):
    """A box on a ground, seen by up to two players from two sides; the subclass places emitters."""

    title = "Yard"
    plugins: Sequence[str] = ()
    max_players = 2
    emitters: Sequence[Emitter] = ()

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.spawn(plane(20, 20), Material((0.1, 0.1, 0.1, 1.0)))
        scene.spawn(box(1.0), Material((0.1, 0.1, 0.2, 1.0)), Transform(glm.vec3(1.0, 0.5, 0.0)))
        scene.cameras[:] = [Camera(glm.vec3(x, 1.5, z), glm.vec3(0.0, 0.7, 0.0)) for x, z in ((0.0, 4.0), (-4.0, 0.0))]
        scene.snap_cameras()


class Fountain(Yard):
    """Sparks of an emitter that slides."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        self.emitter = context.scene.placed.add(Emitter(SPARKS, glm.vec3(-0.5, 0.2, 0.0), rate=500.0, seed=7))

    def update(self, dt: float) -> None:
        self.emitter.position = self.emitter.position + glm.vec3(dt, 0.0, 0.0)


def session_of(
    backend: Backend,
    game: type[Game],
    *enable: str,
    frame: float = 1.0 / 60.0,
    players: int = 1,
    extent: Extent = EXTENT,
    particles: bool = True,
    settings: Sequence[SettingChange] = (),
    **options: Any,
) -> Session:
    """A session in which frames last so many seconds, with these plugins besides particles, or instead of them."""
    on, off = (*enable, "particles"), ()
    if not particles:
        on, off = enable, ("particles",)
    choice = PluginChoice(enable=on, disable=off, settings=tuple(settings))
    clock = FixedStepClock(game.step, frame=frame)
    return Session(game, backend, extent, choice=choice, strict=True, clock=clock, players=players, **options)


def living(session: Session) -> NDArray[np.void]:
    """The particles that live after the last frame, in the order of their places."""
    state = state_of(session)
    return state[state["lifetime"] > 0.0]


def state_of(session: Session) -> NDArray[np.void]:
    """All places for particles after the last frame."""
    buffer = session._scene.placed.state("particle_emitters_state", 0)
    return np.frombuffer(session.backend.read_buffer(buffer), STATE)
