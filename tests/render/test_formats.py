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
    ],
)
def test_a_name_of_another_api_gets_ours(given: str, meant: str) -> None:
    with pytest.raises(GraphError, match=f'unknown texture format "{given}"') as caught:
        format_named(given)
    assert caught.value.hint == f'did you mean "{meant}"?'
