"""Culling: fewer instances are drawn, in the same order, and every picture stays as it is."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.command_layout import COMMAND
from renderwright.engine.renderer.culling import MOST_VIEWS, Frusta
from renderwright.engine.renderer.drawn_surfaces import KINDS
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.inspect.plan_text import plan_to_text

SIDE = 18


class Field(Game):
    """A field of things around cameras that turn: of several shapes and materials, some turned and stretched."""

    plugins = ("shadows",)
    max_players = 2
    culling = 256

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.cameras = [Camera(position=glm.vec3(0, 2, 0)), Camera(position=glm.vec3(6, 5, 6))]
        scene.spawn(plane(120, 120), Material(roughness=0.9))
        self.meshes = [box(0.7), sphere(0.4, rings=6, segments=8), box(0.3)]
        self.turns = 0
        self.spawned = 0
        self.grow(SIDE * SIDE)

    def grow(self, count: int) -> None:
        for number in range(self.spawned, self.spawned + count):
            material = Material(roughness=0.2 + 0.1 * (number % 6), double_sided=number % 9 == 0)
            place = Transform(
                glm.vec3(2 * (number % SIDE - SIDE / 2), 0.5 + number % 4, 2 * (number // SIDE - SIDE / 2)),
                glm.angleAxis(0.7 * number, glm.normalize(glm.vec3(1, 2, number % 3))),
                glm.vec3(1.0, 1.0 + number % 3, 1.0),
            )
            self.context.scene.spawn(self.meshes[number // 5 % 3], material, place, casts_shadow=number % 8 > 0)
        self.spawned += count

    def update(self, dt: float) -> None:
        self.turns += 1
        for number, camera in enumerate(self.context.scene.cameras):
            angle = 0.4 * self.turns + 2.0 * number
            camera.target = camera.position + glm.vec3(glm.cos(angle), -0.3, glm.sin(angle))


class ForwardField(Field):
    """The same by the forward skeleton."""

    skeleton = "forward"


def session_of(
    game: type[Game], backend: VulkanBackend | NullBackend, culling: int | None, *enable: str, players: int = 1
) -> Session:
    chosen = type(game.__name__, (game,), {"culling": culling})
    clock = FixedStepClock(game.step, frame=game.step)
    choice = PluginChoice(enable=enable)
    return Session(chosen, backend, (96, 54), choice=choice, clock=clock, verify=True, players=players)


def culls(session: Session) -> set[str]:
    """The nodes of the frame that cull."""
    assert session.runtime.plan is not None
    return {node.declaration.name for node in session.runtime.plan.graph.nodes if "cull" in node.declaration.name}


@pytest.mark.vulkan
@pytest.mark.parametrize(
    ("game", "enable", "players"),
    [(Field, ("taa",), 1), (ForwardField, ("outline",), 1), (Field, ("split_screen",), 2), (ForwardField, ("vr",), 1)],
)
def test_pictures_stay_as_they_are(
    backend: VulkanBackend, game: type[Game], enable: tuple[str, ...], players: int
) -> None:
    """Also when the scene outgrows its buffers."""
    shown = []
    for culling in (None, 256):
        with closing(session_of(game, backend, culling, *enable, players=players)) as session:
            pictures = frames_of(session, 4)
            assert bool(culls(session)) is (culling is not None)
            session.runner.game.grow(3 * SIDE * SIDE)
            shown.append([*pictures, *frames_of(session, 3)])
    assert all(np.array_equal(one, other) for one, other in zip(*shown, strict=True))
    assert not np.array_equal(shown[0][0], shown[0][3])


def kept(session: Session, visible: str) -> tuple[np.ndarray, np.ndarray]:
    """The commands after culling and the instances that they list."""
    read = session.backend.read_buffer
    instances = np.frombuffer(read(session.runtime.resource(f"{visible}_instances")), np.uint32)
    commands = np.frombuffer(read(session.runtime.resource(f"{visible}_draws")), COMMAND)
    return commands, instances


def spheres(session: Session) -> tuple[np.ndarray, np.ndarray]:
    """Centres and radii of all instances, from the vertices."""
    draws = session.context.scene.draw_list()
    centers = np.zeros((len(draws.models), 3))
    radii = np.zeros(len(draws.models))
    for batch in draws.batches:
        for at in range(batch.first, batch.first + batch.count):
            model = draws.models[at].astype(np.float64)
            points = batch.mesh.positions @ model[:3, :3] + model[3, :3]
            centers[at] = (points.min(axis=0) + points.max(axis=0)) / 2
            radii[at] = np.linalg.norm(points - centers[at], axis=1).max()
    return centers, radii


@pytest.mark.vulkan
@pytest.mark.parametrize("shadows", [False, True])
def test_what_is_listed_is_what_may_be_seen(backend: VulkanBackend, shadows: bool) -> None:
    """Every instance within the frustum, in the order of drawing, and few others."""
    visible, casters = ("shadows/cascade_0", True) if shadows else ("view", False)
    with closing(session_of(Field, backend, 256)) as session:
        for name in (f"{visible}_instances", f"{visible}_draws"):
            session.graph.add_sink(name)
        frames_of(session, 3)
        commands, instances = kept(session, visible)
        table = session._scene.draws.table
        camera = session.context.scene.camera
        centers, radii = spheres(session)
        toward = np.array(camera.target - camera.position)
        ahead = (centers - np.array(camera.position)) @ (toward / np.linalg.norm(toward))
        listed = []
        for kind in KINDS:
            if kind.casters_only is not casters:
                continue
            for part in table.ranges[kind]:
                start = part.offset // COMMAND.itemsize
                for before, after in zip(
                    table.commands[start : start + part.room], commands[start : start + part.room], strict=True
                ):
                    first = int(before["first_instance"])
                    assert (after["first_instance"], after["indices"]) == (first, before["indices"])
                    own = instances[first : first + after["instances"]].tolist()
                    assert own == sorted(set(own))
                    assert all(first <= at < first + before["instances"] for at in own)
                    listed += own
        assert len(listed) == len(set(listed))
        assert 0 < len(listed) < 0.6 * len(radii)
        if not shadows:
            assert all(ahead[at] + radii[at] > -0.1 for at in listed if radii[at] < 5)
            slope = np.tan(camera.fov_y / 2)
            near = np.linalg.norm(centers - np.array(camera.position), axis=1) * np.cos(np.arctan(slope)) < ahead
            assert set(np.flatnonzero(near)) <= set(listed)


def test_small_scenes_are_not_culled() -> None:
    """A scene is culled from so many instances on, until it has half as many."""
    with closing(session_of(Field, NullBackend(), SIDE * SIDE + 2)) as session:
        every = {"cull_views", *(f"shadows/cull_{number}" for number in range(4))}
        frames_of(session, 1)
        assert culls(session) == set()
        session.runner.game.grow(1)
        frames_of(session, 1)
        assert culls(session) == every
        entities = session.context.scene.entities
        for entity in entities[: len(entities) // 2]:
            session.context.scene.remove(entity)
        frames_of(session, 1)
        assert culls(session) == every
        session.context.scene.remove(session.context.scene.entities[0])
        frames_of(session, 1)
        assert culls(session) == set()
        assert "view_instances" not in plan_to_text(session.runtime.plan)


def test_more_views_than_fit_see_everything() -> None:
    matrices = [glm.mat4(float(number)) for number in range(MOST_VIEWS + 1)]
    assert Frusta.of(matrices[:-1]).count == MOST_VIEWS
    assert Frusta.of(matrices).count == 0
    assert Frusta.of(matrices[:1], near=False) == Frusta((matrices[0],), 1, 0)


@pytest.mark.vulkan
def test_instances_in_no_layer_of_the_camera_are_not_listed(backend: VulkanBackend) -> None:
    """They are still listed as casters of shadows, which all cameras show."""
    with closing(session_of(Field, backend, 256)) as session:
        names = ("view", "shadows/cascade_3")
        for name in names:
            session.graph.add_sink(f"{name}_instances")
            session.graph.add_sink(f"{name}_draws")
        scene = session.context.scene
        scene.group(scene.entities[::2]).layers = 2
        frames_of(session, 1)
        every = [listed_layers(session, name) for name in names]
        scene.camera.layers = 0xFFFFFFFF & ~2
        session.runner.game.turns -= 1
        frames_of(session, 1)
        assert every == [{1, 2}, {1, 2}]
        assert [listed_layers(session, name) for name in names] == [{1}, {1, 2}]


def listed_layers(session: Session, visible: str) -> set[int]:
    """The masks of all instances that a node has listed."""
    commands, instances = kept(session, visible)
    masks = [batch.layers for batch in session.context.scene.draw_list().batches for _ in range(batch.count)]
    casters = visible != "view"
    found = set()
    for kind in (kind for kind in KINDS if kind.casters_only is casters):
        for part in session._scene.draws.table.ranges[kind]:
            start = part.offset // COMMAND.itemsize
            for command in commands[start : start + part.room]:
                first = int(command["first_instance"])
                found |= {masks[at] for at in instances[first : first + command["instances"]]}
    return found
