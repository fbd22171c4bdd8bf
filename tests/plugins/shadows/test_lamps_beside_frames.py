"""Lamps come and go while the plan for their shadows is made: until then no light has the shadows of another."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from hand_driven import HandDriven
from playing import Picture, frames_of
from test_many_lamps import EXTENT, lamps
from view_scenes import session_of

from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan


def without(session: Session, *numbers: int) -> None:
    lights = session.context.scene.lights
    for number in sorted(numbers, reverse=True):
        del lights[number]


def undisturbed(backend: VulkanBackend, *numbers: int, silent: tuple[int, ...] = ()) -> Picture:
    """The picture of a game that had these lamps from the beginning; ``silent`` ones cast no shadow."""
    with closing(session_of(backend, EXTENT, game=lamps(*numbers))) as session:
        for number in silent:
            session.context.scene.lights[number].casts_shadow = False
        return frames_of(session, 2)[-1]


def test_a_fifth_lamp_has_its_shadow_with_the_plan_for_it(backend: VulkanBackend) -> None:
    worker = HandDriven()
    with closing(session_of(backend, EXTENT, game=lamps(0, 1, 2, 3, 7), worker=worker)) as session:
        fifth = session.context.scene.lights[-1]
        fifth.casts_shadow = False
        before = frames_of(session, 3)[-1]
        fifth.casts_shadow = True
        pictures = frames_of(session, 2)
        assert session.runtime.behind
        assert all(np.array_equal(picture, before) for picture in pictures)
        worker.work()
        after = frames_of(session, 2)[-1]
        assert not session.runtime.behind
    assert np.array_equal(before, undisturbed(backend, 0, 1, 2, 3, 7, silent=(4,)))
    assert np.array_equal(after, undisturbed(backend, 0, 1, 2, 3, 7))
    assert not np.array_equal(after, before)


def test_lamps_that_are_left_keep_their_shadows(backend: VulkanBackend) -> None:
    worker = HandDriven()
    with closing(session_of(backend, EXTENT, game=lamps(0, 1, 2, 3, 7, 8), worker=worker)) as session:
        frames_of(session, 3)
        without(session, 1, 2)
        pictures = frames_of(session, 2)
        assert session.runtime.behind
        worker.work()
        pictures += frames_of(session, 2)
        assert not session.runtime.behind
    left = undisturbed(backend, 0, 3, 7, 8)
    assert all(np.array_equal(picture, left) for picture in pictures)
