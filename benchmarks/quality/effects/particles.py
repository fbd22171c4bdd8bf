"""Particles against those that move and are drawn one by one on the CPU, in float64."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from pyglm import glm

from benchmarks.quality.particle_reference import Moving, Source, simulated
from benchmarks.quality.play import chosen, played
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera
from renderwright.plugins.particles import Emitter, Particles
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
FRAMES = 60
EXACT = 0.005
"""Bound of FLIP for an effect that evaluates the same formula as the reference."""

RATE, SEED = 400.0, 3
SPARKS = Particles(
    lifetime=(0.5, 0.9),
    speed=(2.0, 5.0),
    spread=0.7,
    radius=0.1,
    drag=0.4,
    sizes=(0.12, 0.03),
    colors=((0.9, 0.6, 0.3, 1.0), (0.8, 0.1, 0.05, 0.0)),
)


class Sparks(Game):
    """Sparks in front of the sky."""

    plugins = ()

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        context.scene.camera = Camera(glm.vec3(0.0, 0.4, 4.0), glm.vec3(0.0, 0.4, 0.0))
        context.scene.placed.add(Emitter(SPARKS, glm.vec3(0.0), rate=RATE, seed=SEED))


def rows(backend: Backend) -> Iterator[Row]:
    """The row of particles."""
    with played(Sparks, backend, EXTENT) as play:
        play.frames(FRAMES)
        bare = play.light()
    with played(Sparks, backend, EXTENT, chosen(["particles"])) as play:
        play.frames(FRAMES)
        with_it = play.light()
        steps = play.session.runner.clock.steps
        camera = play.session.context.scene.camera
    particles = simulated(Source(SPARKS, RATE, SEED, [np.zeros(3)] * (steps + 1)), Sparks.step)
    right = bare.astype(np.float64)
    for particle in particles:
        _add(right, particle, camera)
    yield compared("particles", "one by one, in float64", right.astype(np.float32), bare, with_it, most=EXACT)


def _add(picture: np.ndarray, particle: Moving, camera: Camera) -> None:
    """Add the light of a particle at the moment one step before, which is drawn. The camera looks along -z."""
    age = particle.age - Sparks.step
    if age < 0.0:
        return
    life = age / particle.lifetime
    size = _between(np.array(SPARKS.sizes), life)
    color = _between(np.array(SPARKS.colors), life)
    place = particle.position - particle.velocity * Sparks.step - np.array(camera.position)
    width, height = EXTENT
    metres = 2.0 * math.tan(0.5 * camera.fov_y) * -place[2] / height
    across = ((np.arange(width) + 0.5 - width / 2) * metres - place[0]) / size
    down = (-(np.arange(height) + 0.5 - height / 2) * metres - place[1]) / size
    inside = np.maximum(0.0, 1.0 - across[None, :] ** 2 - down[:, None] ** 2)
    picture += (inside**2 * color[3])[..., None] * color[:3]


def _between(values: np.ndarray, share: float) -> np.ndarray:
    """The value of a gradient."""
    place = share * (len(values) - 1)
    before = min(int(place), len(values) - 2)
    return np.asarray(values[before] + (values[before + 1] - values[before]) * (place - before))
