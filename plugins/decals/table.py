"""The decals of a scene as rows for shaders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.renderer.placed_layers import MOST_LAYERS, ImageLayers, color_layer
from renderwright.engine.scene import Transform
from renderwright.engine.scene.placements import PlacedRows
from renderwright.plugins.decals.normal_layer import normal_layer

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
_arrangement_of = attrgetter("order", "image", "normal_image", "follow")

Matrix = NDArray[np.float64]


@dataclass(eq=False)
class _Member:
    """A decal in the table, with its boxes at the ends of the last two steps, and the values that these come from.

    ``place`` is that of its row. A ``fresh`` one has seen no step: what the game sets until then is not interpolated.
    """

    decal: Decal
    number: int
    place: int = 0
    fresh: bool = True

    def __post_init__(self) -> None:
        self.follow(self.decal)

    def follow(self, decal: Decal) -> None:
        """Take over the decal's values."""
        self.values = _values_of(decal)
        self.arrangement = _arrangement_of(decal)
        self.copies = glm.vec3(decal.position), glm.vec3(decal.direction), glm.vec3(decal.size)
        self.now = decal.box()
        if self.fresh:
            self.before = self.now


@dataclass(eq=False)
class _Arranged:
    """The decals in the order of drawing: rows without matrices, boxes, and the places of those that follow entities.

    ``shown`` are the rows that were made last, at that share of a step and with those spaces of the followers.
    """

    rows: NDArray[Any]
    before: Matrix
    now: Matrix
    followers: list[tuple[int, Decal]]
    shown: tuple[float, list[Matrix | None], PlacedRows] | None = None


class DecalTable:
    """The decals of a scene from the lowest to the one on top of all."""

    def __init__(self) -> None:
        self._members: list[_Member] = []
        self._added = 0
        self._room = _LEAST_ROOM
        self._images = ImageLayers("decals", color_layer, srgb=True)
        self._normals = ImageLayers("decals", normal_layer, srgb=False)
        self._moving: list[_Member] = []
        self._fresh = False
        self._arranged: _Arranged | None = None

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, thing: object) -> bool:
        return any(member.decal is thing for member in self._members)

    def add(self, thing: Decal) -> None:
        """Add a decal. Raises ``UsageError`` if there are too many images."""
        if len(self) >= MOST_LAYERS:
            for name in ("image", "normal_image"):
                images = {getattr(decal, name) for decal in (*(member.decal for member in self._members), thing)}
                self._images.require_room(len(images - {None}))
        self._members.append(_Member(thing, self._added))
        self._added += 1
        self._fresh = True
        self._room = max(self._room, 1 << (len(self) - 1).bit_length())
        self._arranged = None

    def remove(self, thing: Decal) -> None:
        """Remove a decal."""
        self._members = [member for member in self._members if member.decal is not thing]
        self._moving = [member for member in self._moving if member.decal is not thing]
        self._arranged = None

    def clear(self) -> None:
        """Remove all decals."""
        self._members, self._moving = [], []
        self._arranged = None

    def end_step(self, seconds: float) -> None:
        """Take over what the game has changed in a step."""
        for member in self._moving:
            member.before = member.now
        changed = [member for member in self._members if _has_changed(member)]
        for member in changed:
            if self._arranged is not None and _arrangement_of(member.decal) != member.arrangement:
                self._arranged = None
            member.follow(member.decal)
        if self._arranged is not None and (changed or self._moving):
            self._update(self._arranged, changed)
        self._moving = [member for member in changed if not np.array_equal(member.now, member.before)]
        for member in self._members if self._fresh else ():
            member.fresh = False
        self._fresh = False

    def rows(self, alpha: float) -> PlacedRows:
        """The rows between the last two steps (``alpha``, 0 to 1)."""
        arranged = self._arranged = self._arranged or self._arrange()
        spaces = [_space(decal, alpha) for _, decal in arranged.followers]
        if arranged.shown is not None:
            shown_at, shown_spaces, rows = arranged.shown
            if (shown_at == alpha or not self._moving) and _same(shown_spaces, spaces):
                return rows
        rows = self._made(arranged, alpha, spaces)
        arranged.shown = alpha, spaces, rows
        return rows

    def _arrange(self) -> _Arranged:
        self._members.sort(key=lambda member: (member.decal.order, member.number))
        decals = [member.decal for member in self._members]
        self._images.follow(decal.image for decal in decals if decal.image is not None)
        self._normals.follow(decal.normal_image for decal in decals if decal.normal_image is not None)
        rows = np.zeros(len(decals), _ROW)
        for place, member in enumerate(self._members):
            member.place = place
            self._describe(rows[place], member.decal)
        return _Arranged(
            rows,
            np.array([member.before for member in self._members], np.float64).reshape(-1, 4, 4),
            np.array([member.now for member in self._members], np.float64).reshape(-1, 4, 4),
            [(place, decal) for place, decal in enumerate(decals) if decal.follow is not None],
        )

    def _update(self, arranged: _Arranged, changed: Sequence[_Member]) -> None:
        """Take over what has changed since the last step without another order or other images."""
        for member in {*self._moving, *changed}:
            arranged.before[member.place], arranged.now[member.place] = member.before, member.now
        for member in changed:
            self._describe(arranged.rows[member.place], member.decal)
        arranged.shown = None

    def _describe(self, row: NDArray[Any], decal: Decal) -> None:
        """Fill a row but for its matrices."""
        row["tint"] = decal.tint if decal.tint is not None else 1.0
        row["opacity"] = decal.opacity
        least, most = decal.fade_angles
        row["fade"] = math.cos(least), math.cos(max(most, least + 1e-3))
        row["roughness"], row["metallic"] = max(decal.roughness or 0.0, _SMOOTHEST), decal.metallic or 0.0
        row["image"] = _NO_IMAGE if decal.image is None else self._images.of(decal.image)
        row["normal_image"] = _NO_IMAGE if decal.normal_image is None else self._normals.of(decal.normal_image)
        row["changes"] = sum(1 << bit for bit, name in enumerate(_CHANGES.values()) if getattr(decal, name) is not None)

    def _made(self, arranged: _Arranged, alpha: float, spaces: list[Matrix | None]) -> PlacedRows:
        """The rows with their matrices. Decals of entities outside of scenes, and boxes without a volume, have none."""
        boxes = arranged.before + (arranged.now - arranged.before) * alpha
        for (place, _), space in zip(arranged.followers, spaces, strict=True):
            boxes[place] = 0.0 if space is None else space @ boxes[place]
        volumes = np.linalg.det(boxes[:, :3, :3])
        drawn = np.abs(volumes) > _THINNEST
        boxes, rows = boxes[drawn], arranged.rows[drawn]
        rows["to_world"], rows["to_box"] = boxes[:, :3], np.linalg.inv(boxes)[:, :3]
        rows["mirrored"] = volumes[drawn] < 0.0
        header = np.zeros(1, _HEADER)
        header["count"] = len(rows)
        data = np.concatenate([header.view(np.uint8), rows.view(np.uint8)])
        images = {IMAGES: self._images.placed}
        used = np.bitwise_or.reduce(arranged.rows["changes"], initial=0)
        traits = frozenset(trait for bit, trait in enumerate(_CHANGES) if used >> bit & 1)
        if BENT in traits:
            images[NORMALS] = self._normals.placed
        return PlacedRows(NAME, data, self._room, traits, images)


_THINNEST = 1e-18
"""Volume in cubic metres of boxes that are not drawn, such as those of an entity with a scale of 0."""

_SMOOTHEST = 0.045
"""The least roughness, as in ``surface.glsl``."""


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
    """The matrix from the space of the entity that a decal follows to the world; None if that is in no scene."""
    entity = decal.follow
    if entity is None or entity.table is None:
        return None
    return np.array(Transform.interpolate(entity.previous, entity.transform, alpha).matrix(), np.float64)


def _same(before: list[Matrix | None], now: list[Matrix | None]) -> bool:
    return all(
        one is other or (one is not None and other is not None and np.array_equal(one, other))
        for one, other in zip(before, now, strict=True)
    )
