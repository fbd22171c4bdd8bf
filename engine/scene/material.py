"""Materials of the metallic-roughness model of glTF 2.0."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.kind_rules import check_images, check_kinds
from renderwright.engine.scene.number_rules import NumberRule, check_numbers
from renderwright.engine.scene.surface_layers import Coat, Sheen, Specular, Volume
from renderwright.engine.scene.surface_shader import SurfaceShader
from renderwright.engine.scene.value_class import replaced_by
from renderwright.render.errors import SourceLocation, UsageError
from renderwright.render.suggest import did_you_mean

AlphaMode = Literal["opaque", "mask", "blend"]
"""What a material's alpha means, as in glTF 2.0."""

ALPHA_MODES: tuple[AlphaMode, ...] = get_args(AlphaMode)

IMAGES = (
    "base_color_image",
    "normal_image",
    "metallic_roughness_image",
    "emissive_image",
    "occlusion_image",
    "coat.image",
    "coat.normal_image",
    "specular.image",
    "sheen.image",
    "transmission_image",
)
"""The images of a material and of its layers, in the order of the slots of shaders."""

_OWN_IMAGES = tuple(name for name in IMAGES if "." not in name)
_LAYERS: dict[str, type] = {"specular": Specular, "coat": Coat, "sheen": Sheen, "volume": Volume}

_RULES = {
    "base_color": NumberRule(4, least=0.0),
    "metallic": NumberRule(least=0.0, most=1.0),
    "roughness": NumberRule(least=0.0, most=1.0),
    "emissive": NumberRule(3, least=0.0),
    "alpha_cutoff": NumberRule(least=0.0, most=1.0),
    "transmission": NumberRule(least=0.0, most=1.0),
}


@replaced_by("entity.material = dataclasses.replace(entity.material, {change})")
@dataclass(frozen=True)
class Material:
    """A surface material. Colours are linear. Factors multiply the images. Materials compare by value.

    ``metallic_roughness_image`` holds roughness in green and metallic in blue, ``occlusion_image`` occlusion in red,
    and ``normal_image`` tangent-space normals with +Y up the image. ``transmission_image`` multiplies ``transmission``
    by red, and the thickness of ``volume`` by green. These four are linear, the other two are sRGB.
    An invalid number or mode raises ``UsageError``.

    A surface's alpha is that of ``base_color`` times that of ``base_color_image``. ``alpha_mode`` says what it does:
    nothing for ``"opaque"``, where a ``base_color`` with an alpha below 1 is reported when the material is first drawn;
    holes where it is below ``alpha_cutoff`` for ``"mask"``; the share of the light from behind that the surface hides
    for ``"blend"``.

    ``specular``, ``coat`` and ``sheen`` are layers beyond metal and roughness. An ``unlit`` surface shows its base
    colour, whatever shines on it. Names of ``IMAGES`` in ``second_uv`` are sampled at ``Mesh.second_uvs``.
    ``surface`` is a function in GLSL that may change the surface at each fragment, but not its layers.
    """

    base_color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    metallic: float = 0.0
    roughness: float = 0.5
    #: Emitted radiance in HDR units; values above 1 are brighter than white.
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    base_color_image: Image | None = None
    normal_image: Image | None = None
    metallic_roughness_image: Image | None = None
    emissive_image: Image | None = None
    occlusion_image: Image | None = None
    double_sided: bool = False
    alpha_mode: AlphaMode = "opaque"
    alpha_cutoff: float = 0.5
    unlit: bool = False
    specular: Specular | None = None
    coat: Coat | None = None
    sheen: Sheen | None = None
    second_uv: frozenset[str] = frozenset()
    #: Share of the light that is not reflected which passes through, tinted by the base colour, as through thin glass.
    transmission: float = 0.0
    #: What light passes through below a surface with a transmission; None for thin glass.
    volume: Volume | None = None
    transmission_image: Image | None = None
    surface: SurfaceShader | None = None
    #: Whether the parts of a mask that are smaller than a texel of the picture are scattered, in their share of it.
    alpha_hashed: bool = False
    #: The line of the game that made the material, for messages.
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_numbers("Material", self, _RULES, self.made_at)
        check_images(self, _OWN_IMAGES, self.made_at)
        for layer, kind in _LAYERS.items():
            check_kinds(self, kind, (layer,), f"give a {kind.__name__}(...), or None", self.made_at)
        check_kinds(self, SurfaceShader, ("surface",), "give a SurfaceShader(...), or None", self.made_at)
        if self.alpha_mode not in ALPHA_MODES:
            raise UsageError(
                f"Material.alpha_mode cannot be {shortened(self.alpha_mode)}",
                hint=f"give one of {', '.join(ALPHA_MODES)}",
                where=self.made_at,
            )
        for name in self.second_uv:
            if name not in IMAGES:
                raise UsageError(
                    f"Material.second_uv has no image {shortened(name)}",
                    hint=did_you_mean(str(name), IMAGES),
                    where=self.made_at,
                )

    @property
    def layered(self) -> bool:
        """Whether it is more than metal and roughness."""
        return self.unlit or any(
            part is not None for part in (self.specular, self.coat, self.sheen, self.volume, self.transmission_image)
        )

    @property
    def drawn_as(self) -> AlphaMode:
        """The alpha mode of its draws: with a transmission, that of blended surfaces."""
        return "blend" if self.transmission > 0.0 else self.alpha_mode

    def images(self) -> tuple[Image, ...]:
        """The distinct images in use, in the order of the fields."""
        own = self.surface.images.values() if self.surface is not None else ()
        return tuple(dict.fromkeys(image for image in (*self.slots(), *own) if image is not None))

    def slots(self) -> tuple[Image | None, ...]:
        """The image of each of ``IMAGES``, or None."""
        plain = (
            self.base_color_image,
            self.normal_image,
            self.metallic_roughness_image,
            self.emissive_image,
            self.occlusion_image,
        )
        coat, specular, sheen = self.coat, self.specular, self.sheen
        if coat is None and specular is None and sheen is None:
            return (*plain, None, None, None, None, self.transmission_image)
        return (
            *plain,
            coat.image if coat else None,
            coat.normal_image if coat else None,
            specular.image if specular else None,
            sheen.image if sheen else None,
            self.transmission_image,
        )
