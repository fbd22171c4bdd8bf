"""Heaps of whole textures, and buffers that are ranges of one."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from renderwright.render.backend.capabilities import Aliasing
from renderwright.render.backend.opengl import OpenGLBackend, links
from renderwright.render.backend.opengl.pipelines import GLPipeline
from renderwright.render.backend.opengl.streams import FRAME_BYTES
from renderwright.render.backend.protocol import BufferBinding, PipelineDesc, Recorder
from renderwright.render.errors import BackendError, ShaderError
from renderwright.render.formats import format_named
from renderwright.render.shaders.module import BindingKind
from renderwright.render.sync.flags import Layout
from renderwright.render.types.usages import Usage
from tests.on_devices import binding, buffer_info, compute, run_frame, texture_info

INFO = texture_info("rgba16_sfloat", (64, 32), Usage.COLOR)
SAMPLED = texture_info("rgba16_sfloat", (64, 32), Usage.SAMPLED)
SMALLER = texture_info("rgba16_sfloat", (32, 16), Usage.COLOR)


@pytest.fixture
def backend() -> Iterator[OpenGLBackend]:
    with closing(OpenGLBackend(validate=True)) as backend:
        yield backend
    assert backend.validation_messages == []


def test_textures_of_one_kind_at_one_offset_are_one(backend: OpenGLBackend) -> None:
    needs = backend.texture_needs(INFO)
    assert needs.memory_class == backend.texture_needs(SAMPLED).memory_class != backend.texture_needs(SMALLER)
    heap = backend.create_heap(needs.memory_class, 2 * needs.size, "heap")
    first = backend.place_texture(heap, 0, INFO, "first")
    again = backend.place_texture(heap, 0, SAMPLED, "again")
    beside = backend.place_texture(heap, needs.size, INFO, "beside")
    resized = backend.place_texture(heap, 0, SMALLER, "resized")
    assert first.handle == again.handle
    assert len({first.handle, beside.handle, resized.handle}) == 3
    assert backend.capabilities.aliasing is Aliasing.TEXTURES


@pytest.mark.parametrize(
    "name",
    [
        "r8_unorm",
        "rg16_sfloat",
        "rgba16_sfloat",
        "rgba32_sfloat",
        "r32_uint",
        "b10g11r11_ufloat",
        "rgba8_srgb",
        "bgra8_unorm",
    ],
)
def test_fills_of_a_heap_clear_the_textures_in_it_byte_by_byte(backend: OpenGLBackend, name: str) -> None:
    info = texture_info(name, (8, 4), Usage.COLOR, mips=2)
    needs = backend.texture_needs(info)
    heap = backend.create_heap(needs.memory_class, 3 * needs.size, "heap")
    textures = [backend.place_texture(heap, number * needs.size, info, f"texture {number}") for number in range(3)]
    cover = backend.cover_heap(heap, "cover")

    def record(recorder: Recorder) -> None:
        recorder.fill_buffer(cover, 0x61616161)
        recorder.fill_buffer(cover, 0x62626262, needs.size, 2 * needs.size - 4)  # all of one texture, a part of another

    run_frame(backend, record)
    found = [backend.read_texture(texture, Layout.GENERAL).tobytes() for texture in textures]
    size = 8 * 4 * format_named(name).texel_bytes
    assert found == [byte * size for byte in (b"\x61", b"\x62", b"\x61")]
    for each in (cover, *textures, heap):
        backend.destroy(each)


@pytest.mark.parametrize("name", ["d16_unorm", "d32_sfloat", "d24_unorm_s8_uint", "d32_sfloat_s8_uint"])
def test_fills_of_a_heap_clear_depth(backend: OpenGLBackend, name: str) -> None:
    info = texture_info(name, (8, 4), Usage.DEPTH)
    needs = backend.texture_needs(info)
    heap = backend.create_heap(needs.memory_class, needs.size, "heap")
    texture = backend.place_texture(heap, 0, info, "depth")
    cover = backend.cover_heap(heap, "cover")
    depths = []
    for word in (0, 0xFFFFFFFF, 0):
        run_frame(backend, lambda recorder, word=word: recorder.fill_buffer(cover, word))
        depths.append(backend.read_texture(texture, Layout.GENERAL))
    assert not np.array_equal(depths[0], depths[1])
    assert np.all(depths[2] == 0)


def test_dedicated_heaps_are_not_covered(backend: OpenGLBackend) -> None:
    needs = backend.buffer_needs(buffer_info(64, Usage.INDEX))
    heap = backend.create_heap(needs.memory_class, needs.size, "indices")
    with pytest.raises(BackendError, match='"indices" is dedicated'):
        backend.cover_heap(heap, "poison")


def test_placed_buffers_are_ranges_of_their_heap(backend: OpenGLBackend) -> None:
    info = buffer_info(100, Usage.STORAGE)
    needs = backend.buffer_needs(info)
    heap = backend.create_heap(needs.memory_class, 2 * needs.size, "heap")
    first = backend.place_buffer(heap, 0, info, "first")
    second = backend.place_buffer(heap, needs.size, info, "second")

    def record(recorder: Recorder) -> None:
        recorder.fill_buffer(first, 1)
        recorder.fill_buffer(second, 2)

    run_frame(backend, record)
    assert backend.read_buffer(first) == (b"\1\0\0\0" * 25)
    assert backend.read_buffer(second) == (b"\2\0\0\0" * 25)


def test_large_assets_arrive_in_slices(backend: OpenGLBackend) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (1024, 2048, 4), dtype=np.uint8)
    streamed = backend.stream_texture(texture_info("rgba8_unorm", (2048, 1024), Usage.SAMPLED), "large", pixels)
    frames = 0
    while not streamed.resident:
        run_frame(backend, lambda recorder: recorder.full_barrier(), frames % 2)
        frames += 1
    assert frames == pixels.nbytes // FRAME_BYTES + 1
    assert np.array_equal(backend.read_texture(streamed.asset, Layout.SHADER_READ_ONLY), pixels)


FILL = """#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint result; };
void main() { result = 7; }
"""


def test_a_pipeline_of_another_thread_is_compiled_between_frames(backend: OpenGLBackend) -> None:
    module = compute(FILL, binding(0, "Out", BindingKind.STORAGE_BUFFER, writes=True))
    made = []
    worker = threading.Thread(target=lambda: made.append(backend.create_pipeline(PipelineDesc("fill", (module,)))))
    worker.start()
    worker.join()
    program = made[0]
    assert not program.ready
    frames = 0
    while not program.ready:
        run_frame(backend, lambda recorder: recorder.full_barrier(), frames % 2)
        frames += 1
    result = backend.create_buffer(buffer_info(4, Usage.STORAGE), "result")
    bound = backend.create_bindings(program, 0, {"Out": BufferBinding(result)}, "fill")

    def record(recorder: Recorder) -> None:
        recorder.bind_pipeline(program)
        recorder.bind_set(program, 0, bound)
        recorder.dispatch(1)

    run_frame(backend, record)
    assert backend.read_buffer(result) == b"\7\0\0\0"


def test_a_set_forgets_the_pipelines_that_are_gone(backend: OpenGLBackend) -> None:
    """Such as that of an image table, which serves every pipeline of a game."""
    module = compute(FILL, binding(0, "Out", BindingKind.STORAGE_BUFFER, writes=True))
    result = backend.create_buffer(buffer_info(4, Usage.STORAGE), "result")
    first = backend.create_pipeline(PipelineDesc("fill", (module,)))
    bound = backend.create_bindings(first, 0, {"Out": BufferBinding(result)}, "fill")
    gone = []
    for _ in range(3):
        program = backend.create_pipeline(PipelineDesc("fill", (module,)))
        assert isinstance(program, GLPipeline)
        gone.append(weakref.ref(program.units))

        def record(recorder: Recorder, program: GLPipeline = program) -> None:
            recorder.bind_pipeline(program)
            recorder.bind_set(program, 0, bound)
            recorder.dispatch(1)

        run_frame(backend, record)
        backend.destroy(program)
    del program, record
    for slot in (0, 1, 0, 1):
        run_frame(backend, lambda recorder: recorder.full_barrier(), slot)
    gc.collect()
    assert [units() for units in gone] == [None] * 3
    assert backend.read_buffer(result) == b"\7\0\0\0"


def test_each_frame_begins_a_pipeline_and_more_while_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Begun:
        def __init__(self, number: int) -> None:
            self.number = number

        def begin(self) -> None:
            begun.append(self.number)

    begun: list[int] = []
    waiting = links.Links()
    for number in range(5):
        waiting.add(Begun(number))  # type: ignore[arg-type]
    monkeypatch.setattr(links, "FRAME_SECONDS", -1.0)
    waiting.begin_frame()
    assert begun == [0]
    monkeypatch.setattr(links, "FRAME_SECONDS", 60.0)
    waiting.begin_frame()
    assert begun == [0, 1, 2, 3, 4]


def test_a_program_that_the_driver_rejects_is_told_when_it_is_bound() -> None:
    module = compute(FILL, binding(0, "Out", BindingKind.STORAGE_BUFFER, writes=True))
    made: list[GLPipeline] = []
    with closing(OpenGLBackend()) as backend:
        worker = threading.Thread(target=lambda: made.append(backend.create_pipeline(PipelineDesc("fill", (module,)))))
        worker.start()
        worker.join()
        made[0]._texts = ["#version 450\nvoid main() { nothing; }"]
        while not made[0].ready:
            run_frame(backend, lambda recorder: recorder.full_barrier())
        for _ in range(2):
            with pytest.raises(ShaderError, match="does not compile on"):
                backend.recorder(0).bind_pipeline(made[0])
