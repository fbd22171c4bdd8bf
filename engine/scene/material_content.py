"""Materials as content: what a YAML file says about them, and a palette that makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from renderwright.engine.content import ContentModel, load_content
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import AlphaMode, Material
from renderwright.engine.scene.surface_layers import Coat, Specular, Volume
from renderwright.render.suggest import did_you_mean

Color = tuple[float, float, float]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Level = Annotated[float, Field(ge=0.0)]
Light = tuple[Level, Level, Level]

_WHITE: Color = (1.0, 1.0, 1.0)
_IMAGES = ("base_color_image", "metallic_roughness_image", "normal_image", "emissive_image")


class CoatContent(ContentModel):
    """A layer of varnish, as ``Coat``."""

    strength: Share = 1.0
    roughness: Share = 0.0


class VolumeContent(ContentModel):
    """The body of glass, as ``Volume``. Without a ``color`` it has the tint that the game gives."""

    thickness: Level
    color: tuple[Share, Share, Share] | None = None
    distance: Annotated[float, Field(gt=0.0)] = 1.0


class MaterialContent(ContentModel):
    """A material, as ``Material``; images by names that the game gives them.

    Without a ``color`` it has the tint that the game gives, or is white.
    """

    color: Light | None = None
    alpha: Share = 1.0
    metallic: Share = 0.0
    roughness: Share = 0.5
    emissive: Light = (0.0, 0.0, 0.0)
    base_color_image: str = ""
    metallic_roughness_image: str = ""
    normal_image: str = ""
    emissive_image: str = ""
    alpha_mode: AlphaMode = "opaque"
    double_sided: bool = False
    transmission: Share = 0.0
    ior: Annotated[float, Field(ge=1.0)] | None = None
    volume: VolumeContent | None = None
    coat: CoatContent | None = None

    def material(self, images: Mapping[str, Image], tint: Color = _WHITE) -> Material:
        """The material. Raises ``KeyError`` for an image that is not there."""
        color, gloss, normal, light = (images[key] if (key := getattr(self, name)) else None for name in _IMAGES)
        volume, coat = self.volume, self.coat
        return Material(
            (*(self.color or tint), self.alpha),
            self.metallic,
            self.roughness,
            self.emissive,
            base_color_image=color,
            metallic_roughness_image=gloss,
            normal_image=normal,
            emissive_image=light,
            double_sided=self.double_sided,
            alpha_mode=self.alpha_mode,
            transmission=self.transmission,
            specular=None if self.ior is None else Specular(self.ior),
            volume=None if volume is None else Volume(volume.thickness, volume.color or tint, volume.distance),
            coat=None if coat is None else Coat(coat.strength, coat.roughness),
        )


class Palette(Mapping[str, Material]):
    """Materials by name. Each is made once, and once for each tint."""

    def __init__(self, described: Mapping[str, MaterialContent], images: Mapping[str, Image]) -> None:
        self._described = described
        self._images = images
        self._made: dict[tuple[str, Color], Material] = {}

    def __getitem__(self, name: str) -> Material:
        return self.tinted(name, _WHITE)

    def __iter__(self) -> Iterator[str]:
        return iter(self._described)

    def __len__(self) -> int:
        return len(self._described)

    def tinted(self, name: str, tint: Color) -> Material:
        """The material of a name with a tint for what its file leaves open. Raises ``KeyError`` if there is none."""
        if (name, tint) not in self._made:
            self._made[name, tint] = self._described[name].material(self._images, tint)
        return self._made[name, tint]


def load_palette(file: Path, images: Mapping[str, Image]) -> Palette:
    """The materials of a YAML file, a mapping of names to ``MaterialContent``. Raises ``AssetError`` with file and
    line, also for images that are not there."""
    content = load_content(file, dict[str, MaterialContent], "palette")
    for name, described in content.value.items():
        for field in _IMAGES:
            image = getattr(described, field)
            if image and image not in images:
                message = f'{name}.{field}: unknown image "{image}"'
                raise content.error(message, did_you_mean(image, images), (name, field))
    return Palette(content.value, images)
