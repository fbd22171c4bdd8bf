"""One descriptor set of all material images, which materials find by number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from renderwright.engine.renderer.material_textures import (
    SLOTS,
    WHITE,
    Color,
    ImageSet,
    MaterialTextures,
    TextureKey,
    key_of,
    placeholder,
)
from renderwright.engine.renderer.set_layouts import MATERIAL_SET, SetLayout, material_layout
from renderwright.render.backend.protocol import Backend, BindingSet, Pipeline, TextureBinding

TABLE_BINDING = "scene_images"
"""The table's name in the surface shaders."""

_Entry = tuple[TextureKey | None, Color]
"""An image with the colour that is shown until it is resident; None for that colour alone."""

_NOTHING: _Entry = (None, WHITE)


class ImageNumbers:
    """The numbers of images in the table. An image keeps its number as long as it is used."""

    def __init__(self) -> None:
        self._numbers = {_NOTHING: 0}
        self._length = 1
        self._free: list[int] = []
        self._entries: dict[ImageSet, list[_Entry]] = {}
        self._of: dict[ImageSet, tuple[int, ...]] = {}

    def follow(self, used: Iterable[ImageSet]) -> None:
        """Give a number to each image of these sets, and take back those of others."""
        known = self._entries
        self._entries = {images: known[images] if images in known else _entries(images) for images in used}
        if self._entries.keys() == known.keys():
            return
        entries = dict.fromkeys(chain([_NOTHING], *self._entries.values()))
        for entry in [entry for entry in self._numbers if entry not in entries]:
            self._free.append(self._numbers.pop(entry))
        for entry in entries:
            if entry not in self._numbers:
                number = self._free.pop() if self._free else self._length
                self._numbers[entry] = number
                self._length = max(self._length, number + 1)
        # A set that stays in use keeps its numbers.
        self._of = {
            images: self._of[images] if images in self._of else tuple([self._numbers[entry] for entry in own])
            for images, own in self._entries.items()
        }

    def of(self, images: ImageSet) -> tuple[int, ...]:
        """The numbers of an image set that is used, in the order of the slots."""
        return self._of[images]

    def textures(self, textures: MaterialTextures) -> list[TextureBinding]:
        """The textures by number, placeholders for images that are not resident."""
        found = [textures.plain[WHITE]] * self._length
        for (key, color), number in self._numbers.items():
            resident = textures.resident(key) if key is not None else None
            found[number] = resident or textures.plain[color]
        return found


@dataclass(frozen=True)
class ImageTable:
    """The blob ``scene_images``: the images that are resident in this frame, by number.

    It is the same object in frames with the same images, so that commands can be kept.
    """

    backend: Backend
    images: tuple[TextureBinding, ...]
    _sets: dict[SetLayout, BindingSet] = field(default_factory=dict, compare=False)

    def bindings_for(self, pipeline: Pipeline) -> BindingSet:
        """The descriptor set, for this pipeline and those with the same set layout."""
        layout = material_layout(pipeline.desc)
        if layout not in self._sets:
            images = {TABLE_BINDING: self.images}
            self._sets[layout] = self.backend.create_bindings(pipeline, MATERIAL_SET, images, "scene images")
        return self._sets[layout]

    def close(self) -> None:
        """Release the descriptor sets."""
        for bindings in self._sets.values():
            self.backend.destroy(bindings)
        self._sets.clear()


def _entries(images: ImageSet) -> list[_Entry]:
    """The entries of an image set, in the order of the slots."""
    return [
        (None if image is None else key_of(image, srgb), placeholder(slot, empty=image is None))
        for image, (slot, srgb) in zip(images, SLOTS, strict=False)
    ]
