"""Nine-patches: frames whose corners keep their size, whatever theirs."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.scene.image import Image
from renderwright.engine.scene.number_rules import NumberRule
from renderwright.engine.sprites.pieces import Pieces, Source, box_around, part_of
from renderwright.engine.sprites.placed import WHITE, Placed, Space
from renderwright.engine.sprites.regions import Region, checked_image, checked_region

Borders = tuple[int, int, int, int]
"""Texels at the left, top, right and bottom that keep their size."""

_SIZE = NumberRule(2, least=0.0)
_BORDERS = NumberRule(4, least=0.0)


class NinePatch(Placed):
    """A rectangle with an image in nine parts: the corners keep their size, the edges grow along their direction, and
    the middle in both.

    ``borders`` are the texels at the left, top, right and bottom of the region that keep their size, which is ``texel``
    metres or HUD units each. In a rectangle that is too small for them they shrink. The other arguments are those of
    ``Sprite``.
    """

    def __init__(
        self,
        image: Image,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        size: tuple[float, float],
        borders: Borders,
        texel: float | None = None,
        region: Region | None = None,
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
        self._source = Source(checked_image("a nine-patch", image), smooth)
        self._image = image
        self._region = checked_region("a nine-patch", image, region)
        self._check("size", size, _SIZE)
        self._check("anchor", anchor, NumberRule(2))
        self._check("borders", borders, _BORDERS)
        self._check("texel", texel, NumberRule(positive=True, optional=True))
        left, top, right, bottom = borders
        if left + right > self._region[2] or top + bottom > self._region[3]:
            raise self._refused("borders", borders, f"at most {self._region[2]} x {self._region[3]} texels together")
        self._size, self._anchor, self._borders = size, anchor, borders
        self._texel = texel or (1.0 if space == "screen" else 0.01)

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
        """Up to nine rectangles."""
        left, top, right, bottom = self._borders
        x, y, width, height = self._region
        box = box_around(self._size, self._anchor)
        columns = _cuts(box[0], box[2], left * self._texel, right * self._texel)
        rows = _cuts(box[1], box[3], bottom * self._texel, top * self._texel)
        across = (x, x + left, x + width - right, x + width)
        down = (y + height, y + height - bottom, y + top, y)  # from the bottom, as the rows
        return Pieces.of(
            [
                (
                    (columns[i], rows[j], columns[i + 1], rows[j + 1]),
                    part_of(self._image, (across[i], down[j + 1], across[i + 1] - across[i], down[j] - down[j + 1])),
                    self._source,
                )
                for j in range(3)
                for i in range(3)
                if across[i + 1] > across[i] and down[j] > down[j + 1]
            ]
        )


def _cuts(low: float, high: float, first: float, last: float) -> tuple[float, float, float, float]:
    """The edges of three parts: the first and the last of these lengths, or shorter if they do not fit."""
    fits = min(1.0, (high - low) / max(first + last, 1e-9))
    return low, low + first * fits, high - last * fits, high
