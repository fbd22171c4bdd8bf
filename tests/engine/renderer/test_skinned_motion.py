"""Motion vectors of characters, and what skinning costs a frame in which nothing moves."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import numpy as np
import pytest
from bending_bar import bending_model, bent
from playing import frames_of
from pyglm import glm
from test_motion_vectors import ask

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene import Camera, Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.opengl.backend import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.sync.flags import Layout

EXTENT = (96, 72)
STEP = 1 / 60


class Bending(Game):
    """A bar that bends, and slides if ``slides``."""

    title = "Bending"
    plugins = ("tonemap",)
    step = STEP
    slides = False
    culling = 1

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera = Camera(glm.vec3(0.0, 1.0, 5.0), glm.vec3(0.0, 1.0, 0.0))
        scene.spawn(plane(8, 8), Material())
        self.bar = bending_model().spawn(scene)
        self.bar.play("Bend", speed=2.0)

    def update(self, dt: float) -> None:
        if self.slides:
            self.bar.transform.position += glm.vec3(0.02, 0.0, 0.0)


@pytest.fixture(scope="module", params=["vulkan", "opengl"])
def device(request: pytest.FixtureRequest):
    device = VulkanBackend(validate=True) if request.param == "vulkan" else OpenGLBackend()
    yield device
    device.close()
    assert [message.text for message in device.validation_messages] == []


@dataclass
class Run:
    """A session whose motion vectors can be read."""

    session: Session

    def motion(self, frames: int) -> np.ndarray:
        frames_of(self.session, frames)
        texture = self.session.runtime.resource("motion_vectors")
        return np.asarray(self.session.backend.read_texture(texture, Layout.TRANSFER_SRC), np.float64)[..., :2]


def run_of(backend: Backend, **attributes: object) -> Session:
    game = type("Bending", (Bending,), attributes)
    session = Session(game, backend, EXTENT, clock=FixedStepClock(STEP, frame=STEP))
    session.runtime.options = CompileOptions(alias=False)
    ask(session.graph)
    return session


def motion_at_tip(time: float, slid: tuple[float, float]) -> np.ndarray:
    """The motion in uv of the bar's top front edge in the frame that ends at a time of the clip."""
    camera = CameraView.of(Camera(glm.vec3(0.0, 1.0, 5.0), glm.vec3(0.0, 1.0, 0.0)), EXTENT, 0.0)
    matrix = np.array(camera.view_projection.to_list(), np.float64).T
    places = []
    for at, x in ((time - 2.0 * STEP, slid[0]), (time, slid[1])):
        positions = bent(at).positions.astype(np.float64) + np.array([x, 0.0, 0.0])
        clip = np.concatenate([positions, np.ones((len(positions), 1))], axis=1) @ matrix.T
        places.append(clip[:, :2] / clip[:, 3:] * [0.5, -0.5])
    return places[1] - places[0]


@pytest.mark.parametrize("slides", [False, True])
def test_every_part_of_a_character_moves_as_its_vertices_do(device: Backend, slides: bool) -> None:
    with closing(run_of(device, slides=slides)) as session:
        frames = 6
        motion = Run(session).motion(frames)
        now = 0.02 * frames if slides else 0.0
        vertices = motion_at_tip(2.0 * STEP * frames, (now - 0.02 if slides else 0.0, now))
        moving = np.abs(motion).max(axis=-1) > 0.0
        assert moving.sum() > 100
        # The motion of a surface is between that of its vertices; the farthest ones move most.
        assert motion[moving].min(axis=0) == pytest.approx(vertices.min(axis=0), abs=1.5e-3)
        assert motion[moving].max(axis=0) == pytest.approx(vertices.max(axis=0), abs=1.5e-3)


def test_a_character_that_stops_has_no_motion(device: Backend) -> None:
    with closing(run_of(device)) as session:
        run = Run(session)
        assert np.abs(run.motion(4)).max() > 1e-3
        session.runner.game.bar.set_speed(0.0)
        run.motion(2)
        assert np.abs(run.motion(1)).max() == 0.0
        session.runner.game.bar.transform.position.x += 0.1
        shifted = run.motion(1)
        bar = np.abs(shifted).max(axis=-1) > 0.0
        assert bar.sum() > 100
        assert np.abs(shifted[bar][:, 1]).max() < 1e-3, "it slides and does not bend"


def test_meshes_between_those_of_characters_keep_their_motion(device: Backend) -> None:
    """Meshes with colours come first in the buffer, also those of characters: the plain ones are between."""

    class Between(Bending):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            self.bar.remove()
            self.slider = context.scene.spawn(box(1.0), Material(), Transform(glm.vec3(1.2, 1.0, 0.0)))
            if self.characters:
                for colors in (True, False):
                    bar = bending_model(colors=colors).spawn(context.scene, Transform(glm.vec3(-1.5, 0.0, 0.0)))
                    bar.play("Bend", speed=2.0)

        def update(self, dt: float) -> None:
            self.slider.transform.position += glm.vec3(0.02, 0.0, 0.0)

    found = []
    for characters in (True, False):
        session = Session(
            type("Between", (Between,), {"characters": characters}),
            device,
            EXTENT,
            clock=FixedStepClock(STEP, frame=STEP),
        )
        with closing(session):
            session.runtime.options = CompileOptions(alias=False)
            ask(session.graph)
            found.append(Run(session).motion(4)[:, EXTENT[0] // 2 :])
    assert np.abs(found[0]).max() > 1e-3
    assert (found[0] == found[1]).all()


def test_a_still_character_costs_nothing(device: Backend) -> None:
    with closing(run_of(device)) as session:
        frames_of(session, 3)
        assert session._input.skinning.groups > 0
        session.runner.game.bar.set_speed(0.0)
        frames_of(session, 3)
        draws = session._draws
        frames_of(session, 2)
        assert session._draws is draws
        assert (session._input.skinning.groups, session._input.skinning.previous_groups) == (0, 0)


def test_nodes_join_and_leave_with_the_characters(device: Backend) -> None:
    with closing(run_of(device)) as session:
        frames_of(session, 2)
        names = {node.declaration.name for node in session.runtime.plan.graph.nodes}
        assert {"skin", "skin_previous"} <= names
        session.runner.game.bar.remove()
        frames_of(session, 2)
        names = {node.declaration.name for node in session.runtime.plan.graph.nodes}
        assert not {name for name in names if "skin" in name}
        session.context.scene.spawn(box(), Material(), Transform(glm.vec3(0.0, 3.0, 0.0)))
        again = bending_model().spawn(session.context.scene)
        again.play("Bend", speed=0.0)
        again.seek(1.0)
        with_new = frames_of(session, 3)[-1]
        frames_of(session, 1)
        assert (frames_of(session, 1)[-1] == with_new).all()


def test_another_mesh_in_the_scene_keeps_a_still_character_bent(device: Backend) -> None:
    with closing(run_of(device)) as session:
        bar = session.runner.game.bar
        bar.seek(0.9)
        bar.set_speed(0.0)
        before = frames_of(session, 4)[-1]
        thing = session.context.scene.spawn(box(0.01), Material(), Transform(glm.vec3(0.0, 1.0, 20.0)))
        assert (frames_of(session, 2)[-1] == before).all()
        session.context.scene.remove(thing)
        assert (frames_of(session, 2)[-1] == before).all()
