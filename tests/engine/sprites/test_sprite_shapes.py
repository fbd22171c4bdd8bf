"""Rectangles of sprites, nine-patches and texts."""

from __future__ import annotations

import numpy as np
import pytest
from sprite_images import FRAME, SHEET

from renderwright.engine.hud.font import default_atlas
from renderwright.engine.sprites import NinePatch, Sprite, Text
from renderwright.render.errors import UsageError


def test_a_sprite_lies_around_its_anchor() -> None:
    pieces = Sprite(SHEET, region=(4, 2, 8, 4), size=(2, 1), anchor=(0.25, 1.0)).pieces()
    assert pieces.boxes.tolist() == [[-0.5, -1.0, 1.5, 0.0]]
    assert pieces.parts.tolist() == [[0.25, 0.75, 0.75, 0.25]]
    assert Sprite(SHEET, space="screen").size == (16, 8)
    assert Sprite(SHEET).size == (0.16, 0.08)


def test_a_nine_patch_keeps_its_corners() -> None:
    patch = NinePatch(FRAME, size=(20, 30), borders=(3, 2, 4, 1), texel=2.0, anchor=(0, 0))
    pieces = patch.pieces()
    assert pieces.boxes[0].tolist() == [0, 0, 6, 2]
    assert pieces.boxes[4].tolist() == [6, 2, 12, 26]
    assert pieces.boxes[8].tolist() == [12, 26, 20, 30]
    size = np.array([12, 10, 12, 10])
    assert pieces.parts[0] * size == pytest.approx([0, 10, 3, 9])
    assert pieces.parts[4] * size == pytest.approx([3, 9, 8, 2])
    assert pieces.parts[8] * size == pytest.approx([8, 2, 12, 0])
    areas = (pieces.boxes[:, 2] - pieces.boxes[:, 0]) * (pieces.boxes[:, 3] - pieces.boxes[:, 1])
    assert areas.sum() == pytest.approx(600), "the parts cover the rectangle"
    patch.size = (7, 30)
    assert patch.pieces().boxes[0].tolist() == [0, 0, 3, 2], "borders shrink where they do not fit"
    assert len(NinePatch(FRAME, size=(20, 30), borders=(3, 0, 4, 0)).pieces()) == 3
    with pytest.raises(UsageError, match=r"NinePatch\.borders cannot be \(9, 0, 4, 0\)"):
        NinePatch(FRAME, size=(20, 30), borders=(9, 0, 4, 0))


def test_a_text_has_a_rectangle_for_each_glyph() -> None:
    text = Text("Ag i\nW", size=2.0, anchor=(0.5, 0.0), align="center", pixels=48)
    face, unit = default_atlas().face(48), 2.0 / 48
    boxes = text.pieces().boxes
    assert len(boxes) == 4
    width, height = text.extent
    assert width == pytest.approx(face.width("Ag i") * unit)
    assert height == pytest.approx(2 * face.line_height * unit)
    letter, wide = face.glyph("A"), face.glyph("W")
    left = -width / 2 + letter.left * unit
    baseline = height - face.ascent * unit
    assert boxes[0].tolist() == pytest.approx(
        [
            left,
            baseline - (letter.top + letter.height) * unit,
            left + letter.width * unit,
            baseline - letter.top * unit,
        ],
        abs=1e-5,
    )
    assert boxes[3, 0] == pytest.approx((-wide.advance / 2 + wide.left) * unit, abs=1e-5)
    assert boxes[3, 3] < boxes[0, 1], "the second line is below the first"


def test_an_empty_text_has_no_rectangle() -> None:
    text = Text("a", size=1.0)
    before = text.pieces().sources
    assert [source.image for source in before] == [None]
    text.string = ""
    assert len(text.pieces()) == 0
    assert text.extent[0] == 0.0
