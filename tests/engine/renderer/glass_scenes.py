"""A sheet of glass in front of a dark wall and a bright one beside it."""

from __future__ import annotations

from typing import Any, ClassVar

from layered_scenes import UPRIGHT, Layers, over
from playing import Picture
from pyglm import glm

from renderwright.engine.game import GameContext
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import plane
from renderwright.engine.scene.transform import Transform

TINT = (0.9, 0.5, 0.2)
REFLECTED = 0.04


class Window(Layers):
    """A sheet of glass in front of a dark wall and a bright one beside it."""

    layers = ()
    glass: ClassVar[dict[str, Any]] = {"transmission": 1.0, "roughness": 0.0}

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        bright = Material((0, 0, 0, 1), 1.0, 1.0, (1.0, 1.0, 1.0), double_sided=True)
        context.scene.spawn(plane(10, 10), bright, Transform(glm.vec3(5, 0, -1), UPRIGHT))
        material = Material((*TINT, 1.0), double_sided=True, **self.glass)
        self.pane = context.scene.spawn(plane(30, 30), material, Transform(glm.vec3(0, 0, 1), UPRIGHT))


def tinted(light: tuple[float, float, float]) -> Picture:
    """What glass shows of a light behind it, seen at a right angle."""
    return over([], tuple(tint * one * (1.0 - REFLECTED) for tint, one in zip(TINT, light, strict=True)))
