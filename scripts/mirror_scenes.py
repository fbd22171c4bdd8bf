"""The scene of the picture of mirrors in docs/effects."""

from __future__ import annotations

from effect_scenes import Showroom
from pyglm import glm

from renderwright.engine.game import GameContext
from renderwright.engine.scene import Material, Transform
from renderwright.engine.scene.primitives import box, sphere
from renderwright.plugins.mirrors import Mirror

MIDDLE, SIZE = glm.vec3(0.0, 1.15, -2.0), (5.4, 2.1)


class Mirrored(Showroom):
    """The showroom with a mirror on its wall, and things that only this shows."""

    def setup(self, context: GameContext) -> None:
        """Hang it."""
        super().setup(context)
        scene = context.scene
        frame = Material((0.75, 0.55, 0.25, 1.0), metallic=1.0, roughness=0.35)
        wide, high = SIZE
        scene.spawn(box((wide + 0.14, high + 0.14, 0.2)), frame, Transform(MIDDLE - glm.vec3(0, 0, 0.14)))
        black = Material((0.0, 0.0, 0.0, 1.0), roughness=1.0)
        scene.spawn(box((wide, high, 0.02)), black, Transform(MIDDLE - glm.vec3(0, 0, 0.03)))
        scene.placed.add(Mirror(MIDDLE, glm.pi(), wide, high, every=1))
        for x, color in ((-2.6, (0.9, 0.75, 0.15)), (-1.0, (0.75, 0.15, 0.5)), (2.9, (0.2, 0.65, 0.6))):
            scene.spawn(sphere(0.8), Material((*color, 1.0), roughness=0.5), Transform(glm.vec3(x, 0.8, 6.4)))
