"""Contact shadows: where rays are blocked near the surface, nowhere else, with and without shadow maps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm
from view_scenes import session_of

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, DirectionalLight, Transform
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (128, 72)
EYE, AIM = (2.0, 2.0, 2.0), (0.3, 0.2, 0.0)
GREY = Material(base_color=(0.5, 0.5, 0.5, 1), roughness=1.0)


class Floor(Game):
    """A floor in the sun, which shines towards +X, down at 45 degrees."""

    title = "Floor"
    plugins = ()
    sun = glm.vec3(1.0, -1.0, 0.0)

    @staticmethod
    def seen_by() -> Camera:
        return Camera(glm.vec3(*EYE), glm.vec3(*AIM))

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera = self.seen_by()
        scene.sun = DirectionalLight(glm.vec3(self.sun))
        scene.spawn(plane(400, 400), GREY)


class GrazedFloor(Floor):
    """In the last light of the day, which comes from behind the floor."""

    sun = glm.vec3(0.3, -0.1, 1.0)


class Box(Floor):
    """A box of one metre stands on it."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.spawn(box(1.0), GREY, Transform(glm.vec3(0.0, 0.5, 0.0)))


class ForwardBox(Box):
    """By the forward skeleton, which has no normals."""

    skeleton = "forward"


class FlatBox(Box):
    """Seen by an orthographic camera."""

    @staticmethod
    def seen_by() -> Camera:
        return Camera(glm.vec3(*EYE), glm.vec3(*AIM), near=0.1, height=3.0, depth_range=30.0)


class Post(Floor):
    """A post of 0.08 m stands on it, in a sun that shines across the picture."""

    @staticmethod
    def seen_by() -> Camera:
        return Camera(glm.vec3(0.1, 0.7, 0.8), glm.vec3(0.1, 0.1, -0.15))

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.spawn(box((0.08, 1.0, 0.08)), GREY, Transform(glm.vec3(0.0, 0.5, 0.0)))


class Dark(Box):
    """Without a sun."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.sun = None


class Soft(Box):
    """In a sun that casts no shadows."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.sun = DirectionalLight(glm.vec3(self.sun), casts_shadow=False)


@contextmanager
def playing(backend: VulkanBackend, game: type[Game], *plugins: str, **settings: str) -> Iterator[Session]:
    own = {f"contact_shadows.{key}": value for key, value in settings.items()}
    session = session_of(backend, EXTENT, game=game, enable=plugins, **own)
    try:
        yield session
    finally:
        session.close()


def visibility(backend: VulkanBackend, game: type[Game], **settings: str) -> np.ndarray:
    """The share of the sun that each texel sees, (height, width), 0 to 1."""
    with playing(backend, game, "contact_shadows", **settings) as session:
        session.graph.add_sink("contact_visibility")
        frames_of(session, 1)
        runtime = session.runtime
        instance = next(item.id for item in runtime.plan.graph.resources if "contact_visibility" in item.resource.names)
        layout = dict(runtime.plan.sync.layouts_left)[instance]
        return np.asarray(backend.read_texture(runtime.resource(instance), layout))[..., 0].astype(np.float32) / 255


def points(game: type[Floor]) -> tuple[np.ndarray, np.ndarray]:
    """The point of the floor that each texel shows, and whether it shows the floor beside the box, (height, width)."""
    width, height = EXTENT
    camera = game.seen_by()
    matrix = np.array((camera.projection(width / height) * camera.view()).to_list(), np.float64).T
    x, y = np.meshgrid((np.arange(width) + 0.5) / width * 2 - 1, 1 - (np.arange(height) + 0.5) / height * 2)
    inverse = np.linalg.inv(matrix)

    def at(depth: float) -> np.ndarray:
        clip = np.stack([x, y, np.full_like(x, depth), np.ones_like(x)], axis=-1) @ inverse.T
        return clip[..., :3] / clip[..., 3:]

    near, far = at(0.9), at(0.1)
    away = far - near
    floor = near - away * (near[..., 1:2] / away[..., 1:2])
    low, high = np.array([-0.5, 0.0, -0.5]), np.array([0.5, 1.0, 0.5])
    with np.errstate(divide="ignore"):
        a, b = (low - near) / away, (high - near) / away
    boxed = np.minimum(a, b).max(axis=-1) < np.maximum(a, b).min(axis=-1)
    return floor, ~boxed & (np.abs(floor).max(axis=-1) < 2.0)


@pytest.mark.parametrize("game", [Floor, GrazedFloor])
@pytest.mark.parametrize("length", ["0.05", "0.3", "10"])
def test_a_floor_does_not_shade_itself(backend: VulkanBackend, game: type[Game], length: str) -> None:
    assert visibility(backend, game, length=length).min() == 1.0


@pytest.mark.parametrize("game", [Box, ForwardBox, FlatBox])
def test_the_floor_is_dark_where_the_box_is_within_reach(backend: VulkanBackend, game: type[Game]) -> None:
    """The sun comes from -X at 45 degrees, so a ray of 0.4 m goes 0.28 m towards the box."""
    seen = visibility(backend, game, length="0.4", thickness="1.5", steps="128")
    floor, clear = points(game)
    behind = clear & (np.abs(floor[..., 2]) < 0.4)
    near = behind & (floor[..., 0] > 0.56) & (floor[..., 0] < 0.66)
    far = clear & ((floor[..., 0] > 0.84) | (floor[..., 0] < -0.52))
    assert near.sum() > 10
    assert far.sum() > 500
    assert seen[near].max() < 0.05
    assert seen[far].min() == 1.0


def test_strength_and_thickness_limit_the_shadow(backend: VulkanBackend) -> None:
    full = visibility(backend, Box, length="0.4", thickness="1.5")
    half = visibility(backend, Box, length="0.4", thickness="1.5", strength="0.5")
    assert full.min() == 0.0
    assert np.allclose(half, 0.5 + 0.5 * full, atol=1.01 / 255)
    assert visibility(backend, Box, length="0.4", thickness="0.01").mean() > full.mean()


def test_rays_pass_behind_something_narrow(backend: VulkanBackend) -> None:
    """Rays of the floor behind the post cross it in the picture, but not in the world."""
    seen = visibility(backend, Post, length="0.4", thickness="1.5", steps="128")
    floor, _ = points(Post)
    x, z = floor[..., 0], floor[..., 2]
    shadow = (x > 0.07) & (x < 0.24) & (np.abs(z) < 0.03)
    behind = (np.abs(x) < 0.4) & (z < -0.25) & (z > -0.6)
    assert shadow.sum() > 10
    assert behind.sum() > 200
    assert seen[shadow].max() < 0.05
    assert seen[behind].min() == 1.0


@pytest.mark.parametrize("game", [Dark, Soft])
def test_without_a_sun_that_casts_shadows_there_is_none(backend: VulkanBackend, game: type[Game]) -> None:
    assert visibility(backend, game).min() == 1.0


def test_a_sun_may_cast_shadows_from_some_frame_on(backend: VulkanBackend) -> None:
    with playing(backend, Soft, "contact_shadows") as session, playing(backend, Box, "contact_shadows") as right:
        before = frames_of(session, 3)[-1]
        session.context.scene.sun.casts_shadow = True
        after = frames_of(session, 2)[-1]
        assert not np.array_equal(before, after)
        assert np.array_equal(after, frames_of(right, 5)[-1])


@pytest.mark.parametrize("game", [Box, ForwardBox])
def test_the_light_is_darker_there_with_shadow_maps_and_without(backend: VulkanBackend, game: type[Game]) -> None:
    pictures = []
    for plugins in ((), ("contact_shadows",), ("shadows",), ("shadows", "contact_shadows")):
        with playing(backend, game, *plugins) as session:
            pictures.append(frames_of(session, 1)[-1].astype(int))
    plain, contact, maps, both = pictures
    assert (contact <= plain).all()
    assert (both <= maps).all()
    assert (contact < plain).any()
    assert (both == np.minimum(maps, both)).all()
    assert (maps < contact).any(), "maps shade what is farther away"


def test_there_is_nothing_of_it_in_a_frame_without_it(backend: VulkanBackend) -> None:
    with playing(backend, Box) as session:
        frames_of(session, 1)
        names = {name for item in session.runtime.plan.graph.resources for name in item.resource.names}
        assert "contact_visibility" not in names
