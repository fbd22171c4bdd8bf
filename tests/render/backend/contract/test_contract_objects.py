"""What every backend promises about its objects and frames, with or without a device."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.errors import BackendError
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.usages import Usage
from tests.on_devices import buffer_info, texture_info
from tests.one_time import once

COLOR = texture_info("rgba8_unorm", (64, 32), Usage.COLOR, Usage.SAMPLED)
NUMBERS = buffer_info(256, Usage.STORAGE)


def run_empty_frame(backend: Backend, slot: int) -> None:
    backend.begin_frame(slot)
    assert backend.end_frame(slot, [once(backend, slot, [backend.recorder(slot).take()])], None)


def test_there_is_a_graphics_queue(backend: Backend) -> None:
    assert GRAPHICS in backend.capabilities.queues
    assert backend.capabilities.most_samples >= 4


def test_needs_are_the_same_for_equal_descriptions(backend: Backend) -> None:
    assert backend.texture_needs(COLOR) == backend.texture_needs(COLOR)
    needs = backend.buffer_needs(NUMBERS)
    assert needs == backend.buffer_needs(NUMBERS)
    assert needs.size >= NUMBERS.size


def test_resources_are_placed_in_heaps_of_their_class(backend: Backend) -> None:
    needs = backend.texture_needs(COLOR)
    heap = backend.create_heap(needs.memory_class, 2 * needs.size, "heap")
    assert (heap.memory_class, heap.size, heap.dedicated) == (needs.memory_class, 2 * needs.size, needs.dedicated)
    one = backend.place_texture(heap, 0, COLOR, "one")
    other = backend.place_texture(heap, needs.size, COLOR, "other")
    assert (one.info, one.name, other.name) == (COLOR, "one", "other")
    for each in (one, other, heap):
        backend.destroy(each)


def test_nothing_is_destroyed_twice(backend: Backend) -> None:
    texture = backend.create_texture(COLOR, "canvas")
    backend.destroy(texture)
    with pytest.raises(BackendError):
        backend.destroy(texture)


def test_what_a_frame_uses_can_be_destroyed_while_it_is_recorded(backend: Backend) -> None:
    for number in range(2 * FRAMES_IN_FLIGHT):
        slot = number % FRAMES_IN_FLIGHT
        backend.begin_frame(slot)
        buffer = backend.create_buffer(NUMBERS, f"numbers {number}")
        recorder = backend.recorder(slot)
        recorder.fill_buffer(buffer, 1)
        submission = once(backend, slot, [recorder.take()])
        backend.destroy(buffer)
        assert backend.end_frame(slot, [submission], None)
    backend.wait_idle()


def test_commands_are_recorded_before_they_are_submitted(backend: Backend) -> None:
    commands = backend.create_commands(0, GRAPHICS, "empty")
    assert commands.queue == GRAPHICS
    backend.record(commands, [backend.recorder(0).take()])
    for _ in range(2):
        backend.begin_frame(0)
        assert backend.end_frame(0, [QueuedCommands((commands,))], None)
    backend.wait_idle()
    backend.destroy(commands)


def test_host_buffers_are_written_in_place(backend: Backend) -> None:
    buffer = backend.create_buffer(NUMBERS, "numbers", b"abcd", host=True)
    assert buffer.data is not None
    assert len(buffer.data) == NUMBERS.size
    buffer.data[1:3] = b"XY"
    assert backend.read_buffer(buffer)[:4] == b"aXYd"


def test_data_must_fit(backend: Backend) -> None:
    with pytest.raises(BackendError):
        backend.create_buffer(buffer_info(4, Usage.STORAGE), "small", b"12345678")
    with pytest.raises(BackendError):
        backend.create_texture(COLOR, "pixels", np.zeros((2, 2, 4), np.uint8))


def test_textures_read_back_in_their_shape(backend: Backend) -> None:
    texture = backend.create_texture(COLOR, "pixels", np.zeros((32, 64, 4), np.uint8))
    found = backend.read_texture(texture, Layout.SHADER_READ_ONLY)
    assert (found.shape, found.dtype) == ((32, 64, 4), np.dtype(np.uint8))


def test_streamed_assets_are_resident_after_some_frames(backend: Backend) -> None:
    texture = backend.stream_texture(COLOR, "texture", np.zeros((32, 64, 4), np.uint8))
    buffer = backend.stream_buffer(NUMBERS, "buffer", bytes(256))
    assert not texture.resident
    for number in range(10):
        run_empty_frame(backend, number % FRAMES_IN_FLIGHT)
        backend.wait_idle()
    assert texture.resident
    assert buffer.resident
    assert buffer.wait() is buffer.asset


def test_streamed_assets_can_be_waited_for(backend: Backend) -> None:
    streamed = backend.stream_buffer(NUMBERS, "buffer", bytes(range(256)))
    assert backend.read_buffer(streamed.wait()) == bytes(range(256))
    assert streamed.resident


def test_streamed_assets_can_be_hastened_in_a_frame(backend: Backend) -> None:
    backend.begin_frame(0)
    streamed = backend.stream_buffer(NUMBERS, "buffer", bytes(range(256)))
    assert streamed.hasten() == streamed.resident
    backend.end_frame(0, [], None)
    assert backend.read_buffer(streamed.wait()) == bytes(range(256))


def test_a_target_has_the_size_that_it_was_given(backend: Backend) -> None:
    target = backend.create_target((64, 32))
    assert (target.extent, target.windowed, target.format) == ((64, 32), False, "rgba8_srgb")
    image = target.acquire(0)
    assert image is not None
    assert image.info.extent == (64, 32)
    target.resize((32, 16))
    resized = target.acquire(0)
    assert resized is not None
    assert resized.info.extent == target.extent == (32, 16)
    target.close()


def test_background_work_runs_beside_frames(backend: Backend) -> None:
    work = backend.background(compute=False)
    buffer = backend.create_buffer(NUMBERS, "numbers")
    recorder = work.recorder(0)
    recorder.fill_buffer(buffer, 1)
    commands = work.create_commands(0, "slice")
    backend.record(commands, [recorder.take()])
    work.begin(0)
    work.follow_frames()
    work.submit(0, [QueuedCommands((commands,))])
    work.wait()
    assert work.finished()
    work.publish()
    run_empty_frame(backend, 0)
    backend.wait_idle()
    backend.destroy(commands)
    backend.destroy(work)


def test_a_closed_backend_can_be_closed_again(backend: Backend) -> None:
    backend.create_texture(COLOR, "left behind")
    backend.close()
    backend.close()
