"""Animated characters in a square, for benchmarks."""

from __future__ import annotations

from pyglm import glm

from renderwright.engine.scene import Camera, Scene, Transform
from renderwright.engine.scene.character import Character
from renderwright.engine.scene.model import Model

STILL, ONE_CLIP, MIXED, FADING = "still", "one clip", "half and half", "all fade"
PLAYING = (STILL, ONE_CLIP, MIXED, FADING)
_LONG = 1e6
"""Seconds of a fade that outlives the measurement."""


def crowd(scene: Scene, model: Model, count: int, playing: str) -> list[Character]:
    """Characters in a square, each at a moment of its own."""
    side = round(count**0.5) + 1
    scene.camera = Camera(glm.vec3(0.0, 2.0, 2.0 * side), glm.vec3(0.0))
    found = []
    for number in range(count):
        place = glm.vec3(2.0 * (number % side - side / 2), 0.0, -2.0 * (number // side))
        character = model.spawn(scene, Transform(place))
        clip = number % 2 if playing in (MIXED, FADING) else 0
        character.play(f"clip {clip}")
        character.seek(0.013 * number)
        if playing == FADING:
            character.play(f"clip {1 - clip}", fade=_LONG)
        if playing == STILL:
            character.set_speed(0.0)
        found.append(character)
    return found
