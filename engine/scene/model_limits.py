"""Limits of a model file: what it may ask for before memory is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Counted = Literal["bytes", "vertices", "indices", "texels", "keyframes"]


@dataclass(frozen=True)
class ModelLimits:
    """Limits of one model, far above those of models for games. A larger model is refused with ``AssetError``.

    ``bytes`` are of the file, of all files that it names and of its encoded images, together. ``values``, ``objects``
    and ``nesting`` are of its JSON: numbers, texts, lists and objects; objects alone; levels. ``vertices``, ``indices``
    and ``texels`` are of all its meshes and images together, as they are drawn; a morph target counts as many vertices
    as its mesh has. ``keyframes`` are values of all its animations.
    """

    bytes: int = 1 << 30
    values: int = 1 << 21
    objects: int = 1 << 17
    nesting: int = 64
    vertices: int = 1 << 23
    indices: int = 1 << 25
    texels: int = 1 << 28
    keyframes: int = 1 << 23


class ModelBudget:
    """Counts what a model has asked for."""

    def __init__(self, limits: ModelLimits) -> None:
        self._limits = limits
        self._used: dict[Counted, int] = {}

    def left(self, what: Counted) -> int:
        """The amount that may still be asked for."""
        limit: int = getattr(self._limits, what)
        return limit - self._used.get(what, 0)

    def take(self, what: Counted, amount: int) -> bool:
        """Count ``amount``; False if that is more than is left."""
        if amount > self.left(what):
            return False
        self._used[what] = self._used.get(what, 0) + amount
        return True
