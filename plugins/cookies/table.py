"""The cookies of a scene: which light has which layer of their images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pyglm import glm

from renderwright.engine.renderer.placed_layers import ImageLayers, color_layer
from renderwright.engine.scene.light import LightPattern
from renderwright.engine.scene.placements import PlacedRows
from renderwright.render import UsageError

if TYPE_CHECKING:
    from renderwright.plugins.cookies.cookie import Cookie

NAME = "light_cookies"
IMAGES = f"{NAME}_images"
"""The texture of the images."""

_ROWS = np.zeros(16, np.uint32)
"""The lights have all that shaders need of cookies but the images."""


class CookieTable:
    """The cookies of a scene. Their lights know their layers."""

    def __init__(self) -> None:
        self._cookies: list[Cookie] = []
        self._images = ImageLayers("cookies", color_layer, srgb=True)
        self._shown: PlacedRows | None = None

    def __len__(self) -> int:
        return len(self._cookies)

    def __contains__(self, thing: object) -> bool:
        return any(cookie is thing for cookie in self._cookies)

    def add(self, thing: Cookie) -> None:
        """Give a cookie to its light. Raises ``UsageError`` if that has one, or if there are too many images."""
        if any(cookie.light is thing.light for cookie in self._cookies):
            hint = "remove the other one first, or draw both into one image"
            raise UsageError("a light has one cookie, and this one has another", hint=hint, where=thing.made_at)
        self._images.follow([cookie.image for cookie in (*self._cookies, thing)])
        self._cookies.append(thing)
        self._project(thing)

    def remove(self, thing: Cookie) -> None:
        """Take a cookie from its light."""
        self._cookies = [cookie for cookie in self._cookies if cookie is not thing]
        thing.light.pattern = None

    def clear(self) -> None:
        """Remove all cookies."""
        for cookie in self._cookies:
            self.remove(cookie)

    def end_step(self, seconds: float) -> None:
        """Let lights know where the tops of their images are."""
        for cookie in self._cookies:
            pattern = cookie.light.pattern
            if pattern is None or pattern.up != cookie.up:
                self._project(cookie)

    def rows(self, alpha: float) -> PlacedRows:
        """The images."""
        if self._shown is None or self._shown.images["images"] is not self._images.placed:
            self._shown = PlacedRows(NAME, _ROWS, 1, images={"images": self._images.placed})
        return self._shown

    def _project(self, cookie: Cookie) -> None:
        cookie.light.pattern = LightPattern(self._images.of(cookie.image), glm.vec3(cookie.up))
