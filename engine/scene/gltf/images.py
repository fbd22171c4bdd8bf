"""The images of a glTF file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.basisu import BASISU, MAGIC, decode_basisu, extent_of
from renderwright.engine.scene.gltf.file import GltfFile, MissingFileError
from renderwright.engine.scene.image import Filter, Image, Wrap, decode_image, image_extent
from renderwright.render.errors import AssetError

_WRAPS: dict[Any, Wrap] = {10497: "repeat", 33071: "clamp", 33648: "mirror"}
_NEAREST = 9728

#: Extensions of textures that name an image in another format, the ones that are decoded.
_FORMATS = (BASISU, "EXT_texture_webp")


class GltfImages:
    """Decodes the images of one file, each once for colour and once for data.

    An image that is missing or cannot be decoded is a notice of the file, and None.
    """

    def __init__(self, file: GltfFile) -> None:
        self._file = file
        self._images: dict[tuple[int, bool], Image | None] = {}
        self._sampled: dict[tuple[Image, int], Image] = {}

    def of_texture(self, index: int | None, user: str, *, srgb: bool) -> Image | None:
        """The image of a texture that ``user`` refers to. Raises AssetError for what may not be read."""
        texture = self._file.element("textures", index, user)
        label = f"textures[{index}]"
        source = _source(texture)
        if source is None:
            self._file.notices.add(user, "a texture without an image in a known format is left out")
            return None
        description = self._file.element("images", source, label)
        key = (source, srgb)
        if key not in self._images:
            self._images[key] = self._read(description, self._file.label("images", source), srgb=srgb)
        image = self._images[key]
        if image is None or texture.sampler is None:
            return image
        return self._with_sampler(image, texture.sampler, label)

    def _with_sampler(self, image: Image, index: int, user: str) -> Image:
        """The image with the wrap and filter of a sampler."""
        sampler = self._file.element("samplers", index, user)
        label = f"samplers[{index}]"
        modes = [sampler.wrapS, sampler.wrapT]
        for mode in modes:
            if mode not in _WRAPS:
                self._file.notices.add(label, f"wrap {shown(str(mode))} taken as repeat")
        across, along = (_WRAPS.get(mode, "repeat") for mode in modes)
        # Minified texels are blended all the same: they would flicker.
        chosen: Filter = "nearest" if sampler.magFilter == _NEAREST else "linear"
        if ((across, along), chosen) == (image.wrap, image.filter):
            return image
        if (image, index) not in self._sampled:
            self._sampled[image, index] = replace(image, wrap=(across, along), filter=chosen)
        return self._sampled[image, index]

    def _read(self, description: Any, label: str, *, srgb: bool) -> Image | None:
        try:
            return self._decoded(self._data(description, label), label, srgb=srgb)
        except MissingFileError as error:
            problem = error.message.removeprefix(f"{label}: ")
        except AssetError as error:
            if error.where is not None:  # more than a model may have, or outside its folder
                raise
            problem = error.message.removeprefix(f'image "{self._file.path.name} {label}" ')
        self._file.notices.add(label, f"{problem}; its materials are shown without it")
        return None

    def _data(self, description: Any, label: str) -> bytes:
        if description.uri is not None:
            return self._file.resource(description.uri, label)
        view = self._file.view(description.bufferView, label)
        self._file.spend("bytes", len(view), label)
        return bytes(view)

    def _decoded(self, data: bytes, label: str, *, srgb: bool) -> Image:
        name = f"{self._file.path.name} {label}"
        basisu = data.startswith(MAGIC)
        width, height = extent_of(name, data) if basisu else image_extent(name, data)
        self._file.spend("texels", width * height, label)
        return decode_basisu(name, data, srgb=srgb) if basisu else decode_image(name, data, srgb=srgb)


def _source(texture: Any) -> int | None:
    """The number of the texture's image: that of an extension before the one for all loaders."""
    for name in _FORMATS:
        extension = (texture.extensions or {}).get(name)
        if isinstance(extension, dict) and "source" in extension:
            source: int = extension["source"]
            return source
    found: int | None = texture.source
    return found
