"""Shapes as content: what a YAML file says about meshes that are put together from primitives."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator

from renderwright.engine.content import ContentModel
from renderwright.engine.scene import primitives
from renderwright.engine.scene.assembly import Part, assembled
from renderwright.engine.scene.mesh import Mesh
from renderwright.render.errors import UsageError

Vec3 = tuple[float, float, float]
Size = Annotated[float, Field(gt=0.0)]
Count = Annotated[int, Field(ge=3, le=512)]


class Placed(ContentModel, ABC):
    """Where a shape is: its middle in metres, and its turns about x, y and z in degrees.

    With ``around`` there are so many of it on a circle around the y axis, from ``at`` on, all turned alike.
    """

    at: Vec3 = (0.0, 0.0, 0.0)
    turn: Vec3 = (0.0, 0.0, 0.0)
    around: Annotated[int, Field(ge=1, le=512)] = 1

    @model_validator(mode="after")
    def _can_be_made(self) -> Placed:
        try:
            self.mesh()
        except UsageError as error:
            raise ValueError(f"{error.message}; {error.hint}") from error
        return self

    @abstractmethod
    def mesh(self) -> Mesh:
        """The shape around the origin."""

    def parts(self) -> Iterator[Part]:
        """The shape at its places."""
        mesh, (x, y, z) = self.mesh(), self.at
        about_x, about_y, about_z = (math.radians(angle) for angle in self.turn)
        for number in range(self.around):
            angle = number * math.tau / self.around
            sin, cos = math.sin(angle), math.cos(angle)
            yield mesh, (x * cos - z * sin, y, x * sin + z * cos), (about_x, about_y, about_z)


class Box(Placed):
    """``primitives.box``."""

    shape: Literal["box"]
    size: tuple[Size, Size, Size]
    bevel: Annotated[float, Field(ge=0.0)] = 0.0
    bevel_segments: Annotated[int, Field(ge=1, le=16)] = 4

    def mesh(self) -> Mesh:
        """The box."""
        return primitives.box(self.size, self.bevel, bevel_segments=self.bevel_segments)


class Sphere(Placed):
    """``primitives.sphere``."""

    shape: Literal["sphere"]
    radius: Size
    segments: Count = 32
    rings: Count = 16

    def mesh(self) -> Mesh:
        """The sphere."""
        return primitives.sphere(self.radius, segments=self.segments, rings=self.rings)


class Ellipsoid(Placed):
    """``primitives.ellipsoid``."""

    shape: Literal["ellipsoid"]
    radii: tuple[Size, Size, Size]
    segments: Count = 24
    rings: Count = 16

    def mesh(self) -> Mesh:
        """The ellipsoid."""
        return primitives.ellipsoid(self.radii, segments=self.segments, rings=self.rings)


class Cylinder(Placed):
    """``primitives.cylinder``."""

    shape: Literal["cylinder"]
    radius: Size
    height: Size
    segments: Count = 32

    def mesh(self) -> Mesh:
        """The cylinder."""
        return primitives.cylinder(self.radius, self.height, segments=self.segments)


class Capsule(Placed):
    """``primitives.capsule``."""

    shape: Literal["capsule"]
    radius: Size
    height: Size
    segments: Count = 32
    rings: Count = 8

    def mesh(self) -> Mesh:
        """The capsule."""
        return primitives.capsule(self.radius, self.height, segments=self.segments, rings=self.rings)


class Torus(Placed):
    """``primitives.torus``."""

    shape: Literal["torus"]
    radius: Size
    tube: Size
    segments: Count = 48
    rings: Count = 24

    def mesh(self) -> Mesh:
        """The torus."""
        return primitives.torus(self.radius, self.tube, segments=self.segments, rings=self.rings)


class Turned(Placed):
    """``primitives.turned``: pairs of radius and height, from the lowest to the highest."""

    shape: Literal["turned"]
    profile: Annotated[tuple[tuple[float, float], ...], Field(min_length=2)]
    segments: Count = 48

    def mesh(self) -> Mesh:
        """What a lathe makes."""
        radii, heights = zip(*self.profile, strict=True)
        return primitives.turned(radii, heights, segments=self.segments)


Shape = Annotated[Box | Sphere | Ellipsoid | Cylinder | Capsule | Torus | Turned, Field(discriminator="shape")]
"""One of them, which ``shape`` names."""


def shaped(name: str, shapes: Sequence[Placed]) -> Mesh:
    """One mesh of all shapes."""
    return assembled(name, [part for shape in shapes for part in shape.parts()])
