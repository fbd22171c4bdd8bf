"""The benchmark of queues: what overlaps is told right, and its frames give the same results in every variant."""

from __future__ import annotations

import pytest

from benchmarks.queue_background import measure_background
from benchmarks.queue_frame import Load, chains_frame, late_frame, queue_frame
from benchmarks.queue_uploads import measure_uploads
from benchmarks.queues import SEVERAL, SPLIT, measure, overlap, without_clock
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.times.gpu_clock import GpuInterval

SMALL = Load(links=2, values=64, side=16, simulate=4, shade=2)


def test_overlap_is_where_both_sides_have_work() -> None:
    both = [
        GpuInterval("graphics", 0.0, 2.0),
        GpuInterval("graphics", 2.0, 4.0),
        GpuInterval("graphics", 6.0, 8.0),
        GpuInterval("compute", 1.0, 3.0),
        GpuInterval("copy", 2.5, 7.0),
    ]
    assert overlap(both) == pytest.approx(3.0 + 1.0)
    assert overlap(both[:3]) == 0.0


@pytest.mark.vulkan
def test_results_are_those_of_one_queue_with_plain_barriers() -> None:
    backend = VulkanBackend(validate=True, wrap=without_clock)
    for make, variants in ((queue_frame, SEVERAL), (late_frame, SEVERAL), (chains_frame, SPLIT)):
        first, second = (measure(make(SMALL), backend, options, 2) for options in variants.values())
        assert first.results == second.results
        assert first.overlap == 0.0
        assert any(any(one) for one in first.results)
    assert (first.events, second.events > 0) == (0, True)
    backend.close()
    assert backend.validation_messages == []


@pytest.mark.vulkan
def test_textures_that_appear_come_as_they_were_sent() -> None:
    backend = VulkanBackend(validate=True)
    found = measure_uploads(backend, SEVERAL["several queues"], SMALL, 10, 32)
    assert list(found) == ["no textures", "waited for", "streamed"]
    assert all(one.right and 0.0 < one.median <= one.longest for one in found.values())
    backend.close()
    assert backend.validation_messages == []


@pytest.mark.vulkan
def test_long_work_is_finished_beside_the_frames() -> None:
    backend = VulkanBackend(validate=True)
    found = measure_background(backend, SEVERAL["several queues"], SMALL, 16, 3)
    assert [one.runs > 0 for one in found.values()] == [False, True, True]
    assert found["all at once"].runs > found["a slice a frame"].runs
    backend.close()
    assert backend.validation_messages == []
