"""Layers of a surface beyond metal and roughness, as in glTF's KHR_materials_specular, ior, clearcoat, sheen, volume.

A material without them has None. All compare by value; an invalid number raises ``UsageError``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.kind_rules import check_images
from renderwright.engine.scene.number_rules import NumberRule, check_numbers
from renderwright.engine.scene.value_class import replaced_by
from renderwright.render.errors import SourceLocation

_PART = NumberRule(least=0.0, most=1.0)
_COLOR = NumberRule(3, least=0.0)
_COLOR_PART = NumberRule(3, least=0.0, most=1.0)


@replaced_by("specular = dataclasses.replace(specular, {change}), and give it to a Material")
@dataclass(frozen=True)
class Specular:
    """The reflection of the part of a surface that is no metal.

    ``ior`` is the index of refraction: 1.5 reflects 4 % of light from ahead, 1.33 (water) 2 %, 2.4 (diamond) 17 %.
    ``color`` tints and scales that reflection up to 1; ``strength`` scales it at all angles. ``image`` multiplies both:
    colour (sRGB) in red, green and blue, strength in alpha.
    """

    ior: float = 1.5
    strength: float = 1.0
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    image: Image | None = None
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rules = {"ior": NumberRule(least=1.0), "strength": _PART, "color": _COLOR}
        check_numbers("Specular", self, rules, self.made_at)
        check_images(self, ("image",), self.made_at)


@replaced_by("coat = dataclasses.replace(coat, {change}), and give it to a Material")
@dataclass(frozen=True)
class Coat:
    """A layer of clear varnish with an index of refraction of 1.5 over the surface.

    ``strength`` is the part of the surface that it covers. ``image`` (linear) multiplies the strength by red and the
    roughness by green. The coat is smooth over bumps of ``Material.normal_image``; it has its own ``normal_image``.
    """

    strength: float = 1.0
    roughness: float = 0.0
    image: Image | None = None
    normal_image: Image | None = None
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_numbers("Coat", self, {"strength": _PART, "roughness": _PART}, self.made_at)
        check_images(self, ("image", "normal_image"), self.made_at)


@replaced_by("sheen = dataclasses.replace(sheen, {change}), and give it to a Material")
@dataclass(frozen=True)
class Sheen:
    """The light that fibres of cloth scatter back at grazing angles.

    ``image`` multiplies both: colour (sRGB) in red, green and blue, roughness in alpha.
    """

    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    roughness: float = 0.3
    image: Image | None = None
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_numbers("Sheen", self, {"color": _COLOR_PART, "roughness": _PART}, self.made_at)
        check_images(self, ("image",), self.made_at)


@replaced_by("volume = dataclasses.replace(volume, {change}), and give it to a Material")
@dataclass(frozen=True)
class Volume:
    """The body of glass below a surface with ``Material.transmission``, which bends light by ``Specular.ior``.

    ``thickness`` is in metres, in the space of the mesh: an entity's scale enlarges it. Light that has passed
    ``attenuation_distance`` metres of the body is multiplied by ``attenuation_color``.
    """

    thickness: float
    attenuation_color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    attenuation_distance: float = 1.0
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rules = {
            "thickness": NumberRule(least=0.0),
            "attenuation_color": _COLOR_PART,
            "attenuation_distance": NumberRule(positive=True),
        }
        check_numbers("Volume", self, rules, self.made_at)
