"""Device images that several textures share, and the general layout that these stay in from use to use.

An image loses its layout when its memory is written through another image. Where only the same image has used the
memory since, it is still in the general layout. The next texture on it then needs no layout change, so that its first
barrier can be part of a global memory barrier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

CopyKey = tuple[str, int]
"""A resource (by id) and the number of its copy."""


@dataclass(frozen=True)
class ImageReuse:
    """Which copies of textures are one image, and which of them find it in its layout.

    ``shared_images`` are copies with the name of the image that they share. Copies that ``keep_layout`` begin in the
    layout in which the image is. Before the first frame of a plan no image is in that layout, and the runtime
    transitions some. ``initial_transitions`` has the copy that comes first on each image, if it keeps the layout, for a
    plan that begins with an even frame and for one that begins with an odd one. ``history_transitions`` are the copies
    with ``keep_layout`` that the next frame reads, for the first even frame and for the first odd one: until then the
    last frame's copy may be another image.
    """

    shared_images: tuple[tuple[CopyKey, str], ...] = ()
    keep_layout: frozenset[CopyKey] = frozenset()
    initial_transitions: tuple[tuple[CopyKey, ...], tuple[CopyKey, ...]] = ((), ())
    history_transitions: tuple[tuple[CopyKey, ...], tuple[CopyKey, ...]] = ((), ())

    @cached_property
    def image_names(self) -> Mapping[CopyKey, str]:
        """The names of shared images by copy."""
        return dict(self.shared_images)

    def first_transitions(self, parity: int) -> tuple[CopyKey, ...]:
        """All copies to transition before a plan whose first frame is even (0) or odd (1)."""
        return (*self.initial_transitions[parity], *self.history_transitions[parity])


NO_REUSE = ImageReuse()
"""Each copy is an image of its own, whose layout is changed at each first use."""
