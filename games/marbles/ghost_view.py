"""The ghost in the scene: translucent marbles that roll along and touch nothing."""

from __future__ import annotations

from collections.abc import Sequence

from pyglm import glm

from renderwright.engine.scene import Entity, Scene
from renderwright.engine.scene.algebra import rotate
from renderwright.engine.scene.material_content import Palette
from renderwright.engine.scene.primitives import sphere
from renderwright.games.marbles.board import JUMP, board_rotation
from renderwright.games.marbles.course import MARBLE_RADIUS
from renderwright.games.marbles.physics import Marble
from renderwright.games.marbles.tilt import Tilt

_RADIUS = 0.97 * MARBLE_RADIUS
"""At the start a ghost is in the player's marble, which hides it."""


class GhostView:
    """Adds entities when a ghost is first shown: a scene without one has no blended surfaces."""

    def __init__(self, scene: Scene, looks: Palette) -> None:
        self._scene = scene
        self._material = looks["ghost"]
        self._entities: list[Entity] = []
        self._places: list[glm.vec3] = []

    def sync(self, marbles: Sequence[Marble], tilt: Tilt) -> None:
        """Show these marbles on a board with that tilt."""
        while len(self._entities) < len(marbles):
            mesh = sphere(_RADIUS)
            self._entities.append(self._scene.spawn(mesh, self._material, casts_shadow=False))
            self._places.append(glm.vec3(0.0, -100.0, 0.0))
        if not self._entities:
            return
        turn = board_rotation(tilt)
        for number, entity in enumerate(self._entities):
            entity.visible = number < len(marbles)
            if entity.visible:
                self._place(number, glm.vec3(*marbles[number].position), turn)

    def _place(self, number: int, place: glm.vec3, turn: glm.quat) -> None:
        entity = self._entities[number]
        entity.transform.position = rotate(turn, place)
        if glm.distance(place, self._places[number]) > JUMP:
            entity.snap()
        self._places[number] = place
