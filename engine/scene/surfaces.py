"""Numbers for the pairs of mesh and material that entities use."""

from __future__ import annotations

from typing import NamedTuple

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.render.errors import UsageError


class Surface(NamedTuple):
    """A mesh with its material. Meshes compare by identity, materials by value."""

    mesh: Mesh
    material: Material

    @classmethod
    def of(cls, mesh: Mesh, material: Material) -> Surface:
        """The surface of a mesh and a material of a game. Raises ``UsageError`` for values of other types."""
        for name, value, kind in (("mesh", mesh, Mesh), ("material", material, Material)):
            if not isinstance(value, kind):
                raise UsageError(
                    f"a {name} cannot be {shortened(value)}",
                    hint="give a Mesh and then a Material: scene.spawn(box(1.0), Material())",
                    where=caller_location(),
                )
        return cls(mesh, material)


class Surfaces:
    """Numbers the surfaces in use, from 0. Numbers without users are given out again."""

    def __init__(self) -> None:
        self._numbers: dict[Surface, int] = {}
        self._surfaces: list[Surface | None] = []
        self._users: list[int] = []
        self._free: list[int] = []

    def __len__(self) -> int:
        """One more than the highest number."""
        return len(self._surfaces)

    def __getitem__(self, number: int) -> Surface:
        surface = self._surfaces[number]
        assert surface is not None
        return surface

    def acquire(self, surface: Surface, users: int = 1) -> int:
        """The number of a surface, which has that many more users."""
        number = self._numbers.get(surface)
        if number is None:
            if self._free:
                number = self._free.pop()
            else:
                number = len(self._surfaces)
                self._surfaces.append(None)
                self._users.append(0)
            self._numbers[surface] = number
            self._surfaces[number] = surface
        self._users[number] += users
        return number

    def release(self, number: int, users: int = 1) -> None:
        """A surface has that many users fewer."""
        self._users[number] -= users
        if not self._users[number]:
            del self._numbers[self[number]]
            self._surfaces[number] = None
            self._free.append(number)

    def in_use(self) -> list[int]:
        """All numbers with users."""
        return sorted(self._numbers.values())
