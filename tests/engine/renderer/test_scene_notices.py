"""Contents of a scene that are not drawn are reported once, with the name of the object and its line."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from pyglm import glm

from renderwright.engine import Game, GameContext, Material
from renderwright.engine.class_location import class_location
from renderwright.engine.renderer.lights.light_set import FEW_LIGHTS
from renderwright.engine.renderer.lights.suns import MOST_SUNS
from renderwright.engine.scene import Camera, DirectionalLight, Entity, PointLight
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError
from renderwright.render.graph.source import function_location


class Empty(Game):
    plugins = ()


class Glass(Empty):
    def setup(self, context: GameContext) -> None:
        for _ in range(2):
            context.scene.spawn(box(), Material((1, 0, 0, 0.3)))


class Suns(Empty):
    def setup(self, context: GameContext) -> None:
        for number in range(MOST_SUNS + 1):
            context.scene.add_light(DirectionalLight(glm.vec3(1, -1, 0), intensity=9.0 - number))


class NanInPlace(Empty):
    def update(self, dt: float) -> None:
        self.context.scene.camera.position.x = float("nan")


class Restless(Empty):
    """A post that was promised to stand still is moved from the second step on, beside a box that may move."""

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        self.box = scene.spawn(box(), Material())
        self.post = scene.add(Entity(box(), Material(), name="post"))
        wall = scene.spawn_many(box(), Material(), [(x, 0, 0) for x in range(3)])
        scene.static(self.post, wall)
        self.steps = 0

    def update(self, dt: float) -> None:
        self.steps += 1
        self.box.transform.position.x += 1.0
        if self.steps > 1:
            self.post.transform.position.x += 1.0


def test_an_entity_that_breaks_its_promise_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    session = session_of(Restless)
    with caplog.at_level(logging.WARNING, "renderwright.scene"):
        session.step(Restless.step)
        assert not caplog.records
        for _ in range(3):
            session.step(Restless.step)
    (record,) = caplog.records
    assert 'the entity "post" has moved although scene.static promised' in record.getMessage()
    group = session.context.scene.group(session.context.scene.entities[2:])
    group.positions += 1.0
    with caplog.at_level(logging.WARNING, "renderwright.scene"):
        session.step(Restless.step)
    assert '"box" and 2 others have moved' in caplog.records[-1].getMessage()
    session.close()


def test_a_broken_promise_is_an_error_if_strict() -> None:
    session = session_of(Restless, strict=True)
    session.step(Restless.step)
    with pytest.raises(UsageError, match='"post" has moved'):
        session.step(Restless.step)
    session.close()


def test_a_promise_can_be_withdrawn() -> None:
    session = session_of(Restless, strict=True)
    post = session.runner.game.post
    session.context.scene.static(post, promise=False)
    before = post.transform.position.x
    for _ in range(3):
        session.step(Restless.step)  # would raise
    assert post.transform.position.x > before
    session.close()


class Alone(Empty):
    """A game for several that moves the one camera that a scene begins with."""

    title = "Alone"
    max_players = 3

    def update(self, dt: float) -> None:
        self.context.scene.camera.position.x += dt


def test_players_without_a_camera_are_told_once(caplog: pytest.LogCaptureFixture) -> None:
    session = session_of(Alone)
    with caplog.at_level(logging.WARNING, "renderwright.scene"):
        session.step(Alone.step)
        assert not caplog.records
        session.set_players(2)
        session.step(0.0)
        assert not caplog.records, "the game has had no step for the new player"
        for _ in range(3):
            session.step(Alone.step)
        (record,) = caplog.records
        assert '"Alone" has 1 camera for 2 players, so 1 view is shown' in record.getMessage()
        assert "scene.cameras" in record.getMessage()
        assert record.getMessage().startswith(f"{class_location(Alone)}: ")
        session.context.scene.cameras.append(Camera())
        session.set_players(3)
        session.step(Alone.step)
    assert "has 2 cameras for 3 players, so 2 views are shown" in caplog.records[-1].getMessage()
    session.close()


def test_players_without_a_camera_are_told_at_the_setup_of_the_game() -> None:
    class Lone(Alone):
        def setup(self, context: GameContext) -> None:
            self.context = context

    session = session_of(Lone, strict=True)
    session.set_players(2)
    with pytest.raises(UsageError, match="1 camera for 2 players") as caught:
        session.step(Lone.step)
    assert caught.value.where == function_location(Lone.setup)
    session.close()


def test_a_player_without_a_camera_is_an_error_if_strict() -> None:
    session = session_of(Alone, strict=True)
    session.set_players(2)
    with pytest.raises(UsageError, match="1 camera for 2 players"):
        session.step(Alone.step)
    session.close()


@pytest.mark.parametrize(("cameras", "message"), [([], "cameras is empty"), ([None], r"cameras\[0\] cannot be None")])
def test_a_scene_without_cameras_is_an_error_of_the_game(cameras: list[Any], message: str) -> None:
    class Blind(Empty):
        def update(self, dt: float) -> None:
            self.context.scene.cameras = cameras

    session = session_of(Blind)
    with pytest.raises(UsageError, match=message):
        session.step(Blind.step)
    session.close()


class Inward(Empty):
    def setup(self, context: GameContext) -> None:
        here = glm.vec3(1, 2, 3)
        context.scene.camera = Camera(here, here)


class InwardInPlace(Empty):
    def update(self, dt: float) -> None:
        self.context.scene.camera.target = self.context.scene.camera.position


def test_a_camera_that_begins_to_look_at_itself_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    session = session_of(InwardInPlace)
    with caplog.at_level(logging.WARNING, "renderwright.scene"):
        for _ in range(3):
            session.step(1 / 60)
    (record,) = caplog.records
    line = InwardInPlace.update.__code__.co_firstlineno + 1
    told = f"{__file__}:{line}: scene.cameras[0] looks at its own position (0, 2, 6): its target is ignored"
    assert record.getMessage().startswith(told)
    session.close()


NOTICES = {
    Inward: "scene.cameras[0] looks at its own position (1, 2, 3): its target is ignored",
    Glass: 'the material of "box" is drawn opaque: its base_color has alpha 0.3',
    Suns: f"scene.lights[{MOST_SUNS}], a DirectionalLight, does not light the scene: the {MOST_SUNS} brightest of 6",
}


def session_of(game: type[Game], *, strict: bool = False) -> Session:
    backend = NullBackend()
    return Session(game, backend, (64, 64), strict=strict)


@pytest.mark.parametrize("game", NOTICES)
def test_a_notice_is_given_once_with_the_line(game: type[Game], caplog: pytest.LogCaptureFixture) -> None:
    session = session_of(game)
    with caplog.at_level(logging.WARNING, "renderwright.scene"):
        for _ in range(3):
            session.step(1 / 60)
    (record,) = [record for record in caplog.records if record.name == "renderwright.scene"]
    assert NOTICES[game] in record.getMessage()
    assert record.getMessage().startswith(f"{__file__}:")
    session.close()


@pytest.mark.parametrize("game", NOTICES)
def test_a_notice_is_an_error_if_strict(game: type[Game]) -> None:
    session = session_of(game, strict=True)
    with pytest.raises(UsageError) as error:
        session.step(1 / 60)
    assert NOTICES[game] in error.value.message
    session.close()


def test_a_scene_that_is_drawn_as_it_is_gives_no_notice(caplog: pytest.LogCaptureFixture) -> None:
    class Plain(Empty):
        def setup(self, context: GameContext) -> None:
            context.scene.spawn(box(), Material())
            context.scene.add_light(DirectionalLight(glm.vec3(1, -1, 0)))
            for _ in range(4 * FEW_LIGHTS):
                context.scene.add_light(PointLight())

    session = session_of(Plain, strict=True)
    session.step(1 / 60)
    assert not caplog.records
    session.close()


def test_a_camera_that_becomes_nan_in_place_is_named() -> None:
    session = session_of(NanInPlace)
    with pytest.raises(UsageError, match=r"scene\.cameras\[0\]\.position cannot be \(nan"):
        session.step(1 / 60)
    session.close()


class FlatBox(Empty):
    skeleton = "flat"

    def setup(self, context: GameContext) -> None:
        context.scene.spawn(box(), Material(), name="crate")
        context.scene.spawn(box(), Material(), name="barrel")


def test_a_mesh_that_the_skeleton_does_not_draw_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    backend = NullBackend()
    session, target = Session(FlatBox, backend, (64, 64)), backend.create_target((64, 64))
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            session.step(1.0)
            session.render(target)
    session.close()
    (said,) = [record.getMessage() for record in caplog.records if "draws no meshes" in record.getMessage()]
    assert '"crate" is not seen' in said
