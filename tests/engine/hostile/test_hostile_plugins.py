"""Plugins that make mistakes: each is named and taken out, and the frames are those of a game without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hand_driven import HandDriven
from hostile_plugins import MATRIX, NAME, Hostile
from playing import SHADERS, Picture, frames_of
from pyglm import glm
from wrong_commands import WRONG_COMMANDS
from wrong_recordings import WRONG_RECORDINGS

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins import FoundPlugin, PluginState, discovery, host
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError

pytestmark = pytest.mark.vulkan

EXTENT = (48, 27)
FRAMES = 3

MISTAKES = MATRIX | WRONG_COMMANDS | WRONG_RECORDINGS


class Turning(Game):
    """A box that turns, so that each frame differs from the last one."""

    title = "Turning"
    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera.position = glm.vec3(2.0, 2.0, 2.5)
        self._box = context.scene.spawn(box(1.0), Material(base_color=(0.8, 0.2, 0.1, 1)), Transform())

    def update(self, dt: float) -> None:
        self._box.transform.position.x += 0.02


@contextmanager
def playing(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, hostile: Hostile | None, *, on: bool, **options: Any
) -> Iterator[Session]:
    """A session in which the hostile plugin is installed, and on from the start if ``on``."""

    def load() -> object:
        assert hostile is not None
        if isinstance(hostile.plugin, BaseException):
            raise hostile.plugin
        return hostile.plugin

    found = discovery.find_plugins() + ((FoundPlugin(NAME, load),) if hostile is not None else ())
    monkeypatch.setattr(host, "find_plugins", lambda: found)
    choice = PluginChoice(enable=(NAME,) if on else ())
    clock = FixedStepClock(Turning.step, frame=1 / 60)
    session = Session(Turning, backend, EXTENT, choice=choice, clock=clock, shaders=SHADERS, **options)
    try:
        yield session
    finally:
        session.close()


@pytest.fixture(scope="module")
def expected() -> dict[int, Sequence[Picture]]:
    """The pictures of a game in which nothing hostile is installed; filled by the first test that asks."""
    return {}


@pytest.fixture
def pictures(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, expected: dict[int, Sequence[Picture]]
) -> Sequence[Picture]:
    if FRAMES not in expected:
        with playing(backend, monkeypatch, None, on=False) as session:
            expected[FRAMES] = frames_of(session, 2 * FRAMES)
    return expected[FRAMES]


def check_is_out(session: Session, hostile: Hostile) -> None:
    status = session.plugins.status(NAME)
    assert status.state in (PluginState.QUARANTINED, PluginState.BROKEN), status
    assert hostile.words in status.reason
    assert status.nodes == ()


def check_same(shown: Sequence[Picture], expected: Sequence[Picture]) -> None:
    for picture, right in zip(shown, expected, strict=True):
        assert np.array_equal(picture, right)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_at_the_start_leaves_the_others_as_they_are(
    mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, pictures: Sequence[Picture]
) -> None:
    hostile = MISTAKES[mistake]
    with playing(backend, monkeypatch, hostile, on=True) as session:
        check_same(frames_of(session, FRAMES), pictures[:FRAMES])
        check_is_out(session, hostile)


@pytest.mark.parametrize(
    ("mistake", "words"), [("execute raises", "fails in execute"), ("declare raises", "fails in declare")]
)
def test_a_node_that_raises_is_named(
    mistake: str, words: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(backend, monkeypatch, MATRIX[mistake], on=True) as session:
        frames_of(session, 1)
        reason = session.plugins.status(NAME).reason
    assert f'node "{NAME}/node0" {words}: ValueError: out of order' in reason


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_mid_run_beside_the_frames_leaves_the_others_as_they_are(
    mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, pictures: Sequence[Picture]
) -> None:
    hostile, worker = MISTAKES[mistake], HandDriven()
    with playing(backend, monkeypatch, hostile, on=False, worker=worker) as session:
        shown = frames_of(session, FRAMES)
        session.plugins.enable(NAME)
        for _ in range(FRAMES):
            shown += frames_of(session, 1)
            if worker.busy:
                worker.work()
        check_same(shown, pictures)
        check_is_out(session, hostile)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_ends_a_strict_game(mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        pytest.raises(PluginError, match="because of --strict"),
        playing(backend, monkeypatch, MISTAKES[mistake], on=True, strict=True) as session,
    ):
        frames_of(session, FRAMES)
