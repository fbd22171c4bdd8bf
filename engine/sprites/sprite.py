"""Sprites: images, or regions of a sheet."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.scene.image import Image
from renderwright.engine.scene.number_rules import NumberRule
from renderwright.engine.sprites.pieces import Pieces, Source, box_around, part_of
from renderwright.engine.sprites.placed import WHITE, Placed, Space
from renderwright.engine.sprites.regions import Region, checked_image, checked_region

_SIZE = NumberRule(2)
_ANCHOR = NumberRule(2)


class Sprite(Placed):
    """A rectangle with an image, or with a ``region`` of it (x, y, width, height in texels from the left top corner).

    ``size`` is (width, height) in metres or HUD units; negative ones mirror it. Without a size a texel is a HUD unit,
    and a metre has 100. ``anchor`` is the point of the rectangle that lies at ``position``: (0, 0) is the left bottom
    corner, (1, 1) the right top. With ``smooth=False`` enlarged texels stay sharp squares. See ``Placed`` for the rest.
    """

    def __init__(
        self,
        image: Image,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        region: Region | None = None,
        size: tuple[float, float] | None = None,
        anchor: tuple[float, float] = (0.5, 0.5),
        color: Sequence[float] = WHITE,
        rotation: float = 0.0,
        layer: int = 0,
        space: Space = "world",
        player: int | None = None,
        facing: bool = False,
        smooth: bool = True,
    ) -> None:
        super().__init__(position, rotation, color, layer, space, player, facing=facing)
        self._image = checked_image("a sprite", image)
        self._region = checked_region("a sprite", image, region)
        self._smooth = smooth
        self._check("size", size, NumberRule(2, optional=True))
        self._check("anchor", anchor, _ANCHOR)
        texel = 1.0 if space == "screen" else 0.01
        self._size = size or (self._region[2] * texel, self._region[3] * texel)
        self._anchor = anchor

    @property
    def image(self) -> Image:
        """The image that it shows a region of."""
        return self._image

    @image.setter
    def image(self, image: Image) -> None:
        """Shows the whole image."""
        self._image = checked_image("a sprite", image)
        self._region = checked_region("a sprite", image, None)
        self._changed_pieces()

    @property
    def region(self) -> Region:
        """x, y, width, height in texels; another one is the next picture of a sheet."""
        return self._region

    @region.setter
    def region(self, region: Region | None) -> None:
        self._region = checked_region("a sprite", self._image, region)
        self._changed_pieces()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in metres or HUD units."""
        return self._size

    @size.setter
    def size(self, size: tuple[float, float]) -> None:
        self._check("size", size, _SIZE)
        self._size = (float(size[0]), float(size[1]))
        self._changed_pieces()

    def pieces(self) -> Pieces:
        """One rectangle."""
        box, part = box_around(self._size, self._anchor), part_of(self._image, self._region)
        return Pieces.of([(box, part, Source(self._image, self._smooth))])
