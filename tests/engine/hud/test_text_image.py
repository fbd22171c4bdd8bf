"""Texts as images."""

from __future__ import annotations

import numpy as np

from renderwright.engine.hud.text_image import TextLine, text_image


def test_a_text_is_where_it_was_asked_for_and_has_its_colour() -> None:
    image = text_image("sign", (200, 80), [TextLine("HI", 20, 10, 40, (1.0, 0.5, 0.0))], (0.0, 0.0, 0.25))
    pixels = image.pixels
    assert pixels.shape == (80, 200, 4)
    ink = (pixels[..., 0] > 128).nonzero()
    assert 20 <= ink[1].min() < 26
    assert ink[0].min() >= 10
    assert ink[0].max() < 60
    assert ink[1].max() < 90
    np.testing.assert_array_equal(pixels[0, 0], (0, 0, 64, 255))
    strongest = pixels.reshape(-1, 4)[pixels[..., 0].argmax()]
    np.testing.assert_allclose(strongest, (255, 128, 0, 255), atol=1)


def test_what_is_outside_is_cut_off() -> None:
    lines = [TextLine("wide text", -30, -10, 40), TextLine("wide text", 40, 50, 40)]
    inside = text_image("sign", (60, 60), lines)
    assert 0 < (inside.pixels[..., 0] > 0).mean() < 0.5
    assert not (text_image("sign", (60, 60), [TextLine("gone", 0, 70, 40)]).pixels[..., :3] > 0).any()
