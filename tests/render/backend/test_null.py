"""The null backend: what it logs, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.null.recorder import NullRecorder
from renderwright.render.backend.null.resources import NullPipeline, NullTexture
from renderwright.render.backend.protocol import (
    AttachedTexture,
    BoundBarrier,
    BufferBinding,
    PipelineDesc,
    TextureBinding,
)
from renderwright.render.errors import BackendError
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.shaders.module import BindingKind, BlockMember, ShaderBinding, ShaderModule
from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.usages import ShaderStage, Usage
from tests.one_time import once

BLACK = (0.0, 0.0, 0.0, 1.0)


@pytest.fixture
def backend() -> NullBackend:
    return NullBackend()


def texture_info(format: str = "rgba8_unorm", size: tuple[int, int] = (64, 32)) -> TextureInfo:
    return TextureInfo(format, size, 1, 1, 1, frozenset({Usage.COLOR, Usage.SAMPLED}))


def buffer_info(size: int = 256) -> BufferInfo:
    return BufferInfo(size, frozenset({Usage.UNIFORM, Usage.INDEX}))


def module(stage: ShaderStage, *bindings: ShaderBinding, push: int = 0) -> ShaderModule:
    members = (BlockMember("radius", 0, "float"),) if push else ()
    file = f"test.{stage}"
    return ShaderModule(stage, file, file, b"", bindings, push, members)


SOURCE = ShaderBinding(0, 0, "source", BindingKind.SAMPLED)
MANY = ShaderBinding(0, 1, "many", BindingKind.SAMPLED, count=2)
BLOCK = ShaderBinding(0, 2, "Camera", BindingKind.UNIFORM_BUFFER, size=64)


def graphics(backend: NullBackend, *bindings: ShaderBinding, push: int = 0) -> NullPipeline:
    modules = module(ShaderStage.VERTEX), module(ShaderStage.FRAGMENT, *bindings, push=push)
    return backend.create_pipeline(PipelineDesc("paint", modules, ("rgba8_unorm",)))


def compute(backend: NullBackend, *bindings: ShaderBinding) -> NullPipeline:
    return backend.create_pipeline(PipelineDesc("blur", (module(ShaderStage.COMPUTE, *bindings),)))


def begin(recorder: NullRecorder, texture: NullTexture) -> None:
    attachment = Attachment(texture.name, Usage.COLOR, Load.CLEAR, Store.STORE, BLACK)
    recorder.begin_pass([AttachedTexture(attachment, texture, Layout.COLOR_ATTACHMENT)], texture.info.extent)


def play(backend: NullBackend, *lists: OpList, slot: int = 0) -> list[str]:
    """The lines that a frame of these lists adds to the log."""
    start = len(backend.log)
    backend.begin_frame(slot)
    backend.end_frame(slot, [once(backend, slot, lists)], None)
    return backend.log[start:]


def test_a_whole_frame_in_the_log(backend: NullBackend) -> None:
    heap = backend.create_heap("textures", 65536, "heap 0")
    color = backend.place_texture(heap, 0, texture_info(), "color")
    target = backend.create_target((64, 32))
    pipeline = graphics(backend, SOURCE, push=4)
    bindings = backend.create_bindings(pipeline, 0, {"source": TextureBinding(color, Layout.SHADER_READ_ONLY)}, "paint")
    image = target.acquire(0)
    assert image is not None
    recorder = backend.recorder(0)
    barrier = Barrier(
        "color",
        0,
        Stage.COLOR_ATTACHMENT_OUTPUT,
        Access.COLOR_ATTACHMENT_WRITE,
        Stage.FRAGMENT_SHADER,
        Access.SHADER_SAMPLED_READ,
        Layout.COLOR_ATTACHMENT,
        Layout.SHADER_READ_ONLY,
        BarrierReason.WRITE_READ,
    )
    recorder.barriers([BoundBarrier(barrier, color)])
    recorder.barriers([])
    recorder.begin_label("paint")
    attachment = Attachment("image", Usage.COLOR, Load.CLEAR, Store.STORE, BLACK)
    recorder.begin_pass([AttachedTexture(attachment, image, Layout.COLOR_ATTACHMENT)], target.extent)
    first = recorder.take()
    painted = backend.create_pipeline(PipelineDesc("paint", pipeline.desc.modules, (target.format,)))
    recorder.bind_pipeline(painted)
    recorder.bind_set(painted, 0, bindings)
    recorder.push(painted, b"1234")
    recorder.draw(3)
    recorder.end_pass()
    recorder.end_label()
    start = len(backend.log)
    backend.begin_frame(0)
    assert backend.end_frame(0, [once(backend, 0, [first, recorder.take()])], target)
    assert backend.log[start:] == [
        "frame 0 in slot 0",
        "  barrier color even: color_attachment_output (color_attachment_write) -> fragment_shader "
        "(shader_sampled_read), color_attachment -> shader_read_only",
        "  [paint]",
        "    begin pass 64x32: image color clear (0, 0, 0, 1) -> store",
        '      bind pipeline "paint"',
        "      bind set 0 source",
        "      push 4 bytes",
        "      draw 3 x 1 from 0, 0",
        "    end pass",
        "present 64x32",
    ]
    assert 'create texture "color": rgba8_unorm 64x32 in heap "heap 0" + 0' in backend.log


def test_lists_can_be_played_again(backend: NullBackend) -> None:
    recorder = backend.recorder(0)
    recorder.full_barrier()
    recorded = recorder.take()
    assert recorder.take().ops == []
    assert play(backend, recorded)[1:] == play(backend, recorded)[1:] == ["  full barrier"]


def test_every_command_has_a_line(backend: NullBackend) -> None:
    texture, other = (backend.create_texture(texture_info(), name) for name in "ab")
    buffer = backend.create_buffer(buffer_info(), "data", bytes(256))
    recorder = backend.recorder(1)
    recorder.timestamp(5)
    recorder.clear_texture(texture, Layout.TRANSFER_DST, BLACK)
    recorder.copy_texture(texture, other)
    recorder.copy_texture(texture, other, [Part((0, 1))])
    recorder.fill_buffer(buffer)
    recorder.copy_buffer(buffer, buffer, 16)
    recorder.bind_pipeline(compute(backend))
    recorder.dispatch(2, 3)
    begin(recorder, texture)
    recorder.viewport(0, 0, 64, 32)
    recorder.scissor(0, 0, 32, 32)
    recorder.bind_pipeline(graphics(backend))
    recorder.bind_vertices(buffer)
    recorder.bind_indices(buffer, 128)
    recorder.draw_indexed(6, 2, first_instance=1)
    recorder.end_pass()
    assert [line.strip() for line in play(backend, recorder.take(), slot=1)] == [
        "frame 0 in slot 1",
        "timestamp 5",
        "clear a in transfer_dst to (0, 0, 0, 1)",
        "copy texture a -> b",
        "copy texture a -> b, mip 0",
        "fill data",
        "copy buffer data -> data, 16 bytes",
        'bind pipeline "blur"',
        "dispatch 2 x 3 x 1",
        "begin pass 64x32: a color clear (0, 0, 0, 1) -> store",
        "viewport 0, 0, 64x32",
        "scissor 0, 0, 32x32",
        'bind pipeline "paint"',
        "bind vertices data + 0",
        "bind indices data + 128",
        "draw indexed 6 x 2 from 0 + 0, 1",
        "end pass",
    ]


def _open_pass(b: NullBackend, r: NullRecorder) -> None:
    begin(r, b.create_texture(texture_info(), "color"))


def _dispatch_in_pass(b: NullBackend, r: NullRecorder) -> None:
    _open_pass(b, r)
    r.bind_pipeline(compute(b))
    r.dispatch(1)


def _pass_in_pass(b: NullBackend, r: NullRecorder) -> None:
    _open_pass(b, r)
    _open_pass(b, r)


def _barrier_in_pass(b: NullBackend, r: NullRecorder) -> None:
    _open_pass(b, r)
    r.full_barrier()


def _clear_in_pass(b: NullBackend, r: NullRecorder) -> None:
    _open_pass(b, r)
    r.clear_texture(b.create_texture(texture_info(), "t"), Layout.GENERAL, BLACK)


def _draw_unbound(b: NullBackend, r: NullRecorder) -> None:
    _open_pass(b, r)
    r.bind_pipeline(graphics(b, SOURCE))
    r.draw(3)


def _draw_without_indices(b: NullBackend, r: NullRecorder) -> None:
    _open_pass(b, r)
    r.bind_pipeline(graphics(b))
    r.draw_indexed(3)


def _draw_outside(b: NullBackend, r: NullRecorder) -> None:
    r.bind_pipeline(graphics(b))
    r.draw(3)


def _draw_with_compute(b: NullBackend, r: NullRecorder) -> None:
    _open_pass(b, r)
    r.bind_pipeline(compute(b))
    r.draw(3)


def _small_attachment(b: NullBackend, r: NullRecorder) -> None:
    texture = b.create_texture(texture_info(size=(8, 8)), "small")
    attachment = Attachment("small", Usage.COLOR, Load.LOAD, Store.STORE, BLACK)
    r.begin_pass([AttachedTexture(attachment, texture, Layout.COLOR_ATTACHMENT)], (16, 8))


def _other_formats(b: NullBackend, r: NullRecorder) -> None:
    begin(r, b.create_texture(texture_info("rgba16_sfloat"), "wide"))
    r.bind_pipeline(graphics(b))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (_open_pass, "a command buffer ends inside a pass"),
        (lambda b, r: r.end_pass(), "end_pass outside a pass"),
        (_pass_in_pass, "a pass inside a pass"),
        (_barrier_in_pass, "a barrier inside a pass"),
        (_clear_in_pass, "a clear inside a pass"),
        (_dispatch_in_pass, "a dispatch inside a pass"),
        (lambda b, r: r.dispatch(1), "dispatch without a compute pipeline"),
        (lambda b, r: r.begin_label("x"), 'a command buffer ends inside the label "x"'),
        (lambda b, r: r.end_label(), "end_label without a label"),
        (_draw_outside, "a draw outside a pass"),
        (_draw_with_compute, "draw without a graphics pipeline"),
        (_draw_unbound, 'draw with pipeline "paint", but set 0 is not bound'),
        (_draw_without_indices, "an indexed draw without indices"),
        (_small_attachment, 'covers 16x8 texels, and "small" has only 8x8'),
        (_other_formats, "renders to rgba8_unorm, and the pass has rgba16_sfloat"),
    ],
)
def test_misuse_shows_when_played(
    backend: NullBackend, record: Callable[[NullBackend, NullRecorder], None], message: str
) -> None:
    recorder = backend.recorder(0)
    record(backend, recorder)
    with pytest.raises(BackendError, match=message):
        play(backend, recorder.take())
    assert play(backend) == ["frame 1 in slot 0"]


def test_misuse_that_shows_while_recording(backend: NullBackend) -> None:
    recorder = backend.recorder(0)
    pipeline = graphics(backend, push=4)
    buffer = backend.create_buffer(buffer_info(64), "data")
    texture = backend.create_texture(texture_info(), "t")
    with pytest.raises(BackendError, match="5 bytes of push constants"):
        recorder.push(pipeline, b"12345")
    with pytest.raises(BackendError, match="byte 64 lies beyond the 64 bytes"):
        recorder.bind_vertices(buffer, 64)
    with pytest.raises(BackendError, match="65 bytes are copied"):
        recorder.copy_buffer(buffer, buffer, 65)
    with pytest.raises(BackendError, match="differ"):
        recorder.copy_texture(texture, backend.create_texture(texture_info(size=(1, 1)), "u"))
    with pytest.raises(BackendError, match="cannot be cleared in COLOR_ATTACHMENT"):
        recorder.clear_texture(texture, Layout.COLOR_ATTACHMENT, BLACK)
    with pytest.raises(BackendError, match="is not a pipeline of the null backend"):
        recorder.bind_pipeline(texture)  # type: ignore[arg-type]
    assert recorder.take().ops == []


def test_frames_and_slots(backend: NullBackend) -> None:
    backend.recorder(0).full_barrier()
    recorded = backend.recorder(0).take()
    with pytest.raises(BackendError, match="slot 0 are played in another slot's frame"):
        play(backend, recorded, slot=1)
    with pytest.raises(BackendError, match="no frame is open"):
        backend.end_frame(0, [], None)
    backend.begin_frame(0)
    with pytest.raises(BackendError, match="while the frame of slot 0 is open"):
        backend.begin_frame(1)


def test_placing_in_heaps(backend: NullBackend) -> None:
    heap = backend.create_heap("textures", 3 * 65536, "heap")
    assert backend.texture_needs(texture_info()) == RowMajorModel().texture_needs(texture_info())
    backend.place_texture(heap, 65536, texture_info(), "in")
    with pytest.raises(BackendError, match='"out" would end at byte 262144, beyond the 196608 bytes'):
        backend.place_texture(heap, 3 * 65536, texture_info(), "out")
    with pytest.raises(BackendError, match="not aligned to 65536"):
        backend.place_texture(heap, 256, texture_info(), "odd")
    with pytest.raises(BackendError, match="needs memory of class buffers"):
        backend.place_buffer(heap, 0, buffer_info(), "data")
    with pytest.raises(BackendError, match='heap "heap" is destroyed before texture "in"'):
        backend.destroy(heap)


def test_bindings_must_fit_the_pipeline(backend: NullBackend) -> None:
    pipeline = graphics(backend, SOURCE, MANY, BLOCK)
    texture = TextureBinding(backend.create_texture(texture_info(), "t"), Layout.SHADER_READ_ONLY)
    buffer = backend.create_buffer(buffer_info(256), "data")
    good = {"source": texture, "many": (texture, texture), "Camera": BufferBinding(buffer, 192)}
    backend.create_bindings(pipeline, 0, good, "good")
    for change, message in (
        ({"sorce": texture}, 'no binding "sorce" in set 0\n  did you mean "source"?'),
        ({"source": BufferBinding(buffer)}, "the shader has a sampled, and a buffer is given"),
        ({"Camera": texture}, "the shader has a uniform_buffer, and a texture is given"),
        ({"many": (texture,) * 3}, "3 textures for an array of 2"),
        ({"Camera": BufferBinding(buffer, 256)}, "0 bytes for a block of 64"),
        ({"Camera": BufferBinding(buffer, 128, 256)}, "bytes 128 to 384 lie beyond the 256 bytes"),
    ):
        with pytest.raises(BackendError) as caught:
            backend.create_bindings(pipeline, 0, good | change, "bad")
        assert message in str(caught.value)
    with pytest.raises(BackendError, match="is not filled: Camera, many"):
        backend.create_bindings(pipeline, 0, {"source": texture}, "part")
    made = backend.create_bindings(pipeline, 0, good, "set")
    with pytest.raises(BackendError, match="does not fit set 0"):
        backend.recorder(0).bind_set(graphics(backend, SOURCE), 0, made)
    with pytest.raises(BackendError, match="has the stages fragment"):
        backend.create_pipeline(PipelineDesc("odd", (module(ShaderStage.FRAGMENT),)))


def test_destroyed_objects(backend: NullBackend) -> None:
    texture = backend.create_texture(texture_info(), "gone")
    recorder = backend.recorder(0)
    recorder.clear_texture(texture, Layout.GENERAL, BLACK)
    recorded = recorder.take()
    backend.begin_frame(0)
    backend.destroy(texture)
    with pytest.raises(BackendError, match="destroyed twice"):
        backend.destroy(texture)
    backend.end_frame(0, [once(backend, 0, [recorded])], None)  # it lives until the open frame has ended
    with pytest.raises(BackendError, match='texture "gone" is destroyed'):
        play(backend, recorded)
    with pytest.raises(BackendError, match='texture "gone" is destroyed'):
        recorder.clear_texture(texture, Layout.GENERAL, BLACK)


def test_targets(backend: NullBackend) -> None:
    target = backend.create_target((8, 4))
    texture = target.acquire(1)
    assert texture is not None
    assert texture.info.extent == (8, 4)
    target.resize((0, 4))
    assert target.acquire(0) is None
    target.resize((2, 2))
    assert backend.alive == ('texture "target 0"', 'texture "target 1"')
    target.close()
    target.close()
    assert backend.alive == ()
    with pytest.raises(BackendError, match="closed"):
        target.acquire(0)
    with pytest.raises(BackendError, match="nothing in a window"):
        backend.create_target((8, 4), window=object())


def test_read_back(backend: NullBackend) -> None:
    target = backend.create_texture(texture_info("rgba16_sfloat", (5, 3)), "t")
    pixels = backend.read_texture(target, Layout.GENERAL)
    assert (pixels.shape, pixels.dtype) == ((3, 5, 4), np.float16)
    assert not pixels.any()
    buffer = backend.create_buffer(buffer_info(8), "host", b"abc", host=True)
    assert buffer.data is not None
    buffer.data[4] = 7
    assert backend.read_buffer(buffer) == b"abc\0\7\0\0\0"
    assert backend.read_buffer(backend.create_buffer(buffer_info(4), "device")) == bytes(4)
    with pytest.raises(BackendError, match=r"takes pixels of shape \(3, 5, 4\), uint8"):
        backend.create_texture(texture_info("rgba8_srgb", (5, 3)), "t", np.zeros((5, 3, 4), np.uint8))


def test_close_leaves_nothing_alive(backend: NullBackend) -> None:
    heap = backend.create_heap("buffers", 512, "heap")
    backend.place_buffer(heap, 256, buffer_info(), "data")
    backend.create_target((4, 4))
    graphics(backend)
    backend.close()
    backend.close()
    assert backend.alive == ()
    with pytest.raises(BackendError, match="closed"):
        backend.begin_frame(0)
