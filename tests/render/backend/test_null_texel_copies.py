"""Copies of texels to buffers on the null backend."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import BackendError
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.usages import Usage
from tests.one_time import once

INFO = TextureInfo("rgba16_sfloat", (16, 8), 2, 3, 1, frozenset({Usage.SAMPLED}))
MIP_1 = 8 * 4 * 8
"""The bytes of one layer of mip 1."""


@pytest.fixture
def backend() -> Iterator[NullBackend]:
    backend = NullBackend()
    yield backend
    backend.close()


def test_a_mip_of_a_layer_is_copied(backend: NullBackend) -> None:
    texture = backend.create_texture(INFO, "glow")
    buffer = backend.create_buffer(BufferInfo(MIP_1, frozenset()), "texels")
    recorder = backend.recorder(0)
    recorder.copy_texels(texture, Layout.TRANSFER_SRC, 1, 2, buffer)
    backend.begin_frame(0)
    backend.end_frame(0, [once(backend, 0, [recorder.take()])], None)
    assert "  copy mip 1 of layer 2 of glow -> texels" in backend.log


@pytest.mark.parametrize(
    ("layout", "mip", "layer", "message"),
    [
        (Layout.SHADER_READ_ONLY, 1, 0, "cannot be copied in SHADER_READ_ONLY"),
        (Layout.GENERAL, 2, 0, "it has 2 mips, so no mip 2"),
        (Layout.GENERAL, 1, 3, "it has 3 layers, so no layer 3"),
        (Layout.GENERAL, 0, 0, "do not fit in the 256 bytes"),
    ],
)
def test_what_cannot_be_copied_is_refused(
    backend: NullBackend, layout: Layout, mip: int, layer: int, message: str
) -> None:
    texture = backend.create_texture(INFO, "glow")
    buffer = backend.create_buffer(BufferInfo(MIP_1, frozenset()), "texels")
    with pytest.raises(BackendError, match=message):
        backend.recorder(0).copy_texels(texture, layout, mip, layer, buffer)
