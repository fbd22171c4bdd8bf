"""Which shadow casters are still on their way to the GPU."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh


@dataclass(frozen=True)
class ArrivingCasters:
    """Meshes that are not drawn before their upload ends, and materials whose holes are not cut before that.

    When these are others, shadow maps show something else.
    """

    meshes: frozenset[Mesh] = frozenset()
    holes: frozenset[Material] = frozenset()

    @classmethod
    def of(
        cls, batches: Sequence[DrawBatch], resident: Collection[Mesh], has_its_images: Callable[[Material], bool]
    ) -> ArrivingCasters:
        """What the casters among the batches wait for."""
        casters = [batch for batch in batches if batch.in_shadow_maps]
        masked = {batch.material for batch in casters if batch.material.drawn_as == "mask"}
        return cls(
            frozenset(batch.mesh for batch in casters if batch.mesh not in resident),
            frozenset(material for material in masked if not has_its_images(material)),
        )
