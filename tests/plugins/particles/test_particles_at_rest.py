"""While no time passes, particles cost nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from particle_scenes import Fountain, living, session_of, state_of
from playing import frames_of

from renderwright.engine.renderer.placed import AT_REST
from renderwright.engine.session import Session
from renderwright.plugins.particles import Emitter
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.recording import Recording

pytestmark = pytest.mark.vulkan

STILL = AT_REST + 4


class Counted:
    """A device whose calls are counted by name."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.backend = VulkanBackend(validate=True, wrap=self._wrap)

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.calls[name] += 1
            return function(*arguments)

        return call

    def frames(self, session: Session, count: int, *, still: bool = False) -> list[Counter[str]]:
        """The calls of each of the next frames."""
        found = []
        for _ in range(count):
            self.calls.clear()
            frames_of(session, 1, still=still)
            found.append(Counter(self.calls))
        return found


@pytest.fixture
def counted() -> Iterator[Counted]:
    device = Counted()
    with closing(device.backend):
        yield device
        assert device.backend.validation_messages == []


def test_a_paused_game_moves_no_particles(counted: Counted) -> None:
    always = {"recording": Recording.ALWAYS, "frame": Fountain.step}
    with closing(session_of(counted.backend, Fountain, **always)) as session:
        moving = [calls["vkCmdDispatch"] for calls in counted.frames(session, 4)]
        still = [calls["vkCmdDispatch"] for calls in counted.frames(session, STILL, still=True)]
        moving += [calls["vkCmdDispatch"] for calls in counted.frames(session, 2)]
    # Devices that run full-screen nodes as compute have dispatches of these in every frame.
    others = still[-1]
    assert moving == [others + 1] * 6
    assert still == [others + 1] * (AT_REST - 1) + [others] * (STILL - AT_REST + 1)


def test_and_records_nothing(counted: Counted) -> None:
    with (
        closing(session_of(counted.backend, Fountain, frame=Fountain.step)) as session,
        closing(counted.backend.create_target(session.extent)) as target,
    ):
        for _ in range(6):
            session.step()
            session.render(target)
        recorded = []
        for _ in range(STILL + 4):
            counted.calls.clear()
            session.render(target)
            recorded.append({name for name in counted.calls if name.startswith(("vkCmd", "vkBeginCommandBuffer"))})
        assert recorded[-3:] == [set()] * 3


def test_particles_begin_anew_when_their_room_grows(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Fountain, frame=Fountain.step)) as session:
        frames_of(session, 20)
        before = living(session)
        session.context.scene.placed.add(Emitter(most=3000, rate=0.0))
        frames_of(session, 1)
        after, places = living(session), len(state_of(session))
    assert places == 4096
    assert len(after) > 0
    assert set(after["emitter"]) == set(before["emitter"]) == {1}


def test_a_pause_changes_no_motion(backend: VulkanBackend) -> None:
    def particles(still: int) -> np.ndarray:
        with closing(session_of(backend, Fountain, frame=Fountain.step)) as session:
            frames_of(session, 20)
            if still:
                frames_of(session, still, still=True)
            frames_of(session, 5)
            return living(session)

    assert len(particles(0)) > 50
    assert np.array_equal(particles(STILL), particles(0))
