from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from vulkan_pretence import CACHED, HEAP, HOST, LAZY, LOCAL, MIB, PROTECTED, Pretence

from renderwright.render.backend.vulkan.api import lib
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.errors import BackendError, OutOfMemoryError
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, attached, buffer_info, change, run_frame, texture_info, use

pytestmark = pytest.mark.vulkan

COLOR = texture_info("rgba8_unorm", (8, 8), Usage.COLOR)
DEPTH = texture_info("d32_sfloat", (8, 8), Usage.DEPTH)
STORAGE = buffer_info(64, Usage.STORAGE)
VERTICES = buffer_info(64, Usage.VERTEX)
READ_BACK = buffer_info(64, Usage.COPY_DST, Usage.HOST_READ)
MULTISAMPLED = TextureInfo("rgba8_unorm", (8, 8), 1, 1, 4, frozenset({Usage.COLOR}), transient=True)


@contextmanager
def pretending(pretence: Pretence) -> Iterator[VulkanBackend]:
    backend = VulkanBackend(wrap=pretence.wrap)
    try:
        yield backend
    finally:
        backend.close()


def is_depth(info: Any) -> bool:
    return bool(info.usage & lib.VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)


def test_the_best_type_comes_first_and_the_others_stand_by() -> None:
    types = (HOST, LOCAL, LOCAL | HOST, HOST | CACHED)
    with pretending(Pretence(types)) as backend:
        assert backend.texture_needs(COLOR).memory_class == "textures:0xf"
        assert backend.buffer_needs(STORAGE).memory_class == "buffers:0xf"
        assert backend.buffer_needs(READ_BACK).memory_class == "host_buffers:0xd"


def test_types_that_differ_only_further_down_are_one_class() -> None:
    pretence = Pretence((HOST, LOCAL, LOCAL), image_bits=lambda info: 0b010 if is_depth(info) else 0b111)
    with pretending(pretence) as backend:
        assert backend.texture_needs(COLOR).memory_class == "textures:0x2"
        assert backend.texture_needs(DEPTH).memory_class == "textures:0x2"


def test_another_best_type_is_another_class() -> None:
    pretence = Pretence((LOCAL, LOCAL), image_bits=lambda info: 0b10 if is_depth(info) else 0b01)
    with pretending(pretence) as backend:
        assert backend.texture_needs(COLOR).memory_class == "textures:0x1"
        assert backend.texture_needs(DEPTH).memory_class == "textures:0x2"


def test_buffers_share_a_class_whatever_else_they_are_used_for() -> None:
    storage = lib.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
    pretence = Pretence((LOCAL, HOST), buffer_bits=lambda info: 0b01 if info.usage & storage else 0b11)
    with pretending(pretence) as backend:
        assert backend.buffer_needs(STORAGE).memory_class == backend.buffer_needs(VERTICES).memory_class


def test_memory_with_strings_attached_is_left_alone() -> None:
    with pretending(Pretence((LOCAL | PROTECTED, LOCAL | 0x40, LOCAL | LAZY, LOCAL | HOST))) as backend:
        assert backend.texture_needs(COLOR).memory_class == "textures:0x8"


def test_a_full_type_gives_way_to_the_next(caplog: pytest.LogCaptureFixture) -> None:
    pretence = Pretence((LOCAL, HOST), full={0})
    with pretending(pretence) as backend:
        backend.create_heap(backend.texture_needs(COLOR).memory_class, MIB, "heap")
        assert [kind for kind, _, _ in pretence.allocations] == [0, 1]
    assert "'heap' (1.0 MiB) is in slower memory" in caplog.text


def test_the_budget_is_respected_before_the_driver_is_asked() -> None:
    pretence = Pretence((LOCAL, HOST), budgets=((10 * MIB, 4 * MIB), (0, 0)))
    with pretending(pretence) as backend:
        memory_class = backend.texture_needs(COLOR).memory_class
        backend.create_heap(memory_class, 6 * MIB, "fits")
        pretence.allocations.clear()
        with pytest.raises(OutOfMemoryError) as caught:
            backend.create_heap(memory_class, 6 * MIB + 1024, "too large")
        assert pretence.allocations == []
        assert "'too large': 6.0 MiB are needed" in caught.value.message
        assert caught.value.message.endswith("6.0 of 64.0 MiB and 0.0 of 64.0 MiB are free for this program")
        assert caught.value.hint


def test_a_driver_that_refuses_what_its_budget_allows_is_named() -> None:
    pretence = Pretence((LOCAL,), budgets=((10 * MIB, 4 * MIB),), full={0})
    with pretending(pretence) as backend:
        memory_class = backend.texture_needs(COLOR).memory_class
        with pytest.raises(OutOfMemoryError, match=r"6\.0 of 64\.0 MiB are free for this program, and yet"):
            backend.create_heap(memory_class, MIB, "heap")


def test_without_a_budget_a_heap_is_the_limit() -> None:
    pretence = Pretence((LOCAL,))
    with pretending(pretence) as backend:
        in_all = "it has 64.0 MiB in all, and does not tell how much of that is free"
        with pytest.raises(OutOfMemoryError, match=in_all):
            backend.create_heap(backend.texture_needs(COLOR).memory_class, HEAP + 1, "heap")
        assert pretence.allocations == []


def test_what_was_given_back_makes_room() -> None:
    pretence = Pretence((LOCAL,))
    with pretending(pretence) as backend:
        memory_class = backend.texture_needs(COLOR).memory_class
        old = backend.create_heap(memory_class, MIB, "old")
        run_frame(backend, lambda recorder: recorder.full_barrier())
        backend.destroy(old)
        released = []
        release = old.release
        old.release = lambda: (released.append(old), pretence.full.clear(), release())  # type: ignore[method-assign]
        pretence.full.add(0)
        backend.create_heap(memory_class, MIB, "new")
        assert released == [old]


def test_needs_tell_the_largest_heap(backend: VulkanBackend) -> None:
    limit = backend.texture_needs(COLOR).heap_limit
    assert limit >= 2**30, "Vulkan promises that much"
    assert backend.buffer_needs(STORAGE).heap_limit == limit


def red(image: Any) -> Any:
    def record(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(image, FRESH, use(Usage.COLOR))])
        recorder.begin_pass([attached(image, clear=(1.0, 0.0, 0.0, 1.0))], (8, 8))
        recorder.end_pass()

    return record


@pytest.mark.parametrize("validate", [False, True])
def test_memory_for_one_resource_alone_where_the_driver_requires_it(validate: bool) -> None:
    pretence = Pretence(dedicated=True)
    backend = VulkanBackend(validate=validate, wrap=pretence.wrap)
    try:
        needs = backend.texture_needs(COLOR)
        assert needs.dedicated
        assert needs.memory_class.startswith("dedicated_textures:")
        assert backend.buffer_needs(READ_BACK).memory_class.startswith("dedicated_host_buffers:")
        heap = backend.create_heap(needs.memory_class, needs.size, "heap")
        assert pretence.allocations == []
        image = backend.place_texture(heap, 0, COLOR, "image")
        buffers = backend.buffer_needs(READ_BACK)
        read_back = backend.create_heap(buffers.memory_class, buffers.size, "read-back")
        buffer = backend.place_buffer(read_back, 0, READ_BACK, "buffer")
        assert [alone for _, _, alone in pretence.allocations] == [True, True]
        assert buffer.data is not None
        assert len(buffer.data) == 64
        run_frame(backend, red(image))
        assert np.all(backend.read_texture(image, Layout.COLOR_ATTACHMENT) == (255, 0, 0, 255))
        backend.destroy(image)
        backend.destroy(heap)
    finally:
        backend.close()
    assert backend.validation_messages == []


def test_transient_attachments_have_lazy_memory_where_there_is_such() -> None:
    pretence = Pretence(
        (LOCAL | HOST, LOCAL | LAZY),
        image_bits=lambda info: 0b11 if info.usage & lib.VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT else 0b01,
    )
    with pretending(pretence) as backend:
        needs = backend.texture_needs(MULTISAMPLED)
        assert needs.memory_class == "lazy_textures:0x3"
        assert backend.texture_needs(COLOR).memory_class == "textures:0x1"
        heap = backend.create_heap(needs.memory_class, needs.size, "heap")
        assert [kind for kind, _, _ in pretence.allocations] == [1]
        image = backend.place_texture(heap, 0, MULTISAMPLED, "image")
        own = backend.create_texture(MULTISAMPLED, "with memory of its own")
        assert [kind for kind, _, _ in pretence.allocations] == [1, 1]
        run_frame(backend, red(image))
        run_frame(backend, red(own), slot=1)
        single = TextureInfo("rgba8_unorm", (8, 8), 1, 1, 1, frozenset({Usage.COLOR}), transient=True)
        with pytest.raises(BackendError, match="within a render pass"):
            backend.read_texture(backend.create_texture(single, "single"), Layout.COLOR_ATTACHMENT)


def test_transient_attachments_are_like_others_where_there_is_no_lazy_memory(backend: VulkanBackend) -> None:
    lasting = TextureInfo("rgba8_unorm", (8, 8), 1, 1, 4, frozenset({Usage.COLOR}))
    needs: MemoryNeeds = backend.texture_needs(MULTISAMPLED)
    assert needs == backend.texture_needs(lasting)
