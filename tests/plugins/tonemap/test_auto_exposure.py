"""Exposure that adapts: what the histogram measures, where it leads, and how fast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import renderwright.plugins.tonemap as tonemap
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene.camera import Camera
from renderwright.plugins.tonemap.settings import TonemapSettings
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

SIZE = (64, 96)
RESULT = "tone/tonemap/tonemap"
BIN_STOPS = 30.0 / 255.0
ROUNDED = 1e-3
"""Stops: places within a bin are stored in 120 steps."""


def camera(time: float) -> CameraView:
    return replace(CameraView.of(Camera(), (SIZE[1], SIZE[0]), 0.0), time=time)


class Eye:
    """A tone mapper with auto exposure, looking at one picture."""

    def __init__(self, make_effect, picture: np.ndarray, **settings: Any) -> None:
        chosen = TonemapSettings(**{"auto_exposure": True, "dither": False, "center": 0.0, **settings})
        inputs = {"source": picture.astype(np.float32), "view_camera": camera(0.0)}
        self.bench = make_effect(tonemap, chosen, inputs, (RESULT, "tonemap/exposure"), "tone")

    def look(self, time: float = 0.0) -> dict[str, float]:
        """One frame at a time in seconds; what the exposure then is."""
        self.bench.blobs["view_camera"] = camera(time)
        self.bench.frames()
        values = self.bench.buffer("tonemap/exposure").view(np.float32)
        return dict(zip(("stops", "scale", "wanted", "measured"), map(float, values), strict=True))


def grey(stops: float) -> np.ndarray:
    return np.full((*SIZE, 3), 2.0**stops)


@pytest.mark.parametrize("stops", [-5.0, -1.3, 2.0, 2.03, 2.06, 5.5])
def test_a_grey_picture_comes_out_middle_grey(make_effect, stops: float) -> None:
    eye = Eye(make_effect, grey(stops), darken=16, brighten=16)
    found = eye.look()
    assert found["measured"] == pytest.approx(stops, abs=ROUNDED)
    assert found["stops"] == pytest.approx(np.log2(0.18) - found["measured"], abs=1e-4)
    assert found["scale"] == pytest.approx(2.0 ** found["stops"], rel=1e-4)
    eye.look()  # the picture has the exposure that the frame before it found
    fixed = Eye(make_effect, np.full((*SIZE, 3), 0.18), auto_exposure=False)
    fixed.bench.frames()
    shown = [bench.texels(RESULT)[8, 8, :3].astype(int) for bench in (eye.bench, fixed.bench)]
    assert np.abs(shown[0] - shown[1]).max() <= 1


def test_the_first_picture_has_the_fixed_exposure(make_effect) -> None:
    eye, fixed = (Eye(make_effect, grey(1.0), auto_exposure=auto) for auto in (True, False))
    eye.look()
    fixed.bench.frames()
    assert np.array_equal(eye.bench.texels(RESULT), fixed.bench.texels(RESULT))


def test_what_is_measured_is_the_mean_logarithm_between_percentiles(make_effect) -> None:
    random = np.random.default_rng(5)
    # 2 x 2 texels alike, because the histogram takes one sample of so many.
    stops = np.kron(random.uniform(-6.0, 6.0, (SIZE[0] // 2, SIZE[1] // 2)), np.ones((2, 2)))
    picture = np.repeat(2.0 ** stops[..., None], 3, axis=2)
    found = Eye(make_effect, picture, ignore_dark=0.4, ignore_bright=0.08).look()
    low, high = np.quantile(stops, [0.4, 0.92])
    assert found["measured"] == pytest.approx(stops[(stops >= low) & (stops <= high)].mean(), abs=0.2 * BIN_STOPS)


def test_black_and_a_small_lamp_do_not_count(make_effect) -> None:
    picture = grey(-2.0)
    plain = Eye(make_effect, picture).look()
    picture[:20] = 0.0
    picture[40:44, 40:44] = 1000.0
    assert Eye(make_effect, picture).look() == pytest.approx(plain, rel=1e-5)


def test_the_middle_counts_more_than_the_borders(make_effect) -> None:
    picture = grey(-6.0)
    picture[16:48, 24:72] = 2.0
    even, middle = (Eye(make_effect, picture, center=center, ignore_dark=0.0).look() for center in (0.0, 1.0))
    assert middle["measured"] > even["measured"] + 1.0


def test_it_ends_where_the_settings_say(make_effect) -> None:
    assert Eye(make_effect, grey(12.0), darken=3.0).look()["stops"] == pytest.approx(-3.0)
    assert Eye(make_effect, grey(-12.0), brighten=2.5).look()["stops"] == pytest.approx(2.5)
    assert Eye(make_effect, np.zeros((*SIZE, 3))).look()["stops"] == 0.0


def test_the_first_frame_finds_all_at_once_and_later_ones_adapt_exponentially(make_effect) -> None:
    eye = Eye(make_effect, grey(4.0), darken=16, brighten=16, speed_to_light=2.0, speed_to_dark=0.5)
    bright = eye.look(1.0)
    assert bright["stops"] == bright["wanted"]
    assert eye.look(1.5) == bright, "nothing changes while the picture does not"
    time, before = 1.5, bright["stops"]
    for stops, rate in ((-1.0, 0.5), (5.0, 2.0)):
        eye.bench.graph.add_node("given_source", even_light(2.0**stops))
        for seconds in (0.1, 0.4, 1.0):
            time += seconds
            found = eye.look(time)
            share = np.exp(-seconds * rate)
            assert found["stops"] == pytest.approx(found["wanted"] * (1 - share) + before * share, abs=2e-3)
            before = found["stops"]
        assert found["wanted"] == pytest.approx(np.log2(0.18) - stops, abs=ROUNDED)


def even_light(value: float):
    """A node that makes the picture an even grey."""

    def declare(reg):
        reg.create("source", Texture("rgba32_sfloat", (SIZE[1], SIZE[0]))).color(clear=(value, value, value, 1.0))

    return declare


def test_without_it_there_is_one_node_and_no_buffer(make_effect) -> None:
    eye = Eye(make_effect, grey(0.0), auto_exposure=False)
    eye.bench.frames()
    nodes = [node.declaration.name for node in eye.bench.runtime.plan.graph.nodes]
    assert [name for name in nodes if name.startswith("tonemap/")] == ["tonemap/tonemap"]
