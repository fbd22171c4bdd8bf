"""Surface functions as shaders have them: variants of each shader that draws surfaces, and what they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from renderwright.engine.renderer.surface_kinds import SurfaceKind
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import AlphaMode, Material
from renderwright.engine.scene.surface_shader import (
    MOST_IMAGES,
    MOST_VECTORS,
    Parameter,
    SurfaceShader,
    parameter_places,
    width_of,
)
from renderwright.render.types.shader_parts import ShaderPart

PART = "OWN_SURFACE"
"""The name of the part in shaders, and their define."""

FUNCTION = "void own_surface(inout Surface surface, SurfacePoint at)"
"""What a surface function is, as own_surface.glsl declares it."""

SURFACE_FACT = "surface functions"
"""The fact of a graph with the ``UsedSurfaces`` of the scene."""

ROW = np.dtype([("values", np.float32, (MOST_VECTORS, 4)), ("images", np.uint32, MOST_IMAGES)])
"""``SurfaceRow`` of own_surface.glsl."""

_TYPES = ("", "float", "vec2", "vec3", "vec4")
_COMPONENTS = "xyzw"


@dataclass(frozen=True)
class SurfaceVariant:
    """A surface function with what it declares: parameters by name and width, and images. Materials that only differ in
    the values share a variant. ``file`` is absolute."""

    file: str
    parameters: tuple[tuple[str, int], ...] = ()
    images: tuple[str, ...] = ()
    plugin: str = ""

    @classmethod
    def of(cls, surface: SurfaceShader, file: str) -> SurfaceVariant:
        """The variant of a surface function in that file."""
        parameters = tuple((name, width_of(value)) for name, value in surface.parameters.items())
        return cls(file, parameters, tuple(surface.images), surface.plugin)

    @property
    def part(self) -> ShaderPart:
        """The part of shaders: the file, with its parameters and images in front."""
        places = parameter_places(dict(self.parameters))[0]
        members = [f"    {_TYPES[width]} {name};" for name, width in self.parameters]
        reads = [f"    parameters.{name} = {_read(places[name], width)};" for name, width in self.parameters]
        lines = [
            *(("struct SurfaceParameters {", *members, "};", "SurfaceParameters parameters;") if members else ()),
            "void read_parameters() {",
            *reads,
            "}",
            *(f"#define {name} own_image_{number}" for number, name in enumerate(self.images)),
        ]
        after = "\n".join(f"#undef {name}" for name in self.images)
        return ShaderPart(PART, self.file, "\n".join(lines), after, self.plugin, FUNCTION)


def _read(place: int, width: int) -> str:
    components = _COMPONENTS[place % 4 : place % 4 + width]
    return f"surface_rows[own_row].values[{place // 4}].{components}"


@dataclass(frozen=True)
class ChosenSurface:
    """What a material with a surface function is drawn with: the variant, the values of its parameters in that order,
    and its images in the order of the slots."""

    variant: SurfaceVariant
    values: tuple[Parameter, ...]
    images: tuple[Image | None, ...]

    @classmethod
    def of(cls, surface: SurfaceShader, file: str) -> ChosenSurface:
        """A surface function with all of its parameters and images, in that file."""
        images = tuple(surface.images.values())
        padded = (*images, *(None,) * (MOST_IMAGES - len(images)))
        return cls(SurfaceVariant.of(surface, file), tuple(surface.parameters.values()), padded)

    def packed(self) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        """The values as in ``ROW``, without its second dimension."""
        row = np.zeros(MOST_VECTORS * 4, np.float32)
        places = parameter_places(dict(self.variant.parameters))[0]
        for (name, width), value in zip(self.variant.parameters, self.values, strict=True):
            row[places[name] : places[name] + width] = value
        return row


ChosenSurfaces = Mapping[SurfaceShader, ChosenSurface]
"""What is drawn with which variant. Materials with other surface functions are drawn as if they had none."""


NO_SURFACES: ChosenSurfaces = {}


def variant_of(material: Material, surfaces: ChosenSurfaces) -> SurfaceVariant | None:
    """The variant that a material is drawn with, None for the shaders of all others."""
    chosen = surfaces.get(material.surface) if material.surface is not None else None
    return chosen.variant if chosen is not None else None


@dataclass(frozen=True)
class UsedSurfaces:
    """The variants that a scene has, each with the alpha modes and kinds of its surfaces."""

    used: frozenset[tuple[SurfaceVariant, AlphaMode, SurfaceKind]]

    def of(self, alpha: AlphaMode, kinds: Sequence[SurfaceKind]) -> tuple[SurfaceVariant, ...]:
        """Those of one alpha mode and some kinds, in an order of their own."""
        found = {variant for variant, mode, kind in self.used if mode == alpha and kind in kinds}
        return tuple(sorted(found, key=lambda one: (one.file, one.parameters, one.images, one.plugin)))
