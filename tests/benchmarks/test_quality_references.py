"""The references of ``renderwright bench quality`` are right where the answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.quality.averages import disk, texel_grid, thin_lens
from benchmarks.quality.effects.bloom import shares, spread_out, variances
from benchmarks.quality.effects.outline import covered
from benchmarks.quality.occlusion_rays import bounced, hidden_less
from benchmarks.quality.ray_scene import ALBEDO, SHAPES, around, cast
from benchmarks.quality.tone_curves import aces, agx, exposure, neutral
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene import Camera
from renderwright.engine.views import Rectangle, View

CAMERA = Camera()
VIEW = View.of(CAMERA, Rectangle.of((64, 36)))


def test_the_places_within_a_texel_fill_it_evenly() -> None:
    places = np.array([change(VIEW).offset for change in texel_grid(16)])
    assert len(np.unique(places, axis=0)) == 256
    assert places.mean(axis=0) == pytest.approx([0.0, 0.0])
    assert np.abs(places).max() == pytest.approx(0.5 - 1 / 32)


def test_places_on_a_disk_are_as_wide_as_the_disk() -> None:
    places = np.array(disk(4096))
    assert np.linalg.norm(places, axis=1).max() <= 1.0
    assert places.mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-3)
    assert (places**2).mean(axis=0) == pytest.approx([0.25, 0.25], rel=0.01)


def test_through_any_place_of_the_lens_what_is_in_focus_stays_where_it_is() -> None:
    """What is twice as far moves by half of the lens's offset, against it, as seen at the focus."""

    def seen(view: View, point: tuple[float, float, float]) -> np.ndarray:
        matrix = np.array(CameraView.of_view(view, (64, 36), 0.0).view_projection.to_list()).T
        clip = matrix @ np.array([*point, 1.0])
        return clip[:2] / clip[3]

    height = 2.0 * 3.0 * np.tan(CAMERA.fov_y / 2)
    for change, place in zip(thin_lens(5, 0.4, 3.0), disk(5), strict=True):
        view = change(VIEW)
        assert seen(view, (0.5, -0.3, -3.0)) == pytest.approx(seen(VIEW, (0.5, -0.3, -3.0)), abs=1e-5)
        moved = seen(view, (0.0, 0.0, -6.0)) - seen(VIEW, (0.0, 0.0, -6.0))
        assert moved[1] * height / 2 == pytest.approx(0.5 * 0.2 * place[1], abs=1e-5)


def test_rays_end_where_things_are() -> None:
    (centre, radius), *_ = SHAPES.balls
    above = np.array([[centre[0], 5.0, centre[2]], [0.0, 5.0, 0.0], [9.0, 5.0, 9.0], [9.0, 5.0, 9.0]])
    down = np.array([[0.0, -1.0, 0.0]] * 3 + [[0.0, 1.0, 0.0]])
    hits = cast(above, down)
    assert hits.distance.tolist() == pytest.approx([5.0 - centre[1] - radius, 4.1, 5.0, np.inf])
    assert hits.thing.tolist() == [3, 1, 0, -1]
    assert np.allclose(hits.normal[:3], [0.0, 1.0, 0.0])


def test_rays_about_a_normal_follow_the_cosine() -> None:
    for normal in (np.array([0.0, 1.0, 0.0]), np.array([0.6, 0.0, -0.8])):
        cosine = around(normal, 1024, np.random.default_rng(1)) @ normal
        assert cosine.mean() == pytest.approx(2 / 3, abs=0.01)


def test_open_ground_sees_all_of_the_sky_and_the_foot_of_a_wall_half_of_it() -> None:
    """Far from its ends, light from a wall comes back in part: between half of the sky and what a white wall gives."""
    random = np.random.default_rng(2)
    up = np.array([[0.0, 1.0, 0.0]])
    assert hidden_less(np.array([[30.0, 0.0, 30.0]]), up, random) == pytest.approx([1.0])
    assert bounced(np.array([[30.0, 0.0, 30.0]]), up, random) == pytest.approx([1.0], abs=0.01)
    foot = np.array([[0.0, 0.0, 0.602]])
    assert hidden_less(foot, up, random)[0] == pytest.approx(0.5, abs=0.03)
    light = bounced(foot, up, random)[0]
    assert 0.5 < light < 0.5 + 0.5 * ALBEDO


def test_bloom_moves_light_and_makes_none() -> None:
    assert sum(shares()) == pytest.approx(1.0)
    assert sorted(variances()) == variances()
    picture = np.zeros((601, 601, 1), np.float32)
    picture[300, 300] = 7.0
    spread = spread_out(picture)
    assert spread.sum() == pytest.approx(7.0, rel=1e-6)
    rows = (np.arange(601) - 300.0)[:, None, None]
    expected = sum(share * variance for share, variance in zip(shares(), variances(), strict=True))
    assert (spread * rows**2).sum() / 7.0 == pytest.approx(expected, rel=1e-3)


def test_lines_are_as_wide_as_they_should_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines twice as wide cover twice as much, but for where they meet; all is left of the open ground."""
    monkeypatch.setattr("benchmarks.quality.effects.outline.EXTENT", (64, 36))
    monkeypatch.setattr("benchmarks.quality.effects.outline.SIDE", 8)
    thin, thick = covered(0.5), covered(1.0)
    assert 0.0 < thin.sum() < thick.sum()
    assert 1.6 < thick.sum() / thin.sum() <= 2.0
    assert np.all(thick[-4:] == 0.0)


@pytest.mark.parametrize("curve", [agx, aces, neutral])
def test_curves_keep_black_grow_and_stay_in_range(curve) -> None:
    grey = np.repeat(np.linspace(0.0, 50.0, 400)[:, None], 3, axis=1)
    shown = curve(grey)
    assert shown[0] == pytest.approx([0.0] * 3, abs=2e-3)
    assert np.all(np.diff(shown[:, 1]) >= -1e-6)
    assert shown[-1].max() <= 1.0
    assert np.ptp(shown, axis=1).max() < 0.02, "a grey stays grey"


def test_exposure_brings_an_even_grey_to_the_middle() -> None:
    for light in (0.01, 0.5, 20.0):
        assert exposure(np.full((8, 12, 3), light), 0.5, 0.05, 0.5) == pytest.approx(0.18 / light)
