"""Texels of each format as values and as shades."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.engine.dumps.texels import sampled_values_of, shades_of, values_of
from renderwright.render.backend.texels import texel_layout
from renderwright.render.formats import FORMATS


def row(format_name: str, *texels: object) -> np.ndarray:
    """A picture of one row."""
    layout = texel_layout(format_name)
    return np.array(texels, layout.dtype).reshape(1, len(texels), layout.channels)


def test_packed_floats() -> None:
    one, half, two = 15 << 6, 14 << 6, 16 << 5  # exponents behind their bias, mantissas of 6 and 5 bits
    texels = row("b10g11r11_ufloat", one | half << 11 | two << 22)
    assert values_of("b10g11r11_ufloat", texels).tolist() == [[[1.0, 0.5, 2.0]]]


def test_packed_tens() -> None:
    texels = row("a2b10g10r10_unorm", 1023 | 0 << 10 | 341 << 20 | 1 << 30)
    assert np.allclose(values_of("a2b10g10r10_unorm", texels), [1.0, 0.0, 1.0 / 3.0, 1.0 / 3.0])


def test_blue_first_is_red_first() -> None:
    assert shades_of("bgra8_unorm", row("bgra8_unorm", (1, 2, 3, 4))).picture.tolist() == [[[3, 2, 1]]]


@pytest.mark.parametrize("name", ["rgba8_unorm", "rgba8_srgb"])
def test_display_formats_stay_as_they_are(name: str) -> None:
    every = np.arange(256)
    shades = shades_of(name, row(name, *np.stack([every, every[::-1], every, every], axis=1)))
    assert np.array_equal(shades.picture[0, :, 0], every)
    assert np.array_equal(shades.picture[0, :, 1], every[::-1])
    assert "as they are" in shades.mapping


@pytest.mark.parametrize("name", ["rgba8_srgb", "bgra8_srgb"])
def test_shaders_see_decoded_colour_and_alpha_as_it_is(name: str) -> None:
    texels = row(name, (0, 188, 255, 188), (10, 10, 10, 0))
    assert values_of(name, texels)[0, 0, 1] == np.float32(188 / 255)
    seen = sampled_values_of(name, texels)
    assert seen.dtype == np.float32
    expected = [[0.0, 0.5029, 1.0, 188 / 255], [0.00304] * 3 + [0.0]]
    if name.startswith("bgra"):
        expected[0][:3] = expected[0][2::-1]
    assert np.allclose(seen[0], expected, atol=1e-4)


def test_shaders_see_other_formats_as_they_are() -> None:
    for name in sorted(FORMATS):
        if not name.endswith("_srgb"):
            layout = texel_layout(name)
            texels = row(name, np.ones(layout.channels, layout.dtype))
            assert np.array_equal(sampled_values_of(name, texels), values_of(name, texels))


def test_depth_is_stretched_and_its_range_is_told() -> None:
    shades = shades_of("d32_sfloat", row("d32_sfloat", 0.25, 0.5, 0.75))
    assert shades.picture[0, :, 0].tolist() == [0, 128, 255]
    assert shades.mapping == "values 0.25 to 0.75, stretched from black to white"


def test_integers_are_stretched() -> None:
    assert shades_of("r32_sint", row("r32_sint", -10, 0, 10)).picture[0, :, 2].tolist() == [0, 128, 255]


def test_depth_beside_stencil_leaves_the_stencil_out() -> None:
    assert values_of("d24_unorm_s8_uint", row("d24_unorm_s8_uint", 0xFF000000 | 0xFFFFFF)).tolist() == [[[1.0]]]


def test_floats_are_clamped_and_encoded() -> None:
    shades = shades_of("rgba32_sfloat", row("rgba32_sfloat", (-1.0, 0.5, 7.0, 99.0)))
    assert shades.picture.tolist() == [[[0, 188, 255]]]
    assert shades.mapping == "values -1 to 7, clamped to 0 to 1 and encoded as sRGB"


def test_values_that_are_not_finite_are_counted() -> None:
    shades = shades_of("rg16_sfloat", row("rg16_sfloat", (np.nan, 1.0), (-np.inf, 0.25)))
    assert shades.picture.tolist() == [[[0, 255, 0], [0, 137, 0]]]
    assert "values 0.25 to 1, 2 NaN or infinite" in shades.mapping
    assert "no finite value" in shades_of("r16_sfloat", row("r16_sfloat", np.nan)).mapping


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_each_format_has_a_picture(name: str) -> None:
    layout = texel_layout(name)
    texels = np.frombuffer(np.random.default_rng(7).bytes(layout.channels * layout.dtype.itemsize * 12), layout.dtype)
    with np.errstate(invalid="ignore"):
        picture = shades_of(name, texels.reshape(3, 4, layout.channels)).picture
    assert (picture.shape, picture.dtype) == ((3, 4, 3), np.uint8)
