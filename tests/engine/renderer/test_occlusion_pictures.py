"""Occlusion culling: what others hide is not drawn, and every picture stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from hiding_scenes import Maze, maze, nodes_of, pictures, session_of
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.command_layout import COMMAND
from renderwright.engine.renderer.draw_commands import span
from renderwright.engine.renderer.occlusion import OCCLUDERS
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import box, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.screenshot.grid import TileGrid
from renderwright.engine.screenshot.tiled import TiledScreenshot
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.recording import Recording

pytestmark = pytest.mark.vulkan


@pytest.mark.parametrize(
    ("seed", "skeleton", "enable", "players"),
    [
        (0, "deferred", ("taa", "shadows"), 1),
        (1, "deferred", ("split_screen", "motion_blur"), 2),
        (2, "deferred", ("ssaa",), 1),
        (4, "forward", ("outline",), 1),
        (5, "forward", ("vr",), 1),
    ],
)
def test_pictures_stay_as_they_are(
    backend: VulkanBackend, seed: int, skeleton: str, enable: tuple[str, ...], players: int
) -> None:
    """Whatever moves, appears and vanishes, and wherever the cameras are in the next frame."""
    with_it, without = (
        pictures(maze(seed, occlusion=occlusion, skeleton=skeleton), backend, *enable, players=players, frames=16)
        for occlusion in (True, False)
    )
    assert [np.array_equal(one, other) for one, other in zip(with_it, without, strict=True)] == [True] * 16
    assert len({picture.tobytes() for picture in without}) == 16


@pytest.mark.parametrize(("enable", "players"), [(("taa", "shadows"), 1), (("split_screen",), 2)])
def test_pictures_of_orthographic_cameras_stay_as_they_are(
    backend: VulkanBackend, enable: tuple[str, ...], players: int
) -> None:
    with_it, without = (
        pictures(maze(3, occlusion=occlusion, height=5.0), backend, *enable, players=players, frames=8)
        for occlusion in (True, False)
    )
    assert [np.array_equal(one, other) for one, other in zip(with_it, without, strict=True)] == [True] * 8
    assert len({picture.tobytes() for picture in without}) == 8


def test_pictures_stay_as_they_are_in_a_game_that_changes(backend: VulkanBackend) -> None:
    """Plugins, the output, its resolution and the number of players change between frames."""

    def shown(occlusion: bool) -> list[Picture]:
        with closing(session_of(maze(7, occlusion=occlusion), backend, "split_screen", players=2)) as session:
            taken = frames_of(session, 3)
            session.toggle("taa")
            taken += frames_of(session, 3)
            taken += frames_of(session, 3, (75, 43))
            session.graph.set_dynamic_resolution("main_view", (20, 30))
            taken += frames_of(session, 3, (75, 43))
            session.graph.set_dynamic_resolution("main_view", None)
            session.toggle("split_screen")
            taken += frames_of(session, 3, (131, 33))
            session.toggle("split_screen")
            session.toggle("taa")
            return [*taken, *frames_of(session, 3, (3, 2)), *frames_of(session, 3)]

    for one, other in zip(shown(True), shown(False), strict=True):
        assert np.array_equal(one, other)


def test_tiles_of_a_screenshot_stay_as_they_are(backend: VulkanBackend) -> None:
    """Each is rendered with the occluders of the one before it."""

    def tiled(occlusion: bool) -> Picture:
        with closing(session_of(maze(8, occlusion=occlusion), backend, "split_screen", players=2)) as session:
            frames_of(session, 2)
            return np.concatenate(list(TiledScreenshot(session, TileGrid((200, 120), 3, 2, 4)).rows()))

    shown = tiled(True)
    assert np.array_equal(shown, tiled(False))
    assert shown.shape == (120, 200, 3)


def test_every_device_shows_the_same(backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    """By counted commands, by commands without counts, by one command a call, and where nothing is culled."""
    shown = pictures(maze(3), backend, frames=5)
    with monkeypatch.context() as patch:
        patch.setattr(backend._device, "indirect_counts", False)
        others = [pictures(maze(3), backend, frames=5)]
        patch.setattr(backend._device, "indirect_draws", 1)
        others.append(pictures(maze(3), backend, frames=5))
        patch.setattr(backend, "capabilities", replace(backend.capabilities, indirect_instances=False))
        with closing(session_of(maze(3), backend)) as session:
            frames_of(session, 1)
            assert "find_hidden" not in nodes_of(session)
    for other in others:
        assert all(np.array_equal(one, another) for one, another in zip(shown, other, strict=True))


BALLS = 200
BALL = sphere(0.2)  # too many triangles for an occluder of its size in these pictures


class Cupboard(Game):
    """Balls behind a wall that covers the picture."""

    plugins = ()
    culling = 1
    occlusion: ClassVar[int | None] = 1
    mesh: ClassVar[Mesh] = BALL

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position, scene.camera.target = glm.vec3(0, 0, 5), glm.vec3(0)
        self.wall = scene.spawn(box(20.0), Material((1, 0, 0, 1)), Transform(scale=glm.vec3(1, 1, 0.01)))
        places = np.random.default_rng(2).uniform((-3, -2, -8), (3, 2, -1), (BALLS, 3))
        self.balls = scene.spawn_many(self.mesh, Material((0, 1, 0, 1)), places)


def drawn(session: Session, name: str) -> int:
    """The instances that the last frame has listed under a name."""
    first, count = span(session.runtime.blob("draws").ranges, casters_only=False)
    listed = np.frombuffer(session.backend.read_buffer(session.runtime.resource(f"{name}_draws")), COMMAND)
    return int(listed["instances"][first : first + count].sum())


def with_lists(session: Session) -> Session:
    """A session whose lists can be read after a frame."""
    for name in ("view", OCCLUDERS):
        session.graph.add_sink(f"{name}_draws")
    return session


def test_what_a_wall_hides_is_not_drawn(backend: VulkanBackend) -> None:
    """The first frame knows of no occluders. It draws everything, and the second one finds what is hidden."""
    with closing(with_lists(session_of(Cupboard, backend))) as session:
        listed = []
        for _ in range(4):
            frames_of(session, 1)
            listed.append((drawn(session, OCCLUDERS), drawn(session, "view")))
        assert listed == [(0, BALLS + 1), (1, 1), (1, 1), (1, 1)]


@pytest.mark.parametrize(("mesh", "occluders"), [(box(0.4), BALLS + 1), (BALL, 1), (sphere(0.4, rings=90), 1)])
def test_occluders_have_few_triangles_for_their_size(backend: VulkanBackend, mesh: Mesh, occluders: int) -> None:
    """Then an open field, in which little hides anything, costs little more."""
    game = type("Field", (Cupboard,), {"mesh": mesh})
    with closing(with_lists(session_of(game, backend))) as session:
        session.runner.game.wall.transform.position = glm.vec3(0, 0, -30)
        frames_of(session, 2)
        assert drawn(session, OCCLUDERS) == occluders


def without_wall(game: Cupboard) -> None:
    game.wall.visible = False


def wall_aside(game: Cupboard) -> None:
    game.wall.transform.position.x += 100.0


def camera_behind(game: Cupboard) -> None:
    game.context.scene.camera.position = glm.vec3(0, 0, -0.5)
    game.context.scene.camera.target = glm.vec3(0, 0, -5)
    game.context.scene.snap_cameras()


def balls_in_front(game: Cupboard) -> None:
    game.balls.positions += np.array((0, 0, 9), np.float32)


def one_in_front(game: Cupboard) -> None:
    game.balls[7].transform.position = glm.vec3(0, 0, 3)


@pytest.mark.parametrize("change", [without_wall, wall_aside, camera_behind, balls_in_front, one_in_front])
def test_what_comes_out_is_shown_at_once(backend: VulkanBackend, change: Callable[[Any], None]) -> None:
    shown = []
    for occlusion in (1, None):
        game = type("Cupboard", (Cupboard,), {"occlusion": occlusion})
        with closing(session_of(game, backend)) as session:
            before = frames_of(session, 4)
            change(session.runner.game)
            shown.append([*before, *frames_of(session, 2)])
    assert all(np.array_equal(one, other) for one, other in zip(*shown, strict=True))
    assert not np.array_equal(shown[0][3], shown[0][-1])


def test_an_eye_that_sees_something_is_enough(backend: VulkanBackend) -> None:
    """The eyes of a player share a list: it has what either of them sees."""
    with closing(with_lists(session_of(Cupboard, backend, "vr"))) as session:
        frames_of(session, 3)
        assert drawn(session, "view") == 1
        session.runner.game.wall.transform.scale = glm.vec3(0.05, 1, 0.01)
        frames_of(session, 2)
        few = drawn(session, "view")
        both = {name for name in nodes_of(session) if name.startswith("find_hidden")}
        assert both == {"find_hidden@eye=0", "find_hidden@eye=1"}
    assert 1 < few < BALLS + 1


def test_both_eyes_are_still_drawn_at_once() -> None:
    for skeleton in ("deferred", "forward"):
        found = []
        for occlusion in (False, True):
            with closing(session_of(maze(1, occlusion=occlusion, skeleton=skeleton), NullBackend(), "vr")) as session:
                frames_of(session, 1)
                found.append({name for name in nodes_of(session) if "*" in name})
        assert found[1] - found[0] == {"draw_occluders@eye=*"}
        assert found[0] - found[1] == set()


def test_kept_commands_draw_what_is_seen_in_the_frame(backend: VulkanBackend) -> None:
    """In frames of one moment, and when the camera jumps while nothing else changes."""
    shown = []
    for recording in (Recording.VERIFIED, Recording.ALWAYS):
        with closing(session_of(maze(5), backend, "taa", recording=recording)) as session:
            taken = [*frames_of(session, 3), *frames_of(session, 4, still=True)]
            session.context.scene.camera.position.y += 4.0
            shown.append([*taken, *frames_of(session, 3, still=True)])
    assert all(np.array_equal(one, other) for one, other in zip(*shown, strict=True))


def test_an_unchanged_frame_records_nothing() -> None:
    calls: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return function(*arguments)

        return call

    with (
        closing(VulkanBackend(validate=True, wrap=counted)) as backend,
        closing(session_of(Cupboard, backend)) as session,
        closing(backend.create_target(session.extent)) as target,
    ):
        session.step()
        recorded = []
        for _ in range(8):
            calls.clear()
            session.render(target)
            recorded.append({name for name in calls if name.startswith(("vkCmd", "vkBeginCommandBuffer"))})
        assert "vkCmdDispatch" in recorded[0]
        assert recorded[-3:] == [set()] * 3
        assert backend.validation_messages == []


def test_small_scenes_have_no_occlusion() -> None:
    """It begins at so many instances, and goes on until there are half as many. Without culling there is none."""
    game = type("Small", (Maze,), {"occlusion": 300, "update": lambda self, dt: None})
    with closing(session_of(game, NullBackend())) as session:
        frames_of(session, 1)
        assert "find_hidden" not in nodes_of(session)
        game = session.runner.game
        for _ in range(300 - len(session.context.scene.entities)):
            game.add_thing()
        frames_of(session, 1)
        assert {"find_hidden", "draw_occluders", "depth_pyramid"} <= set(nodes_of(session))
        type(game).culling = None
        frames_of(session, 1)
        assert not {"find_hidden", "cull_views"} & set(nodes_of(session))
        type(game).culling = 1
        for thing in game.things[:150]:
            session.context.scene.remove(thing)
        frames_of(session, 1)
        assert "cull_views" in nodes_of(session)
        assert "find_hidden" not in nodes_of(session)
