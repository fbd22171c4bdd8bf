"""Regions of images: rectangles in texels from the left top corner."""

from __future__ import annotations

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.image import Image
from renderwright.render.errors import UsageError

Region = tuple[int, int, int, int]
"""x, y, width, height."""


def checked_image(what: str, image: object) -> Image:
    """The image; ``UsageError`` if it is none. Messages call its user ``what``."""
    if isinstance(image, Image):
        return image
    raise UsageError(
        f"{what} cannot show {image!r}",
        hint="give an Image, such as load_image of renderwright.engine.scene returns",
        where=caller_location(),
    )


def checked_region(what: str, image: Image, region: object) -> Region:
    """The region, or the whole image for None; ``UsageError`` if it does not lie inside."""
    columns, rows = image.extent
    if region is None:
        return (0, 0, columns, rows)
    if isinstance(region, tuple | list) and len(region) == 4 and all(isinstance(number, int) for number in region):
        x, y, width, height = region
        if x >= 0 and y >= 0 and width > 0 and height > 0 and x + width <= columns and y + height <= rows:
            return (x, y, width, height)
    raise UsageError(
        f'{what}: region {region!r} is not a part of "{image.name}", which is {columns} x {rows}',
        hint="a region is (x, y, width, height) in texels",
        where=caller_location(),
    )
