"""Characters in sessions: kept commands, poison, plans made beside the frames, several views, lost devices."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from bending_bar import PAINT, bending_model, bent
from hand_driven import HandDriven
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.recording import Recording

pytestmark = pytest.mark.vulkan

EXTENT = (96, 64)
STEP = 1 / 60


class Hall(Game):
    """A floor for up to two players; bars come when they are told to."""

    title = "Hall"
    plugins = ("shadows", "taa", "tonemap", "split_screen")
    step = STEP
    max_players = 2

    def setup(self, context: GameContext) -> None:
        places = (glm.vec3(1.5, 1.8, 3.5), glm.vec3(-2.5, 1.2, 3.0))
        context.scene.cameras = [Camera(place, glm.vec3(-0.3, 0.9, 0.0)) for place in places[: context.players]]
        context.scene.spawn(plane(8, 8), Material())
        self.bars = []

    def come(self, x: float = 0.0, *, speed: float = 1.0, at: float = 0.0) -> None:
        bar = bending_model(morphs=True).spawn(self.context.scene, Transform(glm.vec3(x, 0.0, 0.0)))
        bar.play("Bend", speed=speed)
        bar.seek(at)
        self.bars.append(bar)


class Statues(Hall):
    """The same bars as meshes that were modelled so."""

    def come(self, x: float = 0.0, *, speed: float = 0.0, at: float = 0.0) -> None:
        assert speed == 0.0
        self.context.scene.spawn(bent(at, morphs=True), PAINT, Transform(glm.vec3(x, 0.0, 0.0)))


def hall(backend: VulkanBackend, game: type[Hall] = Hall, **options: object) -> Session:
    clock = FixedStepClock(STEP, frame=STEP)
    return Session(game, backend, EXTENT, clock=clock, strict=True, choice=PluginChoice(), **options)  # type: ignore[arg-type]


def eventful(session: Session) -> list[Picture]:
    """Frames in which bars come, stop, go on and leave."""
    game, found = session.runner.game, []
    assert isinstance(game, Hall)
    game.come(-0.6)
    found += frames_of(session, 3)
    game.come(0.7, speed=2.0)
    found += frames_of(session, 2)
    game.bars[0].set_speed(0.0)
    found += frames_of(session, 3)
    game.bars[0].set_speed(1.0)
    game.bars[1].remove()
    found += frames_of(session, 3)
    game.bars[0].stop(fade=0.05)
    return found + frames_of(session, 5)


def test_kept_commands_and_barriers_are_right_and_poison_shows_nothing(backend: VulkanBackend) -> None:
    runs = []
    for options in (
        {"recording": Recording.ALWAYS},
        {"recording": Recording.VERIFIED, "verify": True},
        {"poison": Poison.NAN},
    ):
        with closing(hall(backend, **options)) as session:
            runs.append(eventful(session))
    for number, frames in enumerate(zip(*runs, strict=True)):
        assert all(np.array_equal(frame, frames[0]) for frame in frames[1:]), number
    assert len({frame.tobytes() for frame in runs[0]}) > 8


def test_a_character_that_comes_while_the_plan_is_made_is_right_afterwards(backend: VulkanBackend) -> None:
    worker = HandDriven()
    with closing(hall(backend, worker=worker)) as session, closing(hall(backend, Statues)) as modelled:
        for each in (session, modelled):
            each.toggle("taa")  # which remembers the frames before
            frames_of(each, 3)
            each.runner.game.come(speed=0.0, at=0.8)
        frames_of(session, 2)
        assert session.runtime.behind
        worker.work()
        frames_of(session, 10)
        frames_of(modelled, 12)
        for ours, right in zip(frames_of(session, 4), frames_of(modelled, 4), strict=True):
            assert np.abs(ours.astype(int) - right).max() <= 3


@pytest.mark.parametrize("splits", [{}, {"sample": 4}])
def test_all_views_show_the_same_character(backend: VulkanBackend, splits: dict[str, int]) -> None:
    pictures = []
    for game in (Hall, Statues):
        with closing(hall(backend, game, players=2)) as session:
            if splits:
                session.toggle("taa")
                session.toggle("ssaa")
            session.runner.game.come(speed=0.0, at=0.6)
            pictures.append(frames_of(session, 4)[-1])
    left, right = pictures[0][:, : EXTENT[0] // 2], pictures[0][:, EXTENT[0] // 2 :]
    assert (left != right).any()
    assert np.abs(pictures[0].astype(int) - pictures[1]).max() <= 3


def test_a_character_outlives_its_device() -> None:
    first, second = VulkanBackend(validate=True), VulkanBackend(validate=True)
    session = hall(first)
    session.runner.game.come(speed=0.0, at=0.7)
    before = frames_of(session, 4)[-1]
    session.abandon()
    first.close()
    session.move_to(second)
    with closing(second), closing(session):
        session.toggle("taa")
        session.toggle("taa")
        assert np.abs(frames_of(session, 4, still=True)[-1].astype(int) - before).mean() < 2.0
        assert session._scene.skinning.work.groups == 0
