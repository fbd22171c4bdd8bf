"""Particles against those that move and are drawn one by one on the CPU, in float64."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from pyglm import glm

from benchmarks.quality.particle_reference import Moving, Source, simulated
from benchmarks.quality.play import chosen, played
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import Camera, Material
from renderwright.engine.scene.primitives import plane
from renderwright.plugins.particles import Collision, Emitter, Particles
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


HAIL = replace(SPARKS, direction=(0.0, -1.0, 0.0), speed=(1.0, 3.0), collision=Collision(0.7, 0.2))
HEIGHT = 0.8
"""Of the source of hail, in metres above the ground."""


class Sparks(Game):
    """Sparks in front of the sky."""

    plugins = ()
    particles = SPARKS
    source = (0.0, 0.0, 0.0)

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        context.scene.camera = Camera(glm.vec3(0.0, 0.4, 4.0), glm.vec3(0.0, 0.4, 0.0))
        context.scene.placed.add(Emitter(self.particles, glm.vec3(self.source), rate=RATE, seed=SEED))


class Hail(Sparks):
    """Sparks that fall onto a ground."""

    particles = HAIL
    source = (0.0, HEIGHT, 0.0)

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.spawn(plane(50, 50), Material((0.05, 0.05, 0.05, 1.0)))


def rows(backend: Backend) -> Iterator[Row]:
    """The rows of particles in the air, and of those that bounce off a ground."""
    for name, game in (("particles", Sparks), ("particles on a ground", Hail)):
        with played(game, backend, EXTENT, PluginChoice(disable=("particles",))) as play:
            play.frames(FRAMES)
            bare = play.light()
        with played(game, backend, EXTENT, chosen(["particles"])) as play:
            play.frames(FRAMES)
            with_it = play.light()
            steps = play.session.runner.clock.steps
            camera = play.session.context.scene.camera
        source = Source(game.particles, RATE, SEED, [np.array(game.source)] * (steps + 1))
        right = bare.astype(np.float64)
        for particle in simulated(source, game.step):
            _add(right, particle, camera, game.particles)
        yield compared(name, "one by one, in float64", right.astype(np.float32), bare, with_it, most=EXACT)


def _add(picture: np.ndarray, particle: Moving, camera: Camera, particles: Particles) -> None:
    """Add the light of a particle at the moment one step before, which is drawn. The camera looks along -z.

    What of it is below a ground on which particles collide is hidden.
    """
    age = particle.age - Sparks.step
    if age < 0.0:
        return
    life = age / particle.lifetime
    size = _between(np.array(particles.sizes), life)
    color = _between(np.array(particles.colors), life)
    back = min(Sparks.step, particle.flown)
    place = particle.position - particle.velocity * back - np.array(camera.position)
    width, height = EXTENT
    metres = 2.0 * math.tan(0.5 * camera.fov_y) * -place[2] / height
    across = ((np.arange(width) + 0.5 - width / 2) * metres - place[0]) / size
    heights = -(np.arange(height) + 0.5 - height / 2) * metres
    down = (heights - place[1]) / size
    inside = np.maximum(0.0, 1.0 - across[None, :] ** 2 - down[:, None] ** 2)
    if particles.collision is not None:
        inside[heights + camera.position.y < 0.0] = 0.0
    picture += (inside**2 * color[3])[..., None] * color[:3]


def _between(values: np.ndarray, share: float) -> np.ndarray:
    """The value of a gradient."""
    place = share * (len(values) - 1)
    before = min(int(place), len(values) - 2)
    return np.asarray(values[before] + (values[before + 1] - values[before]) * (place - before))
