"""Names of texture formats."""

from __future__ import annotations

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.formats import format_named


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("r16f", "r16_sfloat"),
        ("rgba32f", "rgba32_sfloat"),
        ("rgba8", "rgba8_unorm"),
        ("r32ui", "r32_uint"),
        ("r32i", "r32_sint"),
        ("RGBA16F", "rgba16_sfloat"),
        ("r16_sflot", "r16_sfloat"),
        ("R16_SFLOAT", "r16_sfloat"),
        ("VK_FORMAT_R16_SFLOAT", "r16_sfloat"),
        ("r11g11b10_ufloat", "b10g11r11_ufloat"),
        ("R11F_G11F_B10F", "b10g11r11_ufloat"),
        ("r11g11b10_float", "b10g11r11_ufloat"),
        ("rgb10_a2", "a2b10g10r10_unorm"),
        ("VK_FORMAT_R8G8B8A8_SRGB", "rgba8_srgb"),
        ("b8g8r8a8_unorm", "bgra8_unorm"),
        ("rgba16_float", "rgba16_sfloat"),
        ("rgba8_unrom", "rgba8_unorm"),
        ("d32_sflaot", "d32_sfloat"),
    ],
)
def test_a_name_of_another_api_gets_ours(given: str, meant: str) -> None:
    with pytest.raises(GraphError, match=f'unknown texture format "{given}"') as caught:
        format_named(given)
    assert caught.value.hint == f'did you mean "{meant}"?'


@pytest.mark.parametrize(
    ("name", "channels"),
    [
        ("b10g11r11_ufloat", "rgb"),
        ("bgra8_srgb", "rgba"),
        ("a2b10g10r10_unorm", "rgba"),
        ("r8_uint", "r"),
        ("d32_sfloat", ""),
    ],
)
def test_the_channels_of_a_format_are_those_of_a_texel(name: str, channels: str) -> None:
    assert format_named(name).channels == channels
