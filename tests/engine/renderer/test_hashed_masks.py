"""Hashed alpha: masks whose parts are smaller than a texel keep their share of it, near and far, in every pass."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from playing import SHADERS, Picture, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.engine.scene import Image
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.light import DirectionalLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import plane
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.transform import Transform
from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (240, 135)
UPRIGHT = glm.angleAxis(np.pi / 2, glm.vec3(1, 0, 0))
LIT = 60
"""Values of texels that show a card are above it, those between cards are below."""


def mask(shown: NDArray[np.bool_]) -> Image:
    pixels = np.full((*shown.shape, 4), 255, np.uint8)
    pixels[..., 3] = 255 * shown
    return Image("mask", pixels)


def twigs() -> Image:
    """Thin leaves over an eighth of the image."""
    chance = np.random.default_rng(1)
    y, x = np.mgrid[:256, :256]
    shown = np.zeros((256, 256), np.bool_)
    for _ in range(60):
        (left, top), angle = chance.uniform(0, 256, 2), chance.uniform(0, np.pi)
        along = (x - left) * np.cos(angle) + (y - top) * np.sin(angle)
        across = (y - top) * np.cos(angle) - (x - left) * np.sin(angle)
        shown |= (np.abs(along) < 18) & (np.abs(across) < 3 * (1 - (along / 18) ** 2))
    return mask(shown)


def hair() -> Image:
    """Lines of one texel, every fourth one."""
    shown = np.zeros((128, 128), np.bool_)
    shown[:, ::4] = True
    return mask(shown)


MASKS = {"twigs": twigs(), "hair": hair()}


class Cards(Game):
    """Glowing cards with masks, in the dark, so that the light of the picture is the share that they cover."""

    plugins = ("tonemap",)
    culling = None
    image = MASKS["twigs"]
    distance = 3.0
    hashed = True

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun, scene.sky = None, Sky(intensity=0.0)
        scene.camera = Camera(glm.vec3(0.02, 0.01, self.distance), glm.vec3(0), fov_y=0.6)
        material = Material(
            (0, 0, 0, 1),
            emissive=(1, 1, 1),
            base_color_image=self.image,
            alpha_mode="mask",
            alpha_hashed=self.hashed,
            double_sided=True,
        )
        turned = glm.angleAxis(0.3, glm.vec3(0, 1, 0.2)) * UPRIGHT
        card = plane(1, 1)
        across = round(self.distance / 3)  # more of them where they are smaller
        for column, row in product(range(-across, across + 1), range(-across // 2, across // 2 + 1)):
            scene.spawn(card, material, Transform(glm.vec3(1.1 * column, 1.1 * row, 0), turned))


class Shade(Cards):
    """A card that nothing shows but its shadow."""

    plugins = ("shadows", "tonemap")

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sky = Sky(intensity=0.0)
        scene.sun = DirectionalLight(glm.vec3(0.1, -1.0, 0.05))
        scene.camera = Camera(glm.vec3(0, 3, 3), glm.vec3(0, 0, 0), fov_y=0.6)
        scene.spawn(plane(30, 30), Material(roughness=1.0))
        leaf = Material(base_color_image=self.image, alpha_mode="mask", alpha_hashed=self.hashed, double_sided=True)
        scene.spawn(plane(3, 3), leaf, Transform(glm.vec3(0, 6, 0)))


def game(base: type[Cards] = Cards, skeleton: str = "deferred", **changes: object) -> type[Cards]:
    return type(base.__name__, (base,), {"skeleton": skeleton, **changes})


def session_of(backend: Backend, played: type[Game], *plugins: str, extent: tuple[int, int] = EXTENT) -> Session:
    """A session of strict plugins. Names with = are settings: ``plugin.setting=value``."""
    names = [each for each in plugins if "=" not in each]
    settings = [each for each in plugins if "=" in each] + ["tonemap.auto_exposure=false"]
    changes = [SettingChange(*place.split("."), value) for place, value in (each.split("=") for each in settings)]
    choice = PluginChoice(enable=tuple(names), settings=tuple(changes))
    clock = FixedStepClock(played.step, frame=1.0 / 60.0)
    return Session(played, backend, extent, choice=choice, clock=clock, strict=True, shaders=SHADERS)


def picture_of(
    backend: Backend, played: type[Game], *plugins: str, extent: tuple[int, int] = EXTENT, frames: int = 1
) -> Picture:
    with closing(session_of(backend, played, *plugins, extent=extent)) as session:
        return frames_of(session, frames)[-1][..., :3]


def covered(picture: Picture) -> float:
    return float((picture[..., 1] > LIT).mean())


def light(picture: Picture) -> NDArray[np.float64]:
    """The linear light of a picture: the share of each texel that shows cards, up to a factor."""
    value = picture[..., 1] / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def supersampled(backend: VulkanBackend, **changes: object) -> NDArray[np.float64]:
    """The share of each texel that shows cards, by a picture in which no part of a mask is smaller than one.

    There a fixed cutoff is right.
    """
    played = game(**changes, hashed=False)
    times = round(1.3 * played.distance)
    width, height = EXTENT
    picture = picture_of(backend, played, extent=(times * width, times * height))
    return (picture[..., 1] > LIT).reshape(height, times, width, times).mean((1, 3))


@pytest.fixture(scope="module")
def opengl() -> Iterator[Backend]:
    with closing(make_backend(PlayOptions(Cards, backend=BackendName.OPENGL))) as made:
        yield made


@pytest.fixture(scope="module")
def share(backend: VulkanBackend) -> Callable[[str, float], float]:
    """The share of the picture that cards with a mask cover at a distance."""
    return functools.cache(
        lambda name, distance: float(supersampled(backend, image=MASKS[name], distance=distance).mean())
    )


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
@pytest.mark.parametrize("name", list(MASKS))
def test_masks_cover_their_share_at_every_distance(
    backend: VulkanBackend, opengl: Backend, share: Callable[[str, float], float], name: str, skeleton: str
) -> None:
    by_cutoff = []
    for distance in (2.0, 4.0, 8.0):
        changes = {"image": MASKS[name], "distance": distance}
        right = share(name, distance)
        for device in (backend, opengl):
            shown = covered(picture_of(device, game(skeleton=skeleton, **changes)))
            assert shown == pytest.approx(right, rel=0.05), (distance, device)
        by_cutoff.append(covered(picture_of(backend, game(skeleton=skeleton, **changes, hashed=False))) / right)
    assert max(abs(each - 1.0) for each in by_cutoff) > 0.3, "a fixed cutoff thins or fattens them"


def test_masks_are_sharp_where_they_are_near(backend: VulkanBackend) -> None:
    near = {"distance": 0.25, "image": MASKS["twigs"]}
    hashed, fixed = (picture_of(backend, game(**near, hashed=hashed)) for hashed in (True, False))
    assert np.array_equal(hashed, fixed)


def test_samples_of_a_texel_have_thresholds_of_their_own(backend: VulkanBackend) -> None:
    """So supersampling shows in how many of them alpha is, and TAA the mean of frames: no noise is left."""
    changes = {"distance": 6.0, "image": MASKS["hair"]}
    right = supersampled(backend, **changes)
    white = light(picture_of(backend, game(distance=0.2, image=mask(np.ones((1, 1), np.bool_))))).max()

    def error(*plugins: str, frames: int = 1) -> float:
        shown = light(picture_of(backend, game(**changes), *plugins, frames=frames))
        return float(np.abs(shown / white - right).mean())

    alone = error()
    assert error("ssaa", "ssaa.samples=16") < 0.3 * alone
    assert error("taa", frames=32) < 0.6 * alone


def test_shadows_of_small_parts_keep_their_share(backend: VulkanBackend) -> None:
    """In a coarse map they let through as much light as in a fine one, which has all of them."""

    def lit(size: int, *, hashed: bool) -> float:
        played = game(Shade, image=MASKS["twigs"], hashed=hashed)
        picture = picture_of(backend, played, f"shadows.size={size}", extent=(320, 180))
        return float(light(picture[40:150, 80:240]).mean())

    right = lit(4096, hashed=False)
    assert lit(512, hashed=True) == pytest.approx(right, rel=0.02)


def test_tiles_have_the_holes_of_the_whole_picture(backend: VulkanBackend) -> None:
    with closing(session_of(backend, game(distance=4.0))) as session:
        whole = frames_of(session, 1, still=False)[-1]
        tiled = np.concatenate(list(TiledScreenshot(session, TileGrid(EXTENT, 2, 2)).rows()))
    assert (np.abs(whole[..., :3].astype(int) - tiled[..., :3]).max(axis=2) > 8).mean() < 0.002
