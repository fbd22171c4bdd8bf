"""What a game describes: an image for a spot light."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene import Image, SpotLight
from renderwright.engine.scene.number_rules import Checked, NumberRule
from renderwright.plugins.cookies.table import CookieTable
from renderwright.render import SourceLocation, UsageError


def _up() -> glm.vec3:
    return glm.vec3(0.0, 1.0, 0.0)


@dataclass(eq=False, slots=True)
class Cookie(Checked):
    """An image that a spot light projects: ``scene.placed.add(Cookie(light, image))``.

    Its linear colours, times its alpha, multiply the light. It fills the square around the outer angle of the cone; its
    top is towards ``up`` as far as that is across the light's direction. Light and image stay the same; the light may
    move and turn, and ``up`` may be set.
    """

    number_rules: ClassVar[Mapping[str, NumberRule]] = {"up": NumberRule(3, directed=True)}

    light: SpotLight
    image: Image
    up: glm.vec3 = field(default_factory=_up)
    made_at: SourceLocation | None = field(default_factory=caller_location, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.light, SpotLight):
            hint = "give a SpotLight; other lights have no cone that an image could fill"
            raise UsageError(f"the light of a cookie cannot be {self.light!r:.80}", hint=hint, where=self.made_at)
        if not isinstance(self.image, Image):
            hint = "give an Image, such as that of load_image(path)"
            raise UsageError(f"the image of a cookie cannot be {self.image!r:.80}", hint=hint, where=self.made_at)
        if not self.image.srgb:
            message = f'the image "{self.image.name}" of a cookie is not marked as colour'
            raise UsageError(message, hint="leave out srgb=False of the image", where=self.made_at)

    @classmethod
    def table(cls) -> CookieTable:
        """An empty table of cookies."""
        return CookieTable()

    @classmethod
    def examples(cls) -> tuple[Cookie, ...]:
        """A cookie; all need the same shaders."""
        return (cls(SpotLight(), Image("white", np.full((1, 1, 4), 255, np.uint8))),)
