"""Text and rectangles as triangles."""

import numpy as np
import pytest
from numpy.typing import NDArray

from renderwright.engine.game import Hud as HudProtocol
from renderwright.engine.hud import VERTEX_FLOATS, Hud

RED = (1.0, 0.0, 0.0, 1.0)


def quads(hud: Hud) -> NDArray[np.float32]:
    """(n, 6, 8)."""
    return hud.vertices().reshape(-1, 6, VERTEX_FLOATS)


def box(hud: Hud) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of everything, in pixels."""
    xy = hud.vertices()[:, :2]
    (x0, y0), (x1, y1) = xy.min(axis=0), xy.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def test_it_is_what_games_draw_on() -> None:
    own = Hud(1280, 720)
    hud: HudProtocol = own
    hud.text(1.0, 2.0, "x")
    drawn = len(own.vertices())
    hud.rect(0.0, 0.0, 1.0, 1.0, RED)
    assert drawn > 0
    assert len(own.vertices()) == drawn + 6


@pytest.mark.parametrize(
    ("pixels", "units", "scale"),
    [((1280, 720), (1280, 720), 1.0), ((1920, 1080), (1280, 720), 1.5), ((320, 180), (640, 360), 0.5)],
)
def test_units_are_pixels_of_a_window_720_high(pixels: tuple[int, int], units: tuple[int, int], scale: float) -> None:
    hud = Hud(*pixels)
    assert (hud.width, hud.height) == pytest.approx(units)
    assert hud.scale == scale


def test_a_rectangle_is_two_triangles_of_the_solid_texel() -> None:
    hud = Hud(1920, 1080)
    hud.rect(10.0, 20.0, 30.0, 40.0, RED)
    vertices = hud.vertices()
    assert vertices.shape == (6, 8)
    assert vertices.dtype == np.float32
    assert box(hud) == (15.0, 30.0, 60.0, 90.0)
    np.testing.assert_allclose(vertices[:, 2:4], [hud.atlas.solid] * 6, atol=1e-6)
    assert (vertices[:, 4:8] == RED).all()
    corners = vertices[:, :2].reshape(2, 3, 2).astype(float)
    edges = corners[:, 1:] - corners[:, :1]
    areas = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
    assert abs(areas).sum() / 2 == 45.0 * 60.0
    assert areas[0] * areas[1] > 0.0, "both are wound alike"


def test_text_has_a_quad_a_glyph_and_one_texel_a_pixel() -> None:
    hud = Hud(1280, 720)
    hud.text(10.0, 20.0, "Hi all", 18, RED, shadow=False)
    found = quads(hud)
    assert len(found) == 5, "a space has none"
    height, width = hud.atlas.coverage.shape
    size = found[:, 5, :2] - found[:, 0, :2]
    texels = (found[:, 5, 2:4] - found[:, 0, 2:4]) * [width, height]
    np.testing.assert_allclose(size, texels, atol=1e-3)
    np.testing.assert_array_equal(found[:, :, :2], np.round(found[:, :, :2]))
    lefts = found[:, 0, 0]
    assert (np.diff(lefts) > 0).all()


def test_alignment() -> None:
    width, _ = Hud(1280, 720).measure("Marbles", 30)
    edges = {}
    for align in ("left", "center", "right"):
        hud = Hud(1280, 720)
        hud.text(600.0, 100.0, "Marbles", 30, align=align, shadow=False)  # type: ignore[arg-type]
        edges[align] = box(hud)
    assert edges["left"][0] == pytest.approx(600.0, abs=4.0)
    assert edges["right"][2] == pytest.approx(600.0, abs=4.0)
    assert edges["left"][0] - edges["center"][0] == pytest.approx(width / 2, abs=1.0)
    assert edges["left"][0] - edges["right"][0] == pytest.approx(width, abs=1.0)


def test_lines_follow_each_other_and_align_each_alone() -> None:
    hud = Hud(1280, 720)
    hud.text(640.0, 50.0, "III\nI", 20, align="right", shadow=False)
    tops, rights = quads(hud)[:, 0, 1], quads(hud)[:, 5, 0]
    assert tops[3] - tops[0] == hud.line_height(20)
    assert rights[2] == rights[3]
    assert hud.measure("I\nI", 20)[1] == 2 * hud.line_height(20)


def test_a_shadow_lies_behind_to_the_right_and_below() -> None:
    hud = Hud(1280, 720)
    hud.text(10.0, 10.0, "A", 18, (1.0, 1.0, 1.0, 0.5))
    shadow, text = quads(hud)
    assert (shadow[:, :2] - text[:, :2] == 1.0).all()
    assert (shadow[:, 4:7] == 0.0).all()
    assert 0.0 < shadow[0, 7] < text[0, 7] == 0.5


def test_small_windows_keep_text_legible_and_large_ones_stretch_the_largest_size() -> None:
    small = Hud(320, 180)
    small.text(0.0, 0.0, "H", 18, shadow=False)
    _, top, _, bottom = box(small)
    assert bottom - top >= 6.0, "a capital of six pixels can be read"
    large = Hud(7680, 4320)
    large.text(0.0, 0.0, "H", 64, shadow=False)
    _, top, _, bottom = box(large)
    assert bottom - top == pytest.approx(64 * 6 * 0.72, rel=0.08)


def test_text_stays_between_its_top_and_the_next_line() -> None:
    for height in (180, 480, 720, 1080):
        hud = Hud(height * 2, height)
        hud.text(0.0, 50.0, "ÅgjQ|♥", 24, shadow=False)
        _, top, _, bottom = box(hud)
        assert top >= 50.0 * hud.scale - 1.0
        assert bottom <= (50.0 + hud.line_height(24)) * hud.scale + 1.0


def test_clear_forgets_and_the_order_is_kept() -> None:
    hud = Hud(640, 360)
    hud.rect(0.0, 0.0, 10.0, 10.0, RED)
    hud.text(0.0, 0.0, "A", shadow=False)
    hud.rect(0.0, 0.0, 10.0, 10.0, RED)
    found = quads(hud)
    assert len(found) == 3
    np.testing.assert_array_equal(found[0], found[2])
    hud.clear()
    assert hud.vertices().shape == (0, VERTEX_FLOATS)


def test_the_same_calls_give_the_same_array() -> None:
    hud = Hud(640, 360)

    def draw(score: int) -> NDArray[np.float32]:
        hud.clear()
        hud.rect(0.0, 0.0, 100.0, 20.0, RED)
        hud.text(4.0, 4.0, f"Score {score}")
        return hud.vertices()

    first = draw(1)
    assert draw(1) is first
    revision = hud.revision
    second = draw(2)
    assert second is not first
    assert hud.revision == revision + 1
    np.testing.assert_array_equal(draw(1), first)
    assert not first.flags.writeable


def test_resizing_lays_out_anew() -> None:
    hud = Hud(1280, 720)
    hud.rect(0.0, 0.0, hud.width, 10.0, RED)
    assert box(hud)[2] == 1280.0
    hud.resize(1920, 1080)
    hud.clear()
    hud.rect(0.0, 0.0, hud.width, 10.0, RED)
    assert box(hud) == (0.0, 0.0, 1920.0, 15.0)


def test_what_was_drawn_since_a_moment_is_discarded() -> None:
    hud = Hud(100, 50)
    hud.rect(0, 0, 10, 10, (1.0, 0.0, 0.0, 1.0))
    before, alone = hud.drawn, hud.vertices().copy()
    for _ in range(2):  # the second time the vertices come from the cache
        hud.rect(5, 5, 10, 10, (0.0, 1.0, 0.0, 1.0))
        hud.discard_from(before)
        assert np.array_equal(hud.vertices(), alone)
    hud.rect(5, 5, 10, 10, (0.0, 1.0, 0.0, 1.0))
    assert len(hud.vertices()) == 2 * len(alone)
