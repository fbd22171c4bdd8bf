"""The scenes of the pictures of particles in docs/effects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from effect_scenes import Courtyard
from pyglm import glm

from renderwright.engine.game import GameContext
from renderwright.engine.scene import DirectionalLight, Image, PointLight, Sky
from renderwright.plugins.particles import Collision, Emitter, Particles

GLOWING = Particles(
    lifetime=(2.4, 3.0),
    speed=(0.4, 1.2),
    direction=(0.25, -1.0, 0.5),
    spread=0.35,
    radius=0.08,
    sizes=(0.016,),
    colors=((7.0, 2.6, 0.4, 1.0), (7.0, 2.2, 0.3, 1.0), (4.0, 0.6, 0.05, 1.0), (1.0, 0.1, 0.0, 0.0)),
    collision=Collision(restitution=0.45, friction=0.06, distance=0.012),
)


CELLS = 8


def leaf(side: int = 64) -> Image:
    """A leaf that turns around its stalk, in cells side by side."""
    pixels = np.zeros((side, CELLS * side, 4), np.uint8)
    for cell in range(CELLS):
        width = np.cos(np.pi * (cell + 0.5) / CELLS)
        y, x = (np.mgrid[:side, :side] + 0.5) / (side / 2) - 1.0
        across = x / width
        outline = 0.55 * np.sqrt(np.maximum(0.0, 1.0 - y**2)) * (1.0 - 0.35 * y) + 0.04 * np.sin(26.0 * y)
        ribs = (abs(across) < 0.05) | (abs(np.sin(9.0 * (y + abs(across)))) < 0.12)
        shade = (1.0 if width > 0.0 else 0.6) * np.where(ribs, 0.7, 1.0)[..., None]
        part = pixels[:, cell * side : (cell + 1) * side]
        part[..., :3] = np.rint(np.array((255, 250, 235)) * shade)
        part[..., 3] = 255 * ((abs(across) < outline) | ((abs(x) < 0.03) & (y > 0.0)))
    return Image("leaf", pixels)


LEAVES = Particles(
    lifetime=(4.0, 5.0),
    speed=(0.2, 0.9),
    direction=(0.6, 0.0, 0.5),
    spread=2.0,
    radius=1.1,
    gravity=(0.1, -1.2, 0.1),
    drag=0.9,
    sizes=(0.1,),
    colors=((0.9, 0.28, 0.05, 1.0), (0.8, 0.4, 0.06, 1.0)),
    additive=False,
    lit=True,
    collision=Collision(restitution=0.1, friction=0.4, distance=0.06),
    image=leaf(),
    cells=(CELLS, 1),
    plays=3.0,
)


class Leaves(Courtyard):
    """The courtyard in autumn."""

    particles = LEAVES

    def setup(self, context: GameContext) -> None:
        """Place the trees that are out of sight."""
        super().setup(context)
        for x, z in ((-1.2, 0.4), (1.0, 1.0)):
            context.scene.placed.add(Emitter(self.particles, glm.vec3(x, 2.4, z), rate=16.0))


class Disks(Leaves):
    """The same without an image."""

    particles = replace(LEAVES, image=None, cells=(1, 1))


class Bouncing(Courtyard):
    """The courtyard at dusk, with glowing beads that are poured onto the steps and a ball."""

    particles = GLOWING

    def setup(self, context: GameContext) -> None:
        """Light it, and place the sources."""
        super().setup(context)
        scene = context.scene
        scene.sky = Sky((0.1, 0.13, 0.2), (0.14, 0.13, 0.13), (0.05, 0.05, 0.05), 1.0)
        scene.sun = DirectionalLight(glm.vec3(-0.85, -0.4, 0.12), (1.0, 0.7, 0.45), 0.5)
        for x, y, z, rate in ((-0.9, 2.0, -1.5, 420.0), (0.55, 1.6, 0.05, 260.0)):
            scene.placed.add(Emitter(self.particles, glm.vec3(x, y, z), rate=rate))
            scene.add_light(PointLight(glm.vec3(x, y - 0.6, z + 0.5), (1.0, 0.45, 0.15), 0.8, 4.0))


class Falling(Bouncing):
    """The same without collisions."""

    particles = replace(GLOWING, collision=None)
