"""Which texture coordinates the images of a glTF material have, and how they are transformed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.gltf.file import GltfFile
from renderwright.engine.scene.material import IMAGES

TRANSFORM = "KHR_texture_transform"


@dataclass(frozen=True)
class UvMapping:
    """A set of texture coordinates, scaled, then rotated, then moved (KHR_texture_transform)."""

    number: int = 0
    offset: tuple[float, float] = (0.0, 0.0)
    rotation: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)

    @property
    def transforms(self) -> bool:
        """Whether it changes the coordinates."""
        return (self.offset, self.rotation, self.scale) != ((0.0, 0.0), 0.0, (1.0, 1.0))

    def apply(self, uvs: NDArray[np.float32]) -> NDArray[np.float32]:
        """The transformed coordinates (n, 2). A positive rotation turns the image clockwise as it is seen."""
        if not self.transforms:
            return uvs
        u, v = uvs[:, 0] * self.scale[0], uvs[:, 1] * self.scale[1]
        cosine, sine = math.cos(self.rotation), math.sin(self.rotation)
        turned = np.stack([cosine * u + sine * v, cosine * v - sine * u], axis=1)
        return np.asarray(turned + self.offset, np.float32)


@dataclass(frozen=True)
class MaterialUvs:
    """The coordinates of a mesh for a material: ``first``, which masks and tangents follow, and perhaps others."""

    first: UvMapping = UvMapping()
    second: UvMapping | None = None
    #: The mapping of the normal map, which tangents follow.
    normal: UvMapping = UvMapping()


def read_mapping(file: GltfFile, texture: Any, label: str) -> UvMapping:
    """The mapping of a material's reference to a texture. Raises AssetError."""
    extension = (texture.extensions or {}).get(TRANSFORM)
    if not isinstance(extension, dict):
        return UvMapping(int(texture.texCoord))
    number = extension.get("texCoord", texture.texCoord)
    offset = _pair(file, extension.get("offset", (0.0, 0.0)), label)
    scale = _pair(file, extension.get("scale", (1.0, 1.0)), label)
    rotation = float(extension.get("rotation", 0.0))
    return UvMapping(int(number), offset, rotation, scale)


def chosen_mappings(
    file: GltfFile, mappings: Mapping[str, UvMapping], label: str
) -> tuple[MaterialUvs, frozenset[str]]:
    """The two mappings for a material whose images have these, and the images that have the second one.

    Further ones are taken as the first, with a notice.
    """
    distinct = list(dict.fromkeys(mappings[name] for name in IMAGES if name in mappings))
    if not distinct:
        return MaterialUvs(), frozenset()
    first, second = distinct[0], distinct[1] if len(distinct) > 1 else None
    lost = [name for name, mapping in mappings.items() if mapping not in (first, second)]
    if lost:
        file.notices.add(label, f"more than two mappings of images: {', '.join(lost)} mapped like {IMAGES[0]}")
    others = frozenset(name for name, mapping in mappings.items() if second is not None and mapping == second)
    normal = mappings.get("normal_image", first)
    return MaterialUvs(first, second, normal if normal in (first, second) else first), others


def _pair(file: GltfFile, values: Any, label: str) -> tuple[float, float]:
    if len(values) != 2 or not all(isinstance(value, int | float) for value in values):
        raise file.problem(label, f"{TRANSFORM} has a pair of {len(values)} values")
    return float(values[0]), float(values[1])
