"""What a game places: a flat mirror; and the table of all mirrors of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from pyglm import glm

from renderwright.engine.scene.number_rules import Checked, NumberRule
from renderwright.engine.scene.placements import PlacedRows
from renderwright.plugins.mirrors.glass import Glass

NAME = "mirrors"


@dataclass(eq=False, slots=True)
class Mirror(Checked):
    """A mirror of ``width`` x ``height`` metres around ``position`` that faces -Z, turned by ``turn`` around +Y.

    Its picture is taken each ``every`` frames, for eyes that are within ``reach`` metres of its middle.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {
        "position": NumberRule(3),
        "turn": NumberRule(angle=True),
        "width": NumberRule(positive=True),
        "height": NumberRule(positive=True),
        "every": NumberRule(least=1, whole=True),
        "reach": NumberRule(positive=True),
    }

    position: glm.vec3 = field(default_factory=lambda: glm.vec3(0.0))
    turn: float = 0.0
    width: float = 1.0
    height: float = 1.0
    every: int = 2
    reach: float = 20.0

    def glass(self) -> Glass:
        """The mirror as it is now. Its right is that of who looks at it."""
        turn = glm.angleAxis(self.turn, glm.vec3(0, 1, 0))
        right, up = glm.vec3(turn * glm.vec3(-0.5 * self.width, 0, 0)), glm.vec3(0, 0.5 * self.height, 0)
        out = glm.vec3(turn * glm.vec3(0, 0, -1))
        return Glass(glm.vec3(self.position), right, up, out, self.every, self.reach)

    @classmethod
    def table(cls) -> MirrorTable:
        """An empty table of mirrors."""
        return MirrorTable()

    @classmethod
    def examples(cls) -> tuple[Mirror, ...]:
        """One needs everything."""
        return (cls(),)


class MirrorTable:
    """The mirrors of a scene. Nodes have them as the blob ``mirrors_value``."""

    def __init__(self) -> None:
        self._mirrors: list[Mirror] = []
        self._rows = self._made()

    def __len__(self) -> int:
        return len(self._mirrors)

    def __contains__(self, thing: object) -> bool:
        return any(mirror is thing for mirror in self._mirrors)

    def add(self, thing: Mirror) -> None:
        """Add a mirror."""
        self._mirrors.append(thing)

    def remove(self, thing: Mirror) -> None:
        """Remove a mirror."""
        self._mirrors.remove(thing)

    def clear(self) -> None:
        """Remove all mirrors."""
        self._mirrors.clear()

    def end_step(self, seconds: float) -> None:
        """Take over the mirrors' places."""

    def rows(self, alpha: float) -> PlacedRows:
        """The mirrors as they are."""
        made = self._made()
        if made.value != self._rows.value:
            self._rows = made
        return self._rows

    def _made(self) -> PlacedRows:
        return PlacedRows(NAME, np.zeros(4, np.float32), 1, value=tuple(mirror.glass() for mirror in self._mirrors))
