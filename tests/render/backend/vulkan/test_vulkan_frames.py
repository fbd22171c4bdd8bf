from __future__ import annotations

import gc
import struct
import weakref

import numpy as np
import pytest

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, PipelineDesc
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recorder import VulkanRecorder
from renderwright.render.backend.vulkan.textures import VulkanTexture
from renderwright.render.errors import BackendError, DeviceLostError
from renderwright.render.sync.flags import Layout
from renderwright.render.types.usages import Usage
from tests.on_devices import FRESH, attached, change, compute, fragment, run_frame, texture_info, use, vertex
from tests.one_time import once

pytestmark = pytest.mark.vulkan

PUSHED = """#version 450
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { vec4 value; };
void main() { color = value; }
"""
SIZE = (8, 8)


def test_timestamps_have_a_limit(backend: VulkanBackend) -> None:
    with pytest.raises(BackendError, match="timestamp 8192"):
        backend.recorder(0).timestamp(8192)


def test_a_closed_target_is_forgotten(backend: VulkanBackend) -> None:
    target = backend.create_target(SIZE)
    target.resize((4, 4))
    gone = weakref.ref(target)
    target.close()
    del target
    gc.collect()
    assert gone() is None


def test_two_frames_in_flight_on_one_target(backend: VulkanBackend) -> None:
    target = backend.create_target(SIZE)
    program = backend.create_pipeline(
        PipelineDesc("pushed", (vertex(), fragment(PUSHED, push_size=16)), (target.format,))
    )
    prepared: dict[tuple[int, int], OpList] = {}
    for frame in range(10):
        slot = frame % FRAMES_IN_FLIGHT
        backend.begin_frame(slot)
        image = target.acquire(slot)
        assert isinstance(image, VulkanTexture)
        key = (slot, frame % 4)
        if key not in prepared:  # later frames play what earlier ones prepared
            recorder = backend.recorder(slot)
            recorder.barriers([change(image, FRESH, use(Usage.COLOR))])
            recorder.begin_pass([attached(image)], SIZE)
            recorder.bind_pipeline(program)
            recorder.push(program, struct.pack("<4f", float(frame % 4 == 1), 0.0, float(frame % 4 == 2), 1.0))
            recorder.draw(3)
            recorder.end_pass()
            recorder.barriers([change(image, use(Usage.COLOR), use(Usage.PRESENT))])
            prepared[key] = recorder.take()
        assert backend.end_frame(slot, [once(backend, slot, [prepared[key]])], target)
    assert isinstance(image, VulkanTexture)
    got = backend.read_texture(image, Layout.PRESENT_SRC)
    assert np.all(got == (255, 0, 0, 255))


def test_offscreen_target_resizes_and_closes(backend: VulkanBackend) -> None:
    target = backend.create_target(SIZE)
    assert not target.windowed
    first = target.acquire(0)
    target.resize((4, 2))
    second = target.acquire(0)
    assert first is not None
    assert second is not None
    assert (first.info.extent, second.info.extent, target.extent) == (SIZE, (4, 2), (4, 2))
    target.close()
    target.close()
    with pytest.raises(BackendError, match="closed"):
        target.acquire(0)


def test_a_frame_that_fails_to_record_does_not_break_the_next(backend: VulkanBackend) -> None:
    def fail(buffer: object) -> None:
        raise RuntimeError("in the middle of a frame")

    backend.begin_frame(0)
    with pytest.raises(RuntimeError):
        backend.end_frame(0, [once(backend, 0, [OpList([(fail, ())])])], None)
    texture = backend.create_texture(texture_info("rgba8_unorm", SIZE, Usage.SAMPLED), "texture")

    def record(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(texture, FRESH, use(Usage.COPY_DST))])
        recorder.clear_texture(texture, Layout.TRANSFER_DST, (1.0, 1.0, 1.0, 1.0))

    run_frame(backend, record)
    assert np.all(backend.read_texture(texture, Layout.TRANSFER_DST) == 255)


def test_waits_are_bounded(backend: VulkanBackend) -> None:
    backend._device.progress.limit = 10_000_000
    with pytest.raises(DeviceLostError, match=r"has made no progress for 0\.01 s"):
        backend._timeline.wait(backend._timeline.submitted + 1)


def test_an_application_can_allow_for_slow_frames() -> None:
    backend = VulkanBackend(wait_seconds=0.02)
    with pytest.raises(DeviceLostError, match=r"has made no progress for 0\.02 s"):
        backend._timeline.wait(backend._timeline.submitted + 1)
    backend.close()


def test_validation_would_see_a_missing_barrier() -> None:
    backend = VulkanBackend(validate=True)
    info = texture_info("rgba8_unorm", SIZE, Usage.SAMPLED)
    source, target = backend.create_texture(info, "source"), backend.create_texture(info, "target")

    def record(recorder: VulkanRecorder) -> None:
        recorder.barriers([change(source, FRESH, use(Usage.COPY_DST)), change(target, FRESH, use(Usage.COPY_DST))])
        recorder.clear_texture(source, Layout.TRANSFER_DST, (1.0, 1.0, 1.0, 1.0))
        recorder.clear_texture(source, Layout.TRANSFER_DST, (0.0, 1.0, 1.0, 1.0))

    run_frame(backend, record)
    backend.close()
    assert [message.id for message in backend.validation_messages] == ["SYNC-HAZARD-WRITE-AFTER-WRITE"]


def test_compute_and_others_do_not_mix(backend: VulkanBackend) -> None:
    empty = "#version 450\nvoid main() {}"
    with pytest.raises(BackendError, match="mixes a compute shader"):
        backend.create_pipeline(PipelineDesc("mixed", (vertex(), compute(empty))))
