"""Lighting by clusters gives the picture of a loop over all lights, to the bit, in every kind of view."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from lamp_scenes import ForwardStreet, Street, both_pictures
from playing import frames_of
from pyglm import glm
from view_scenes import session_of

from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.lights.light_set import FEW_LIGHTS
from renderwright.engine.scene import PointLight, RectangleLight
from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (96, 54)
VIEWS = {
    "one view": (1, (), {}),
    "split screen": (4, ("split_screen",), {}),
    "stereo": (1, ("vr",), {"vr.poses": "still", "vr.ipd": "0.2"}),
    "samples": (1, ("ssaa",), {}),
}


class StreetPlan(Street):
    """Seen by parallel rays."""

    def _seat(self) -> None:
        super()._seat()
        for camera in self.context.scene.cameras:
            camera.height, camera.depth_range = 9.0, 60.0
        self.context.scene.snap_cameras()


@pytest.mark.parametrize("game", [Street, ForwardStreet, StreetPlan])
@pytest.mark.parametrize("kind", VIEWS)
def test_clusters_light_as_a_loop_over_all_lights(backend: VulkanBackend, game: type[Game], kind: str) -> None:
    players, enable, settings = VIEWS[kind]
    session = session_of(backend, EXTENT, game=game, players=players, enable=enable, **settings)
    clustered, reference = both_pictures(session)
    assert clustered[..., :3].std() > 8, "there is something to see"
    assert np.array_equal(clustered, reference)


class FewLamps(Street):
    """As many as the uniform block has, without rectangles, which are clustered."""

    lamps = 18
    far_lamps = 0

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        lights = context.scene.lights
        lights[:] = [light for light in lights if not isinstance(light, RectangleLight)]
        assert len(lights) == FEW_LIGHTS
        for _ in range(self.far_lamps):
            context.scene.add_light(PointLight(glm.vec3(0, 500, 0), radius=1.0))


class FewAndFar(FewLamps):
    """One more, which reaches nothing."""

    far_lamps = 1


def test_a_buffer_of_lights_shades_as_the_uniform_block(backend: VulkanBackend) -> None:
    pictures = []
    for game in (FewLamps, FewAndFar):
        with closing(session_of(backend, EXTENT, game=game)) as session:
            pictures += frames_of(session, 1)
            assert ("cluster_lights" in session.graph.node_names) == (game is FewAndFar)
    assert np.abs(pictures[0].astype(int) - pictures[1]).max() <= 1


def test_tiles_share_the_clusters_of_the_whole_view(backend: VulkanBackend) -> None:
    with closing(session_of(backend, EXTENT, game=Street)) as session:
        at_once = frames_of(session, 1)[-1][..., :3]
        shot = TiledScreenshot(session, TileGrid(EXTENT, 3, 2, 0))
        tiled = np.concatenate(list(shot.rows()))
    differs = np.abs(at_once.astype(int) - tiled).max(axis=2) > 1
    assert differs.mean() <= 0.002, "a tile's matrices round differently, which moves an edge here and there"


def test_opengl_shows_the_same_lamps(backend: VulkanBackend) -> None:
    pictures = []
    with closing(OpenGLBackend(validate=True)) as opengl:
        for device in (backend, opengl):
            with closing(session_of(device, EXTENT, game=Street)) as session:
                pictures += frames_of(session, 1)
        assert opengl.validation_messages == []
    differs = np.abs(pictures[0].astype(int) - pictures[1]).max(axis=2) > 1
    assert differs.mean() <= 0.002


def test_a_change_of_one_lamp_shows_at_once(backend: VulkanBackend) -> None:
    """In both frame slots: each has a buffer of its own, of which only the lamp's row is written."""
    with closing(session_of(backend, EXTENT, game=Street)) as session:
        first, *_ = frames_of(session, 3)
        lamp = next(light for light in session.context.scene.lights if isinstance(light, PointLight))
        before = lamp.position, lamp.radius
        lamp.position, lamp.radius = glm.vec3(0.0, 1.0, 2.0), 6.0
        moved = frames_of(session, 2)
        assert np.array_equal(*moved)
        assert np.abs(moved[0].astype(int) - first).max() > 20
        lamp.position, lamp.radius = before
        assert all(np.array_equal(picture, first) for picture in frames_of(session, 2))
