"""All sprites of a scene."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_values import numbers_of, positions_of, shortened
from renderwright.engine.scene.image import Image
from renderwright.engine.sprites.drawn import DrawnSprites, SpriteDrawing
from renderwright.engine.sprites.group import SpriteGroup, boxes_around
from renderwright.engine.sprites.pieces import Kind, Source, part_of
from renderwright.engine.sprites.placed import WHITE, Placed, Space
from renderwright.engine.sprites.regions import Region, checked_image, checked_region
from renderwright.engine.sprites.table import SpriteTable
from renderwright.render.errors import UsageError

Thing = TypeVar("Thing", bound=Placed)


class Sprites:
    """The sprites, nine-patches and texts of a scene."""

    def __init__(self) -> None:
        self._table = SpriteTable()
        self._drawing = SpriteDrawing(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def add(self, sprite: Thing) -> Thing:
        """Add a sprite, a nine-patch or a text, and return it. Raises ``UsageError`` if it is in a scene already."""
        if not isinstance(sprite, Placed):
            raise _refused(f"{shortened(sprite)} is no sprite", "give a Sprite, a NinePatch or a Text")
        if sprite.table is not None:
            raise _refused(f"the {type(sprite).__name__} is in a scene already", "remove it there first")
        sprite.enter(self._table)
        return sprite

    def add_many(
        self,
        image: Image,
        positions: ArrayLike,
        *,
        sizes: ArrayLike,
        regions: ArrayLike | None = None,
        rotations: ArrayLike = 0.0,
        colors: ArrayLike = WHITE,
        anchor: tuple[float, float] = (0.5, 0.5),
        layer: int = 0,
        space: Space = "world",
        player: int | None = None,
        facing: bool = False,
        smooth: bool = True,
    ) -> SpriteGroup:
        """Add a sprite for each of ``positions`` (n, 3) without objects for them, and return their group.

        ``sizes`` (n, 2), ``regions`` (n, 4: x, y, width, height in texels), ``rotations`` (n,) and ``colors`` (n, 4)
        may be one for all. The other arguments are those of ``Sprite``. Raises ``UsageError`` for values of another
        shape or type.
        """
        source = Source(checked_image("a sprite", image), smooth)
        points = positions_of(positions)
        count = len(points)
        places = np.zeros((count, 4), np.float32)
        places[:, :3] = points
        places[:, 3:] = numbers_of("rotations", count, 1, np.reshape(np.asarray(rotations), (-1, 1)))
        sides = np.broadcast_to(numbers_of("sizes", count, 2, sizes), (count, 2))
        tints = numbers_of("colors", count, 4, colors)
        kind = Kind(space == "screen", player if space == "screen" else None, facing and space == "world")
        parts = _parts(image, count, regions)
        rows = self._table.add(places, tints, layer, kind)
        if count:
            boxes = boxes_around(sides, np.array(anchor, np.float32))
            self._table.add_one_piece_each(rows, boxes, parts, source)
        return SpriteGroup(self._table, rows, anchor)

    def remove(self, sprite: Placed | SpriteGroup) -> None:
        """Remove a sprite or a group. Raises ``UsageError`` if it is not in this scene."""
        if sprite.table is not self._table:
            raise _refused("the sprite is not in this scene", "remove it once")
        if isinstance(sprite, SpriteGroup):
            self._table.remove(sprite.rows)
        else:
            sprite.leave()

    def begin_step(self) -> None:
        """Start a fixed step: current places become previous places."""
        self._table.begin_step()

    def drawn(self, alpha: float = 1.0) -> DrawnSprites:
        """What is drawn between the last step (alpha = 0) and now (1): the same object as long as nothing changes."""
        return self._drawing.drawn(alpha)


def _parts(image: Image, count: int, regions: ArrayLike | None) -> np.ndarray:
    """``Pieces.parts`` of regions, one for all or one for each."""
    if regions is None:
        return np.array(part_of(image, checked_region("a sprite", image, None)), np.float32)
    boxes = numbers_of("regions", count, 4, regions).reshape(-1, 4)
    wrong = (boxes[:, :2] < 0).any(axis=1) | (boxes[:, 2:] <= 0).any(axis=1)
    wrong |= (boxes[:, :2] + boxes[:, 2:] > image.extent).any(axis=1)
    if wrong.any():
        x, y, width, height = boxes[wrong.argmax()].astype(int).tolist()
        region: Region = (x, y, width, height)
        checked_region("a sprite", image, region)
    x, y, width, height = boxes.T
    return np.stack([x, y + height, x + width, y], axis=1) / np.array([*image.extent, *image.extent], np.float32)


def _refused(message: str, hint: str) -> UsageError:
    return UsageError(message, hint=hint, where=caller_location())
