"""Plugins that make mistakes: each is named and taken out, and the frames are those of a game without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
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
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError

pytestmark = pytest.mark.vulkan

EXTENT = (48, 27)
FRAMES = 3

MISTAKES = MATRIX | WRONG_COMMANDS | WRONG_RECORDINGS
OF_A_DEVICE = {"large buffer", "huge buffer", "huge texture", "unforeseen in a binding"}
"""What is a mistake on a device only, by its limits and its descriptors."""
FOUND = discovery.find_plugins()


class Turning(Game):
    """A box that turns, so that each frame differs from the last one."""

    title = "Turning"
    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera.position = glm.vec3(2.0, 2.0, 2.5)
        self._box = context.scene.spawn(box(1.0), Material(base_color=(0.8, 0.2, 0.1, 1)), Transform())

    def update(self, dt: float) -> None:
        self._box.transform.position.x += 0.02


Plugins = dict[str, Hostile]
"""By the name under which they are installed."""


def named(mistakes: Iterable[str]) -> Plugins:
    """The plugins that make these mistakes, each installed under a name that tells which it makes."""
    return {f"{NAME}_{re.sub(r'[^a-z0-9]+', '_', mistake.lower())}": MISTAKES[mistake] for mistake in mistakes}


BATCHES = [named(list(MISTAKES)[first::8]) for first in range(8)]
"""All mistakes, two dozen of different kinds in each batch."""


@contextmanager
def playing(
    backend: Backend, monkeypatch: pytest.MonkeyPatch, hostiles: Plugins | Hostile, *, on: bool, **options: Any
) -> Iterator[Session]:
    """A session in which the hostile plugins are installed, and on from the start if ``on``. One alone is ``NAME``."""
    if isinstance(hostiles, Hostile):
        hostiles = {NAME: hostiles}

    def load(hostile: Hostile) -> object:
        if isinstance(hostile.plugin, BaseException):
            raise hostile.plugin
        return hostile.plugin

    found = (*FOUND, *(FoundPlugin(name, partial(load, hostile)) for name, hostile in hostiles.items()))
    monkeypatch.setattr(host, "find_plugins", lambda: found)
    choice = PluginChoice(enable=tuple(hostiles) if on else ())
    clock = FixedStepClock(Turning.step, frame=1 / 60)
    session = Session(Turning, backend, EXTENT, choice=choice, clock=clock, shaders=SHADERS, **options)
    try:
        yield session
    finally:
        session.close()


@pytest.fixture(scope="module")
def pictures(backend: VulkanBackend) -> Sequence[Picture]:
    """The pictures of a game in which nothing hostile is installed."""
    with pytest.MonkeyPatch.context() as monkeypatch, playing(backend, monkeypatch, {}, on=False) as session:
        return frames_of(session, FRAMES * (1 + max(map(len, BATCHES))))


def check_is_out(session: Session, name: str, hostile: Hostile) -> None:
    status = session.plugins.status(name)
    assert status.state in (PluginState.QUARANTINED, PluginState.BROKEN), status
    assert hostile.words in status.reason
    assert status.nodes == ()


def check_same(shown: Sequence[Picture], expected: Sequence[Picture], name: str) -> None:
    for picture, right in zip(shown, expected, strict=True):
        assert np.array_equal(picture, right), name


def test_no_two_mistakes_have_one_name() -> None:
    assert sum(map(len, BATCHES)) == len(MISTAKES)
    assert len(set().union(*BATCHES)) == len(MISTAKES)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_at_the_start_leaves_the_others_as_they_are(
    mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, pictures: Sequence[Picture]
) -> None:
    hostile = MISTAKES[mistake]
    with playing(backend, monkeypatch, {NAME: hostile}, on=True) as session:
        check_same(frames_of(session, FRAMES), pictures[:FRAMES], NAME)
        check_is_out(session, NAME, hostile)


@pytest.mark.parametrize(
    ("mistake", "words"), [("execute raises", "fails in execute"), ("declare raises", "fails in declare")]
)
def test_a_node_that_raises_is_named(
    mistake: str, words: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(backend, monkeypatch, {NAME: MATRIX[mistake]}, on=True) as session:
        frames_of(session, 1)
        reason = session.plugins.status(NAME).reason
    assert f'node "{NAME}/node0" {words}: ValueError: out of order' in reason


@pytest.mark.parametrize("batch", BATCHES)
def test_mistakes_in_mid_run_beside_the_frames_leave_the_others_as_they_are(
    batch: Plugins, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, pictures: Sequence[Picture]
) -> None:
    """One after the other in one run: what a mistake left behind would be in the frames of the next, too."""
    worker = HandDriven()
    with playing(backend, monkeypatch, batch, on=False, worker=worker) as session:
        check_same(frames_of(session, FRAMES), pictures[:FRAMES], "none")
        for number, (name, hostile) in enumerate(batch.items(), 1):
            session.plugins.enable(name)
            shown = []
            for _ in range(FRAMES):
                shown += frames_of(session, 1)
                if worker.busy:
                    worker.work()
            check_same(shown, pictures[number * FRAMES : (number + 1) * FRAMES], name)
            check_is_out(session, name, hostile)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_ends_a_strict_game(mistake: str, backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a device where none is needed to find the mistake, as the tests above have shown what a device sees."""
    with (
        closing(NullBackend()) as null,
        pytest.raises(PluginError, match="because of --strict"),
        playing(
            backend if mistake in OF_A_DEVICE else null, monkeypatch, {NAME: MISTAKES[mistake]}, on=True, strict=True
        ) as session,
    ):
        frames_of(session, FRAMES)
