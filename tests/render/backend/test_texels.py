"""Texels as numpy sees them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderwright.render.backend.texels import texel_layout
from renderwright.render.formats import FORMATS
from renderwright.render.types.physical import TextureInfo


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_texel_layouts_cover_every_format(name: str) -> None:
    layout = texel_layout(name)
    expected = 4 if name == "d32_sfloat_s8_uint" else FORMATS[name].texel_bytes  # the depth alone
    assert layout.dtype.itemsize * layout.channels == expected
    assert (layout.dtype.kind == "f") == name.endswith(("sfloat", "d32_float", "d32_sfloat_s8_uint"))


def test_shapes_have_the_layers_in_front() -> None:
    layout = texel_layout("rg16_sfloat")
    info = TextureInfo("rg16_sfloat", (5, 3), 1, 1, 1, frozenset())
    assert layout.shape(info) == (3, 5, 2)
    assert layout.shape(replace(info, layers=6)) == (6, 3, 5, 2)
    assert layout.bytes(replace(info, layers=6)) == 6 * 3 * 5 * 4
