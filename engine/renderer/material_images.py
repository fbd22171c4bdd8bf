"""Descriptor sets of the material images in use: one for each set of images, or one table of all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from renderwright.engine.renderer.image_table import ImageNumbers, ImageTable
from renderwright.engine.renderer.material_textures import SLOTS, ImageSet, MaterialTextures, Shown
from renderwright.engine.renderer.set_layouts import MATERIAL_SET, SetLayout, material_layout
from renderwright.render.backend.protocol import Backend, BindingSet, Pipeline, TextureBinding
from renderwright.render.errors import UsageError


class MaterialImages:
    """Textures and descriptor sets of images. Call ``update`` once per frame; see ``MaterialTextures``.

    On a device that is ``indexed``, materials find their images in the ``table`` by number. On others each set of
    images has a descriptor set, and ``shown`` are the image sets of the frame, with marks for images in progress.
    ``anisotropy`` is that of ``Sampling``.
    """

    def __init__(self, backend: Backend, *, stream: bool = False, anisotropy: float = 1.0) -> None:
        self._backend = backend
        self._textures = MaterialTextures(backend, stream=stream, anisotropy=anisotropy)
        self.indexed = backend.capabilities.indexed_textures > 0
        self.shown: tuple[Shown, ...] = ()
        self._sets: dict[SetLayout, dict[Shown, BindingSet]] = {}
        self._numbers = ImageNumbers()
        self.table = self._new_table()

    def update(self, wanted: Sequence[ImageSet]) -> bool:
        """Begin a frame that draws ``wanted``, the same object as long as it does not change.

        Returns whether there are other images than in the last frame, so that materials may have other numbers.
        """
        if not self._textures.update(wanted):
            return False
        if self.indexed:
            self._numbers.follow(self._textures.used)
            table = self._new_table()
            if table.images != self.table.images:
                self.table.close()
                self.table = table
            return True
        self.shown = tuple([self._textures.shown(images) for images in wanted])
        used = {self._textures.shown(images) for images in self._textures.used}
        for sets in self._sets.values():
            for shown in [shown for shown in sets if shown not in used]:
                self._backend.destroy(sets.pop(shown))
        return True

    def are_resident(self, images: ImageSet) -> bool:
        """Whether the frame shows all of a material's images; placeholders stand for those in progress."""
        return self._textures.shown(images) == images

    def numbers_of(self, images: ImageSet) -> tuple[int, ...]:
        """The numbers of a material's images in the table, in the order of the slots."""
        return self._numbers.of(images)

    def bindings_for(self, pipeline: Pipeline) -> Callable[[ImageSet], BindingSet]:
        """A function from images to descriptor sets, for this pipeline and those with the same set layout.

        The images must belong to the frame that ``update`` has begun.
        """
        layout = material_layout(pipeline.desc)
        sets = self._sets.setdefault(layout, {})

        def bindings(images: ImageSet) -> BindingSet:
            shown = self._textures.shown(images)
            if shown not in sets:
                entries = self._entries(shown, layout)
                sets[shown] = self._backend.create_bindings(pipeline, MATERIAL_SET, entries, "material")
            return sets[shown]

        return bindings

    def close(self) -> None:
        """Release all resources."""
        for bindings in [bindings for of_layout in self._sets.values() for bindings in of_layout.values()]:
            self._backend.destroy(bindings)
        self.table.close()
        self._textures.close()

    def _new_table(self) -> ImageTable:
        textures = self._numbers.textures(self._textures)
        most = self._backend.capabilities.indexed_textures
        if self.indexed and len(textures) > most:
            raise UsageError(
                f"the scene's materials have {len(textures)} images, and the device {most} at once",
                hint="use an image in several materials, or several pictures in one image",
            )
        return ImageTable(self._backend, tuple(textures))

    def _entries(self, images: Shown, layout: SetLayout) -> dict[str, TextureBinding]:
        """The images that shaders of a layout sample, by name."""
        sampled = {binding.name for _, binding in layout}
        return {
            slot: self._textures.texture(image, slot, srgb=srgb)
            for image, (slot, srgb) in zip(images, SLOTS, strict=False)
            if slot in sampled
        }
