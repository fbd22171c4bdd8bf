"""An image says where glass lets light through, in red, and how thick a body of glass is, in green."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest
from glass_scenes import Window
from layered_scenes import Layers, of_skeleton, picture_of
from playing import Picture

from renderwright.engine.backends import make_backend
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.engine.scene import Image
from renderwright.engine.scene.surface_layers import Specular, Volume
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])
BODY: dict[str, Any] = {"roughness": 0.0, "specular": Specular(ior=1.0), "volume": Volume(1.5, (0.5, 0.8, 0.2), 3.0)}


def image(*columns: tuple[int, int]) -> Image:
    """Columns of texels with these values of red and green."""
    pixels = np.full((1, len(columns), 4), 255, np.uint8)
    pixels[0, :, :2] = columns
    return Image("glass", pixels, srgb=False, filter="nearest")


def window(skeleton: str = "deferred", **glass: Any) -> type[Layers]:
    return type("Given", (of_skeleton(skeleton, Window),), {"glass": {"transmission": 1.0, "roughness": 0.0, **glass}})


def seen(backend: Backend, game: type[Layers], *plugins: str) -> Picture:
    return picture_of(backend, game, *plugins)[..., :3].astype(int)


@pytest.mark.parametrize("plugins", [(), ("oit",)], ids=["sorted", "oit"])
@BOTH
def test_light_passes_where_the_image_is_red(backend: VulkanBackend, skeleton: str, plugins: tuple[str, ...]) -> None:
    clear = seen(backend, window(skeleton), *plugins)
    half = seen(backend, window(skeleton, transmission_image=image((255, 255), (0, 255))), *plugins)
    middle = clear.shape[1] // 2
    open_, closed = slice(0, middle - 1), slice(middle + 1, None)
    assert np.abs(half[:, open_] - clear[:, open_]).max() <= 2
    assert half[:, closed].max() <= 4, "without light on the pane what lets nothing through is black"


def test_red_multiplies_the_transmission(backend: VulkanBackend) -> None:
    by_image = seen(backend, window(transmission=0.8, transmission_image=image((128, 0))))
    by_factor = seen(backend, window(transmission=0.8 * 128 / 255))
    assert np.abs(by_image - by_factor).max() <= 1
    assert np.abs(by_image - seen(backend, window(transmission=0.8))).max() > 30


@BOTH
def test_green_multiplies_the_thickness(backend: VulkanBackend, skeleton: str) -> None:
    thick = BODY["volume"]
    by_image = seen(backend, window(skeleton, **BODY, transmission_image=image((255, 128))))
    thinner = Volume(thick.thickness * 128 / 255, thick.attenuation_color, thick.attenuation_distance)
    by_factor = seen(backend, window(skeleton, **{**BODY, "volume": thinner}))
    assert np.abs(by_image - by_factor).max() <= 1
    assert np.abs(by_image - seen(backend, window(skeleton, **BODY))).max() > 10


def test_so_it_is_on_opengl(backend: VulkanBackend) -> None:
    game = window(**BODY, transmission_image=image((255, 60), (90, 255)))
    with closing(make_backend(PlayOptions(game, backend=BackendName.OPENGL))) as opengl:
        apart = np.abs(seen(opengl, game) - seen(backend, game)).max(axis=2)
    assert (apart > 2).mean() <= 0.02
