"""Indirect draws on the null backend: what it logs, and what it refuses."""

from __future__ import annotations

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.protocol import AttachedTexture, PipelineDesc
from renderwright.render.errors import BackendError
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.usages import ShaderStage, Usage
from tests.one_time import once

COMMANDS = BufferInfo(64, frozenset({Usage.INDIRECT, Usage.INDEX}))
TARGET = TextureInfo("rgba8_unorm", (8, 8), 1, 1, 1, frozenset({Usage.COLOR}))


def test_the_log_says_where_commands_and_their_number_are() -> None:
    backend = NullBackend()
    buffer = backend.create_buffer(COMMANDS, "data")
    modules = tuple(ShaderModule(stage, "test", "test", b"") for stage in (ShaderStage.VERTEX, ShaderStage.FRAGMENT))
    recorder = backend.recorder(0)
    target = backend.create_texture(TARGET, "color")
    attachment = Attachment("color", Usage.COLOR, Load.CLEAR, Store.STORE, (0.0, 0.0, 0.0, 0.0))
    recorder.begin_pass([AttachedTexture(attachment, target, Layout.COLOR_ATTACHMENT)], (8, 8))
    recorder.bind_pipeline(backend.create_pipeline(PipelineDesc("paint", modules, ("rgba8_unorm",))))
    recorder.bind_indices(buffer)
    recorder.draw_indexed_indirect(buffer, 2, 16)
    recorder.draw_indexed_indirect(buffer, 2, 16, buffer, 4)
    recorder.end_pass()
    backend.begin_frame(0)
    backend.end_frame(0, [once(backend, 0, [recorder.take()])], None)
    assert [line.strip() for line in backend.log if "draw indexed" in line] == [
        "draw indexed by 2 commands of data + 16",
        "draw indexed by 2 commands of data + 16, as many as data + 4 says",
    ]


def test_commands_and_their_number_lie_in_their_buffers() -> None:
    backend = NullBackend()
    buffer = backend.create_buffer(COMMANDS, "data")
    with pytest.raises(BackendError, match="cannot read draw commands: byte 79 lies beyond the 64 bytes"):
        backend.recorder(0).draw_indexed_indirect(buffer, 4)
    with pytest.raises(BackendError, match="cannot read the number of draws: byte 65 lies beyond the 64 bytes"):
        backend.recorder(0).draw_indexed_indirect(buffer, 3, 0, buffer, 62)
