"""Characters: models in a scene that play animations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from pyglm import glm

from renderwright.engine.animation.player import Player
from renderwright.engine.scene.algebra import multiply
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.transform import Transform
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean

if TYPE_CHECKING:
    from renderwright.engine.scene.model import Model
    from renderwright.engine.scene.scene import Scene


class Character(Player):
    """One instance of a model in a scene: its entities, and what it plays.

    ``transform`` moves all of it. ``Model.spawn`` makes characters.
    """

    def __init__(self, model: Model, scene: Scene, transform: Transform | None, name: str) -> None:
        super().__init__(scene.characters.mixer(model.animations.rig, model.animations.clips), name or model.name)
        self.name = name or model.name
        self._model = model
        self._scene = scene
        self.transform = transform if transform is not None else Transform()
        self.entities: Sequence[Entity] = tuple(scene.add(entity) for entity in self._parts())

    def __repr__(self) -> str:
        return f"Character({self.name!r})"

    @property
    def morphs(self) -> tuple[str, ...]:
        """The names of the model's morph targets."""
        return tuple(dict.fromkeys(self._model.animations.morphs))

    def morph(self, name: str, weight: float | None) -> None:
        """Set the weight of a morph target, from -1 to 1, whatever plays; None leaves it to the animations again.

        Raises UsageError for an unknown name or a weight out of range.
        """
        names = self._model.animations.morphs
        numbers = [number for number, known in enumerate(names) if known == name]
        if not numbers:
            raise UsageError(f'"{self.name}" has no morph target "{name}"', hint=did_you_mean(name, set(names)))
        if weight is not None and not -1.0 <= weight <= 1.0:
            raise UsageError(
                f'"{self.name}": the weight of the morph target "{name}" is {shortened(weight)}',
                hint="give a weight from -1 to 1, or None",
            )
        self._mixer.set_weights(self._row, numbers, np.nan if weight is None else float(weight))

    def node_matrix(self, name: str) -> glm.mat4:
        """The matrix from a node's space to the world, such as of a hand that holds something.

        It is that of the last step. Raises AssetError for an unknown node.
        """
        rig = self._model.animations.rig
        if name in rig.names:
            rows = np.eye(4, dtype=np.float32)
            rows[:3] = self._mixer.matrices_of(self._row)[rig.names.index(name)]
            return multiply(self.transform.matrix(), glm.mat4(*rows.T.reshape(-1).tolist()))
        return multiply(self.transform.matrix(), self._model.node(name).matrix)

    def snap(self) -> None:
        """Reset the previous transform, so that a teleport is not interpolated."""
        for entity in self.entities:
            entity.snap()

    def remove(self) -> None:
        """Remove the character from its scene, once."""
        for entity in self.entities:
            self._scene.remove(entity)
        self.leave()

    def _parts(self) -> list[Entity]:
        """The entities: those that follow the rig have meshes of their own."""
        found = []
        for part in self._model.parts:
            node = self._model.nodes[part.node].name
            if part.deformation is None:
                found.append(Entity(part.mesh, part.material, self.transform, name=node, local=part.matrix))
            else:
                mesh = DeformedMesh.of(part.mesh, part.deformation, self._row)
                found.append(Entity(mesh, part.material, self.transform, name=node))
        return found
