"""Images of particles, of which each is cut into cells that are shown one after another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from renderwright.engine.renderer.placed_layers import MOST_LAYERS, color_layer, layers_count, layers_extent
from renderwright.engine.scene import Image
from renderwright.engine.scene.placements import PlacedImages
from renderwright.render import UsageError


@dataclass(frozen=True)
class Sheet:
    """An image and the (columns, rows) of its cells, which are in order from left to right, then from top to bottom.

    Raises ``UsageError`` for an image that particles cannot have.
    """

    image: Image
    cells: tuple[int, int]

    def __post_init__(self) -> None:
        if not isinstance(self.image, Image):
            raise UsageError(
                f"the image of particles cannot be {self.image!r:.80}",
                hint="give an Image, such as that of load_image(path), or None",
            )
        name, (columns, rows), (width, height) = self.image.name, self.cells, self.image.extent
        if not self.image.srgb:
            hint = "leave out srgb=False of the image"
            raise UsageError(f'the image "{name}" of particles is not marked as colour', hint=hint)
        if self.image.filter != "linear":
            hint = 'leave out filter="nearest" of the image'
            raise UsageError(f'the image "{name}" of particles cannot be shown in squares', hint=hint)
        if width % columns or height % rows:
            raise UsageError(
                f'the image "{name}" of {width} x {height} texels has no {columns} x {rows} cells of one size',
                hint="give cells=(columns, rows) that divide the width and the height of the image",
            )
        if self.count > MOST_LAYERS:
            hint = "use fewer, or several emitters"
            raise UsageError(f'the image "{name}" has {self.count} cells, and {MOST_LAYERS} are possible', hint=hint)

    @property
    def count(self) -> int:
        """The number of cells."""
        return self.cells[0] * self.cells[1]

    def images(self) -> list[Image]:
        """An image for each cell."""
        columns, rows = self.cells
        height, width = self.image.pixels.shape[0] // rows, self.image.pixels.shape[1] // columns
        return [
            Image(self.image.name, self.image.pixels[top : top + height, left : left + width])
            for top in range(0, rows * height, height)
            for left in range(0, columns * width, width)
        ]


class SheetLayers:
    """The cells of sheets as layers of one texture. A sheet keeps its layers as long as it is used."""

    def __init__(self) -> None:
        self._first: dict[Sheet, int] = {}
        self.placed: PlacedImages | None = None

    def follow(self, used: Iterable[Sheet]) -> None:
        """Have layers for each of these sheets, and images if there are any."""
        sheets = dict.fromkeys(used)
        if not sheets:
            self._first, self.placed = {}, None
            return
        if self._first.keys() >= sheets.keys():
            return
        # A plan that is behind the scene shows the layers of before, so those that stay keep their numbers.
        self._first = {sheet: first for sheet, first in self._first.items() if sheet in sheets}
        for sheet in sheets:
            if sheet not in self._first:
                self._first[sheet] = self._free(sheet.count)
        cells = {sheet: sheet.images() for sheet in sheets}
        width, height = layers_extent([image for images in cells.values() for image in images])
        layers = layers_count(max(first + sheet.count for sheet, first in self._first.items()))
        stack = np.zeros((layers, height, width, 4), np.uint8)
        for sheet, images in cells.items():
            for number, image in enumerate(images, self._first[sheet]):
                stack[number] = color_layer(image, (width, height))
        self.placed = PlacedImages(stack)

    def first(self, sheet: Sheet) -> int:
        """The layer of the first cell of a sheet that is used."""
        return self._first[sheet]

    def _free(self, count: int) -> int:
        """The first of so many layers in a row that are free."""
        free = 0
        for sheet, first in sorted(self._first.items(), key=lambda one: one[1]):
            if first - free >= count:
                break
            free = first + sheet.count
        return free


def require_room(used: Iterable[Sheet]) -> None:
    """Raise ``UsageError`` if the emitters of a scene cannot have so many cells."""
    count = sum(sheet.count for sheet in dict.fromkeys(used))
    if count > MOST_LAYERS:
        raise UsageError(
            f"the images of a scene's particles have {count} cells, and there is room for {MOST_LAYERS}",
            hint="use an image for several emitters, or fewer cells",
        )
