from __future__ import annotations

import pytest

from renderwright.engine.losses import Losses
from renderwright.render.errors import DeviceLostError


def test_losses_far_apart_are_borne() -> None:
    times = iter(range(0, 600, 6))
    losses = Losses(lambda: float(next(times)))
    for _ in range(50):
        losses.note(DeviceLostError("gone"))
    assert next(times) == 300, "each was noted, and none was one too many"


def test_the_third_loss_within_ten_seconds_is_one_too_many() -> None:
    times = iter([0.0, 100.0, 104.0, 110.0])
    losses = Losses(lambda: next(times))
    for _ in range(3):
        losses.note(DeviceLostError("gone"))
    with pytest.raises(DeviceLostError, match="lost 3 times within 10 s; the last time: gone"):
        losses.note(DeviceLostError("gone"))
