"""Pictures of orthographic cameras: effects show what they show of a camera far away, and what geometry says."""

from __future__ import annotations

import math
from contextlib import closing

import numpy as np
import pytest
from playing import Picture, flip, frames_of
from pyglm import glm
from view_scenes import Company, cut, session_of

from renderwright.engine.game import GameContext
from renderwright.engine.scene import Camera
from renderwright.engine.screenshot.grid import TileGrid
from renderwright.engine.screenshot.tiled import TiledScreenshot
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (160, 90)
HEIGHT = 3.0
TARGET = glm.vec3(0, 0.4, 0)
EFFECTS = (
    *("bloom", "contact_shadows", "depth_of_field", "fog", "fxaa"),
    *("motion_blur", "outline", "shadows", "ssao", "ssr", "taa", "volumetric_fog"),
)


def orthographic(direction: glm.vec3) -> Camera:
    """A camera 6 m from the target."""
    place = TARGET + 6.0 * glm.normalize(direction)
    return Camera(place, TARGET, near=0.1, height=HEIGHT, depth_range=30.0)


def distant(direction: glm.vec3) -> Camera:
    """A camera in perspective, so far away that its rays are nearly parallel."""
    away = 900.0
    place = TARGET + away * glm.normalize(direction)
    return Camera(place, TARGET, near=away - 20.0, fov_y=2.0 * math.atan(0.5 * HEIGHT / away))


class Flat(Company):
    """The company, seen by parallel rays."""

    seen_by = staticmethod(orthographic)

    def _seat(self, context: GameContext) -> None:
        sides = (glm.vec3(2.0, 2.0, 2.5), glm.vec3(-2.5, 1.5, 2.0), glm.vec3(0.5, 3.0, -2.5), glm.vec3(3.0, 1.0, 0.0))
        context.scene.cameras[:] = [self.seen_by(side) for side in sides[: context.players]]
        context.scene.snap_cameras()

    def draw(self, alpha: float) -> None:
        """No HUD."""


class ForwardFlat(Flat):
    """By the forward skeleton."""

    skeleton = "forward"


class SunOnly(Flat):
    """Without a lamp, whose shadows lie elsewhere."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.lights.clear()


class Distant(Flat):
    """The company, seen from afar."""

    seen_by = staticmethod(distant)


def shown(
    backend: VulkanBackend | OpenGLBackend, game: type[Flat], *enable: str, frames: int = 2, **settings: str
) -> Picture:
    with closing(session_of(backend, EXTENT, game=game, enable=enable, **settings)) as session:
        return frames_of(session, frames)[-1][..., :3]


@pytest.mark.parametrize("enable", [(), ("taa",), ("fxaa", "bloom")])
def test_it_shows_what_a_camera_far_away_shows(backend: VulkanBackend, enable: tuple[str, ...]) -> None:
    ours, right = (shown(backend, game, *enable, frames=8) for game in (Flat, Distant))
    assert right.std() > 10
    assert flip(right, ours) < 0.015


def test_the_forward_skeleton_shows_the_same(backend: VulkanBackend) -> None:
    assert flip(shown(backend, Flat, "shadows"), shown(backend, ForwardFlat, "shadows")) < 0.03


def places_on_the_ground() -> tuple[np.ndarray, np.ndarray]:
    """Where the ray through each texel meets the ground (height, width, 3), and whether a thing hides that."""
    camera = orthographic(glm.vec3(2.0, 2.0, 2.5))
    width, height = EXTENT
    origins = np.empty((height, width, 3))
    for y in range(height):
        for x in range(width):
            ray = camera.ray(((x + 0.5) / width * 2 - 1, 1 - (y + 0.5) / height * 2), width / height)
            origins[y, x] = ray.origin.to_list()
    forward = np.array(camera.forward().to_list())
    ground = origins - forward * (origins[..., 1:2] / forward[1])
    ball = np.array([-1.2, 0.6, 0.5]) - origins
    near_ball = np.linalg.norm(ball - (ball @ forward)[..., None] * forward, axis=-1) < 0.35
    return ground, meets_box(origins, forward, 0.02) | near_ball


def meets_box(origins: np.ndarray, direction: np.ndarray, margin: float) -> np.ndarray:
    """Whether rays meet the box of the scene, grown by a margin."""
    low, high = np.array([-0.5, 0.0, -0.5]) - margin, np.array([0.5, 1.0, 0.5]) + margin
    a, b = (low - origins) / direction, (high - origins) / direction
    enter, leave = np.minimum(a, b).max(axis=-1), np.maximum(a, b).min(axis=-1)
    return (enter < leave) & (leave > 0)


def test_shadows_lie_where_the_sun_is_hidden(backend: VulkanBackend) -> None:
    ground, hidden = places_on_the_ground()
    to_sun = -np.array(glm.normalize(glm.vec3(0.6, -1.0, 0.3)).to_list())
    lit, shaded = ~meets_box(ground, to_sun, 0.06) & ~hidden, meets_box(ground, to_sun, -0.06) & ~hidden
    with_it = shown(backend, SunOnly, "shadows").astype(int).sum(axis=-1)
    without = shown(backend, SunOnly).astype(int).sum(axis=-1)
    assert shaded.sum() > 200
    assert (with_it[shaded] < without[shaded] - 60).mean() > 0.99
    ball = np.linalg.norm(np.cross(ground - np.array([-1.2, 0.6, 0.5]), to_sun), axis=-1) < 0.4
    assert (np.abs(with_it - without)[lit & ~ball] <= 3).mean() > 0.99


def test_occlusion_is_at_contacts_only(backend: VulkanBackend) -> None:
    ground, hidden = places_on_the_ground()
    difference = shown(backend, Flat).astype(int).sum(axis=-1) - shown(backend, Flat, "ssao").astype(int).sum(axis=-1)
    outside = np.maximum(np.abs(ground[..., 0]), np.abs(ground[..., 2])) - 0.5
    ball = np.linalg.norm(ground - np.array([-1.2, 0.6, 0.5]), axis=-1)
    contact, open_ground = (outside < 0.15) & (outside > 0.02) & ~hidden, (outside > 1.2) & (ball > 1.7) & ~hidden
    assert contact.sum() > 50
    assert open_ground.sum() > 200
    assert np.median(difference[contact]) >= 5
    assert np.abs(difference[open_ground]).max() <= 3


def test_outlines_are_at_edges_only(backend: VulkanBackend) -> None:
    ground, hidden = places_on_the_ground()
    plain, lined = (shown(backend, Flat, *enable).astype(int).sum(axis=-1) for enable in ((), ("outline",)))
    changed = np.abs(plain - lined) > 6
    outside = np.maximum(np.abs(ground[..., 0]), np.abs(ground[..., 2])) - 0.5
    assert not changed[~hidden & (outside > 0.1)].any(), "the ground has no lines"
    assert changed[hidden].sum() > 60


def test_depth_of_field_leaves_it_sharp(backend: VulkanBackend) -> None:
    sharp, focused = shown(backend, Flat), shown(backend, Flat, "depth_of_field", **{"depth_of_field.aperture": "1"})
    assert np.array_equal(sharp, focused)


def test_fog_thickens_along_parallel_rays(backend: VulkanBackend) -> None:
    settings = {"fog.density": "0.05", "fog.falloff": "0", "fog.sun": "0"}
    plain, veiled = shown(backend, Flat).astype(float), shown(backend, Flat, "fog", **settings).astype(float)
    ground, hidden = places_on_the_ground()
    camera = orthographic(glm.vec3(2.0, 2.0, 2.5))
    forward = np.array(camera.forward().to_list())
    away = (ground - np.array(camera.position.to_list())) @ forward
    change = np.abs(veiled - plain).sum(axis=-1)
    far, near = ~hidden & (away > np.quantile(away, 0.8)), ~hidden & (away < np.quantile(away, 0.2))
    assert change[far].mean() > 1.05 * change[near].mean() > 0
    rows = change[:12]  # of the ground alone, away from the lamp
    assert not hidden[:12].any()
    assert rows.std(axis=1).max() < 1.0, "a row of the picture has one distance"


@pytest.mark.parametrize("players", [1, 2])
def test_views_show_what_they_show_alone(backend: VulkanBackend, players: int) -> None:
    """Split screen, with all effects."""
    settings = {"split_screen.separator": "0"}
    extent = (128, 36)
    with closing(
        session_of(backend, extent, game=Flat, players=players, enable=("split_screen", *EFFECTS), **settings)
    ) as session:
        picture = frames_of(session, 3)[-1]
        views = session._input.views.views
    seen = [cut(picture, view.rectangle) for view in views]
    assert all(one.std() > 8 for one in seen)
    assert len({one.tobytes() for one in seen}) == players


def test_samples_and_tiles(backend: VulkanBackend) -> None:
    plain, smooth = shown(backend, Flat), shown(backend, Flat, "ssaa")
    assert 0.0 < flip(plain, smooth) < 0.1
    with closing(session_of(backend, (64, 48), game=Flat, enable=("shadows",))) as session:
        frames_of(session, 1)
        tiled = np.concatenate(list(TiledScreenshot(session, TileGrid(EXTENT, 3, 2, 8)).rows()))
    whole = shown(backend, Flat, "shadows", frames=1)
    apart = np.abs(tiled[..., :3].astype(int) - whole.astype(int))
    assert apart.max() <= 6, "filtered shadows at their edges"
    assert (apart <= 1).mean() > 0.99


def test_opengl_shows_the_same(backend: VulkanBackend) -> None:
    with closing(OpenGLBackend(validate=True)) as other:
        pictures = [shown(one, Flat, *EFFECTS, frames=3) for one in (backend, other)]
        assert other.validation_messages == []
    assert flip(*pictures) < 0.01
