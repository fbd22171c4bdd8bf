"""Images of the device that lives of textures share, and the layout that they stay in from life to life.

An image is in no layout any more when its memory has been written through another one. Where nobody else has had the
memory since the image was last used, it is still in the general layout, and a life that begins there need not bring it
into that: what it waits for can be part of a barrier of all memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

CopyKey = tuple[str, int]
"""A resource (by id) and the number of its copy."""


@dataclass(frozen=True)
class Images:
    """Which copies of textures are one image, and which lives find it in its layout.

    ``shared`` are copies with the name of the image that they are in turn. Copies that ``stay``
    begin in the layout in which the image is. Before the first frame of a plan nobody has brought it there:
    ``settled`` has a copy for each image of which a life begins so before any other does, for a plan that begins with
    an even frame and for one that begins with an odd one. ``histories`` are the copies among those that stay that the
    next frame reads, for the first even frame and for the first odd one: until then the last frame's copy may be
    another image.
    """

    shared: tuple[tuple[CopyKey, str], ...] = ()
    stay: frozenset[CopyKey] = frozenset()
    settled: tuple[tuple[CopyKey, ...], tuple[CopyKey, ...]] = ((), ())
    histories: tuple[tuple[CopyKey, ...], tuple[CopyKey, ...]] = ((), ())

    @cached_property
    def names(self) -> Mapping[CopyKey, str]:
        """The names of shared images by copy."""
        return dict(self.shared)


APART = Images()
"""Each copy is an image of its own and is brought into its layout whenever a life begins."""
