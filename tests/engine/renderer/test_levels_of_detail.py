"""Levels of detail: each instance is drawn as the level for its size on the screen, in all passes of a view."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, ClassVar

import numpy as np
import pytest
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.command_layout import COMMAND
from renderwright.engine.renderer.drawn_surfaces import KINDS
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.draw_list import DrawList
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.recording import Recording

pytestmark = pytest.mark.vulkan

BALLS = 300
FINE, MIDDLE, COARSE = (sphere(0.4, segments=2 * rings, rings=rings) for rings in (8, 4, 2))
OTHER = sphere(0.3, segments=12, rings=6, levels=1)


class Balls(Game):
    """Balls at all distances around cameras that turn. Every third moves, every fifth has another mesh."""

    plugins = ("shadows", "tonemap")
    max_players = 2
    culling = 1
    mesh: ClassVar[Mesh] = FINE.with_levels((MIDDLE, 0.12), (COARSE, 0.05))

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        places = ((0, 2, 0), (9, 4, 9))
        scene.cameras = [Camera(glm.vec3(place), far_away(place, 0.0)) for place in places[: context.players]]
        scene.spawn(plane(200, 200), Material(roughness=0.9))
        chance = np.random.default_rng(5)
        self.moving = []
        for number in range(BALLS):
            x, z = chance.uniform(-25, 25, 2)
            place = Transform(glm.vec3(x, chance.uniform(0.4, 3), z), scale=glm.vec3(chance.uniform(0.5, 2)))
            material = Material((number % 4 / 4, 0.5, 0.3, 1), double_sided=number % 7 == 0)
            mesh = OTHER if number % 5 == 0 else self.mesh
            ball = scene.spawn(mesh, material, place, casts_shadow=number % 4 > 0)
            if number % 3 == 0:
                self.moving.append(ball)
        self.turn = 0.0

    def update(self, dt: float) -> None:
        self.turn += 0.3
        for camera in self.context.scene.cameras:
            camera.target = far_away(camera.position, self.turn)
        for ball in self.moving:
            ball.transform.position.y += 0.05


def far_away(position: Any, turn: float) -> glm.vec3:
    return glm.vec3(position) + glm.vec3(np.cos(turn), -0.2, np.sin(turn))


class AlwaysCoarse(Balls):
    mesh = FINE.with_levels((COARSE, 1e6))


class CoarseMesh(Balls):
    mesh = COARSE


class FineMesh(Balls):
    mesh = FINE


class ForwardAlwaysCoarse(AlwaysCoarse):
    skeleton = "forward"


class ForwardCoarseMesh(CoarseMesh):
    skeleton = "forward"


class NotCulled(Balls):
    culling = None


class FineNotCulled(FineMesh):
    culling = None


def session_of(
    game: type[Game], backend: VulkanBackend, *enable: str, players: int = 1, recording: Recording = Recording.KEPT
) -> Session:
    clock = FixedStepClock(game.step, frame=game.step)
    choice = PluginChoice(enable=enable)
    return Session(
        game, backend, (96, 54), choice=choice, clock=clock, verify=True, players=players, recording=recording
    )


def pictures(game: type[Game], backend: VulkanBackend, *enable: str, players: int = 1) -> list[Picture]:
    with closing(session_of(game, backend, *enable, players=players)) as session:
        return frames_of(session, 4)


def expected_level(mesh: Mesh, model: Any, camera: Camera) -> int | None:
    """The number of the level for a model matrix of uniform scale; None where rounding may decide."""
    center = np.array([*mesh.bounds.center, 1.0]) @ model.astype(np.float64)
    radius = mesh.bounds.radius * np.linalg.norm(model[0, :3].astype(np.float64))
    distance = float(np.linalg.norm(center[:3] - np.array(camera.position)))
    size = radius / (distance * np.tan(camera.fov_y / 2))
    if any(abs(size - level.size) < 1e-4 * size for level in mesh.levels):
        return None
    return sum(size < level.size for level in mesh.levels)


class Listed:
    """What the culling node of a name has listed in the last frame of a session."""

    def __init__(self, session: Session, visible: str, *, casters_only: bool = False) -> None:
        read, resource = session.backend.read_buffer, session.runtime.resource
        self._instances = np.frombuffer(read(resource(f"{visible}_instances")), np.uint32)
        self._commands = np.frombuffer(read(resource(f"{visible}_draws")), COMMAND)
        table = session._scene.draws.table
        self._parts = [part for kind in KINDS if kind.casters_only is casters_only for part in table.ranges[kind]]

    def commands(self) -> Iterator[tuple[int, int, list[int]]]:
        """The index count and first index of each command, and its instances."""
        for part in self._parts:
            start = part.offset // COMMAND.itemsize
            for indices, count, first_index, _, first in self._commands[start : start + part.room].tolist():
                yield indices, first_index, self._instances[first : first + count].tolist()

    def triangles(self) -> int:
        return sum(indices // 3 * len(instances) for indices, _, instances in self.commands())


def batches_of(draws: DrawList) -> list[Any]:
    return [batch for batch in draws.batches for _ in range(batch.count)]


@pytest.mark.parametrize(("visible", "casters"), [("view", False), ("view_moved", False), ("shadows/cascade_2", True)])
def test_levels_are_those_of_a_model(backend: VulkanBackend, visible: str, casters: bool) -> None:
    with closing(session_of(Balls, backend, "taa")) as session:
        for name in (f"{visible}_instances", f"{visible}_draws"):
            session.graph.add_sink(name)
        frames_of(session, 3)
        draws, camera = session.context.scene.draw_list(), session.context.scene.camera
        batches, ranges = batches_of(draws), session._scene._geometry.ranges
        levels_found, seen = set(), []
        for indices, first_index, instances in Listed(session, visible, casters_only=casters).commands():
            for instance in instances:
                mesh = batches[instance].mesh
                levels = [mesh, *(level.mesh for level in mesh.levels)]
                level = [ranges[each].first_index for each in levels].index(first_index)
                assert indices == ranges[levels[level]].index_count
                assert expected_level(mesh, draws.models[instance], camera) in (None, level)
                levels_found.add(level)
                seen.append(instance)
        assert levels_found == {0, 1, 2}
        assert len(seen) == len(set(seen)) > 20
        assert not casters or all(batches[instance].casts_shadow for instance in seen)


def test_levels_draw_fewer_triangles(backend: VulkanBackend) -> None:
    """And the same instances."""
    drawn, instances = [], []
    for game in (FineMesh, Balls, CoarseMesh):
        with closing(session_of(game, backend)) as session:
            for name in ("view_instances", "view_draws"):
                session.graph.add_sink(name)
            frames_of(session, 2)
            listed = Listed(session, "view")
            numbers = session.context.scene.draw_list().numbers
            drawn.append(listed.triangles())
            instances.append({int(numbers[at]) for *_, some in listed.commands() for at in some})
    assert 0 < drawn[2] < drawn[1] < 0.6 * drawn[0]
    assert instances[0] == instances[1] == instances[2]


@pytest.mark.parametrize(
    ("game", "same", "enable", "players"),
    [
        (AlwaysCoarse, CoarseMesh, ("taa", "motion_blur"), 1),
        (AlwaysCoarse, CoarseMesh, ("split_screen",), 2),
        (ForwardAlwaysCoarse, ForwardCoarseMesh, ("outline",), 1),
        (ForwardAlwaysCoarse, ForwardCoarseMesh, ("vr",), 1),
        (NotCulled, FineNotCulled, ("taa",), 1),
    ],
)
def test_a_level_looks_like_its_mesh(
    backend: VulkanBackend, game: type[Game], same: type[Game], enable: tuple[str, ...], players: int
) -> None:
    """In all passes, those that compare depths among them. Where nothing is culled the finest level is drawn."""
    shown, right = (pictures(each, backend, *enable, players=players) for each in (game, same))
    assert all(np.array_equal(one, other) for one, other in zip(shown, right, strict=True))
    other = FineMesh if same is not FineNotCulled else CoarseMesh
    assert not np.array_equal(shown[-1], pictures(other, backend, *enable, players=players)[-1])


def test_both_eyes_have_the_same_levels(backend: VulkanBackend) -> None:
    with closing(session_of(Balls, backend, "vr")) as session:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        names = [node.declaration.name for node in session.runtime.plan.graph.nodes]
        assert names.count("views") == 2
        assert names.count("cull_views") == 1


def test_kept_commands_draw_the_levels_of_the_frame(backend: VulkanBackend) -> None:
    """Also when a camera comes nearer while nothing else changes, and when the scene is arranged anew."""
    shown = []
    for recording in (Recording.VERIFIED, Recording.ALWAYS):
        with closing(session_of(Balls, backend, "taa", recording=recording)) as session:
            taken = [*frames_of(session, 3), *frames_of(session, 3, still=True)]
            session.context.scene.camera.position.z += 4.0
            taken += frames_of(session, 3, still=True)
            session.context.scene.spawn(OTHER, Material())
            shown.append([*taken, *frames_of(session, 2)])
    assert all(np.array_equal(one, other) for one, other in zip(*shown, strict=True))
    assert not np.array_equal(shown[0][5], shown[0][8])
