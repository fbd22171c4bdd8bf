"""Several views at once on the null backend: what it logs, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.null.recorder import NullRecorder
from renderwright.render.backend.null.resources import NullPipeline
from renderwright.render.backend.protocol import AttachedTexture, PipelineDesc
from renderwright.render.errors import BackendError
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import ShaderStage, Usage
from tests.one_time import once

EXTENT = (16, 8)


def begin(backend: NullBackend, recorder: NullRecorder, layers: int, views: int) -> None:
    info = TextureInfo("rgba8_unorm", EXTENT, 1, layers, 1, frozenset({Usage.COLOR}))
    attachment = Attachment("both", Usage.COLOR, Load.CLEAR, Store.STORE, (0.0, 0.0, 0.0, 1.0))
    attached = AttachedTexture(attachment, backend.create_texture(info, "both"), Layout.COLOR_ATTACHMENT)
    recorder.begin_pass([attached], EXTENT, views)


def pipeline(backend: NullBackend, views: int) -> NullPipeline:
    stages = (ShaderStage.VERTEX, ShaderStage.FRAGMENT)
    modules = tuple(ShaderModule(stage, f"a.{stage}", str(stage), b"") for stage in stages)
    return backend.create_pipeline(PipelineDesc("paint", modules, ("rgba8_unorm",), views=views))


def play(backend: NullBackend, recorder: NullRecorder) -> list[str]:
    start = len(backend.log)
    backend.begin_frame(0)
    backend.end_frame(0, [once(backend, 0, [recorder.take()])], None)
    return [line.strip() for line in backend.log[start:]]


def test_a_pass_of_two_views_is_logged() -> None:
    backend = NullBackend()
    recorder = backend.recorder(0)
    begin(backend, recorder, 2, 2)
    recorder.timestamp(4, 2)
    recorder.bind_pipeline(pipeline(backend, 2))
    recorder.draw(3)
    recorder.end_pass()
    recorder.timestamp(6)
    lines = play(backend, recorder)
    assert lines[1] == "begin pass 16x8, 2 views at once: both color clear (0, 0, 0, 1) -> store"
    assert "timestamps 4 to 5" in lines
    assert "timestamp 6" in lines


def _few_layers(backend: NullBackend, recorder: NullRecorder) -> None:
    begin(backend, recorder, 1, 2)


def _other_views(backend: NullBackend, recorder: NullRecorder) -> None:
    begin(backend, recorder, 2, 2)
    recorder.bind_pipeline(pipeline(backend, 1))


def _one_view(backend: NullBackend, recorder: NullRecorder) -> None:
    begin(backend, recorder, 2, 1)
    recorder.bind_pipeline(pipeline(backend, 2))


def _few_timestamps(backend: NullBackend, recorder: NullRecorder) -> None:
    begin(backend, recorder, 2, 2)
    recorder.timestamp(0)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (_few_layers, 'the pass draws 2 views, and "both" has 1 layers'),
        (_other_views, "is made for 1 views at once, and the pass has 2"),
        (_one_view, "is made for 2 views at once, and the pass has 1"),
        (_few_timestamps, "a timestamp of 1 views in a pass of 2"),
    ],
)
def test_misuse_shows_when_played(record: Callable[[NullBackend, NullRecorder], None], message: str) -> None:
    backend = NullBackend()
    recorder = backend.recorder(0)
    record(backend, recorder)
    with pytest.raises(BackendError, match=message):
        play(backend, recorder)
