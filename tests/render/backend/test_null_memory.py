"""What the null backend refuses of dedicated and transient resources."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import BackendError
from renderwright.render.memory.needs import MemoryNeeds, RowMajorModel
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage
from tests.one_time import once

TEXTURE = TextureInfo("rgba8_unorm", (64, 32), 1, 1, 1, frozenset({Usage.COLOR, Usage.SAMPLED}))


def test_a_dedicated_resource_begins_its_heap() -> None:
    class Dedicated(RowMajorModel):
        def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
            return replace(super().texture_needs(info), dedicated=True)

    backend = NullBackend(Dedicated())
    heap = backend.create_heap("textures", 3 * 65536, "heap")
    backend.place_texture(heap, 0, TEXTURE, "first")
    with pytest.raises(BackendError, match="needs memory of its own"):
        backend.place_texture(heap, 65536, TEXTURE, "second")
    backend.close()


def test_a_transient_texture_is_an_attachment_and_nothing_else() -> None:
    backend = NullBackend()
    info = replace(TEXTURE, usages=frozenset({Usage.COLOR}), transient=True)
    texture = backend.create_texture(info, "msaa")
    with pytest.raises(BackendError, match="is transient"):
        backend.read_texture(texture, Layout.COLOR_ATTACHMENT)
    recorder = backend.recorder(0)
    recorder.clear_texture(texture, Layout.TRANSFER_DST, (0.0, 0.0, 0.0, 1.0))
    backend.begin_frame(0)
    with pytest.raises(BackendError, match="is transient"):
        backend.end_frame(0, [once(backend, 0, [recorder.take()])], None)
