"""What is drawn of a sprite: rectangles of images around its position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.image import Image

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Source:
    """What a piece shows: an image, or the glyph sheet (None). Enlarged texels stay sharp without ``smooth``."""

    image: Image | None
    smooth: bool = True


@dataclass(frozen=True)
class Kind:
    """How a sprite is drawn.

    With ``screen`` it lies over the picture of ``player`` (None: of all), else in the world. With ``facing`` a sprite
    of the world turns to each camera; others lie in the plane of x and y.
    """

    screen: bool = False
    player: int | None = None
    facing: bool = False


@dataclass(frozen=True, eq=False)
class Pieces:
    """Rectangles of a sprite.

    ``boxes`` is float32 (n, 4): left, bottom, right and top edge in units from the sprite's position, before its
    rotation, y up. ``parts`` is float32 (n, 4): the part of the source at the left bottom and at the right top corner,
    in uv. ``sources`` has a source for each piece.
    """

    boxes: NDArray[np.float32]
    parts: NDArray[np.float32]
    sources: tuple[Source, ...]

    @classmethod
    def of(cls, pieces: Sequence[tuple[Box, Box, Source]]) -> Pieces:
        """Pieces of (box, part, source)."""
        boxes = np.array([box for box, _, _ in pieces], np.float32).reshape(-1, 4)
        parts = np.array([part for _, part, _ in pieces], np.float32).reshape(-1, 4)
        return cls(boxes, parts, tuple(source for _, _, source in pieces))

    def __len__(self) -> int:
        return len(self.sources)


def part_of(image: Image, region: tuple[float, float, float, float]) -> Box:
    """A region (x, y, width, height in texels from the top left corner) as ``Pieces.parts`` has it."""
    columns, rows = image.extent
    x, y, width, height = region
    return (x / columns, (y + height) / rows, (x + width) / columns, y / rows)


def box_around(size: tuple[float, float], anchor: tuple[float, float]) -> Box:
    """A rectangle of that size around its ``anchor``: (0, 0) is its left bottom corner, (1, 1) its right top."""
    (width, height), (x, y) = size, anchor
    return (-x * width, -y * height, (1.0 - x) * width, (1.0 - y) * height)
