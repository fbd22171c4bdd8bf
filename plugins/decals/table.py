"""The decals of a scene as rows for shaders."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene import Transform
from renderwright.engine.scene.placements import PlacedRows
from renderwright.plugins.decals.image_layers import ImageLayers, color_layer, normal_layer, require_room

if TYPE_CHECKING:
    from renderwright.plugins.decals.decal import Decal

NAME = "decals"
"""The buffer of the rows, and the resolution with a texel for each decal that there is room for."""

IMAGES, NORMALS = "images", "normals"
"""Keys of the textures that have the images."""

PAINTED, BENT, ROUGH, METALLIC = "painted", "bent", "rough", "metallic"
"""Traits: decals change the colour, the normal, the roughness, or the metallic share of surfaces."""

_NO_IMAGE = 0xFFFFFFFF
_LEAST_ROOM = 16
_HEADER = np.dtype([("count", np.uint32), ("unused", np.uint32, 3)])
_ROW = np.dtype(
    [
        ("to_world", np.float32, (3, 4)),
        ("to_box", np.float32, (3, 4)),
        ("tint", np.float32, 3),
        ("opacity", np.float32),
        ("fade", np.float32, 2),  # cosines of the angles
        ("roughness", np.float32),
        ("metallic", np.float32),
        ("image", np.uint32),
        ("normal_image", np.uint32),
        ("changes", np.uint32),  # bits in the order of _CHANGES
        ("mirrored", np.uint32),
    ]
)
_CHANGES = {PAINTED: "tint", BENT: "normal_image", ROUGH: "roughness", METALLIC: "metallic"}
_FIELDS = (
    *("image", "position", "direction", "size", "rotation", "tint", "opacity"),
    *("normal_image", "roughness", "metallic", "fade_angles", "order", "follow"),
)
_values_of = attrgetter(*_FIELDS)

Matrix = NDArray[np.float64]


@dataclass(eq=False)
class _Member:
    """A decal in the table, with its boxes at the ends of the last two steps, and the values that these come from.

    A ``fresh`` one has seen no step: what the game sets until then is not interpolated.
    """

    decal: Decal
    number: int
    values: tuple[Any, ...]
    copies: tuple[glm.vec3, ...]
    before: Matrix
    now: Matrix
    fresh: bool = True


class DecalTable:
    """The decals of a scene from the lowest to the one on top of all."""

    def __init__(self) -> None:
        self._members: list[_Member] = []
        self._added = 0
        self._room = _LEAST_ROOM
        self._images = ImageLayers(color_layer, srgb=True)
        self._normals = ImageLayers(normal_layer, srgb=False)
        self._moving = False
        self._drawn: tuple[float, list[Matrix | None], PlacedRows] | None = None

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, thing: object) -> bool:
        return any(member.decal is thing for member in self._members)

    def add(self, thing: Decal) -> None:
        """Add a decal. Raises ``UsageError`` if there are too many images."""
        for name in ("image", "normal_image"):
            images = {getattr(decal, name) for decal in (*(member.decal for member in self._members), thing)}
            require_room(len(images - {None}))
        box = thing.box()
        self._members.append(_Member(thing, self._added, _values_of(thing), _copies(thing), box, box))
        self._added += 1
        self._room = max(self._room, 1 << (len(self._members) - 1).bit_length())
        self._arrange()

    def remove(self, thing: Decal) -> None:
        """Remove a decal."""
        self._members = [member for member in self._members if member.decal is not thing]
        self._drawn = None

    def clear(self) -> None:
        """Remove all decals."""
        self._members = []
        self._drawn = None

    def end_step(self, seconds: float) -> None:
        """Take over what the game has changed in a step."""
        changed = [member for member in self._members if _has_changed(member)]
        moving = False
        for member in self._members if self._moving or changed else ():
            member.before = member.now
        for member in changed:
            member.values, member.copies = _values_of(member.decal), _copies(member.decal)
            member.now = member.decal.box()
            if member.fresh:
                member.before = member.now
            moving = moving or not np.array_equal(member.now, member.before)
        for member in self._members:
            member.fresh = False
        if changed:
            self._arrange()
        if self._moving or moving:
            self._drawn = None
        self._moving = moving

    def rows(self, alpha: float) -> PlacedRows:
        """The rows between the last two steps (``alpha``, 0 to 1)."""
        spaces = [_space(member.decal, alpha) for member in self._members]
        if self._drawn is not None:
            shown_at, shown_spaces, rows = self._drawn
            if (shown_at == alpha or not self._moving) and _same(shown_spaces, spaces):
                return rows
        rows = self._made(alpha, spaces)
        self._drawn = alpha, spaces, rows
        return rows

    def _arrange(self) -> None:
        self._members.sort(key=lambda member: (member.decal.order, member.number))
        self._drawn = None

    def _made(self, alpha: float, spaces: list[Matrix | None]) -> PlacedRows:
        decals = [member.decal for member in self._members]
        self._images.follow(decal.image for decal in decals if decal.image is not None)
        self._normals.follow(decal.normal_image for decal in decals if decal.normal_image is not None)
        rows = np.zeros(len(decals), _ROW)
        count = 0
        for member, space in zip(self._members, spaces, strict=True):
            if space is None:
                continue
            box = space @ (member.before + (member.now - member.before) * alpha)
            if abs(np.linalg.det(box[:3, :3])) > _THINNEST:
                self._write(rows[count], member.decal, box)
                count += 1
        header = np.zeros(1, _HEADER)
        header["count"] = count
        data = np.concatenate([header.view(np.uint8), rows.view(np.uint8)])
        traits = frozenset(
            trait for trait, name in _CHANGES.items() if any(getattr(decal, name) is not None for decal in decals)
        )
        images = {IMAGES: self._images.placed} | ({NORMALS: self._normals.placed} if BENT in traits else {})
        return PlacedRows(NAME, data, self._room, traits, images)

    def _write(self, row: NDArray[Any], decal: Decal, box: Matrix) -> None:
        row["to_world"], row["to_box"] = box[:3], np.linalg.inv(box)[:3]
        row["mirrored"] = np.linalg.det(box[:3, :3]) < 0.0
        row["tint"] = decal.tint if decal.tint is not None else 1.0
        row["opacity"] = decal.opacity
        least, most = decal.fade_angles
        row["fade"] = math.cos(least), math.cos(max(most, least + 1e-3))
        row["roughness"], row["metallic"] = max(decal.roughness or 0.0, _SMOOTHEST), decal.metallic or 0.0
        row["image"] = _NO_IMAGE if decal.image is None else self._images.of(decal.image)
        row["normal_image"] = _NO_IMAGE if decal.normal_image is None else self._normals.of(decal.normal_image)
        row["changes"] = sum(1 << bit for bit, name in enumerate(_CHANGES.values()) if getattr(decal, name) is not None)


_THINNEST = 1e-18
"""Volume in cubic metres of boxes that are not drawn, such as those of an entity with a scale of 0."""

_SMOOTHEST = 0.045
"""The least roughness, as in ``surface.glsl``."""


def _copies(decal: Decal) -> tuple[glm.vec3, ...]:
    """The vectors that a game may change in place, as they are now."""
    return glm.vec3(decal.position), glm.vec3(decal.direction), glm.vec3(decal.size)


def _has_changed(member: _Member) -> bool:
    decal = member.decal
    position, direction, size = member.copies
    return (
        _values_of(decal) != member.values
        or decal.position != position
        or decal.direction != direction
        or glm.vec3(decal.size) != size
    )


def _space(decal: Decal, alpha: float) -> Matrix | None:
    """The matrix from the space that a decal is placed in to the world; None if it is not drawn."""
    entity = decal.follow
    if entity is None:
        return _WORLD
    if entity.table is None:
        return None
    return np.array(Transform.interpolate(entity.previous, entity.transform, alpha).matrix(), np.float64)


def _same(before: list[Matrix | None], now: list[Matrix | None]) -> bool:
    return all(
        one is other or (one is not None and other is not None and np.array_equal(one, other))
        for one, other in zip(before, now, strict=True)
    )


_WORLD: Matrix = np.eye(4)
_WORLD.flags.writeable = False
