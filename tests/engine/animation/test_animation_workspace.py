"""Memory of poses is used again, but never that of poses which something still has."""

from __future__ import annotations

import numpy as np

from renderwright.engine.animation.workspace import Recycled, Workspace


def test_arrays_that_are_held_are_not_given_again() -> None:
    recycled, shape = Recycled(), np.empty((3, 4), np.float32)
    first = recycled.like(shape)
    view = recycled.like(shape)[1:]
    third = recycled.like(shape)
    assert not np.shares_memory(first, view)
    assert not np.shares_memory(third, view)
    address = first.ctypes.data
    del first
    assert recycled.like(shape).ctypes.data == address
    assert recycled.like(np.empty((2, 2), np.float32)).shape == (2, 2)


def test_a_workspace_grows() -> None:
    work = Workspace()
    small = work.array("a", 2, 3)
    assert small.shape == (2, 3)
    assert np.shares_memory(small, work.array("a", 6))
    assert work.array("a", 5, 5).shape == (5, 5)
    assert not np.shares_memory(work.array("a", 1), work.array("b", 1))
