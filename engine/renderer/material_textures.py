"""The textures of the material images in use."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np

from renderwright.engine.renderer.surface_variants import ChosenSurfaces
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.surface_shader import MOST_IMAGES
from renderwright.render.backend.protocol import Backend, TextureBinding
from renderwright.render.backend.streamed import Streamed
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.sampling import Sampling
from renderwright.render.types.usages import Usage

KEPT_FRAMES = 120
"""Frames without a draw after which an image is released."""

SLOTS = (
    ("base_color_image", True),
    ("normal_image", False),
    ("metallic_roughness_image", False),
    ("emissive_image", True),
    ("occlusion_image", False),
    ("coat_image", False),
    ("coat_normal_image", False),
    ("specular_image", True),
    ("sheen_image", True),
    ("transmission_image", False),
    *((f"own_image_{number}", True) for number in range(MOST_IMAGES)),
)
"""Shader name of each image, and whether it holds colour that may be sRGB-encoded."""

PLAIN_SLOTS = 5
OWN_SLOTS = len(SLOTS) - MOST_IMAGES
"""The first slots are those of every material, then come those of layers, and those of surface functions."""

Color = tuple[int, int, int, int]

WHITE: Color = (255, 255, 255, 255)

FLAT: Color = (128, 128, 255, 255)

PLACEHOLDERS: dict[str, Color] = {
    "normal_image": FLAT,
    "coat_normal_image": FLAT,
    "emissive_image": (0, 0, 0, 255),
}
"""Placeholders of images whose upload is in progress: a flat normal and no emission; white for the others."""


class Arriving(Enum):
    """Marks an image whose upload is in progress."""

    ARRIVING = "arriving"


ImageSet = tuple[Image | None, ...]
"""A material's images in the order of the slots. Materials that differ only in factors have equal sets.

Materials that are drawn without a surface function leave out its slots.
"""

Shown = tuple[Image | Arriving | None, ...]
"""An image set with the images that are resident in a frame."""

TextureKey = tuple[Image, bool]
"""An image, and whether it is sRGB-encoded."""


def images_of(material: Material, surfaces: ChosenSurfaces | None = None) -> ImageSet:
    """The material's images, and those of its surface function if it is drawn with one; None for empty slots."""
    chosen = surfaces.get(material.surface) if surfaces and material.surface is not None else None
    return material.slots() if chosen is None else (*material.slots(), *chosen.images)


class MaterialTextures:
    """Creates textures on first use. ``update``, called once per frame, drops unused ones.

    With ``stream``, images that appear later are uploaded in the background, with placeholders until they are resident;
    small ones are there at once. Without it, and in the first frame, the frame waits for the upload. ``plain`` has the
    placeholders by colour. ``anisotropy`` is that of ``Sampling``.
    """

    def __init__(self, backend: Backend, *, stream: bool, anisotropy: float = 1.0) -> None:
        self._backend = backend
        self._anisotropy = anisotropy
        self._stream = stream
        if stream:
            backend.prepare_streaming()
        self._frame = 0
        self._began = False
        self._wanted: Sequence[ImageSet] | None = None
        self._arriving: list[Streamed[PhysicalTexture]] = []
        # Frames in which image sets were drawn for the last time before others were.
        self._left: dict[ImageSet, int] = {}
        self._textures: dict[TextureKey, Streamed[PhysicalTexture]] = {}
        self._plain = {color: self._upload_plain(color) for color in {WHITE, *PLACEHOLDERS.values()}}
        self.plain = {color: self._bound(texture) for color, texture in self._plain.items()}

    @property
    def used(self) -> Sequence[ImageSet]:
        """The image sets that are drawn or were drawn lately."""
        return [*(self._wanted or ()), *self._left]

    def update(self, wanted: Sequence[ImageSet]) -> bool:
        """Begin a frame that draws ``wanted``, the same object as long as it does not change.

        Releases images without a draw for ``KEPT_FRAMES``. Returns whether there are other textures or images than in
        the last frame.
        """
        self._frame += 1
        arriving = [texture for texture in self._arriving if not texture.resident]
        changed = len(arriving) != len(self._arriving)
        self._arriving = arriving
        if wanted is not self._wanted:
            known = {*(self._wanted or ()), *self._left}
            self._load([images for images in wanted if images not in known])
            self._leave(wanted)
            changed = True
        old = [images for images, frame in self._left.items() if self._frame - frame > KEPT_FRAMES]
        if old:
            self._release(old)
        return changed or bool(old)

    def shown(self, images: ImageSet) -> Shown:
        """The images as available in this frame, with marks for those in progress."""
        return tuple(
            image if image is None or self._textures[key_of(image, srgb)].resident else Arriving.ARRIVING
            for image, (_, srgb) in zip(images, SLOTS, strict=False)
        )

    def texture(self, image: Image | Arriving | None, slot: str, *, srgb: bool) -> TextureBinding:
        """The texture for an image in a slot, or its placeholder."""
        if isinstance(image, Image):
            return self._bound(self._textures[key_of(image, srgb)].asset, image)
        return self.plain[placeholder(slot, empty=image is None)]

    def resident(self, key: TextureKey) -> TextureBinding | None:
        """The texture of an image, or None while its upload is in progress."""
        texture = self._textures[key]
        return self._bound(texture.asset, key[0]) if texture.resident else None

    def close(self) -> None:
        """Release all textures."""
        for texture in (*(streamed.asset for streamed in self._textures.values()), *self._plain.values()):
            self._backend.destroy(texture)

    def _bound(self, texture: PhysicalTexture, image: Image | None = None) -> TextureBinding:
        across, along = image.wrap if image is not None else ("repeat", "repeat")
        sampling = Sampling(image.filter if image is not None else "linear", across, self._anisotropy, along)
        return TextureBinding(texture, Layout.SHADER_READ_ONLY, sampling)

    def _leave(self, wanted: Sequence[ImageSet]) -> None:
        self._left.update(dict.fromkeys(self._wanted or (), self._frame - 1))
        for images in wanted:
            self._left.pop(images, None)
        self._wanted = wanted

    def _load(self, added: Sequence[ImageSet]) -> None:
        waits = not self._stream or not self._began
        for key in [key for images in added for key in texture_keys(images)]:
            if key not in self._textures:
                self._textures[key] = self._upload(*key, waits=waits)
                self._arriving.append(self._textures[key])
        self._began |= bool(added)

    def _release(self, old: Sequence[ImageSet]) -> None:
        for images in old:
            del self._left[images]
        left = {key for images in self.used for key in texture_keys(images)}
        for key in [key for key in self._textures if key not in left]:
            texture = self._textures.pop(key)
            self._arriving = [each for each in self._arriving if each is not texture]
            self._backend.destroy(texture.asset)

    def _upload(self, image: Image, srgb: bool, *, waits: bool) -> Streamed[PhysicalTexture]:
        height, width = image.pixels.shape[:2]
        format, mips = "rgba8_srgb" if srgb else "rgba8_unorm", max(width, height).bit_length()
        info = TextureInfo(format, (width, height), mips, 1, 1, frozenset({Usage.SAMPLED}))
        if waits:
            return Streamed.resident_now(self._backend.create_texture(info, image.name, image.pixels))
        streamed = self._backend.stream_texture(info, image.name, image.pixels)
        streamed.hasten()
        return streamed

    def _upload_plain(self, color: Color) -> PhysicalTexture:
        info = TextureInfo("rgba8_unorm", (1, 1), 1, 1, 1, frozenset({Usage.SAMPLED}))
        return self._backend.create_texture(info, f"plain {color}", np.array([[color]], np.uint8))


def placeholder(slot: str, *, empty: bool) -> Color:
    """The colour of a slot without an image, or of one whose image is not resident yet.

    Without an image it is a flat normal, and white for all others.
    """
    return WHITE if empty and slot == "emissive_image" else PLACEHOLDERS.get(slot, WHITE)


def key_of(image: Image, srgb: bool) -> TextureKey:
    """The texture key of an image in a slot. ``srgb`` tells whether the slot may hold sRGB."""
    return image, image.srgb and srgb


def texture_keys(images: ImageSet) -> list[TextureKey]:
    """The texture keys of an image set."""
    return [key_of(image, srgb) for image, (_, srgb) in zip(images, SLOTS, strict=False) if image is not None]
