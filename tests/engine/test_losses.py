from __future__ import annotations

import pytest

from renderwright.engine.losses import FRAMES, Losses
from renderwright.render.errors import DeviceLostError


def test_losses_far_apart_are_borne() -> None:
    losses = Losses()
    for number in range(50):
        losses.note(DeviceLostError("gone"), number * (FRAMES // 2 + 1))


def test_the_third_loss_within_ten_seconds_of_frames_is_one_too_many() -> None:
    losses = Losses()
    for frame in (0, 1000, 1004):
        losses.note(DeviceLostError("gone"), frame)
    with pytest.raises(DeviceLostError, match="lost 3 times within 600 frames; the last time: gone"):
        losses.note(DeviceLostError("gone"), 1600)
