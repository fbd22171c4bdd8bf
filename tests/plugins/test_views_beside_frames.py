"""Views come and go while the plan for them is made: until then frames show the old views, as they are now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from hand_driven import HandDriven
from playing import Picture, frames_of
from view_scenes import EYES, MovingCompany, session_of

from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT, OTHER = (112, 64), (90, 75)
PLUGINS = ("split_screen",)


@pytest.fixture
def worker() -> HandDriven:
    return HandDriven()


@pytest.fixture
def session(backend: VulkanBackend, worker: HandDriven) -> Iterator[Session]:
    """A game that moves, after a few frames."""
    with closing(session_of(backend, EXTENT, game=MovingCompany, enable=PLUGINS, worker=worker, **EYES)) as session:
        frames_of(session, 3)
        yield session
    assert not worker.busy


def undisturbed(backend: VulkanBackend, steps: int, extent: tuple[int, int] = EXTENT, **options: object) -> Picture:
    """The picture of a game that was never anything else, after so many steps."""
    with closing(session_of(backend, EXTENT, game=MovingCompany, **options)) as session:  # type: ignore[arg-type]
        for _ in range(steps - 1):
            session.step()
        return frames_of(session, 1, extent)[-1]


def test_the_old_views_follow_their_cameras_until_the_new_ones_are_there(
    backend: VulkanBackend, session: Session, worker: HandDriven
) -> None:
    session.set_players(2)
    for steps in (4, 5):
        (picture,) = frames_of(session, 1)
        assert session.runtime.behind
        # The HUD and the box are those of the moment, though the view is the only one still.
        assert np.array_equal(picture, undisturbed(backend, steps, enable=PLUGINS))
    worker.work()
    (picture,) = frames_of(session, 1)
    assert not session.runtime.behind
    assert np.array_equal(picture, undisturbed(backend, 6, enable=PLUGINS, players=2))


def test_old_views_are_resized_at_once_and_the_new_ones_come_in_that_size(
    backend: VulkanBackend, session: Session, worker: HandDriven
) -> None:
    session.set_players(2)
    frames_of(session, 1)
    (picture,) = frames_of(session, 1, OTHER)
    assert np.array_equal(picture, undisturbed(backend, 5, OTHER, enable=PLUGINS))
    worker.work()
    (picture,) = frames_of(session, 1, OTHER)
    assert np.array_equal(picture, undisturbed(backend, 6, OTHER, enable=PLUGINS, players=2))
    assert worker.started == 1


def test_a_headset_comes_and_goes(backend: VulkanBackend, session: Session, worker: HandDriven) -> None:
    session.plugins.enable("vr")
    (picture,) = frames_of(session, 1)
    assert np.array_equal(picture, undisturbed(backend, 4, enable=PLUGINS))
    worker.work()
    (picture,) = frames_of(session, 1)
    stereo = undisturbed(backend, 5, enable=(*PLUGINS, "vr"))
    assert np.array_equal(picture, stereo)
    session.plugins.disable("vr")
    session.plugins.set("tonemap", "dither", False)
    session.set_players(3)
    (picture,) = frames_of(session, 1)
    assert session.runtime.behind
    assert picture.shape == stereo.shape
    session.runtime.finish_compile()
    (picture,) = frames_of(session, 1)
    assert not session.runtime.behind


def test_a_plugin_that_goes_arranges_the_views_until_it_is_gone(session: Session, worker: HandDriven) -> None:
    session.plugins.enable("ssaa")
    session.runtime.finish_compile()
    frames_of(session, 1)
    session.runtime.finish_compile()
    frames_of(session, 1)
    assert not session.runtime.behind
    session.plugins.set("ssaa", "samples", 9)
    frames_of(session, 1)
    assert session.runtime.behind
    assert session._input.views.counts["sample"] == 4
    worker.work()
    frames_of(session, 1)
    assert session._input.views.counts["sample"] == 9
    session.plugins.disable("ssaa")
    session.plugins.enable("fog")
    frames_of(session, 1)
    assert session._input.views.counts["sample"] == 9
    worker.work()
    frames_of(session, 1)
    assert "sample" not in session._input.views.counts


@pytest.mark.parametrize(("players", "then"), [(1, 2), (2, 1), (1, 4)])
def test_a_plan_for_other_views_shows_all_of_them_while_the_next_edit_is_made(
    backend: VulkanBackend, worker: HandDriven, players: int, then: int
) -> None:
    options = {"game": MovingCompany, "enable": PLUGINS, **EYES}
    with closing(session_of(backend, EXTENT, players=players, worker=worker, **options)) as session:
        frames_of(session, 3)
        session.set_players(then)
        frames_of(session, 1)
        worker.work()
        worker.seconds_a_frame = 1e-9  # a node of the plan that comes is lowered in each frame
        frames_of(session, 1)
        session.plugins.enable("fxaa")
        before = session.runtime.plan
        steps = 5
        while session.runtime.plan is before:
            frames_of(session, 1)
            steps += 1
        (picture,) = frames_of(session, 1)
        steps += 1
        assert session.runtime.behind
        assert np.array_equal(picture, undisturbed(backend, steps, enable=PLUGINS, players=then))
        worker.seconds_a_frame = 0.0
        worker.work()
        frames_of(session, 1)
        assert not session.runtime.behind
