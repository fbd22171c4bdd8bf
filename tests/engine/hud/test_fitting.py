"""Sizes of type at which lines have room."""

from __future__ import annotations

import pytest
from measured_hud import Measured

from renderwright.engine.hud.fitting import fitting


@pytest.mark.parametrize("text", ["Paused", "Player 1 and Player 4 won the race", "← → turn   ↑ thrust   ↓ brake"])
@pytest.mark.parametrize("width", [200.0, 460.0, 1200.0])
def test_a_line_fits_and_is_as_large_as_allowed(text: str, width: float) -> None:
    hud = Measured(1280, 720)
    size = fitting(40.0, text, width)
    hud.text(0.0, 0.0, text, size)
    ((_, (left, _, right, _)),) = hud.texts
    assert right - left <= width
    assert size == 40.0 or size * 0.5 * len(text) == pytest.approx(width)


def test_a_size_is_never_zero() -> None:
    assert fitting(40.0, "anything", 0.0) == fitting(40.0, "", -5.0) == 4.0
