"""Blended instances out of sight are not drawn in scenes that are culled, and pictures stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.engine.renderer.seen_spheres import placed, seen
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.frustum import Frustum
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend

PANES = 90


class Panes(Game):
    """Panes of glass around cameras that turn and then rest; a pane moves while they rest, between two steps."""

    plugins = ()
    max_players = 2
    steps = 0

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.cameras = [Camera(glm.vec3(0, 1, 0)), Camera(glm.vec3(3, 2, 3))][: context.players]
        images = [Image(f"image {number}", np.full((1, 1, 4), 90 + 60 * number, np.uint8)) for number in range(2)]
        meshes = (box(0.7), sphere(0.4, rings=6, segments=8))
        self.panes = []
        for number in range(PANES):
            color = (0.2 + number % 5 / 6, 0.3, 0.2 + number % 7 / 9, 0.5)
            glass = Material(color, alpha_mode="blend", base_color_image=images[number // 4 % 2])
            angle, away = 2.4 * number, 2.0 + number / 9
            place = glm.vec3(away * glm.cos(angle), number % 4 * 0.7, away * glm.sin(angle))
            size = glm.vec3(1.0, 1.0 + number % 3, 1.0)
            self.panes.append(scene.spawn(meshes[number % 2], glass, Transform(place, scale=size)))

    def update(self, dt: float) -> None:
        self.steps += 1
        for number, camera in enumerate(self.context.scene.cameras):
            angle = 0.8 * min(self.steps, 2) + 2.0 * number
            camera.target = camera.position + glm.vec3(glm.cos(angle), -0.1, glm.sin(angle))
        if self.steps > 3:  # the pane slides into sight, as far away as before
            camera = self.context.scene.cameras[0]
            forward = glm.normalize(camera.target - camera.position)
            right = glm.normalize(glm.cross(forward, camera.up))
            self.panes[0].transform.position = (
                camera.position + 3.0 * forward + (5.0 if self.steps < 5 else 0.0) * right
            )


class ForwardPanes(Panes):
    skeleton = "forward"


def session_of(game: type[Game], backend: Backend, culling: int | None, *enable: str, players: int = 1) -> Session:
    chosen = type(game.__name__, (game,), {"culling": culling})
    clock = FixedStepClock(game.step, frame=game.step / 2)
    change = (SettingChange("vr", "poses", "still"),) if "vr" in enable else ()
    choice = PluginChoice(enable=enable, settings=change)
    return Session(chosen, backend, (80, 48), choice=choice, clock=clock, verify=True, strict=True, players=players)


def drawn(session: Session, players: int) -> list[int]:
    """The number of instances that each player's commands draw."""
    blended = session._scene.blended
    return [len(blended._shown(player).instances) for player in range(players)]


@pytest.fixture(scope="module", params=[BackendName.VULKAN, BackendName.OPENGL])
def device(request: pytest.FixtureRequest) -> Iterator[Backend]:
    backend = make_backend(PlayOptions("", backend=request.param, validate=request.param is BackendName.VULKAN))
    yield backend
    backend.close()


@pytest.mark.vulkan
@pytest.mark.parametrize(
    ("game", "enable", "players"),
    [(Panes, ("taa",), 1), (ForwardPanes, ("split_screen",), 2), (Panes, ("split_screen", "vr"), 2)],
    ids=["jittered", "two players", "two players in stereo"],
)
def test_pictures_stay_as_they_are(device: Backend, game: type[Game], enable: tuple[str, ...], players: int) -> None:
    shown = []
    for culling in (None, 1):
        with closing(session_of(game, device, culling, *enable, players=players)) as session:
            shown.append(frames_of(session, 11))
            counts = drawn(session, players)
        if culling is None:
            assert counts == [PANES] * players
        else:
            assert all(0 < count < PANES for count in counts)
    assert all(np.array_equal(one, other) for one, other in zip(*shown, strict=True))
    assert not np.array_equal(shown[0][9], shown[0][10]), "the pane that moves is in sight"


@pytest.mark.vulkan
def test_a_scene_that_is_no_longer_culled_draws_all(device: Backend) -> None:
    with closing(session_of(Panes, device, 1)) as session:
        frames_of(session, 2)
        assert drawn(session, 1)[0] < PANES
        session.runner.game.culling = None  # type: ignore[misc]
        frames_of(session, 2)
        assert drawn(session, 1) == [PANES]


def matrix_of(camera: Camera, aspect: float) -> glm.mat4:
    return Frustum.symmetric(camera.fov_y, aspect).projection(camera.near) * camera.view()


def test_a_sphere_with_a_point_in_the_picture_is_seen() -> None:
    chance = np.random.default_rng(3)
    matrix = matrix_of(Camera(glm.vec3(1, 2, 3), glm.vec3(4, 1, -2)), 1.6)
    spheres = np.column_stack([chance.uniform(-12, 12, (4000, 3)), chance.uniform(0, 2, 4000)]).astype(np.float32)
    directions = chance.normal(size=(4000, 40, 3))
    directions /= np.linalg.norm(directions, axis=2, keepdims=True)
    points = spheres[:, None, :3] + directions * spheres[:, None, 3:] * 0.999
    clip = np.einsum("rc,npc->npr", np.array(matrix), np.concatenate([points, np.ones((4000, 40, 1))], axis=2))
    x, y, z, w = np.moveaxis(clip, 2, 0)
    inside = ((np.abs(x) <= w) & (np.abs(y) <= w) & (z >= 0) & (z <= w)).any(axis=1)
    found = seen([matrix], spheres)
    assert found[inside].all()
    assert inside.sum() > 200
    assert 0 < (found & ~inside).sum() < 400, "few others, near the edges"


def test_spheres_stretch_with_their_models() -> None:
    model = glm.translate(glm.vec3(1, 2, 3)) * glm.scale(glm.vec3(2, 5, 1))
    models = np.array([np.array(model).T], np.float32)
    assert placed(np.array([[1, 0, 0, 0.5]], np.float32), models)[0] == pytest.approx([3, 2, 3, 2.5])
