from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.errors import BackendError, OutOfMemoryError
from renderwright.render.formats import FORMATS
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, buffer_info, change, run_frame, texture_info, use
from tests.one_time import once

pytestmark = pytest.mark.vulkan

CLEARED = use(Usage.COPY_DST)


def test_needs_come_from_the_driver_and_are_stable(backend: VulkanBackend) -> None:
    small = texture_info("rgba8_unorm", (16, 16), Usage.COLOR)
    large = texture_info("rgba8_unorm", (64, 64), Usage.COLOR)
    assert backend.texture_needs(small) == backend.texture_needs(small)
    assert backend.texture_needs(large).size >= 64 * 64 * 4
    assert backend.texture_needs(large).size > backend.texture_needs(small).size
    kind, bits = backend.texture_needs(small).memory_class.split(":")
    assert kind == "textures"
    assert int(bits, 16) > 0
    assert backend.buffer_needs(buffer_info(100, Usage.STORAGE)).size >= 100
    assert backend.buffer_needs(buffer_info(100, Usage.STORAGE)).memory_class.startswith("buffers:")


def test_placed_textures_may_share_memory(backend: VulkanBackend) -> None:
    info = texture_info("rgba8_unorm", (8, 8), Usage.COLOR, Usage.SAMPLED)
    needs = backend.texture_needs(info)
    apart = -(-needs.size // needs.alignment) * needs.alignment
    heap = backend.create_heap(needs.memory_class, apart + needs.size, "heap")
    first = backend.place_texture(heap, 0, info, "first")
    second = backend.place_texture(heap, 0, info, "second, on top of the first")
    beside = backend.place_texture(heap, apart, info, "beside")

    def record(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(first, FRESH, CLEARED), change(beside, FRESH, CLEARED)])
        recorder.clear_texture(first, Layout.TRANSFER_DST, (1.0, 0.0, 0.0, 1.0))
        recorder.clear_texture(beside, Layout.TRANSFER_DST, (0.0, 0.0, 1.0, 1.0))
        handed_over = Scope(CLEARED.stages, CLEARED.access, Layout.UNDEFINED)
        recorder.barriers([change(second, handed_over, CLEARED)])
        recorder.clear_texture(second, Layout.TRANSFER_DST, (0.0, 1.0, 0.0, 1.0))

    run_frame(backend, record)
    assert np.all(backend.read_texture(second, Layout.TRANSFER_DST) == (0, 255, 0, 255))
    assert np.all(backend.read_texture(beside, Layout.TRANSFER_DST) == (0, 0, 255, 255))


def test_placed_buffers(backend: VulkanBackend) -> None:
    info = buffer_info(1000, Usage.STORAGE)
    needs = backend.buffer_needs(info)
    heap = backend.create_heap(needs.memory_class, needs.size, "heap")
    placed = backend.place_buffer(heap, 0, info, "placed")
    data = bytes(range(250)) * 4
    source = backend.create_buffer(info, "source", data)
    run_frame(backend, lambda recorder: recorder.copy_buffer(source, placed))
    assert backend.read_buffer(placed) == data
    assert placed.data is None


def test_host_read_buffers_are_placed_where_the_host_can_see_them(backend: VulkanBackend) -> None:
    info = buffer_info(64, Usage.COPY_DST, Usage.HOST_READ)
    needs = backend.buffer_needs(info)
    heap = backend.create_heap(needs.memory_class, needs.size + needs.alignment, "heap")
    placed = backend.place_buffer(heap, needs.alignment, info, "placed")
    source = backend.create_buffer(info, "source", bytes(range(64)))

    def record(recorder: VulkanRecorder) -> None:
        recorder.copy_buffer(source, placed)
        recorder.barriers([change(placed, use(Usage.COPY_DST), use(Usage.HOST_READ))])

    run_frame(backend, record)
    backend.wait_idle()
    assert placed.data is not None
    assert bytes(placed.data) == bytes(range(64))


def test_out_of_memory_is_an_error_that_names_the_heap(backend: VulkanBackend) -> None:
    memory_class = backend.texture_needs(texture_info("rgba8_unorm", (8, 8), Usage.COLOR)).memory_class
    with pytest.raises(OutOfMemoryError, match="'enormous'"):
        backend.create_heap(memory_class, 2**50, "enormous")


@pytest.mark.parametrize(
    ("info", "message"),
    [
        (texture_info("rgba8_unorm", (1 << 20, 4), Usage.COLOR), "1048576 x 4 texels"),
        (texture_info("rgba8_unorm", (4, 4), Usage.COLOR, layers=1 << 20), "1048576 layers"),
        (texture_info("rgba8_unorm", (4, 4), Usage.COLOR, mips=9), "9 mips"),
        (texture_info("rgba8_unorm", (4, 4), Usage.COLOR, samples=3), "3 samples"),
    ],
)
def test_impossible_textures_are_refused(backend: VulkanBackend, info: TextureInfo, message: str) -> None:
    with pytest.raises(BackendError, match=message):
        backend.texture_needs(info)
    with pytest.raises(BackendError, match=message):
        backend.create_texture(info, "impossible")


@pytest.mark.parametrize(
    "name", ["rgba8_srgb", "rgba16_sfloat", "r32_uint", "b10g11r11_ufloat", "d32_sfloat", "d16_unorm"]
)
def test_needs_cover_the_texels(backend: VulkanBackend, name: str) -> None:
    info = texture_info(name, (64, 64), Usage.SAMPLED, mips=7, layers=2)
    assert backend.texture_needs(info).size >= 64 * 64 * 2 * FORMATS[name].texel_bytes


def test_destroyed_things_wait_for_the_frames_that_use_them(backend: VulkanBackend) -> None:
    info = texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED)

    def touch(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(texture, FRESH, CLEARED)])
        recorder.clear_texture(texture, Layout.TRANSFER_DST, (1.0, 1.0, 1.0, 1.0))

    texture = backend.create_texture(info, "used in the next frame")
    backend.begin_frame(0)
    recorder = backend.recorder(0)
    touch(recorder)
    lists = [recorder.take()]
    backend.destroy(texture)  # before the frame that uses it is even submitted
    waiting = len(backend._retirement)
    backend.end_frame(0, [once(backend, 0, lists)], None)
    assert (waiting, len(backend._retirement)) == (1, 1)
    backend.wait_idle()
    assert len(backend._retirement) == 0
    with pytest.raises(BackendError, match="destroyed already"):
        backend.destroy(texture)
